"""A recommendation as text: what to take, what it costs, and what is only estimated."""

from __future__ import annotations

from deltabench.model.advice import Advice, advise_group, advise_series
from deltabench.model.recommend import Budget
from deltabench.report.recommend import advice_lines
from deltabench.results.summary import summarize
from tests.fakes import fake_results
from tests.model.synthetic import series_of

SERIES = series_of([[4000, 3000 + 10 * (turn % 7)] for turn in range(20)])
GROUP = summarize(fake_results(ks=(10, 50), turns=20)).groups[0]
WITHIN = """\
Take K=31: workload B, a fake session, 20 turns on memory

             stored    vs full replay   resume hist. 50 1,000 threads a month
 take K=31 177 kB d 10.9x less     30 ~4.45 ms  ~302 ms                0.0177
 or   K=25 193 kB d 10.0x less     24 ~4.12 ms  ~301 ms                0.0193
 or   K=20 207 kB d 9.34x less     19 ~3.84 ms  ~300 ms                0.0207

stored: the mean over 10 lengths of the thread, from 11 to 20 turns, since bytes
  at one length depend on how it falls on multiples of K. replay: most updates
  that a read may have to go through.
d: derived from a recorded run, exact; nothing ran under this K.
~: estimated. Bytes continue a recording or follow from a database's sizes;
  times between two measured K lie on a line between them.
1,000 threads a month: at 0.100 per GB and month, in that currency.

Other levers on the same thread, at its end (all estimated):
  full snapshots, durability exit: ~1.48 MB; a crash in mid-turn loses that
    turn; history and forks at ends of turns only
  K=31, durability exit: ~257 kB; a crash in mid-turn loses that turn; history
    and forks at ends of turns only
  full snapshots, newest checkpoint only: ~141 kB; no history, time travel or
    forks
  K=31, back to the last snapshot only: ~144 kB; no history, time travel or
    forks; rows back to the last snapshot must stay, or the state is lost"""
NEAREST = """\
No K keeps the budget; nearest is K=10: workload B, 20 turns on memory

               stored    vs full replay  resume hist. 50
 nearest K=10 8.16 MB 8.37x less      9 3.29 ms   299 ms

stored: the mean over 2 lengths of the thread, from 10 to 20 turns, since bytes
  at one length depend on how it falls on multiples of K. replay: most updates
  that a read may have to go through.
Only the K that were run are judged; sweep --exact judges every K, and other
  levers.
Full snapshots resume in 2.74 ms themselves: a shorter thread would help."""


def _series(resume_seconds: float | None, **options: object) -> Advice:
    budget = Budget(resume_seconds=resume_seconds, history_seconds=None)
    return advise_series(SERIES, budget, session="workload B, a fake session", **options)  # type: ignore[arg-type]


def _text(advice: Advice) -> str:
    return "\n".join(advice_lines(advice))


def test_a_recommendation_within_the_budget() -> None:
    """The whole text, with a price and times between two measured K."""
    assert _text(_series(0.0045, group=GROUP, price_per_gb_month=0.1)) == WITHIN


def test_no_k_within_the_budget() -> None:
    """The nearest one, and what else could be done."""
    budget = Budget(resume_seconds=3e-7, history_seconds=None)
    assert _text(advise_group(GROUP, budget)) == NEAREST


def test_a_budget_without_times() -> None:
    """It is said that the replay depth decided."""
    text = _text(_series(0.05))
    assert "No times were measured here, so the budget could not be judged" in text
    assert "resume" not in text.splitlines()[2]


def test_estimated_bytes_are_marked() -> None:
    """Beyond what was recorded, each figure of storage has a tilde."""
    text = _text(_series(None, turns=200))
    rows = [line for line in text.splitlines() if line.startswith((" take", " or"))]
    assert rows
    assert all("B ~" in row for row in rows)
    assert "~: estimated." in text
    assert " d: " not in text


def test_it_fits_eighty_columns() -> None:
    """With every column that there can be."""
    for advice in (
        _series(0.0045, group=GROUP, price_per_gb_month=1234.5),
        _series(None, turns=2_000, price_per_gb_month=0.023),
    ):
        assert max(len(line) for line in _text(advice).splitlines()) <= 80
