"""Golden text of the gate on a terminal."""

from __future__ import annotations

from deltabench.gate.formats.registry import render
from tests.gate.formats.golden import FAILED, PASSED
from tests.gate.plants import grown, judged, results_of

EXPECTED = """\
FAILED: 2 findings block, 2 rules were judged for 2 policies against b.json.
  Exit code 3: cell failed or missing.

B, 50 turns, mine:<saver>&|, async, full
  Verdict  Rule  Expected  Found
  missing  cell  measured  timeout: no answer <60 s>
  next: measure again

B, 50 turns, memory, async, K=50
  Verdict  Rule               Expected  Found
  worse    total_bytes exact  1,000 B   1,100 B (+10.0 %)
  next: look; or accept

Not decided
  Verdict       Rule                     Expected       Found
  inconclusive  resume_warm max_ratio 3  at most 3.00x  1.50x
  next: --repeat 9

Judged
  B, 50 turns, memory, async, K=50: 1 worse, 1 inconclusive, 1 better; 41.0x
    less stored than full, at least 25.0x
Note: 100 % of another machine.
"""


def test_failures_come_first_and_say_what_to_do() -> None:
    """The headline, then what blocks, most serious first, then the rest."""
    assert render(FAILED, "text") == EXPECTED


def test_a_pass_is_short() -> None:
    """What holds is counted, not listed."""
    assert render(PASSED, "text").splitlines() == [
        "PASSED: 1 rule holds for 1 policy against b.json.",
        "",
        "Judged",
        "  B, 50 turns, memory, async, K=50: 1 better; 41.0x less stored than full, at",
        "    least 25.0x",
    ]


def test_planted_growth_fits_eighty_columns() -> None:
    """Real figures of a real judgement stay within the width of a terminal."""
    text = render(judged(grown(results_of(), 10), results_of()), "text")
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "(+10.0 %)" in text
