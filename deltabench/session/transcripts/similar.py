"""Generated text that takes the place of another: same sizes, much the same compressibility.

Words are made of syllables and mean nothing, so that nothing of a language, and nothing
of the text that is replaced, can be found in them.
"""

from __future__ import annotations

import random
import zlib
from itertools import accumulate, pairwise

_SYLLABLES = [first + last for first in "bdfgklmnprstvz" for last in "aeiou"]
_RANDOM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_VOCABULARY_WORDS = 400
# Where characters of two, three and four bytes in UTF-8 begin: letters, ideographs, pictures.
_WIDE = {2: 0x100, 3: 0x4E00, 4: 0x1F400}
_STEPS = 10
_NEAR_ENOUGH = 0.01
_COPY_CHARS = 60
_TOKEN_CHARS = 24
_SHORT_CHARS = 16


def similar(text: str, key: str) -> str:
    """Text of the same characters and UTF-8 bytes whose zlib size is near that of `text`.

    Line breaks stay where they are, as previews of large results go by lines. The same
    key and text give the same result. Texts of a few characters have no compressibility
    to keep: only their sizes are the same.
    """
    if len(text) < _SHORT_CHARS:
        rng = random.Random(key)
        return _shaped("".join(rng.choices(_RANDOM, k=len(text))), text)
    wanted = _compressed(text)
    low, high = 0.0, 1.0
    best, best_off = "", -1
    for _ in range(_STEPS):
        richness = (low + high) / 2
        candidate = _shaped(_stream(key, len(text), richness), text)
        size = _compressed(candidate)
        if best_off < 0 or abs(size - wanted) < best_off:
            best, best_off = candidate, abs(size - wanted)
        if abs(size - wanted) <= wanted * _NEAR_ENOUGH:
            break
        low, high = (richness, high) if size < wanted else (low, richness)
    return best


def _compressed(text: str) -> int:
    return len(zlib.compress(text.encode()))


def _stream(key: str, chars: int, richness: float) -> str:
    """So many ASCII characters: repetition at richness 0, words at a half, chance at 1."""
    rng = random.Random(key)
    words = [_word(rng) for _ in range(_VOCABULARY_WORDS)]
    fresh, chance = min(1.0, 2 * richness), max(0.0, 2 * richness - 1)
    made = rng.choice(words) + " "
    while len(made) < chars:
        if rng.random() >= fresh:
            # The less is new, the more regular are the repetitions.
            back = _COPY_CHARS + rng.randrange(1 + int(_COPY_CHARS * fresh))
            start = max(0, len(made) - back)
            made += made[start : start + _COPY_CHARS]
        elif rng.random() < chance:
            made += "".join(rng.choices(_RANDOM, k=_TOKEN_CHARS))
        else:
            made += rng.choice(words) + " "
    return made[:chars]


def _word(rng: random.Random) -> str:
    return "".join(rng.choices(_SYLLABLES, k=rng.choice((1, 2, 2, 3, 4))))


def _shaped(made: str, original: str) -> str:
    """The made text with line breaks and wide characters where the original has them."""
    if original.isascii():
        starts = accumulate((len(line) + 1 for line in original.split("\n")), initial=0)
        return "\n".join(made[a : b - 1] for a, b in pairwise(starts))
    return "".join(
        old if old == "\n" else new if old.isascii() else chr(_WIDE[len(old.encode())] + ord(new))
        for new, old in zip(made, original, strict=True)
    )
