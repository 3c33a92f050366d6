"""What TensorFlow Java's `GradientsTest`, and `GraphTest` of gradients, hold."""

from __future__ import annotations

import pytest

import typegrad as tg
from typegrad.op.core import Gradients

Operands = tuple[tg.Operand[tg.TFloat32], tg.Operand[tg.TFloat32], tg.Operand[tg.TFloat32]]


@pytest.fixture
def squares(tf: tg.Ops) -> Operands:
    """x, its square and the square of this."""
    x = tf.placeholder(tg.TFloat32)
    y0 = tf.math.square(x)
    return x, y0, tf.math.square(y0)


def test_gradients(graph: tg.Graph, squares: Operands) -> None:
    x, y0, y1 = squares
    grads = Gradients.create(tg.Scope(graph), y1, [x, y0])
    assert len(grads.dy()) == 2 and grads.dy() == [grads.dy(0), grads.dy(1)]
    assert tg.Session(graph).runner().feed(x, 3.0).fetch(grads.dy(0)).fetch(grads.dy(1)).run() == [108, 18]


def test_gradients_of_a_sum(graph: tg.Graph, squares: Operands) -> None:
    x, y0, y1 = squares
    grads = Gradients.create(tg.Scope(graph), [y0, y1], [x])
    assert len(grads.dy()) == 1
    assert tg.Session(graph).runner().feed(x, 3.0).fetch(grads.dy(0)).run() == [114]


def test_gradients_from_initial_values(graph: tg.Graph, squares: Operands) -> None:
    x, y0, y1 = squares
    outer = Gradients.create(tg.Scope(graph), y1, [y0])
    inner = Gradients.create(tg.Scope(graph), y0, [x], dx=outer.dy())
    assert tg.Session(graph).runner().feed(x, 3.0).fetch(inner.dy(0)).run() == [108]


def test_gradients_of_several_inputs(graph: tg.Graph, tf: tg.Ops, squares: Operands) -> None:
    x1, y0, y1 = squares
    x2 = tf.placeholder(tg.TFloat32)
    y2 = tf.math.add_n([y0, x2])
    first, second = tg.gradients(tg.Scope(graph), y1, [x1]), tg.gradients(tg.Scope(graph), y2, [x1, x2])
    assert tg.Session(graph).run([*first, *second], {x1: 3.0, x2: 2.0}) == [108, 6, 1]


def test_names_of_gradients(graph: tg.Graph) -> None:
    tf = tg.Ops.create(graph).with_sub_scope("sub")
    x = tf.placeholder(tg.TFloat32)
    y = tf.math.square(x)
    assert Gradients.create(tf.scope, y, [x]).dy(0).name.startswith("sub/gradients/")
    assert Gradients.create(tf.scope, y, [x]).dy(0).name.startswith("sub/gradients_1/")
    assert Gradients.create(tf.scope.with_name("MyGradients"), y, [x]).dy(0).name.startswith("sub/MyGradients/")
