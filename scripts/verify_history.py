"""Runs the matrix of guarantees with older versions, and writes which fail where.

Each set of versions gets an environment of its own under build/history, made from one of
the lists of exact versions with some of them replaced. The answer is
deltabench/verify/history.json, from which `deltabench doctor` tells known faults.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from deltabench.verify.document import Document
from deltabench.verify.history import FILE, History, environment

CHECKOUT = Path(__file__).resolve().parent.parent
PLACE = CHECKOUT / "build" / "history"
# The first ones that knew of delta channels.
FIRST_SAVERS = {
    "langgraph-checkpoint": "4.1.0",
    "langgraph-checkpoint-sqlite": "3.1.0",
    "langgraph-checkpoint-postgres": "3.1.0",
}
# What the newest langgraph accepts; upgrading it alone leaves these in place.
OLDER_SAVERS = {
    "langgraph-checkpoint": "4.3.0",
    "langgraph-checkpoint-sqlite": "3.1.1",
    "langgraph-checkpoint-postgres": "3.1.2",
}
# What an environment may choose by itself, as the langgraph of that time needs it.
UNPINNED = ("langgraph-sdk", "langgraph-prebuilt")


@dataclass(frozen=True)
class Wanted:
    """An environment: a list of versions, and those that are replaced in it."""

    name: str
    versions: str
    replaced: dict[str, str] = field(default_factory=dict)


OLDEST, NEWEST = "requirements-oldest.txt", "requirements.lock"
ALL = (
    *(
        Wanted(f"langgraph {version}, first savers", OLDEST, {"langgraph": version} | FIRST_SAVERS)
        for version in ("1.2.0", "1.2.4", "1.2.9", "1.2.11")
    ),
    Wanted("langgraph 1.2.11, savers upgraded", OLDEST, {"langgraph": "1.2.11"}),
    Wanted("newest langgraph, older savers", NEWEST, OLDER_SAVERS),
    Wanted("newest", NEWEST),
)


def main() -> int:
    """Run all environments; the exit code is 1 when one of them gave no answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one variant of each guarantee")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    options = parser.parse_args()
    PLACE.mkdir(parents=True, exist_ok=True)
    found = []
    for number, wanted in enumerate(ALL, 1):
        print(f"{number}/{len(ALL)} {wanted.name}", file=sys.stderr, flush=True)
        answer = verified(set_up(wanted), quick=options.quick, jobs=options.jobs)
        found.append(environment(wanted.name, Document.model_validate_json(answer)))
    history = History(environments=tuple(found))
    FILE.write_text(json.dumps(history.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8")
    for each in found:
        failing = sum(bool(outcome.failed) for outcome in each.outcomes)
        print(f"{each.name}: {failing} of {len(each.outcomes)} verdicts fail")
    return 0


def set_up(wanted: Wanted) -> Path:
    """Make the environment, if it is not there as it should be; gives its interpreter."""
    place = PLACE / wanted.name.replace(", ", "-").replace(" ", "-")
    listed = (CHECKOUT / wanted.versions).read_text(encoding="utf-8").splitlines()
    pins = [line for line in listed if line.partition("==")[0] not in wanted.replaced]
    if wanted.replaced:
        pins = [line for line in pins if line.partition("==")[0] not in UNPINNED] + [*UNPINNED]
    pins += [f"{name}=={version}" for name, version in wanted.replaced.items()]
    python, stamp = place / "bin" / "python", place / ".versions"
    if stamp.is_file() and stamp.read_text(encoding="utf-8").splitlines() == pins:
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
    pip = [str(python), "-m", "pip", "install", "-qq", "--no-user", "--disable-pip-version-check"]
    names = [pin for pin in pins if pin and not pin.startswith("#")]
    subprocess.run([*pip, *names], check=True)
    # Its own lower bounds are left out of account: the old versions are the subject.
    local = ["--no-deps", "--no-build-isolation", "-e", str(CHECKOUT)]
    subprocess.run([*pip, *local], check=True)
    stamp.write_text("\n".join(pins), encoding="utf-8")
    return python


def verified(python: Path, *, quick: bool, jobs: int) -> str:
    """Run the matrix there; gives its answer as JSON."""
    command = [str(python), "-m", "deltabench", "verify", "--json", "--jobs", str(jobs)]
    done = subprocess.run(
        [*command, *(["--quick"] if quick else [])], stdout=subprocess.PIPE, text=True, check=False
    )
    if not done.stdout:
        sys.exit(f"error: {python.parent.parent.name}: no answer (exit code {done.returncode})")
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
