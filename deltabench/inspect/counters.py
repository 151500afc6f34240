"""What delta channels put into the metadata of every checkpoint, and how many bytes that is.

Both savers write JSON with `", "` and `": "` between things, PostgreSQL's `jsonb` too.
"""

from __future__ import annotations

import json

from deltabench.model.formats import COUNTERS_KEY

_AROUND = len(f', "{COUNTERS_KEY}": {{}}')
_SEPARATOR = len(", ")


def counters_of(metadata: object) -> tuple[frozenset[str], int]:
    """Names of the channels that are counted, and the bytes which that takes."""
    counters = metadata.get(COUNTERS_KEY) if isinstance(metadata, dict) else None
    if not isinstance(counters, dict) or not counters:
        return frozenset(), 0
    text = json.dumps(counters, ensure_ascii=False)
    return frozenset(counters), _AROUND + len(text.encode()) - len("{}")


def entry_bytes(channel: str) -> int:
    """Bytes of one channel's entry with its separator, beside the digits of both numbers."""
    return len(json.dumps(channel, ensure_ascii=False).encode()) + len(": [, ]") + _SEPARATOR


def around_bytes() -> int:
    """Bytes of a counter object around its entries; one separator less than entries."""
    return _AROUND - _SEPARATOR
