"""Sizes between snapshots, from the sizes of writes alone; marked, and only where they fit."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from deltabench.checkpointers.postgres_address import connect
from deltabench.inspect.lines import inspection_lines
from deltabench.inspect.sized import between
from deltabench.inspect.summary import summary
from tests.inspect.conftest import look

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.inspect.conftest import Recorded

MESSAGES = ("", "messages")


def sizes(values: list[int], added: list[int]) -> list[int] | None:
    """Sizes that follow from those stored (-1 for the others), a write for each update."""
    stored = np.array(values)
    rows = np.ones(len(values), dtype=np.int64)
    places = np.flatnonzero(stored != -1)
    found = between(stored, places, rows, np.array(added))
    return None if found is None else found.tolist()


def test_writes_that_only_add_are_added_up() -> None:
    """Up to each snapshot, and on from the last one."""
    assert sizes([-1, 2001, -1, 4001, -1], [1000] * 5) == [1000, 2001, 3001, 4001, 5001]


def test_without_any_snapshot_all_is_added_up() -> None:
    """The list has a head, too."""
    assert sizes([-1, -1], [1000, 500]) == [1001, 1501]


@pytest.mark.parametrize("snapshot", [1500, 2100, 0])
def test_what_does_not_add_up_is_refused(snapshot: int) -> None:
    """A snapshot of less than was written, or of more: then something was replaced."""
    assert sizes([-1, snapshot, -1], [1000] * 3) is None


def test_a_small_gap_is_spread() -> None:
    """Of 1000 kB a snapshot lacks one: a size in between is off by no more."""
    assert sizes([-1, 999_000], [500_000, 500_000]) == [499_500, 999_000]


def test_estimates_are_marked(recorded: Callable[[str, str, int | None], Recorded]) -> None:
    """Under other policies than that of the thread, which stores the snapshots of its own."""
    found = look(recorded("postgres", "A", 5).database, (None, 5, 20))
    assert found.estimates(None, MESSAGES) == {"sizes"}
    assert [found.total(policy).is_estimated for policy in (None, 5, 20)] == [True, False, False]
    lines = inspection_lines(found)
    stored = {line.split("  ")[1]: "~" in line for line in lines if line.startswith("  ")}
    assert (stored["full snapshots"], stored["K=5"]) == (True, False)
    assert any("~ sizes between snapshots are estimated" in line for line in lines)
    policies = {policy["snapshot_frequency"]: policy for policy in summary(found)["what_if"]}
    assert policies[None]["total_bytes"].keys() == {"estimate", "low", "high"}
    assert policies[None]["channels"][0]["estimated"] == ["sizes"]
    assert isinstance(policies[5]["total_bytes"], int)


def test_contents_are_read_where_sizes_do_not_fit(
    recorded: Callable[[str, str, int | None], Recorded],
    copied_schema: Callable[[int | None], str],
) -> None:
    """Every message written twice: the second one replaces the first, and nothing is estimated."""
    url = copied_schema(5)
    once = look(recorded("postgres", "A", 5).database, (None,))
    with closing(connect(url)) as connection:
        connection.execute(
            "INSERT INTO checkpoint_writes SELECT thread_id, checkpoint_ns, checkpoint_id,"
            " task_id, idx + 1000, channel, type, blob, task_path FROM checkpoint_writes"
        )
    found = look(url, (None,))
    assert not found.found.estimates
    assert not found.found.problems
    then = found.change(MESSAGES, None, "bytes").value
    assert then == pytest.approx(once.change(MESSAGES, None, "bytes").value, rel=0.001)


def test_a_channel_without_snapshots_is_judged_by_others(
    copied_schema: Callable[[int | None], str],
) -> None:
    """Of eight threads that no snapshot was taken in, the 1st, 2nd, 4th and 8th are read."""
    url = copied_schema(20)
    with closing(connect(url)) as connection:
        connection.execute("DELETE FROM checkpoint_blobs WHERE channel = 'messages'")
        connection.execute(
            "DELETE FROM checkpoint_writes WHERE checkpoint_id > (SELECT checkpoint_id FROM"
            " checkpoints ORDER BY checkpoint_id LIMIT 1 OFFSET 30)"
        )
        connection.execute(
            "DELETE FROM checkpoints WHERE checkpoint_id > (SELECT checkpoint_id FROM"
            " checkpoints ORDER BY checkpoint_id LIMIT 1 OFFSET 30)"
        )
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            names = connection.execute(
                "SELECT string_agg(attname, ', ' ORDER BY attnum) AS names FROM pg_attribute"
                " WHERE attrelid = to_regclass(%s) AND attnum > 0 AND attname <> 'thread_id'",
                (table,),
            ).fetchone()
            assert names is not None
            copies = (
                f"INSERT INTO {table} (thread_id, {names['names']})"  # noqa: S608
                f" SELECT 't' || n, {names['names']} FROM {table}, generate_series(2, 8) n"
            )
            connection.execute(copies.encode())
    found = look(url, (None,))
    assert found.threads == 8
    assert found.estimates(None, MESSAGES) == {"sizes"}
    assert not found.found.reasons
    with closing(connect(url)) as connection:
        connection.execute("DELETE FROM checkpoint_writes WHERE thread_id <> 't'")
        connection.execute("DELETE FROM checkpoint_blobs WHERE thread_id <> 't'")
        connection.execute("DELETE FROM checkpoints WHERE thread_id <> 't'")
    alone = look(url, (None,))
    assert not alone.found.estimates
    each = alone.change(MESSAGES, None, "bytes").value
    assert found.change(MESSAGES, None, "bytes").value == pytest.approx(8 * each, rel=0.002)
