"""What TensorFlow Java's `GraphTest`, `GraphOperationTest` and `GraphOperationBuilderTest` hold of graphs and
operations.
"""

from __future__ import annotations

import pytest

import typegrad as tg
from typegrad.op import core, math


def test_a_graph_is_gone_through_in_creation_order(graph: tg.Graph, tf: tg.Ops) -> None:
    assert list(graph.operations) == []
    constants = [
        tf.with_name(f"Const-{name}").constant(value).op for name, value in (("A", 1.0), ("B", 23), ("C", 1.618))
    ]
    assert list(graph.operations) == list(graph) == constants


def test_an_operation_by_name(graph: tg.Graph, tf: tg.Ops) -> None:
    a = tf.with_name("A").constant([[1, 2]])
    operation = graph.operation("A")
    assert operation is a.op and (operation.name, operation.type, operation.num_outputs) == ("A", "Const", 1)
    assert operation.output(0) == a and operation.output(0).op is operation
    assert graph.output("A") is graph.output("A:0") is operation.output(0)
    with pytest.raises(tg.GraphError, match="no operation is called 'Bugs Bunny'; the graph has 1 operation"):
        graph.operation("Bugs Bunny")


def test_the_part_of_a_graph_that_an_operation_needs(graph: tg.Graph, tf: tg.Ops) -> None:
    control = tf.constant(0)
    a = tf.with_control_dependencies([control]).constant(1)
    b, c = tf.constant(2), tf.constant(3)
    d = tf.math.add(a, b)
    output = tf.math.mul(d, c)
    tf.constant(4)
    assert graph.ancestors([output.op]) == [operand.op for operand in (control, a, b, c, d, output)]


def test_operations_and_outputs_are_equal_only_to_themselves(graph: tg.Graph, tf: tg.Ops) -> None:
    one, two = tf.with_name("op1").constant(1), tf.with_name("op2").constant(2)
    assert {one.op, two.op, graph.operation("op1")} == {one.op, two.op}
    assert {one.as_output(), one.op.output(0), graph.output("op1")} == {one.as_output()}
    assert one.op != tg.Ops.create(tg.Graph()).with_name("op1").constant(1).op


def test_outputs_of_an_operation(tf: tg.Ops) -> None:
    for size in (1, 2, 3):
        split = tf.split(0, list(range(size)), num_split=size).op
        assert len(split.output_list("output")) == split.num_outputs == size
        assert [output.index for output in split.outputs] == list(range(size))


@pytest.mark.parametrize("index", [-1, 1, 2**70])
def test_an_output_that_is_not_there(tf: tg.Ops, index: int) -> None:
    with pytest.raises(
        tg.GraphError, match=r"Const 'c' \(created at .*\) has 1 output, counted from 0; .* none of them"
    ):
        tf.with_name("c").constant(1).op.output(index)


def test_a_list_of_outputs_that_is_not_there(tf: tg.Ops) -> None:
    add = tf.math.add(tf.constant(1), tf.constant(2)).op
    assert len(add.output_list("z")) == 1
    with pytest.raises(tg.GraphError, match="'Add' .* has no output called 'unknown'; its outputs are 'z'"):
        add.output_list("unknown")


def test_inputs_consumers_and_control_inputs(tf: tg.Ops) -> None:
    a, b = tf.constant(1.0), tf.constant(2.0)
    c = tf.math.add(a, b)
    assert c.op.inputs == (a.as_output(), b.as_output()) and a.op.consumers == (c.op,)
    after = tf.with_control_dependencies([a, b]).constant(3.0)
    assert after.op.control_inputs == (a.op, b.op)


def test_shapes_of_placeholders(tf: tg.Ops) -> None:
    unknown = tf.placeholder(tg.TFloat32)
    assert unknown.rank is None and unknown.dtype is tg.TFloat32
    vectors = tf.placeholder(tg.TFloat32, shape=(None, 784))
    assert vectors.rank == 2 and vectors.shape == (None, 784)


def test_control_inputs_run(graph: tg.Graph) -> None:
    scope = tg.Scope(graph)
    divisor = core.Placeholder.create(scope.with_name("divisor"), tg.TInt32)
    check = math.FloorDiv.create(scope, 1, divisor)
    core.NoOp.create(scope.with_control_dependencies([check]).with_name("noop"))
    session = tg.Session(graph)
    assert session.runner().feed(divisor, 1).add_target("noop").run() == []
    with pytest.raises(tg.InvalidArgumentError, match="FloorDiv"):
        session.runner().feed("divisor", 0).add_target("noop").run()
