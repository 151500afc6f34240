"""What delta channels put into the metadata of every checkpoint, and how many bytes that is.

Both savers write JSON with `", "` and `": "` between things, PostgreSQL's `jsonb` too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from deltabench.model.formats import COUNTERS_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

_AROUND = len(f', "{COUNTERS_KEY}": {{}}')
_SEPARATOR = len(", ")


def counter_bytes(counters: Mapping[str, Any]) -> int:
    """Bytes that the counters of some channels take; none if there are no counters."""
    if not counters:
        return 0
    return _AROUND + len(json.dumps(counters, ensure_ascii=False).encode()) - len("{}")


def entry_bytes(channel: str) -> int:
    """Bytes of one channel's entry with its separator, beside the digits of both numbers."""
    return len(json.dumps(channel, ensure_ascii=False).encode()) + len(": [, ]") + _SEPARATOR


def around_bytes() -> int:
    """Bytes of a counter object around its entries; one separator less than entries."""
    return _AROUND - _SEPARATOR
