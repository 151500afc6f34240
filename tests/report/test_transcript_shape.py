"""The shape of a transcript as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.session.transcripts.chats import CODING, call, chat, result, said, user

if TYPE_CHECKING:
    from pathlib import Path

CODING_SHAPE = """\
chat: recorded chat (digest {digest})
2 turns recorded, repeated to 6 turns; characters of each turn
  turn rounds calls updates      user assistant arguments    results       total
     1      1     2       4        59        54       131         58         302
     2      1     1       4        19        17       121          7         164
growth: 233 characters a turn on average, median 233,
  largest 302 in turn 1
updates: 24 of messages, 6 of files in 6 turns
tools: bash 1, write_file 1, edit_file 1
system prompt: 39 characters, given to the agent, not part of the thread
"""


def test_the_shape_of_a_chat(tmp_path: Path) -> None:
    """Each turn with its rounds and sizes, then growth, updates and tools."""
    transcript = chat(tmp_path, CODING, repeat=3)
    text = "\n".join(transcript.shape()) + "\n"
    assert text == CODING_SHAPE.format(digest=transcript.digest)


def test_a_long_chat_shows_its_beginning_and_its_end(tmp_path: Path) -> None:
    """Of thirty turns twelve and five are listed, the rest is counted."""
    messages = [m for turn in range(1, 31) for m in (user("u" * turn), said("a"))]
    lines = list(chat(tmp_path, messages).shape())
    listed = [line.split()[0] for line in lines[3:21]]
    assert listed == [*map(str, range(1, 13)), "...", "26", "27", "28", "29", "30"]
    assert lines[15] == "   ... 13 more"
    assert "largest 31 in turn 30" in lines[22]


def test_evicted_results_are_told(tmp_path: Path) -> None:
    """How many texts the agent will move to files."""
    large = [said("", call("c1", "log")), result("c1", "x" * 90_000), said("b")]
    shape = "\n".join(chat(tmp_path, [user("a"), *large]).shape())
    assert "evicted: 1 message is so large that Deep Agents moves the text to files" in shape
    assert "1 turn recorded;" in shape


def test_eighty_columns_are_enough(tmp_path: Path) -> None:
    """Also with many tools, whose names may hold anything, and with millions of characters."""
    calls = [call(f"c{i}", f"a_tool_with_a_name_{i}\x1b[31m") for i in range(20)]
    results = [result(f"c{i}", "x" * 500_000) for i in range(20)]
    lines = list(chat(tmp_path, [user("a"), said("", *calls), *results, said("b")]).shape())
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in "".join(lines)
