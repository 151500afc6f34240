"""What a thread holds at its end, as digests that full and delta can be compared by."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from deltabench.cells import StateDigest

# Deep Agents stamps files with the clock, which no two runs share.
_CLOCK_FIELDS = frozenset({"created_at", "modified_at"})
_GIVEN_PREFIXES = ("user-", "ai-")
# When Deep Agents summarizes, it keeps the old messages in a file that is named by a random
# number and says when each part was written.
_HISTORY_NAME = re.compile(r"^(/conversation_history/session_)[0-9a-f]{32}(?=\.md$)")
_HISTORY_STAMP = re.compile(r"(## Summarized at )\d{4}-\d\d-\d\dT[0-9:.+]+")


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
        "files": dict(_file(path, entry) for path, entry in sorted(files.items())),
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
    """Whether a value read back has the content of the live one.

    `invoke` keeps back what middleware holds for itself, so only fields of `live` count.
    """
    public = {key: value for key, value in read.items() if key in live}
    return digest_state(live, [live]).content == digest_state(public, [public]).content


def _message(message: Any) -> dict[str, Any]:
    fields: dict[str, Any] = message.model_dump(mode="json", exclude={"id"})
    return fields


def _file(path: str, entry: Any) -> tuple[str, Any]:
    if isinstance(entry, dict):
        entry = {key: value for key, value in entry.items() if key not in _CLOCK_FIELDS}
    name = _HISTORY_NAME.sub(r"\1", path)
    if name != path and isinstance(entry, dict):
        entry |= {"content": _HISTORY_STAMP.sub(r"\1", _text(entry.get("content")))}
    return name, entry


def _text(content: Any) -> str:
    # Older versions of Deep Agents store a list of lines.
    return "\n".join(content) if isinstance(content, list) else str(content)


def _ids(state: dict[str, Any]) -> list[str | None]:
    return [message.id for message in state.get("messages", [])]


def _sha256(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
