"""Damaged values in PostgreSQL, whose sizes alone are asked for."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from deltabench.checkpointers.postgres_address import connect
from tests.inspect.conftest import look

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_value_that_is_cut_off_is_named(copied_schema: Callable[[int | None], str]) -> None:
    """With thread, checkpoint and channel; the thread before it was spoilt has no problem."""
    url = copied_schema(None)
    assert not look(url).found.problems
    with closing(connect(url)) as connection:
        row = connection.execute(
            "UPDATE checkpoint_blobs SET blob = substring(blob FOR octet_length(blob) / 2)"
            " WHERE channel = 'messages' AND version = (SELECT version FROM checkpoint_blobs"
            " WHERE channel = 'messages' ORDER BY version LIMIT 1 OFFSET 30) RETURNING version"
        ).fetchone()
        assert row is not None
        place = connection.execute(
            "SELECT min(checkpoint_id) AS id FROM checkpoints"
            " WHERE checkpoint -> 'channel_versions' ->> 'messages' = %s",
            (row["version"],),
        ).fetchone()
    assert place is not None
    assert look(url).found.problems == [
        f"thread t, checkpoint {place['id']}, channel messages: the value is cut off or damaged"
    ]
