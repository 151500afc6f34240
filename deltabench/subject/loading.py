"""Objects that a user names as `module:attr` or `path/to/file.py:attr`, as in `langgraph.json`."""

from __future__ import annotations

import importlib
import re
import sys
import traceback
from difflib import get_close_matches
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from types import ModuleType

_HINT = "name it as module:attribute or ./path/file.py:attribute"
# What stands between the scheme of an address and its host.
_PASSWORD = re.compile(r"(://[^\s:/@]*:)\S*@")
_RELATIVE = "name it as package.module:attribute, in the folder that holds the package"


def load_object(spec: str) -> object:
    """Import what a spec names; modules are also looked for in the current directory.

    The folder of a file is put on `sys.path` and stays there: what it imports from beside
    itself may be imported late. A file is run once per process.

    Raises DeltabenchError, in one line, when the spec is no spec, the file or the module is
    missing, its import fails or it has no such attribute.
    """
    place, colon, name = spec.rpartition(":")
    if not (place and colon and name) or name.endswith(".py"):
        raise DeltabenchError(f"{spec!r} names no attribute of a module", hint=_HINT)
    module = _from_file(place) if place.endswith(".py") else _from_name(place)
    found: object = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise DeltabenchError(f"{place} has no {name!r}", hint=_near(part, found))
        found = getattr(found, part)
    return found


def one_line(error: BaseException) -> str:
    """Type and message of an error on a single line, without the passwords of addresses."""
    text = _PASSWORD.sub(r"\1...@", " ".join(str(error).split()))
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def place_of(error: BaseException) -> str:
    """Where an error arose, as `file:line`: in the user's code rather than in a library."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not _is_library(frame.filename)]
    return f"{theirs[-1].filename}:{theirs[-1].lineno}" if theirs else ""


def _from_name(name: str) -> ModuleType:
    # An installed command does not have the current directory on its path.
    _put_on_path(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            hint = "modules are looked for in the current directory and in what is installed"
            raise DeltabenchError(f"there is no module {name!r}", hint=hint) from error
        raise _failed(name, error) from error
    except (Exception, SystemExit) as error:  # user code may raise anything
        raise _failed(name, error) from error


def _from_file(path: str) -> ModuleType:
    file = Path(path).expanduser().resolve()
    if not file.is_file():
        raise DeltabenchError(f"there is no file {path}", hint="paths start at the current folder")
    _put_on_path(Path.cwd())
    _put_on_path(file.parent)
    package = _in_package(file)
    if package is not None:
        return _imported(package, path)
    name = _module_name(file)
    if name in sys.modules:
        return sys.modules[name]
    found = spec_from_file_location(name, file)
    if found is None or found.loader is None:
        raise DeltabenchError(f"{path} is no Python file", hint=_HINT)
    module = sys.modules[name] = module_from_spec(found)
    try:
        found.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # user code may raise anything
        del sys.modules[name]
        raise _failed(path, error) from error
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _module_name(file: Path) -> str:
    """The name that `import` would give the file, unless that is taken.

    Objects of its classes are stored with this name, whose length counts, and what lies
    beside it may import it.
    """
    taken = sys.modules.get(file.stem)
    mine = taken is None or getattr(taken, "__file__", None) == str(file)
    if file.stem.isidentifier() and file.stem not in sys.stdlib_module_names and mine:
        return file.stem
    return f"{file.stem}_{sha256(str(file).encode()).hexdigest()[:8]}"


def _in_package(file: Path) -> str | None:
    """The dotted name of a file in a package, whose relative imports need it; puts it on path.

    None for a file outside of packages, or where another package has the same name.
    """
    parts, folder = [file.stem], file.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    top = sys.modules.get(parts[0])
    if len(parts) == 1 or not all(part.isidentifier() for part in parts):
        return None
    if top is not None and str(folder / parts[0]) not in getattr(top, "__path__", ()):
        return None
    _put_on_path(folder)
    return ".".join(parts)


def _imported(name: str, path: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # user code may raise anything
        raise _failed(path, error) from error


def _put_on_path(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _failed(place: str, error: BaseException) -> DeltabenchError:
    where = place_of(error)
    at = f", at {where}" if where else ""
    hint = _RELATIVE if "attempted relative import" in str(error) else ""
    return DeltabenchError(f"importing {place} failed: {one_line(error)}{at}", hint=hint)


def _near(name: str, owner: object) -> str:
    public = [known for known in dir(owner) if not known.startswith("_")]
    near = get_close_matches(name, public, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else ""


def _is_library(filename: str) -> bool:
    return (
        filename.startswith("<")
        or "site-packages" in filename
        or Path(filename).is_relative_to(Path(importlib.__file__).parents[1])
        or Path(filename) == Path(__file__)
    )
