"""Pictures of graphs of thousands of operations: they open, and move smoothly."""

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
    const start = performance.now();
    const view = model.visiblePart(viewer.model, new Set(viewer.model.scopes.keys()));
    const size = layout.arrange(view, (item) => viewer.ruler.sizeOf(item), () => 90, () => 100);
    return [performance.now() - start, size.width, size.height];
})()"""
"""How long it takes to arrange everything, in milliseconds, and the picture's size."""

PAN: Final = """(() => {
    const times = [];
    for (let i = 0; i < 31; i++) {
        viewer.camera.pan(i % 2 ? 9 : -7, i % 3 ? 5 : -11);
        const start = performance.now();
        viewer.paint();
        viewer.context.getImageData(0, 0, 1, 1);
        times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[15];
})()"""
"""The median time of a frame while the picture moves, in milliseconds, all pixels drawn."""


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
    milliseconds, width, height = shown.read(ARRANGE)
    assert milliseconds < 4000  # a fifth of that where the machine has nothing else to do
    assert 0 < width < 1e7 and 0 < height < 1e7
    for scale in (0.1, 0.5, 1):
        shown.read("viewer.zoom(arguments[0] / viewer.camera.scale)", scale)
        assert shown.read(PAN) < 32
    shown.read("viewer.fit()")
    assert shown.read(PAN) < 200
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
    assert shown.read(PAN) < 200
    assert browser.errors() == []
