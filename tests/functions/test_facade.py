"""The facade `tg.Ops`: where its operations go."""

from __future__ import annotations

import typegrad as tg


def test_without_a_graph_it_makes_one() -> None:
    tf, other = tg.Ops.create(), tg.Ops.create()
    x = tf.placeholder(tg.TFloat32, (2,))
    assert x.graph is tf.graph is tf.scope.graph
    assert tf.graph is not other.graph


def test_with_a_graph_or_a_scope_its_operations_go_there() -> None:
    scope = tg.Scope(tg.Graph()).with_sub_scope("layer")
    assert tg.Ops.create(scope.graph).graph is scope.graph
    assert tg.Ops.create(scope).no_op().op.name == "layer/NoOp"
