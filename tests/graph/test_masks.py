"""`x[mask]` selects what NumPy selects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core

VALUE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("shape", [(2, 3, 4), None])
def test_a_mask_covers_the_first_dimensions(rank: int, shape: Any, scope: tg.Scope) -> None:
    mask = np.arange(np.prod(VALUE.shape[:rank])).reshape(VALUE.shape[:rank]) % 3 == 1
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    selected = tg.Session(scope.graph).run(x[mask], {x: VALUE})
    np.testing.assert_array_equal(selected, VALUE[mask], strict=True)


def test_a_mask_of_another_size_is_refused(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, VALUE)
    with pytest.raises(
        tg.ShapeError, match=r"a mask has the shape of the first dimensions .*, \[2\], but this one is \[3\]"
    ):
        x[np.ones(3, bool)]


def test_a_mask_without_dimensions_is_refused(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, VALUE)
    with pytest.raises(
        tg.ShapeError,
        match=r"a mask has one dimension or more, .* but its shape is \[\]; core.Select chooses by a scalar",
    ):
        x[np.array(True)]
