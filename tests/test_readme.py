"""The README: every command line runs, and what it shows is what comes out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from deltabench import errors
from deltabench.gate.policy_file import load_policy
from deltabench.report.verdicts import table
from deltabench.results.file import FILE_NAME, load_results
from deltabench.verify.history import load_history
from deltabench.verify.vocabulary import Verdict
from tests.readme_blocks import README, blocks, commands

ROOT = README.parent
REFERENCE = ROOT / "reports" / "reference"
# The published figures take minutes; `make reproduce` runs this one as it stands.
TOO_LONG = ["deltabench", "reproduce"]
SHORT_TURNS = "2"
SHORT_FUZZ = "3"


def _shortened(words: list[str]) -> list[str]:
    """The same command over two turns and once, so that the suite stays short."""
    if "--fuzz" in words:
        place = words.index("--fuzz") + 1
        return [*words[:place], SHORT_FUZZ, *words[place + 1 :]]
    # The database that is kept is named by its length, and inspected afterwards.
    if words[1] not in {"run", "sweep"} or "--keep-database" in words:
        return words
    kept = list(words)
    for option in ("--turns", "--repeat"):
        if option in kept:
            place = kept.index(option)
            del kept[place : place + 2]
    return [*kept, "--turns", SHORT_TURNS]


def _shown(name: str) -> str:
    text = README.read_text(encoding="utf-8")
    between = text.split(f"<!-- {name} -->")[1].split(f"<!-- {name} end -->")[0]
    (block,) = re.findall(r"```text\n(.*?)```", between, re.DOTALL)
    return str(block)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the commands of the README run one after the other."""
    directory = tmp_path_factory.mktemp("checkout")
    for folder in ("workloads", "examples"):
        (directory / folder).symlink_to(ROOT / folder)
    return directory


def _is_the_check_shown(words: list[str]) -> bool:
    return words[1] == "check" and "--workload" in words


# The check whose output is shown runs once, in the test that compares it.
@pytest.mark.parametrize(
    "words", [words for words in commands() if not _is_the_check_shown(words)], ids=" ".join
)
def test_every_command_line_runs(checkout: Path, words: list[str]) -> None:
    """Each command line of the README ends in exit code 0, in the order it is shown."""
    if words == TOO_LONG:
        words = [*words, "--help"]
    if words[0] == "deltabench":
        words = [sys.executable, "-m", *_shortened(words)]
    done = subprocess.run(words, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_make_targets_exist() -> None:
    """Each make target that the README names is one of the Makefile's."""
    named = set(re.findall(r"\bmake ([a-z-]+)", README.read_text(encoding="utf-8")))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"bench", "test"} <= named
    assert named <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def test_the_python_example_runs(checkout: Path) -> None:
    """The lines for Python run as they stand, but for a shorter session."""
    example, _ = blocks("python")
    shorter = example.replace("turns=[20]", f"turns=[{SHORT_TURNS}]")
    assert shorter != example
    done = subprocess.run(
        [sys.executable, "-c", shorter], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "K=50" in done.stdout


def test_the_pytest_example_passes(tmp_path: Path) -> None:
    """The test with the fixture passes in a project of its own."""
    _, example = blocks("python")
    (tmp_path / "test_savings.py").write_text(example)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_the_policy_example_is_a_policy(tmp_path: Path) -> None:
    """Its keys and rules are those that the gate knows."""
    (example,) = blocks("toml")
    path = tmp_path / "deltabench.toml"
    path.write_text(example)
    assert load_policy(path) != load_policy()


def test_the_workflow_example_fits_the_action() -> None:
    """It is YAML, ten lines, and names inputs that the action has."""
    (example,) = blocks("yaml")
    steps = yaml.safe_load(example)["jobs"]["savings"]["steps"]
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert steps[-1]["uses"].startswith("OWNER/deltabench@")
    assert set(steps[-1]["with"]) <= set(inputs)
    assert len(example.splitlines()) == 10


def test_the_check_shown_is_what_comes_out(checkout: Path) -> None:
    """Bytes are exact, so the output of the gate is, too."""
    (words,) = filter(_is_the_check_shown, commands())
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert _shown("check") == done.stdout


def test_the_failure_shown_is_what_comes_out() -> None:
    """Failures stand first, so what is shown is the beginning of the output."""
    (line,) = re.findall(r"`deltabench (check reports/[^`]+)`", README.read_text(encoding="utf-8"))
    done = subprocess.run(
        [sys.executable, "-m", "deltabench", *line.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == errors.ExitCode.FAILED, done.stderr
    assert done.stdout.startswith(_shown("failed"))


def test_exit_codes_are_those_of_the_program() -> None:
    """The table says of each code what the program's own list says."""
    source = Path(errors.__file__).read_text(encoding="utf-8")
    codes = re.findall(r"^    [A-Z_]+ = (\d+)  # (.*)$", source, re.MULTILINE)
    assert len(codes) == len(errors.ExitCode)
    rows = "\n".join(f"| {code} | {meaning} |" for code, meaning in codes)
    assert rows in README.read_text(encoding="utf-8")


def test_the_table_is_that_of_the_reference_report(tmp_path: Path) -> None:
    """What the README shows is what `deltabench report reports/reference` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "deltabench", "report", str(REFERENCE), "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert _shown("reference") in done.stdout


def test_the_reference_report_is_complete_small_and_of_this_plan() -> None:
    """A and B, all cells measured, below 2 MB, and every picture of the README is there."""
    results = load_results(REFERENCE / FILE_NAME)
    assert results.complete
    assert {row.cell.workload for row in results.rows} == {"A", "B"}
    assert all(row.measurement for row in results.rows)
    size_bytes = sum(path.stat().st_size for path in REFERENCE.iterdir())
    assert size_bytes < 2_000_000
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).is_file(), picture


def test_the_safety_table_is_what_was_found() -> None:
    """Its cells are those of the newest environment that `make verify-history` tried in full."""
    newest = load_history().environments[-1]
    assert not newest.quick
    verdicts = [
        Verdict(guarantee=o.guarantee, checkpointer=o.checkpointer, status=o.status)
        for o in newest.outcomes
    ]
    header, *rows = table(verdicts)
    text = README.read_text(encoding="utf-8")
    between = text.split("<!-- safety -->")[1].split("<!-- safety end -->")[0]
    lines = [header, ["---"] * len(header), *rows]
    assert between.strip().splitlines() == [f"| {' | '.join(cells)} |" for cells in lines]
    for package, version in newest.versions.items():
        assert f"{package.removeprefix('langgraph-')} {version}" in text
