"""A transcript as messages again, in the form that chat APIs take and `run` reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from deltabench.session.transcripts.replay import RecordedScript

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.session.transcripts.transcript import Transcript


def as_json(transcript: Transcript) -> str:
    """The recorded turns, once, as a JSON array with a message a line."""
    lines = (json.dumps(message, ensure_ascii=False) for message in _messages(transcript))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _messages(transcript: Transcript) -> Iterator[dict[str, Any]]:
    script = RecordedScript(transcript=transcript)
    if transcript.system_prompt:
        yield {"role": "system", "content": transcript.system_prompt}
    for number, turn in enumerate(transcript.recorded, 1):
        for each in turn.inputs:
            yield {"role": each.role, "content": each.content}
        for step, answer in enumerate(turn.answers):
            calls = script.tool_calls(number, step)
            said: dict[str, Any] = {"role": "assistant", "content": answer.content}
            yield said | ({"tool_calls": [_call(call) for call in calls]} if calls else {})
            for call, recorded in zip(calls, answer.calls, strict=True):
                yield {"role": "tool", "tool_call_id": call["id"], "content": recorded.result}


def _call(call: dict[str, Any]) -> dict[str, Any]:
    arguments = json.dumps(call["args"], ensure_ascii=False)
    function = {"name": call["name"], "arguments": arguments}
    return {"id": call["id"], "type": "function", "function": function}
