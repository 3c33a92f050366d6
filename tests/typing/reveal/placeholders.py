"""Placeholders: a tuple states the rank, and the names in it. A number is Any, so that it refutes no literal size."""

from __future__ import annotations

from typing import NewType, reveal_type

import typegrad as tg
from typegrad.op import core

Batch = NewType("Batch", int)


def placeholders(scope: tg.Scope, shape: tuple[int, int], dtype: type[tg.TFloat16], sizes: tuple[int, ...]) -> None:
    reveal_type(core.Placeholder.create(scope, tg.TFloat32))  # R: Placeholder[TFloat32, tuple[Any, ...]]
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, shape=()))  # R: Placeholder[TFloat32, tuple[()]]
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, ()))  # R: Placeholder[TFloat32, tuple[()]]
    reveal_type(core.Placeholder.create(scope, dtype, shape))  # R: Placeholder[TFloat16, tuple[Any, Any]]
    reveal_type(core.Placeholder.create(scope, tg.TInt32, [3, 5]))  # R: Placeholder[TInt32, tuple[Any, ...]]
    reveal_type(core.Placeholder.create(scope, dtype, shape=shape))  # R: Placeholder[TFloat16, tuple[Any, Any]]
    reveal_type(core.Placeholder.create(scope, tg.TInt32, shape=(3, 5)))  # R: Placeholder[TInt32, tuple[Any, Any]]
    reveal_type(core.Placeholder.create(scope, tg.TInt32, shape=sizes))  # R: Placeholder[TInt32, tuple[Any, ...]]
    reveal_type(core.Placeholder.create(scope, tg.TInt32, shape=[3, 5]))  # R: Placeholder[TInt32, tuple[Any, ...]]
    reveal_type(core.Placeholder.create(scope, tg.TString, shape=(None, 5)))  # R: Placeholder[TString, tuple[Any, Any]]
    reveal_type(core.Placeholder.create(scope, tg.TBool, shape=("batch", 5)))  # R: Placeholder[TBool, tuple[Any, Any]]
    reveal_type(core.Placeholder.create(scope, tg.TBool, shape=tg.Shape.of(3, -1)))  # R: Placeholder[TBool, tuple[Any, ...]]
    reveal_type(core.Placeholder.create(scope, tg.TBool, shape=None))  # R: Placeholder[TBool, tuple[Any, ...]]
    reveal_type(core.Placeholder.create(scope, tg.TBool, shape=(Batch, 784)))  # R: Placeholder[TBool, tuple[Batch, Any]] / Placeholder[TBool, tuple[Any, Any]]
