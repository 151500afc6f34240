"""Which K to take: the least storage within the budgets, judged over many lengths.

Bytes at one length depend on how it falls on multiples of K, so each K is judged by the
mean over the whole second half of the thread. Times between two measured K lie on a line
between them and are estimates; beyond the largest measured K nothing is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from deltabench.cells import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Origin = Literal["measured", "derived", "estimated"]
ALTERNATIVES = 2
# Without a time to keep, a K may store this much more than the least to be read faster.
KNEE = 1.25
# An alternative reads less than the one before by at least this share.
_NOTICEABLE = 0.8


class Timed(Value):
    """What a measured K takes: the slowest warm resume, and the last 50 checkpoints."""

    frequency: int
    resume_seconds: float
    history_seconds: float | None


class Candidate(Value):
    """One K: stored bytes as the mean over the lengths judged, and what reading costs.

    `replay_updates` is the most that a read may have to replay. Times are None where
    nothing was measured that could tell.
    """

    frequency: int
    stored_bytes: int
    end_bytes: int
    origin: Origin
    replay_updates: int
    resume_seconds: float | None = None
    history_seconds: float | None = None
    times_estimated: bool = False


class Budget(Value):
    """What reading may take; None: no matter."""

    resume_seconds: float | None
    history_seconds: float | None

    @property
    def is_set(self) -> bool:
        """Whether anything has to be kept."""
        return self.resume_seconds is not None or self.history_seconds is not None


class Choice(Value):
    """The K to take, two alternatives, and why; `within` is False if no K keeps the budgets."""

    best: Candidate
    alternatives: tuple[Candidate, ...]
    within: bool
    by: Literal["budget", "knee", "depth"]


def timed_candidates(
    candidates: Iterable[Candidate], timed: Sequence[Timed]
) -> tuple[Candidate, ...]:
    """Add times: of a measured K its own, between two of them on a line, else none."""
    known = sorted(timed, key=lambda each: each.frequency)
    found = []
    for candidate in candidates:
        k = candidate.frequency
        own = next((each for each in known if each.frequency == k), None)
        below = [each for each in known if each.frequency < k]
        above = [each for each in known if each.frequency > k]
        update: dict[str, object] = {}
        if own:
            update = {"resume_seconds": own.resume_seconds, "history_seconds": own.history_seconds}
        elif below and above:
            low, high = below[-1], above[0]
            share = (k - low.frequency) / (high.frequency - low.frequency)
            update = {
                "resume_seconds": _between(low.resume_seconds, high.resume_seconds, share),
                "history_seconds": _between(low.history_seconds, high.history_seconds, share),
                "times_estimated": True,
            }
        found.append(candidate.model_copy(update=update))
    return tuple(found)


def choose(candidates: Sequence[Candidate], budget: Budget) -> Choice:
    """Choose among candidates, of which there must be one at least.

    With budgets, the least storage among the K that keep them; if none does, the one that
    misses them by least. Without budgets or without times, the K with the shortest replay
    that stores at most a quarter more than the least.
    """
    judged = [c for c in candidates if _is_judged(c, budget)]
    if not budget.is_set or not judged:
        least = min(candidate.stored_bytes for candidate in candidates)
        near = [c for c in candidates if c.stored_bytes <= KNEE * least]
        best = min(near, key=lambda c: (c.replay_updates, c.stored_bytes))
        by: Literal["knee", "depth"] = "depth" if budget.is_set else "knee"
        return Choice(best=best, alternatives=_around(best, candidates), within=True, by=by)
    fitting = [c for c in judged if _excess(c, budget) <= 1]
    if not fitting:
        best = min(judged, key=lambda c: (_excess(c, budget), c.stored_bytes))
        return Choice(best=best, alternatives=(), within=False, by="budget")
    best = min(fitting, key=lambda c: (c.stored_bytes, c.replay_updates))
    return Choice(best=best, alternatives=_faster(best, fitting), within=True, by="budget")


def _is_judged(candidate: Candidate, budget: Budget) -> bool:
    return (budget.resume_seconds is None or candidate.resume_seconds is not None) and (
        budget.history_seconds is None or candidate.history_seconds is not None
    )


def _excess(candidate: Candidate, budget: Budget) -> float:
    """How many times its budget the candidate takes, of the worse of the two."""
    shares = [
        seconds / limit
        for seconds, limit in (
            (candidate.resume_seconds, budget.resume_seconds),
            (candidate.history_seconds, budget.history_seconds),
        )
        if seconds is not None and limit is not None
    ]
    return max(shares, default=0.0)


def _faster(best: Candidate, fitting: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The next by storage, each of which has noticeably less to replay than the one before."""
    found: list[Candidate] = []
    bound = best.replay_updates * _NOTICEABLE
    for candidate in sorted(fitting, key=lambda c: c.stored_bytes):
        if len(found) < ALTERNATIVES and candidate.replay_updates <= bound:
            found.append(candidate)
            bound = candidate.replay_updates * _NOTICEABLE
    return tuple(found)


def _around(best: Candidate, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """One that stores less and replays more, one that replays less and stores more."""
    leaner = [c for c in candidates if c.stored_bytes < best.stored_bytes]
    quicker = _faster(best, candidates)[:1]
    return (*quicker, *sorted(leaner, key=lambda c: (c.stored_bytes, c.replay_updates))[:1])


def _between(low: float | None, high: float | None, share: float) -> float | None:
    return None if low is None or high is None else low + (high - low) * share
