"""`x.expect(dtype, shape)` is `x` where the graph knows as much, and else checks the shape at every run."""

from __future__ import annotations

import pytest

import typegrad as tg
from typegrad.op import core


def test_what_is_known_adds_nothing(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    for shape in (None, (2, 3), (None, 3)):
        assert x.expect(tg.TFloat32, shape) is x.as_output()


def test_what_is_not_known_is_checked_at_every_run(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 3))
    with scope.with_sub_scope("layer"):
        y = x.expect(tg.TFloat32, (2, 3))
    assert y.shape == (2, 3) and y.name == "layer/EnsureShape:0"
    with tg.Session(scope.graph) as session, pytest.raises(tg.TypegradError, match=r"\[2, 3\]"):
        session.run(y, {x: [[0.0, 0.0, 0.0]]})


def test_what_can_never_be_is_refused(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    with pytest.raises(tg.DTypeError, match="is not int32, as expected; cast it with dtypes.Cast"):
        x.expect(tg.TInt32)
    with pytest.raises(tg.ShapeError):
        x.expect(tg.TFloat32, (2, 4))
