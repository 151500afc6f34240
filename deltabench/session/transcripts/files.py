"""Which recorded calls change `files` of the agent, and what they leave there.

This follows calls on paper, as the newest Deep Agents treats them, for plans, shapes and
estimates only. In a measurement the tools of the installed one do it, and what they did
is counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deltabench.session.transcripts.recorded import text_of
from deltabench.session.workload import EVICTED_ABOVE_CHARS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from deltabench.session.interface import Content
    from deltabench.session.transcripts.recorded import Turn

# Deep Agents leaves results of these in the thread, however large they are.
NEVER_EVICTED = frozenset({"ls", "glob", "grep", "read_file", "edit_file", "write_file", "delete"})
# A message of the user of more than 50,000 tokens, at 4 characters each, moves to files.
USER_EVICTED_ABOVE_CHARS = 200_000


@dataclass(slots=True)
class FileUpdates:
    """The files of a thread, followed turn by turn.

    `places` are the updates of `messages`, counted in the turn from 1, whose superstep
    also updates `files`; `written` are the sizes in characters of what was put there.
    """

    contents: dict[str, str] = field(default_factory=dict)

    def turn(self, turn: Turn) -> tuple[list[int], list[int], int]:
        """Follow a turn: places, sizes written, and how many messages were evicted."""
        places, written, evicted = [], [], 0
        large = len(text_of(turn.inputs[-1].content))
        if turn.inputs[-1].role == "user" and large > USER_EVICTED_ABOVE_CHARS:
            places.append(2)  # in the superstep of the model that would have read it
            written.append(large)
            evicted += 1
        for number, answer in enumerate(turn.rounds, 1):
            sizes = []
            for call in answer.calls:
                if is_evicted(call.tool, call.result):
                    sizes.append(len(text_of(call.result)))
                    evicted += 1
                content = self.call(call.tool, call.arguments)
                if content is not None:
                    sizes.append(len(content))
            if sizes:
                places.append(2 * number + 1)
                written += sizes
        return places, written, evicted

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """Follow a call: the new content of the file that it changes, or None."""
        path = arguments.get("file_path")
        content = self._changed(tool, path, arguments)
        if content is not None:
            self.contents[str(path)] = content
        return content

    def _changed(self, tool: str, path: object, arguments: Mapping[str, Any]) -> str | None:
        if not isinstance(path, str):
            return None
        if tool == "write_file" and isinstance(arguments.get("content"), str):
            return str(arguments["content"])
        old, new = arguments.get("old_string"), arguments.get("new_string")
        before = self.contents.get(path)
        if tool != "edit_file" or before is None:
            return None
        if not isinstance(old, str) or not isinstance(new, str) or not old:
            return None
        found = before.count(old)
        if not found or (found > 1 and not arguments.get("replace_all")):
            return None
        return before.replace(old, new)


def is_evicted(tool: str, result: Content) -> bool:
    """Whether Deep Agents moves this result from `messages` to `files`."""
    return tool not in NEVER_EVICTED and len(text_of(result)) > EVICTED_ABOVE_CHARS
