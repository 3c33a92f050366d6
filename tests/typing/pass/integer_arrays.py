"""Arrays of integers in the place of lists, and integers of NumPy: sizes, axes, permutations, segments, seeds."""

from __future__ import annotations

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math
from typegrad.training import initializers

scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (3, 4))
order = np.array([1, 0])
edges = np.array([[0, 1], [1, 2], [2, 0]], np.int32)

linalg.Transpose.create(scope, x, order)
core.Reshape.create(scope, x, np.array([2, 6], np.int64))
core.Tile.create(scope, x, np.arange(1, 3))
core.Fill.create(scope, np.full(2, 3), 1.0)
core.Sum.create(scope, x, order)
math.SegmentSum.create(scope, x, np.zeros(3, np.int32), 1)
math.UnsortedSegmentSum.create(scope, x, edges[:, 1], 3)

# An integer of NumPy is an axis, as is a whole array of them.
core.Sum.create(scope, x, np.int32(1))
math.Mean.create(scope, x, np.argmax([1, 3]))
core.ExpandDims.create(scope, x, np.int64(0))

# So is it a seed.
seed = np.random.default_rng(0).integers(100)
seeded = tg.Scope(tg.Graph(seed=seed)).with_seed(seed)
functions.uniform(seeded, (3,), seed=seed)
tg.random.Generator.from_seed(seeded, seed)
initializers.GlorotUniform(seed=seed)(seeded, (3, 4), tg.TFloat32)
