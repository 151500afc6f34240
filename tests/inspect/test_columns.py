"""Reading by columns against walking row by row: the same tracks of the same threads."""

from __future__ import annotations

from array import array
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.checkpointers.postgres_address import connect
from deltabench.inspect.columns import NotPlainError, follow_columns
from deltabench.inspect.scan import open_source
from deltabench.inspect.tracking import walk
from tests.inspect.conftest import THREAD, look

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.inspect.rows import Group
    from deltabench.inspect.tracks import Tracks
    from tests.inspect.conftest import Recorded

# What only one of both needs: versions by name, inputs, and sizes of single writes.
_OF_ONE = {"versions", "since", "added_rows", "added_bytes"}


def both(url: str) -> tuple[Tracks, Tracks]:
    """The thread by columns and by rows."""
    with open_source(url) as source:
        (group,) = source.groups([THREAD])
        assert group.columns is not None
        return follow_columns(group, group.columns), walk(group, source.kind)


def plain(value: Any) -> Any:
    """Everything that can be compared."""
    if hasattr(value, "__slots__"):
        return {n: plain(getattr(value, n)) for n in value.__slots__ if n not in _OF_ONE}
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return list(value) if isinstance(value, array) else value


@pytest.mark.parametrize("workload", ["A", "B"])
@pytest.mark.parametrize("k", [None, 5, 20])
def test_columns_tell_what_rows_tell(
    recorded: Callable[[str, str, int | None], Recorded], workload: str, k: int | None
) -> None:
    """To the byte, but for versions of updates that are not stored: these are about as long."""
    by_columns, by_rows = both(recorded("postgres", workload, k).database)
    by_rows.turns = array("q")
    for name, track in by_rows.channels.items():
        found = by_columns.channels[name].version_chars
        for update, size in enumerate(track.value_bytes):
            if size == -1:
                assert abs(found[update] - track.version_chars[update]) <= 4
                track.version_chars[update] = found[update]
    assert plain(by_columns) == plain(by_rows)


SPOILT = {
    "values lost": "DELETE FROM checkpoints WHERE checkpoint_id < {middle}",
    "values empty": "UPDATE checkpoint_blobs SET type = 'empty', blob = NULL WHERE"
    " channel = 'files'",
    "newest lost": "DELETE FROM checkpoints WHERE checkpoint_id > {middle}",
    "inline": """UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint, '{{channel_values}}',
        '{{"messages": true, "files": "text", "other": true, "more": 17, "none": null}}')""",
    "no values": "UPDATE checkpoints SET checkpoint = checkpoint - 'channel_values'",
    "odd values": "UPDATE checkpoints SET checkpoint ="
    " jsonb_set(checkpoint, '{{channel_values}}', '[3]')",
    "lines": "UPDATE checkpoint_writes SET checkpoint_id = checkpoint_id || E'\\n'",
    "null": "UPDATE checkpoint_writes SET type = NULL",
}


@pytest.mark.parametrize("sql", SPOILT.values(), ids=SPOILT)
@pytest.mark.parametrize("k", [None, 20])
def test_columns_tell_what_rows_tell_of_a_spoilt_thread(
    copied_schema: Callable[[int | None], str], sql: str, k: int | None
) -> None:
    """Rows that are missing, and values where the saver puts none."""
    url = copied_schema(k)
    middle = "(SELECT checkpoint_id FROM checkpoints ORDER BY checkpoint_id LIMIT 1 OFFSET 40)"
    with closing(connect(url)) as connection:
        connection.execute(sql.format(middle=middle).encode())
    by_columns, by_rows = both(url)
    for tracks in (by_columns, by_rows):
        tracks.turns = array("q")
        for track in tracks.channels.values():
            track.version_chars = array("q")
    assert plain(by_columns) == plain(by_rows)


NOT_PLAIN = {
    "a fork": "UPDATE checkpoints SET parent_checkpoint_id = {early} WHERE checkpoint_id = {late}",
    "a version again": """UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint,
        '{{channel_versions,messages}}', '"1"') WHERE checkpoint_id IN ({early}, {late})""",
    "an older version": "UPDATE checkpoints SET checkpoint = checkpoint - 'updated_channels'",
    "a channel without writes": """UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint,
        '{{updated_channels}}', '["quiet"]') WHERE checkpoint_id = {late}""",
}


@pytest.mark.parametrize("sql", NOT_PLAIN.values(), ids=NOT_PLAIN)
def test_what_is_not_plain_is_walked(copied_schema: Callable[[int | None], str], sql: str) -> None:
    """Columns refuse it, and the whole answer comes all the same."""
    url = copied_schema(20)
    at = "(SELECT checkpoint_id FROM checkpoints ORDER BY checkpoint_id LIMIT 1 OFFSET {})"
    with closing(connect(url)) as connection:
        connection.execute(sql.format(early=at.format(30), late=at.format(60)).encode())
    with open_source(url) as source:
        (group,) = source.groups([THREAD])
        _refused(group)
    assert look(url).threads == 1


def _refused(group: Group) -> None:
    assert group.columns is not None
    with pytest.raises(NotPlainError):
        follow_columns(group, group.columns)


def test_a_line_break_in_an_id_is_walked(copied_schema: Callable[[int | None], str]) -> None:
    """Ids are any text; then columns cannot be told apart."""
    url = copied_schema(20)
    before = look(url)
    with closing(connect(url)) as connection:
        for table in ("checkpoints", "checkpoint_writes"):
            connection.execute(
                f"UPDATE {table} SET checkpoint_id = checkpoint_id || E'\\n'".encode()  # noqa: S608
            )
        connection.execute(
            "UPDATE checkpoints SET parent_checkpoint_id = parent_checkpoint_id || E'\\n'"
        )
    found = look(url)
    key = ("channel", "", "messages", "write_bytes")
    assert found.summed(*key).value == before.summed(*key).value
    assert found.predicted() == before.predicted()
    assert not found.found.estimates
