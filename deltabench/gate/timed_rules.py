"""The rules for timed figures: only ratios to full, and only where the interval is clear.

A figure is worse only if its whole 95 % interval lies beyond the larger of what the
policy allows and the A/A noise of the same run. With fewer than nine repeats nothing
can be said, and nothing is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.gate.figures import interval_text, share_text
from deltabench.gate.noise import noise
from deltabench.gate.verdicts import Verdict
from deltabench.report.units import format_ratio
from deltabench.results.statistics import ENOUGH_SAMPLES, Ratio

if TYPE_CHECKING:
    from deltabench.gate.rules import Case
    from deltabench.gate.sides import Column
    from deltabench.gate.verdicts import Finding, Standing

MORE_REPEATS = f"too few repeats for an interval: measure with --repeat {ENOUGH_SAMPLES}"
OLD_REPEATS = f"the baseline has too few repeats: make it with --repeat {ENOUGH_SAMPLES}"
TOO_WIDE = "the interval is too wide to tell: more repeats, on a quieter machine"
SLOWER = "measure again to be sure; deltabench report shows where it reads"


def max_ratio(case: Case) -> Finding:
    """This / full of the same run is at most so much."""
    limit = float(case.limit)
    absent = _absent(case, case.now)
    if absent:
        return absent
    cost, aa_noise = case.now.cost(case.metric), noise(case.now, case.metric)
    if cost is None or cost.low is None or cost.high is None or aa_noise is None:
        return _open(case, f"at most {format_ratio(limit)}", cost, MORE_REPEATS)
    highest = max(limit, 1 + aa_noise)
    texts = (_allowed(f"at most {format_ratio(highest)}", limit < highest), interval_text(cost))
    values = (highest, cost.value)
    if cost.low > highest:
        return case.finding(texts, Verdict.WORSE, "broken", SLOWER, values)
    if cost.high <= highest:
        quiet = cost.high <= 1 + aa_noise and cost.low >= 1 / (1 + aa_noise)
        verdict = Verdict.WITHIN_NOISE if quiet else Verdict.BETTER
        return case.finding(texts, verdict, "holds", values=values)
    return case.finding(texts, Verdict.INCONCLUSIVE, "open", TOO_WIDE, values)


def max_rise_of_cost(case: Case, then: Column) -> Finding | None:
    """This / full is at most a share above this / full of the baseline's own run."""
    if not case.now.samples(case.metric) and not then.samples(case.metric):
        return None
    absent = _absent(case, case.now) or _absent(case, then)
    if absent:
        return absent
    here, there = case.now.cost(case.metric), then.cost(case.metric)
    here_noise, there_noise = noise(case.now, case.metric), noise(then, case.metric)
    if here is None or here_noise is None:
        return _open(case, _about(there), here, MORE_REPEATS)
    if there is None or there_noise is None:
        return _open(case, _about(there), here, OLD_REPEATS)
    share = max(float(case.limit), here_noise, there_noise)
    expected = f"at most {format_ratio(there.value)} + {share_text(share)}"
    texts = (_allowed(expected, share > case.limit), interval_text(here))
    verdict = _verdict(_change(here, there), share)
    standing, step = _CONSEQUENCE[verdict]
    return case.finding(texts, verdict, standing, step, (there.value * (1 + share), here.value))


_CONSEQUENCE: dict[Verdict, tuple[Standing, str]] = {
    Verdict.WORSE: ("broken", SLOWER),
    Verdict.BETTER: ("holds", ""),
    Verdict.WITHIN_NOISE: ("holds", ""),
    Verdict.INCONCLUSIVE: ("open", TOO_WIDE),
}


def _verdict(change: tuple[float, float] | None, share: float) -> Verdict:
    """Where the interval of a change lies, seen from the share that is allowed."""
    if change is None:
        return Verdict.INCONCLUSIVE
    low, high = change
    if low > 1 + share:
        return Verdict.WORSE
    if high < 1 / (1 + share):
        return Verdict.BETTER
    return Verdict.WITHIN_NOISE if high <= 1 + share else Verdict.INCONCLUSIVE


def _change(now: Ratio, then: Ratio) -> tuple[float, float] | None:
    """Now / then from one end of both intervals to the other: wide, never flattering."""
    if now.low is None or now.high is None or not then.low or not then.high:
        return None
    return now.low / then.high, now.high / then.low


def _absent(case: Case, column: Column) -> Finding | None:
    """The figure or full's is not there, or one of them is not above zero: no ratio."""
    for what, full in (("these cells", False), ("the full-snapshot cells", True)):
        samples = column.samples(case.metric, full=full)
        if not samples or min(samples.values()) <= 0:
            whose = "" if column is case.now else " of the baseline"
            found = "no figure" if not samples else "a figure of zero"
            step = f"{what}{whose} have {found}, so there is no ratio"
            return case.missing("a ratio to full", found, step)
    return None


def _open(case: Case, expected: str, cost: Ratio | None, step: str) -> Finding:
    found = "no pair" if cost is None else format_ratio(cost.value)
    values = (None, None if cost is None else cost.value)
    return case.finding((expected, found), Verdict.INCONCLUSIVE, "open", step, values)


def _about(then: Ratio | None) -> str:
    return "a ratio" if then is None else f"about {format_ratio(then.value)}"


def _allowed(text: str, by_noise: bool) -> str:  # noqa: FBT001  # one flag, named at the call
    return f"{text} (noise)" if by_noise else text
