"""What is in a page, without a browser: its text, its addresses, its ids."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_SILENT = {"style", "svg", "script", "title"}
_BLOCKS = {"p", "h1", "h2", "h3", "li", "dt", "dd", "tr", "figure", "div", "table"}


class Page(HTMLParser):
    """Reads a page: `lines` of visible text, `addresses` that it would load, `ids`, `tags`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines: list[str] = [""]
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.tags: list[str] = []
        self._silent = 0
        self.feed(page)
        self.close()
        for style in re.findall(r"<style>(.*?)</style>", page, re.DOTALL):
            self.addresses += re.findall(r"url\(([^)]*)\)|@import\s+(\S+)", style)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the tag and what it refers to."""
        self.tags.append(tag)
        if tag in _SILENT:
            self._silent += 1
        if tag == "small":
            self.lines[-1] += " / "
        if tag in _BLOCKS:
            self.lines.append("")
        for name, value in attrs:
            text = value or ""
            if name == "id":
                self.ids.append(text)
            elif name in {"src", "href", "xlink:href", "srcset", "data", "action", "poster"}:
                (self.references if text.startswith("#") else self.addresses).append(text)
            self.references += re.findall(r"url\((#[^)]*)\)", text)

    def handle_endtag(self, tag: str) -> None:
        """Leave the tag."""
        if tag in _SILENT:
            self._silent -= 1
        if tag in {"th", "td"}:
            self.lines[-1] += " | "

    def handle_data(self, data: str) -> None:
        """Keep what a reader sees."""
        if not self._silent:
            self.lines[-1] += re.sub(r"\s+", " ", data) if data.strip() else ""

    @property
    def text(self) -> str:
        """The visible text, a line for each block."""
        lines = (re.sub(r"[ |]+$", "", line).strip() for line in self.lines)
        return "\n".join(line for line in lines if line)
