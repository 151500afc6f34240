"""Golden text of the gate as a JUnit report."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from deltabench.gate.formats.registry import render
from deltabench.gate.verdicts import LOST, cell_finding
from tests.gate.formats.golden import EMPTY, FAILED, OTHER, PASSED

EXPECTED = """\
<testsuites name="deltabench check" tests="4" failures="1" errors="1" skipped="1">
 <testsuite name="B, 50 turns, memory, async, K=50" tests="3" failures="1" errors="0" skipped="1">
  <testcase classname="B, 50 turns, memory, async, K=50" name="savings min_ratio 25" />
  <testcase classname="B, 50 turns, memory, async, K=50" name="total_bytes exact">
   <failure message="worse: expected 1,000 B, found 1,100 B (+10.0 %)" type="worse">\
look; or accept</failure>
  </testcase>
  <testcase classname="B, 50 turns, memory, async, K=50" name="resume_warm max_ratio 3">
   <skipped message="inconclusive: expected at most 3.00x, found 1.50x; --repeat 9" />
  </testcase>
 </testsuite>
 <testsuite name="B, 50 turns, mine:&lt;saver&gt;&amp;|, async, full" tests="1" failures="0" \
errors="1" skipped="0">
  <testcase classname="B, 50 turns, mine:&lt;saver&gt;&amp;|, async, full" name="cell measured">
   <error message="missing: expected measured, found timeout: no answer &lt;60 s&gt;" \
type="missing">measure again</error>
  </testcase>
 </testsuite>
</testsuites>
"""


def test_every_rule_is_a_case() -> None:
    """Broken rules fail, lost cells are errors, undecided rules are skipped."""
    assert render(FAILED, "junit") == EXPECTED


def test_a_report_of_nothing_is_red() -> None:
    """A reader that knows no exit code must not take an undecided gate for a pass."""
    root = ET.fromstring(render(EMPTY, "junit"))  # noqa: S314  # our own output
    assert not EMPTY.passed
    assert len(root.findall(".//error")) == 1
    assert not ET.fromstring(render(PASSED, "junit")).findall(".//error")  # noqa: S314


@given(name=st.text(), reason=st.text())
def test_the_report_is_valid_xml_whatever_names_hold(name: str, reason: str) -> None:
    """Control characters, brackets and quotes from outside cannot break it."""
    key = OTHER.model_copy(update={"workload": name})
    judgement = FAILED.model_copy(
        update={"findings": (cell_finding(key, "measured", reason, LOST, reason),)}
    )
    ET.fromstring(render(judgement, "junit").encode())  # noqa: S314  # our own output
