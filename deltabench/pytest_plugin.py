"""A pytest fixture, so that a project's own suite can hold the saving to a promise.

def test_delta_channels_save_storage(deltabench):
    assert deltabench(workload="B", turns=20).ratio >= 10

Whatever was measured under the same arguments is measured once in a test process; with
pytest-xdist each worker measures what its own tests ask for, which leaves bytes exact
and makes times noisy.
"""

from __future__ import annotations

import inspect
import os
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from deltabench.api import Outcome
    from deltabench.results.saving import Saving
    from deltabench.session.interface import Session


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option that keeps results."""
    parser.getgroup("deltabench").addoption(
        "--deltabench-out",
        metavar="DIR",
        # Made absolute at once: workers and tests may stand in other folders. A string,
        # since pytest-xdist hands options over to its workers as plain values.
        type=os.path.abspath,
        help="keep the results of the deltabench fixture below this directory",
    )


@pytest.fixture(scope="session", name="deltabench")
def _deltabench(request: pytest.FixtureRequest) -> Measure:
    """Measure a session of a real Deep Agent under full snapshots and delta channels.

    A callable with the arguments of `deltabench.run`; what it returns has `ratio`,
    `full_bytes`, `delta_bytes`, `resume_ratio`, `state_identical`, `frame` and `summary`.
    """
    kept: str | None = request.config.getoption("--deltabench-out")
    return Measure(None if kept is None else Path(kept))


class Measure:
    """Runs what a test asks for, once per set of arguments, below `kept` if that is given."""

    def __init__(self, kept: Path | None) -> None:
        self._kept = kept
        self._outcomes: dict[tuple[Any, ...], Outcome] = {}

    def __repr__(self) -> str:
        """The name of the fixture, as the failed assertion has it."""
        return "deltabench"

    def __call__(self, *args: Any, **options: Any) -> Saving:
        """Take the arguments of `deltabench.run`; anything that goes wrong fails the test."""
        __tracebackhide__ = True
        from deltabench.errors import DeltabenchError
        from deltabench.results.saving import saving

        try:
            return saving(self._outcome(*args, **options))
        except DeltabenchError as error:
            failure = f"deltabench: {error}"
        pytest.fail(failure, pytrace=False)

    def _outcome(self, *args: Any, **options: Any) -> Outcome:
        from deltabench import api

        asked = inspect.signature(api.run).bind(*args, **options)
        asked.apply_defaults()
        arguments = asked.arguments
        (spec,) = api.load_workloads([arguments["workload"]]).values()
        if arguments["k"] is None:
            arguments["k"] = api.installed_k()
        # The specification, and not its name: a test may write another file of that name.
        key = (spec, *asked.arguments.values())
        if key not in self._outcomes:
            if arguments["out"] is None and self._kept is not None:
                arguments["out"] = _new_directory(self._kept, spec, arguments)
            self._outcomes[key] = api.run(**arguments)
        return self._outcomes[key]


def _new_directory(kept: Path, spec: Session, arguments: dict[str, Any]) -> Path:
    """Make a directory of its own, also beside other workers that choose a name just now."""
    from deltabench.errors import DeltabenchError, ExitCode
    from deltabench.output import report_name

    turns = arguments["turns"] or spec.turns
    name = report_name([spec.name], [turns], [arguments["k"]], [arguments["checkpointer"]])
    for number in count(1):
        directory = kept / (name if number == 1 else f"{name}-{number}")
        try:
            directory.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            message = f"cannot write {directory}: {error.strerror or error}"
            hint = "choose another --deltabench-out"
            raise DeltabenchError(message, hint=hint, exit_code=ExitCode.REFUSED) from error
        return directory
    raise AssertionError  # count never ends
