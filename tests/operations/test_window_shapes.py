"""Convolution and pooling: what is known of shapes while a graph is built, and what is refused."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, nn


def operand(scope: tg.Scope, *shape: int | str | None) -> tg.Operand[tg.TFloat32]:
    """Any array of this shape."""
    return core.Placeholder.create(scope, tg.TFloat32, shape=shape)


def slide(**changes: Any) -> dict[str, Any]:
    """The attributes of a convolution."""
    return {"strides": (1, 1, 1, 1), "padding": "VALID", **changes}


def pool(**changes: Any) -> dict[str, Any]:
    """The attributes of pooling."""
    return {"ksize": (1, 2, 2, 1), "strides": (1, 2, 2, 1), "padding": "VALID", **changes}


REFUSED: Final[list[tuple[Any, list[Any], dict[str, Any], str]]] = [
    (nn.Conv2d, [(1, 4, 4), (2, 2, 2, 1)], slide(), "`input` must have rank 4, but has shape [1, 4, 4]"),
    (
        nn.Conv2d,
        [("Batch", 4, 4, 2), (5, 2, 2, 1)],
        slide(),
        (
            "along dimension 1 of `input` [Batch, 4, 4, 2], a window over 5 does not fit into 4; make it smaller, or "
            "pad more"
        ),
    ),
    (
        nn.Conv2d,
        [(1, 4, 4, 2), (2, 7, 2, 1)],
        slide(padding="EXPLICIT", explicit_paddings=(0, 0, 0, 0, 1, 1, 0, 0)),
        "a window over 7 does not fit into 4 and 2 of padding",
    ),
    (
        nn.Conv2d,
        [(1, 4, 4, 2), (2, 0, 2, 1)],
        slide(),
        "filters of shape [2, 0, 2, 1] have no elements; expected a height and",
    ),
    (
        nn.Conv2d,
        [(1, 4, 4, 2), (2, 2, 3, 1)],
        slide(),
        (
            "`input` has 2 channels, but filters of shape [2, 2, 3, 1] are for 3, which must be as many, or divide "
            "them into groups"
        ),
    ),
    (
        nn.Conv2d,
        [(1, 4, 4, 4), (2, 2, 2, 3)],
        slide(),
        "are for 2; 2 groups of 2 would need a multiple of 2 filters, not 3",
    ),
    (
        nn.DepthwiseConv2dNative,
        [(1, 4, 4, 2), (2, 2, 3, 1)],
        slide(),
        "`input` has 2 channels, but `filter` [2, 2, 3, 1] is for 3",
    ),
    (
        nn.Conv2d,
        [(1, 4, 4, 2), (2, 2, 2, 1)],
        slide(strides=(1, 0, 1, 1)),
        "`strides` must be 4 positive numbers, one for each dimension, but is [1, 0, 1, 1]",
    ),
    (
        nn.Conv2d,
        [(1, 2, 4, 4), (2, 2, 2, 1)],
        slide(dilations=(1, 2, 2, 1), data_format="NCHW"),
        "`dilations` is [1, 2, 2, 1], but must be 1 for the batch (dimension 0) and the channels (dimension 1)",
    ),
    (
        nn.Conv2d,
        [(1, 4, 4, 2), (2, 2, 2, 1)],
        slide(explicit_paddings=(0, 0, 1, 1, 1, 1, 0, 0)),
        "`explicit_paddings` is [0, 0, 1, 1, 1, 1, 0, 0], but must be left out where `padding` is VALID",
    ),
    (
        nn.Conv2d,
        [(1, 4, 4, 2), (2, 2, 2, 1)],
        slide(padding="EXPLICIT", explicit_paddings=(1, 1)),
        "`explicit_paddings` must be 8 numbers from 0 up, before and after each of the 4 dimensions, but is [1, 1]",
    ),
    (
        nn.Conv2d,
        [(1, 4, 4, 2), (2, 2, 2, 1)],
        slide(padding="EXPLICIT", explicit_paddings=(0, 0, 1, 1, 1, 1, 0, 1)),
        "but must be 0 for the batch (dimension 0) and the channels (dimension 3)",
    ),
    (
        nn.Conv2dBackpropInput,
        [[1, 4, 4], (2, 2, 2, 1), (1, 3, 3, 1)],
        slide(),
        "`input_sizes` must have 4 elements, or 2 for height and width alone, but has 3",
    ),
    (
        nn.DepthwiseConv2dNativeBackpropInput,
        [[4, 4], (2, 2, 2, 1), (1, 3, 3, 2)],
        slide(),
        "`input_sizes` must have 4 elements, but has 2",
    ),
    (
        nn.Conv2dBackpropFilter,
        [(1, 4, 4, 2), [2, 2, 2, 1], (1, 4, 3, 1)],
        slide(),
        "`out_backprop` [1, 4, 3, 1] must have shape [1, 3, 3, 1]",
    ),
    (nn.AvgPoolGrad, [[1, 4, 4, 1], (1, 3, 3, 1)], pool(), "`grad` [1, 3, 3, 1] must have shape [1, 2, 2, 1]"),
    (
        nn.MaxPool,
        [(1, 4, 4, 1)],
        pool(ksize=(1, 0, 2, 1)),
        "`ksize` must be 4 positive numbers, one for each dimension, but is [1, 0, 2, 1]",
    ),
    (
        nn.MaxPool,
        [(1, 4, 4, 1)],
        pool(data_format="NCHW_VECT_C"),
        "`data_format` NCHW_VECT_C is for quantized numbers; expected NHWC or NCHW",
    ),
]


@pytest.mark.parametrize(("wrapper", "inputs", "attrs", "message"), REFUSED, ids=[case[-1][:50] for case in REFUSED])
def test_what_cannot_run_is_refused_while_building(
    wrapper: Any, inputs: list[Any], attrs: dict[str, Any], message: str
) -> None:
    scope = tg.Scope(tg.Graph())
    operands = [operand(scope, *shape) if isinstance(shape, tuple) else shape for shape in inputs]
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as error:
        wrapper.create(scope, *operands, **attrs)
    assert message in str(error.value)


def test_what_turns_out_not_to_fit_is_refused_by_the_kernels() -> None:
    scope = tg.Scope(tg.Graph())
    sizes = core.Placeholder.create(scope, tg.TInt32, shape=(4,))
    x = core.Fill.create(scope, sizes, core.Constant.create(scope, 1.0))
    results = [
        nn.Conv2d.create(scope, x, core.Constant.create(scope, np.ones((2, 2, 1, 1), np.float32)), **slide()),
        nn.MaxPool.create(scope, x, **pool()),
    ]
    with tg.Session(scope.graph) as session:
        for result in results:
            with pytest.raises(tg.InvalidArgumentError, match="along dimension 2 of `input` .* does not fit into 1"):
                session.run(result, {sizes: [1, 2, 1, 1]})
            assert session.run(result, {sizes: [1, 2, 2, 1]}).shape == (1, 1, 1, 1)


def test_names_of_dimensions_pass_through() -> None:
    scope = tg.Scope(tg.Graph())
    x, filters = operand(scope, "Batch", "Height", "Width", 2), operand(scope, 3, 3, 2, "Maps")
    same, around = slide(padding="SAME"), slide(padding="EXPLICIT", explicit_paddings=(0, 0, 1, 1, 0, 2, 0, 0))
    for attrs in (same, around):
        y = nn.Conv2d.create(scope, x, filters, **attrs)
        assert y.shape == tg.Shape.of("Batch", "Height", "Width", "Maps")
        grads = [tg.grad(scope, y, each).shape for each in (x, filters)]
        assert grads == [x.shape, filters.shape]
    strided = slide(padding="SAME", strides=(1, 2, 1, 1))
    halved = nn.Conv2d.create(scope, x, filters, **strided).shape
    assert str(halved) == "[Batch, (Height + 1)//2, Width, Maps]"
    pooled = nn.MaxPool.create(scope, x, **pool())
    assert str(pooled.shape) == "[Batch, Height//2, Width//2, 2]"
    assert tg.grad(scope, pooled, x).shape == x.shape
    enlarged = nn.Conv2dBackpropInput.create(scope, (8, 8), filters, operand(scope, "Batch", 6, 6, "Maps"), **slide())
    assert enlarged.shape == tg.Shape.of("Batch", 8, 8, 2)


def test_window_of_max_pool_may_be_known_only_in_a_run() -> None:
    scope = tg.Scope(tg.Graph())
    x, window = operand(scope, 1, 4, 6, 2), core.Placeholder.create(scope, tg.TInt32, shape=(4,))
    pooled = nn.MaxPool.create(scope, x, window, window, "VALID")
    assert pooled.shape == tg.Shape.of(None, None, None, None)
    assert nn.MaxPool.create(scope, x, (1, 2, 2, 1), window, "SAME").shape == tg.Shape.of(None, None, None, None)
    one = core.Constant.create(scope, 1)
    partly = core.Stack.create(scope, [one, one, core.Placeholder.create(scope, tg.TInt32, shape=()), one])
    assert nn.MaxPool.create(scope, x, partly, (1, 2, 2, 1), "VALID").shape == tg.Shape.of(1, 2, None, 2)
    grad = tg.grad(scope, pooled, x)
    assert grad.shape == x.shape
    fed = np.arange(48, dtype=np.float32).reshape(1, 4, 6, 2)
    with tg.Session(scope.graph) as session:
        assert session.run(pooled, {x: fed, window: [1, 2, 3, 1]}).tolist() == fed[:, 1::2, 2::3].tolist()
        assert session.run(grad, {x: fed, window: [1, 4, 6, 1]})[0, 3, 5].tolist() == [1, 1]
        with pytest.raises(tg.InvalidArgumentError, match="`ksize` must be 4 positive numbers"):
            session.run(pooled, {x: fed, window: [1, 0, 1, 1]})
