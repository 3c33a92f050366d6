"""Patches: what shapes are known, and what is refused."""

from __future__ import annotations

from typing import Any, Final

import pytest

import typegrad as tg
from typegrad.op import core, image

ONES: Final = (1, 1, 1, 1)


def test_shapes_are_known() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch", 8, "w", 3))
    y = image.ExtractImagePatches.create(scope, x, (1, 3, 2, 1), (1, 2, 1, 1), ONES, "VALID")
    assert str(y.shape) == "[Batch, 3, w - 1, 18]"
    volumes = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 4, 8, 8, "c"))
    z = core.ExtractVolumePatches.create(scope, volumes, (1, 2, 2, 2, 1), (1, 2, 2, 2, 1), "SAME")
    assert str(z.shape) == "[?, 2, 4, 4, 8*c]"


REFUSED: Final[list[tuple[dict[str, Any], str]]] = [
    (
        {"ksizes": (1, 6, 1, 1)},
        "along dimension 1 of `images` [1, 4, 4, 2], a window over 6 does not fit into 4; make it smaller",
    ),
    (
        {"ksizes": (1, 2, 2, 2)},
        "`ksizes` is [1, 2, 2, 2], but must be 1 for the batch (dimension 0) and the channels (dimension 3)",
    ),
    ({"strides": (1, 0, 1, 1)}, "`strides` must be 4 positive numbers, one for each dimension, but is [1, 0, 1, 1]"),
]


@pytest.mark.parametrize(("attrs", "message"), REFUSED)
def test_what_does_not_fit_is_refused(attrs: dict[str, Any], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(1, 4, 4, 2))
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as caught:
        image.ExtractImagePatches.create(
            scope, x, **{"ksizes": (1, 2, 2, 1), "strides": ONES, "rates": ONES, "padding": "VALID", **attrs}
        )
    assert message in str(caught.value)
