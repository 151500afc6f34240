"""Golden text of the gate as workflow commands."""

from __future__ import annotations

from deltabench.gate.formats.github import error_line
from deltabench.gate.formats.registry import render
from tests.gate.formats.golden import FAILED, PASSED, finding

EXPECTED = """\
::error title=cell measured%3A missing::B, 50 turns, mine:<saver>&|, async, full: expected \
measured, found timeout: no answer <60 s>; measure again
::error title=total_bytes exact%3A worse::B, 50 turns, memory, async, K=50: expected 1,000 B, \
found 1,100 B (+10.0 %25); look; or accept
::warning title=resume_warm max_ratio 3%3A inconclusive::B, 50 turns, memory, async, K=50: \
expected at most 3.00x, found 1.50x; --repeat 9
::notice title=deltabench::100 %25 of another machine.
::error title=deltabench check::FAILED: 2 findings block, 2 rules were judged for 2 policies \
against b.json. Exit code 3: cell failed or missing.
"""


def test_failures_are_errors_and_doubts_warnings() -> None:
    """Each on one line, with what would end a command escaped."""
    assert render(FAILED, "github") == EXPECTED


def test_a_pass_is_one_notice() -> None:
    """A green run leaves one line."""
    assert render(PASSED, "github") == (
        "::notice title=deltabench check::PASSED: 1 rule holds for 1 policy against b.json.\n"
    )


def test_no_annotation_is_dropped_in_silence() -> None:
    """GitHub shows ten of a level, so the rest is counted and the headline is among them."""
    many = tuple(finding(metric=f"m{n}", standing="broken", verdict="worse") for n in range(30))
    lines = render(FAILED.model_copy(update={"findings": many, "notices": ()}), "github")
    errors = [line for line in lines.splitlines() if line.startswith("::error")]
    assert len(errors) == 10
    assert errors[-2] == "::error title=deltabench::22 more, see the job summary"
    assert "FAILED: 30 findings block" in errors[-1]


def test_an_error_cannot_start_a_command_of_its_own() -> None:
    """A line break in a message stays inside the annotation."""
    assert error_line("a\n::set-env name=x::100%") == (
        "::error title=deltabench check::a ::set-env name=x::100%25"
    )
