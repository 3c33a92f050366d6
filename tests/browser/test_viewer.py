"""The picture of a graph, used in a browser as a reader uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import typegrad as tg
from support.browser import Browser, Scheme
from support.picture import Picture, article, open_figure, open_page
from support.picture_graphs import chain, layers, two_losses
from typegrad.op import core, linalg, nn
from typegrad.tools.pictures import figure, frame

SIZES: Final = ((1400, 900), (390, 844))


@pytest.fixture
def picture(browser: Browser, tmp_path: Path) -> Picture:
    """The page of a graph with marks of every kind, all scopes closed."""
    graph, options = two_losses()
    shown = open_page(browser, tmp_path, graph, **options)
    shown.read("viewer.showScopes(new Set())")
    browser.settle()
    return shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_page_has_no_errors_asks_for_nothing_and_is_accessible(
    browser: Browser, tmp_path: Path, width: int, height: int, scheme: Scheme
) -> None:
    graph, options = two_losses()
    shown = open_page(browser, tmp_path, graph, width=width, height=height, scheme=scheme, **options)
    assert "StopGradient" in shown.visible()
    shown.click("StopGradient")
    assert shown.selected() == "StopGradient"
    assert browser.accessibility_problems() == []
    assert browser.errors() == []
    assert browser.requests() == []
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_figures_in_a_page_have_no_errors_ask_for_nothing_and_are_accessible(
    browser: Browser, tmp_path: Path, width: int, height: int, scheme: Scheme
) -> None:
    graph, options = two_losses()
    file = tmp_path / "article.html"
    file.write_text(article(figure(graph, **options), figure(layers(2)[0]), theme=scheme), encoding="utf-8")
    browser.open(file, width=width, height=height)
    shown = Picture(browser)
    shown.click("StopGradient")
    browser.run("document.querySelectorAll('input[type=search]')[0].focus()")
    browser.type("mat")
    assert browser.run("return document.querySelectorAll('.tg-viewer').length") == 2
    assert browser.accessibility_problems("main figure .tg-viewer") == []
    assert browser.errors() == []
    assert browser.requests() == []
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


def test_a_notebook_shows_the_picture_in_a_sandbox(browser: Browser, tmp_path: Path) -> None:
    graph, options = two_losses()
    file = tmp_path / "notebook.html"
    file.write_text(f"<!DOCTYPE html><title>Notebook</title>{frame(graph, **options)}", encoding="utf-8")
    browser.open(file)
    inner = browser.driver.find_element("css selector", "iframe")
    browser.driver.switch_to.frame(inner)
    try:
        shown = Picture(browser)
        assert "StopGradient" in shown.visible()
        assert shown.read("viewer.context.getImageData(5, 5, 1, 1).data[3]") == 255
    finally:
        browser.driver.switch_to.default_content()
    assert browser.errors() == []


# Scopes


def test_a_click_opens_a_scope_and_one_at_its_title_closes_it_where_they_stand(picture: Picture) -> None:
    assert {"learned/", "given/", "gradients/", "report/"} <= set(picture.visible())
    before = picture.point("learned")
    picture.click("learned")
    assert picture.frames() == ["learned"]
    assert "learned/handle" in picture.visible() and "learned/" not in picture.visible()
    assert picture.point("learned")[0] == pytest.approx(before[0], abs=1)
    assert picture.announced() == "learned expanded: 3 operations"
    picture.click("learned")
    assert picture.frames() == [] and "learned/" in picture.visible()
    assert picture.announced() == "learned collapsed: 3 operations"


def test_buttons_open_and_close_all_scopes(picture: Picture) -> None:
    picture.browser.run("document.querySelector('[aria-label=\"Expand all scopes\"]').click()")
    assert {"gradients", "gradients/Loss_grad", "learned"} <= set(picture.frames())
    assert not any(name.endswith("/") for name in picture.visible())
    picture.browser.run("document.querySelector('[aria-label=\"Collapse all scopes\"]').click()")
    assert picture.frames() == []


def test_a_frame_around_a_single_thing_gives_way_to_it(picture: Picture) -> None:
    assert "Loss/axis" in picture.visible()
    picture.browser.run("document.querySelector('[aria-label=\"Expand all scopes\"]').click()")
    assert "gradients/MatMul_grad" not in picture.frames()
    assert "gradients/MatMul_grad/MatMul" in picture.visible()


@pytest.mark.parametrize(("count", "frames"), [(2, {"layer0", "layer1"}), (30, set[str]())])
def test_scopes_are_open_at_the_start_in_small_graphs_only(
    browser: Browser, tmp_path: Path, count: int, frames: set[str]
) -> None:
    shown = open_page(browser, tmp_path, layers(count)[0])
    assert frames <= set(shown.frames())
    assert len(shown.visible()) <= 60


# Search and details


def test_the_search_finds_by_name_type_and_shape_and_opens_what_hides_a_hit(picture: Picture) -> None:
    browser = picture.browser
    script = "return [...document.querySelectorAll('[role=option]')].map((hit) => hit.firstChild.textContent)"
    for query, expected in {
        "loss_grad size": ["gradients/Loss_grad/Size", "gradients/Loss_grad/Size_1"],
        "stopgradient": ["StopGradient"],
        "resource": ["learned/handle", "given/handle"],
        "[2, 1] const": ["learned/initial_value", "given/initial_value"],
        "loss": ["Loss", "report/loss"],
    }.items():
        picture.read("(document.querySelector('input[type=search]').value = '')")
        picture.read("document.querySelector('input[type=search]').focus()")
        browser.type(query)
        assert browser.run(script)[: len(expected)] == expected
    assert "operations" in browser.run("return document.querySelector('.tg-count').textContent")
    picture.press("ArrowDown", "Enter")
    assert picture.selected() == "report/loss" and picture.frames() == ["report"]
    assert browser.run("return document.activeElement.tagName") == "CANVAS"
    x, y = picture.point("report/loss")
    assert 0 < x < 1100 and 50 < y < 850


def test_a_search_without_hits_says_so(picture: Picture) -> None:
    picture.read("document.querySelector('input[type=search]').focus()")
    picture.browser.type("convolution")
    assert picture.browser.run("return document.querySelector('.tg-count').textContent") == "Nothing found"
    picture.press("Enter")
    assert picture.selected() == ""
    picture.press("Escape")
    assert picture.browser.run("return document.querySelector('input[type=search]').value") == ""


def test_hits_are_not_cut_off_where_the_picture_is_low(browser: Browser, tmp_path: Path) -> None:
    shown = open_figure(browser, tmp_path, chain(4), width=700)
    shown.read("document.querySelector('input[type=search]').focus()")
    browser.type("neg")
    last = "[...document.querySelectorAll('[role=option]')].at(-1)"
    assert browser.run(
        f"const box = {last}.getBoundingClientRect();"
        f"return {last}.contains(document.elementFromPoint(box.left + 20, box.bottom - 3))"
    )


def test_details_tell_inputs_outputs_and_marks_and_lead_on(picture: Picture) -> None:
    picture.click("Sub")
    details = picture.details()
    for text in (
        "Sub",
        "created at picture_graphs.py:",
        "on the gradient path",
        "MatMul",
        "StopGradient",
        "float32 [?, 1]",
    ):
        assert text in details
    picture.browser.run("document.querySelector('.tg-details [title=\"StopGradient\"]').click()")
    assert picture.selected() == "StopGradient"
    assert "stops gradients" in picture.details()
    picture.click("gradients")
    assert "operations" in picture.details() and "RealDiv" in picture.details()
    picture.browser.run("document.querySelector('.tg-action').click()")
    assert picture.frames() == []


def test_details_show_attributes_and_values(browser: Browser, tmp_path: Path) -> None:
    scope = tg.Scope(tg.Graph())
    ones = core.Constant.create(scope.with_name("ones"), np.ones((2, 2), np.float32))
    product = linalg.MatMul.create(scope, ones, ones, transpose_a=True)
    with tg.Session(scope.graph) as session:
        shown = open_page(browser, tmp_path, scope.graph, y=product, session=session)
    shown.click("MatMul")
    assert "transpose_a" in shown.details() and "True" in shown.details()
    assert "2" in browser.run("return document.querySelector('.tg-details pre').textContent")


def test_texts_of_a_graph_are_texts_on_the_page(browser: Browser, tmp_path: Path) -> None:
    scope = tg.Scope(tg.Graph())
    text = "</script><img src=x onerror=alert(1)><!--"
    core.Placeholder.create(scope.with_device(text), tg.TFloat32, shape=())
    shown = open_figure(browser, tmp_path, scope.graph)
    shown.click("Placeholder")
    assert text in shown.details()
    assert browser.run("return document.images.length") == 0
    assert browser.errors() == []


def test_an_empty_graph_says_that_it_is_empty(browser: Browser, tmp_path: Path) -> None:
    shown = open_page(browser, tmp_path, tg.Graph())
    assert "The graph has no operations." in browser.run("return document.body.innerText")
    shown.focus()
    shown.press("Enter", "ArrowUp", "0", "+")
    assert shown.selected() == "" and browser.errors() == []


# Keyboard


def test_the_keyboard_alone_is_enough(picture: Picture) -> None:
    browser = picture.browser
    for _ in range(12):
        picture.press("Tab")
        if browser.run("return document.activeElement.tagName") == "CANVAS":
            break
    assert browser.run("return document.activeElement.tagName") == "CANVAS"
    picture.press("Enter")
    assert picture.selected() == "x"
    picture.press("ArrowDown")
    assert picture.selected() == "Target"
    picture.press("Escape")
    assert picture.selected() == "" and picture.announced() == "Nothing is selected"
    picture.read("viewer.goTo(viewer.model.nodes.find((node) => node.name === 'Sub'))")
    walked = [picture.selected()]
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        picture.press(key)
        walked.append(picture.selected())
    assert walked == ["Sub", "Square", "Loss", "Square"]
    assert picture.announced().startswith("Square; Square; 1 input; float32 [?, 1]; on the gradient path")


def test_enter_opens_a_scope_the_arrows_go_into_it_and_out_again(picture: Picture) -> None:
    picture.read("viewer.step(viewer.itemWithKey('scope:learned'))")
    picture.focus()
    picture.press("Enter")
    assert picture.frames() == ["learned"] and picture.selected() == "learned"
    picture.press("ArrowDown")
    assert picture.selected() == "learned/initial_value"
    picture.press("ArrowUp")
    assert picture.selected() == "learned"
    picture.press("Enter")
    assert picture.frames() == []


def test_arrows_to_the_side_go_along_a_row(picture: Picture) -> None:
    picture.click("learned")
    picture.click("learned/initial_value")
    picture.press("ArrowRight")
    assert picture.selected() == "learned/handle"
    picture.press("ArrowLeft")
    assert picture.selected() == "learned/initial_value"


def test_keys_pan_zoom_fit_and_lead_to_the_search(picture: Picture) -> None:
    picture.focus()
    start = picture.read("[viewer.camera.x, viewer.camera.y, viewer.camera.scale]")
    picture.press("ArrowRight", "ArrowDown")
    assert picture.read("[viewer.camera.x, viewer.camera.y]") == pytest.approx([start[0] - 60, start[1] - 60])
    picture.press("+", "+", "-")
    assert picture.read("viewer.camera.scale") == pytest.approx(start[2] * 1.25)
    picture.press("0")
    assert picture.read("[viewer.camera.x, viewer.camera.y, viewer.camera.scale]") == pytest.approx(start)
    picture.press("/")
    assert picture.browser.run("return document.activeElement.type") == "search"


# Mouse


def test_dragging_moves_the_picture_and_selects_nothing(picture: Picture) -> None:
    x, y = picture.point("Sub")
    picture.browser.mouse("mousePressed", x, y)
    for step in range(1, 6):
        picture.browser.mouse("mouseMoved", x + 20 * step, y + 10 * step, buttons=1)
    picture.browser.mouse("mouseReleased", x + 100, y + 50)
    picture.browser.settle()
    assert picture.point("Sub") == pytest.approx((x + 100, y + 50), abs=1)
    assert picture.selected() == ""


def test_the_wheel_zooms_at_the_pointer_in_a_page_of_its_own(picture: Picture) -> None:
    before = picture.read("viewer.camera.scale")
    x, y = picture.point("Sub")
    picture.browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100)
    picture.browser.settle()
    assert picture.read("viewer.camera.scale") > before
    assert picture.point("Sub") == pytest.approx((x, y), abs=1)


def test_the_wheel_scrolls_the_page_around_a_figure_unless_ctrl_is_held(browser: Browser, tmp_path: Path) -> None:
    graph, options = two_losses()
    shown = open_figure(browser, tmp_path, graph, height=500, **options)
    before = shown.read("viewer.camera.scale")
    browser.mouse("mouseWheel", 500, 300, deltaX=0, deltaY=80)
    browser.wait(lambda: browser.run("return scrollY > 0"))
    assert shown.read("viewer.camera.scale") == before
    browser.mouse("mouseWheel", 500, 300, deltaX=0, deltaY=-40, modifiers=2)
    browser.wait(lambda: shown.read("viewer.camera.scale") > before)


def test_two_fingers_zoom(picture: Picture) -> None:
    before = picture.read("viewer.camera.scale")
    driver = picture.browser.driver

    def touch(kind: str, *points: tuple[int, int]) -> None:
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    touch("touchStart", (600, 400), (700, 400))
    touch("touchMove", (550, 400), (750, 400))
    touch("touchMove", (500, 400), (800, 400))
    touch("touchEnd")
    picture.browser.settle()
    assert picture.read("viewer.camera.scale") == pytest.approx(before * 3, rel=0.05)


# Marks


def test_marks_differ_in_colour_and_in_shape(picture: Picture) -> None:
    assert picture.pixel("Sub", dx=-24) == picture.colour("path-fill")
    half = "viewer.painter.items.find((item) => item.node?.name === arguments[0]).height / 2"
    border = {name: picture.read(half, name) for name in ("Sub", "StopGradient")}
    assert picture.pixel("Sub", dy=-border["Sub"]) == picture.colour("path")
    assert picture.pixel("StopGradient", dy=border["StopGradient"] + 4.5) == picture.colour("stop")
    row = {picture.pixel("Target", dx=dx, dy=10) for dx in range(-20, 20)}
    assert len(row) > 2  # hatched
    corner = "viewer.painter.items.find((item) => item.key === 'scope:gradients').width / 2 - 3"
    assert picture.pixel("gradients", dx=-picture.read(corner), dy=-18) == picture.colour("ground")  # round ends


def test_the_legend_names_what_occurs_and_switches_it(picture: Picture) -> None:
    legend = picture.browser.run(
        "return [...document.querySelectorAll('.tg-entry')].map((entry) => entry.innerText.trim())"
    )
    assert legend == [
        "y\ndifferentiated", "x\nwith respect to", "gradient path", "masked by StopGradient", "stops gradients",
        "added by a gradient", "keeps state", "order only",
    ]  # fmt: skip
    switch = (
        "[...document.querySelectorAll('label.tg-entry')].find((entry) => "
        "entry.innerText.includes(arguments[0])).click()"
    )
    picture.read(switch, "gradient path")
    picture.browser.settle()
    assert picture.pixel("Sub", dx=-24) == picture.colour("node")
    assert "gradients/" in picture.visible()
    picture.read(switch, "added")
    picture.browser.settle()
    assert not any(name.startswith("gradients") for name in picture.visible())
    picture.read("viewer.goTo(viewer.model.nodes.find((node) => node.name === 'gradients/Loss_grad/Cast'))")
    assert picture.selected() == "gradients/Loss_grad/Cast"  # what is sought is shown again


def test_a_graph_without_marks_has_no_legend(browser: Browser, tmp_path: Path) -> None:
    scope = tg.Scope(tg.Graph())
    core.Placeholder.create(scope, tg.TFloat32, shape=())
    open_page(browser, tmp_path, scope.graph)
    assert browser.run("return document.querySelector('.tg-legend').hidden")


def test_wires_carry_dtypes_and_shapes_and_tell_outputs_apart(browser: Browser, tmp_path: Path) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch", 4))
    top = nn.TopK.create(scope, x, 2)
    core.Identity.create(scope, top.values)
    core.Identity.create(scope, top.indices)
    shown = open_page(browser, tmp_path, scope.graph)
    labels = shown.read("viewer.painter.labels.map((label) => label.text)")
    assert "float32 [Batch, 4]" in labels
    assert "values: float32 [Batch, 2]" in labels
    assert "indices: int32 [Batch, 2]" in labels
    ends = shown.read("viewer.painter.labels.filter((label) => label.text.includes(':')).map((label) => label.x)")
    assert ends[0] != ends[1]


# Light and dark


def test_the_picture_follows_the_readers_scheme_while_it_is_shown(browser: Browser, tmp_path: Path) -> None:
    graph, options = two_losses()
    shown = open_figure(browser, tmp_path, graph, scheme="light", **options)
    light = shown.colour("ground")
    browser.prefer("dark")
    browser.settle()
    dark = shown.colour("ground")
    assert sum(dark) < 150 < 700 < sum(light)
    assert shown.read("[...viewer.context.getImageData(3, 3, 1, 1).data].slice(0, 3)") == list(dark)


def test_the_pages_theme_goes_before_the_readers_scheme(browser: Browser, tmp_path: Path) -> None:
    graph, options = two_losses()
    shown = open_figure(browser, tmp_path, graph, scheme="light", theme="dark", **options)
    assert sum(shown.colour("ground")) < 150
    browser.run("document.documentElement.dataset.theme = 'light'")
    browser.settle()
    assert sum(shown.colour("ground")) > 700


# Sizes


def test_a_figure_that_was_hidden_is_drawn_when_it_is_shown(browser: Browser, tmp_path: Path) -> None:
    graph, options = two_losses()
    file = tmp_path / "tabs.html"
    file.write_text(article(f"<div id=tab hidden>{figure(graph, **options)}</div>"), encoding="utf-8")
    browser.open(file)
    browser.settle()
    assert browser.errors() == []
    browser.run("document.querySelector('#tab').hidden = false")
    browser.settle()
    assert "Sub" in Picture(browser).visible()


def test_the_canvas_has_the_devices_pixels(browser: Browser, tmp_path: Path) -> None:
    graph, options = two_losses()
    shown = open_figure(browser, tmp_path, graph, **options)
    browser.resize(800, 700, ratio=2)
    browser.settle()
    browser.settle()
    assert shown.read("viewer.canvas.width === 2 * viewer.canvas.clientWidth")


def test_details_stand_below_the_picture_where_it_is_narrow(browser: Browser, tmp_path: Path) -> None:
    graph, options = two_losses()
    box = "viewer[arguments[0]].getBoundingClientRect()"
    for width, is_below in ((1200, False), (390, True)):
        shown = open_figure(browser, tmp_path, graph, width=width, **options)
        shown.click("Sub")
        stage, details = (shown.read(box, name) for name in ("stage", "details"))
        assert (details["top"] >= stage["bottom"] - 1) is is_below
        assert (details["left"] >= stage["right"] - 1) is not is_below
