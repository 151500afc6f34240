"""The gate for machines: every finding with its numbers, and the exit code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deltabench.gate.verdicts import Judgement


def render(judgement: Judgement) -> str:
    """One JSON object; `findings` are in the order of the plan."""
    document = {
        "passed": judgement.passed,
        "exit_code": judgement.exit_code.value,
        "judged": judgement.judged,
        "blocking": len(judgement.blocking),
        **judgement.model_dump(mode="json"),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
