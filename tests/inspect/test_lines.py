"""The text of an inspection, from sums that are given."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from deltabench.inspect.candidates import Standing
from deltabench.inspect.found import Inspection, ThreadFigures
from deltabench.inspect.lines import inspection_lines
from deltabench.inspect.sampling import Sample
from deltabench.inspect.sums import Sums

LONG = "files-of-the-assistant-that-has-a-very-long-name"


def sums() -> Counter[Any]:
    """One thread of 10 checkpoints and one channel that accumulates."""
    change = ("change", Standing.GROWS, "", LONG)
    return Counter(
        {
            ("table", "checkpoints", "rows"): 10,
            ("table", "checkpoints", "bytes"): 1_000_000,
            ("table", "writes", "rows"): 20,
            ("table", "writes", "bytes"): 50_000,
            ("namespace", "", "bytes"): 1_000_000,
            ("namespace", "", "checkpoints"): 10,
            ("namespace", "", "calls"): 1,
            ("namespace", "tools", "bytes"): 50_000,
            ("namespace", "tools", "checkpoints"): 4,
            ("namespace", "tools", "calls"): 2,
            ("total",): 1_050_000,
            ("unreachable", "writes", "rows"): 3,
            ("unreachable", "writes", "bytes"): 1_500,
            ("channel", "", LONG, "value_rows"): 10,
            ("channel", "", LONG, "value_bytes"): 900_000,
            ("channel", "", LONG, "write_bytes"): 40_000,
            ("channel", "tools", "notes", "write_bytes"): 7,
            ("kind", "whole values"): 900_000,
            ("kind", "floor"): 150_000,
            ("counters", 10): 500,
            (*change, 10, "bytes"): -700_500,
            (*change, 10, "depth"): 45,
            (*change, 10, "at"): 10,
        }
    )


def found(**changes: Any) -> Inspection:
    """The inspection of a database that holds these sums."""
    whole = Sums(
        sums=sums(),
        tops={("largest", "", LONG): 99_000, ("head", "", LONG, 10): 3, ("worst", "", LONG, 10): 9},
        reasons={("tools", "notes"): "its writes are not stored (durability exit?)"},
        problems=["thread t, checkpoint c, channel x: the value is cut off or damaged"],
    )
    thread = ThreadFigures("t" * 60, 1_050_000, 14, 100_000.0, 180_000.0, "full", 0)
    inspection = Inspection(
        name="a.sqlite",
        kind="sqlite",
        threads=1,
        threads_read=1,
        policies=(None, 10),
        physical_bytes={"file_bytes": 2_000_000, "free_bytes": 0},
        found=whole,
        largest=(thread,),
    )
    return replace(inspection, **changes)


TEXT = """\
a.sqlite: SQLite, 1 thread, 1.05 MB
  14 checkpoints; logical bytes, as langgraph wrote them
  on disk: file 2.00 MB, free 0 B

By table       rows    bytes
  checkpoints    10  1.00 MB
  writes         20  50.0 kB

By kind                              bytes
  whole values                      900 kB
  snapshots of delta channels            -
  deltas: writes of delta channels       -
  floor: other writes, rows, keys   150 kB

By channel                     stored  whole values  snapshots   writes  largest
  files-of-th...ery-long-name    full        900 kB          -  40.0 kB  99.0 kB
  tools notes                       ?             -          -      7 B      0 B

By namespace  threads or calls  checkpoints    bytes
  (root)                     1           10  1.00 MB
  tools                      2            4  50.0 kB

Largest threads  stored  checkpoints    bytes    each  newest  replay
  tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt
                   full           14  1.05 MB  100 kB  180 kB       0
  each: bytes a checkpoint adds, without writes; newest: in the last tenth;
  replay: updates to merge when resuming now

Out of reach  rows    bytes
  writes         3  1.50 kB
  writes: their checkpoint is not there

What if            stored    than now  replay: newest  mean  worst
  as it is        1.05 MB
  full snapshots  1.05 MB       equal               0     0      0
  K=10             350 kB  3.00x less               3  4.50      9
  derived from the sizes found, not measured; replay: updates to merge when
  resuming at the newest checkpoint, at any, at the worst (deepest channel)

By channel                                            full    K=10
  files-of-the-assistant-that-has-a-very-long-name  940 kB  240 kB
note: notes in tools cannot be predicted, and stays as it is: its writes are not
  stored (durability exit?)

note: thread t, checkpoint c, channel x: the value is cut off or damaged
"""


def test_it_reads_like_this() -> None:
    """Every table and note, to the letter."""
    assert "\n".join(inspection_lines(found())) + "\n" == TEXT


def test_only_what_names_a_place_is_longer_than_a_line() -> None:
    """80 columns are enough, but ids and problems are not cut: they are to be copied."""
    for line in inspection_lines(found()):
        assert len(line) <= 80 or line.startswith(("  ttt", "note: thread"))


def test_control_characters_of_names_do_not_reach_the_terminal() -> None:
    """A thread id is text from outside."""
    thread = replace(found().largest[0], thread="a\x1b[31mb")
    lines = inspection_lines(found(largest=(thread,)))
    assert any(line.startswith("  a[31mb ") for line in lines)
    assert "\x1b" not in "".join(lines)


def test_what_is_estimated_carries_mark_and_error() -> None:
    """From two threads of four, one twice as large as the other."""
    sample = Sample(population=4, seed=0, threads=[sums(), sums() + sums()])
    lines = inspection_lines(found(sample=sample, threads=4, threads_read=2))
    assert lines[0].startswith("a.sqlite: SQLite, 4 threads, ~6.30 MB +-")
    assert "  ~ estimated from 2 of 4 threads drawn at random; +- is half" in lines
    full = next(line for line in lines if line.startswith("  full snapshots"))
    assert full.split()[2:5] == ["~6.30", "MB", lines[0].split()[-1]]
