"""Pictures for browsers: data with any names, pages without requests."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import unescape
from html.parser import HTMLParser
from operator import methodcaller
from typing import Any

import typegrad as tg
from tools.pictures.examples import masked
from tools.pictures.test_drawings import HOSTILE, hostile, small
from typegrad import pictures


class Parsed(HTMLParser):
    """The elements of a piece of HTML: their attributes, and the text in them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], str]] = []
        self._open: list[int] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), ""))
        if tag not in ("meta", "link", "img", "br"):
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            tag, attributes, text = self.elements[self._open[-1]]
            self.elements[self._open[-1]] = tag, attributes, text + data

    def texts(self, tag: str, **attributes: str) -> list[str]:
        """The texts of the elements with this name and these attributes."""
        return [text for name, its, text in self.elements if name == tag and its.items() >= attributes.items()]


def data(html: str) -> Any:
    """The data of the only figure."""
    (text,) = Parsed(html).texts("script", type="application/json")
    return json.loads(text)


def test_the_document_is_what_the_viewer_reads() -> None:
    example = masked()
    document = pictures.document(example.graph, y=example.loss)
    assert document["title"] == "Gradient of loss"
    index = [node["name"] for node in document["nodes"]].index
    node = document["nodes"][index("teacher/MatMul")]
    assert re.fullmatch(r"examples\.py:\d+", node["where"])
    assert json.loads(json.dumps(node)) == {
        "where": node["where"],
        "name": "teacher/MatMul", "type": "MatMul", "group": "linalg", "device": "",
        "attrs": [["transpose_a", "False"], ["transpose_b", "False"], ["grad_a", "False"], ["grad_b", "False"]],
        "inputs": [[index("x"), 0], [index("teacher/ReadVariableOp"), 0]], "inputNames": ["a", "b"], "control": [],
        "outputs": [{"name": "product", "dtype": "float32", "shape": "[Batch, 1]"}],
        "marks": ["masked"], "pathInputs": [],
    }  # fmt: skip


def test_control_inputs_devices_and_attributes_are_in_the_document() -> None:
    graph = small().graph
    nodes = {node["name"]: node for node in pictures.document(graph)["nodes"]}
    assert nodes["y"]["control"] == [0] and nodes["both"]["inputNames"] == ["input[0]", "input[1]"]
    assert nodes["both"]["inputs"][1][1] == 1 and nodes["both"]["group"] == "core"
    scope = tg.Scope(graph).with_device("/cpu:0")
    tg.Variable.create(scope, [1.0], tg.TFloat64)
    assert {node["device"] for node in pictures.document(graph, scope="Variable")["nodes"]} == {"/cpu:0"}


def test_what_lies_outside_of_the_scope_has_no_inputs() -> None:
    nodes = {node["name"]: node for node in pictures.document(masked().graph, scope="student")["nodes"]}
    assert list(nodes) == ["x", "w1/handle", "student/ReadVariableOp", "student/MatMul"]
    assert nodes["student/MatMul"]["inputs"] == [(0, 0), (2, 0)]
    inner = pictures.document(masked().graph, scope="loss")["nodes"]
    assert [node["name"] for node in inner] == ["loss/axis"]


def test_a_figure_holds_data_words_and_a_caption() -> None:
    example = masked()
    html = pictures.figure(example.graph, y=example.loss, caption="w1 & w2")
    assert data(html) == json.loads(json.dumps(pictures.document(example.graph, y=example.loss)))
    parsed = Parsed(html)
    assert parsed.elements[0][:2] == ("figure", {"class": "typegrad-graph"})
    assert parsed.texts("figcaption") == ["w1 & w2"]
    assert parsed.texts("pre") == [example.graph.to_text(y=example.loss)]
    assert "figcaption" not in pictures.figure(example.graph)


def test_no_name_can_leave_its_place() -> None:
    html = pictures.page(hostile(), title=HOSTILE, caption=HOSTILE)
    parsed = Parsed(html)
    assert data(html)["nodes"][0]["outputs"][0]["shape"] == f"[{HOSTILE}]"
    assert parsed.texts("title") == parsed.texts("figcaption") == [HOSTILE]
    assert parsed.texts("pre") == [hostile().to_text(title=HOSTILE)]
    kinds = {tag for tag, _, _ in parsed.elements}
    assert kinds == {
        "html", "head", "meta", "title", "style", "body", "main", "figure", "script", "figcaption", "details",
        "summary", "pre"
    }  # fmt: skip


def test_a_page_runs_its_own_scripts_and_asks_nobody_for_more() -> None:
    html = pictures.page(masked().graph)
    parsed = Parsed(html)
    (policy,) = [
        str(its["content"]) for _, its, _ in parsed.elements if its.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    scripts = [text for tag, its, text in parsed.elements if tag == "script" and not its]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    assert rules["default-src"] == "'none'" and rules["script-src"].split() == [f"'sha256-{d}'" for d in digests]
    assert scripts == [text for name, text in pictures.assets().items() if name.endswith(".js")]
    assert not re.search(r"""\b(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org/)""", html)
    assert parsed.elements[0][1] == {"lang": "en"} and html.startswith("<!DOCTYPE html>\n")


def test_assets_are_the_viewers_files_in_the_order_of_their_names() -> None:
    assets = pictures.assets()
    assert list(assets) == sorted(assets) and {"viewer.js", "viewer.css"} <= assets.keys()
    assert all(name.endswith((".js", ".css")) and text for name, text in assets.items())
    assert not [name for name, text in assets.items() if re.search(r"</(?:script|style)|<!--", text)]


def test_a_notebook_gets_a_page_in_a_frame() -> None:
    graph = hostile()
    html = methodcaller("_repr_html_")(graph)
    ((tag, attributes, _),) = Parsed(html).elements
    assert tag == "iframe" and attributes["sandbox"] == "allow-scripts"
    assert attributes["srcdoc"] == pictures.page(graph)
    assert unescape(str(attributes["title"])) == "Graph of 3 operations"
