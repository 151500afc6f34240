"""Counted bytes are the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import deltabench
from deltabench.cells import StoredBytes
from deltabench.checkpointers.registry import backend_named

PACKAGE = str(Path(deltabench.__file__).parents[1])
SCRIPT = Path(__file__).with_name("small_session.py")


def _count_in_process(name: str, *, hash_seed: str, policy: str) -> StoredBytes:
    with backend_named(name).prepare() as place:
        done = subprocess.run(
            [sys.executable, str(SCRIPT), name, "4", "7", policy],
            env={**os.environ, **place, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": PACKAGE},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return StoredBytes.model_validate_json(done.stdout)


@pytest.mark.parametrize("policy", ["full", "delta"])
@pytest.mark.parametrize("name", ["memory", "sqlite", "postgres"])
def test_processes_count_alike(name: str, policy: str) -> None:
    """Two processes with different hash seeds and the same random seed count alike."""
    first = _count_in_process(name, hash_seed="1", policy=policy)
    second = _count_in_process(name, hash_seed="2", policy=policy)
    assert first == second
    assert first.total_bytes > 10_000
