"""What TensorFlow Java's `ScopeTest` holds of names."""

from __future__ import annotations

from typing import Any

import pytest

import typegrad as tg
from typegrad.op import core, math


def name(scope: tg.Scope, what: str) -> str:
    return core.NoOp.create(scope.with_name(what)).op.name


def test_names_are_numbered(graph: tg.Graph) -> None:
    root = tg.Scope(graph)
    assert [name(root, what) for what in ("add", "add", "add", "mul")] == ["add", "add_1", "add_2", "mul"]


def test_sub_scopes_are_numbered(graph: tg.Graph) -> None:
    root = tg.Scope(graph)
    for expected in ("child", "child_1"):
        child = root.with_sub_scope("child")
        assert [name(child, what) for what in ("add", "add", "mul")] == [
            f"{expected}/add",
            f"{expected}/add_1",
            f"{expected}/mul",
        ]
    assert name(root.with_sub_scope("c").with_sub_scope("c"), "add") == "c/c/add"
    c_1 = root.with_sub_scope("c")
    assert name(c_1.with_sub_scope("c"), "add") == "c_1/c/add"
    assert name(c_1.with_sub_scope("c"), "add") == "c_1/c_1/add"


def test_scopes_and_operations_share_names(graph: tg.Graph) -> None:
    root = tg.Scope(graph)
    assert name(root.with_sub_scope("child"), "add") == "child/add"
    assert name(root, "child") == "child_1"
    assert name(root.with_sub_scope("child"), "p") == "child_2/p"


@pytest.mark.parametrize("wrong", ["_", "-", "-x", "", "a$", None])
def test_names_that_are_refused(graph: tg.Graph, wrong: Any) -> None:
    root = tg.Scope(graph)
    for method in (root.with_name, root.with_sub_scope):
        with pytest.raises(tg.TypegradError):
            method(wrong)


@pytest.mark.parametrize("unusual", [".", "..", "._-.", "a--."])
def test_unusual_names(graph: tg.Graph, unusual: str) -> None:
    root = tg.Scope(graph)
    assert name(root, unusual) == unusual
    assert name(root.with_sub_scope(unusual), "x") == f"{unusual}_1/x"


def test_operations_are_called_after_their_class_or_as_the_scope_says(graph: tg.Graph) -> None:
    scope = tg.Scope(graph)
    names = [
        core.NoOp.create(each).op.name for each in (scope, scope, scope.with_name("four"), scope.with_name("four"))
    ]
    assert names == ["NoOp", "NoOp_1", "four", "four_1"]
    child = scope.with_sub_scope("child")
    assert [core.NoOp.create(each).op.name for each in (child, child.with_name("four"))] == ["child/NoOp", "child/four"]


def variance(base: tg.Scope, x: tg.Operand[tg.TInt32]) -> tg.Operand[tg.TInt32]:
    scope = base.with_sub_scope("variance")
    mean = math.Mean.create(scope, x, 0)
    squares = math.SquaredDifference.create(scope.with_name("squared_deviation"), x, mean)
    return math.Mean.create(scope.with_name("variance"), squares, 0)


def test_a_composite_is_called_as_the_scope_says(graph: tg.Graph) -> None:
    scope = tg.Scope(graph)
    data = core.Constant.create(scope.with_name("data"), [600, 470, 170, 430, 300])
    named, plain = variance(scope.with_name("example"), data), variance(scope, data)
    assert (named.name, plain.name) == ("example/variance:0", "variance/variance:0")
    assert "example/squared_deviation" in graph and "example/Mean" in graph and "variance/Mean" in graph
    assert tg.Session(graph).run([named, plain]) == [21704, 21704]
