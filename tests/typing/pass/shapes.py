"""A shape passes through the operations that keep it, and into the arrays that a run returns."""

from __future__ import annotations

from typing import Any, Literal, NewType, assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, nn

Batch = NewType("Batch", int)


def per_image(
    x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]],
) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]:
    return nn.Relu.create(scope, -x)


def any_matrix(x: tg.Operand[tg.TFloat32, tuple[int, int]]) -> tg.Operand[tg.TFloat32]:
    return linalg.MatMul.create(scope, x, x, transpose_b=True)


scope = tg.Scope(tg.Graph())
batch: tuple[Batch, Literal[10]] = (Batch(4), 10)
images = core.Placeholder.create(scope, tg.TFloat32, shape=batch)
assert_type(images, core.Placeholder[tg.TFloat32, tuple[Any, Any]])
positive = per_image(images)
assert_type(nn.Relu.create(scope, images), nn.Relu[tg.TFloat32, tuple[Any, Any]])
assert_type(math.IsNan.create(scope, images), math.IsNan[tuple[Any, Any]])
any_matrix(positive)

annotated: tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]] = core.Placeholder.create(
    scope, tg.TFloat32, shape=(Batch(4), 10)
)
per_image(annotated)

# A size is an int to compute with, wherever it comes from.
width = annotated.shape[-1]
weights = tg.Variable.create(scope, np.zeros((width, 4), np.float32))
scaled = linalg.MatMul.create(scope, annotated, weights) / np.sqrt(width)
halves = [annotated[:, start] for start in range(annotated.shape[1] // 2)]
_, columns = annotated.shape
same = core.Placeholder.create(scope, tg.TFloat32, (annotated.shape[0], columns + 1))

# A dimension that is not known before the run is None or a name; such a shape fits every annotation.
named = core.Placeholder.create(scope, tg.TFloat32, shape=("batch", 10))
unknown = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 10))
assert_type(named, core.Placeholder[tg.TFloat32, tuple[Any, Any]])
per_image(named)
per_image(unknown)
per_image(math.Add.create(scope, images, unknown))

with tg.Session(scope.graph) as session:
    value = session.run(positive, {images: np.ones(batch, np.float32)})
assert_type(value, np.ndarray[tuple[Batch, Literal[10]], np.dtype[np.float32]])
assert value.shape == (4, 10)
assert not value.any()
