"""Where optimizers go in 100 steps: as Keras' and TensorFlow's go, dense and sparse, in single and double precision."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support import trajectories
from support.trajectories import MODES, SHOWN, STEPS, Array, Course, courses, dtypes
from typegrad import optimizers
from typegrad.op import core

TOLERANCE: Final = {"float32": 2e-5, "float64": 1e-12}

recorded = cache(trajectories.load)


def build(course: Course, graph: tg.Graph, *, lazy: bool = False) -> optimizers.Optimizer:
    clip = None if course.clip is None else getattr(optimizers, course.clip[0])(course.clip[1])
    result: optimizers.Optimizer = getattr(optimizers, course.optimizer)(
        graph, clip=clip, lazy=lazy, **course.arguments
    )
    return result


def follow(course: Course, mode: str, dtype: str) -> Array:
    """The variables at the steps shown, one row each."""
    scope = tg.Scope(tg.Graph())
    leaf = tg.TFloat32 if dtype == "float32" else tg.TFloat64
    variables: list[Any] = [tg.Variable.create(scope, value) for value in trajectories.starts(mode, dtype)]
    feeds: list[Any] = [core.Placeholder.create(scope, leaf, shape=variable.shape) for variable in variables]
    grads = feeds
    rows = core.Placeholder.create(scope, tg.TInt32, shape=(4,))
    if not trajectories.is_dense(mode):
        feeds = [core.Placeholder.create(scope, leaf, shape=(4, 2))]
        grads = [tg.IndexedSlices(scope, feeds[0], rows, trajectories.ROWS, variables[0].shape)]
    train = build(course, scope.graph, lazy=mode == "lazy").apply_gradients(zip(grads, variables, strict=True))
    shown = []
    with tg.Session(scope.graph) as session:
        for step in range(1, STEPS + 1):
            fed: dict[Any, Any] = {
                feed: trajectories.gradient(step, index, tuple(feed.shape.as_ints()), dtype)
                for index, feed in enumerate(feeds)
            }
            session.run(train, fed if trajectories.is_dense(mode) else {**fed, rows: trajectories.indices(step)})
            if step in SHOWN:
                shown.append(np.concatenate([session.value(variable).ravel() for variable in variables]))
    return np.stack(shown)


@pytest.mark.parametrize(
    ("mode", "dtype", "course"),
    [
        pytest.param(mode, dtype, course, id=f"{mode}-{dtype}-{course.name}")
        for mode in MODES
        for dtype in dtypes(mode)
        for course in courses(mode)
    ],
)
def test_the_trajectory_is_the_recorded_one(course: Course, mode: str, dtype: str) -> None:
    result = follow(course, mode, dtype)
    expected = recorded()[f"{dtype} {mode} {course.name}"].reshape(result.shape)
    start = np.concatenate([value.ravel() for value in trajectories.starts(mode, dtype)])
    length = np.abs(expected - start).max()
    assert length > 0.01
    np.testing.assert_allclose(result, expected, rtol=0, atol=TOLERANCE[dtype] * max(length, 1))
