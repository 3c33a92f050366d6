"""What NumPy refuses to do with the arrays of a run is known from their types, also where nothing calls the function."""

from __future__ import annotations

from typing import Final

import pytest

from typegrad.dry_run.known.arrays import TAKES_DIMENSIONS

HEADER: Final = """\
from __future__ import annotations
import math
from typing import Any, Literal, NewType
import numpy as np
import pytest
import typegrad as tg
Batch = NewType("Batch", int)
One = tg.Operand[tg.TFloat32, tuple[Literal[1]]]
Four = tg.Operand[tg.TFloat32, tuple[Literal[4]]]
Mat = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Fix = tg.Operand[tg.TFloat32, tuple[Literal[6], Literal[3]]]
Cube = tg.Operand[tg.TFloat32, tuple[Batch, int, Literal[3]]]
Ids = tg.Operand[tg.TInt64, tuple[Batch]]
Num = tg.Operand[tg.TFloat32, tuple[()]]
Two = tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]
"""
NO_NUMBER: Final = "of an array of shape [4]: only a single element is a number; take one of the elements, or their mean  [typegrad-shape]"
NO_TRUTH: Final = "truth of an array of shape [4]: the truth of an array with several elements is ambiguous; use any() or all()  [typegrad-shape]"
UNFIT: Final = "the sizes do not fit each other  [typegrad-shape]"


def refused(text: str) -> str:
    """What is expected of a line that NumPy refuses from version 2.4 on."""
    return "" if TAKES_DIMENSIONS else f"  # E: {text}  [typegrad-shape]"


