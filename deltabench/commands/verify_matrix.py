"""Runs a matrix of guarantees, and tells and writes what it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.verify.matrix import Matrix
    from deltabench.verify.vocabulary import Verdict


def run_and_tell(matrix: Matrix, *, out: Path | None, json: bool) -> None:
    """Run it with progress on stderr; exits with the code of the verdicts."""
    from rich.console import Console

    from deltabench.report.verify_progress import VerifyProgress
    from deltabench.verify.document import document
    from deltabench.verify.matrix import run_matrix

    if out is not None:
        _make(out)
    cells = len(matrix.guarantees) * len(matrix.checkpointers)
    with VerifyProgress(Console(stderr=True), cells) as progress:
        verdicts = run_matrix(matrix, progress.case, progress.verdict)
    typer.echo(document(verdicts) if json else "\n".join(_lines(matrix, verdicts)))
    if out is not None:
        _write(out, document(verdicts))
    if any(verdict.status == "fails" for verdict in verdicts):
        raise typer.Exit(ExitCode.FAILED)
    if all(verdict.status == "not_tried" for verdict in verdicts):
        raise typer.Exit(ExitCode.CELL_FAILED)


def _lines(matrix: Matrix, verdicts: tuple[Verdict, ...]) -> list[str]:
    from deltabench.checkpointers.registry import NAMES
    from deltabench.report.verdicts import verdict_lines
    from deltabench.verify.known import load_known, no_longer_seen

    known = load_known()
    seen = [entry for v in verdicts for case in v.cases for entry in case.known]
    whole = [v.guarantee for v in verdicts if v.status in {"holds", "differs"}]
    everywhere = set(NAMES) <= set(matrix.checkpointers) and not matrix.quick
    gone = no_longer_seen(known, whole, seen) if everywhere and matrix.own is None else ()
    return verdict_lines(verdicts, known, gone)


def _make(out: Path) -> None:
    """Before anything is tried: what it takes minutes to find must not be lost in the end."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / ".deltabench-writable").touch()
        (out / ".deltabench-writable").unlink()
    except OSError as error:
        message = f"cannot write to {out}: {error.strerror or error}"
        raise DeltabenchError(message, exit_code=ExitCode.REFUSED) from error


def _write(out: Path, text: str) -> None:
    """`verdicts.json`, and the same as Markdown and as a page."""
    from deltabench.report.html.page import html
    from deltabench.report.safety import safety_markdown
    from deltabench.verify.document import FILE_NAME, load_document

    place = out / FILE_NAME
    place.write_text(text, encoding="utf-8")
    found = load_document(out)
    if found is not None:
        place.with_suffix(".md").write_text("\n".join(safety_markdown(found)), encoding="utf-8")
        place.with_suffix(".html").write_text(html([], None, found), encoding="utf-8")
    typer.echo(f"Written: {place} (.md, .html); deltabench report {out} takes it in", err=True)
