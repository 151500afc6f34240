"""The rules for exact figures: bytes, counts, digests, sizes on disk and the savings ratio.

Integers and fractions throughout: no rounding decides. What a rule needs and does not
find is `missing` and blocks; a denominator of zero has no ratio and is missing, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from deltabench.gate.figures import (
    change_text,
    figure_text,
    interval_text,
    ratios_text,
    share_text,
)
from deltabench.gate.metrics import Figure, Kind, Metric
from deltabench.gate.physical import PAGE_BYTES
from deltabench.gate.verdicts import Finding, Standing, Verdict
from deltabench.results.statistics import median

if TYPE_CHECKING:
    from deltabench.gate.sides import Column

ACCEPT = "if that is meant: deltabench baseline update"
WHERE = "deltabench compare shows what else changed"


@dataclass(frozen=True, slots=True)
class Case:
    """One rule on one metric of one column."""

    metric: Metric
    rule: str
    limit: Fraction
    now: Column

    @property
    def title(self) -> str:
        """The rule in words: `exact`, `max_drop 2 %`, `min_ratio 25`."""
        if self.rule == "exact":
            return self.rule
        if self.rule in {"max_drop", "max_rise"}:
            return f"{self.rule} {share_text(self.limit)}"
        return f"{self.rule} {float(self.limit):.10g}"

    def finding(
        self,
        texts: tuple[str, str],
        verdict: Verdict,
        standing: Standing,
        next_step: str = "",
        values: tuple[Figure, Figure] = (None, None),
    ) -> Finding:
        """Say what was expected and found: as texts, and as the numbers behind them."""
        return Finding(
            place=self.now.key.label,
            key=self.now.key,
            metric=self.metric.name,
            unit=self.metric.unit,
            rule=self.title,
            expected=texts[0],
            found=texts[1],
            expected_value=values[0],
            found_value=values[1],
            verdict=verdict,
            standing=standing,
            next_step=next_step,
        )

    def missing(self, expected: str, found: str, next_step: str) -> Finding:
        """Say that something which the rule needs is not there."""
        return self.finding((expected, found), Verdict.MISSING, "no result", next_step)


def exact(case: Case, then: Column) -> Finding | None:
    """Equal to the baseline; None where neither side has the figure."""
    expected, found = then.figure(case.metric), case.now.figure(case.metric)
    if expected is None and found is None:
        return None
    unit = case.metric.unit
    values = (expected, found)
    change = change_text(found, expected) if _numbers(expected, found) else ""  # type: ignore[arg-type]
    found_text = figure_text(found, unit) + (f" ({change})" if change else "")
    texts = (figure_text(expected, unit), found_text)
    if expected == found:
        return case.finding(texts, Verdict.EQUAL, "holds", values=values)
    directed = case.metric.directed and isinstance(expected, int) and isinstance(found, int)
    if not directed:
        return case.finding(texts, Verdict.DIFFERENT, "broken", f"{WHERE}; {ACCEPT}", values)
    if found < expected:  # type: ignore[operator]
        step = "better, but the rule is exact; accept it: deltabench baseline update"
        return case.finding(texts, Verdict.BETTER, "broken", step, values)
    return case.finding(texts, Verdict.WORSE, "broken", f"{WHERE}; {ACCEPT}", values)


def max_rise(case: Case, then: Column) -> Finding | None:
    """At most a share above the baseline, for counted figures and sizes on disk."""
    expected, found = middle(case.metric, then), middle(case.metric, case.now)
    if expected is None and found is None:
        return None
    unit = case.metric.unit
    if expected is None or found is None:
        texts = tuple("none" if side is None else "a figure" for side in (expected, found))
        step = "one of the two was measured without it; " + ACCEPT
        return case.missing(texts[0], texts[1], step)
    highest = expected * (1 + case.limit)
    physical = case.metric.kind is Kind.PHYSICAL
    if physical:
        highest = max(highest, expected + PAGE_BYTES)
    change = change_text(found, expected)
    values = (float(expected), float(found))
    texts = (
        f"at most {figure_text(int(highest), unit)}",
        figure_text(int(found), unit) + (f" ({change})" if change else ""),
    )
    if found > highest:
        return case.finding(texts, Verdict.WORSE, "broken", f"{WHERE}; {ACCEPT}", values)
    if found == expected:
        return case.finding(texts, Verdict.EQUAL, "holds", values=values)
    if physical and abs(found - expected) <= highest - expected:
        return case.finding(texts, Verdict.WITHIN_NOISE, "holds", values=values)
    verdict = Verdict.BETTER if found < expected else Verdict.WORSE
    return case.finding(texts, verdict, "holds", values=values)


def min_ratio(case: Case) -> Finding:
    """Full / this at least so much: full x denominator >= this x numerator, as integers."""
    found = savings(case.metric, case.now)
    wanted, _ = ratios_text(case.limit, case.limit)
    if found is None:
        step = "the ratio needs a full-snapshot cell and stored bytes in the same group"
        return case.missing(f"at least {wanted}", "no ratio", step)
    step = "deltabench report shows which part is stored; a longer session or larger K saves more"
    return _held(case, found, case.limit, step)


def max_drop(case: Case, then: Column) -> Finding:
    """Full / this at most a share below that of the baseline, as integers."""
    expected, found = savings(case.metric, then), savings(case.metric, case.now)
    if expected is None or found is None:
        side = "the baseline" if expected is None else "these results"
        step = f"{side}: the ratio needs a full-snapshot cell in the same group"
        return case.missing("a ratio on both sides", "no ratio", step)
    lowest = expected * (1 - case.limit)
    return _held(case, found, lowest, f"{WHERE}; {ACCEPT}", expected)


def savings(metric: Metric, column: Column) -> Fraction | None:
    """Full / this in integers; None without both, or if nothing is stored."""
    full, this = column.figure(metric, full=True), column.figure(metric)
    if not isinstance(full, int) or not isinstance(this, int) or full <= 0 or this <= 0:
        return None
    return Fraction(full, this)


def told(metric: Metric, column: Column | None) -> str | None:
    """A figure as text, timed ones as multiples of full; None where there is none."""
    if column is None or not column.complete:
        return None
    if metric.kind is Kind.RATIO:
        ratio = savings(metric, column)
        return None if ratio is None else ratios_text(ratio, ratio)[0]
    if metric.kind is Kind.TIMED:
        cost = column.cost(metric)
        return None if cost is None else interval_text(cost)
    if metric.kind is Kind.PHYSICAL:
        size = middle(metric, column)
        return None if size is None else figure_text(int(size), metric.unit)
    figure = column.figure(metric)
    return None if figure is None else figure_text(figure, metric.unit)


def _held(
    case: Case, found: Fraction, lowest: Fraction, step: str, reference: Fraction | None = None
) -> Finding:
    """Hold a ratio against its floor; the verdict is seen from the reference."""
    lowest_text, found_text = ratios_text(lowest, found)
    texts = (f"at least {lowest_text}", found_text)
    values = (float(lowest), float(found))
    seen_from = lowest if reference is None else reference
    if found < lowest:
        return case.finding(texts, Verdict.WORSE, "broken", step, values)
    if found == seen_from:
        return case.finding(texts, Verdict.EQUAL, "holds", values=values)
    verdict = Verdict.BETTER if found > seen_from else Verdict.WORSE
    return case.finding(texts, verdict, "holds", values=values)


def middle(metric: Metric, column: Column) -> Fraction | None:
    """A counted figure, or the median of a size on disk; None where the cells have none."""
    if metric.kind is Kind.COUNTED:
        figure = column.figure(metric)
        return Fraction(figure) if isinstance(figure, int) else None
    samples = list(column.samples(metric).values())
    return Fraction(median(samples)) if samples else None


def _numbers(*figures: Figure) -> bool:
    return all(isinstance(figure, int | float) for figure in figures)
