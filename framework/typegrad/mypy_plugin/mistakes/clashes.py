"""What two things an error is about that do not fit each other: sizes, element types, numbers of dimensions, classes.

One wrong value makes the same two clash wherever it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo

from typegrad.mypy_plugin.base.codes import CALL, DTYPE, RUN, SHAPE

__all__ = [
    "KEY",
    "MADE",
    "NO_VALUE",
    "SWAPPED",
    "Clash",
    "clashes_of",
    "counterparts",
    "differentiated_in",
    "given_in",
    "input_in",
    "is_of_elements",
    "is_of_one_kind",
    "is_of_shapes",
    "needs_of",
    "of_array_in",
]

Clash: TypeAlias = frozenset[str]
"""Words for what clashes: "4", "Batch", "float32", "rank 2", "Belief", "None"."""

KEY: Final = "key"
"""What clashes with a key that a dict does not have."""
MADE: Final = "another size"
"""What clashes with one size of all arrays that a function makes, whose other sizes are several."""
NO_VALUE: Final[Clash] = frozenset(("None", "value"))
"""What clashes where None is no value."""
_MORE: Final = "more dimensions"
"""What clashes with the rank of a value that has too few."""
_INTEGER: Final = re.compile(r"u?int\d+")
_AXIS: Final = "axis"
"""What clashes with the rank of a value that does not have an axis."""
_NO_AXIS: Final = re.compile(r"`\w+` is -?\d+, but must be in \[-(\d+), \1\)")
_DROPPED: Final = re.compile(r"shapes \[(.*?)\] and \[(.*?)\] do not broadcast: .*: keep_dims=True in a reduction")
"""What is said of two values, of which one lacks a dimension that its reduction has dropped."""
_ELEMENT: Final = re.compile(r"\bT?((?:u?int|bfloat|float|complex)\d+|bool|string)\b", re.IGNORECASE)
_KINDS: Final = ("floating point", "numeric", "real")
"""Words for the element types that an operation takes, if these are many."""
_OF_KIND: Final = re.compile(rf" is (\w+), but must be ({'|'.join(_KINDS)})$")
_NOT_OF_KIND: Final = re.compile(rf" must be ({'|'.join(_KINDS)}), but is .* \(\w+, (\w+) \[")
_NOT_DIVIDED: Final = re.compile(r"^/ divides floating-point and complex numbers, not .*, which is (\w+):")
_DIFFERENTIATED: Final = re.compile(r" to (\S+): \1 is (\w+), and only floats and complex numbers have gradients$")
_FLOATS: Final = ("bfloat16", "float16", "float32", "float64")
_FLOATING: Final = _KINDS[0]
_FETCHED: Final = re.compile(r"a fetch is an (operand)\b.*, not (bool|float|int|str)$")
"""What is said of a number in the place of a fetch, as which an operand may be declared."""
_FRACTION: Final = re.compile(
    r" is (?:the|a) Python float\b.*, but must be (u?int\d+)$| is (u?int\d+) but \S+ is the Python float\b"
)
_NO_INDEX: Final = "IndexError: only integers"
"""How an error of the program begins that is about an array in the place of indices."""
_INDICES: Final = ("int32", "int64")
_DIM: Final = r"([\w?*+-]+(?: [*+-] [\w?*+-]+)*)"
_SIZES: Final = (
    re.compile(rf"{_DIM} and {_DIM} are neither equal nor 1"),
    re.compile(rf"dimensions {_DIM} and {_DIM} differ"),
    re.compile(rf" is {_DIM}, but .* has {_DIM} there"),
)
"""What is said of two sizes."""
_SHAPES: Final = re.compile(r"has shape \[(.*?)\], (?:but `value` has shape|which is never) \[(.*?)\]")
_FED: Final = re.compile(r"has shape \[(.*?)\], which does not fit \[(.*?)\]")
"""What is said of arrays for operands, whose named dimensions any size fits."""
_MUST_BE: Final = ", but must be "
"""What is said of an operand of an element type, before those that an operation takes."""
_NOT_DECLARED: Final = "; comparisons need parentheses"
"""What is said where an operator is wrong, and not what an operand is declared as."""
_BESIDE: Final = re.compile(r"`\w+` \[(.*?)\] and `\w+` \[(.*?)\] do not broadcast$")
_FACTORS: Final = re.compile(r"inner dimensions differ: (?:a|x) is \[(.*?)\], (?:b|y) is \[(.*?)\](?: with ([^;]*))?")
_LEFT_TURNED: Final = re.compile(r"(?:transpose_a|adj_x)=True")
_RIGHT_TURNED: Final = re.compile(r"(?:transpose_b|adj_y)=True")
_RANKED: Final = re.compile(r"`(\w+)` must have rank (\d+), but has shape \[(.*?)\]")
_LACKING: Final = re.compile(
    r"less than the rank of `\w+`, which has shape \[(.*?)\]| indexed, but .*? has shape \[(.*?)\]"
    r"|array of shape \[(.*?)\] has \d+ dimensions?, but \d+ are indexed"
)
"""What is said of a value that has too few dimensions."""
_RANKS: Final = re.compile(r"differ in rank: \[(.*?)\], \[(.*?)\]")
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
_KIND: Final = re.compile(r" must be an (operand) or a value, not (\w+);")
_OF_LIST: Final = re.compile(r" is a (list) (?:or tuple|of \w+), not (?:a )?(dict|set)\b")
_OF_LISTED: Final = re.compile(r"\[\d+\] is a (list) of (operand)s;")
_OF_TUPLE: Final = re.compile(r" is a (tuple) of (operand)s;")
_OF_CLASS: Final = re.compile(r" is of type (\w+)\b.*, but must be an (operand) or a value ")
_INDEXED: Final = re.compile(r'No overload variant of "__getitem__" of "(list|tuple)" matches argument type "tuple\[')
"""What mypy says of `xs[:, 0]` for a list or a tuple, in the place of an operand."""
_OPERAND: Final = "operand"
_ALIKE: Final = {
    **dict.fromkeys(("Operand", "Output", "Placeholder", "Variable"), _OPERAND),
    **dict.fromkeys(("Iterable", "Sequence"), "list"),
}
"""What classes count as in a clash."""
_UNSUPPORTED: Final = re.compile(
    r'Unsupported operand types for \S+ \("(list|tuple)\[.*\b(?:Operand|Output|Variable)\[.*" and '
)
_OF_ARRAY: Final = re.compile(r" but \S+ is an array of (\w+)")
"""What is said of an array beside operands, to which it is converted."""
_NO_KEY: Final = re.compile(r" has (no key '.*?');|^run: there is (no fetch '.*?');")
_NONE: Final = '"None"'
_OF_NONE: Final = " of None: the operation "
"""What is said of what a run returns for an operation, in the place of a number."""

SWAPPED: Final = "; swap them"
"""What is said of a call that is wrong whatever else its arguments are used for."""
_UNKNOWN: Final = frozenset({"?", "Any", "int"})
_OF_TYPES: Final = frozenset((
    codes.ARG_TYPE, codes.ASSIGNMENT, codes.ATTR_DEFINED, codes.DICT_ITEM, codes.LIST_ITEM, codes.MISC, codes.OPERATOR,
    codes.RETURN_VALUE,
))  # fmt: skip


def clashes_of(error: ErrorInfo) -> set[Clash]:
    """What clashes in an error; several if that is not certain, none if nothing is known to."""
    if error.severity != "error" or SWAPPED in error.message:
        return set()
    if error.code in (CALL, DTYPE, RUN, SHAPE):
        return {each for each in _own(error.message) if len(each - _UNKNOWN) > 1 or _OPERAND in each}
    used = _INDEXED.match(error.message) or _UNSUPPORTED.match(error.message)
    if used is not None:
        return {frozenset((used[1], _OPERAND))}
    return {each for each in _of_types(error.message) if each} if error.code in _OF_TYPES else set()


def is_of_elements(clash: Clash) -> bool:
    """Whether element types clash."""
    return all(each in _KINDS or _ELEMENT.fullmatch(each) for each in clash)


def is_of_one_kind(clash: Clash) -> bool:
    """Whether element types clash that differ only in how many bits they have."""
    return is_of_elements(clash) and len({each.rstrip("0123456789").removeprefix("u") for each in clash}) == 1


def input_in(error: ErrorInfo) -> str | None:
    """The input of an operation that is wrong by itself; None if an error is about several, or does not tell."""
    found = _RANKED.search(error.message.partition(";")[0]) if error.code is SHAPE else None
    return None if found is None else found[1]


def differentiated_in(error: ErrorInfo) -> str | None:
    """The operand whose element type has no gradients, as it is written, if an error says so."""
    found = _DIFFERENTIATED.search(error.message) if error.code is DTYPE else None
    return None if found is None else found[1]


def needs_of(error: ErrorInfo) -> dict[Clash, str]:
    """The element type or the rank of a value that has to be of another, whatever is beside it, by its clashes."""
    if error.code is SHAPE:
        return {clash: next(iter(clash - {needed})) for needed, clash in _needed_ranks(error.message)}
    types = _types_in(error)
    given, needed = types.groups() if types else error.message.partition(";")[0].partition(_MUST_BE)[::2]
    actual = _elements(given)
    others = [each for each in _elements(needed) if each not in actual]
    if len(actual) != 1 or _NOT_DECLARED in error.message:
        return {}
    if actual[0].startswith("complex"):  # which nobody declares by mistake
        return {}
    return {frozenset((actual[0], each)): actual[0] for each in others}


def _elements(text: str) -> list[str]:
    return list(dict.fromkeys(each.lower() for each in _ELEMENT.findall(text)))


def is_of_shapes(error: ErrorInfo) -> bool:
    """Whether an error is about shapes, and not about element types."""
    types = _types_in(error)
    return error.code is SHAPE or (types is not None and any(_of_type_shapes(*types.groups())))


def given_in(error: ErrorInfo) -> set[str]:
    """The element types of a value that is of another type than mypy expects."""
    types = _types_in(error)
    return set() if types is None else set(_elements(types["actual"]))


def of_array_in(error: ErrorInfo) -> set[str]:
    """The element type of an array that is wrong beside operands, which are not."""
    return set(_OF_ARRAY.findall(error.message)) if error.code is DTYPE else set()


def _types_in(error: ErrorInfo) -> re.Match[str] | None:
    """The type of a value and the one that is expected; None if an error is about something else."""
    return _types_of(error.message) if error.code in _OF_TYPES else None


def _types_of(message: str) -> re.Match[str] | None:
    return _TYPES.search(message) or _COMPREHENSION.match(message)


def _own(message: str) -> Iterator[Clash]:
    """What clashes in one of the plugin's messages, of which the first part says what is wrong."""
    first = message.partition(";")[0]
    elements = frozenset(_elements(first))
    if len(elements) > 1:
        yield elements
        yield from _of_fractions(elements)
    for pattern in _SIZES:
        yield from (frozenset(each.groups()) for each in pattern.finditer(first))
    for pattern in (_BESIDE, _FED, _SHAPES, _RANKS):
        for found in pattern.finditer(first):
            shapes = [_dims(each) for each in found.groups()]
            clashing = list(_of_shapes(*shapes))
            clashing += _lacking(*shapes) if clashing and pattern is not _BESIDE else []
            yield from (each for each in clashing if pattern is not _FED or not any(map(_is_named, each)))
            yield from _fed_sizes(*shapes) if pattern is _FED else ()
    factors = _FACTORS.search(message)
    if factors is not None:
        a, b, turned = _dims(factors[1]), _dims(factors[2]), factors[3] or ""
        yield frozenset((a[-2 if _LEFT_TURNED.search(turned) else -1], b[-1 if _RIGHT_TURNED.search(turned) else -2]))
        if len(a) != len(b):
            yield frozenset((f"rank {len(a)}", f"rank {len(b)}"))
    dropped = _DROPPED.search(message)
    if dropped is not None:
        yield from _lacking(*sorted(map(_dims, dropped.groups()), key=len))
    yield from _of_ranks(first)
    patterns = (_KIND, _OF_CLASS, _OF_LIST, _OF_LISTED, _OF_TUPLE, _FETCHED)
    kind, key = next(filter(None, (each.search(message) for each in patterns)), None), _NO_KEY.search(message)
    if kind is not None:
        yield frozenset(kind.groups())
    if _OF_NONE in first:
        yield NO_VALUE
    of_kind, fraction = (
        _OF_KIND.search(first) or _NOT_OF_KIND.search(first),
        _FRACTION.search(first) or _NOT_DIVIDED.match(first),
    )
    if of_kind is not None:
        yield frozenset(of_kind.groups())
    if fraction is not None:
        yield frozenset((next(filter(None, fraction.groups())), _FLOATING))
    if _NO_INDEX in first:
        yield from (frozenset(pair) for pair in product(_FLOATS, _INDICES))
    differentiated = _DIFFERENTIATED.search(first)
    if differentiated is not None:
        yield from (frozenset((differentiated[2], each)) for each in _FLOATS)
    if "bool" in elements and len(elements) > 1 and _MUST_BE not in first:
        yield from (frozenset(("bool", each)) for each in _KINDS)
    if key is not None:
        yield frozenset((key[1] or key[2], KEY))


