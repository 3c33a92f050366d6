"""What gradient functions share: their return type and small builders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from typegrad.base.types import TComplex, TFloating, TType
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import constant

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    N = TypeVar("N", bound=TFloating | TComplex)
    T = TypeVar("T", bound=TType)

__all__ = ["Gradient", "Gradients", "OutputGradients", "conj", "scalar_like", "scaled"]

Gradient: TypeAlias = "Operand[Any, Any] | None | Callable[[], Operand[Any, Any] | None]"
"""A gradient, None for zero, or how to build it if it is wanted."""

Gradients: TypeAlias = "Gradient | Sequence[Gradient | Sequence[Gradient]]"
"""What a gradient function returns: a gradient per input marked `rule`; for a list input, a sequence."""


class OutputGradients(Sequence["Output[Any, Any]"]):
    """The gradients of an operation's outputs; zeros are made, on demand, for an output that nothing depends on."""

    def __init__(
        self, scope: Scope, outputs: Sequence[Output[Any, Any]], grads: Sequence[Output[Any, Any] | None]
    ) -> None:
        self._scope = scope
        self._outputs = outputs
        self._grads = list(grads)

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


def conj(scope: Scope, x: Operand[T, Any]) -> Operand[T, Any]:
    """The complex conjugate of `x`; `x` itself if it is real."""
    if not issubclass(x.dtype, TComplex):
        return x
    from typegrad.op.math import Conj

    conjugate: Operand[T, Any] = cast("Any", Conj).create(scope, x)
    return conjugate


def scalar_like(scope: Scope, value: complex, x: Operand[T, Any]) -> Operand[T, Any]:
    """A scalar constant of x's type."""
    return constant(scope, np.asarray(value, x.dtype.numpy), x.dtype)


def scaled(scope: Scope, factor: float, x: Operand[N]) -> Operand[N]:
    """A constant times `x`."""
    from typegrad.op.math import Mul

    return Mul.create(scope, scalar_like(scope, factor, x), x)
