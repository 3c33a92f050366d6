"""What type checkers know of the generated classes.

Running this proves little: mypy and Pyright check it with the rest of the code.
"""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
import pytest
from numpy.typing import NDArray
from typing_extensions import TypeVar

import typegrad as tg
from typegrad.op import core, linalg, math, nn

F = TypeVar("F", bound=tg.TFloating)
Matrix = tuple[int, int]


def gram(scope: tg.Scope, x: tg.Operand[F]) -> tg.Operand[F]:
    """Fits every floating type, because the bounds of the operations' variables are exact."""
    return linalg.MatMul.create(scope, x, x, transpose_a=True)


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


@pytest.fixture
def x(scope: tg.Scope) -> core.Placeholder[tg.TFloat32, Matrix]:
    shape: Matrix = (3, 5)
    return core.Placeholder.create(scope, tg.TFloat32, shape=shape)


def test_element_types(scope: tg.Scope, x: tg.Operand[tg.TFloat32, Matrix]) -> None:
    assert_type(linalg.MatMul.create(scope, x, x, transpose_b=True), linalg.MatMul[tg.TFloat32, tuple[Any, Any]])
    assert_type(gram(scope, x), tg.Operand[tg.TFloat32])
    assert_type(math.Equal.create(scope, x, x), math.Equal[Any])
    assert_type(math.Equal.create(scope, x, x).as_output().dtype, type[tg.TBool])
    entropy = nn.SoftmaxCrossEntropyWithLogits.create(scope, x, x)
    assert_type(entropy.loss, tg.Output[tg.TFloat32])
    assert_type(core.Split.create(scope, 0, x, num_split=3).output, list[tg.Output[tg.TFloat32]])
    assert_type(core.Shape.create(scope, x), core.Shape[tg.TInt32, tuple[Any]])
    assert_type(core.Shape.create(scope, x, out_type=tg.TInt64), core.Shape[tg.TInt64, tuple[Any]])
    assert_type(core.Range.create(scope, 0, 10, 2), core.Range[tg.TInt32, tuple[Any]])
    n = core.Constant.create(scope, 10, tg.TInt64)
    assert_type(core.Range.create(scope, 0, n, 2), core.Range[tg.TInt64, tuple[Any]])


def test_shapes(scope: tg.Scope, x: core.Placeholder[tg.TFloat32, Matrix]) -> None:
    assert_type(core.StopGradient.create(scope, x), core.StopGradient[tg.TFloat32, Matrix])
    assert_type(core.Rank.create(scope, x), core.Rank[tuple[()]])
    assert_type(core.Placeholder.create(scope, tg.TFloat32), core.Placeholder[tg.TFloat32])
    assert_type(
        core.Placeholder.create(scope, tg.TFloat32, shape=("batch", 5)), core.Placeholder[tg.TFloat32, tuple[Any, Any]]
    )
    assert_type(x.output, tg.Output[tg.TFloat32, Matrix])


def test_accessors(scope: tg.Scope, x: tg.Operand[tg.TFloat32, Matrix]) -> None:
    product = linalg.MatMul.create(scope, x, x, transpose_b=True)
    assert_type(product.inputs.a, tg.Output[tg.TFloat32])
    assert_type(product.inputs.transpose_b, bool)
    assert_type(linalg.MatMul.of(product.op), linalg.MatMul[Any])


def test_constants(scope: tg.Scope) -> None:
    create = core.Constant.create
    assert_type(create(scope, True), core.Constant[tg.TBool, tuple[()]])
    assert_type(create(scope, 1), core.Constant[tg.TInt32, tuple[()]])
    assert_type(create(scope, 1.0), core.Constant[tg.TFloat32, tuple[()]])
    assert_type(create(scope, 1j), core.Constant[tg.TComplex128, tuple[()]])
    assert_type(create(scope, "text"), core.Constant[tg.TString, tuple[()]])
    assert_type(create(scope, np.float64(1.0)), core.Constant[tg.TFloat64, tuple[()]])
    assert_type(create(scope, [True, False]), core.Constant[tg.TBool])
    assert_type(create(scope, [[1, 2], [3, 4]]), core.Constant[tg.TInt32])
    assert_type(create(scope, [[1, 2.5]]), core.Constant[tg.TFloat32])
    assert_type(create(scope, ["left", "right"]), core.Constant[tg.TString])
    assert_type(create(scope, [1, 2], tg.TFloat64), core.Constant[tg.TFloat64])
    assert_type(create(scope, 1, tg.TBfloat16), core.Constant[tg.TBfloat16, tuple[()]])
    matrix: np.ndarray[Matrix, np.dtype[np.uint8]] = np.zeros((2, 3), np.uint8)
    assert_type(create(scope, matrix), core.Constant[tg.TUint8])
    assert_type(create(scope, matrix, tg.TFloat32), core.Constant[tg.TFloat32])
    array: NDArray[np.float32] = np.zeros(3, np.float32)
    assert_type(create(scope, array), core.Constant[tg.TFloat32])


def test_the_facade_has_the_same_types(x: core.Placeholder[tg.TFloat32, Matrix]) -> None:
    tf = tg.Ops.create(x.graph)
    assert_type(tf.linalg.mat_mul(x, x, transpose_b=True), linalg.MatMul[tg.TFloat32, tuple[Any, Any]])
    assert_type(tf.stop_gradient(x), core.StopGradient[tg.TFloat32, Matrix])
    assert_type(tf.shape(x, out_type=tg.TInt64), core.Shape[tg.TInt64, tuple[Any]])
    assert_type(tf.constant([1, 2]), core.Constant[tg.TInt32])
    assert_type(tf.with_name("y").range(0, 10, 1), core.Range[tg.TInt32, tuple[Any]])