def _of_fractions(elements: Clash) -> Iterator[Clash]:
    """What clashes for an integer where a floating-point number is, of whatever size."""
    if any(each in _FLOATS for each in elements):
        yield from (frozenset((each, _FLOATING)) for each in elements if _INTEGER.fullmatch(each))


def _lacking(given: Sequence[str], needed: Sequence[str]) -> list[Clash]:
    """What clashes for a value that has fewer dimensions than it needs."""
    return [frozenset((f"rank {len(given)}", _MORE))] if len(given) < len(needed) else []


def _fed_sizes(given: Sequence[str], needed: Sequence[str]) -> Iterator[Clash]:
    """What clashes for arrays of several numbers of rows, or of columns, that a function makes."""
    for axis, (size, other) in enumerate(zip(given, needed, strict=False)):
        if len(given) == len(needed) and size != other and size.isdigit() and other.isdigit():
            yield frozenset((f"{other} at {axis} of {len(given)}", MADE))


def counterparts(clash: Clash) -> list[Clash]:
    """What clashes in other errors about the same mistake.

    A value that lacks dimensions does not have some axes, either; but one in two operations is wrong in both of them.
    """
    if _AXIS in clash:
        return [clash - {_AXIS} | {_MORE}]
    return [clash, clash - {_MORE} | {_AXIS}] if _MORE in clash else [clash]


