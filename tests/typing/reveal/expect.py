"""What `expect` states, to checkers without the plugin: the element type, the rank, and names of sizes to mypy."""

from typing import Generic, NewType, TypeVar, TypeVarTuple, reveal_type

import typegrad as tg
from typegrad.op import core

Batch = NewType("Batch", int)
N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
Lead = TypeVarTuple("Lead")
F = tg.TFloat32


class Linear(Generic[N, M]):
    """A layer for any leading dimensions."""

    def __init__(self, scope: tg.Scope, inputs: N, outputs: M) -> None:
        self.w = tg.Variable.create(scope, shape=(inputs, outputs), dtype=F)

    def __call__(self, x: tg.Operand[F, tuple[*Lead, N]]) -> tg.Operand[F, tuple[*Lead, M]]:
        """Multiply the last dimension."""
        return x @ self.w


scope = tg.Scope(tg.Graph())
x: tg.Operand[F] = core.Placeholder.create(scope, F)
sizes = [4, 16]
known = x.expect(F, (Batch, 12, 16))
reveal_type(known)  # R: Output[TFloat32, tuple[Batch, Any, Any]] / Output[TFloat32, tuple[Any, Any, Any]]
reveal_type(Linear(scope, 16, 11)(known))  # R: Operand[TFloat32, tuple[Batch, Any, int]] / Operand[TFloat32, tuple[Any, Any, int]]
reveal_type(x.expect(F, ()))  # R: Output[TFloat32, tuple[()]]
reveal_type(x.expect(F, (None,)))  # R: Output[TFloat32, tuple[Any]]
reveal_type(x.expect(F, ("rows", 4)))  # R: Output[TFloat32, tuple[Any, Any]]
reveal_type(x.expect(F, (1, 2, 3, 4)))  # R: Output[TFloat32, tuple[Any, Any, Any, Any]]
reveal_type(x.expect(F, (..., 4)))  # R: Output[TFloat32, tuple[Any, ...]]
reveal_type(x.expect(F, sizes))  # R: Output[TFloat32, tuple[Any, ...]]
reveal_type(x.expect(F, None))  # R: Output[TFloat32, tuple[Any, ...]]
reveal_type(x.expect(F, known.shape))  # R: Output[TFloat32, tuple[Any, ...]]
reveal_type(known.expect(F))  # R: Output[TFloat32, tuple[Batch, Any, Any]] / Output[TFloat32, tuple[Any, Any, Any]]
