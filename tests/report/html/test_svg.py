"""A drawing inside a page: nothing of a file is left, and its ids are its own."""

from __future__ import annotations

from deltabench.report.html.svg import inline

DRAWING = """\
<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "x" "http://www.w3.org/x.dtd">
<svg xmlns:xlink="http://x" width="576pt" height="360pt" viewBox="0 0 576 360" xmlns="http://y">
 <metadata>
  <cc:Work/>
 </metadata>
 <defs>
  <style type="text/css">*{stroke-linecap: butt}</style>
 </defs>
 <!-- a name -->
 <g id="figure_1">
  <defs><path id="m1" d="M 0 0"/></defs>
  <use xlink:href="#m1" clip-path="url(#c1)"/>
  <clipPath id="c1"/>
  <text>a #m1 b</text>
 </g>
</svg>
"""


def test_only_the_drawing_is_left() -> None:
    """Ids that are referred to get the prefix, in both kinds of reference; the rest goes."""
    lines = [line.strip() for line in inline(DRAWING, 'How "much"?', "p1-").splitlines()]
    assert [line for line in lines if line] == [
        '<svg viewBox="0 0 576 360" role="img" aria-label="How &#34;much&#34;?">',
        "<g>",
        '<defs><path id="p1-m1" d="M 0 0"/></defs>',
        '<use xlink:href="#p1-m1" clip-path="url(#p1-c1)"/>',
        '<clipPath id="p1-c1"/>',
        "<text>a #m1 b</text>",
        "</g>",
        "</svg>",
    ]
