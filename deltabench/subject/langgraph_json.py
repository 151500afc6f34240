"""`langgraph.json`: which graph is meant, what must be on the path, and the environment."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deltabench.errors import DeltabenchError


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """The graph that a `langgraph.json` means: its own notation, made usable from here."""

    file: Path
    spec: str


def is_langgraph_json(spec: str) -> bool:
    """Whether a spec is `langgraph.json` or `langgraph.json:name`."""
    return _split(spec)[0] is not None


def enter_langgraph_json(spec: str) -> NamedGraph:
    """Find the graph, put the `dependencies` on the path and read `env`.

    A variable that is set already stays as it is. Raises DeltabenchError in one line that
    names the file, and the line or the key that is wrong.
    """
    file, name = _split(spec)
    if file is None:
        raise DeltabenchError(f"{spec!r} is no langgraph.json")
    values = _read(file)
    graphs = values.get("graphs")
    if not isinstance(graphs, dict) or not graphs:
        raise DeltabenchError(f"{file}: graphs: names no graph")
    names = ", ".join(sorted(graphs))
    if not name and len(graphs) > 1:
        hint = f"{file}:{next(iter(graphs))} names one"
        raise DeltabenchError(f"{file} has several graphs: {names}", hint=hint)
    name = name or next(iter(graphs))
    if name not in graphs:
        raise DeltabenchError(f"{file} has no graph {name!r}", hint=f"it has {names}")
    entry = graphs[name]
    graph = entry.get("path") if isinstance(entry, dict) else entry
    if not isinstance(graph, str):
        raise DeltabenchError(f"{file}: graphs.{name}: must be a path or a module with a name")
    _put_dependencies_on_path(file, values)
    _read_environment(file, values)
    return NamedGraph(file=file, spec=_from_here(file.parent, graph))


def _split(spec: str) -> tuple[Path | None, str]:
    place, _, name = spec.rpartition(":")
    for path, rest in ((spec, ""), (place, name)):
        if path.endswith(".json"):
            return Path(path), rest
    return None, ""


def _read(file: Path) -> dict[str, Any]:
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DeltabenchError(f"there is no file {file}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DeltabenchError(f"{file}: cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise DeltabenchError(f"{file}:{error.lineno}: not valid JSON: {error.msg}") from None
    if not isinstance(values, dict):
        raise DeltabenchError(f"{file}: must be a JSON object")
    return values


def _from_here(folder: Path, graph: str) -> str:
    place, colon, name = graph.rpartition(":")
    return f"{folder / place}{colon}{name}" if place.endswith(".py") else graph


def _put_dependencies_on_path(file: Path, values: dict[str, Any]) -> None:
    # Other dependencies are packages, which must be installed already.
    for dependency in values.get("dependencies", []):
        if isinstance(dependency, str) and dependency.startswith("."):
            folder = (file.parent / dependency).resolve()
            if not folder.is_dir():
                raise DeltabenchError(f"{file}: dependencies: there is no folder {dependency}")
            for place in (folder / "src", folder):
                if place.is_dir() and str(place) not in sys.path:
                    sys.path.insert(0, str(place))


def _read_environment(file: Path, values: dict[str, Any]) -> None:
    given = values.get("env", {})
    if isinstance(given, str):
        given = _env_file(file.parent / given, file)
    if not isinstance(given, dict):
        raise DeltabenchError(f"{file}: env: must be a file or an object of texts")
    for name, value in given.items():
        os.environ.setdefault(str(name), str(value))


def _env_file(path: Path, file: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise DeltabenchError(f"{file}: env: {path} cannot be read") from None
    found = {}
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            found[name.strip()] = value.strip().strip("'\"")
    return found
