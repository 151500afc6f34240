"""The contract of a batch reducer, tried on one reducer from the first check to the last."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.reducer.checks.accepts import EMPTY, check_empty, check_raises, check_start
from deltabench.reducer.checks.batching import (
    BATCHING,
    NO_WRITES,
    check_batching,
    check_no_writes,
)
from deltabench.reducer.checks.full_twin import AS_FULL, check_as_full
from deltabench.reducer.checks.identity import check_ids
from deltabench.reducer.checks.inputs import INPUTS, check_inputs
from deltabench.reducer.checks.other_form import check_as_batch
from deltabench.reducer.checks.processes import PROCESSES, check_processes
from deltabench.reducer.checks.repeating import DETERMINISTIC, check_deterministic
from deltabench.reducer.checks.storing import STORED, check_stored
from deltabench.reducer.checks.trial import Trial, make_trial
from deltabench.reducer.forms import batch_source
from deltabench.reducer.growth import GROWTH, growth_check, measure_growth
from deltabench.reducer.making import Given, make_subject
from deltabench.reducer.result import Check, Growth, ReducerResult
from deltabench.reducer.search import no_traces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from deltabench.reducer.annotations import FormChoice
    from deltabench.reducer.subject import Subject

MAX_EXAMPLES = 200
_QUICK_EXAMPLES = 25
# Longer than a second: what is stamped with whole seconds shows, too.
_PAUSE_SECONDS = 1.05
_NO_CALL = "there is no call that works"


def check_reducer(  # noqa: PLR0913  # as many as the command has options
    reducer: Callable[..., Any],
    *,
    spec: str | None = None,
    form: FormChoice = "auto",
    state_type: Any = None,
    writes: SearchStrategy[Any] | None = None,
    states: SearchStrategy[Any] | None = None,
    examples: Sequence[Any] | None = None,
    max_examples: int = MAX_EXAMPLES,
    seed: int = 0,
    quick: bool = False,
) -> ReducerResult:
    """Prove or break what `DeltaChannel` asks of a reducer.

    Writes come from the strategy or the examples, or else from the annotations;
    `state_type` is the type of the channel where it is known. `quick` tries few values and
    leaves out what takes time: growth, fresh processes, a second look after a second. Fresh
    processes are tried only with a `spec`, the `module:function` that they import.

    Raises DeltabenchError when nothing says which values the reducer takes.
    """
    with no_traces():
        given = Given(writes, states, examples)
        name = None if spec is None else spec.rpartition(":")[2]
        subject = make_subject(reducer, name=name, form=form, state_type=state_type, given=given)
        start_broken, start = check_start(subject)
        trial = make_trial(
            subject,
            start,
            max_examples=min(max_examples, _QUICK_EXAMPLES) if quick else max_examples,
            seed=seed,
            pause_seconds=0 if quick else _PAUSE_SECONDS,
        )
        if start_broken:
            reason = "there is no value to start from"
            checks = [start_broken, *_not_tried(_names(subject), reason)]
        else:
            checks = list(_checks(trial))
            if subject.annotations.open and subject.annotations.form == "binary":
                checks += _as_batch(reducer, trial, given)
            if spec is not None and not quick:
                checks.append(_in_processes(trial, spec, checks))
        growth = None
        if not quick:
            growth, last = _growth(trial, checks)
            checks.append(last)
    return _result(trial, checks, growth)


def _result(trial: Trial, checks: Sequence[Check], growth: Growth | None) -> ReducerResult:
    subject = trial.subject
    binary = subject.annotations.form == "binary"
    return ReducerResult(
        reducer=subject.name,
        form=subject.annotations.form,
        recognised_by=subject.annotations.recognised_by,
        state_type=getattr(subject.channel_type, "__name__", str(subject.channel_type)),
        values_from=subject.values_from,
        seed=trial.seed,
        max_examples=len(trial.tried),
        langgraph=version("langgraph"),
        checks=tuple(checks),
        growth=growth,
        batch_form=batch_source(subject.name) if binary else None,
    )


def _names(subject: Subject) -> list[str]:
    names = [DETERMINISTIC, BATCHING, INPUTS, NO_WRITES, STORED]
    return [*names, AS_FULL] if subject.annotations.form == "binary" else names


def _checks(trial: Trial) -> Iterator[Check]:
    """Every check but growth; one that another makes meaningless is not tried."""
    raises = check_raises(trial)
    yield raises
    if raises.verdict == "broken":
        yield from _not_tried([EMPTY, *_names(trial.subject)], "every call raises")
        return
    yield check_empty(trial)
    deterministic = check_deterministic(trial)
    yield deterministic
    tries: dict[str, Callable[[Trial], Check]] = {
        BATCHING: check_batching,
        INPUTS: check_inputs,
        NO_WRITES: check_no_writes,
        STORED: check_stored,
        AS_FULL: check_as_full,
    }
    for name in _names(trial.subject)[1:]:
        if deterministic.verdict == "broken" and name not in (INPUTS, STORED):
            yield from _not_tried([name], "the same call gives another state each time")
        else:
            yield tries[name](trial)
    if trial.subject.messages:
        yield check_ids(trial)


def _as_batch(reducer: Callable[..., Any], trial: Trial, given: Given) -> list[Check]:
    try:
        other = make_subject(reducer, name=trial.subject.name, form="batch", given=given)
    except DeltabenchError:
        return []  # then nothing says that it could be one
    check = check_as_batch(
        make_trial(
            other, trial.start, max_examples=len(trial.tried), seed=trial.seed, pause_seconds=0
        )
    )
    return [check] if check else []


def _in_processes(trial: Trial, spec: str, checks: Sequence[Check]) -> Check:
    verdicts = {check.name: check.verdict for check in checks}
    if verdicts[DETERMINISTIC] != "holds":
        reason = "another state in one process already"
        if verdicts[DETERMINISTIC] == "not tried":
            reason = _NO_CALL
        return Check(PROCESSES, "not tried", reason)
    return check_processes(trial, spec)


def _growth(trial: Trial, checks: Sequence[Check]) -> tuple[Growth | None, Check]:
    verdicts = {check.name: check.verdict for check in checks}
    if verdicts.get(INPUTS) != "holds":
        reason = "the state would change while it is timed"
        if verdicts.get(INPUTS) == "not tried":
            reason = _NO_CALL
        return None, Check(GROWTH, "not tried", reason)
    growth = measure_growth(trial.subject, trial.start, seed=trial.seed)
    return growth, growth_check(growth)


def _not_tried(names: Sequence[str], reason: str) -> list[Check]:
    return [Check(name, "not tried", reason) for name in names]
