"""How operations are written in formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from typegrad.base.types import TBool, TComplex, TFloating
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad_reference.entries.terms import (
    Term,
    applied,
    bracketed,
    cases,
    compared,
    mat_mul,
    name,
    summed,
    transposed,
)

__all__ = ["ARITHMETIC", "NotationError", "written"]

_ZERO, _ONE, _TWO, _SIX = map(Term, (0, 1, 2, 6))
_I: Final = name("i")
_less, _greater = compared("<"), compared(">")


class NotationError(Exception):
    """A value cannot be written as a formula: it depends on sizes, indices or attributes."""


_FUNCTIONS: Final = {
    "Acos": r"\arccos",
    "Acosh": r"\operatorname{arcosh}",
    "Angle": r"\arg",
    "Asin": r"\arcsin",
    "Asinh": r"\operatorname{arsinh}",
    "Atan": r"\arctan",
    "Atanh": r"\operatorname{artanh}",
    "BesselI0": "I_0",
    "BesselI1": "I_1",
    "Cos": r"\cos",
    "Cosh": r"\cosh",
    "Digamma": r"\psi",
    "Erf": r"\operatorname{erf}",
    "Erfc": r"\operatorname{erfc}",
    "Exp": r"\exp",
    "Imag": r"\operatorname{Im}",
    "Log": r"\log",
    "LogSoftmax": r"\log\operatorname{softmax}",
    "Maximum": r"\max",
    "Minimum": r"\min",
    "Real": r"\operatorname{Re}",
    "Sigmoid": r"\operatorname{sigmoid}",
    "Sign": r"\operatorname{sign}",
    "Sin": r"\sin",
    "Sinh": r"\sinh",
    "Softmax": r"\operatorname{softmax}",
    "Tan": r"\tan",
    "Tanh": r"\tanh",
}

_CONJUGATING: Final[Mapping[str, Callable[[Term, Term], Term]]] = {
    "ReciprocalGrad": lambda y, dy: -(dy * y.power(2)),
    "RsqrtGrad": lambda y, dy: -(dy * y.power(3)) / _TWO,
    "SqrtGrad": lambda y, dy: dy / (_TWO * y),
}
"""Of the conjugate of the first input, and of the second."""

ARITHMETIC: Final[Mapping[str, Callable[..., Term]]] = {
    "Add": Term.__add__,
    "AddV2": Term.__add__,
    "Div": Term.__truediv__,
    "Mul": Term.__mul__,
    "Neg": Term.__neg__,
    "OnesLike": lambda _: _ONE,
    "Pow": Term.__pow__,
    "RealDiv": Term.__truediv__,
    "Reciprocal": lambda x: x.power(-1),
    "Rsqrt": lambda x: x.power(-0.5),
    "SigmoidGrad": lambda y, dy: dy * y * (_ONE - y),
    "Sqrt": lambda x: x.power(0.5),
    "Square": lambda x: x.power(2),
    "Sub": Term.__sub__,
    "TanhGrad": lambda y, dy: dy * (_ONE - y.power(2)),
    "ZerosLike": lambda _: _ZERO,
    **_CONJUGATING,
}
"""What operators on terms say, so that numbers in, a number comes out."""

_NOTATION: Final[Mapping[str, Callable[..., Term]]] = {
    **ARITHMETIC,
    "Abs": lambda x: bracketed("|", x, "|"),
    "Complex": lambda x, y: x + _I * y,
    "ComplexAbs": lambda x: bracketed("|", x, "|"),
    "Conj": lambda x: x.conjugate(),
    "EluGrad": lambda gradients, y: cases((gradients * (y + _ONE), _less(y, _ZERO)), otherwise=gradients),
    "Equal": compared("="),
    "FloorDiv": lambda x, y: bracketed(r"\left\lfloor ", x / y, r" \right\rfloor"),
    "Greater": compared(">"),
    "GreaterEqual": compared(r"\ge"),
    "Less": compared("<"),
    "LessEqual": compared(r"\le"),
    "LogicalAnd": compared(r"\text{ and }"),
    "LogicalOr": compared(r"\text{ or }"),
    "NotEqual": compared(r"\neq"),
    "Polygamma": lambda a, x: applied(rf"\psi^{{({a.latex})}}", x),
    "Relu6Grad": lambda gradients, x: cases((gradients, _less(_less(_ZERO, x), _SIX)), otherwise=_ZERO),
    "ReluGrad": lambda gradients, x: cases((gradients, _greater(x, _ZERO)), otherwise=_ZERO),
    "SelectV2": lambda condition, x, y: cases((x, condition), otherwise=y),
    "SoftplusGrad": lambda gradients, x: gradients * applied(r"\operatorname{sigmoid}", x),
    "SoftsignGrad": lambda gradients, x: gradients / (_ONE + bracketed("|", x, "|")).power(2),
}
"""Of the terms of the inputs."""


_Write: TypeAlias = Callable[[AnyOutput], Term]


def written(op: Operation, term: _Write, attributes: Mapping[str, object]) -> Term:
    """The only output of an operation.

    Args:
        op: The operation.
        term: Writes an input.
        attributes: The attributes that have a name in the formula, with their values.

    Raises:
        NotationError: There is none.
    """
    if op.type in _SPECIAL:
        return _SPECIAL[op.type](op, term, attributes)
    if len(op.outputs) != 1:
        raise NotationError(op.name)
    if op.type in _CONJUGATING:
        y, dy = map(term, op.inputs)
        return _CONJUGATING[op.type](y.conjugate() if issubclass(op.inputs[0].dtype, TComplex) else y, dy)
    if op.type in _NOTATION:
        return _NOTATION[op.type](*map(term, op.inputs))
    if op.type in _FUNCTIONS:
        return applied(_FUNCTIONS[op.type], *map(term, op.inputs))
    if op.definition.attrs or not all(issubclass(x.dtype, (TFloating, TComplex, TBool)) for x in op.inputs):
        raise NotationError(op.name)
    return applied(rf"\operatorname{{{op.definition.class_name}}}", *map(term, op.inputs))


def _cast(op: Operation, term: _Write, _: Mapping[str, object]) -> Term:
    """A condition as a number, in brackets; numbers only of one and the same type."""
    (x,) = op.inputs
    if x.dtype is TBool:
        return bracketed("[", term(x), "]")
    if x.dtype is not op.outputs[0].dtype:
        raise NotationError(op.name)
    return term(x)


def _constant(op: Operation, _: _Write, __: Mapping[str, object]) -> Term:
    value = op.attrs["value"]
    if value.shape or not issubclass(op.outputs[0].dtype, (TFloating, TComplex)):
        raise NotationError(op.name)
    return Term(float(value.real))


def _leaky_relu_grad(op: Operation, term: _Write, attributes: Mapping[str, object]) -> Term:
    gradients, x = map(term, op.inputs)
    alpha = name("alpha") if attributes.get("alpha") == op.attrs["alpha"] else Term(op.attrs["alpha"])
    return cases((gradients, _greater(x, _ZERO)), otherwise=alpha * gradients)


def _mat_mul(op: Operation, term: _Write, _: Mapping[str, object]) -> Term:
    a, b = map(term, op.inputs)
    return mat_mul(
        transposed(a) if op.attrs["transpose_a"] else a,
        transposed(b) if op.attrs["transpose_b"] else b,
    )


def _batch_mat_mul(op: Operation, term: _Write, _: Mapping[str, object]) -> Term:
    is_complex = issubclass(op.outputs[0].dtype, TComplex)
    x, y = (
        transposed(term(each).conjugate() if is_complex else term(each)) if op.attrs[flag] else term(each)
        for each, flag in zip(op.inputs, ("adj_x", "adj_y"), strict=True)
    )
    return mat_mul(x, y)


def _sum(op: Operation, term: _Write, _: Mapping[str, object]) -> Term:
    x, axis = op.inputs
    value, rank = axis.static_value, x.rank
    if value == (rank and tuple(range(rank))):
        return summed(term(x), "")
    if not isinstance(value, int):
        raise NotationError(op.name)
    return summed(term(x), rf"\mathrm{{axis}}\,{value}")


_SPECIAL: Final[Mapping[str, Callable[[Operation, _Write, Mapping[str, object]], Term]]] = {
    "BatchMatMulV3": _batch_mat_mul,
    "Cast": _cast,
    "Const": _constant,
    "LeakyReluGrad": _leaky_relu_grad,
    "MatMul": _mat_mul,
    "Sum": _sum,
}
"""What depends on attributes, or on element types."""
