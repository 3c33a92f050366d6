"""What gradient functions share: type variables, their return type, casts and conjugates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloat32, TFloat64, TFloating
from typegrad.graph.operand import AnyOperand, AnyOutput, F, Operand, T
from typegrad.graph.scope import Scope

__all__ = ["C", "E", "F", "Gradient", "Gradients", "N", "OutputGradients", "T", "cast_to", "conj", "real_part"]

C = TypeVar("C", bound=TComplex)
"""Complex numbers."""
E = TypeVar("E", bound=TFloat32 | TFloat64)
"""The types of kernels that compute in no other."""
N = TypeVar("N", bound=TFloating | TComplex)
"""Whatever can have a gradient."""

Gradient: TypeAlias = AnyOperand | None | Callable[[], AnyOperand | None]
"""A gradient, None for zero, or a function that builds it if it is requested."""

Gradients: TypeAlias = Gradient | Sequence[Gradient | Sequence[Gradient]]
"""What a gradient function returns: a gradient per input marked `rule`; for a list input, a sequence."""


class OutputGradients(Sequence[AnyOutput]):
    """The gradients of an operation's outputs; zeros are made, on demand, for an output that nothing depends on."""

    def __init__(self, scope: Scope, outputs: Sequence[AnyOutput], grads: Sequence[AnyOutput | None]) -> None:
        self._scope: Final = scope
        self._outputs: Final = outputs
        self._grads: Final = list(grads)

    def connected(self, index: int) -> bool:
        """Whether anything depends on output `index`."""
        return self._grads[index] is not None

    def __len__(self) -> int:
        return len(self._grads)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        grad = self._grads[index]
        if grad is None:
            from typegrad.op.core import ZerosLike

            grad = self._grads[index] = ZerosLike.create(self._scope, self._outputs[index]).as_output()
        return grad


def cast_to(scope: Scope, x: AnyOperand, dtype: type[Any]) -> AnyOperand:
    """`x` as numbers of `dtype`; `x` itself if it is of that type."""
    if x.dtype is dtype:
        return x
    from typegrad.op.dtypes import Cast

    return Cast.create(scope, x, dtype)


def conj(x: Operand[T]) -> Operand[T]:
    """The complex conjugate of `x`; `x` itself if it is real."""
    if not issubclass(x.dtype, TComplex):
        return x
    from typegrad.op.math import Conj

    number: AnyOperand = x
    return Conj.create(Scope.current(x.graph), number)


def real_part(scope: Scope, x: Operand[N]) -> Operand[N]:
    """The real part of `x`, of x's type."""
    return (x + conj(x)) / 2 if issubclass(x.dtype, TComplex) else x
