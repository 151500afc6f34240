"""Versions and machine in a few lines of plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.units import format_bytes, plain

if TYPE_CHECKING:
    from deltabench.results.environment import Environment


def machine_lines(environment: Environment) -> list[str]:
    """Versions first, since most figures depend on them and not on the machine."""
    packages = ", ".join(f"{name} {version}" for name, version in environment.packages.items())
    where = f" ({environment.virtualization})" if environment.virtualization else ""
    memory = format_bytes(environment.memory_bytes)
    machine = f"{environment.cpu_model}, {environment.cores} cores, {memory}"
    lines = [
        packages,
        f"{environment.python}, SQLite {environment.sqlite_version}",
        f"{environment.platform}, {machine}{where}",
    ]
    if environment.load_average:
        loads = ", ".join(f"{load:.2f}" for load in environment.load_average)
        lines.append(f"load average at the start: {loads}")
    return [plain(line) for line in lines]
