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
TABLE = CHECKOUT / "reports" / "history.md"
HEAD = """\
# Which guarantees failed with which versions

Made by `make verify-history`; the cases are in `deltabench/verify/history.json`, which
`deltabench doctor` tells from."""
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
# What pip may choose by itself: the newest that goes with the versions that are replaced.
UNPINNED = ("langgraph-sdk", "langgraph-prebuilt", "langchain", "pydantic")


@dataclass(frozen=True)
class Wanted:
    """An environment: a list of versions, and those that are replaced in it."""

    name: str
    versions: str
    replaced: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The name as one word."""
        return self.name.replace(", ", "-").replace(" ", "-")


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
    """Run all environments; ends with a message when one of them gives no answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="one variant of each guarantee, but for the newest"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--resume", action="store_true", help="keep answers of an earlier run")
    options = parser.parse_args()
    PLACE.mkdir(parents=True, exist_ok=True)
    found = []
    for number, wanted in enumerate(ALL, 1):
        print(f"{number}/{len(ALL)} {wanted.name}", file=sys.stderr, flush=True)
        quick = options.quick and wanted is not ALL[-1]
        answer = PLACE / f"{wanted.folder}{'-quick' if quick else ''}.json"
        if not (options.resume and answer.is_file()):
            text = verified(set_up(wanted), quick=quick, jobs=options.jobs)
            answer.write_text(text, encoding="utf-8")
        document = Document.model_validate_json(answer.read_bytes())
        found.append(environment(wanted.name, document, quick=quick))
    history = History(environments=tuple(found))
    FILE.write_text(json.dumps(history.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8")
    TABLE.write_text("\n".join(table(history)) + "\n", encoding="utf-8")
    for each in found:
        failing = sum(bool(outcome.failed) for outcome in each.outcomes)
        print(f"{each.name}: {failing} of {len(each.outcomes)} verdicts fail")
    return 0


def table(history: History) -> list[str]:
    """Which guarantees failed where, as Markdown: a letter for each checkpointer."""
    names = [each.name for each in history.environments]
    lines = [HEAD, "", f"| Guarantee | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for guarantee in dict.fromkeys(o.guarantee for o in history.environments[-1].outcomes):
        cells = []
        for each in history.environments:
            of_guarantee = [o for o in each.outcomes if o.guarantee == guarantee]
            failing = [o.checkpointer for o in of_guarantee if o.failed]
            cells.append(f"fails: {', '.join(failing)}" if failing else "-")
        lines.append(f"| {guarantee} | {' | '.join(cells)} |")
    lines += ["", "The versions:", ""]
    for each in history.environments:
        versions = ", ".join(f"{name} {version}" for name, version in each.versions.items())
        variants = "one variant of each guarantee" if each.quick else "all variants"
        lines.append(f"- *{each.name}* ({variants}): {versions}")
    return lines


def set_up(wanted: Wanted) -> Path:
    """Make the environment, if it is not there as it should be; gives its interpreter."""
    place = PLACE / wanted.folder
    text = (CHECKOUT / wanted.versions).read_text(encoding="utf-8")
    versions = dict(line.split("==") for line in text.splitlines() if "==" in line)
    versions |= wanted.replaced
    pins = []
    for name, version in versions.items():
        is_free = wanted.replaced and name.startswith(UNPINNED) and name not in wanted.replaced
        pins.append(name if is_free else f"{name}=={version}")
    python, stamp = place / "bin" / "python", place / ".versions"
    if stamp.is_file() and stamp.read_text(encoding="utf-8").splitlines() == pins:
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
    pip = [str(python), "-m", "pip", "install", "-qq", "--no-user", "--disable-pip-version-check"]
    subprocess.run([*pip, *pins], check=True)
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
