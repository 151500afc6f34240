"""Runs a number of random sequences, and keeps what they find, shrunk."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from deltabench.errors import DeltabenchError
from deltabench.reducer.search import no_traces
from deltabench.verify.fuzz import graph as default_graph
from deltabench.verify.fuzz.dropping import without_needless
from deltabench.verify.fuzz.machine import Machine, reason_of
from deltabench.verify.fuzz.script import reproduces, script
from deltabench.verify.fuzz.search import BrokenError, EnoughError, FoundError, Search, kind_of
from deltabench.verify.fuzz.vocabulary import Finding, FuzzOutcome
from deltabench.verify.oracle.twins import open_twins
from deltabench.verify.places import is_gone
from deltabench.verify.vocabulary import Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from deltabench.verify.fuzz.sequence import Sequence, Start
    from deltabench.verify.oracle.twins import Twins
    from deltabench.verify.places import Change
    from deltabench.verify.vocabulary import Difference

    OnSequence = Callable[[int, int], None]

INTERRUPTED = "interrupted"
STEPS = 20
# Each has to be shrunk; so many are enough to begin with.
MOST_FINDINGS = 10
# So many sequences are drawn to shrink one finding; a count, unlike seconds, repeats.
MOST_SHRINKS = 600
SPARE = 100


@dataclass(frozen=True, slots=True)
class Campaign:
    """What to run. `graph` is a module with `build`, which scripts carry as it stands.

    `change` plants a fault into the savers of the delta twins.
    """

    checkpointer: str
    sequences: int
    seed: int = 0
    steps: int = STEPS
    shrinks: int = MOST_SHRINKS
    postgres_url: str | None = None
    graph: ModuleType = default_graph
    change: Change | None = None


def run_campaign(campaign: Campaign, on_sequence: OnSequence) -> FuzzOutcome:
    """Run all sequences; the same campaign draws the same ones.

    `on_sequence` is told how many sequences and operations there were so far. An unknown
    difference is shrunk at once; others like it are counted from then on. A database that
    goes away, a helper that is killed, or Ctrl-C ends the campaign with what was found until then.
    """
    search = Search(campaign.sequences, on_sequence, campaign.shrinks)
    findings: list[Finding] = []
    broken = ""
    try:
        with no_traces():
            while search.rest and len(findings) < MOST_FINDINGS:
                search.begin_round()
                _round(campaign, search, len(findings))
                if search.smallest is not None:
                    finding = _finding(campaign, search, *search.smallest)
                    findings.append(finding)
                    search.times[finding.kind] += 1
    except KeyboardInterrupt:
        broken = INTERRUPTED
    except BrokenError as reason:
        broken = str(reason)
    except Exception as error:
        if not is_gone(error) and not isinstance(error, DeltabenchError):
            raise
        broken = reason_of(error)
    counted = [f.model_copy(update={"times": search.times[f.kind]}) for f in findings]
    return FuzzOutcome(
        checkpointer=campaign.checkpointer,
        seed=campaign.seed,
        sequences=search.sequences,
        operations=search.operations,
        raised_alike=search.raised_alike,
        known=dict(search.known),
        findings=tuple(counted),
        broken=broken,
    )


def _round(campaign: Campaign, search: Search, number: int) -> None:
    """Draw until something new is found and shrunk, or all is drawn."""
    rest = settings(
        # Each sequence is counted by the search; hypothesis counts only those of full length.
        max_examples=search.rest + SPARE,
        stateful_step_count=campaign.steps,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=tuple(HealthCheck),
        verbosity=Verbosity.quiet,
    )

    @seed(f"{campaign.seed}, {number}")
    def machine() -> Machine:
        return Machine(partial(open_campaign_twins, campaign), search)

    # Flaky: what was seen once was seen, and whether it repeats is tried later on.
    with suppress(FoundError, EnoughError, Flaky):
        run_state_machine_as_test(machine, settings=rest)  # type: ignore[arg-type]


@contextmanager
def open_campaign_twins(campaign: Campaign, start: Start) -> Iterator[Twins]:
    """Open twins on empty places, the delta one perhaps as full at first."""
    variant = Variant(mode=start.mode, snapshot_frequency=start.snapshot_frequency or 1)
    with open_twins(
        campaign.graph.build,
        campaign.checkpointer,
        variant,
        postgres_url=campaign.postgres_url,
        change=campaign.change,
    ) as twins:
        for side in twins.sides:
            side.reads_elsewhere = False
        if start.snapshot_frequency is None:
            twins.delta.reopen(None)
        yield twins


def _finding(
    campaign: Campaign, search: Search, sequence: Sequence, difference: Difference
) -> Finding:
    """What was found, with its script, which is run to see whether it says so too."""
    opening = partial(open_campaign_twins, campaign)
    shortest, shown, repeats = without_needless(opening, sequence, difference, search.is_new)
    text = script(campaign.graph, campaign.checkpointer, shortest, shown)
    return Finding(
        kind=kind_of(shortest, shown),
        difference=shown,
        mode=shortest.start.mode,
        snapshot_frequency=shortest.start.snapshot_frequency,
        operations=tuple(code for _, code in shortest.calls),
        times=1,
        repeats=repeats,
        script=text,
        reproduced=reproduces(text, campaign.postgres_url),
    )
