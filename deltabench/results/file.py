"""How results are kept: in one versioned JSON file that is never half written."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from deltabench.cells import Row, Value
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.results.derived import DerivedRow
from deltabench.results.environment import Environment

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA_VERSION = 1
FILE_NAME = "results.json"

_DAMAGED = "the file is damaged: restore it, or measure again"
_FOREIGN = f"give the {FILE_NAME} that run or sweep wrote"


class Results(Value):
    """A plan and what became of it: one row per planned cell, in the order of the plan.

    `workloads` holds the full specification of each workload by name, so that a result
    can be understood without the tool that made it. `derived` rows were worked out from a
    recorded row and are no measurements.
    """

    schema_version: int = SCHEMA_VERSION
    tool_version: str
    command: str
    environment: Environment
    workloads: dict[str, dict[str, Any]]
    rows: tuple[Row, ...]
    derived: tuple[DerivedRow, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every planned cell was run, be it with a failure."""
        return all(row.measurement or row.failure for row in self.rows)


def save_results(results: Results, path: Path) -> None:
    """Write the file whole or not at all: on an error the old file is still there."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8") as file:
            file.write(_as_text(results))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):  # the place itself may be what is wrong
            temporary.unlink()
        message = f"cannot write {path}: {error.strerror or error}"
        hint = "free some space or choose another --out; an older file there is unharmed"
        raise DeltabenchError(message, hint=hint, exit_code=ExitCode.REFUSED) from error


def load_results(path: Path) -> Results:
    """Read results from the file, or from the report directory that holds it."""
    if path.is_dir():
        path = path / FILE_NAME
    document = _read_json(path)
    if not isinstance(document, dict) or not isinstance(document.get("schema_version"), int):
        message = f"{path} is not a deltabench results file"
        raise DeltabenchError(message, hint=_FOREIGN)
    if document["schema_version"] > SCHEMA_VERSION:
        message = f"{path} has schema {document['schema_version']}, known up to {SCHEMA_VERSION}"
        raise DeltabenchError(message, hint="written by a newer deltabench: upgrade")
    try:
        results = Results.model_validate_json(json.dumps(document), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        message = f"{path}: {place}: {' '.join(first['msg'].split())}"
        raise DeltabenchError(message, hint=_DAMAGED) from error
    for number, row in enumerate(results.rows):
        if row.measurement and row.failure:
            message = f"{path}: rows.{number}: both a measurement and a failure"
            raise DeltabenchError(message, hint=_DAMAGED)
    return results


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    except FileNotFoundError as error:
        message = f"no results file at {path}"
        raise DeltabenchError(message, hint="deltabench run and sweep write one") from error
    except OSError as error:
        message = f"cannot read {path}: {error.strerror or error}"
        raise DeltabenchError(message, hint=_FOREIGN) from error
    except json.JSONDecodeError as error:
        message = f"{path}, line {error.lineno}, column {error.colno}: not valid JSON"
        raise DeltabenchError(message, hint=_DAMAGED) from error
    except (ValueError, RecursionError) as error:
        message = f"{path} is not a JSON text"
        raise DeltabenchError(message, hint=_DAMAGED) from error


def _refuse(constant: str) -> None:
    message = f"{constant} is not JSON"
    raise ValueError(message)


def _as_text(results: Results) -> str:
    # The header stays on top; below it keys are sorted, so equal results give equal bytes.
    document = results.model_dump(mode="json")
    return (
        json.dumps(
            {key: _sorted(value) for key, value in document.items()},
            indent=1,
            ensure_ascii=False,
            allow_nan=False,
        )
        + "\n"
    )


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value
