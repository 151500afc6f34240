"""Runs langgraph's published conformance suite on a checkpointer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.verify.places import open_async_saver, prepared_place

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from deltabench.verify.guarantees.interface import Bench


@dataclass(frozen=True, slots=True)
class Conformance:
    """How many tests passed, which failed, and what the checkpointer does not offer."""

    passed: int
    failures: tuple[str, ...]
    not_offered: tuple[str, ...]


def run_conformance(bench: Bench) -> Conformance:
    """Run every part of the suite that the checkpointer offers, each on a saver of its own.

    The suite awaits all its calls, so the awaited saver is opened. Source: the package
    `langgraph-checkpoint-conformance`. Gives nothing at all for one that cannot be awaited.
    """
    if not asyncio.run(_is_awaitable(bench)):
        return Conformance(0, (), ())
    from langgraph.checkpoint.conformance.initializer import RegisteredCheckpointer
    from langgraph.checkpoint.conformance.validate import validate

    async def opened() -> AsyncGenerator[Any, None]:
        with prepared_place(
            bench.checkpointer, postgres_url=bench.postgres_url, change=bench.change
        ) as place:
            async with open_async_saver(place) as saver:
                yield saver

    report = asyncio.run(validate(RegisteredCheckpointer("verify", opened)))
    parts = report.results.items()
    return Conformance(
        passed=sum(result.tests_passed for _, result in parts),
        failures=tuple(
            f"{part}: {' '.join(failure.split())}"
            for part, result in parts
            for failure in result.failures
        ),
        not_offered=tuple(part for part, result in parts if not result.detected),
    )


async def _is_awaitable(bench: Bench) -> bool:
    config: Any = {"configurable": {"thread_id": "thread", "checkpoint_ns": ""}}
    with prepared_place(bench.checkpointer, postgres_url=bench.postgres_url) as place:
        async with open_async_saver(place) as saver:
            try:
                await saver.aget_tuple(config)
            except NotImplementedError:
                return False
    return True
