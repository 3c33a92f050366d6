"""Which operation an operator makes, by the element type of its operands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from typegrad.base.types import TBool, TComplex, TFloating, TIntegral, TString, TType
from typegrad.graph.definition import OpDef

__all__ = ["instead", "otherwise", "path_of", "shape_instead"]

_OPERATIONS: Final = {
    "abs": "math.Abs", "add": "math.AddV2", "and": "bitwise.BitwiseAnd", "floordiv": "math.FloorDiv",
    "ge": "math.GreaterEqual", "gt": "math.Greater", "invert": "bitwise.Invert", "le": "math.LessEqual",
    "lt": "math.Less", "matmul": "linalg.MatMul", "mod": "math.FloorMod", "mul": "math.Mul", "neg": "math.Neg",
    "or": "bitwise.BitwiseOr", "pow": "math.Pow", "sub": "math.Sub", "truediv": "math.RealDiv",
    "xor": "bitwise.BitwiseXor",
}  # fmt: skip
"""The operation of each operator, by the name of its method."""
_SPECIAL: Final[Mapping[type[TType], Mapping[str, str]]] = {
    TBool: {"and": "math.LogicalAnd", "invert": "math.LogicalNot", "or": "math.LogicalOr", "xor": "math.NotEqual"},
    TComplex: {"abs": "math.ComplexAbs"},
    TString: {"add": "math.Add"},
}
"""Those that differ for some element types."""


def path_of(operator: str, dtype: type[TType]) -> str:
    """The group and class of the operation, as "math.Abs", by the name of the operator's method."""
    special = (operations for kind, operations in _SPECIAL.items() if issubclass(dtype, kind))
    return next(special, {}).get(operator, _OPERATIONS[operator])


_SYMBOLS: Final = {"BitwiseAnd": "&", "BitwiseOr": "|", "BitwiseXor": "^"}
_OF_BOOLS: Final = {"Add": "|", "AddV2": "|", "Mul": "&", "Sub": "^"}
"""What is meant where bools are added, multiplied or subtracted."""
_PRINT: Final = "Print"
_ORDER: Final = frozenset(("Greater", "GreaterEqual", "Less", "LessEqual"))


_SHAPES: Final = frozenset(("dims", "filter_sizes", "input_sizes", "output_shape", "shape"))
"""The inputs that are shapes. An operand of numbers in their place is meant as what has the shape."""


def shape_instead(input_name: str, dtypes: Collection[type[TType]]) -> str:
    """What to write for an operand of these types in the place of a shape; "" for integers, and for other inputs."""
    is_shape = input_name in _SHAPES and not any(issubclass(dtype, TIntegral) for dtype in dtypes)
    return "core.Shape.create(scope, x) is the shape of x" if is_shape else ""


def otherwise(definition: OpDef, input_name: str) -> str:
    """What takes operands of another element type in the place of an input, behind how to cast them; "" if nothing."""
    return next((f"; {each.otherwise}" for each in definition.inputs if each.otherwise and each.name == input_name), "")


def instead(definition: OpDef, dtypes: Collection[type[TType]], input_name: str = "") -> str:
    """What to write for operands of these types, where a cast is not what is meant; else ""."""
    if shape := shape_instead(input_name, dtypes):
        return shape
    if definition.class_name in _SYMBOLS and all(issubclass(dtype, TFloating) for dtype in dtypes):
        power = "; ** is for powers" if definition.class_name == "BitwiseXor" else ""
        return f"comparisons need parentheses: (x > 0) {_SYMBOLS[definition.class_name]} (y < 1){power}"
    if definition.class_name in _ORDER and all(issubclass(dtype, TComplex) for dtype in dtypes):
        return "compare math.Real, math.Imag or math.ComplexAbs of it"
    if definition.class_name == _PRINT and TString not in dtypes:
        return "tg.functions.print prints arrays; dtypes.AsString makes strings of them"
    if definition.class_name in _OF_BOOLS and set(dtypes) == {TBool}:
        x, y = (each.name for each in definition.inputs)
        return f"cast it with dtypes.Cast, or write {x} {_OF_BOOLS[definition.class_name]} {y} for two bools"
    for operator, path in _OPERATIONS.items():
        paths = {path_of(operator, dtype) for dtype in dtypes}
        if path.rpartition(".")[2] == definition.class_name and len(paths) == 1 and path not in paths:
            return f"write {paths.pop()}.create(scope, {', '.join(each.name for each in definition.inputs)})"
    return ""
