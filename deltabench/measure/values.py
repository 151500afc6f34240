"""What a thread of a user's graph holds at its end: every channel, whatever it is called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage

from deltabench.cells import StateDigest
from deltabench.subject.canonical import digest

if TYPE_CHECKING:
    from collections.abc import Iterator

# As langgraph draws an id for a message that has none.
_DRAWN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def digest_values(live: dict[str, Any], reads: list[dict[str, Any]]) -> StateDigest:
    """Digest the state of a thread: `live` from the last `invoke`, `reads` from reading it.

    The digest is of the first read, without what an agent keeps for itself under a name
    with an underscore. Ids are stable when all reads have the same ones in the same order,
    and the live value has those of the channels that it shows.
    """
    state = reads[0]
    ids = list(_ids(state))
    files = state.get("files")
    shown = list(_ids({name: value for name, value in state.items() if name in live}))
    return StateDigest(
        content=digest({k: v for k, v in state.items() if not k.startswith("_")}),
        messages=len(ids),
        files=len(files) if isinstance(files, dict) else 0,
        ids=digest(ids),
        ids_stable=all(list(_ids(other)) == ids for other in reads)
        and list(_ids({k: v for k, v in live.items() if k in state})) == shown,
        generated_ids=sum(1 for i in ids if i is not None and _DRAWN.fullmatch(i)),
        missing_ids=sum(1 for i in ids if i is None),
    )


def unlike(live: dict[str, Any], read: dict[str, Any]) -> str | None:
    """The first channel whose value read back is not the live one; None when there is none."""
    for name in sorted(live.keys() & read.keys()):
        if digest(live[name]) != digest(read[name]):
            return name
    return None


def _ids(state: dict[str, Any]) -> Iterator[str | None]:
    for _, value in sorted(state.items()):
        if isinstance(value, list):
            yield from (item.id for item in value if isinstance(item, BaseMessage))
