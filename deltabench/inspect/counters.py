"""Finds what delta channels put into the metadata of a checkpoint, without reading the rest."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from deltabench.model.formats import COUNTERS_KEY

_START = f'"{COUNTERS_KEY}": '.encode()
_SEPARATOR = len(", ")
_PAIR = re.compile(rb"\[\d+, \d+\]")
_NONE: frozenset[str] = frozenset()


def counters_of(metadata: bytes) -> tuple[frozenset[str], int]:
    """Names of the channels that are counted, and the bytes which that takes with its key."""
    start = metadata.find(_START)
    if start < 0:
        return _NONE, 0
    end = metadata.find(b"}", start) + 1
    counters = metadata[start + len(_START) : end]
    names = _names(_PAIR.sub(b"0", counters))
    return names, len(_START) + len(counters) + _SEPARATOR if names else 0


@lru_cache(maxsize=1024)
def _names(counters: bytes) -> frozenset[str]:
    """Names in a JSON object; the same ones in nearly every checkpoint, once numbers are out."""
    try:
        return frozenset(json.loads(counters))
    except ValueError:
        return _NONE


def names_in(counters: bytes) -> set[str]:
    """Names of the channels in the counters of many checkpoints, one a line."""
    found: set[str] = set()
    for line in set(_PAIR.sub(b"0", counters).split(b"\n")):
        found |= _names(line)
    return found


def with_key_bytes(size_bytes: int, rows: int = 1) -> int:
    """Bytes of such JSON of some checkpoints, with its key; none if there is none."""
    return rows * (len(_START) + _SEPARATOR) + size_bytes if size_bytes else 0
