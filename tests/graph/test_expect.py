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
    remedy = "cast it with dtypes.Cast, or expect tg.TFloat32"
    with pytest.raises(tg.DTypeError, match=f"is not int32, as expected; {remedy}$"):
        x.expect(tg.TInt32)
    with pytest.raises(tg.ShapeError):
        x.expect(tg.TFloat32, (2, 4))


def test_leading_dimensions_may_be_left_out(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch", None, None))
    assert x.expect(tg.TFloat32, (..., 64)).shape == ("Batch", None, 64)
    assert x.expect(tg.TFloat32, ("Batch", ..., 64)).shape == ("Batch", None, 64)
    assert x.expect(tg.TFloat32, ("Batch", 2, ..., 64)).shape == ("Batch", 2, 64)
    with pytest.raises(tg.ShapeError, match=r"\(\.\.\., 1, 2, 3, 4\) is of rank 4 or more, but the rank is 3"):
        x.expect(tg.TFloat32, (..., 1, 2, 3, 4))
    with pytest.raises(tg.ShapeError, match=r"at most one `\.\.\.`, but \(\.\.\., 3, \.\.\.\) has 2"):
        x.expect(tg.TFloat32, (..., 3, ...))
    unknown = core.Placeholder.create(scope, tg.TFloat32)
    with pytest.raises(
        tg.ShapeError, match=r"the shape is unknown, so that \(\.\.\., 64\) says too little; state the rank"
    ):
        unknown.expect(tg.TFloat32, (..., 64))


def test_the_shape_of_another_operand(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch", None))
    y = core.Placeholder.create(scope, tg.TInt32, shape=("Batch", 3))
    assert x.expect(tg.TFloat32, like=x) is x.as_output()
    assert x.expect(tg.TFloat32, like=y).shape == ("Batch", 3)
    with pytest.raises(tg.ShapeError):
        core.Placeholder.create(scope, tg.TFloat32, (2, 4)).expect(tg.TFloat32, like=y)
    with pytest.raises(tg.AttributeValueError, match="takes a `shape`, or an operand that has it as `like`, not both"):
        x.expect(tg.TFloat32, (2, 3), like=y)  # type: ignore[call-overload]


def test_arithmetic_may_be_given_a_name_of_its_own(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch", "Time", 8))
    rows = core.Reshape.create(scope, x, (-1, 8))
    assert rows.expect(tg.TFloat32, ("Rows", 8)).shape == ("Rows", 8)
    with pytest.raises(tg.ShapeError, match=r"dimensions Batch\*Time and Batch differ"):
        rows.expect(tg.TFloat32, ("Batch", 8))
