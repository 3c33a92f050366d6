"""The operations of a gradient are marked with the device of the forward operation they belong to."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def added(scope: tg.Scope, size: int) -> dict[str, set[str]]:
    """The devices of the operations made since the graph had this size, by the last scope that they lie in."""
    devices: dict[str, set[str]] = {}
    for op in scope.graph.operations[size:]:
        folder = next((part for part in op.name.split("/") if part.endswith("_grad")), op.type)
        devices.setdefault(folder, set()).add(op.device)
    return devices


def test_each_gradient_is_on_the_device_of_its_operation(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_device("/cpu:0"), tg.TFloat64)
    hidden = math.Exp.create(scope.with_device("/gpu:0").with_name("hidden"), x)
    y = math.Sin.create(scope.with_device("/gpu:1").with_name("y"), hidden)
    size = len(scope.graph)
    tg.grad(scope.with_device("/cpu:7"), y, x)
    devices = added(scope, size)
    assert (devices["hidden_grad"], devices["y_grad"]) == ({"/gpu:0"}, {"/gpu:1"})


def test_what_undoes_a_broadcast_is_there_too(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64)
    y = math.Mul.create(scope.with_device("/gpu:0").with_name("y"), x, core.Placeholder.create(scope, tg.TFloat64))
    size = len(scope.graph)
    tg.grad(scope, y, x)
    assert added(scope, size)["y_grad"] == {"/gpu:0"}


def test_a_sum_of_gradients_is_where_the_operand_is(scope: tg.Scope) -> None:
    x = math.Exp.create(scope.with_device("/gpu:2"), core.Constant.create(scope, 1.0))
    grad = tg.grad(scope, math.Sin.create(scope, x) + math.Cos.create(scope, x), x).as_output()
    assert (grad.op.type, grad.op.device) == ("AddN", "/gpu:2")


def test_zeros_are_where_the_operand_is(scope: tg.Scope) -> None:
    x = math.Exp.create(scope.with_device("/gpu:2"), core.Constant.create(scope, 1.0))
    grad = tg.grad(scope, math.Sign.create(scope, x), x).as_output()
    assert (grad.op.type, grad.op.device) == ("ZerosLike", "/gpu:2")


def test_a_shape_is_ensured_where_the_operand_is(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_device("/gpu:2"), tg.TFloat32, shape=(2, 3))
    y = linalg.MatMul.create(scope, x, core.Placeholder.create(scope, tg.TFloat32))
    grad = tg.grad(scope, y, x).as_output()
    assert (grad.op.type, grad.op.device) == ("EnsureShape", "/gpu:2")


def test_a_table_made_of_rows_is_where_they_were_gathered(scope: tg.Scope) -> None:
    table = core.Constant.create(scope, np.ones((4, 3)))
    rows = core.Gather.create(scope.with_device("/gpu:1").with_name("rows"), table, [0, 2])
    size = len(scope.graph)
    tg.grad(scope, rows, table).as_output()
    assert added(scope, size)["rows_grad"] == {"/gpu:1"}
