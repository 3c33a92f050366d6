"""The site in a real browser, used as a reader uses it: search, keyboard, phone, dark mode, without scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from support import site
from support.browser import Browser, Scheme
from support.entries import entries

QUERIES: Final = Path(__file__).parents[1] / "reference" / "queries.yaml"

OTHERS: Final = {
    "Variable": "api/typegrad.html#Variable",
    "tg.gradients": "api/typegrad.html#gradients",
    "Session.run": "api/typegrad.html#Session.run",
    "Adam": "api/typegrad.training.optimizers.html#Adam",
    "typegrad.training.losses.Huber": "api/typegrad.training.losses.html#Huber",
    "coming from jax": "guides/from-jax.html",
    "static typing": "guides/static-typing.html",
    "adversarial training": "guides/gradients-and-stop-gradient.html#adversarial-training",
}
"""What leads elsewhere than to operations, and where."""

KINDS: Final = (
    "index.html",
    "ops/index.html",
    "ops/linalg/index.html",
    "ops/core/StopGradient.html",
    "ops/nn/SparseSoftmaxCrossEntropyWithLogits.html",
    "ops/core/Constant.html",
    "names/index.html",
    "names/numpy.html",
    "names/java.html",
    "types.html",
    "api/index.html",
    "api/typegrad.html",
    "guides/gradients-and-stop-gradient.html",
    "project/registry.html",
    "source/ops/matmul.yaml.html",
)
"""One page of each kind."""

LOOKS: Final[tuple[tuple[int, int, Scheme], ...]] = (
    (1400, 900, "light"), (1400, 900, "dark"), (1280, 900, "light"), (390, 844, "light"), (390, 844, "dark"),
)  # fmt: skip

GROUPS: Final = frozenset(op.group for op in entries().values())

_HITS: Final = """
const field = document.getElementById("site-query");
field.value = arguments[0];
field.dispatchEvent(new Event("input"));
return [...document.querySelectorAll("#site-hits li")].map((item) => ({
  title: item.querySelector("span").textContent,
  where: item.querySelector("small").textContent,
  by: item.querySelector(".by")?.textContent ?? "",
}));
"""


@pytest.fixture
def folder() -> Path:
    return site.folder()


def hits(browser: Browser, query: str) -> list[dict[str, str]]:
    result: list[dict[str, str]] = browser.run(_HITS, query)
    return result


def label(hit: dict[str, str]) -> str:
    """A hit as the queries name it: an operation is where it belongs, a dot and its name; others have a colon."""
    return f"{hit['where']}{'.' if hit['where'] in GROUPS else ': '}{hit['title']}"


def slash(browser: Browser) -> None:
    """Press the key that leads to the search field, once the window takes keys."""
    browser.settle()
    browser.press("/")
    browser.wait(lambda: browser.run("return document.activeElement.id") == "site-query")


@pytest.fixture
def searching(browser: Browser, folder: Path) -> Browser:
    """A page with the focus in the search field and the index loaded."""
    browser.open(folder / "index.html")
    slash(browser)
    browser.wait(lambda: hits(browser, "MatMul"))
    return browser


def arrive(browser: Browser, folder: Path, name: str) -> None:
    """Wait until another page is there, all of it."""
    expected = [f"{folder.as_uri()}/{name}", "complete"]
    browser.wait(lambda: browser.run("return [location.href, document.readyState]") == expected)


# Search


def test_the_search_finds_what_people_type(searching: Browser) -> None:
    queries: dict[str, Any] = yaml.safe_load(QUERIES.read_text(encoding="utf-8"))
    assert len(queries) >= 40
    wrong: dict[str, Any] = {}
    for query, expected in queries.items():
        titles = [expected] if isinstance(expected, str) else expected
        result = hits(searching, query)[: len(titles)]
        if [label(hit) for hit in result] != titles:
            wrong[query] = ([label(hit) for hit in result], titles)
    assert not wrong
    assert not searching.errors()


@pytest.mark.parametrize("query", OTHERS)
def test_the_search_finds_guides_and_the_api(searching: Browser, folder: Path, query: str) -> None:
    assert hits(searching, query)
    searching.press("Enter")
    arrive(searching, folder, OTHERS[query])


def test_a_hit_says_by_which_name_it_was_found(searching: Browser) -> None:
    assert hits(searching, "jax.numpy.where")[0] == {"title": "Select", "where": "core", "by": "jnp.where"}
    assert hits(searching, "Select")[0]["by"] == ""


def test_what_is_not_here_is_said_and_leads_to_what_comes_nearest(searching: Browser, folder: Path) -> None:
    first, second, *_ = hits(searching, "tf.nn.conv1d")
    assert (first["where"], second["title"]) == ("not here", "Conv2d")
    said = searching.run("return document.querySelector('#site-hits .absent p').textContent")
    assert said.startswith("Convolutions are over two or three dimensions.")
    assert said.endswith("Nearest: Conv2d")
    searching.press("Enter")
    arrive(searching, folder, "ops/nn/Conv2d.html")


def test_what_has_no_like_here_leads_to_how_to_add_it(searching: Browser, folder: Path) -> None:
    assert hits(searching, "tf.raw_ops.Abort")[0]["where"] == "not here"
    searching.press("Enter")
    arrive(searching, folder, "guides/adding-an-operation.html")


def test_nothing_found_is_said(searching: Browser) -> None:
    assert hits(searching, "qqqqqq") == []
    assert searching.run("return document.getElementById('site-found').textContent") == "No results"
    assert searching.run("return document.getElementById('site-query').getAttribute('aria-expanded')") == "false"


def test_the_search_is_used_with_the_keyboard(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/core/Sum.html")
    slash(browser)
    browser.type("softmax")
    browser.wait(lambda: browser.run("return document.querySelectorAll('#site-hits li').length > 2"))
    chosen = "return document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent"
    assert browser.run(chosen).startswith("Softmax")
    first = browser.run(chosen)
    browser.press("ArrowDown")
    assert browser.run(chosen) != first
    browser.press("ArrowUp")
    assert browser.run(chosen) == first
    browser.press("Escape")
    assert browser.run("return document.getElementById('site-hits').hidden")
    assert browser.run("return document.activeElement.id") == "site-query"
    browser.press("ArrowDown")
    assert not browser.run("return document.getElementById('site-hits').hidden")
    browser.press("Enter")
    arrive(browser, folder, "ops/nn/Softmax.html")


def test_a_hit_is_clicked(searching: Browser, folder: Path) -> None:
    hits(searching, "np.take")
    box = searching.run("const r = document.querySelector('#site-hits li').getBoundingClientRect(); return [r.x, r.y]")
    searching.click(box[0] + 20, box[1] + 10)
    arrive(searching, folder, "ops/core/Gather.html")


def test_the_index_is_loaded_only_when_it_is_needed(browser: Browser, folder: Path) -> None:
    browser.open(folder / "index.html")
    loaded = "return document.querySelectorAll('script[src$=\"index.js\"]').length"
    assert browser.run(loaded) == 0
    slash(browser)
    browser.wait(lambda: browser.run(loaded) == 1)


# All kinds of pages

AUDITED: Final[tuple[frozenset[tuple[int, Scheme]], ...]] = (
    frozenset({(1400, "light"), (390, "dark")}),
    frozenset({(1400, "dark"), (390, "light")}),
)
"""The looks in which axe checks a page: it takes seconds, and all pages have the same frame and style sheet."""

SHORTEN: Final = (
    "document.querySelectorAll('tbody tr:nth-child(n + 20), li:nth-child(n + 20)').forEach((item) => item.remove())"
)
"""Leave out most rows of long tables and lists. They are alike, and axe takes half a minute for a thousand."""


@pytest.mark.parametrize("name", KINDS)
def test_a_page_is_accessible_fits_and_complains_about_nothing(browser: Browser, folder: Path, name: str) -> None:
    audited = AUDITED[KINDS.index(name) % 2]
    for width, height, scheme in LOOKS:
        browser.open(folder / name, width=width, height=height, scheme=scheme)
        browser.settle()
        look = f"{name} at {width} pixels, {scheme}"
        assert browser.run("return document.documentElement.scrollWidth") == width, look
        if (width, scheme) in audited:
            browser.run(SHORTEN)
            assert browser.accessibility_problems() == [], look
        assert browser.errors() == [], look
        assert browser.requests() == [], look


# An operation's page


def test_tabs_follow_the_keyboard_and_each_other(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/linalg/MatMul.html")
    shown = (
        "return [...document.querySelectorAll('.style')].filter((item) => !item.hidden).map((item) => "
        "item.dataset.title)"
    )
    assert browser.run(shown) == ["Classes", "Classes"]
    browser.run("document.querySelector('[role=tab]').focus()")
    browser.press("ArrowRight")
    assert browser.run(shown) == ["Facade", "Facade"]
    browser.press("ArrowRight")
    assert browser.run(shown) == ["Operators", "Classes"], "the second example has attributes, so no operator"
    assert browser.run("return document.activeElement.textContent") == "Operators"
    browser.press("ArrowRight")
    assert browser.run(shown) == ["Classes", "Classes"]


def test_the_picture_of_the_gradient_is_drawn_when_it_comes_near(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/linalg/MatMul.html")
    drawn = "return document.querySelectorAll('figure.typegrad-graph canvas').length"
    assert browser.run(drawn) == 0
    browser.run("document.getElementById('gradient-graph').scrollIntoView()")
    browser.wait(lambda: browser.run(drawn) == 1)
    browser.settle()
    assert browser.accessibility_problems() == []
    assert browser.errors() == []


def test_names_in_code_lead_to_their_pages(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/linalg/MatMul.html")
    browser.run("document.querySelector('.tabs a[href$=\"Constant.html\"]').click()")
    arrive(browser, folder, "ops/core/Constant.html")


# Reading


def test_the_first_tab_skips_to_the_content(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/core/Sum.html")
    browser.settle()
    browser.press("Tab")
    assert browser.run("return document.activeElement.className") == "skip"
    browser.press("Enter")
    assert browser.wait(lambda: browser.run("return document.activeElement.id")) == "site-content"


def test_every_place_where_tab_stops_is_visible(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/linalg/MatMul.html")
    stops: list[str] = []
    for _ in range(40):
        browser.press("Tab")
        at = browser.run(
            "const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();"
            "return [at.outerHTML.slice(0, 60), style.outlineStyle !== 'none' && box.width > 0]"
        )
        assert at[1], at[0]
        stops.append(at[0])
    assert len(set(stops)) > 30


def test_the_colours_follow_the_reader_and_are_remembered(browser: Browser, folder: Path) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    browser.open(folder / "index.html", scheme="dark")
    dark = browser.run(ground)
    browser.prefer("light")
    light = browser.run(ground)
    assert dark != light
    browser.run("document.getElementById('site-theme').click(); document.getElementById('site-theme').click()")
    assert browser.run("return document.getElementById('site-theme-name').textContent") == "dark"
    assert browser.run(ground) == dark
    browser.open(folder / "types.html", scheme="light")
    assert browser.run(ground) == dark
    browser.run("document.getElementById('site-theme').click()")
    assert browser.run(ground) == light


def test_the_contents_open_on_a_phone(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/core/Sum.html", width=390, height=844)
    visible = "return document.querySelector('.tree [aria-current=page]').checkVisibility()"
    assert not browser.run(visible)
    browser.run("document.querySelector('#site-drawer > summary').click()")
    assert browser.run(visible)
    browser.resize(1400, 900)
    browser.wait(lambda: browser.run(visible))


def test_the_sections_of_a_page_open_on_a_phone_and_close_when_one_is_chosen(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/core/Sum.html", width=390, height=844)
    link = 'document.querySelector(\'#site-toc a[href="#parameters"], #site-toc a[href="#create"]\')'
    assert not browser.run(f"return {link}.checkVisibility()")
    browser.run("document.querySelector('#site-toc > summary').click()")
    assert browser.run(f"return {link}.checkVisibility()")
    browser.run(f"{link}.click()")
    browser.wait(lambda: not browser.run(f"return {link}.checkVisibility()"))
    assert browser.run("return location.hash") == "#create"
    browser.resize(1400, 900)
    browser.wait(lambda: browser.run(f"return {link}.checkVisibility()"))


@pytest.mark.parametrize(
    "name",
    [
        "ops/nn/DepthwiseConv2dNative.html",
        "ops/train/ResourceApplyAdadelta.html",
        "ops/nn/index.html",
        "types.html",
        "source/framework/typegrad/training/optimizers/gradient_descent.py.html",
    ],
)
def test_nothing_is_wider_than_a_phone(browser: Browser, folder: Path, name: str) -> None:
    browser.open(folder / name, width=390, height=844)
    assert browser.run("return document.documentElement.scrollWidth") == 390
    assert not browser.run(
        "return [...document.querySelectorAll('.stack')].filter((item) => item.scrollWidth > item.clientWidth).length"
    )


@pytest.mark.parametrize(
    "name",
    [
        "names/java.html",
        "names/raw-ops.html",
        "names/tensorflow.html",
        "ops/nn/DepthwiseConv2dNativeBackpropFilter.html",
        "ops/train/PreventGradient.html",
        "ops/train/ResourceSparseApplyProximalGradientDescent.html",
        "types.html",
    ],
)
def test_tables_and_drawings_fit_a_window_of_1280_pixels(browser: Browser, folder: Path, name: str) -> None:
    browser.open(folder / name, width=1280, height=900)
    assert browser.run(
        "return [...document.querySelectorAll('.stack, .picture')].filter((item) => item.scrollWidth > "
        "item.clientWidth).map((item) => item.getAttribute('aria-label'))"
    ) == []  # fmt: skip


def test_the_hierarchy_of_types_is_drawn_whole_or_told_in_words(browser: Browser, folder: Path) -> None:
    edges = (
        "const svg = document.querySelector('.hierarchy').getBoundingClientRect();"
        "const main = document.querySelector('main').getBoundingClientRect();"
        "return [svg.width, main.right - svg.right]"
    )
    browser.open(folder / "types.html", width=1280, height=900)
    width, room = browser.run(edges)
    assert width > 600 and room >= 0
    browser.open(folder / "types.html", width=390, height=844)
    assert browser.run(edges)[0] == 0
    assert browser.run("return document.querySelector('.classes').checkVisibility()")


def test_items_with_formulas_keep_their_bullets_on_a_phone(browser: Browser, folder: Path) -> None:
    """A browser draws a bullet beside its item: what clips the item hides it."""
    browser.open(folder / "index.html", width=390, height=844)
    assert browser.run(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<ul id=list><li><math><mi>x</mi></math> "
        "is there</ul>');const list = document.getElementById('list');"
        "return [getComputedStyle(list.firstChild).overflowX, getComputedStyle(list).overflowX]"
    ) == ["visible", "auto"]  # fmt: skip


@pytest.mark.parametrize("width", [1280, 390])
def test_the_copy_button_covers_no_code(browser: Browser, folder: Path, width: int) -> None:
    browser.open(folder / "ops/core/StopGradient.html", width=width, height=900)
    covered = browser.run(
        "return [...document.querySelectorAll('.code-box')].filter((box) => box.checkVisibility()).map((box) => {"
        "  const button = box.querySelector('.copy').getBoundingClientRect();"
        "  const text = document.createRange(); text.selectNodeContents(box.querySelector('code'));"
        "  return [...text.getClientRects()].some((line) => line.top < button.bottom && line.bottom > button.top);"
        "});"
    )
    assert len(covered) > 5 and not any(covered)


def test_without_scripts_everything_but_search_and_pictures_is_there(browser: Browser, folder: Path) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(folder / "ops/linalg/MatMul.html")
        shown = browser.driver.find_element("tag name", "main").text
        controls = [browser.driver.find_element("id", name).is_displayed() for name in ("site-search", "site-theme")]
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    for style in ("linalg.MatMul.create(scope, a, b)", "tf.linalg.mat_mul(a, b)", "a @ b"):
        assert style in shown
    assert controls == [False, False]


def test_print_shows_all_styles_and_no_navigation(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/linalg/MatMul.html")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        state = browser.run(
            "const visible = (query) => [...document.querySelectorAll(query)].filter((item) => "
            "item.checkVisibility()).length;return [visible('.style'), visible('.top'), visible('.drawer'), "
            "visible('.toc')]"
        )
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert state == [5, 0, 0, 0]
