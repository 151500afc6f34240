"""A page in a real browser: headless Chromium, of any width, measured from outside."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",  # as on a phone, where they take no room
    "--window-size=1400,900",
)
# The frame is as wide as the screen that is tried; a script in the page itself would not be
# the page that people open.
_PROBE = """\
<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe id="frame" style="border:0;width:{width}px;height:800px" srcdoc="{page}"></iframe>
<script id="probe">
addEventListener("load", () => {{
  const view = document.getElementById("frame").contentWindow, page = view.document;
  const root = page.documentElement;
  const drawn = [...page.querySelectorAll("svg")].filter(svg => svg.checkVisibility());
  const letters = drawn.flatMap(svg => [...svg.querySelectorAll("text")]);
  const scrolls = element => element.closest(".scroll") || element.closest("svg");
  const found = {{
    width: root.clientWidth,
    scroll_width: root.scrollWidth,
    beyond: [...page.body.querySelectorAll("*")]
      .filter(e => !scrolls(e) && e.getBoundingClientRect().right > root.clientWidth + 0.5)
      .map(e => e.tagName + "." + e.className),
    requests: view.performance.getEntriesByType("resource").map(entry => entry.name),
    drawings: drawn.map(svg => {{
      const box = svg.getBoundingClientRect();
      const marks = [...svg.querySelectorAll("path, use, text")];
      return {{
        name: svg.getAttribute("aria-label"), width: box.width, height: box.height,
        marks: marks.filter(m => m.getBoundingClientRect().width > 0).length,
        outside: [...svg.querySelectorAll("text")].filter(t => {{
          const r = t.getBoundingClientRect();
          return r.left < box.left - 1 || r.right > box.right + 1 || r.bottom > box.bottom + 1;
        }}).map(t => t.textContent),
      }};
    }}),
    broken: [...page.querySelectorAll("use")]
      .map(use => (use.getAttribute("xlink:href") || "#").slice(1))
      .filter(id => !page.getElementById(id)),
    smallest_letters: Math.min(...letters.map(text => parseFloat(
      view.getComputedStyle(text).fontSize) * text.getScreenCTM().a || 99)),
    heading: page.querySelector("h1").textContent,
    text: page.body.innerText,
    paper: view.getComputedStyle(page.body).backgroundColor,
  }};
  document.body.innerHTML = "<pre id='found'></pre>";
  document.getElementById("found").textContent = JSON.stringify(found);
}});
</script>
"""


def chromium() -> str:
    """Find the browser; skip the test without one, but fail it in CI."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        reason = "no chromium on this machine (apt-get install chromium)"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}; CI must have it")
        pytest.skip(reason)
    return found


def measure(page: str, width_pixels: int, *, dark: bool = False) -> dict[str, Any]:
    """Open a page in a frame of this width and say what a reader would see."""
    browser = chromium()
    # Without its own policy, the page is free to ask for anything: it must not want to.
    free = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", page)
    with TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.html"
        probe.write_text(_PROBE.format(width=width_pixels, page=html.escape(free)), "utf-8")
        scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
        profile = f"--user-data-dir={folder}/profile"
        command = [browser, *_FLAGS, scheme, profile, "--dump-dom", probe.as_uri()]
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, encoding="utf-8", timeout=100
        )
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-2_000:] + done.stderr[-2_000:]
    measured: dict[str, Any] = json.loads(html.unescape(found[1]))
    return measured
