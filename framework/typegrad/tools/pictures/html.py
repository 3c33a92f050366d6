"""Pictures for browsers: a figure in a page, a page, a frame in a notebook."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from typegrad.tools.pictures.document import Document

__all__ = ["assets", "render_figure", "render_frame", "render_page"]

_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
{styles}
</head>
<body>
<main>
{figure}
</main>
{scripts}
</body>
</html>
"""

_LAYOUT: Final = """
html { color-scheme: light dark; }
body { margin: 0; }
main > .typegrad-graph { display: flex; flex-direction: column; height: 100vh; height: 100dvh; }
main > .typegrad-graph[data-page] > .tg-viewer { flex: 1; min-height: 0; height: auto; }
figcaption, details { padding: 0.4rem 0.8rem; font: 13px/1.5 system-ui, sans-serif; }
details[open] { box-sizing: border-box; max-height: 50%; overflow: auto; }
"""
"""A page fills the window: the picture, the caption below it, and the text if it is opened."""

_POLICY: Final = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
"""Allows only these scripts, by their digests, and no requests."""

_FIGURE: Final = """\
<figure class="typegrad-graph"{kind}>
<script type="application/json">{data}</script>
{caption}<details>
<summary>In words: {title}</summary>
<pre>{text}</pre>
</details>
</figure>"""

_FRAME: Final = (
    '<iframe sandbox="allow-scripts" allow="fullscreen" title="{title}" srcdoc="{page}" '
    'style="width: 100%; height: 32rem; border: 0"></iframe>'
)


@cache
def assets() -> Mapping[str, str]:
    """The scripts and style sheets for figures by file name, in the order in which a page must include them."""
    resources = sorted(files("typegrad.tools.pictures").iterdir(), key=lambda file: file.name)
    return {file.name: file.read_text("utf-8") for file in resources if file.name.endswith((".js", ".css"))}


def render_figure(document: Document, text: str, caption: str = "", *, is_page: bool = False) -> str:
    """A figure with its data and with the picture as text; with `is_page`, it fills the window."""
    data = json.dumps(document, separators=(",", ":"))
    return _FIGURE.format(
        kind=" data-page" if is_page else "",
        data=data.replace("<", r"\u003c"),  # so that no text can end the script or start a comment in it
        caption=f"<figcaption>{escape(caption)}</figcaption>\n" if caption else "",
        title=escape(document["title"]),
        text=escape(text),
    )


def render_page(document: Document, text: str, caption: str = "") -> str:
    """A self-contained page that cannot make requests."""
    scripts = [content for name, content in assets().items() if name.endswith(".js")]
    styles = [*(content for name, content in assets().items() if name.endswith(".css")), _LAYOUT]
    allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return _PAGE.format(
        policy=_POLICY.format(scripts=allowed),
        title=escape(document["title"]),
        styles="\n".join(f"<style>{style}</style>" for style in styles),
        figure=render_figure(document, text, caption, is_page=True),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def render_frame(document: Document, text: str) -> str:
    """A page in a frame, isolated from the styles, scripts and data of the page around it."""
    return _FRAME.format(title=escape(document["title"]), page=escape(render_page(document, text)))


def _digest(script: str) -> str:
    """The digest of a script for the security policy."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
