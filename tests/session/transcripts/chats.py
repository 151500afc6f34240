"""Chats for tests, as the messages of an API, and small files of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from deltabench.session.transcripts.loading import load_transcript

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.session.transcripts.transcript import Transcript

Message = dict[str, Any]


def user(content: Any) -> Message:
    """A message of the user."""
    return {"role": "user", "content": content}


def said(content: Any, *calls: Message) -> Message:
    """An answer, with tool calls if there are any."""
    message = {"role": "assistant", "content": content}
    return {**message, "tool_calls": list(calls)} if calls else message


def call(call_id: str, tool: str, **arguments: Any) -> Message:
    """A tool call as the API gives it: its arguments are a JSON text."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"id": call_id, "type": "function", "function": function}


def result(call_id: str, content: Any) -> Message:
    """What a tool returned."""
    return {"role": "tool", "tool_call_id": call_id, "content": content}


SYSTEM = {"role": "system", "content": "Instructions that nobody else may read."}
# Two turns: the first with a round of two calls in parallel, one of them a real file tool.
CODING = [
    SYSTEM,
    user("Write a greeting for the customer, please: Grüße aus Köln 🙂"),
    said(
        "First I look around and write.",
        call("call_9diWc1DYm4RLmPfHgIaP2wd", "bash", command="ls -F --color=never"),
        call(
            "call_m6a0mcd6137L21vgVmR0DQaU",
            "write_file",
            file_path="/src/customer/greeting.py",
            content="def greet(customer: str) -> str:\n    return f'Hello {customer}'\n",
        ),
    ),
    result("call_m6a0mcd6137L21vgVmR0DQaU", "Wrote the greeting file, 2 lines."),
    result("call_9diWc1DYm4RLmPfHgIaP2wd", "README.md\nsrc/\nsetup.cfg\n"),
    said("The greeting is written."),
    user("Make it friendlier."),
    said(
        "",
        call(
            "call_edit",
            "edit_file",
            file_path="/src/customer/greeting.py",
            old_string="return f'Hello {customer}'",
            new_string="return f'A warm welcome, dear {customer}'",
        ),
    ),
    result("call_edit", "Edited."),
    said("It is warmer now."),
]


def chat(folder: Path, messages: list[Any], **options: Any) -> Transcript:
    """Load messages through a file, as a user would."""
    path = folder / "chat.json"
    path.write_text(json.dumps(messages), encoding="utf-8")
    return load_transcript(str(path), **options)
