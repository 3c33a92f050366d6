"""The picture of a graph in a browser, used like a reader uses it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias, final

from typing_extensions import Unpack

import typegrad as tg
from support.browser import Browser, Scheme
from typegrad.tools.pictures import Options, assets, figure, page

__all__ = ["Picture", "Pixel", "article", "open_figure", "open_page"]

Pixel: TypeAlias = tuple[int, int, int]

_VIEWER = "document.querySelectorAll('figure.typegrad-graph')[0].typegradViewer"


@final
class Picture:
    """The first picture of the page that the browser shows."""

    def __init__(self, browser: Browser) -> None:
        """Wait until it is painted."""
        self.browser = browser
        browser.settle()

    def read(self, expression: str, *arguments: Any) -> Any:
        """The value of a JavaScript expression in which `viewer` is the picture's viewer."""
        return self.browser.run(f"const viewer = {_VIEWER}; return {expression};", *arguments)

    def visible(self) -> list[str]:
        """The boxes: names of operations, and names of collapsed scopes with a slash appended."""
        names: list[str] = self.read(
            "viewer.painter.items.map((item) => item.node ? item.node.name : item.scope.path + '/')"
        )
        return names

    def frames(self) -> list[str]:
        """The scopes that are open."""
        paths: list[str] = self.read("viewer.painter.frames.map((frame) => frame.scope.path)")
        return paths

    def selected(self) -> str:
        """The operation or scope that is selected; empty if nothing is."""
        name: str = self.read("viewer.selected ? viewer.selected.node?.name ?? viewer.selected.scope.path : ''")
        return name

    def details(self) -> str:
        """The text of the details panel."""
        text: str = self.read("viewer.details.innerText")
        return text

    def announced(self) -> str:
        """The last announcement to screen readers."""
        text: str = self.read("viewer.live.textContent")
        return text

    def point(self, name: str, dx: float = 0, dy: float = 0) -> tuple[float, float]:
        """The point of an operation, a scope or the title of an open scope in the window; offsets are in units of the
        picture.
        """
        place: Sequence[float] = self.read(
            """(() => {
                const isIt = (item) => (item.node?.name ?? item.scope.path) === arguments[0];
                const item = viewer.painter.items.find(isIt) ?? viewer.painter.frames.find(isIt);
                const box = viewer.canvas.getBoundingClientRect();
                const height = item.kind === "level" ? 32 : item.height;
                const x = item.x + item.width / 2 + arguments[1], y = item.y + height / 2 + arguments[2];
                const { camera } = viewer;
                return [box.left + x * camera.scale + camera.x, box.top + y * camera.scale + camera.y];
            })()""",
            name, dx, dy,
        )  # fmt: skip
        return (place[0], place[1])

    def click(self, name: str) -> None:
        """Click at an operation or scope."""
        self.browser.click(*self.point(name))
        self.browser.settle()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, in the focused element."""
        for key in keys:
            self.browser.press(key)
        self.browser.settle()

    def focus(self) -> None:
        """Give the canvas the focus."""
        self.read("viewer.canvas.focus()")

    def pixel(self, name: str, dx: float = 0, dy: float = 0) -> Pixel:
        """The colour of the canvas at `point`."""
        x, y = self.point(name, dx, dy)
        colour: Sequence[int] = self.read(
            """(() => {
                const box = viewer.canvas.getBoundingClientRect(), { ratio } = viewer.camera;
                const [x, y] = [(arguments[0] - box.left) * ratio, (arguments[1] - box.top) * ratio];
                return [...viewer.context.getImageData(Math.round(x), Math.round(y), 1, 1).data];
            })()""",
            x, y,
        )  # fmt: skip
        return (colour[0], colour[1], colour[2])

    def colour(self, name: str) -> Pixel:
        """A colour of the picture's palette, such as "path"."""
        text: str = self.read("viewer.colours[arguments[0]]", name)
        red, green, blue = text.removeprefix("rgb(").removesuffix(")").split(",")
        return (int(red), int(green), int(blue))


def open_page(
    browser: Browser,
    folder: Path,
    graph: tg.Graph,
    *,
    width: int = 1400,
    height: int = 900,
    scheme: Scheme = "light",
    **options: Unpack[Options],
) -> Picture:
    """Open a graph's own page."""
    file = folder / "graph.html"
    file.write_text(page(graph, **options), encoding="utf-8")
    browser.open(file, width=width, height=height, scheme=scheme)
    return Picture(browser)


def article(*figures: str, theme: str = "") -> str:
    """A page of text with pictures in it."""
    styles = "".join(f"<style>{text}</style>" for name, text in assets().items() if name.endswith(".css"))
    scripts = "".join(f"<script>{text}</script>" for name, text in assets().items() if name.endswith(".js"))
    attribute = f' data-theme="{theme}"' if theme else ""
    return (
        f'<!DOCTYPE html><html lang="en"{attribute}><head><meta charset="utf-8"><title>Text</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{styles}</head>'
        f"<body><main><h1>Text</h1><p>Before.</p>{''.join(figures)}<p>After.</p></main>{scripts}</body></html>"
    )


def open_figure(
    browser: Browser,
    folder: Path,
    graph: tg.Graph,
    *,
    width: int = 1400,
    height: int = 900,
    scheme: Scheme = "light",
    theme: str = "",
    **options: Unpack[Options],
) -> Picture:
    """Open a page of text with a graph's picture in it."""
    file = folder / "article.html"
    file.write_text(article(figure(graph, **options), theme=theme), encoding="utf-8")
    browser.open(file, width=width, height=height, scheme=scheme)
    return Picture(browser)
