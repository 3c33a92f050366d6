"""k-means: assignments and means, each step one run."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, dtypes, math

Points = NewType("Points", int)
k = 3
dimensions = 2

graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
points = core.Placeholder.create(scope.with_name("points"), tg.TFloat32, (Points, dimensions))
centers = tg.Variable.create(scope.with_name("centers"), np.array([[0, 0], [1, 1], [2, 0]], np.float32))


def distances(
    scope: tg.Scope,
    x: tg.Operand[tg.TFloat32, tuple[Points, Literal[2]]],
    c: tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[2]]],
) -> tg.Operand[tg.TFloat32, tuple[Points, Literal[3]]]:
    difference = core.ExpandDims.create(scope, x, 1) - core.ExpandDims.create(scope, c, 0)
    return core.Sum.create(scope, math.Square.create(scope, difference), 2)


all_distances = distances(scope, points, centers)
assignment = math.ArgMin.create(scope, all_distances, 1)
members = core.OneHot.create(scope, assignment, k, 1.0, 0.0)
counts = core.Sum.create(scope, members, 0)
sums = math.UnsortedSegmentSum.create(scope, points, assignment, k)
means = sums / math.Maximum.create(scope, core.ExpandDims.create(scope, counts, 1), 1.0)
empty = counts < 0.5
kept = core.Select.create(scope, core.BroadcastTo.create(scope, empty[:, None], (k, dimensions)), centers, means)
update = centers.assign(scope, kept)
inertia = core.Sum.create(scope, core.Min.create(scope, all_distances, 1))
sizes = dtypes.Cast.create(scope, counts, tg.TInt32)

rng = np.random.default_rng(0)
middles = np.array([[0.0, 0.0], [4.0, 4.0], [4.0, 0.0]])
cloud = np.concatenate([rng.normal(m, 0.3, (20, dimensions)) for m in middles]).astype(np.float32)
with tg.Session(graph) as session:
    before = session.run(inertia, {points: cloud})
    for _ in range(20):
        old = session.value(centers)
        session.run(update, {points: cloud})
        if np.allclose(old, session.value(centers)):
            break
    after, members_of = session.run((inertia, sizes), {points: cloud})
assert after < 0.2 * before, (before, after)
assert sorted(members_of.tolist()) == [20, 20, 20]
