"""What is shipped: the wheel, the lists of exact versions, and a program that starts at once."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
LISTS = ("requirements.lock", "requirements-oldest.txt")
HEAVY = ("langgraph", "langchain_core", "deepagents", "pandas", "matplotlib", "psycopg")
# Only folders that are somebody's own: /usr, /tmp and the like are the same on every machine.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as it would be published, with the build backend already here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--wheel-dir", str(folder), str(CHECKOUT)]
    subprocess.run(command, check=True)
    return next(folder.glob("deltabench-*.whl"))


@pytest.fixture(scope="module")
def installed_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel, without dependencies, into an environment that has nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*command, "--no-deps", "--no-index", str(wheel)], check=True)
    return python


def test_wheel_ships_workloads_and_types(wheel: Path) -> None:
    """The wheel carries every file of `workloads/` and the marker that it is typed."""
    names = set(ZipFile(wheel).namelist())
    workloads = {f"deltabench/workloads/{path.name}" for path in (CHECKOUT / "workloads").iterdir()}

    assert "deltabench/workloads/b.toml" in workloads
    assert workloads <= names
    assert "deltabench/py.typed" in names


def test_wheel_holds_the_package_only(wheel: Path) -> None:
    """Nothing lands in site-packages but the package and its metadata."""
    roots = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}

    assert {root for root in roots if not root.endswith(".dist-info")} == {"deltabench"}


def test_installed_package_finds_its_workloads(installed_python: Path, tmp_path: Path) -> None:
    """An installed wheel finds the workloads inside the package, wherever it is run."""
    environment = installed_python.parent.parent
    # Without dependencies `deltabench/__init__` cannot run, and it has no part in this.
    (site,) = environment.glob("lib/python3*/site-packages")
    code = (
        "import sys, types; package = types.ModuleType('deltabench'); "
        f"package.__path__ = [{str(site / 'deltabench')!r}]; sys.modules['deltabench'] = package; "
        "from deltabench.locations import workloads_directory as found; "
        "print(found()); print(sorted(path.name for path in found().glob('*.toml')))"
    )
    answer = subprocess.run(
        [installed_python, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    folder, names = answer.stdout.splitlines()

    assert Path(folder).is_relative_to(environment.resolve())
    assert names == "['a.toml', 'b.toml']"


def test_checkout_uses_its_own_workloads() -> None:
    """In a checkout the workloads are those at its top, where a person edits them."""
    from deltabench.locations import workloads_directory

    assert workloads_directory() == CHECKOUT / "workloads"


@pytest.mark.parametrize("name", LISTS)
def test_lists_pin_exactly(name: str) -> None:
    """Each line is one exact version: no host, no path, no range, no option for pip."""
    lines = (CHECKOUT / name).read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]

    assert len(pins) > 20
    assert [pin for pin in pins if not re.fullmatch(r"[a-z0-9._-]+==[a-z0-9.]+", pin)] == []
    assert not [line for line in lines if "://" in line]


@pytest.mark.parametrize("name", LISTS)
def test_lists_name_every_direct_dependency(name: str) -> None:
    """What pyproject.toml asks for is in the list, and the oldest list has its lower bound."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    direct = project["dependencies"] + project["optional-dependencies"]["postgres"]
    bounds = dict(re.sub(r"\[.*\]", "", each).split(">=") for each in direct)
    pins = dict(
        re.findall(r"^([^#=\n]+)==(.+)$", (CHECKOUT / name).read_text("utf-8"), re.MULTILINE)
    )

    assert set(bounds) <= set(pins)
    if name == "requirements-oldest.txt":
        found = {package: pins[package] for package in bounds}
        assert {p: _parts(v) for p, v in found.items()} == {p: _parts(v) for p, v in bounds.items()}


def _parts(version: str) -> list[int]:
    """Read `6.0` and `6.0.0` as the same version."""
    parts = [int(part) for part in version.split(".")]
    return parts + [0] * (3 - len(parts))


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    """No committed text names a home or work folder, which exists on one machine only."""
    listing = ["git", "-C", str(CHECKOUT), "grep", "-I", "--name-only", "-e", ""]
    names = subprocess.run(listing, capture_output=True, text=True, check=False).stdout.split("\n")
    if names == [""]:
        pytest.skip("not a git checkout")
    found = [
        f"{name}: {match.group()}"
        for name in names
        if name and name != "tests/test_packaging.py" and (CHECKOUT / name).is_file()
        for match in MACHINE_PATH.finditer((CHECKOUT / name).read_text(encoding="utf-8"))
    ]

    assert found == []


def test_machine_paths_are_recognised() -> None:
    """The pattern of the check above sees a home folder, and lets a URL and a ratio pass."""
    assert MACHINE_PATH.search("see /home/someone/notes")
    assert not MACHINE_PATH.search("https://example.org/work/x and 3/4 of lib/root/x")


def _loaded(code: str) -> list[str]:
    """Run the code in a fresh interpreter and list the heavy packages it has loaded."""
    code = f"import json, sys\n{code}\nprint(json.dumps([n for n in {HEAVY} if n in sys.modules]))"
    answer = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    loaded: list[str] = json.loads(answer.stdout.splitlines()[-1])
    return loaded


def test_heavy_packages_are_noticed() -> None:
    """The check below can fail: importing a heavy package shows up in it."""
    assert _loaded("import langchain_core") == ["langchain_core"]


def test_import_is_light() -> None:
    """`import deltabench` loads nothing heavy."""
    assert _loaded("import deltabench") == []


def test_help_is_light() -> None:
    """`deltabench --help` answers without loading anything heavy."""
    code = (
        "from deltabench.cli import main\n"
        "sys.argv = ['deltabench', '--help']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
    )

    assert _loaded(code) == []
