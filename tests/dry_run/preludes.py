"""What comes before the programs of several tests."""

from __future__ import annotations

from typing import Final

from dry_run.following import UNSIZED

UNCALLED: Final = """
import abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, wraps, lru_cache
from typing import Any, Generic, Literal, NewType, Protocol, TypeVar, overload, NamedTuple, ClassVar
from typing_extensions import TypeVarTuple, Unpack

F = TypeVar("F", bound=tg.TFloating)
N = TypeVar("N", bound=tg.TNumber)
S = TypeVar("S", bound=tuple[int, ...])
Lead = TypeVarTuple("Lead")
Image = tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]]
from typegrad.training.data import Dataset
"""
"""Names, annotations and operands for functions that nothing calls."""
BRANCHES: Final = (
    UNSIZED
    + """
import random, sys
from dataclasses import dataclass, field
y = x * 2.0
right, wrong = np.ones((4, 8), np.float32), np.ones((4, 7), np.float32)
def show(array):
    print(session.run(y, {x: array}))
"""
)
"""A session, a chance, and arrays that fit and do not."""
