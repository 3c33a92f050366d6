"""Colours: round trips, and what is refused."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, image


def test_hue_saturation_and_value_become_the_colour_again() -> None:
    scope = tg.Scope(tg.Graph())
    colours = np.random.default_rng(0).uniform(size=(50, 3))
    x = core.Constant.create(scope, colours)
    y = image.HsvToRgb.create(scope, image.RgbToHsv.create(scope, x))
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(session.run(y), colours, atol=1e-12)
        np.testing.assert_allclose(session.run(tg.grad(scope, y, x)), np.ones_like(colours), atol=1e-12)


def test_an_infinite_rotation_has_no_hue() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, np.array([[[0.9, 0.5, 0.1]]], np.float32))
    y = image.AdjustHue.create(scope, x, np.inf)
    with tg.Session(scope.graph) as session:
        assert np.isnan(session.run(y)).any()


REFUSED: Final[list[tuple[Any, tuple[Any, ...], list[Any], str]]] = [
    (image.AdjustHue, (2, 3), [0.5], "`images` must have rank 3 or more, but has shape [2, 3]"),
    (
        image.AdjustSaturation,
        (2, 3, 4),
        [0.5],
        "`images` [2, 3, 4] must have 3 channels, its last dimension, but has 4",
    ),
    (image.RgbToHsv, ("n", 1), [], "`images` [n, 1] must have 3 channels, its last dimension, but has 1"),
    (image.AdjustContrast, (2, 3, 4), [[0.5]], "`contrast_factor` must have rank 0, but has shape [1]"),
]


@pytest.mark.parametrize(("wrapper", "shape", "rest", "message"), REFUSED)
def test_what_does_not_fit_is_refused(wrapper: Any, shape: tuple[Any, ...], rest: list[Any], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    with pytest.raises(tg.ShapeError) as caught:
        wrapper.create(scope, x, *rest)
    assert message in str(caught.value)
