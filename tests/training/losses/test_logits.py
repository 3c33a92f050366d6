"""Warnings about probabilities in the place of logits, and the other way round: both are of the same types."""

from __future__ import annotations

import warnings
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math, nn
from typegrad.training import losses

LOSSES: Final[dict[str, tuple[Any, Any]]] = {
    "binary": (losses.BinaryCrossentropy, losses.binary_crossentropy),
    "categorical": (losses.CategoricalCrossentropy, losses.categorical_crossentropy),
    "sparse": (losses.SparseCategoricalCrossentropy, losses.sparse_categorical_crossentropy),
}


@pytest.fixture
def logits(scope: tg.Scope) -> Any:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (None, 4))
    w = tg.Variable.create(scope, np.zeros((4, 3), np.float32))
    return x @ w + tg.Variable.create(scope, np.zeros(3, np.float32))


def labels(scope: tg.Scope, kind: str) -> Any:
    sparse = kind == "sparse"
    return core.Placeholder.create(scope, tg.TInt32 if sparse else tg.TFloat32, (None,) if sparse else (None, 3))


@pytest.mark.parametrize("kind", LOSSES)
@pytest.mark.parametrize("is_layer", [False, True])
def test_the_wrong_scale_is_a_warning(scope: tg.Scope, logits: Any, kind: str, is_layer: bool) -> None:
    y_pred = logits if is_layer else nn.Softmax.create(scope, logits)
    options = {"from_logits": not is_layer}
    text = (
        r"y_pred is to be probabilities, but is 'AddV2:0' .* a product plus a variable, .*: pass from_logits=True"
        if is_layer
        else r"from_logits=True takes logits, but y_pred is 'Softmax:0' .*: pass what it is made of, or leave out from"
    )
    for loss in (LOSSES[kind][0](**options), lambda *args: LOSSES[kind][1](*args, **options)):
        with pytest.warns(UserWarning, match=text) as told:
            loss(scope, labels(scope, kind), y_pred)
        assert told[0].filename == __file__


@pytest.mark.parametrize("kind", LOSSES)
def test_what_is_right_or_not_known_is_not(scope: tg.Scope, logits: Any, kind: str) -> None:
    function, true = LOSSES[kind][1], labels(scope, kind)
    w = tg.Variable.create(scope, np.full((3, 3), 1 / 3, np.float32))
    with warnings.catch_warnings(action="error"):
        function(scope, true, nn.Softmax.create(scope, logits))
        function(scope, true, math.Sigmoid.create(scope, logits))
        function(scope, true, nn.Softmax.create(scope, logits) @ w)
        function(scope, true, logits, from_logits=True)
        function(scope, true, nn.Relu.create(scope, logits) + 1.0, from_logits=False)
