"""What clashes in an error: in a sentence of the plugin, or in one of mypy's, which names two types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo

from typegrad.mypy_plugin.base.codes import CALL, DTYPE, RUN, SHAPE
from typegrad.mypy_plugin.mistakes.clash import (
    FUNCTION,
    NO_VALUE,
    OPERAND,
    Clash,
    elements_in,
    lacking,
    of_fractions,
    of_shapes,
)
from typegrad.mypy_plugin.mistakes.sentences import DIFFERENTIATED, MUST_BE, needed_ranks, of_sentence, ranked_input

__all__ = [
    "SWAPPED",
    "clashes_of",
    "differentiated_in",
    "given_in",
    "input_in",
    "is_of_shapes",
    "needs_of",
    "of_array_in",
]

SWAPPED: Final = "; swap them"
"""What is said of a call that is wrong whatever else its arguments are used for."""
_NOT_DECLARED: Final = "; comparisons need parentheses"
"""What is said where an operator is wrong, and not what an operand is declared as."""
_TYPES: Final = re.compile(
    r'(?:type|got) "(?P<actual>[^"]+)"[,;] (?:\w+ )*(?:type|expected|has type) "(?P<expected>[^"]+)"'
)
"""The type of a value and the one that is expected, as mypy writes them."""
_DIMS: Final = re.compile(r"\btuple\[((?:\(\)|(?:Literal\[\w+\]|\*?\w+)(?:, )?)*)\]\]")
_COMPREHENSION: Final = re.compile(
    r"\w+ comprehension has incompatible type \w+\[(?P<actual>.+)\]; expected \w+\[(?P<expected>.+)\]$"
)
_CLASS: Final = re.compile(r"(?:^| \| )([\w.]+)")
_OF_OPERATION: Final = re.compile(r"\b\w+(?=\[T\w+, tuple\[)")
"""The class of an operation, which is an operand."""
_OWN_CLASS: Final = re.compile(r"\b(?:ndarray|Operand|Output|Placeholder|Variable)\b")
"""The classes of which there is a clash that is no mistake of Python alone."""
_INDEXED: Final = re.compile(r'No overload variant of "__getitem__" of "(list|tuple)" matches argument type "tuple\[')
"""What mypy says of `xs[:, 0]` for a list or a tuple, in the place of an operand."""
_UNSUPPORTED: Final = re.compile(
    r'Unsupported operand types for \S+ \("(list|tuple)\[.*\b(?:Operand|Output|Variable)\[.*" and '
)
_BESIDE: Final = re.compile(
    r'^Unsupported operand types for \S+ \((?P<operand>"\w+\[T\w+, tuple\[.*\]\]" and )?"(?P<other>\w+)"'
    r'(?(operand)|(?= and "\w+\[T\w+, tuple\[))'
)
"""What mypy says of an object of a class beside an operand."""
_UNCALLED: Final = re.compile(r'^"Callable\[.*, \w+\[T\w+, tuple\[.*" has no attribute "')
"""What mypy says of a function in the place of the operand that it returns."""
_ALIKE: Final = {
    **dict.fromkeys(("Operand", "Output", "Placeholder", "Variable"), OPERAND),
    **dict.fromkeys(("Iterable", "Sequence"), "list"),
}
"""What classes count as in a clash."""
_OF_ARRAY: Final = re.compile(r" but \S+ is an array of (\w+)")
"""What is said of an array beside operands, to which it is converted."""
_NONE: Final = '"None"'
_OF_TYPES: Final = frozenset((
    codes.ARG_TYPE, codes.ASSIGNMENT, codes.ATTR_DEFINED, codes.DICT_ITEM, codes.LIST_ITEM, codes.MISC, codes.OPERATOR,
    codes.RETURN_VALUE,
))  # fmt: skip


def clashes_of(error: ErrorInfo) -> set[Clash]:
    """What clashes in an error; several if that is not certain, none if nothing is known to."""
    if error.severity != "error" or SWAPPED in error.message:
        return set()
    if error.code in (CALL, DTYPE, RUN, SHAPE):
        return set(of_sentence(error.message))
    used = _INDEXED.match(error.message) or _UNSUPPORTED.match(error.message)
    if used is not None:
        return {frozenset((used[1], OPERAND))}
    if beside := _BESIDE.match(error.message):
        return {frozenset((beside["other"], OPERAND))}
    if _UNCALLED.match(error.message):
        return {frozenset((FUNCTION, OPERAND))}
    return {each for each in _of_types(error.message) if each} if error.code in _OF_TYPES else set()


def input_in(error: ErrorInfo) -> str | None:
    """The input of an operation that is wrong by itself; None if an error is about several, or does not tell."""
    return ranked_input(error.message) if error.code is SHAPE else None


def differentiated_in(error: ErrorInfo) -> str | None:
    """The operand whose element type has no gradients, as it is written, if an error says so."""
    found = DIFFERENTIATED.search(error.message) if error.code is DTYPE else None
    return None if found is None else found[1]


def needs_of(error: ErrorInfo) -> dict[Clash, str]:
    """The element type or the rank of a value that has to be of another, whatever is beside it, by its clashes."""
    if error.code is SHAPE:
        return needed_ranks(error.message)
    types = _types_in(error)
    given, needed = types.groups() if types else error.message.partition(";")[0].partition(MUST_BE)[::2]
    actual = elements_in(given)
    others = [each for each in elements_in(needed) if each not in actual]
    if len(actual) != 1 or _NOT_DECLARED in error.message:
        return {}
    if actual[0].startswith("complex"):  # which nobody declares by mistake
        return {}
    return {frozenset((actual[0], each)): actual[0] for each in others}


def is_of_shapes(error: ErrorInfo) -> bool:
    """Whether an error is about shapes, and not about element types."""
    types = _types_in(error)
    return error.code is SHAPE or (types is not None and any(_of_type_shapes(*types.groups())))


def given_in(error: ErrorInfo) -> set[str]:
    """The element types of a value that is of another type than mypy expects."""
    types = _types_in(error)
    return set() if types is None else set(elements_in(types["actual"]))


def of_array_in(error: ErrorInfo) -> set[str]:
    """The element type of an array that is wrong beside operands, which are not."""
    return set(_OF_ARRAY.findall(error.message)) if error.code is DTYPE else set()


def _types_in(error: ErrorInfo) -> re.Match[str] | None:
    """The type of a value and the one that is expected; None if an error is about something else."""
    return _types_of(error.message) if error.code in _OF_TYPES else None


def _types_of(message: str) -> re.Match[str] | None:
    return _TYPES.search(message) or _COMPREHENSION.match(message)


def _of_types(message: str) -> Iterator[Clash]:
    """What clashes in one of mypy's messages."""
    found = _types_of(message)
    if found is None or found["actual"] == "None":
        if _NONE in message:
            yield NO_VALUE
        return
    actual, expected = (_OF_OPERATION.sub("Operand", each) for each in found.groups())
    given, needed = frozenset(elements_in(actual)), frozenset(elements_in(expected))
    shapes = [each for each in _of_type_shapes(actual, expected) if len(each) > 1]
    if len(given | needed) > 1 and not given <= needed:
        yield given | needed
        yield from of_fractions(given | needed)
        yield from shapes
    elif shapes:
        yield from shapes
    elif _OWN_CLASS.search(f"{actual} {expected}"):
        named = (*_CLASS.findall(actual), *_CLASS.findall(expected))
        classes = frozenset(_ALIKE.get(each, each) for each in named)
        if len(classes) > 1:
            yield classes


def _of_type_shapes(actual: str, expected: str) -> Iterator[Clash]:
    """The sizes that clash in the types of two operands."""
    several = [list(map(_static, _DIMS.findall(each))) for each in (actual, expected)]
    if all(len(each) == 1 for each in several):
        (given,), (needed,) = several
        clashes = list(of_shapes(given, needed))
        yield from clashes
        if clashes:
            yield from lacking(given, needed)


def _static(text: str) -> list[str]:
    return [] if text == "()" else [each.removeprefix("Literal[").removesuffix("]") for each in text.split(", ")]
