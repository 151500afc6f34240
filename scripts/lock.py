"""Write the two lists of exact versions: the newest that fit, and the oldest supported.

`requirements.lock` is for development, CI and the committed results;
`requirements-oldest.txt` holds every direct dependency at its lower bound in
pyproject.toml, with what that pulls in. Both name versions only: no index, no host, no
path, so they install from wherever this machine's pip is told to install.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
HEADER = """\
# {title}
# Made by `make lock`; do not edit. Installs on Python 3.11, 3.12 and 3.13.
"""


def group(project: dict[str, Any], name: str) -> list[str]:
    """List the requirements of a dependency group, included groups resolved."""
    found: list[str] = []
    for entry in project["dependency-groups"][name]:
        found += [entry] if isinstance(entry, str) else group(project, entry["include-group"])
    return found


def at_lower_bound(requirement: str) -> str:
    """Turn `name[extra]>=1.2` into `name[extra]==1.2`; anything else is an error."""
    pinned, changes = re.subn(r"^([\w.\-\[\]]+)>=([\w.]+)$", r"\1==\2", requirement)
    if not changes:
        sys.exit(f"error: no plain lower bound in {requirement!r}")
    return pinned


def resolve(requirements: list[str]) -> list[str]:
    """Ask pip which versions it would install on this Python for the requirements."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--quiet", "--report", "-", *requirements]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    installs = json.loads(answer.stdout)["install"]
    pins = {entry["metadata"]["name"].lower(): entry["metadata"]["version"] for entry in installs}
    # A local version such as 2.1+cpu exists on one machine only.
    return [f"{name}=={version.partition('+')[0]}" for name, version in sorted(pins.items())]


def main() -> None:
    """Resolve and write both lists."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    if sys.version_info[:2] != (3, 11):
        sys.exit("error: lock on Python 3.11, so that every version also installs there")
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    direct = project["project"]["dependencies"]
    direct += project["project"]["optional-dependencies"]["postgres"]
    lists = {
        "requirements.lock": (
            "Exact versions of everything for development and CI.",
            direct + group(project, "dev"),
        ),
        "requirements-oldest.txt": (
            "The oldest supported versions, and the test tools.",
            [at_lower_bound(requirement) for requirement in direct]
            + ["hatchling", *group(project, "test")],
        ),
    }
    for name, (title, requirements) in lists.items():
        pins = resolve(requirements)
        text = HEADER.format(title=title) + "\n".join(pins) + "\n"
        (CHECKOUT / name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(pins)} versions")


if __name__ == "__main__":
    main()
