"""Generated text: exact, repeatable, and as compressible as the real thing."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import statistics
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deltabench.session.script import Script
from deltabench.session.text import code, prose, search_listing
from deltabench.session.workload import load_workload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Generator = Callable[[str, int], str]

GENERATORS = (prose, code, search_listing)
SEEDS = st.text(alphabet="abc:0123456789", max_size=12)
TURNS = 30


def _shrinks(text: str) -> float:
    return len(text) / len(zlib.compress(text.encode()))


@pytest.mark.parametrize("generate", GENERATORS)
@given(seed=SEEDS, size_chars=st.integers(0, 9_000))
@settings(max_examples=40, deadline=None)
def test_length_is_exact_and_text_is_ascii(generate: Generator, seed: str, size_chars: int) -> None:
    """Every size gives exactly so many characters, each of them one byte."""
    text = generate(seed, size_chars)
    assert len(text) == size_chars
    assert text.isascii()


@pytest.mark.parametrize("generate", GENERATORS)
@given(seed=SEEDS, size_chars=st.integers(0, 3_000), more=st.integers(1, 3_000))
@settings(max_examples=25, deadline=None)
def test_same_seed_gives_the_same_text(
    generate: Generator, seed: str, size_chars: int, more: int
) -> None:
    """A text repeats for its seed, and a longer one begins with the shorter one."""
    assert generate(seed, size_chars + more)[:size_chars] == generate(seed, size_chars)


@pytest.mark.parametrize("generate", GENERATORS)
def test_other_seeds_give_other_texts(generate: Generator) -> None:
    """A hundred seeds give a hundred texts, which differ from their beginning on."""
    assert len({generate(str(seed), 400)[:120] for seed in range(100)}) == 100


def test_kinds_differ_for_one_seed() -> None:
    """Prose, code and a listing of one seed are three different texts."""
    assert len({generate("seed", 300) for generate in GENERATORS}) == 3


def test_hash_seed_of_the_process_does_not_matter() -> None:
    """Processes with different hash seeds generate the same text as this one."""
    program = (
        "import hashlib, sys; from deltabench.session.text import code, prose, search_listing;"
        "text = ''.join(make('7:a', 5000) for make in (prose, code, search_listing));"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    text = "".join(generate("7:a", 5000) for generate in GENERATORS)
    here = hashlib.sha256(text.encode()).hexdigest()
    path = os.pathsep.join(sys.path)
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == here


@pytest.mark.parametrize("generate", GENERATORS)
@given(seed=SEEDS, size_chars=st.integers(4_000, 100_000))
@settings(max_examples=25, deadline=None)
def test_text_shrinks_like_the_real_thing(generate: Generator, seed: str, size_chars: int) -> None:
    """A page or more of any kind shrinks 2.5 to 5 times."""
    assert 2.5 <= _shrinks(generate(seed, size_chars)) <= 5


def _calls(script: Script) -> Iterator[dict[str, str]]:
    for turn in range(1, TURNS + 1):
        for step in range(len(script.workload.rounds)):
            yield from (call["args"] for call in script.tool_calls(turn, step))


@pytest.mark.parametrize("name", ["A", "B"])
def test_files_of_a_session_shrink_like_source(name: str) -> None:
    """All files that A or B writes shrink 2.5 to 5 times together, as does the median file.

    A single file of A is so short that a few stay a little below.
    """
    script = Script(workload=load_workload(name), seed=0)
    files = [args["content"] for args in _calls(script) if "content" in args]
    assert len(files) >= TURNS
    assert 2.5 <= _shrinks("".join(files)) <= 5
    each = [_shrinks(text) for text in files]
    assert 2.5 <= statistics.median(each) <= 5
    assert min(each) >= 2.4
    assert max(each) <= 5


@pytest.mark.parametrize("name", ["A", "B"])
def test_messages_of_a_session_shrink_like_conversation(name: str) -> None:
    """All that is said in A and B, tool calls and results included, shrinks 2.5 to 5 times."""
    script = Script(workload=load_workload(name), seed=0)
    said = []
    for turn in range(1, TURNS + 1):
        said.append(script.user_text(turn))
        for step in range(len(script.workload.rounds) + 1):
            calls = script.tool_calls(turn, step)
            said += [script.answer_text(turn, step), json.dumps(calls)]
            queries = (call["args"]["query"] for call in calls if call["name"] == "search")
            said += [script.search_result(query) for query in queries]
    assert 2.5 <= _shrinks("\n".join(said)) <= 5


def test_code_looks_like_code() -> None:
    """Generated code is a module that Python parses, of functions with docstrings."""
    text = code("seed", 20_000)
    whole = text[: text.rindex("\n\n\ndef ") + 1]  # the last function is cut
    functions = [node for node in ast.parse(whole).body if isinstance(node, ast.FunctionDef)]
    assert len(functions) > 20
    assert all(ast.get_docstring(function) for function in functions)


def test_listing_looks_like_a_search() -> None:
    """Every whole line of a listing names a file and a line number."""
    lines = search_listing("seed", 5_000).splitlines()[:-1]
    assert len(lines) > 40
    for line in lines:
        path, number, _ = line.split(":", 2)
        assert path.startswith("src/")
        assert path.endswith(".py")
        assert int(number) > 0
