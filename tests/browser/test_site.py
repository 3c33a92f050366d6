"""The site in a real browser, used as a reader uses it: search, keyboard, phone, dark mode, without scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from support import site
from support.browser import Browser, Scheme

QUERIES: Final = Path(__file__).parents[1] / "reference" / "queries.yaml"

OTHERS: Final = {
    "Variable": "api/typegrad.html#Variable",
    "tg.gradients": "api/typegrad.html#gradients",
    "Session.run": "api/typegrad.html#Session.run",
    "Adam": "api/typegrad.optimizers.html#Adam",
    "typegrad.losses.Huber": "api/typegrad.losses.html#Huber",
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
    "types.html",
    "api/index.html",
    "api/typegrad.html",
    "guides/gradients-and-stop-gradient.html",
    "project/registry.html",
    "source/ops/linalg.yaml.html",
)
"""One page of each kind."""

LOOKS: Final[tuple[tuple[int, int, Scheme], ...]] = (
    (1400, 900, "light"), (1400, 900, "dark"), (390, 844, "light"), (390, 844, "dark"),
)  # fmt: skip

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


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site.write(tmp_path_factory.mktemp("site"))


def hits(browser: Browser, query: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = browser.run(_HITS, query)
    return found


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
    wanted = [f"{folder.as_uri()}/{name}", "complete"]
    browser.wait(lambda: browser.run("return [location.href, document.readyState]") == wanted)


# Search


def test_the_search_finds_what_people_type(searching: Browser) -> None:
    queries: dict[str, str] = yaml.safe_load(QUERIES.read_text(encoding="utf-8"))
    assert len(queries) >= 40
    wrong: dict[str, Any] = {}
    for query, expected in queries.items():
        found = hits(searching, query)
        first = f"{found[0]['where']}.{found[0]['title']}" if found else ""
        if first != expected:
            wrong[query] = (first, expected)
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


@pytest.mark.parametrize("name", KINDS)
def test_a_page_is_accessible_fits_and_complains_about_nothing(browser: Browser, folder: Path, name: str) -> None:
    for width, height, scheme in LOOKS:
        browser.open(folder / name, width=width, height=height, scheme=scheme)
        browser.settle()
        look = f"{name} at {width} pixels, {scheme}"
        assert browser.accessibility_problems() == [], look
        assert browser.run("return document.documentElement.scrollWidth") == width, look
        assert browser.errors() == [], look
        assert browser.requests() == [], look


# An operation's page


def test_tabs_follow_the_keyboard_and_each_other(browser: Browser, folder: Path) -> None:
    browser.open(folder / "ops/linalg/MatMul.html")
    shown = "return [...document.querySelectorAll('.style')].filter((item) => !item.hidden).map((item) => item.dataset.title)"
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
        "source/framework/typegrad/optimizers/gradient_descent.py.html",
    ],
)
def test_nothing_is_wider_than_a_phone(browser: Browser, folder: Path, name: str) -> None:
    browser.open(folder / name, width=390, height=844)
    assert browser.run("return document.documentElement.scrollWidth") == 390
    assert not browser.run(
        "return [...document.querySelectorAll('.stack')].filter((item) => item.scrollWidth > item.clientWidth).length"
    )


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
            "const visible = (query) => [...document.querySelectorAll(query)].filter((item) => item.checkVisibility()).length;"
            "return [visible('.style'), visible('.top'), visible('.drawer'), visible('.toc')]"
        )
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert state == [5, 0, 0, 0]
