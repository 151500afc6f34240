"""The page in headless Chromium, at the width of a desktop and of a phone."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from deltabench.report.source import Source
from deltabench.report.write import write_reports
from tests.fakes import failed_row, fake_results, replace_row
from tests.report.html.browser import chromium, measure

if TYPE_CHECKING:
    from pathlib import Path

DESKTOP, PHONE = 1280, 390
CLAIM = "delta channels at K=50 store 45.9x less than full snapshots (234 MB against 10.7 GB)"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One K, a sweep with a failure and derived figures, and two results in one report."""
    chromium()  # nothing is drawn in vain
    one, sweep = fake_results(), fake_results(ks=(1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000))
    long = fake_results(ks=(10, 50), workloads=("A", "a_long_name_of_a_workload_" * 4))
    failed = replace_row(sweep, 3, failed_row(sweep.rows[3].cell, "no_space_in_this_reason" * 9))
    written = {}
    for name, sources in (
        ("one", [Source("", one)]),
        ("sweep", [Source("", failed)]),
        ("several", [Source("first", one), Source("second", long)]),
    ):
        folder: Path = tmp_path_factory.mktemp(name)
        write_reports(sources, folder, rtt_ms=20 if name == "sweep" else None)
        written[name] = (folder / "report.html").read_text(encoding="utf-8")
    return written


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("name", ["one", "sweep", "several"])
def test_it_fits_the_screen_and_every_drawing_shows(
    pages: dict[str, str], name: str, width: int
) -> None:
    """Nothing is wider than the screen, nothing is asked for, every plot is there and legible."""
    seen = measure(pages[name], width)
    assert seen["width"] == width
    assert seen["scroll_width"] == width
    assert seen["beyond"] == []
    assert seen["requests"] == []
    assert seen["broken"] == []
    assert len(seen["drawings"]) == {"one": 5, "sweep": 7, "several": 19}[name]
    for drawing in seen["drawings"]:
        assert drawing["marks"] > 20, drawing["name"]
        assert drawing["outside"] == [], drawing["name"]
        assert 0.8 * min(width, 700) < drawing["width"] <= width
        assert drawing["height"] > 250
    assert seen["smallest_letters"] >= 7
    if name == "one":
        assert CLAIM in seen["heading"]
        assert "45.9x less" in seen["text"]


def test_a_dark_screen_gets_a_dark_page(pages: dict[str, str]) -> None:
    """The page follows the reader's setting."""
    light = measure(pages["one"], PHONE)["paper"]
    dark = measure(pages["one"], PHONE, dark=True)["paper"]
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(20, 20, 20)")


def test_the_measuring_sees_what_is_wrong(pages: dict[str, str]) -> None:
    """A wide element, a request, a lost reference and a drawing without size are noticed."""
    planted = (
        '<p class="wide-one" style="width:2000px">x</p>'
        '<img src="http://127.0.0.1:9/beacon.png">'
        '<svg aria-label="lost" style="width:0"><use xlink:href="#nowhere"/><text>a</text></svg>'
    )
    seen = measure(pages["one"].replace("</main>", f"{planted}</main>"), PHONE)
    assert seen["scroll_width"] >= 2000
    assert seen["beyond"] == ["P.wide-one"]
    assert seen["requests"] == ["http://127.0.0.1:9/beacon.png"]
    assert seen["broken"] == ["nowhere"]
    assert next(d for d in seen["drawings"] if d["name"] == "lost")["width"] == 0


def test_without_a_browser_only_ci_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A laptop without Chromium skips these tests and says why; CI must not."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no chromium"):
        chromium()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="CI must have it"):
        chromium()
