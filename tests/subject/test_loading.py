"""Objects that a user names, and one line for all that can go wrong with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from deltabench.errors import DeltabenchError
from deltabench.subject.loading import load_object, one_line

if TYPE_CHECKING:
    from pathlib import Path

AGENT = """
from beside import VALUE

class Nested:
    inner = VALUE

graph = [VALUE]
"""
WRONG = {
    "raises.py": "x = 1\n\nraise RuntimeError('no\\nkey')\n",
    "syntax.py": "x = 1\ndef (\n",
    "exits.py": "import sys\nsys.exit(3)\n",
    "relative.py": "from .beside import VALUE\n",
    "inside.py": "import json\nx = json.loads('{')\n",
    "needs.py": "import no_such_library\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of modules that is the current one, on a path that is put back."""
    for name, text in {"agent.py": AGENT, "beside.py": "VALUE = 7\n", **WRONG}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("agent", "beside", *(wrong.removesuffix(".py") for wrong in WRONG)):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("place", ["agent", "agent.py", "./agent.py"])
def test_modules_and_files_are_loaded_once(place: str) -> None:
    """Both notations find the object, what lies beside the file, and the same object again."""
    graph = load_object(f"{place}:graph")
    assert graph == [7]
    assert load_object(f"{place}:graph") is graph
    assert load_object(f"{place}:Nested.inner") == 7


def test_files_of_one_name_are_two_modules(folder: Path) -> None:
    """A file is told from another one of the same name in another folder."""
    other = folder / "other"
    other.mkdir()
    (other / "agent.py").write_text("graph = 'other'\n")
    assert load_object("./agent.py:graph") == [7]
    assert load_object("other/agent.py:graph") == "other"


def test_a_file_is_the_module_that_its_neighbours_import(folder: Path) -> None:
    """Its classes are of one module, by the name that would be stored in production."""
    (folder / "agent.py").write_text("class Note: ...\nimport user_beside\n")
    (folder / "user_beside.py").write_text("import agent\nNote = agent.Note\n")
    note = load_object("./agent.py:Note")
    assert getattr(note, "__module__", "") == "agent"
    assert load_object("user_beside:Note") is note


def test_a_file_does_not_hide_a_library(folder: Path) -> None:
    """A file that is called like a module of Python gets another name."""
    (folder / "queue.py").write_text("graph = 'mine'\n")
    assert load_object("./queue.py:graph") == "mine"
    assert sys.modules.get("queue") is None or hasattr(sys.modules["queue"], "SimpleQueue")


def test_a_file_of_a_package_may_import_relatively(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its package is found by its files, in whatever folder that lies."""
    package = folder / "src" / "my_package_here" / "inner"
    package.mkdir(parents=True)
    for place in (package, package.parent):
        (place / "__init__.py").write_text("")
    (package.parent / "state.py").write_text("VALUE = 8\n")
    (package / "agent.py").write_text("from ..state import VALUE\ngraph = VALUE\n")
    for name in ("", ".state", ".inner", ".inner.agent"):
        monkeypatch.delitem(sys.modules, f"my_package_here{name}", raising=False)
    assert load_object("./src/my_package_here/inner/agent.py:graph") == 8
    (package / "wrong.py").write_text("\nfrom ..state import NOTHING\n")
    with pytest.raises(DeltabenchError, match=r"wrong\.py failed: ImportError: .*wrong\.py:2"):
        load_object("./src/my_package_here/inner/wrong.py:graph")


def test_a_package_of_a_taken_name_is_loaded_by_its_file(folder: Path) -> None:
    """A folder that is called like something imported does not get that instead."""
    package = folder / "json"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "agent.py").write_text("graph = 'mine'\n")
    assert load_object("json/agent.py:graph") == "mine"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("agent.py:grph", r"^agent\.py has no 'grph' \(did you mean graph\?\)$"),
        ("agent:Nested.outer", r"^agent has no 'Nested\.outer'$"),
        ("agent.py", "names no attribute"),
        ("./agent.py:", "names no attribute"),
        (":graph", "names no attribute"),
        ("no/such.py:graph", r"there is no file no/such\.py"),
        ("no_such:graph", "there is no module 'no_such'"),
        ("agent.no_such:graph", "importing agent.no_such failed|there is no module"),
        ("raises.py:x", r"failed: RuntimeError: no key, at .*raises\.py:3$"),
        ("raises:x", r"failed: RuntimeError: no key, at .*raises\.py:3$"),
        ("syntax.py:x", r"failed: SyntaxError: .*, at .*syntax\.py:2$"),
        ("exits.py:x", r"failed: SystemExit: 3, at .*exits\.py:2$"),
        ("relative.py:x", r"relative\.py:1 \(name it as package\.module:attribute"),
        ("inside.py:x", r"failed: JSONDecodeError: .*, at .*inside\.py:2$"),
        ("needs:x", r"failed: ModuleNotFoundError: No module named 'no_such_library', at .*:1$"),
    ],
)
def test_what_cannot_be_loaded_is_one_line(spec: str, message: str) -> None:
    """The error says what failed, where in the user's code, and what may be meant."""
    with pytest.raises(DeltabenchError, match=message) as caught:
        load_object(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("folder")
def test_a_failed_import_leaves_no_half_module() -> None:
    """A file that failed is run again the next time, and fails again."""
    for _ in range(2):
        with pytest.raises(DeltabenchError, match="RuntimeError"):
            load_object("raises.py:x")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no server at postgresql://me:se@cr/et@host/db", "postgresql://me:...@host/db"),
        ("no server at postgresql://me@host:5432/db", "postgresql://me@host:5432/db"),
    ],
)
def test_passwords_in_addresses_are_not_quoted(text: str, shown: str) -> None:
    """Drivers like to quote the whole address."""
    assert one_line(RuntimeError(text)) == f"RuntimeError: no server at {shown}"
