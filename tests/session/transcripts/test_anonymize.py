"""A transcript that can be shared: the same sizes and bytes stored, and none of the content."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.checkpointers.memory_count import count_memory
from deltabench.session.transcripts.anonymize import anonymized
from deltabench.session.transcripts.loading import load_transcript
from deltabench.session.transcripts.recorded import Answer, Call, Input, Turn
from deltabench.session.transcripts.transcript import Transcript
from deltabench.session.transcripts.writing import as_json
from deltabench.session.workload import EVICTED_ABOVE_CHARS
from tests.session.transcripts.chats import CODING, call, chat, result, said, user
from tests.session.transcripts.leaks import content_of, leaked
from tests.subject.short_session import FULL, delta, drive

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.cells import Policy, StoredBytes

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgoAAAA="}}
LINES = [1, 250, -40, 70_000, 0.5]
EDIT = {"file_path": "/a/report.md", "replace_all": True}
LOG = "2031-05-06 07:08:09 customer 4711 paid for nothing\n" * (EVICTED_ABOVE_CHARS // 50)
CHATS = {
    "coding": CODING,
    "parts": [user([{"type": "text", "text": "What is in this picture?"}, PICTURE]), said("Us.")],
    "large": [
        user("Look at the log of the customer."),
        said("", call("c1", "search", account_of_the_chairman="customer 4711", lines=LINES)),
        result("c1", LOG),
        said("Paid."),
    ],
    "edits": [
        user("a"),
        said(
            "",
            call(
                "c1",
                "write_file",
                file_path="/a/report.md",
                content="The sum is 1.\nThe rest is 2.",
            ),
        ),
        result("c1", "written"),
        said("", call("c2", "edit_file", **EDIT, old_string="sum is 1", new_string="total is 11")),
        result("c2", "edited"),
        said("", call("c3", "edit_file", **EDIT, old_string="al is 11.\nThe", new_string="")),
        result("c3", "edited"),
        said("b"),
    ],
}


def _stored(transcript: Transcript, policy: Policy) -> StoredBytes:
    saver = InMemorySaver()
    drive(saver, policy, workload=transcript, turns=transcript.turns)
    return count_memory(saver, transcript.turns)


@pytest.mark.parametrize("policy", [FULL, delta(3)], ids=["full", "delta"])
@pytest.mark.parametrize("name", CHATS)
def test_the_same_bytes_are_stored(tmp_path: Path, name: str, policy: Policy) -> None:
    """Of values, writes, rows and keys, channel by channel: eviction and edits as before."""
    transcript = chat(tmp_path, CHATS[name], repeat=2)
    assert _stored(anonymized(transcript), policy) == _stored(transcript, policy)


@pytest.mark.parametrize("name", CHATS)
def test_nothing_that_was_said_is_left(tmp_path: Path, name: str) -> None:
    """No piece of content, argument, field, path or id, and no name of the file."""
    transcript = anonymized(chat(tmp_path, CHATS[name]))
    output = as_json(transcript) + transcript.model_dump_json(exclude={"problems"})
    originals = content_of(CHATS[name])
    assert not leaked(originals, output)
    assert transcript.name.startswith("anonymized-")
    # The search itself finds what is there.
    assert leaked(originals, chat(tmp_path, CHATS[name]).model_dump_json())


@pytest.mark.parametrize("name", CHATS)
def test_the_shared_file_is_the_same_session(tmp_path: Path, name: str) -> None:
    """Written and read again it has the digest that `run --anonymize` tells."""
    transcript = anonymized(chat(tmp_path, CHATS[name]))
    path = tmp_path / "shared.json"
    path.write_text(as_json(transcript), encoding="utf-8")
    shared = load_transcript(str(path))
    assert shared.digest == transcript.digest
    assert shared.problems == ()
    assert anonymized(chat(tmp_path, CHATS[name])).digest == transcript.digest


def test_numbers_are_replaced(tmp_path: Path) -> None:
    """All but those of one bit, of which there are no others."""
    transcript = anonymized(chat(tmp_path, CHATS["large"]))
    (arguments,) = (each.arguments for each in transcript.recorded[0].answers[0].calls)
    (lines,) = (value for value in arguments.values() if isinstance(value, list))
    assert [new == old for new, old in zip(lines, LINES, strict=True)] == [True] + [False] * 4


def test_a_string_has_one_replacement(tmp_path: Path) -> None:
    """The path that was written is the path that is edited, and two strings share none."""
    calls = [call(f"c{i}", "look", **{f"key{i}": i}, where="the same place") for i in range(40)]
    results = [result(f"c{i}", "ok") for i in range(40)]
    transcript = anonymized(chat(tmp_path, [user("a"), said("", *calls), *results, said("b")]))
    arguments = [each.arguments for each in transcript.recorded[0].answers[0].calls]
    assert len({key for each in arguments for key in each}) == 41
    assert (
        len({each for fields in arguments for each in fields.values() if len(str(each)) > 5}) == 1
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False)
    | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
CONTENT = st.text(max_size=60) | st.lists(
    st.fixed_dictionaries({"type": st.just("text"), "text": st.text(max_size=30)}), max_size=2
)
ARGUMENTS = st.dictionaries(st.text(min_size=2, max_size=8), JSON, max_size=3)
CALLS = st.lists(st.tuples(st.sampled_from(["look", "write_file"]), ARGUMENTS, CONTENT), max_size=2)


@settings(max_examples=30)
@given(CONTENT, CALLS)
def test_every_value_keeps_its_size(content: Any, calls: list[Any]) -> None:
    """Strings have the same characters and bytes, numbers the same width, and types stay."""
    asked = [
        Call(tool=tool, arguments=arguments, id_chars=9, result=returned)
        for tool, arguments, returned in calls
    ]
    answers = (Answer(content="", calls=tuple(asked)),) * bool(asked) + (Answer(content=""),)
    turn = Turn(inputs=(Input(role="user", content=content),), answers=answers)
    transcript = Transcript(name="t", title="t", turns=1, recorded=(turn,))
    (made,) = anonymized(transcript).recorded
    assert _sizes(made.inputs[0].content) == _sizes(content)
    for before, after in zip(asked, made.answers[0].calls, strict=False):
        assert _sizes(after.arguments) == _sizes(before.arguments)
        assert _sizes(after.result) == _sizes(before.result)


def _sizes(value: Any) -> Any:
    """The value with sizes in place of strings and numbers."""
    if isinstance(value, str):
        return len(value), len(value.encode())
    if isinstance(value, dict):
        return [(_sizes(key), _sizes(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [_sizes(item) for item in value]
    if isinstance(value, float):
        return "float"
    if isinstance(value, bool) or value is None:
        return value
    return next(
        width
        for width, (low, high) in enumerate(
            [(-32, 2**7), (-(2**7), 2**8), (-(2**15), 2**16), (-(2**31), 2**32), (-(2**63), 2**64)]
        )
        if low <= value < high
    )


def test_content_compresses_as_before(tmp_path: Path) -> None:
    """Message by message, whatever it is: within 5 % and a few bytes."""
    texts = {
        "prose": "The report of the session is due, and nobody has read it yet. Please ask. " * 6,
        "code": _source(),
        "json": json.dumps([{"id": i, "customer": f"c{i * 7919 % 1000}"} for i in range(200)]),
        "base64": "".join(chr(65 + (i * i * 7919 + i * 104_729) % 58) for i in range(3000)),
        "rule": "=" * 3000,
        "japanese": "".join(chr(0x3040 + i * i * 31 % 80) for i in range(800)),
    }
    made = anonymized(chat(tmp_path, [m for t in texts.values() for m in (user(t), said("."))]))
    for (name, text), turn in zip(texts.items(), made.recorded, strict=True):
        before = len(zlib.compress(text.encode()))
        after = len(zlib.compress(str(turn.inputs[0].content).encode()))
        assert abs(after - before) <= max(30, 0.05 * before), name


def _source() -> str:
    from pathlib import Path

    return Path(__file__).read_text(encoding="utf-8")
