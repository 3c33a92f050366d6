"""What operands do not do, and what to write instead: the texts of errors in a program and of mypy's plugin."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from typegrad.base.types import TFloat32, TIntegral, TType, conversion

__all__ = [
    "INSTEAD_OF_FETCH",
    "NOT_IN_PLACE",
    "NOT_SEARCHED",
    "NO_FETCH",
    "NO_FLOOR",
    "NO_PRODUCT",
    "NO_SIZE",
    "NO_TRUTH",
    "NO_VALUE",
    "NUMPY_OPERATORS",
    "REFUSED",
    "SHAPE_OR_LIKE",
    "beside_numpy",
    "no_division",
    "not_iterated",
]

NO_TRUTH: Final = (
    "has no truth value while the graph is built; use core.Select to choose by value, "
    "or `is None` to ask whether there is an operand"
)
NO_VALUE: Final = "has no value before the run; session.run gives an array"
NO_FETCH: Final = (
    "a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not {}"
)
INSTEAD_OF_FETCH: Final = {
    "minimize": "minimize(loss) makes a step of it",
    "__call__": "call it when the graph is built, and fetch what it returns",
    "__next__": "write list(...) to fetch its items",
}
"""What to fetch instead of an object with one of these methods."""
SHAPE_OR_LIKE: Final = "expect() takes a `shape`, or an operand that has it as `like`, not both"
NOT_IN_PLACE: Final = "changes no array in place, as it has no value before the run; write a = a + x for a += x"
_NO_SHIFT: Final = "is not shifted by an operator; bitwise.LeftShift and bitwise.RightShift shift integers"
_NO_DIVMOD: Final = "is not divided by divmod; write x // y and x % y"
_NO_DIVISION: Final = "/ divides floating-point and complex numbers, not {}: {}"
_FLOOR: Final = "write // for the floor of the quotient, or convert with dtypes.Cast first"
NO_FLOOR: Final = "// is for integers and floating-point numbers, not {}"
_NO_ITEM: Final = (
    "is not written by index; core.Select makes a new value of two, and core.ResourceStridedSliceAssign writes a part "
    "of a variable"
)
NO_PRODUCT: Final = "@ is the product of matrices, but its {} side is a number; to multiply {} by it, write *"
NO_SIZE: Final = (
    "core.Shape.create(scope, x)[0] is a size that is known in a run alone; core.Reshape takes -1 for one size"
)
REFUSED: Final = {
    **dict.fromkeys(("__array__", "__complex__", "__float__", "__index__", "__int__"), NO_VALUE),
    "__delitem__": "does not change; core.Gather takes the elements to keep",
    "__divmod__": _NO_DIVMOD,
    "__iter__": "cannot be iterated while the graph is built; core.Unstack makes a list of operands",
    "__len__": "has no length; its static size is .shape[0], and core.Shape has the size in a run",
    "__lshift__": _NO_SHIFT,
    "__pos__": "has no unary +; leave it out",
    "__rdivmod__": _NO_DIVMOD,
    "__rlshift__": _NO_SHIFT,
    "__round__": "is not rounded by round; write math.Round.create(scope, x)",
    "__rrshift__": _NO_SHIFT,
    "__rshift__": _NO_SHIFT,
    "__setitem__": _NO_ITEM,
}
"""What Python asks of numbers and lists, and operands do not do: what to write instead. Type checkers do not see these
methods."""

_ARITHMETIC: Final = {
    "add": "add", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "divide": "truediv",
    "floor_divide": "floordiv",
    "matmul": "matmul", "multiply": "mul", "power": "pow", "remainder": "mod", "subtract": "sub",
}  # fmt: skip
NUMPY_OPERATORS: Final = {
    **{name: (f"__{method}__", f"__r{method}__") for name, method in _ARITHMETIC.items()},
    "greater": ("__gt__", "__lt__"),
    "greater_equal": ("__ge__", "__le__"),
    "less": ("__lt__", "__gt__"),
    "less_equal": ("__le__", "__ge__"),
}
"""NumPy's functions for operators: the methods for an operand on the left and for one on the right."""
_CONVERSIONS: Final = ("array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray")
"""NumPy's functions that convert their argument to an array, by `__array__`."""


NOT_SEARCHED: Final = "is not searched before the run; write core.Any.create(scope, math.Equal.create(scope, x, y))"
"""What checkers say of `y in x`. With a method for it, operands would be collections."""


def not_iterated(*, is_scalar: bool) -> str:
    """What is said of an operand that is iterated."""
    return "is a scalar, which cannot be iterated" if is_scalar else REFUSED["__iter__"]


def beside_numpy(operand: str, name: str, takes: str = "np.{} takes arrays") -> str:
    """The error message for a function of NumPy, or of its name elsewhere, that is called with an operand.

    The name begins with the module if NumPy has the function in one: "linalg.inv".
    """
    from typegrad.arguments.elsewhere import counterpart

    if name in _CONVERSIONS:
        return f"{operand} {NO_VALUE}"
    method = counterpart(f"np.{name}")
    return f"{takes.format(name)}, and {operand} {'has no value before the run' if method else NO_VALUE}{method}"


def no_division(operand: str, dtypes: Collection[type[TType]], *, by_fraction: bool) -> str:
    """The error message for `/` of an operand of these types. For integers // is a remedy, unless beside a fraction."""
    if by_fraction or not all(issubclass(dtype, TIntegral) for dtype in dtypes):
        return _NO_DIVISION.format(operand, conversion("it", [TFloat32], dtypes))
    return _NO_DIVISION.format(operand, _FLOOR)
