"""Axes, shapes, permutations, sizes and indices may be Python integers; some may be left out."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, random

scope = tg.Scope(tg.Graph(seed=1))
x = core.Constant.create(scope, np.ones((2, 3), np.float32))
axis = core.Constant.create(scope, np.int64(1))

for total in (
    core.Sum.create(scope, x),
    core.Sum.create(scope, x, 0),
    core.Sum.create(scope, x, (0, -1), keep_dims=True),
    core.Sum.create(scope, x, axis),
    core.Sum.create(scope, x, [0, 1]),
):
    assert_type(total, core.Sum[tg.TFloat32])

assert_type(core.Reshape.create(scope, x, (-1, 2)), core.Reshape[tg.TFloat32])
assert_type(core.Reshape.create(scope, x, core.Shape.create(scope, x)), core.Reshape[tg.TFloat32])
assert_type(linalg.Transpose.create(scope, x, (1, 0)), linalg.Transpose[tg.TFloat32])
assert_type(core.ExpandDims.create(scope, x, 0), core.ExpandDims[tg.TFloat32])
core.ExpandDims.create(scope, x, axis=(1,))
core.ExpandDims.create(scope, x, np.array([0]))
assert_type(core.Concat.create(scope, [x, x], 1), core.Concat[tg.TFloat32])
assert_type(core.Gather.create(scope, x, [[0, 1], [1, 0]], 1), core.Gather[tg.TFloat32])
assert_type(core.Gather.create(scope, x, 0), core.Gather[tg.TFloat32])
assert_type(core.Slice.create(scope, x, (0, 1), (1, -1)), core.Slice[tg.TFloat32])
assert_type(core.Tile.create(scope, x, (2, 1)), core.Tile[tg.TFloat32])
assert_type(core.Pad.create(scope, x, [[0, 0], [1, 1]]), core.Pad[tg.TFloat32])
assert_type(core.Split.create(scope, 1, x, num_split=3), core.Split[tg.TFloat32])
assert_type(core.Range.create(scope, 0, 10, 2), core.Range[tg.TInt32, tuple[Any]])
assert_type(core.Range.create(scope, axis, 10, 2), core.Range[tg.TInt64, tuple[Any]])
assert_type(math.ArgMax.create(scope, x, 0), math.ArgMax[tg.TInt64])
assert_type(math.ArgMax.create(scope, x, 0, output_type=tg.TInt32), math.ArgMax[tg.TInt32])
assert_type(math.Cumsum.create(scope, x), math.Cumsum[tg.TFloat32])
assert_type(math.InvertPermutation.create(scope, [2, 0, 1]), math.InvertPermutation[tg.TInt32, tuple[Any]])
assert_type(random.RandomUniform.create(scope, (2, 3), tg.TFloat64), random.RandomUniform[tg.TFloat64])
assert_type(random.RandomUniformInt.create(scope, [4], 0, 10), random.RandomUniformInt[tg.TInt32])
one_hot = core.OneHot.create(scope, [0, 2], 3, core.Constant.create(scope, 1.0), core.Constant.create(scope, 0.0))
assert_type(one_hot, core.OneHot[tg.TFloat32])

with tg.Session(scope.graph) as session:
    assert session.run(one_hot).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
