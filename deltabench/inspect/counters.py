"""Finds what delta channels put into the metadata of a checkpoint, without reading the rest."""

from __future__ import annotations

import json

from deltabench.model.formats import COUNTERS_KEY

_START = f'"{COUNTERS_KEY}": '.encode()
_SEPARATOR = len(", ")
_NONE: frozenset[str] = frozenset()


def counters_of(metadata: bytes) -> tuple[frozenset[str], int]:
    """Names of the channels that are counted, and the bytes which that takes with its key."""
    start = metadata.find(_START)
    if start < 0:
        return _NONE, 0
    end = metadata.find(b"}", start) + 1
    counters = metadata[start + len(_START) : end]
    try:
        names = frozenset(json.loads(counters))
    except ValueError:
        return _NONE, 0
    return names, len(_START) + len(counters) + _SEPARATOR


def counter_bytes(counters: str | None) -> int:
    """Bytes that such JSON takes with its key; none if there is none."""
    return len(_START) + len(counters.encode()) + _SEPARATOR if counters else 0
