"""The shape and the dtype of NumPy arrays: for each expression, the plugin says what NumPy gives."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import numpy as np

from mypy_plugin.checking import check
from typegrad.base.types import from_numpy

HEADER: Final = """\
from typing import Any
import numpy as np
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
N = 3
SIZES = (4, N)
rng = np.random.default_rng(0)
normal = rng.normal
f4 = np.ones((4, 3), np.float32)
f8 = np.zeros((2, 3))
i4 = np.arange(6, dtype=np.int32)
i8 = np.arange(12).reshape(4, 3)
mask = f4[:, 0] > 0
cube = np.empty((2, 3, 4), dtype="float32")
dtype = np.float16
left, right = np.split(f8, [1], axis=1)
"""
CREATED: Final = """
np.zeros(3)
np.zeros((2, 3), np.float32)
np.ones(shape=(2, N), dtype=np.int8)
np.empty(SIZES, dtype)
np.full((2, 3), 1.5)
np.full((2, 3), 7)
np.full((2, 3), 7, np.uint8)
np.full((2, 3), True)
np.eye(3)
np.eye(3, dtype=np.float32)
np.eye(3, 4, dtype=np.int32)
np.identity(N)
np.arange(6)
np.arange(6.0)
np.arange(1, 6)
np.arange(0.0, 1.0, 0.25)
np.arange(10, 0, -3)
np.arange(18, dtype=np.float32).reshape(3, 6)
np.linspace(0.0, 1.0, 5)
np.linspace(0, 1)
np.linspace(0, 1, num=7, dtype=np.float32)
np.zeros_like(f4)
np.ones_like(f8, dtype=np.int32)
np.full_like(f4, 3)
np.array([[1.0, 2.0], [3.0, 4.0]])
np.array([[1, 2, 3]], np.float32)
np.array([True, False])
np.asarray(f4)
np.asarray(f4, np.float64)
"""
VIEWED: Final = """
f4.reshape(3, 4)
f4.reshape((2, -1))
f4.reshape(-1)
np.reshape(f4, (2, 6))
f4.astype(np.float64)
f4.astype("int32")
f4.astype(dtype)
f4.astype(float)
f4.astype(f8.dtype)
f4.T
cube.T
cube.transpose(1, 0, 2)
cube.transpose((2, 0, 1))
np.transpose(cube)
cube.swapaxes(0, 2)
f4.flatten()
f4.ravel()
f4.copy()
np.expand_dims(f4, 1)
np.expand_dims(f4, -1)
np.zeros((1, 3, 1)).squeeze()
f4[1:]
f4[:2]
f4[::-1]
f4[-2:, 1:]
f4[0]
f4[0, 1:]
f4[:, 0]
f4[..., 0]
f4[None]
f4[:, np.newaxis]
f4[[0, 2]]
f4[i4[:3]]
f4[:, [0, 1, 1]]
cube[0, :, 1:3]
cube[..., ::2]
f4[1:][::2]
f4[10:20]
"""
COMPUTED: Final = """
f4 * 2
f4 * 2.5
2 - f4
f4 / 255.0
f4 + 0.1 * np.sin(f4)
f4 + f4[0]
f4 + f8[:1]
f4 * i4[0]
f4 + i8
i4 / 2
i4 // 2
i4 ** 2
i4 + 1.0
i8 % 3
-f4
i4 > 2
f4 == f4
mask & (f4[:, 1] < 5)
~mask
f4 * np.float64(2)
f4 * np.float32(2)
np.exp(f4)
np.sqrt(i4)
np.maximum(f4, 0)
np.maximum(f4, 0.0)
np.add(f4, f8[0])
np.abs(f4)
np.where(f4 > 0, f4, 0.0)
np.where(mask, 1.0, 2.0)
f4 @ f4.T
f8 @ f4.T
f4[0] @ f4.T
cube @ np.ones((4, 5))
f4.sum(axis=0)
f4.sum(axis=1, keepdims=True)
f4.mean(axis=0)
i4.reshape(2, 3).mean(axis=1)
cube.max(axis=(0, 2))
np.sum(f4, axis=1)
np.mean(cube, axis=(0, 1), keepdims=True)
f4.std(axis=0)
f4.argmax(axis=1)
np.argmax(f4, axis=-1)
i4.reshape(2, 3).sum(axis=0)
sum(f4)
sum(i4.reshape(2, 3))
sum(f4 > 1)
np.median(f4, axis=0)
(f4 - f4.mean(axis=0)) / (1.0 + f4.std(axis=0))
np.concatenate([f4, f4])
np.concatenate((f4, f8), axis=0)
np.concatenate([f4, f4[:, :1]], axis=1)
np.stack([f4, f4])
np.stack([f4[0], f4[1]], axis=1)
np.tile(f4, 2)
np.kron(f4, f4[0])
np.kron(np.eye(2, dtype=np.float32), f4)
np.tile(f4[0], (5, 1))
"""
DRAWN: Final = """
rng.normal(size=3)
rng.normal(0.0, 1.0, (2, 3))
rng.normal(0, 1, size=SIZES).astype(np.float32)
rng.standard_normal((2, 3))
rng.standard_normal((2, 3), dtype=np.float32)
rng.standard_normal((2, 3), np.float32) * 0.1
normal(0, 1, (2, 3))
rng.random(4)
rng.random((4, 2), dtype=np.float32)
rng.uniform(-1, 1, (3, 3))
rng.uniform(size=(3, 3))
rng.integers(10, size=5)
rng.integers(0, 10, (5, 2))
rng.integers(0, 10, 5, dtype=np.int32)
rng.poisson(3.0, (2, 2))
rng.exponential(1.0, 3)
rng.binomial(3, 0.5, 4)
rng.choice(10, 3)
rng.choice(10, size=(3, 2), replace=False)
rng.choice(f4, 2)
rng.multinomial(10, [0.2, 0.8], 3)
rng.multinomial(10, [0.2, 0.8])
rng.dirichlet(np.ones(3), size=(4, 2))
rng.multivariate_normal([0.0, 1.0], np.eye(2), size=5)
f4[rng.choice(4, 2)]
rng.permutation(5)
rng.permutation(f4)
f4[rng.permutation(4)]
np.random.default_rng(1).normal(size=(2, 2))
np.random.randn(2, 3)
np.random.rand(4)
np.random.normal(size=(2, 3))
np.random.uniform(0, 1, 5)
np.random.randint(0, 5, (2, 2))
np.random.RandomState(0).standard_normal((2, 3))
"""
ASKED: Final = """
np.hstack([f4, f4])
np.vstack((f4, f8))
np.pad(f4, ((0, 1), (2, 0)))
np.pad(f4[0], 2, mode="edge")
np.take(f4, 0, axis=1)
np.take(f4, [0, 2], axis=0)
np.outer(f4[0], i4)
np.dot(f4, f4.T)
np.einsum("ij,kj->ik", f4, f8)
np.sort(f4, axis=0)
np.argsort(f4)
np.diff(f4, axis=1)
np.diag(f4[0])
np.moveaxis(cube, 0, -1)
np.tensordot(cube, f4, 1)
np.linalg.inv(np.eye(3, dtype=np.float32))
np.linalg.norm(f4, axis=1)
np.atleast_2d(i4)
np.clip(f4, 0, 5)
np.tri(3, dtype=bool)
np.repeat(np.zeros((60000, 2)), 2, axis=0)
np.cumsum(np.zeros((60000, 2)), axis=0)
np.ones(3, bool) * np.ones(3, bool)
left
right * 2
"""
EXPRESSIONS: Final = [*"".join((CREATED, VIEWED, COMPUTED, DRAWN, ASKED)).split("\n")]
UNKNOWN: Final = {
    "np.zeros(sizes())": "Variable[TFloat64, tuple[Any]]",
    "np.eye(sizes())": "Variable[TFloat64, tuple[Any, Any]]",
    "rng.normal(size=sizes())": "Variable[TFloat64, tuple[Any]]",
    "rng.uniform(-1, 1, sizes())": "Variable[TFloat64, tuple[Any]]",
    "rng.integers(0, 3, sizes())": "Variable[TInt64, tuple[Any]]",
    "rng.choice(5, sizes())": "Variable[TInt64, tuple[Any]]",
    "np.ones(sizes(), np.float32)": "Variable[TFloat32, tuple[Any]]",
    "np.vstack([f4, f4[: sizes()]])": "Variable[TFloat32, tuple[Any, Literal[3]]]",
    "np.zeros((2, sizes()))": "Variable[TFloat64, tuple[Literal[2], Any]]",
    "f4[mask]": "Variable[TFloat32, tuple[Any, Literal[3]]]",
    "f4[: sizes()]": "Variable[TFloat32, tuple[Any, Literal[3]]]",
    "f4[sizes()]": "Variable[TFloat32, tuple[Literal[3]]]",
    "np.unique(i4)": "Variable[TInt32, tuple[Any]]",
    "np.sum(f4, axis=0, dtype=np.float64)": "Variable[TFloat64, tuple[Literal[3]]]",
    "parameter.sum(axis=0)": "Variable[TFloat32, tuple[Any, ...]]",
    "np.arange(sizes())": "Variable[TInt64, tuple[Any]]",
    "np.sin(f4, where=mask)": "Variable[Any, tuple[Any, ...]]",
    "f4 * unknown(1)": "Variable[Any, Any]",
    "f4 + 0.1 * unknown(1)": "Variable[Any, Any]",
    "f4 * sizes() ** -0.5": "Variable[TFloat32, tuple[Literal[4], Literal[3]]]",
    "-(sizes() ** -0.5) * f4": "Variable[TFloat32, tuple[Literal[4], Literal[3]]]",
    "f4 * -(1.0 / np.sqrt(sizes()))": "Variable[TFloat64, tuple[Literal[4], Literal[3]]]",
    "f4.astype(unknown(1))": "Variable[Any, tuple[Literal[4], Literal[3]]]",
    "~f4.astype(unknown(1))": "Variable[Any, tuple[Literal[4], Literal[3]]]",
    "np.clip(f4, unknown(1), unknown(2))": "Variable[Any, tuple[Literal[4], Literal[3]]]",
    "np.roll(f4, unknown(1))": "Variable[TFloat32, tuple[Literal[4], Literal[3]]]",
    "np.where(unknown(1), f4, f4)": "Variable[Any, tuple[Any, ...]]",
    "parameter * 2": "Variable[TFloat32, tuple[Any, ...]]",
    "parameter.reshape(-1, 3)": "Variable[TFloat32, tuple[Any, Literal[3]]]",
    'f4.reshape(2, -1, order="F")': "Variable[TFloat32, tuple[Literal[2], Literal[6]]]",
    "parameter.mean()": "Variable[TFloat32, tuple[()]]",
    "f4 if sizes() else f8": "Variable[TFloat32, tuple[Any, Any]] | Variable[TFloat64, tuple[Any, Any]]",
    "rebound": "Variable[TFloat32, tuple[Any, ...]]",
}
"""Expressions that are not fully known before the program runs; nothing is guessed."""
UNKNOWN_HEADER: Final = """\
from numpy.typing import NDArray
def unknown(name: object) -> Any: ...
def sizes() -> int: ...
def given() -> NDArray[np.float32]: ...
parameter = given()
rebound = np.zeros((2, 3), np.float32)
rebound = np.zeros((3, 3), np.float32)
"""


def _shape_and_dtype(expression: str) -> str:
    environment: dict[str, Any] = {}
    exec(HEADER, environment)
    array = np.asarray(eval(expression, environment))
    leaf = from_numpy(array.dtype)
    assert leaf is not None
    sizes = ", ".join(f"Literal[{size}]" for size in array.shape) or "()"
    return f"Constant[{leaf.__name__}, tuple[{sizes}]]"


def _revealed(
    folder: Path, expressions: list[str], header: str = HEADER, maker: str = "core.Constant"
) -> dict[str, str]:
    """The type of a constant or variable of each expression."""
    lines = [f"reveal_type({maker}.create(scope, {expression}))" for expression in expressions]
    report = check(folder, {"arrays.py": header + "\n".join(lines) + "\n"})
    first = header.count("\n") + 1
    revealed = report.revealed("arrays.py")
    return {
        expression: re.sub(r"[\w.]+\.(?=\w)", "", revealed.get(first + position, "nothing"))
        for position, expression in enumerate(expressions)
    }


def test_every_array_has_the_shape_and_the_dtype_that_numpy_gives(tmp_path: Path) -> None:
    expressions = list(filter(None, EXPRESSIONS))
    expected = {expression: _shape_and_dtype(expression) for expression in expressions}
    revealed = _revealed(tmp_path, expressions)
    different = [
        f"{each}: {revealed[each]}, not {type_}" for each, type_ in expected.items() if revealed[each] != type_
    ]
    assert not different, "\n".join(different)


def test_what_is_not_known_is_not_guessed(tmp_path: Path) -> None:
    revealed = _revealed(tmp_path, list(UNKNOWN), HEADER + UNKNOWN_HEADER, "tg.Variable")
    different = [f"{each}: {revealed[each]}, not {type_}" for each, type_ in UNKNOWN.items() if revealed[each] != type_]
    assert not different, "\n".join(different)


def test_an_array_that_may_be_resized_has_an_unknown_shape(tmp_path: Path) -> None:
    resized = HEADER + "f4.resize((2, 3))\n"
    assert _revealed(tmp_path, ["f4"], resized) == {"f4": "Constant[TFloat32, tuple[Any, ...]]"}
