"""Whether two results may be compared: versions for bytes, machines for times."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deltabench.results.environment import Environment

# Each of these writes into what is stored. A saver's package counts for its own cells.
STORING_PACKAGES = (
    "langgraph",
    "langgraph-checkpoint",
    "deepagents",
    "langchain-core",
    "ormsgpack",
)
SAVER_PACKAGES = {
    "sqlite": ("langgraph-checkpoint-sqlite",),
    "postgres": ("langgraph-checkpoint-postgres",),
    "memory": (),
}
_GIBIBYTE = 2**30


def version_differences(now: Environment, then: Environment, checkpointer: str) -> list[str]:
    """Packages that decide what a checkpointer stores and differ, as `name 1 against 2`."""
    # A custom saver may rest on any of them.
    every = tuple(name for names in SAVER_PACKAGES.values() for name in names)
    names = STORING_PACKAGES + SAVER_PACKAGES.get(checkpointer, every)
    return [
        f"{name} {now.packages.get(name, 'not installed')} "
        f"against {then.packages.get(name, 'not installed')}"
        for name in names
        if now.packages.get(name) != then.packages.get(name)
    ]


def machine_differences(now: Environment, then: Environment) -> list[str]:
    """What makes times of two runs incomparable, as `here against there`."""
    pairs = [(one, two) for one, two in zip(_machine(now), _machine(then), strict=True)]
    return [f"{one} against {two}" for one, two in pairs if one != two]


def _machine(environment: Environment) -> tuple[str, ...]:
    return (
        environment.cpu_model,
        f"{environment.cores} cores",
        # The kernel keeps some memory for itself, and not always as much.
        f"{round(environment.memory_bytes / _GIBIBYTE)} GiB of memory",
        environment.platform,
        environment.virtualization or "no virtualization",
        " ".join(environment.python.split()[:2]),
    )
