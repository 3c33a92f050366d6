"""How pictures are laid out: the pure functions of layers.js, layout.js and model.js, run in a browser."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import pytest

from support.browser import Browser
from support.picture import article

Edge: TypeAlias = tuple[int, int]

DIAMOND: Final = [(0, 1), (0, 2), (1, 3), (2, 3)]
SIZE: Final = {"left": 40, "right": 40, "width": 80, "height": 40}


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """A page that has the functions, and no picture."""
    file: Path = tmp_path_factory.mktemp("layout") / "functions.html"
    file.write_text(article(), encoding="utf-8")
    browser.open(file)
    return browser


def call(page: Browser, expression: str, *arguments: object) -> Any:
    """The value of an expression over the functions; via JSON, in which infinity would be null."""
    return json.loads(page.run(f"return JSON.stringify((({expression})))", *arguments))


def ranks(page: Browser, count: int, edges: Sequence[Edge], pins: Sequence[int] | None = None) -> list[int]:
    script = """(() => {
        const { backEdges, rankBoxes } = typegradGraph.layers;
        const [from, to] = [arguments[1].map((edge) => edge[0]), arguments[1].map((edge) => edge[1])];
        return [...rankBoxes(arguments[2], from, to, backEdges(arguments[0], from, to))];
    })()"""
    result: list[int] = call(page, script, count, list(edges), list(pins or [0] * count))
    return result


def drawn(page: Browser, count: int, edges: Sequence[Edge]) -> dict[str, Any]:
    """A drawing of boxes of one size, a wire for each box with consumers."""
    wires = [
        {"from": box, "fromOffset": 0, "sinks": [{"to": to, "toOffset": None} for start, to in edges if start == box]}
        for box in range(count)
        if any(start == box for start, _ in edges)
    ]
    script = """(() => {
        const drawing = typegradGraph.layers.drawLayers(arguments[0], arguments[1]);
        const parent = (hop) => drawing.hops.indexOf(hop.parent);
        return { ...drawing, hops: drawing.hops.map((hop) => ({ ...hop, parent: parent(hop) })) };
    })()"""
    drawing: dict[str, Any] = call(page, script, [{**SIZE, "pin": 0}] * count, wires)
    return drawing


def random_edges(count: int, seed: int) -> list[Edge]:
    """Every box but the first takes from one or two before it."""
    random = Random(seed)
    return sorted({(random.randrange(max(0, to - 8), to), to) for to in range(1, count) for _ in range(2)})


@pytest.mark.parametrize(
    ("count", "edges", "expected"),
    [
        pytest.param(1, [], [0], id="single"),
        pytest.param(3, [(0, 1), (1, 2)], [0, 1, 2], id="chain"),
        pytest.param(4, DIAMOND, [0, 1, 1, 2], id="diamond"),
        pytest.param(4, [(0, 1), (1, 2), (0, 2), (3, 2)], [0, 1, 2, 1], id="sources are above what they feed"),
        pytest.param(3, [(0, 1), (1, 2), (2, 0)], [0, 1, 2], id="cycle"),
    ],
)
def test_ranks(page: Browser, count: int, edges: Sequence[Edge], expected: list[int]) -> None:
    assert ranks(page, count, edges) == expected


def test_ports_stand_at_the_borders(page: Browser) -> None:
    # 0: upper border, 1 to 3: boxes, 4: lower border
    assert ranks(page, 5, [(0, 1), (1, 2), (1, 4), (2, 3)], [1, 0, 0, 0, 2]) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(5))
def test_wires_lead_down_through_bends_that_they_share(page: Browser, seed: int) -> None:
    edges = random_edges(40, seed)
    drawing = drawn(page, 40, edges)
    hops = drawing["hops"]
    assert sum(hop["sink"] >= 0 for hop in hops) == len(edges)
    for hop in hops:
        assert hop["y1"] <= hop["bend1"] < hop["bend2"] <= hop["y2"]
        if hop["parent"] >= 0:
            before = hops[hop["parent"]]
            assert (before["x2"], before["y2"], before["wire"]) == (hop["x1"], hop["y1"], hop["wire"])
    wires = {(hop["wire"], hop["a"], hop["b"]) for hop in hops}
    assert len(wires) == len(hops)


@pytest.mark.parametrize("seed", range(5))
def test_boxes_do_not_overlap_and_lie_within_the_picture(page: Browser, seed: int) -> None:
    drawing = drawn(page, 40, random_edges(40, seed))
    boxes = list(zip(drawing["x"], drawing["y"], strict=True))
    for (x1, y1), (x2, y2) in itertools.combinations(boxes, 2):
        assert abs(x1 - x2) >= 80 - 1e-6 or abs(y1 - y2) >= 40
    assert all(40 - 1e-6 <= x <= drawing["width"] - 40 + 1e-6 and 0 <= y <= drawing["height"] - 40 for x, y in boxes)


def test_a_wire_does_not_pass_through_boxes(page: Browser) -> None:
    edges = [(0, 1), (1, 2), (2, 3), (0, 3)]
    drawing = drawn(page, 4, edges)
    middle = [(drawing["x"][box], drawing["y"][box]) for box in (1, 2)]
    for hop in drawing["hops"]:
        for x, y in middle:
            if hop["wire"] == 0 and hop["bend2"] <= y + 20 <= hop["y2"] and hop["y2"] > y + 40:
                assert abs(hop["x2"] - x) > 40


def test_a_wire_that_leads_back_turns_around_below_its_source_and_above_its_sink(page: Browser) -> None:
    drawing = drawn(page, 4, [(0, 1), (1, 2), (2, 3), (2, 0)])
    assert sorted(drawing["y"]) == drawing["y"]
    by_index = dict(enumerate(drawing["hops"]))
    last = next(hop for hop in drawing["hops"] if hop["turn"] == "above")
    assert (last["b"], last["y2"]) == (0, drawing["y"][0])
    path = [last]
    while path[-1]["parent"] >= 0:
        path.append(by_index[path[-1]["parent"]])
    assert [hop["turn"] for hop in path] == ["above", "", "", "below"]
    assert (path[-1]["a"], path[-1]["y1"]) == (2, drawing["y"][2] + 40)
    for hop, before in itertools.pairwise(path):
        assert (hop["x1"], hop["y1"]) == (before["x2"], before["y2"])
        assert before["x2"] == pytest.approx(path[1]["x2"], abs=2)
        assert all(abs(before["x2"] - x) > 40 for x in drawing["x"])


def test_a_planar_graph_has_no_crossings(page: Browser) -> None:
    tree = [((child - 1) // 2, child) for child in range(1, 31)]
    random = Random(1)
    names = list(range(31))
    random.shuffle(names)
    script = """(() => {
        const { orderRanks, countCrossings } = typegradGraph.crossings;
        const hops = arguments[1].map(([upper, lower]) => ({ upper, lower, isLong: false }));
        const { layers, position } = orderRanks(arguments[0], hops);
        const lower = (entity) => hops.filter((hop) => hop.upper === entity).map((hop) => hop.lower);
        const below = arguments[0].map((_, entity) => lower(entity));
        return countCrossings(layers, below, position);
    })()"""
    shuffled = [(names[a], names[b]) for a, b in tree]
    rank = [0] * 31
    for number, name in enumerate(names):
        rank[name] = (number + 1).bit_length() - 1
    assert call(page, script, rank, shuffled) == 0


@pytest.mark.parametrize(
    ("preferred", "weights", "gaps", "expected"),
    [
        ([0, 20, 40], [1, 1, 1], [0, 10, 10], [0, 20, 40]),
        ([0, 0], [1, 1], [0, 10], [-5, 5]),
        ([0, 0], [3, 1], [0, 8], [-2, 6]),
        ([5, 0, 40], [1, 1, 1], [0, 5, 5], [0, 5, 40]),
        ([0, 0, 0], [1, 1, 1], [0, 10, 10], [-10, 0, 10]),
    ],
)
def test_positions_keep_their_distances_and_stay_near_the_preferred_ones(
    page: Browser, preferred: list[float], weights: list[float], gaps: list[float], expected: list[float]
) -> None:
    script = "typegradGraph.columns.place(arguments[0], arguments[1], arguments[2])"
    placed = call(page, script, preferred, weights, gaps)
    assert placed == pytest.approx(expected)


def test_parts_are_packed_into_rows_about_twice_as_wide_as_high(page: Browser) -> None:
    script = """(() => {
        const drawings = Array.from({ length: arguments[0] }, () => ({ width: 100, height: 50 }));
        return { ...typegradGraph.layout.pack(drawings), drawings };
    })()"""
    packed = call(page, script, 200)
    assert 1 < packed["width"] / packed["height"] < 4
    places = {(drawing["left"], drawing["top"]) for drawing in packed["drawings"]}
    assert len(places) == 200


SCALAR: Final = {"name": "y", "dtype": "int8", "shape": "[]"}
DOCUMENT: Final = {
    "title": "scopes",
    "nodes": [
        {"name": "a", "type": "A", "outputs": [{"name": "y", "dtype": "float32", "shape": "[2]"}], "marks": []},
        {"name": "s/t/b", "type": "B", "inputs": [[0, 0]], "outputs": [SCALAR], "marks": []},
        {"name": "s/t/c", "type": "C", "inputs": [[1, 0]], "outputs": [SCALAR], "marks": []},
        {"name": "s/d", "type": "D", "inputs": [[2, 0], [0, 0]], "outputs": [], "marks": []},
        {"name": "e", "type": "E", "inputs": [[1, 0]], "control": [3], "outputs": [], "marks": []},
    ],
}  # fmt: skip


BORDER_CASES: Final = [
    ([], ["a", "s/", "e"], {"": ["a>s", "s>e", "s>e"]}),
    (["s"], ["a", "e", "s/t/", "s/d"], {"": ["a>s", "s>e", "s>e"], "s": [">s/t", ">s/d", "s/t>s/d", "s/t>", "s/d>"]}),
]
"""The open scopes, what is seen, and for each scope what passes from where to where: empty means the border."""


@pytest.mark.parametrize(("expanded", "items", "ties"), BORDER_CASES)
def test_wires_pass_through_the_borders_of_open_scopes(
    page: Browser, expanded: list[str], items: list[str], ties: dict[str, list[str]]
) -> None:
    script = """(() => {
        const { readModel, visiblePart } = typegradGraph.model;
        const view = visiblePart(readModel(arguments[0]), new Set(arguments[1]));
        const shown = view.levels.flatMap((level) => level.items.filter((item) => item.kind !== "level"));
        const name = (item, level) => (item === level ? "" : item.node?.name ?? item.scope.path);
        const tiesOf = (level) => [...level.wires.values()].flatMap((wire) =>
            [...wire.sinks.keys()].map((sink) => `${name(wire.source, level)}>${name(sink, level)}`));
        return {
            items: shown.map((item) => item.node ? item.node.name : item.scope.path + "/"),
            ties: Object.fromEntries(view.levels.map((level) => [level.scope.path, tiesOf(level)])),
        };
    })()"""
    seen = call(page, script, DOCUMENT, expanded)
    assert seen["items"] == items
    assert {scope: sorted(ties) for scope, ties in seen["ties"].items()} == {
        scope: sorted(expected) for scope, expected in ties.items()
    }
