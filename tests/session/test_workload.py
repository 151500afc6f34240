"""The workload format: what is refused names file and key, and what is told comes true."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.session.workload import EVICTED_ABOVE_CHARS, load_workload, shipped_workloads
from tests.subject.short_session import FULL, WRITE, delta, drive, small_workload

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.cells import Durability, Policy
    from deltabench.session.workload import Workload

GOOD = """
title = "mine"
turns = 3
user_chars = 100
answer_chars = 200

[[rounds]]
text_chars = 10
  [[rounds.calls]]
  tool = "write_file"
  chars = 500

  [[rounds.calls]]
  tool = "search"
  chars = 300
  large_chars = 90_000
  large_every = 10
  large_first = 4

  [[rounds.calls]]
  tool = "read_file"

[summarization]
max_input_tokens = 5_000
"""
SEARCH = {"tool": "search", "chars": 100}


def _refused(path: Path) -> str:
    with pytest.raises(DeltabenchError) as caught:
        load_workload(str(path))
    assert caught.value.exit_code == ExitCode.USAGE
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", ["A", "a", "B", "b"])
def test_shipped_workloads_load_in_any_case(name: str) -> None:
    """A and B load by name, and by the path of their file as the same workload."""
    workload = load_workload(name)
    assert workload.name == name.upper()
    assert load_workload(str(shipped_workloads()[name.lower()])) == workload


def test_own_file_loads_under_its_name(tmp_path: Path) -> None:
    """Every key of the format is taken from the file, whose name is the name."""
    path = tmp_path / "Mine.TOML"
    path.write_text(GOOD)
    workload = load_workload(str(path))
    assert (workload.name, workload.title, workload.turns) == ("Mine", "mine", 3)
    (round_,) = workload.rounds
    assert (round_.text_chars, [call.tool for call in round_.calls]) == (
        10,
        ["write_file", "search", "read_file"],
    )
    large = [turn for turn in range(1, 31) if round_.calls[1].is_large(turn)]
    assert large == [4, 14, 24]
    assert round_.calls[1].result_chars(4) == 90_000
    assert round_.calls[1].result_chars(5) == 300
    assert workload.summarization is not None
    assert workload.summarization.max_input_tokens == 5_000


BAD_VALUES = {
    "unknown key": ("turns = 3", "turns = 3\nturn = 4", "turn: not a key", "known: answer_chars"),
    "unknown key of a round": ("text_chars", "txt_chars", "rounds[0].txt_chars: not a key", ""),
    "unknown key of a call": (
        "large_first",
        "large_frist",
        "rounds[0].calls[1].large_frist: not a key",
        "",
    ),
    "unknown tool": ('"search"', '"find"', "rounds[0].calls[1].tool: ", "'write_file', 'search'"),
    "text for a number": ("turns = 3", 'turns = "many"', "turns: ", "integer"),
    "broken number": ("= 100", "= 100.5", "user_chars: ", "integer"),
    "number for a text": ('"mine"', "3", "title: ", "string"),
    "table for a list": ("[[rounds]]", "[rounds]", "rounds: ", "tuple"),
    "negative": ("user_chars = 100", "user_chars = -1", "user_chars: ", "greater than"),
    "negative size of a call": ("chars = 500", "chars = -5", "rounds[0].calls[0].chars: ", ""),
    "zero turns": ("turns = 3", "turns = 0", "turns: ", "greater than"),
    "empty title": ('"mine"', '""', "title: ", "at least 1"),
    "missing key": ("user_chars = 100", "", "user_chars: ", "required"),
    "call without a size": ("chars = 500", "", "rounds[0].calls[0]: ", "needs chars"),
    "large_chars alone": ("large_every = 10", "", "rounds[0].calls[1]: ", "go together"),
    "large_every alone": ("large_chars = 90_000", "", "rounds[0].calls[1]: ", "go together"),
    "large_first alone": (
        "large_chars = 90_000\n  large_every = 10",
        "",
        "rounds[0].calls[1]: ",
        "large_first",
    ),
    "large file": (
        "chars = 500",
        "chars = 500\n  large_chars = 9",
        "rounds[0].calls[0]: ",
        "belongs to search",
    ),
    "large file now and then": (
        "chars = 500",
        "chars = 500\n  large_first = 9",
        "rounds[0].calls[0]: ",
        "large_first",
    ),
    "read_file with a size": (
        '"read_file"',
        '"read_file"\n  chars = 5',
        "rounds[0].calls[2]: ",
        "no meaning",
    ),
    "read_file without write_file": (
        '"write_file"',
        '"search"',
        "read_file needs a write_file",
        "",
    ),
    "small context": ("5_000", "5", "summarization.max_input_tokens: ", "1000"),
    "name": ("title", 'name = "x"\ntitle', "name: not a key", "file name is the name"),
}


@pytest.mark.parametrize("what", BAD_VALUES)
def test_bad_values_name_file_and_key(what: str, tmp_path: Path) -> None:
    """Whatever does not fit the format is one line with the file, the key and the reason."""
    old, new, key, reason = BAD_VALUES[what]
    assert old in GOOD
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace(old, new, 1))
    message = _refused(path)
    assert message.startswith(f"{path}: {key}")
    assert reason in message


def test_no_calls_in_a_round_are_named(tmp_path: Path) -> None:
    """A round that asks for no tool is refused by its place."""
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.partition("  [[rounds.calls]]")[0])
    assert _refused(path).startswith(f"{path}: rounds[0].calls: ")


def test_further_problems_are_counted(tmp_path: Path) -> None:
    """Two wrong keys give the first one, and how many more there are."""
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace("turns = 3", "turns = 0").replace("= 200", "= 0"))
    assert "(and 1 more)" in _refused(path)


@pytest.mark.parametrize(
    ("text", "place"), [("title = 'a'\nturns = = 3\n", "2:9"), ("a = 1\n\na = 2\n", "3:6")]
)
def test_broken_toml_names_line_and_column(text: str, place: str, tmp_path: Path) -> None:
    """A file that is no TOML is refused with its place as editors understand it."""
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert _refused(path).startswith(f"{path}:{place}: not valid TOML: ")


def test_toml_broken_at_its_end_names_the_file(tmp_path: Path) -> None:
    """Where TOML has no place to name, the file alone is named."""
    path = tmp_path / "mine.toml"
    path.write_text("turns = ")
    assert _refused(path).startswith(f"{path}")
    assert "not valid TOML" in _refused(path)


def test_unreadable_files_are_one_line(tmp_path: Path) -> None:
    """Other encodings, directories and missing files are told by their path."""
    latin = tmp_path / "latin.toml"
    latin.write_bytes('title = "größe"'.encode("latin-1"))
    assert _refused(latin).startswith(f"{latin}: cannot be read: 'utf-8'")
    directory = tmp_path / "directory.toml"
    directory.mkdir()
    assert _refused(directory).startswith(f"{directory}: cannot be read: ")
    missing = tmp_path / "missing.toml"
    assert f"no workload file {missing}" in _refused(missing)


@pytest.mark.parametrize("name", ["b2", "", "workloads/a", "A B"])
def test_unknown_names_offer_the_names(name: str) -> None:
    """A name that is none is refused with those there are."""
    with pytest.raises(DeltabenchError, match=r"A, B, a \.toml file, or a transcript") as caught:
        load_workload(name)
    assert f"no workload named {name!r}" in str(caught.value)


SHAPES: list[dict[str, Any]] = [
    {},
    {"user_chars": 61},
    {"answer_chars": 81},
    {"rounds": []},
    {"rounds": [{"calls": [{**WRITE, "chars": 301}]}]},
    {"rounds": [{"calls": [WRITE], "text_chars": 1}]},
    {"rounds": [{"calls": [WRITE, WRITE]}]},
    {"rounds": [{"calls": [WRITE]}, {"calls": [WRITE]}]},
    {"rounds": [{"calls": [{**SEARCH, "chars": 300}]}]},
    {"rounds": [{"calls": [{**SEARCH, "large_chars": 90_000, "large_every": 5}]}]},
    {"rounds": [{"calls": [{**SEARCH, "large_chars": 90_000, "large_every": 6}]}]},
    {
        "rounds": [
            {"calls": [{**SEARCH, "large_chars": 90_000, "large_every": 5, "large_first": 1}]}
        ]
    },
    {"summarization": {"max_input_tokens": 5_000}},
    {"summarization": {"max_input_tokens": 5_000, "summary_chars": 7}},
]


def test_every_size_is_part_of_the_digest() -> None:
    """Workloads that differ in any size have different digests of 16 hex digits."""
    digests = [small_workload(**shape).digest for shape in SHAPES]
    assert len(set(digests)) == len(SHAPES)
    assert all(len(digest) == 16 and int(digest, 16) >= 0 for digest in digests)


def test_what_does_not_change_a_turn_is_not_part_of_the_digest(tmp_path: Path) -> None:
    """Name, title, number of turns and formatting leave the digest as it is."""
    first, second = tmp_path / "one.toml", tmp_path / "two.toml"
    first.write_text(GOOD)
    text = GOOD.replace('"mine"', "'theirs' # a comment").replace("turns = 3", "turns=77")
    second.write_text(text.replace("90_000", "90000").replace("large_first = 4", "large_first=4"))
    assert load_workload(str(first)).digest == load_workload(str(second)).digest
    assert load_workload(str(first)) != load_workload(str(second))


def _large(chars: int, first: int = 2) -> dict[str, Any]:
    return {**SEARCH, "large_chars": chars, "large_every": 2, "large_first": first}


READ = {"tool": "read_file"}
SESSIONS = {
    "talk": small_workload(rounds=[]),
    "write": small_workload(),
    "parallel": small_workload(rounds=[{"calls": [WRITE, WRITE, SEARCH]}]),
    "search": small_workload(rounds=[{"calls": [SEARCH]}]),
    "rounds": small_workload(
        rounds=[{"calls": [SEARCH]}, {"calls": [WRITE]}, {"calls": [READ, _large(85_000)]}]
    ),
    "eviction": small_workload(rounds=[{"calls": [_large(EVICTED_ABOVE_CHARS + 1)]}]),
    "just below eviction": small_workload(rounds=[{"calls": [_large(EVICTED_ABOVE_CHARS)]}]),
    "large file read": small_workload(
        rounds=[{"calls": [{**WRITE, "chars": 90_000}]}, {"calls": [READ]}]
    ),
}


@pytest.mark.parametrize("name", SESSIONS)
@pytest.mark.parametrize("policy", [FULL, delta(2)], ids=["full", "delta"])
def test_updates_are_those_of_a_real_session(name: str, policy: Policy) -> None:
    """`updates_per_turn` and `file_updates` are what the real agent does, place for place."""
    workload = SESSIONS[name]
    turns = 3
    saver = InMemorySaver()
    driven = drive(saver, policy, workload=workload, turns=turns)
    expected = list(workload.file_updates(turns))
    assert driven.tracker.updates["messages"] == turns * workload.updates_per_turn
    assert driven.tracker.updates["files"] == len(expected)
    assert _file_updates(driven.subject.config(), saver, workload) == expected


def _file_updates(config: Any, saver: InMemorySaver, workload: Workload) -> list[tuple[int, int]]:
    """Turn and place of each update of files, by the versions in the stored checkpoints."""
    stored = [each.checkpoint["channel_versions"] for each in saver.list(config)][::-1]
    found, updates = [], 0
    for before, after in itertools.pairwise([{}, *stored]):
        changed = [name for name in ("messages", "files") if before.get(name) != after.get(name)]
        updates += "messages" in changed
        if "files" in changed:
            assert "messages" in changed
            turn, place = divmod(updates - 1, workload.updates_per_turn)
            found.append((turn + 1, place + 1))
    return found


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_langgraph_counts_the_same_updates(durability: Durability) -> None:
    """Whenever checkpoints are put, langgraph's own counters say so many updates a turn."""
    workload = SESSIONS["rounds"]
    for turns in (1, 2):
        driven = drive(
            InMemorySaver(), delta(1000), workload=workload, turns=turns, durability=durability
        )
        state = driven.subject.graph.get_state(driven.subject.config())
        counters = state.metadata["counters_since_delta_snapshot"]  # type: ignore[index]
        assert counters["messages"][0] == turns * workload.updates_per_turn
        assert counters["files"][0] == len(list(workload.file_updates(turns)))