PROGRAMS: Final = {
    "refused as numbers": f"""
def program(s: tg.Session, four: Four) -> float:
    if s.run(four) > 0:  # E: {NO_TRUTH}
        int(s.run(four))  # E: int {NO_NUMBER}
    values = s.run(four)
    assert s.run(four)  # E: {NO_TRUTH}
    print(f"{{values:.3f}}")  # E: format of an array of shape [4]: an array has no format; take one of its elements, or their mean  [typegrad-shape]
    values.item()  # E: item of an array of shape [4]: item() is for an array of one element; take one of its elements, or their mean  [typegrad-shape]
    a, b, c = values  # E: an array with 4 items is unpacked into 3 names  [typegrad-shape]
    return float(values)  # E: float {NO_NUMBER}
""",
    "one element, of any dimensions": f"""
def program(s: tg.Session, one: One, ids: Ids) -> None:
    float(s.run(one)){refused("float of an array of shape [1]: only an array without dimensions is a number; take its element with item()")}
    int(s.run(ids)){refused("int of an array of shape [Batch]: only a single element is a number; take one of the elements, or their mean")}
    print(s.run(one).item(), float(s.run(one)[0]))
""",
    "refused by functions and methods": f"""
def program(s: tg.Session, p: Mat, f: Fix) -> None:
    s.run(p).sum(axis=2)  # E: sum of an array of shape [Batch, 3]: axis 2 is out of bounds for array of dimension 2  [typegrad-shape]
    np.mean(s.run(p), axis=-3)  # E: mean of an array of shape [Batch, 3]: axis -3 is out of bounds for array of dimension 2  [typegrad-shape]
    np.concatenate([s.run(p), np.ones((2, 4), np.float32)])  # E: concatenate of arrays of shapes [Batch, 3] and [2, 4]: {UNFIT}
    np.dot(s.run(p), s.run(f))  # E: dot of arrays of shapes [Batch, 3] and [6, 3]: {UNFIT}
    s.run(f).reshape(4, 5)  # E: reshape of an array of shape [6, 3]: cannot reshape array of size 18 into shape (4,5)  [typegrad-shape]
""",
    "refused by operators": f"""
def program(s: tg.Session, p: Mat, f: Fix, four: Four) -> None:
    s.run(p) @ np.ones((4, 2), np.float32)  # E: @ of arrays of shapes [Batch, 3] and [4, 2]: {UNFIT}
    s.run(p) - np.ones((5,), np.float32)  # E: - of arrays of shapes [Batch, 3] and [5]: {UNFIT}
    s.run(f) * s.run(four)  # E: * of arrays of shapes [6, 3] and [4]: the sizes do not fit each other  [typegrad-shape]
    np.add(s.run(f), s.run(four))  # E: add of arrays of shapes [6, 3] and [4]: shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape (6, 3) and arg 1 with shape (4,).  [typegrad-shape]
    s.run(f) > s.run(four)  # E: > of arrays of shapes [6, 3] and [4]: the sizes do not fit each other  [typegrad-shape]
""",
    "right: numbers": """
def numbers(s: tg.Session, one: One, four: Four, num: Num, ids: Ids) -> None:
    print(int(s.run(num)), s.run(num).item(), s.run(one).item(), f"{s.run(num):.3f}", f"{s.run(four)}")
    print(float(s.run(four)[0]), float(s.run(four).mean()), f"{s.run(four).mean():.2f}", round(float(s.run(num)), 2))
    print(math.sqrt(s.run(num)), "{}".format(s.run(four)), int(s.run(four).sum()))
    if s.run(num) > 0 and s.run(one) > 0:
        print("yes")
    if (s.run(four) > 0).all() or np.any(s.run(four) < 0):
        print("yes")
    assert s.run(ids).size or len(s.run(four))
    while s.run(num) < 1:
        break
    print("a" if s.run(one) else "b", bool(s.run(num)), not s.run(num))
""",
    "right: reductions": """
def reductions(s: tg.Session, mat: Mat, cube: Cube, fix: Fix) -> None:
    p, c = s.run(mat), s.run(cube)
    print(p.sum(axis=1), p.sum(axis=-2), p.mean(0), p.max(axis=(0, 1)), c.sum(axis=2), np.sum(c, axis=(0, 2), keepdims=True))
    print(p.argmax(axis=-1), np.argsort(p, axis=1), np.linalg.norm(p, axis=1), p.std(), np.var(p, axis=0, ddof=1))
    print(np.median(p, axis=1), np.cumsum(p, axis=1), np.percentile(p, 50, axis=0), np.squeeze(p), np.expand_dims(p, 2), np.diff(p, axis=0))
    print(p.sum(axis=None), np.average(p, axis=1, weights=np.ones(3)), np.quantile(p, [0.1, 0.9], axis=0))
""",
    "right: products": """
def products(s: tg.Session, mat: Mat, cube: Cube, fix: Fix, two: Two, four: Four) -> None:
    p, c, f = s.run(mat), s.run(cube), s.run(fix)
    print(p @ np.ones((3, 2)), p @ np.ones(3), np.ones((5, 6)) @ p, p.T @ p, c @ np.ones((3, 3)), f.T @ f, f @ f.T)
    print(np.dot(p, np.ones(3)), np.einsum("bi,ij->bj", p, np.ones((3, 3))), np.outer(f[0], f[1]), p @ f.T, c @ c.transpose(0, 2, 1))
    print(p - np.ones(3), p * np.ones((1, 3)), p + 1.0, p / p.sum(axis=1, keepdims=True), p - p.mean(axis=0), f - np.ones((6, 1)))
    print(p - f, np.ones((5, 1)) + p, p[:, None] - p[None], s.run(two) * p, p * s.run(two), p == f, p > np.array([1, 2, 3]))
    print(np.maximum(p, 0.0), np.where(p > 0, p, 0.0), np.add(p, f), np.matmul(p, np.ones((3, 4))), np.tensordot(p, f, axes=([1], [1])))
    print(c - p[0], c + np.ones((4, 3)), c * p[:, None], np.multiply.outer(f, f).shape, s.run(four) @ np.ones((4, 2)), 2.0 * p, -p, p**2)
""",
    "right: joins": """
def joins(s: tg.Session, mat: Mat, fix: Fix, four: Four) -> None:
    p, f = s.run(mat), s.run(fix)
    print(np.concatenate([p, f]), np.concatenate([p, np.ones((4, 3))]), np.vstack([f, f]), np.stack([f, f]), np.hstack([f, np.ones((6, 2))]))
    print(np.concatenate([p, p], axis=1), np.concatenate((p, np.ones((7, 5))), axis=1), np.column_stack([f, np.ones(6)]), np.append(f, np.ones((1, 3)), axis=0))
    print(np.stack([p[0], p[1]]), np.stack([p, p], axis=-1), np.split(f, 2), np.split(p, 7), np.array_split(f, 4), np.tile(p, (2, 1)), np.repeat(p, 2, axis=0))
    print(np.array([s.run(four), s.run(four)]), np.vstack([s.run(four), np.ones((3, 4))]), np.r_[s.run(four), 1.0])
""",
    "right: sizes that only the arguments speak of": """
def spoken(s: tg.Session, p: Mat, ids: Ids) -> None:
    print(np.take(s.run(p), -3, axis=0), np.delete(s.run(p), -13, 0), np.insert(s.run(p), [1, -20], 0.0, axis=0))
    print(np.average(s.run(p), axis=0, weights=[0.5, 0.2, 0.2, 0.1]), np.dot([1.0, 2.0, 4.0, 8.0], s.run(p)))
    print(np.matmul([[1.0, 2.0]], s.run(p)), np.gradient(s.run(p), axis=0, edge_order=2), np.repeat(s.run(p), [5, 5, 5, 5], axis=0))
    print(np.argpartition(s.run(ids), -5)[-5:], np.split(s.run(p), 6), s.run(ids).view(np.complex128))
""",
    "right: shapes": """
def shapes(s: tg.Session, mat: Mat, fix: Fix, cube: Cube) -> None:
    p, f, c = s.run(mat), s.run(fix), s.run(cube)
    print(f.reshape(9, 2), f.reshape(2, -1), f.reshape((3, 6)), p.reshape(-1), p.reshape(4, 5), p.reshape(len(p), 1, 3), np.reshape(f, (18,)), p.reshape(7, 3))
    print(f.ravel(), f.flatten(), p.transpose(), c.transpose(2, 0, 1), np.swapaxes(c, 0, 2), np.moveaxis(c, -1, 0), p.swapaxes(0, 1), np.broadcast_to(p, (5, 3)))
    print(f[:, 2], f[5], f[-6], p[:, :2], p[[0, 1]], p[p > 0], f[np.arange(3)], p[..., 0], f[:, None], np.take(f, [0, 5], axis=0), np.take(p, 9, axis=0))
    print(np.pad(f, 1), np.roll(p, 1, axis=1), np.flip(p, axis=0), np.sort(p, axis=0), np.unique(f), np.linalg.inv(f[:3]), np.linalg.svd(f), np.clip(p, 0, 1))
    print(f.astype(np.int32), f.tolist(), f.item(0), f.item(2, 1), f.dtype, f.copy(), np.asarray(f), np.allclose(p, f), np.array_equal(p, np.ones((2, 2))))
    np.testing.assert_allclose(p, np.ones((3,)))
    np.save("x", p)
""",
    "right: unpacked": """
def unpacked(s: tg.Session, fix: Fix, four: Four, mat: Mat) -> None:
    a, b, c, d = s.run(four)
    first, *rest = s.run(four)
    (x, y, z), *_ = s.run(fix)
    u, v = s.run(mat)
    q, r = np.linalg.qr(s.run(fix))
    i, j, k = s.run(fix).T
    for m, n, o in s.run(fix):
        print(m, n, o)
    for row, (e, g, h) in zip(s.run(mat), s.run(fix), strict=False):
        print(row, e, g, h)
    print(a, b, c, d, first, rest, x, y, z, u, v, q, r, i, j, k)
""",
    "right: expected": """
def expected(s: tg.Session, fix: Fix, four: Four, mat: Mat) -> None:
    with pytest.raises(ValueError):
        s.run(fix).reshape(4, 5)
    with pytest.raises(TypeError):
        float(s.run(four))
    try:
        print(s.run(mat) - np.ones(5))
    except ValueError:
        print("no")
    try:
        a, b = s.run(four)
    except ValueError:
        print("no")
    try:
        print(float(s.run(four)))
    except TypeError:
        print("no")
""",
    "right: accumulated": """
def accumulated(s: tg.Session, mat: Mat, fix: Fix) -> Any:
    total = np.zeros(3)
    total += s.run(fix).sum(axis=0)
    total = total + s.run(mat).mean(axis=0)
    rows = [s.run(fix)]
    rows.append(s.run(fix) * 2)
    best = s.run(fix)
    best = best[0]
    best = best.sum(axis=0)
    values = s.run(fix)
    values = values.reshape(2, 9)
    print(values.sum(axis=1), values @ np.ones(9))
    for _ in range(3):
        values = values.T
        print(values.sum(axis=0), values @ values.T)
    out = s.run(fix)
    out.shape = (18,)
    print(out @ np.ones(18))
    return sum(rows), np.sum(rows, axis=0), np.mean(rows, axis=(0, 1)), max(out), sorted(out), total, best
""",
    "right: guarded": """
def guarded(s: tg.Session, x: tg.Operand[tg.TFloat32], three: Fix | Four) -> None:
    v = s.run(x)
    if v.ndim == 3:
        print(v.sum(axis=2))
    w = s.run(three)
    print(w.sum(axis=0), w @ np.ones(3) if w.ndim == 2 else w)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
