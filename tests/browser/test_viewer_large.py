"""Pictures of graphs of thousands of operations: they open, and little is drawn for each frame as they move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import typegrad as tg
from support.browser import Browser
from support.picture import open_page
from support.picture_graphs import chain, lattice, layers
from typegrad.op import core

ARRANGE: Final = """(() => {
    const { model, layout } = typegradGraph;
    const view = model.visiblePart(viewer.model, new Set(viewer.model.scopes.keys()));
    const size = layout.arrange(view, (item) => viewer.ruler.sizeOf(item), () => 90, () => 100);
    return [size.width, size.height];
})()"""
"""The size of the picture with everything arranged."""

DRAWN: Final = """(() => {
    const calls = { fill: 0, fillRect: 0, fillText: 0, stroke: 0, strokeRect: 0 };
    for (const name of Object.keys(calls)) {
        viewer.context[name] = (...given) => {
            calls[name] += 1;
            CanvasRenderingContext2D.prototype[name].apply(viewer.context, given);
        };
    }
    viewer.camera.pan(9, 5);
    viewer.paint();
    for (const name of Object.keys(calls)) delete viewer.context[name];
    return Object.values(calls).reduce((sum, count) => sum + count);
})()"""
"""How often something is drawn for a frame while the picture moves; a browser draws some thousand things in time."""


def apart(count: int) -> tg.Graph:
    """Operations that are not connected."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    for _ in range(count):
        core.Placeholder.create(scope, tg.TFloat32, shape=())
    return graph


@pytest.mark.parametrize(
    ("make", "count"),
    [(lattice, 5000), (lattice, 10_000), (chain, 10_000), (apart, 10_000)],
    ids=["lattice", "large lattice", "chain", "apart"],
)
def test_a_large_graph_without_scopes_opens_and_moves(
    browser: Browser, tmp_path: Path, make: Callable[[int], tg.Graph], count: int
) -> None:
    shown = open_page(browser, tmp_path, make(count))
    assert len(shown.visible()) == count
    width, height = shown.read(ARRANGE)
    assert 0 < width < 1e7 and 0 < height < 1e7
    for scale in (0.1, 0.5, 1):
        shown.read("viewer.zoom(arguments[0] / viewer.camera.scale)", scale)
        assert 0 < shown.read(DRAWN) < 2000
    shown.read("viewer.fit()")
    assert 0 < shown.read(DRAWN) < 100
    assert browser.errors() == []


def test_a_large_graph_with_scopes_opens_closed_and_can_be_searched(browser: Browser, tmp_path: Path) -> None:
    graph, _ = layers(500)
    assert len(graph) > 5000
    shown = open_page(browser, tmp_path, graph)
    assert shown.frames() == []
    assert len(shown.visible()) == 501
    shown.read("document.querySelector('input[type=search]').focus()")
    browser.type("layer321/Tanh")
    shown.press("Enter")
    assert shown.selected() == "layer321/Tanh"
    assert shown.frames() == ["layer321"]
    at_point = "return document.elementFromPoint(arguments[0], arguments[1])?.tagName"
    assert browser.run(at_point, *shown.point("layer321/Tanh")) == "CANVAS"
    shown.read("viewer.showScopes(new Set(viewer.model.scopes.keys()))")
    assert len(shown.visible()) == len(graph)
    assert 0 < shown.read(DRAWN) < 5000
    assert browser.errors() == []
