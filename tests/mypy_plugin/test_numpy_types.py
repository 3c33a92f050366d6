"""Where NumPy's own types state a wrong dtype or wrong sizes, what the run has counts."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
# mypy: allow-redefinition, local-partial-types
import numpy as np
from numpy.typing import NDArray
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
wide = core.Placeholder.create(scope, tg.TFloat32, (4, 6))
f = core.Placeholder.create(scope, tg.TFloat32)
d = core.Placeholder.create(scope, tg.TFloat64)
session = tg.Session(scope.graph)
"""
FLOAT64: Final = "is an array of float64, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]"

PROGRAMS: Final = {
    "as many sizes as another array": """
data = np.loadtxt(["1 2 3 4", "3 4 5 6"]) + 1.0
session.run(x, {x: np.zeros(data.shape, np.float32)})
session.run(x, {x: np.ones(8, np.float32).reshape(data.shape)})
def like(a: np.ndarray) -> np.ndarray:
    return np.zeros(a.shape, np.float32)[:, :1]
valid = np.full((2, int(data.max())), -1) >= 0
items = np.where(valid, valid, 0)
items.reshape(items.shape)[:, :1]
loss = session.run(core.Sum.create(scope, x, (0, 1)), {x: np.ones((2, 4), np.float32)})
loss[0]  # E: the array of shape [] has 0 dimensions, but 1 are indexed  [typegrad-shape]
""",
    "grids of quotients": """
axis = (np.arange(4, dtype=np.float32) + 0.5) / 4
rows, columns = np.meshgrid(axis, axis[:3])
reveal_type(core.Constant.create(scope, rows))  # R: Constant[TFloat32, tuple[Literal[3], Literal[4]]]
grids = np.meshgrid(axis, axis, indexing="ij")
reveal_type(core.Constant.create(scope, grids[0]))  # R: Constant[TFloat32, tuple[Literal[4], Literal[4]]]
reveal_type(core.Constant.create(scope, np.stack(grids, axis=-1)[..., 1]))  # R: Constant[TFloat32, tuple[Literal[4], Literal[4]]]
values, counts = np.unique(axis, return_counts=True)
x + values
reveal_type(core.Constant.create(scope, np.angle(np.ones(3, np.complex64))))  # R: Constant[TFloat32, tuple[Literal[3]]]
def grid(n: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.float32]]:
    side = (np.arange(n, dtype=np.float32) + 0.5) / n
    return np.stack(np.meshgrid(side, side), axis=-1)
reveal_type(core.Constant.create(scope, grid(4)))  # R: Constant[TFloat32, tuple[Literal[4], Literal[4], Literal[2]]]
""",
    "methods": """
image = np.zeros((2, 3), np.int32)
reveal_type(core.Constant.create(scope, image.cumsum(axis=1)))  # R: Constant[TInt64, tuple[Literal[2], Literal[3]]]
reveal_type(core.Constant.create(scope, (image / 255).astype(np.float32).clip(0, 1)))  # R: Constant[TFloat32, tuple[Literal[2], Literal[3]]]
row = core.Placeholder.create(scope, tg.TFloat32, (4,))
out = np.squeeze(session.run(x, {x: np.ones((1, 4), np.float32)}))
session.run(row, {row: out})
session.run(row, {row: session.run(x, {x: np.ones((1, 4), np.float32)}).squeeze()})
""",
    "of a function without a rule": """
def trimmed(levels: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> tg.Operand[tg.TFloat32]:
    scaled = levels.astype(np.float32) / 255
    return f + core.Constant.create(scope, np.trim_zeros(scaled)) + np.linspace(0, np.float32(1), 5)
""",
    "numbers": """
a = np.ones(3, np.float32)
reveal_type(core.Constant.create(scope, np.mean(a)))  # R: Constant[TFloat32, tuple[()]]
reveal_type(core.Constant.create(scope, np.nansum(np.ones(3, np.int32))))  # R: Constant[TInt64, tuple[()]]
reveal_type(core.Constant.create(scope, [np.float64(1), np.float64(2)]))  # R: Constant[TFloat64, tuple[Literal[2]]]
reveal_type(core.Constant.create(scope, [[np.float64(1), 2]]))  # R: Constant[Any, tuple[Literal[1], Literal[2]]]
reveal_type(core.Constant.create(scope, [1.0, np.float64(2)]))  # R: Constant[TFloat32, tuple[Literal[2]]]
reveal_type(tg.Variable.create(scope, np.linalg.norm(a)))  # R: Variable[TFloat32, tuple[()]]
reveal_type(core.Constant.create(scope, np.zeros(np.array([2, 3]), np.float32)))  # R: Constant[TFloat32, tuple[Any, Any]]
""",
    "classes of many dtypes": """
from typing import Any
i = core.Placeholder.create(scope, tg.TInt32)
def fed(
    any_: NDArray[np.generic], number: NDArray[np.number[Any]], inexact: NDArray[np.inexact], integer: NDArray[np.integer[Any]]
) -> None:
    session.run([f, i], {f: any_, i: any_})
    session.run([f, i], {f: number, i: number})
    session.run([f, i], {f: inexact, i: integer})
    session.run(f, {f: integer})  # E: run: the feed of f is an array of another type, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]
    session.run(i, {i: inexact})  # E: run: the feed of i is an array of another type, but must be int32; convert it with astype(np.int32)  [typegrad-dtype]
""",
    "a name that is bound again": """
def train(data: NDArray[np.float32], wide: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> None:
    data = data / 255 + np.float32(0.1)
    session.run([f], {f: data})
    session.run([f], {f: data[2:] / 2})
    session.run([f], {f: np.stack([data, data]).T})
    wide = wide / len(wide)
    for i in range(3):
        batch = wide[i : i + 2]
        session.run([f], {f: batch})
out = session.run(x * 2.0, {x: np.ones((6, 4), np.float32)})
out = out / 3 + 1
session.run([f], {f: out[::-1] / len(out)})
""",
    "a name that a loop binds again": """
def momentum(w: NDArray[np.float32], g: NDArray[np.float32]) -> NDArray[np.float32]:
    d = np.zeros(3, np.float32)
    for _ in range(3):
        d = 0.9 * d + 0.1 * g
        w = w - 0.02 * d
    return w
w: NDArray[np.float32] = np.ones(3, np.float32)
d, g = np.zeros(3, np.float32), np.ones(3, np.float32)
while w.sum() > 0:
    d = 0.9 * d + (1.0 - 0.9) * g
    w = w - 0.1 * d
    reveal_type(tg.Variable.create(scope, d))  # R: Variable[TFloat32, tuple[Any, ...]]
""",
    "items of arrays": """
for batch in np.array_split(np.ones((10, 4), np.float32) / 255, 3):
    session.run([f], {f: batch})
for _, part in enumerate(np.split(np.ones((10, 4), np.float32) / 255, 2)):
    session.run([f], {f: part})
best = np.ones((10, 4), np.float32) / 2
best = max([best, best], key=lambda a: float(a.mean()))
session.run([f], {f: best / 2})
""",
    "another dtype that is known": f"""
def train(data: NDArray[np.float32]) -> None:
    data = data / np.float64(3)
    scaled = data / 255
    session.run([f], {{f: np.ones(3, np.float32) / np.float64(3)}})  # E: run: the feed of f {FLOAT64}
""",
    "functions": """
def transform(a: NDArray[np.float32]) -> None:
    session.run([f], {f: np.fft.rfft(a).real})
    session.run([f], {f: np.abs(np.fft.rfft2(a))})
    session.run([d], {d: np.percentile(a, [10, 50, 90])})
    session.run([d], {d: np.average(a, axis=0, weights=np.ones(6))})
    session.run([d], {d: np.bincount([0, 1], weights=[0.5, 1.0])})
""",
    "transposed results of runs": """
a = session.run(x * 2.0, {x: np.ones((6, 4), np.float32)})
for each in (a.T, a.mT, a.transpose(), a.swapaxes(0, 1), np.moveaxis(a, 0, 1), np.rot90(a)):
    session.run([wide], {wide: each})
session.run([wide], {wide: a.T})
session.run([f], {f: np.diff(a)[:, 2]})
session.run([f], {f: np.trapezoid(a, axis=0)})
""",
    "an array that may be resized": """
b = np.ones((6, 4), np.float32) / 30
b.resize((4, 6))
session.run([wide], {wide: b})
""",
    "an array of another number of dimensions": """
b = np.ones(24, np.float32)
b.shape = 4, 6
session.run([wide], {wide: b})
""",
    "indices": """
ids = core.Placeholder.create(scope, tg.TInt32, (None,))
session.run([ids], {ids: np.argsort(np.zeros(3))})  # E: run: the feed of ids is an array of int64, but must be int32; convert it with astype(np.int32)  [typegrad-dtype]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
