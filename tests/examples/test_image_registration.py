"""The example of image registration: the warp has the gradient of the transform, and motions and picture are found."""

from __future__ import annotations

import image_registration
import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math


def test_the_warp_of_a_slope_changes_by_the_slope() -> None:
    scope = tg.Scope(tg.Graph())
    rows, columns = np.mgrid[: image_registration.SIZE, : image_registration.SIZE].astype(np.float32)
    slope = np.broadcast_to((3 * rows + 2 * columns)[:, :, None], (10, 32, 32, 1))
    motions = core.Placeholder.create(scope, tg.TFloat32, (10, 3))
    warped = image_registration.warp(
        scope, core.Constant.create(scope, slope), image_registration.transforms(scope, motions)
    )
    grad = tg.grad(scope, math.Mean.create(scope, warped[:, 8:24, 8:24], (1, 2, 3)), motions)
    with tg.Session(scope.graph) as session:
        moved = np.tile(np.array([0, 0.5, -1.5], np.float32), (10, 1))
        value, changes = session.run((warped, grad), {motions: moved})
    np.testing.assert_allclose(value[:, 8:24, 8:24], slope[:, 8:24, 8:24] + 2 * 0.5 - 3 * 1.5, rtol=1e-5)
    assert changes[0, 1:] == pytest.approx([2, 3], abs=1e-4)
    assert changes[0, 0] == pytest.approx(0, abs=1e-4)  # the block is around the center


def test_the_motions_and_the_picture_are_found() -> None:
    result = image_registration.train()
    assert result.losses[-1] < result.losses[0] / 20
    np.testing.assert_allclose(result.learned, result.motions, atol=0.3)
    shot, learned = (image_registration.error(result, each) for each in (result.shots[:1], result.picture))
    assert learned < shot / 2
