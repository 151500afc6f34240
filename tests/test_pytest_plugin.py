"""The fixture in a suite of its own, as a project has one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
HEAVY = ("langgraph", "langchain_core", "deepagents", "pandas", "numpy", "pydantic", "rich")

# In place of a measurement: arithmetic results, and a note of every call in a file.
FAKE_RUN = """
from pathlib import Path
import pytest
from deltabench import api
from deltabench.api import Outcome
from tests.fakes import failed_row, fake_results, replace_row

real = api.run
CALLS = Path(__file__).with_name("calls")

@pytest.fixture(autouse=True, scope="session")
def fake_run():
    def run(workload="B", *, turns=None, k=None, checkpointer="memory", repeat=1, out=None):
        with CALLS.open("a") as calls:
            calls.write(f"{workload} {turns} {k} {out and Path(out).name}\\n")
        results = fake_results(ks=(k,), turns=turns or 200)
        if turns == 13:
            results = replace_row(results, 1, failed_row(results.rows[1].cell, "out of luck"))
        if out:
            (out / "results.json").write_text("{}")
        return Outcome(results)
    api.run = run
    yield
    api.run = real
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Make a project whose fixture gets its figures from arithmetic."""
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    # The plugins of everything that is installed take most of a short run's time.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(FAKE_RUN)
    return pytester


def _run(project: pytest.Pytester, *options: str) -> pytest.RunResult:
    plugin = ("-p", "deltabench.pytest_plugin")
    return project.runpytest_subprocess(*plugin, "-W", "error", *options)


def _calls(project: pytest.Pytester) -> list[str]:
    return (project.path / "calls").read_text(encoding="utf-8").splitlines()


@pytest.mark.timeout(300)
def test_real_session_passes_and_fails_by_its_ratio(pytester: pytest.Pytester) -> None:
    """A real, short session holds the promise it can hold, and fails the one it cannot."""
    pytester.makepyfile(
        """
        def test_holds(deltabench):
            found = deltabench(workload="B", turns=3, k=5)
            assert found.ratio > 1.5
            assert found.state_identical
            assert found.resume_ratio > 0

        def test_is_out(deltabench):
            assert deltabench(workload="B", turns=3, k=5).ratio >= 1000
        """
    )
    result = pytester.runpytest_subprocess("-W", "error", "--deltabench-out", "kept")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *assert *x >= 1000",
            "E *where *x = Saving(B, 3 turns, memory, async, K=5: full * bytes, delta * bytes).*",
            "E *= deltabench(workload='B', turns=3, k=5)",
        ]
    )
    (kept,) = (pytester.path / "kept").glob("*/results.json")
    rows = json.loads(kept.read_text(encoding="utf-8"))["rows"]
    assert [row["cell"]["turns"] for row in rows if row["measurement"]] == [3, 3]


def test_same_arguments_are_measured_once(project: pytest.Pytester) -> None:
    """Arguments given in another way are the same arguments; others are measured anew."""
    project.makepyfile(
        """
        def test_one(deltabench):
            assert deltabench("B", turns=20, k=5) == deltabench(k=5, turns=20)

        def test_two(deltabench):
            assert deltabench(turns=20, k=5, checkpointer="memory").ratio > 1
            assert deltabench(turns=21, k=5).ratio > 1
        """
    )
    _run(project).assert_outcomes(passed=2)

    assert _calls(project) == ["B 20 5 None", "B 21 5 None"]


def test_workload_file_that_changes_is_measured_again(project: pytest.Pytester) -> None:
    """What counts is what the file says when it is used, and not its name."""
    project.makepyfile(
        """
        from pathlib import Path

        def write(chars):
            text = f'title = "mine"\\nturns = 4\\nuser_chars = {chars}\\nanswer_chars = 9\\n'
            Path("mine.toml").write_text(text)

        def test_both(deltabench):
            for chars in (50, 60, 60):
                write(chars)
                deltabench("mine.toml", k=5)
        """
    )
    _run(project).assert_outcomes(passed=1)

    assert len(_calls(project)) == 2


def test_failed_cell_fails_the_test_in_one_line(project: pytest.Pytester) -> None:
    """A cell without a figure fails what asks for it, with its reason and no traceback."""
    project.makepyfile(
        """
        def test_anything(deltabench):
            try:
                deltabench(turns=13, k=5)
            except Exception:
                pass  # not even a test that swallows errors goes on

        def test_again(deltabench):
            assert deltabench(turns=13, k=5)
        """
    )
    result = _run(project)

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["deltabench: B 13 turns, memory, K=5: timeout: out of luck"])
    assert "Traceback" not in result.stdout.str()
    assert ".py:" not in result.stdout.str().partition("FAILURES")[2].partition("summary")[0]
    assert len(_calls(project)) == 1


def test_bad_arguments_fail_the_test(pytester: pytest.Pytester) -> None:
    """What cannot be run fails the test and says so, before anything is measured."""
    pytester.makepyfile(
        """
        def test_name(deltabench):
            deltabench("Z", k=5)

        def test_number(deltabench):
            deltabench(turns=-1, k=5)

        def test_argument(deltabench):
            deltabench(length=5)
        """
    )
    result = pytester.runpytest_subprocess()

    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "deltabench: no workload named 'Z' (A, B, *",
            "deltabench: turns must be a positive whole number, not -1",
            "E *TypeError: got an unexpected keyword argument 'length'",
        ]
    )


def test_results_are_kept_side_by_side(project: pytest.Pytester) -> None:
    """Each measurement has a directory of its own, in the folder where pytest was called."""
    project.makepyfile(
        """
        def test_it(deltabench, tmp_path, monkeypatch):
            monkeypatch.chdir(tmp_path)
            deltabench(turns=20, k=5)
            deltabench(turns=20, k=5, repeat=3)
            (tmp_path / "own").mkdir()
            deltabench(turns=21, k=5, out=tmp_path / "own")
        """
    )
    _run(project, "--deltabench-out", "kept").assert_outcomes(passed=1)

    names = ["b-20-5-memory", "b-20-5-memory-2"]
    assert sorted(path.name for path in (project.path / "kept").iterdir()) == names
    assert _calls(project)[-1] == "B 21 5 own"


def test_place_that_cannot_be_written_fails_the_test(project: pytest.Pytester) -> None:
    """An unwritable directory is told in one line before anything is measured."""
    project.makefile(".txt", taken="a file")
    project.makepyfile("def test_it(deltabench):\n    deltabench(turns=20, k=5)\n")
    result = _run(project, "--deltabench-out", "taken.txt")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["deltabench: cannot write *Not a directory *--deltabench-out)"])
    assert not (project.path / "calls").exists()


def test_workers_keep_all_results(project: pytest.Pytester) -> None:
    """Under pytest-xdist each worker has the fixture and the option, and nothing gets lost."""
    test = "def test_it(deltabench):\n    assert deltabench(turns=20, k=5).ratio > 1\n"
    project.makepyfile(test_one=test, test_two=test)
    result = _run(project, "-p", "xdist", "-n", "2", "--dist", "each", "--deltabench-out", "kept")

    result.assert_outcomes(passed=4)
    kept = sorted(path.parent.name for path in project.path.glob("kept/*/results.json"))
    assert kept == ["b-20-5-memory", "b-20-5-memory-2"]


def test_fixture_and_option_are_documented(project: pytest.Pytester) -> None:
    """`pytest --fixtures` tells of the fixture and `pytest --help` of the option."""
    _run(project, "--fixtures").stdout.fnmatch_lines(["deltabench [[]session scope[]]*"])
    _run(project, "--help").stdout.fnmatch_lines(["*--deltabench-out=DIR*"])


def test_loading_the_plugin_is_light() -> None:
    """Every pytest run of the machine loads it, so it loads nothing heavy."""
    code = (
        "import json, sys, deltabench.pytest_plugin; "
        f"print(json.dumps([name for name in {HEAVY} if name in sys.modules]))"
    )
    answer = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)

    assert json.loads(answer.stdout) == []
