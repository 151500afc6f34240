"""What a thread holds at its end, as digests that full and delta can be compared by."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from deltabench.cells import StateDigest

# Deep Agents stamps files with the clock, which no two runs share.
_CLOCK_FIELDS = frozenset({"created_at", "modified_at"})
_GIVEN_PREFIXES = ("user-", "ai-")


def digest_state(live: dict[str, Any], reads: list[dict[str, Any]]) -> StateDigest:
    """Digest the state of a thread.

    `live` is what the last `invoke` returned, `reads` what reading the thread again gave
    each time. The digest is of the first read; ids are stable when live value and all
    reads have the same ones in the same order.
    """
    state = reads[0]
    messages, files = state.get("messages", []), state.get("files", {})
    content = {
        "messages": [_message(message) for message in messages],
        "files": {path: _file(entry) for path, entry in sorted(files.items())},
        "other": sorted(state.keys() - {"messages", "files"}),
    }
    ids = _ids(state)
    return StateDigest(
        content=_sha256(content),
        messages=len(messages),
        files=len(files),
        ids=_sha256(ids),
        ids_stable=all(_ids(other) == ids for other in (live, *reads)),
        generated_ids=sum(1 for i in ids if i is not None and not i.startswith(_GIVEN_PREFIXES)),
        missing_ids=sum(1 for i in ids if i is None),
    )


def same_content(live: dict[str, Any], read: dict[str, Any]) -> bool:
    """Whether a value read back has the content of the live one."""
    return digest_state(live, [live]).content == digest_state(read, [read]).content


def _message(message: Any) -> dict[str, Any]:
    fields: dict[str, Any] = message.model_dump(mode="json", exclude={"id"})
    return fields


def _file(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {key: value for key, value in entry.items() if key not in _CLOCK_FIELDS}


def _ids(state: dict[str, Any]) -> list[str | None]:
    return [message.id for message in state.get("messages", [])]


def _sha256(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
