"""Golden text of the gate in a pull request."""

from __future__ import annotations

from deltabench.gate.formats.registry import render
from tests.gate.formats.golden import FAILED

EXPECTED = r"""### deltabench: failed

2 findings block, 2 rules were judged for 2 policies against b.json. Exit code 3: cell failed or missing.

**B, 50 turns, mine:\<saver\>&\|, async, full**

| Verdict | Rule | Expected | Found |
|---|---|---|---|
| missing | cell | measured | timeout: no answer \<60 s\> |

- Next: measure again

**B, 50 turns, memory, async, K=50**

| Verdict | Rule | Expected | Found |
|---|---|---|---|
| worse | total\_bytes exact | 1,000 B | 1,100 B (+10.0 %) |

- Next: look; or accept

**Not decided**

| Verdict | Rule | Expected | Found |
|---|---|---|---|
| inconclusive | resume\_warm max\_ratio 3 | at most 3.00x | 1.50x |

- Next: --repeat 9

| Judged | |
|---|---|
| B, 50 turns, memory, async, K=50 | 1 worse, 1 inconclusive, 1 better; 41.0x less stored than full, at least 25.0x |

> 100 % of another machine.
"""  # noqa: E501  # Markdown has long lines


def test_the_comment_has_failures_first_and_no_foreign_markup() -> None:
    """Names from outside can neither break a table nor become markup."""
    assert render(FAILED, "markdown") == EXPECTED
