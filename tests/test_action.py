"""The GitHub Action: its description fits its script, and the script does what it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest
import yaml

CHECKOUT = Path(__file__).resolve().parent.parent
SCRIPT = CHECKOUT / "scripts" / "action.sh"
BASH = shutil.which("bash") or "bash"
HOSTILE = "'; touch stolen; $(touch stolen) `touch stolen` \"; touch stolen #"
TINY = {"INPUT_WORKLOAD": "B", "INPUT_TURNS": "3", "INPUT_K": "5"}


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    """Read action.yml."""
    loaded: dict[str, Any] = yaml.safe_load((CHECKOUT / "action.yml").read_text(encoding="utf-8"))
    return loaded


class Runner:
    """A job of its own: a folder for the checkout, one for the runner, and its variables."""

    def __init__(self, folder: Path, job_python: Path) -> None:
        self.checkout = folder / "project"
        self.checkout.mkdir()
        self._folder = folder
        self.output = folder / "output"
        self.summary = folder / "summary"
        kept = ("PATH", "HOME", "LANG", "PYTHONPATH")
        self._environment = {
            **{name: os.environ[name] for name in kept if name in os.environ},
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_TEMP": str(folder),
            # Only what is on this machine is installed, built by what is installed.
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this one as "no isolation"
        }
        self._environment["PATH"] = f"{job_python.parent}{os.pathsep}{self._environment['PATH']}"

    def step(self, name: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a step as the runner does, in the job's checkout."""
        return subprocess.run(
            [BASH, SCRIPT, name],
            cwd=self.checkout,
            env=self._environment | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    def outputs(self) -> dict[str, str]:
        """What the steps have set so far."""
        lines = self.output.read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def stolen(self) -> list[Path]:
        """Traces of an input that was executed."""
        return list(self._folder.rglob("stolen"))


@pytest.fixture(scope="module")
def job_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a job's own Python that has everything but deltabench: the packages of this one."""
    folder = tmp_path_factory.mktemp("job")
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def installed(job_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the first step, and give the Python that it tells."""
    runner = Runner(tmp_path_factory.mktemp("install"), job_python)
    result = runner.step("install", INPUT_CHECKPOINTER="memory\n postgres\n")
    assert result.returncode == 0, result.stderr
    return Path(runner.outputs()["python"])


@pytest.fixture
def runner(tmp_path: Path, job_python: Path, installed: Path) -> Runner:
    """Give a job in which deltabench is installed."""
    runner = Runner(tmp_path, job_python)
    runner._environment["DELTABENCH_PYTHON"] = str(installed)
    return runner


def test_every_input_reaches_the_script(action: dict[str, Any]) -> None:
    """Each input is mapped to a variable, and each variable is one that the script reads."""
    script = SCRIPT.read_text(encoding="utf-8")
    mapped: dict[str, str] = {}
    for step in action["runs"]["steps"]:
        command = step["run"].split()[-1]
        (body,) = re.findall(rf"^{command}\(\) \{{\n(.*?)^\}}", script, re.MULTILINE | re.DOTALL)
        assert {name for name in step["env"] if name not in body} == set()
        mapped |= {value: name for name, value in step["env"].items()}

    for name, details in action["inputs"].items():
        variable = mapped.pop(f"${{{{ inputs.{name} }}}}")
        assert variable == "INPUT_" + name.upper().replace("-", "_")
        assert details["description"]
        assert isinstance(details["default"], str)  # GitHub hands over nothing else
    assert mapped == {"${{ steps.install.outputs.python }}": "DELTABENCH_PYTHON"}
    assert set(re.findall(r"INPUT_[A-Z_]+", script)) == {
        name for step in action["runs"]["steps"] for name in step["env"] if "INPUT" in name
    }


def test_no_input_is_part_of_a_command(action: dict[str, Any]) -> None:
    """No expression stands in the text of a command, and no other action is used."""
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert "uses" not in step
        assert step["shell"] == "bash"


def test_outputs_are_those_of_the_script(action: dict[str, Any]) -> None:
    """What the action promises is set by the step that it names."""
    script = SCRIPT.read_text(encoding="utf-8")
    for name, details in action["outputs"].items():
        assert details["value"] == f"${{{{ steps.check.outputs.{name} }}}}"
        assert f'echo "{name}=' in script


def test_install_keeps_the_packages_of_the_job(job_python: Path, installed: Path) -> None:
    """It adds deltabench to the job's own Python, and leaves the rest as it is."""
    code = "import deltabench, langgraph.graph as g; print(deltabench.__file__, g.__file__)"
    answer = subprocess.run(
        [installed, "-P", "-c", code], capture_output=True, check=True, text=True
    )
    deltabench, langgraph = answer.stdout.split()

    assert installed == job_python
    assert Path(deltabench).is_relative_to(job_python.parent.parent)
    assert Path(langgraph).is_relative_to(sysconfig.get_path("purelib"))


def test_ratio_that_holds_passes(runner: Runner) -> None:
    """A short session passes, with the table in the job summary and results to keep."""
    result = runner.step("check", **TINY, INPUT_MIN_RATIO="1.5", INPUT_ARGS="\n--seed=7\n\n")

    assert result.returncode == 0, result.stdout + result.stderr
    assert "::error" not in result.stdout + result.stderr
    assert "deltabench: passed" in runner.summary.read_text(encoding="utf-8")
    kept = (Path(runner.outputs()["results"]) / "results.json").read_text(encoding="utf-8")
    assert '"turns":3' in kept.replace(" ", "")
    assert '"seed":7' in kept.replace(" ", "")


def test_ratio_that_is_out_fails_the_step(runner: Runner) -> None:
    """The step ends with 1, an annotation names the rule, and the summary has the figures."""
    result = runner.step("check", **TINY, INPUT_MIN_RATIO="1000")

    assert result.returncode == 1, result.stdout + result.stderr
    (error, *_) = re.findall(r"^::error.*", result.stdout + result.stderr, re.MULTILINE)
    assert "min_ratio" in error
    assert "1000" in error.replace(",", "")
    assert "deltabench: failed" in runner.summary.read_text(encoding="utf-8")
    assert (Path(runner.outputs()["results"]) / "results.json").exists()


@pytest.mark.parametrize(
    "name", ["WORKLOAD", "TURNS", "K", "CHECKPOINTER", "MIN_RATIO", "BASELINE", "POLICY", "ARGS"]
)
def test_hostile_input_is_not_executed(runner: Runner, name: str) -> None:
    """An input that would end a quotation is one wrong argument: refused, and not run."""
    demands = TINY | {"INPUT_MIN_RATIO": "1.5", f"INPUT_{name}": HOSTILE}
    result = runner.step("check", **demands)

    assert result.returncode == 2, result.stdout + result.stderr
    (line,) = result.stderr.replace("::error title=deltabench check::", "error: ").splitlines()[-1:]
    assert line.startswith("error: ")
    assert runner.stolen() == []


@pytest.mark.parametrize("version", [HOSTILE, "3.9", "3.12*", "../3.12", "100%\n::debug::x"])
def test_unknown_python_is_refused(runner: Runner, version: str) -> None:
    """Another version, or anything else, is one annotated line and installs nothing."""
    result = runner.step("install", INPUT_PYTHON_VERSION=version)

    assert result.returncode == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("::error title=deltabench::python-version: ")
    assert "%" not in line or "%25" in line
    assert runner.stolen() == []
    assert not runner.output.exists()


def test_too_old_python_is_refused(runner: Runner, tmp_path: Path) -> None:
    """A job whose Python is too old is told how to get another one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("python", "python3"):
        (folder / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    result = runner.step("install", PATH=f"{folder}:/usr/bin:/bin")

    assert result.returncode == 2
    assert "Python 3.11 to 3.13 is needed: use actions/setup-python" in result.stderr


def test_python_of_the_tool_cache_is_found(runner: Runner, tmp_path: Path) -> None:
    """A version that is not on the path is taken from where GitHub keeps them."""
    kept = tmp_path / "cache" / "Python" / "3.12.7" / "x64" / "bin" / "python"
    kept.parent.mkdir(parents=True)
    kept.write_text('#!/bin/sh\n[ "$1" = -c ] || { echo "$@" >&2; exit 9; }\n', encoding="utf-8")
    kept.chmod(0o755)
    result = runner.step(
        "install",
        INPUT_PYTHON_VERSION="3.12",
        RUNNER_TOOL_CACHE=str(tmp_path / "cache"),
        PATH="/usr/bin:/bin",
    )

    assert result.returncode == 9, result.stderr
    assert result.stderr.startswith("-m venv ")
