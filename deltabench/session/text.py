"""Generated text that compresses like the real thing: code and prose, seeded.

PostgreSQL compresses large values, so filler such as `"x" * n` would vanish and random
characters would not shrink at all. zlib shrinks this text 2.5 to 5 times, as it does
ordinary source code and documentation.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES_SHARED = 8
_FUNCTIONS_SHARING = 12

_NOUNS = """
account address batch bucket buffer cache cell channel chunk client cluster column
command config context cursor customer date default deploy digest draft entry event
export field filter folder frame graph group handler header index input invoice item job
journal key label ledger limit line list loader lock log market matrix message method
metric model month name node notice offset option order output owner package page parser
partner path payload period plan policy pool price product profile query queue rate
reader record region report request result retry route row rule sample schema scope
score sender session shard signal source stage state status step store stream summary
table target task team tenant thread ticket token topic total trace tree unit update
user vendor version view volume warehouse week window worker writer
""".split()  # noqa: SIM905  # a list would be a page long
_VERBS = """
add apply assign build cancel check clean close collect compare compute convert copy
create decode delete drop encode estimate fetch fill find flush format group import
insert join list load lock map mark match merge move normalize open pack parse patch
plan print queue read rebuild reduce refresh render replace report reset resolve save
scan schedule select send sort split start stop store submit sync track trim update
validate verify wait wrap write
""".split()  # noqa: SIM905  # a list would be a page long
_ADJECTIVES = """
active broken cached common current daily empty failed final fresh global hidden initial
internal large last late local missing new nightly old open partial pending previous
primary public quick raw ready recent remote same shared slow small stable stale strict
temporary unknown unused valid weekly
""".split()  # noqa: SIM905  # a list would be a page long
_TYPES = ("int", "str", "float", "bool", "bytes", "list[str]", "dict[str, int]", "Path")


def _name(rng: random.Random) -> str:
    form = rng.randrange(3)
    if form == 0:
        return f"{rng.choice(_NOUNS)}_{rng.choice(_NOUNS)}"
    if form == 1:
        return f"{rng.choice(_ADJECTIVES)}_{rng.choice(_NOUNS)}"
    return rng.choice(_NOUNS)


def _sentence(rng: random.Random) -> str:
    a, b, c = rng.choice(_NOUNS), rng.choice(_NOUNS), rng.choice(_NOUNS)
    verb, other = rng.choice(_VERBS), rng.choice(_VERBS)
    adjective = rng.choice(_ADJECTIVES)
    forms = (
        f"The {adjective} {a} should {verb} each {b} before the {c} is closed.",
        f"We {verb} the {a} and {other} every {adjective} {b} that the {c} still needs.",
        f"When a {a} has no {b}, {verb} the {c} and keep the {adjective} one.",
        f"Please {verb} the {a} so that the {adjective} {b} can {other} its {c}.",
        f"It was {rng.randrange(2, 900)} {b}s per {a} last {c}, which is {adjective}.",
    )
    return rng.choice(forms)


def _function(rng: random.Random, names: list[str]) -> str:
    verb, noun = rng.choice(_VERBS), rng.choice(names)
    first, second, result = (rng.choice(names) for _ in range(3))
    kind, returned = rng.choice(_TYPES), rng.choice(_TYPES)
    lines = [
        f"def {verb}_{noun}({first}: {kind}, *, {second}: {rng.choice(_TYPES)}) -> {returned}:",
        f'    """{_sentence(rng)}"""',
    ]
    for _ in range(rng.randrange(2, 6)):
        other, call = rng.choice(names), f"{rng.choice(_VERBS)}_{rng.choice(names)}"
        lines.extend(
            rng.choice(
                (
                    (f"    {result} = self.{call}({first}, limit={rng.randrange(1, 5000)})",),
                    (
                        f"    if {first} is None or {other} > {rng.randrange(2, 300)}:",
                        f'        raise ValueError("{rng.choice(_ADJECTIVES)} {other}")',
                    ),
                    (
                        f"    for {other} in {second}.{rng.choice(_VERBS)}():",
                        f"        {result}.append({call}({other}))",
                    ),
                    (f'    logger.info("{call} took %d {other}s", len({result}))',),
                    (f"    # {_sentence(rng)}",),
                )
            )
        )
    lines.append(f"    return {result}")
    return "\n".join(lines) + "\n\n\n"


def _functions(rng: random.Random) -> Iterator[str]:
    """Functions without end; like a real file, a stretch of them shares a few names."""
    while True:
        names = [_name(rng) for _ in range(_NAMES_SHARED)]
        for _ in range(_FUNCTIONS_SHARING):
            yield _function(rng, names)


def _fill(parts: list[str], size_chars: int) -> str:
    return "".join(parts)[:size_chars]


def prose(seed: str, size_chars: int) -> str:
    """Exactly `size_chars` ASCII characters of prose, the same for the same seed."""
    rng = random.Random(f"prose:{seed}")
    parts: list[str] = []
    length = 0
    while length < size_chars:
        parts.append(_sentence(rng) + " ")
        length += len(parts[-1])
    return _fill(parts, size_chars)


def code(seed: str, size_chars: int) -> str:
    """Exactly `size_chars` ASCII characters of Python-like source for a seed."""
    rng = random.Random(f"code:{seed}")
    parts = [f'"""{_sentence(rng)}"""\n\nfrom {rng.choice(_NOUNS)} import {_name(rng)}\n\n\n']
    length = len(parts[0])
    functions = _functions(rng)
    while length < size_chars:
        parts.append(next(functions))
        length += len(parts[-1])
    return _fill(parts, size_chars)


def search_listing(seed: str, size_chars: int) -> str:
    """Exactly `size_chars` ASCII characters that look like the output of a code search."""
    rng = random.Random(f"search:{seed}")
    parts: list[str] = []
    functions = _functions(rng)
    length = 0
    while length < size_chars:
        path = f"src/{rng.choice(_NOUNS)}/{_name(rng)}.py"
        number = rng.randrange(1, 900)
        for line in next(functions).splitlines()[: rng.randrange(2, 6)]:
            parts.append(f"{path}:{number}: {line}\n")
            number += 1
            length += len(parts[-1])
    return _fill(parts, size_chars)
