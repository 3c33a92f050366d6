"""Operations of somebody's own registry have pages like typegrad's operations."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from support.commands import Run
from support.commands import run as run
from support.own_registry import ENTRY, Make
from support.own_registry import own_registry as own_registry
from typegrad_codegen.bundled import registry
from typegrad_codegen.load import load
from typegrad_codegen.schema import Entry
from typegrad_reference.entries.declaration import facade
from typegrad_reference.entries.examples import programs
from typegrad_reference.entries.facts import facts
from typegrad_reference.entries.running import problems
from typegrad_reference.entries.running import run as run_program
from typegrad_reference.site import build as site
from typegrad_reference.site.plan import Tree, plan

CLASSES = """\
import typegrad as tg
from solids.op.demo import Cube
from typegrad.op import core

scope = tg.Scope(tg.Graph())
x = core.Constant.create(scope, [1.0, -2.0])
y = Cube.create(scope, x)
(d_x,) = tg.gradients(scope, y, (x,))
with tg.Session(scope.graph) as session:
    print(session.run(y))
    print(session.run(d_x))
"""
FACADE = """\
import typegrad as tg
from solids.op import Ops

tf = tg.Ops.create(tg.Graph())
solids = Ops.create(tf.scope)
x = tf.constant(3.0)
y = solids.demo.cube(x)
with tg.Session(tf.scope.graph) as session:
    print(session.run(y))
"""


@pytest.fixture
def cube(own_registry: Make) -> Entry:
    own_registry()
    (op,) = load(Path("registry"), "solids.op").operations
    return op


def test_its_examples_are_programs(cube: Entry) -> None:
    first, second = cube.examples
    assert programs(cube, first)[0].text == CLASSES
    assert programs(cube, second)[1].text == FACADE
    for example in cube.examples:
        for program in programs(cube, example):
            assert not list(problems(cube, example, run_program(program, "cube.py")))


def test_its_facts(cube: Entry) -> None:
    actual: dict[str, Any] = facts(cube)
    assert actual["names"] == {
        "class": "solids.op.demo.Cube", "facade": "solids.demo.cube", "tensorflow": "", "java": "", "elsewhere": [],
    }  # fmt: skip
    assert actual["sources"] == {
        "entry": {"file": "solids/registry/demo.yaml", "line": 1},
        "shape": {"file": "framework/typegrad/shapes/common.py", "line": actual["sources"]["shape"]["line"]},
        "kernel": {"file": "solids/functions.py", "line": 6},
        "gradient": {"file": "solids/functions.py", "line": 10},
    }
    assert facade(cube) == "solids.demo.cube"


def test_its_page(cube: Entry) -> None:
    """Without the guides and the modules, which take their time and are the same."""
    built: Any = site.Site(site.joined(load(registry()), load(Path("registry"), "solids.op")))
    built.documents, built.modules = [], []
    built._name_everything()
    pages = plan(built.registry, [], [])
    (page,) = (page for page in pages if page.title == "Cube")
    shown = html.unescape(re.sub(r"<[^>]+>", "", built._page(page, Tree.of(pages))))
    for said in (
        "from solids.op.demo import Cube",
        "Facadesolids.demo.cube",
        "solids/functions.py:10",
        "solids/registry/demo.yaml:1",
    ):
        assert said in shown
    assert "tf.raw_ops" not in shown and "org.tensorflow" not in shown
    assert "source/solids/registry/demo.yaml.html" in dict(built._source_pages())
    assert not built.problems


def test_a_name_that_typegrad_has_already(run: Run, own_registry: Make) -> None:
    own_registry("Cube", "Square")
    Path("registry/demo.yaml").write_text(ENTRY.replace("Cube", "Square"))
    done = run("docs", "build", "--registry", "registry", "--package", "solids.op")
    assert done.status == 1
    assert done.err == (
        "typegrad: registry/demo.yaml:1: Square: typegrad has an operation or class of that name; expected "
        "another name, or another group\n1 problem; no site was written\n"
    )


def test_one_option_without_the_other(run: Run) -> None:
    done = run("docs", "build", "--registry", "registry")
    assert done.status == 2
    assert done.err == (
        "typegrad: --registry and --package go together: a folder of entries, and the package of their classes\n"
    )
