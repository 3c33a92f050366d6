"""Parts of a variable are written in place, and put back where a run fails."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, debugging


def changes(scope: tg.Scope, handle: tg.Operand[tg.TResource]) -> list[tg.Operation]:
    """Writes to points, twice to one of them, and to slices."""
    zeros = np.zeros(2, np.float32)
    return [
        core.ResourceScatterNdAdd.create(scope, handle, [[0, 1], [0, 1]], zeros + 5).op,
        core.ResourceScatterNdUpdate.create(scope, handle, [[1]], (zeros + 6)[None]).op,
        core.ResourceStridedSliceAssign.create(scope, handle, [0], [0], [-2], zeros + 7, begin_mask=1, end_mask=1).op,
        core.ResourceStridedSliceAssign.create(scope, handle, [], [], [], zeros + 8).op,
    ]


def test_a_failing_run_puts_parts_back(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, np.arange(6, dtype=np.float32).reshape(3, 2))
    bad = core.Placeholder.create(scope, tg.TFloat32, shape=())
    writes = changes(scope, v.handle)
    with scope.with_control_dependencies(writes) as after:
        check = debugging.CheckNumerics.create(after, bad, message="bad")
    with tg.Session(scope.graph) as session:
        session.run(core.ResourceScatterNdAdd.create(scope, v.handle, [[0, 0]], [1.0]))  # its own copy now
        for _ in range(2):
            with pytest.raises(tg.InvalidArgumentError, match="bad"):
                session.run(check, {bad: np.nan})
            assert session.run(v).tolist() == [[1, 1], [2, 3], [4, 5]]
        session.run(check, {bad: 0})
        assert session.run(v).tolist() == [[8, 8]] * 3


def test_what_was_gathered_is_not_changed_by_a_later_write(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, np.zeros((2, 2), np.float32))
    session = tg.Session(scope.graph)
    for points in (np.zeros((1, 0), np.int32), np.array([0], np.int32), np.array([[1]], np.int32)):
        gathered = core.ResourceGatherNd.create(scope, v.handle, points, tg.TFloat32)
        whole = core.Identity.create(scope, gathered)
        write = core.ResourceScatterNdAdd.create(scope, v.handle, [[0], [1]], np.ones((2, 2), np.float32))
        session.run(write)
        before = session.run(gathered)
        now, _ = session.run((whole, write.op))
        assert now.tolist() == before.tolist()


def test_a_counter_ends_at_its_limit(scope: tg.Scope) -> None:
    counter = tg.Variable.create(scope, np.int64(1))
    count = core.ResourceCountUpTo.create(scope, counter.handle, tg.TInt64, limit=3)
    with tg.Session(scope.graph) as session:
        assert [session.run(count).item() for _ in range(2)] == [1, 2]
        with pytest.raises(tg.OutOfRangeError, match="the counter is 3, and its limit 3"):
            session.run(count)
        assert session.run(counter) == 3


def test_what_does_not_fit_a_part_is_refused_before_the_run(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, np.zeros((2, 2), np.float32))
    names = tg.Variable.create(scope, np.array([b"a"], object))
    with pytest.raises(tg.ShapeError, match=r"`value` has shape \[3\], which cannot be broadcast to \[1, 2\], the"):
        core.ResourceStridedSliceAssign.create(scope, v.handle, [0], [1], [1], np.zeros(3, np.float32))
    with pytest.raises(tg.DTypeError, match="`updates` is string, which cannot be added"):
        core.ResourceScatterNdAdd.create(scope, names.handle, [[0]], np.array([b"b"], object))
    with pytest.raises(tg.DTypeError, match="`updates` is string, but only real numbers have an order"):
        core.ResourceScatterNdMax.create(scope, names.handle, [[0]], np.array([b"b"], object))
    scalar = tg.Variable.create(scope, 1.0)
    with pytest.raises(tg.ShapeError, match="the variable is a scalar, which has no points to index"):
        core.ResourceGatherNd.create(scope, scalar.handle, [0], tg.TFloat32)
    with pytest.raises(tg.ShapeError, match=r"the variable must be a scalar to count with, but has shape \[2, 2\]"):
        core.ResourceCountUpTo.create(scope, tg.Variable.create(scope, np.zeros((2, 2), np.int32)).handle, tg.TInt32, 3)
    with pytest.raises(tg.AttributeValueError, match="`limit` is 4294967296, which is not within the range of int32"):
        core.ResourceCountUpTo.create(scope, tg.Variable.create(scope, 1).handle, tg.TInt32, 2**32)