def _of_ranks(message: str) -> Iterator[Clash]:
    """What is said of one value that has another number of dimensions, or fewer, than an operation takes."""
    yield from (clash for _, clash in _needed_ranks(message))
    no_axis = _NO_AXIS.search(message)
    if no_axis is not None:
        yield frozenset((f"rank {no_axis[1]}", _AXIS))
    lacking = _LACKING.search(message)
    if lacking is not None:
        shape = next(each for each in lacking.groups() if each is not None)
        yield frozenset((f"rank {len(_dims(shape))}", _MORE))


def _needed_ranks(message: str) -> Iterator[tuple[str, Clash]]:
    """The rank that a value must have, and its clash with the value's own."""
    found = _RANKED.search(message.partition(";")[0])
    if found is not None:
        yield f"rank {found[2]}", frozenset((f"rank {found[2]}", f"rank {len(_dims(found[3]))}"))


def _is_named(dim: str) -> bool:
    return not dim.isdigit() and not dim.startswith("rank ")


def _dims(text: str) -> list[str]:
    return text.split(", ") if text else []


def _of_shapes(actual: list[str], expected: list[str]) -> Iterator[Clash]:
    rests = {dim for dim in (*actual, *expected) if dim.startswith("*")}  # any number of sizes
    if len(actual) == len(expected):
        unknown = _UNKNOWN | rests
        yield from (frozenset(pair) for pair in zip(actual, expected, strict=True) if not unknown & set(pair))
    elif not rests:
        yield frozenset((f"rank {len(actual)}", f"rank {len(expected)}"))


def _of_types(message: str) -> Iterator[Clash]:
    """What clashes in one of mypy's messages."""
    found = _types_of(message)
    if found is None or found["actual"] == "None":
        if _NONE in message:
            yield NO_VALUE
        return
    actual, expected = (_OF_OPERATION.sub("Operand", each) for each in found.groups())
    given, needed = (frozenset(each.lower() for each in _ELEMENT.findall(text)) for text in (actual, expected))
    shapes = [each for each in _of_type_shapes(actual, expected) if len(each) > 1]
    if len(given | needed) > 1 and not given <= needed:
        yield given | needed
        yield from _of_fractions(given | needed)
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
        clashes = list(_of_shapes(given, needed))
        yield from clashes
        if clashes:
            yield from _lacking(given, needed)


def _static(text: str) -> list[str]:
    return [] if text == "()" else [each.removeprefix("Literal[").removesuffix("]") for each in text.split(", ")]
