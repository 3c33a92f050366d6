"""Errors of shapes that a test expects are no mistakes of the program."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
import contextlib
import unittest
import numpy as np
import pytest
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
n = core.Placeholder.create(scope, tg.TInt32, (2, 3))
def dense(h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return h @ np.zeros((4, 1), np.float32)
"""
DIFFER: Final = "MatMul: inner dimensions differ: a is [2, 3], b is [2, 3]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]"

PROGRAMS: Final = {
    "expected": """
def test_shapes() -> None:
    with pytest.raises(tg.ShapeError):
        x @ x
    with pytest.raises((KeyError, tg.ShapeError), match="inner") as info, scope:
        dense(x)
    with tg.Session(scope.graph) as session, pytest.raises(tg.FeedError):
        session.run(x, {x: np.zeros((2, 4), np.float32)})
    with contextlib.suppress(ValueError):
        x @ x
    with pytest.raises(expected_exception=tg.TypegradError):
        x @ x
    with contextlib.suppress(BaseException):
        x @ x
    for error in (tg.ShapeError, ValueError):
        with pytest.raises(error):
            x @ x
class Shapes(unittest.TestCase):
    def test_shapes(self) -> None:
        with self.assertRaises(tg.ShapeError):
            x @ x
""",
    "context managers of the program": f"""
from collections.abc import Iterator
class Tolerant:
    def __enter__(self) -> None: ...
    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> bool:
        return kind is not None and issubclass(kind, ValueError)
class Timer:
    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...
@contextlib.contextmanager
def tolerant() -> Iterator[None]:
    try:
        yield
    except tg.ShapeError as error:
        print("skipped", error)
@contextlib.contextmanager
def named(name: str) -> Iterator[None]:
    print(name)
    yield
with Tolerant():
    x @ x
with tolerant():
    dense(x)
with Timer(), named("a"), contextlib.ExitStack():
    x @ x  # E: {DIFFER}
""",
    "errors that a handler names": f"""
import sys
try:
    x @ x
except tg.ShapeError as error:
    print(error)
try:
    y = x @ np.zeros((4, 1), np.float32)
except (ValueError, TypeError):
    y = x @ np.zeros((3, 1), np.float32)
try:
    x @ x  # E: {DIFFER}
except Exception as error:
    print(error)
try:
    x @ x  # E: {DIFFER}
except tg.ShapeError as error:
    raise RuntimeError from error
try:
    x @ x  # E: {DIFFER}
except tg.ShapeError as error:
    sys.exit(1)
try:
    x @ x  # E: {DIFFER}
except KeyError:
    pass
""",
    "tests that are to fail": f"""
@pytest.mark.xfail(raises=tg.ShapeError, strict=True)
def test_limit() -> None:
    x @ x
@pytest.mark.xfail
class TestShapes(unittest.TestCase):
    @unittest.expectedFailure
    def test_shapes(self) -> None:
        x @ x
    @unittest.skip("later")
    def test_others(self) -> None:
        x @ x  # E: {DIFFER}
""",
    "not expected": f"""
PATTERN = "inner"
def test_shapes() -> None:
    with pytest.raises(KeyError):
        x @ x  # E: {DIFFER}
    with pytest.raises(KeyError, match=PATTERN):
        x @ x  # E: {DIFFER}
    with pytest.raises(tg.SessionClosedError):
        x @ x  # E: {DIFFER}
    with pytest.raises(np.exceptions.VisibleDeprecationWarning):
        x @ x  # E: {DIFFER}
    with pytest.warns(UserWarning), scope:
        x @ x  # E: {DIFFER}
    x @ x  # E: {DIFFER}
    with pytest.raises(tg.DTypeError):
        x + n  # E: AddV2: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
