"""What the layers of `nn` refuse, in words that say what to change."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.refusals import Refused, check_refusal, operand
from typegrad.op import core, nn

GLOBAL_NORM: Final = {"variance_epsilon": 0.1, "scale_after_normalization": True}
IMAGES: Final = (1, 4, 4, 3)
DILATION: Final[dict[str, Any]] = {"strides": [1, 1, 1, 1], "rates": [1, 1, 1, 1], "padding": "VALID"}

REFUSED: Refused = [
    (
        nn.BatchNormWithGlobalNormalization,
        (IMAGES, (3,), (2,), (3,), (3,)),
        GLOBAL_NORM,
        "`v` has 2 elements, but must have one for each of the 3 channels of `t` [1, 4, 4, 3] (NHWC: axis 3)",
    ),
    (
        nn.LocalResponseNormalization,
        (IMAGES,),
        {"depth_radius": -1},
        "`depth_radius` must be from 0 to 2147483647, but is -1",
    ),
    (
        nn.LocalResponseNormalizationGrad,
        (IMAGES, IMAGES, (1, 4, 4, 2)),
        {},
        "`output_image` [1, 4, 4, 2] must have shape [1, 4, 4, 3]",
    ),
    (nn.NthElement, ((2, 3), 3), {}, "`n` is 3, but must be less than 3, the length of the rows of `input` [2, 3]"),
    (nn.NthElement, ((2, 3), -1), {}, "`n` is -1, but cannot be negative"),
    (nn.DataFormatDimMap, ([0],), {"src_format": "NHW"}, "`src_format` must have 4 or 5 letters, but is 'NHW'"),
    (
        nn.DataFormatDimMap,
        ([0],),
        {"dst_format": "NCXY"},
        "`dst_format` 'NCXY' must have the letters of `src_format` 'NHWC', each once",
    ),
    (nn.DataFormatVecPermute, ([0, 1, 2],), {}, "`x` must have 4 or 2 elements, but has shape [3]"),
    (nn.DataFormatVecPermute, ([[0, 1]] * 3,), {}, "`x` must have 4 or 2 rows, but has shape [3, 2]"),
    (nn.DataFormatVecPermute, ([[0, 1, 2]] * 4,), {}, "`x` must have 2 columns, but has shape [4, 3]"),
    (nn.DataFormatVecPermute, (0,), {}, "`x` must be a vector or a matrix with 2 columns, but has shape []"),
    (
        nn.DataFormatVecPermute,
        ([0, 1],),
        {"src_format": "NHXC", "dst_format": "NCHX"},
        "`src_format` 'NHXC' must contain H and W, because `x` has 2 elements",
    ),
    (
        nn.Dilation2d,
        (IMAGES, (2, 2, 3)),
        {**DILATION, "rates": [1, 1, 1, 2]},
        "`rates` is [1, 1, 1, 2], but must be 1 for the batch (dimension 0) and the channels (dimension 3)",
    ),
    (
        nn.Dilation2d,
        (IMAGES, (0, 2, 3)),
        DILATION,
        "`filter` [0, 2, 3] has no elements; expected a height and a width of 1 or more",
    ),
    (
        nn.Dilation2d,
        (IMAGES, (2, 2, 1)),
        DILATION,
        "`input` [1, 4, 4, 3] has 3 channels, but `filter` [2, 2, 1] is for 1",
    ),
]

REFUSED += [
    (
        nn.Conv,
        (IMAGES, (2, 2, 3, 1)),
        {"strides": [1, 1, 1], "padding": "VALID"},
        "`strides` must have 4 or 5 elements, for images or volumes, but is [1, 1, 1]",
    ),
    (
        nn.Conv,
        (IMAGES, (2, 2, 3, 1)),
        {"strides": [1, 1, 1, 1], "padding": "VALID", "batch_dims": -1},
        "`batch_dims` is -1, but cannot be negative",
    ),
    (
        nn.Conv,
        (IMAGES, (2, 2, 3, 2)),
        {"strides": [1, 1, 1, 1], "padding": "VALID", "groups": 2},
        "`input` [1, 4, 4, 3] has 3 channels, but `filter` [2, 2, 3, 2] with 2 groups is for 6",
    ),
    (
        nn.Conv,
        (IMAGES, (2, 2, 3, 2)),
        {"strides": [1, 1, 1, 1], "padding": "VALID", "groups": 0},
        "`groups` is 0, but must be 1 or more",
    ),
]

REFUSED += [
    (
        nn.SoftmaxCrossEntropyWithLogits,
        ((1, 2, 3), (1, 2, 3)),
        {},
        "`features` [1, 2, 3] and `labels` [1, 2, 3] must broadcast to a matrix [rows, classes]",
    ),
    (
        nn.SparseSoftmaxCrossEntropyWithLogits,
        ((2, 3), [0]),
        {},
        "`features` [2, 3] has 2 rows, but `labels` [1] has 1 element",
    ),
    (
        nn.SparseSoftmaxCrossEntropyWithLogits,
        ((1, 0), [0]),
        {},
        "`features` [1, 0] has no classes; there must be at least one",
    ),
    (nn.TopK, ((2, 3), 4), {}, "`k` is 4, but `input` has shape [2, 3]: its rows are not that long"),
    (core.ApproxTopK, ((2, 3),), {"k": 4}, "`k` is 4, but `input` has shape [2, 3]: dimension 1 is not that long"),
    (nn.InTopK, ((2, 3), [0], 1), {}, "`predictions` [2, 3] has 2 rows, but `targets` [1] has 1 element"),
    (
        nn.Conv2d,
        ((1, 4, 4, 1), (2, 2, 1, 1)),
        {"strides": [1, 1, 1, 1], "padding": "EXPLICIT", "explicit_paddings": [1, 0, 0, 0, 0, 0, 0, 0]},
        (
            "`explicit_paddings` is [1, 0, 0, 0, 0, 0, 0, 0], but must be 0 for the batch (dimension 0) and the "
            "channels (dimension 3)"
        ),
    ),
    (
        nn.Conv3d,
        ((1, 4, 4, 4, 0), (2, 2, 2, 0, 1)),
        {"strides": [1, 1, 1, 1, 1], "padding": "VALID"},
        "`filter` [2, 2, 2, 0, 1] has no elements; expected dimensions of 1 or more",
    ),
]

LSTM: Final = ((2, 3), (2, 2), (2, 2), (5, 8), (2,), (2,), (2,), (8,))
REFUSED += [
    (nn.LSTMBlockCell, (*LSTM[:2], (2, 4), *LSTM[3:]), {}, "`h_prev` [2, 4] must have shape [2, 2]"),
    (
        nn.LSTMBlockCell,
        (*LSTM[:3], (4, 8), *LSTM[4:]),
        {},
        "`w` [4, 8] must have shape [5, 8], which is [inputs + units, 4 * units] for `x` [2, 3] and `h_prev` [2, 2]",
    ),
    (
        nn.BlockLSTM,
        (np.int64(5), (4, 2, 3), *LSTM[1:]),
        {},
        "`seq_len_max` is 5, but must be from 0 to 4, the number of steps of `x`",
    ),
]


def test_gradients_of_gates_need_the_number_of_steps() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2, 3))
    layer = nn.BlockLSTM.create(scope, 4, x, *(operand(scope, each) for each in LSTM[1:]))
    assert tg.grad(scope, layer.h, x).rank == 3
    with pytest.raises(tg.GradientError) as raised:
        tg.grad(scope, layer.i, x)
    assert (
        "the gradient of 'BlockLSTM' is made step by step, but the number of steps, the first dimension of `x`, is not "
        "known while the graph is built; give it a shape with this dimension" in str(raised.value)
    )


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), REFUSED)
def test_what_does_not_fit_is_refused(
    operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str
) -> None:
    check_refusal(operation, inputs, attributes, message)
