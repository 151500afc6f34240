"""Tries one guarantee on one checkpointer, in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.verify.guarantees.interface import Bench, Guarantee, NotTriedError
from deltabench.verify.oracle.twins import BothRaisedError, DifferenceFoundError
from deltabench.verify.places import is_gone
from deltabench.verify.vocabulary import CaseResult, Latency

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from deltabench.verify.places import Change
    from deltabench.verify.vocabulary import Difference, Variant


def try_guarantee(
    guarantee: Guarantee,
    checkpointer: str,
    variants: Iterable[Variant],
    *,
    postgres_url: str | None = None,
    change: Change | None = None,
) -> Iterator[CaseResult]:
    """Try every case in every variant, and tell each result at once."""
    for variant in variants:
        for name, case in guarantee.cases().items():
            if variant not in guarantee.variants_of.get(name, (variant,)):
                continue
            bench = Bench(checkpointer, variant, postgres_url, change)
            yield _try_case(name, case, bench, guarantee.latency_of)


def _try_case(
    name: str, case: Callable[[Bench], None], bench: Bench, timed: str | None
) -> CaseResult:
    found: list[Difference] = []
    not_tried = None
    try:
        case(bench)
    except DifferenceFoundError as error:
        found.append(error.difference)
    except (NotTriedError, BothRaisedError, DeltabenchError) as reason:
        not_tried = str(reason)
    except NotImplementedError:
        not_tried = "the checkpointer does not offer it"
    except Exception as error:  # noqa: BLE001 - the other cases go on
        # Only the kind: a message may quote an address with its password.
        kind = type(error).__name__
        gone = is_gone(error)
        not_tried = f"the database cannot be reached ({kind})" if gone else f"it ended in {kind}"
    return CaseResult(
        case=name,
        variant=bench.variant,
        differences=(*bench.noted, *found),
        not_tried=not_tried,
        latency=_latency(bench, timed),
        facts=tuple(bench.facts),
    )


def _latency(bench: Bench, timed: str | None) -> Latency | None:
    full, delta = bench.seconds
    if timed not in full or timed not in delta:
        return None
    return Latency(what=timed, full_seconds=tuple(full[timed]), delta_seconds=tuple(delta[timed]))
