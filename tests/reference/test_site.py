"""The site: that all of it is there, that pages say what they should, that it is the same every time."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from attrs import evolve

import typegrad as tg
from support.entries import entries
from support.site import files, page, text
from support.wheel import lay_out
from typegrad_reference.entries.examples import programs
from typegrad_reference.entries.running import Outcome, problems, run
from typegrad_reference.guides.listed import address
from typegrad_reference.site import build as site
from typegrad_reference.site import checking
from typegrad_reference.site.build import SiteError, build

_DIGESTS: Final = """
import hashlib, json, sys
from typegrad_codegen.bundled import registry
from typegrad_codegen.load import load
from typegrad_reference.site.build import Site
files = Site(load(registry())).files(set(json.load(sys.stdin)).__contains__)
print(json.dumps({name: hashlib.sha256(content).hexdigest() for name, content in files.items()}))
"""
_EACH: Final = 20
"""Of the pages of operations, one in so many is made again."""


def _pages() -> list[str]:
    return [name for name in files() if name.endswith(".html")]


def test_every_operation_has_a_page_that_says_everything() -> None:
    for op in entries().values():
        shown = text(address(op))
        expected = [
            f"from typegrad.op.{op.group} import {op.class_name}",
            *(each.name for each in op.inputs),
            *(each.name for each in op.attrs),
            *(each.name for each in op.outputs),
            *op.known_as,
            f"tf.raw_ops.{op.name}",
            f"ops/{op.stem}.yaml:{op.line}",
            f"final class {op.class_name}",
            "Classes",
            "Facade",
        ]
        missing = [item for item in expected if item not in shown]
        assert not missing, f"{op.name}: {missing}"


def test_the_page_of_an_operation_from_top_to_bottom() -> None:
    shown = text("ops/linalg/MatMul.html")
    for said in (
        "final class MatMul[T, S](Operand[T, S])",
        "tf.linalg.mat_mul",
        "x @ y",
        "transpose_a: bool = False",
        "TFloating | TInt32 | TInt64 | TUnsigned | TComplex",
        "[[11.]]",
        "product = a @ b",
        "ShapeError: inner dimensions differ: a is [1, 2], b is [3, 1]",
        "a [1, N]",
        "gradients/product_grad/MatMul",
        "org.tensorflow.op.linalg.MatMul",
        "np.matmul",
        "train.BatchMatMul",
        "typegrad/kernels/matmul.py:",
        "typegrad/rules/matmul.py:",
    ):
        assert said in shown, said
    html = page("ops/linalg/MatMul.html")
    assert '<figure class="typegrad-graph">' in html
    assert html.count("<math") >= 3


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ops/core/StopGradient.html", "tg.gradients of output with respect to input is None"),
        ("ops/core/StopGradient.html", "The path ends here"),
        ("ops/core/StopGradient.html", "unstopped: the gradient is 28 operations"),
        ("ops/core/StopGradient.html", "[ 4. -2.]"),
        ("ops/train/PreventGradient.html", "6.0 12.0"),
        ("ops/core/Unique.html", "None: "),
        ("ops/core/NoOp.html", "The operation has no inputs"),
        ("ops/core/Identity.html", "The gradient of the output, unchanged."),
        ("ops/core/Sum.html", "TensorFlow's name: reduction_indices."),
        ("ops/math/Sign.html", "zero almost everywhere"),
        ("ops/math/Sign.html", "adds 1 operation in scope"),
        ("ops/math/AddN.html", "Differences from TensorFlow"),
        ("ops/random/RandomUniform.html", "draws random numbers"),
        ("ops/core/Constant.html", "forms, as type checkers see them"),
        ("ops/core/index.html", "Return the input unchanged"),
        ("ops/bitwise/index.html", "Operations on the bits of integers. from typegrad.op import bitwise"),
        ("names/jax.html", "jnp.where"),
        ("names/coverage.html", "They work on sparse or ragged arrays."),
        ("types.html", "TUnsigned"),
        ("api/typegrad.html", "trainable_variables"),
        ("api/typegrad.training.optimizers.html", "class Adam(ByRule)"),
        ("guides/getting-started.html", "Getting started"),
        ("project/registry.html", "An entry, field by field"),
        ("project/guides.html", "<!-- file: model.py -->"),
        ("project/changelog.html", "Changelog"),
        ("index.html", "-0.667"),
    ],
)
def test_pages_say_what_they_should(name: str, words: str) -> None:
    assert words in text(name)


@pytest.mark.parametrize("name", ["ops/math/Tanh.html", "ops/nn/MaxPool.html"])
def test_the_table_of_element_types_calls_them_as_errors_do(name: str) -> None:
    heads = re.findall(r'<th scope="col" class="dtype"><a [^>]*>(.*?)</a>', page(name))
    assert {leaf.name for leaf in (tg.TFloat16, tg.TFloat32, tg.TFloat64)} <= set(heads)
    assert not {leaf.tf_name for leaf in (tg.TFloat16, tg.TFloat32, tg.TFloat64)} & set(heads)


def test_guides_show_pictures_of_graphs() -> None:
    assert page("guides/gradients-and-stop-gradient.html").count('<figure class="typegrad-graph">') >= 4


def test_every_page_is_sound() -> None:
    problems = [f"{name}: {problem}" for name in _pages() for problem in _unsound(page(name))]
    assert not problems, "\n".join(problems[:20])


def _unsound(html: str) -> Iterator[str]:
    if not html.startswith('<!DOCTYPE html>\n<html lang="en">'):
        yield "does not start as a page does"
    if "default-src &#39;none&#39;" not in html:
        yield "may ask others for something"
    if html.count("<h1") != 1:
        yield f"has {html.count('<h1')} titles"
    levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", html)]
    jumps = [(before, after) for before, after in zip([0, *levels], levels, strict=False) if after > before + 1]
    if jumps:
        yield f"headings jump: {jumps}"
    if re.search(r"/(?:home|root|work|tmp|Users)/", html):
        yield "names a folder of the machine it was built on"
    if len(checking.parse(html).loads) < 5:
        yield "lacks a style sheet or script"


def test_nothing_is_heavy() -> None:
    pages = {name: checking.parse(page(name)) for name in _pages()}
    assert max(checking.weight(name, parsed, files()) for name, parsed in pages.items()) < checking.LIMIT
    assert len(files()["assets/index.js"]) < 900 * len(entries())


def test_an_installed_package_makes_the_same_site_to_the_byte(tmp_path: Path) -> None:
    """From a copy of what the wheel holds, in a process of its own, where sets have another order."""
    lay_out(tmp_path)
    operations = [name for name in _pages() if name.startswith("ops/")]
    left_out = set(operations) - set(operations[::_EACH])
    names = json.dumps([name for name in _pages() if name not in left_out])
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", _DIGESTS]
    done = subprocess.run(
        command, input=names, capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
    )
    there: dict[str, str] = json.loads(done.stdout)
    here = {name: hashlib.sha256(content).hexdigest() for name, content in files().items()}
    of_sources = {name for name in here if name.startswith("source/")}  # which the pages that are left out link to
    assert [name for name in there if here.get(name) != there[name]] == []
    assert here.keys() - there.keys() - left_out - of_sources == set()


# What the build refuses


def test_the_gradient_of_slices_is_not_said_to_be_passed_on() -> None:
    shown = text("ops/core/Gather.html")
    assert "is tg.IndexedSlices: the gradient from above, slice by slice" in shown
    assert "passed on as it is" not in shown
    assert "passed on as it is" in text("ops/core/Identity.html")


def test_a_gradient_of_many_operations_is_not_drawn() -> None:
    few, many = page("ops/nn/Softmax.html"), page("ops/nn/BlockLSTM.html")
    assert "Operations that the gradient adds" in few and "These are too many to draw." not in few
    assert "Operations that the gradient adds" not in many and "These are too many to draw." in many


def test_inputs_of_which_the_same_is_said_stand_together() -> None:
    assert text("ops/train/ResourceApplyAdam.html").count("The path ends here") == 1


def test_the_operations_a_gradient_adds_are_named_from_their_scope_on() -> None:
    shown = text("ops/nn/TopK.html")
    assert "in scope gradients/top_k_grad" in shown
    assert "Reshape_4ReshapeUnsortedSegmentSum, Reshape_4/shapefloat32 [1, 4]" in shown


def test_examples_after_the_second_are_folded() -> None:
    html = page("ops/nn/Conv2d.html")
    assert "<summary>2 more examples</summary>" in html
    assert html.index('id="example-2-classes"') < html.index("<summary>2 more") < html.index('id="example-3-classes"')
    assert "more example" not in page("ops/nn/Softmax.html")


def test_pages_lead_to_the_guides_that_speak_of_them() -> None:
    html = page("ops/core/StopGradient.html")
    assert '<a href="../../guides/gradients-and-stop-gradient.html">Gradients and StopGradient</a>' in html
    assert html.partition("In the guides")[2].partition("</p>")[0].count("<a ") <= 4
    assert "In the guides" not in page("ops/math/Lgamma.html")


def test_shapes_among_the_type_parameters_are_explained() -> None:
    assert "The shape of product, as type checkers know it." in text("ops/linalg/MatMul.html")
    shown = text("ops/nn/TopK.html")
    assert "The shape of values, as" in shown and "The shape of indices, as" in shown


@pytest.mark.parametrize(("name", "facades"), [("TruncatedNormal", 0), ("OneHot", 1)])
def test_examples_of_random_numbers_leave_out_a_facade_that_draws_others(name: str, facades: int) -> None:
    op = entries()[name]
    assert [program.style for program in programs(op, op.examples[0])].count("Facade") == facades


def test_examples_that_give_something_else_are_reported() -> None:
    op = entries()["MatMul"]
    wrong = evolve(op.examples[0], outputs={"product": [[12.0]]})
    program = programs(op, wrong)[0]
    assert list(problems(op, wrong, run(program, "mat_mul.py"))) == [
        "value 0 is array([[11.]], dtype=float32), not [[12.0]]"
    ]
    assert list(problems(op, wrong, Outcome("", (), "ShapeError: no"))) == ["ShapeError: no"]
    assert list(problems(op, wrong, Outcome("1", (1, 2)))) == ["printed 2 values, not 1"]


def test_constants_of_a_default_type_do_not_state_it() -> None:
    op = entries()["Const"]
    texts = [programs(op, each)[0].text for each in op.examples if each.attrs["dtype"] in ("float32", "int32")]
    assert texts
    assert not any("tg.TFloat32" in text or "tg.TInt32" in text for text in texts)


def test_a_failing_program_is_reported_and_not_raised() -> None:
    op = entries()["MatMul"]
    broken = evolve(programs(op, op.examples[0])[0], text="nothing")
    assert run(broken, "mat_mul.py").failure == "NameError: name 'nothing' is not defined"


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<a href="gone.html">', "p.html: the link gone.html leads nowhere"),
        ('<a href="q.html#gone">', "p.html: the link q.html#gone leads to an anchor that is not there"),
        ('<a href="#gone">', "p.html: the link #gone leads to an anchor that is not there"),
        ('<p id="a"><p id="a">', "p.html: the anchor #a is there 2 times"),
        ('<img src="gone.png">', "p.html: the link gone.png leads nowhere"),
        ('<img src="gone.png" loading="lazy">', "p.html: the link gone.png leads nowhere"),
        ('<script src="https://x.org/a.js">', "p.html: loads https://x.org/a.js, which is not on the reader's machine"),
        ('<script src="big.js">', "p.html: weighs 200021 bytes with what it loads, more than 200000"),
    ],
)
def test_what_is_wrong_with_pages_is_reported(html: str, problem: str) -> None:
    written = {"p.html": html.encode(), "q.html": b'<p id="there">', "big.js": b" " * 200_000}
    pages = {name: checking.parse(content.decode()) for name, content in written.items() if name.endswith(".html")}
    assert list(checking.problems(written, pages)) == [problem]


def test_a_search_that_leads_nowhere_is_reported() -> None:
    written = {"p.html": b'<p id="there">'}
    pages = {"p.html": checking.parse('<p id="there">')}
    assert list(checking.lost(["p.html#there", "p.html#gone", "q.html"], written, pages)) == [
        "the search: the link p.html#gone leads to an anchor that is not there",
        "the search: the link q.html leads nowhere",
    ]


def test_good_links_are_not_reported() -> None:
    html = '<a href="q.html#there"> <a href="q.html"> <a href="https://x.org"> <p id="a"> <a href="#a">'
    written = {"p.html": html.encode(), "q.html": b'<p id="there">'}
    pages = {name: checking.parse(content.decode()) for name, content in written.items()}
    assert not list(checking.problems(written, pages))


def test_an_error_has_every_problem() -> None:
    error = SiteError(["a.html: this", "b.html: that"])
    assert str(error) == "a.html: this\nb.html: that\n2 problems; no site was written"


def test_a_site_is_written_and_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    monkeypatch.setattr(site, "render", lambda own: {"index.html": b"<p>", "old.html": b""})
    report = build(folder)
    assert (report.pages, report.bytes, report.heaviest) == (2, 3, ("index.html", 3))
    assert str(report) == f"2 pages, 0.0 MB, in {folder}; the heaviest is index.html with 0 kB"
    monkeypatch.setattr(site, "render", lambda own: {"index.html": b"<p>new"})
    build(folder)
    assert (folder / "index.html").read_bytes() == b"<p>new"
    assert not (folder / "old.html").exists()


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="holds something else than a site; give an empty folder, or remove it"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
