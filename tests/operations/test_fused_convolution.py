"""Fused convolutions give what their parts give, for every image of a batch."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, image, nn

PADDINGS: Final = np.array([[0, 0], [1, 0], [1, 2], [0, 0]], np.int32)
SLIDE: Final = (1, 1, 1, 1)


def test_parts_give_the_same() -> None:
    rng = np.random.default_rng(0)
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, rng.normal(size=(3, 3, 3, 2)).astype(np.float32))
    filters = core.Constant.create(scope, rng.normal(size=(2, 2, 2, 3)).astype(np.float32))
    resized = image.ResizeBilinear.create(scope, x, [4, 5])
    padded = core.MirrorPad.create(scope, resized, PADDINGS, "REFLECT")
    parts = nn.Conv2d.create(scope, padded, filters, SLIDE, "VALID")
    fused = nn.FusedResizeAndPadConv2d.create(scope, x, [4, 5], PADDINGS, filters, "REFLECT", SLIDE, "VALID")
    by_parts, by_fused = (tg.gradients(scope, y, [x, filters]) for y in (parts, fused))
    with tg.Session(scope.graph) as session:
        np.testing.assert_array_equal(session.run(fused), session.run(parts))
        for expected, grad in zip(by_parts, by_fused, strict=True):
            assert expected is not None and grad is not None
            np.testing.assert_allclose(session.run(grad), session.run(expected), rtol=1e-5)


def test_the_batch_and_the_channels_are_not_padded() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 4, 4, 1))
    filters = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 2, 1, 1))
    paddings = np.array([[1, 0], [0, 0], [0, 0], [0, 0]], np.int32)
    with pytest.raises(tg.ShapeError, match="`paddings` must be 0 for the batch and the channels, but is"):
        nn.FusedPadConv2d.create(scope, x, paddings, filters, "SYMMETRIC", SLIDE, "VALID")
