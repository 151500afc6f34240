"""The choice of K: least storage within the budgets, and honest where nothing can be told."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deltabench.model.advice import advise_group, advise_series
from deltabench.model.candidates import frequencies, series_candidates
from deltabench.model.curves import delta_curve
from deltabench.model.recommend import Budget, Candidate, Timed, choose, timed_candidates
from deltabench.results.summary import summarize
from tests.fakes import fake_results
from tests.model.synthetic import series_of

NO_BUDGET = Budget(resume_seconds=None, history_seconds=None)
GROWTH = [[400, 300]] * 40


def _candidate(k: int, stored: int, resume: float | None = None) -> Candidate:
    return Candidate(
        frequency=k,
        stored_bytes=stored,
        end_bytes=stored,
        origin="derived",
        replay_updates=k - 1,
        resume_seconds=resume,
    )


CANDIDATES = st.lists(
    st.builds(_candidate, st.integers(1, 99), st.integers(1, 999), st.floats(0.001, 1)),
    min_size=1,
    max_size=12,
    unique_by=lambda candidate: candidate.frequency,
)


@given(CANDIDATES, st.floats(0.001, 1))
def test_the_choice_stores_least_of_all_that_keep_the_budget(
    candidates: list[Candidate], limit: float
) -> None:
    """Alternatives keep it, too, and have less to replay; otherwise the nearest is told."""
    choice = choose(candidates, Budget(resume_seconds=limit, history_seconds=None))
    fitting = [c for c in candidates if c.resume_seconds is not None and c.resume_seconds <= limit]
    assert choice.within is bool(fitting)
    if not fitting:
        assert choice.best.resume_seconds == min(c.resume_seconds or 0 for c in candidates)
        assert choice.alternatives == ()
        return
    assert choice.best.stored_bytes == min(c.stored_bytes for c in fitting)
    replayed = choice.best.replay_updates
    for alternative in choice.alternatives:
        assert alternative in fitting
        assert alternative.replay_updates <= 0.8 * replayed
        replayed = alternative.replay_updates


@given(CANDIDATES)
def test_without_a_budget_short_replay_is_bought_with_a_quarter_of_storage(
    candidates: list[Candidate],
) -> None:
    """Nothing that stores at most 1.25x the least has less to replay."""
    choice = choose(candidates, NO_BUDGET)
    near = 1.25 * min(c.stored_bytes for c in candidates)
    assert choice.by == "knee"
    assert choice.best.stored_bytes <= near
    assert all(
        c.replay_updates >= choice.best.replay_updates for c in candidates if c.stored_bytes <= near
    )


def test_a_budget_that_nothing_measured_can_judge_says_so() -> None:
    """Without times the replay depth decides, and the choice tells that it did."""
    choice = choose(
        [_candidate(5, 100), _candidate(50, 90)], Budget(resume_seconds=0.05, history_seconds=None)
    )
    assert choice.by == "depth"
    assert choice.best.frequency == 5


@given(st.integers(1, 120))
def test_times_between_two_measured_k_lie_between_their_times(k: int) -> None:
    """They are marked as estimated; outside of what was measured there are none."""
    timed = [
        Timed(frequency=10, resume_seconds=0.01, history_seconds=0.1),
        Timed(frequency=100, resume_seconds=0.1, history_seconds=None),
    ]
    (found,) = timed_candidates([_candidate(k, 1)], timed)
    if k in {10, 100}:
        assert found.resume_seconds == k / 1000
        assert not found.times_estimated
    elif 10 < k < 100:
        assert found.resume_seconds is not None
        assert abs(found.resume_seconds - k / 1000) < 1e-9
        assert found.history_seconds is None
        assert found.times_estimated
    else:
        assert found.resume_seconds is None


def test_every_k_is_judged_by_its_mean_over_the_second_half() -> None:
    """Also the K that were measured, and one that never snapshots."""
    series = series_of(GROWTH)
    found = {c.frequency: c for c in series_candidates(series, measured=[77])}
    assert {1, 2, 60, 77, 81} <= found.keys()
    curve = delta_curve(series, 7)
    assert found[7].stored_bytes == round(curve[20:].mean())
    assert found[7].end_bytes == curve[-1]
    assert found[81].replay_updates == 80


@given(st.integers(1, 5000))
def test_judged_k_go_up_to_one_that_never_snapshots(updates: int) -> None:
    """Rising, without gaps of more than some per cent."""
    found = frequencies(updates)
    assert found[0] == 1
    assert found[-1] == updates + 1
    assert all(later <= max(early + 1, 1.05 * early) for early, later in pairwise(found[:-1]))


def test_a_series_with_times_keeps_the_budget() -> None:
    """K=50 takes 10 ms, K=10 takes 2 ms: 6 ms lie half way, and that is an estimate."""
    group = summarize(fake_results(ks=(10, 50), turns=40)).groups[0]
    resume = {
        column.policy.snapshot_frequency: column.figures.reads.worst_warm.seconds.this.median
        for column in group.deltas
        if column.figures and column.figures.reads.worst_warm
    }
    limit = (resume[10] + resume[50]) / 2
    advice = advise_series(
        series_of(GROWTH),
        Budget(resume_seconds=limit, history_seconds=None),
        session="a pattern",
        group=group,
    )
    best = advice.choice.best
    assert advice.choice.within
    assert 10 < best.frequency < 50
    assert best.times_estimated
    assert best.resume_seconds is not None
    assert best.resume_seconds <= limit
    assert advice.lengths == 20
    assert len(advice.levers) == 4


def test_times_of_another_length_do_not_count() -> None:
    """A thread continued to five times its length is not as quick to read."""
    group = summarize(fake_results(ks=(10, 50), turns=40)).groups[0]
    budget = Budget(resume_seconds=1.0, history_seconds=None)
    advice = advise_series(series_of(GROWTH), budget, session="a", group=group, turns=200)
    assert advice.choice.by == "depth"
    assert advice.choice.best.resume_seconds is None
    assert advice.notes == ("Times were measured at 40 turns and tell nothing of 200.",)


def test_a_sweep_without_a_recording_is_judged_by_what_was_run() -> None:
    """Only measured K, at the marks of the second half; no levers are made up."""
    group = summarize(fake_results(ks=(10, 50))).groups[0]
    advice = advise_group(group, NO_BUDGET)
    assert {c.frequency for c in advice.shown} <= {10, 50}
    assert advice.choice.best.origin == "measured"
    assert (advice.first, advice.length, advice.lengths) == (100, 200, 2)
    assert advice.levers == ()
    assert "sweep --exact" in advice.notes[0]


def test_a_budget_that_full_snapshots_miss_is_told() -> None:
    """Then no K can help, and the note says so."""
    group = summarize(fake_results(ks=(10, 50))).groups[0]
    advice = advise_group(group, Budget(resume_seconds=1e-6, history_seconds=None))
    assert not advice.choice.within
    assert "Full snapshots resume in" in advice.notes[-1]
