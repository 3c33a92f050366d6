"""What clashes in the sentences of the plugin and of the run: a table of what they say.

The sentences come from shape functions, signatures, feeds and NumPy. A rule has a pattern for one kind of them, which
it looks for before the remedy, or in all of the message, and a function that tells what clashes there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Final, TypeAlias

from attrs import frozen

from typegrad.mypy_plugin.mistakes.clash import (
    AXIS,
    FLOATING,
    FLOATS,
    KEY,
    KINDS,
    MADE,
    MORE,
    NO_VALUE,
    OPERAND,
    UNKNOWN,
    Clash,
    dims_in,
    elements_in,
    lacking,
    of_fractions,
    of_shapes,
    rank,
)

__all__ = ["DIFFERENTIATED", "MUST_BE", "RULES", "Rule", "needed_ranks", "of_sentence", "ranked_input"]

MUST_BE: Final = ", but must be "
"""What is said of an operand of an element type, before those that an operation takes."""
DIFFERENTIATED: Final = re.compile(r" to (\S+): \1 is (\w+), and only floats and complex numbers have gradients$")
"""What is said of an operand, as it is written, whose element type has no gradients."""
_RANKED: Final = re.compile(r"`(\w+)` must have rank (\d+), but has shape \[(.*?)\]")
"""What is said of an input of an operation that is wrong by itself."""
_DIM: Final = r"([\w?*+-]+(?: [*+-] [\w?*+-]+)*)"
_KIND: Final = "|".join(KINDS)
_INDICES: Final = ("int32", "int64")
_LEFT_TURNED: Final = re.compile(r"(?:transpose_a|adj_x)=True")
_RIGHT_TURNED: Final = re.compile(r"(?:transpose_b|adj_y)=True")

_Found: TypeAlias = re.Match[str]


def of_sentence(message: str) -> Iterator[Clash]:
    """What clashes in a message, as far as that is known."""
    first = message.partition(";")[0]
    yield from (each for each in _of_elements(first) if _is_known(each))
    for rule in RULES:
        for found in rule.pattern.finditer(first if rule.is_before_remedy else message):
            yield from (each for each in rule.clashes(found) if _is_known(each))


def _is_known(clash: Clash) -> bool:
    return len(clash - UNKNOWN) > 1 or OPERAND in clash


def ranked_input(message: str) -> str | None:
    """The input of an operation that has the wrong rank by itself; None if a message is about something else."""
    found = _RANKED.search(message.partition(";")[0])
    return None if found is None else found[1]


def needed_ranks(message: str) -> dict[Clash, str]:
    """The rank of a value that has to be of another, by its clashes with that."""
    found = _RANKED.search(message.partition(";")[0])
    return {} if found is None else {clash: rank(len(dims_in(found[3]))) for clash in _rank_and_shape(found)}


def _of_elements(first: str) -> Iterator[Clash]:
    """What clashes where a sentence names several element types."""
    elements = frozenset(elements_in(first))
    if len(elements) > 1:
        yield elements
        yield from of_fractions(elements)
    if "bool" in elements and len(elements) > 1 and MUST_BE not in first:
        yield from (frozenset(("bool", each)) for each in KINDS)


def _both(found: _Found) -> Iterator[Clash]:
    yield frozenset(found.groups())


def _shapes(found: _Found) -> Iterator[Clash]:
    """What clashes in two shapes, of which the first may lack dimensions."""
    given, needed = map(dims_in, found.groups())
    clashes = list(of_shapes(given, needed))
    yield from (*clashes, *(lacking(given, needed) if clashes else ()))


def _beside(found: _Found) -> Iterator[Clash]:
    yield from of_shapes(*map(dims_in, found.groups()))


def _fed(found: _Found) -> Iterator[Clash]:
    """What clashes for an array in the place of an operand, whose named dimensions any size fits.

    Of arrays of several numbers of rows, or of columns, that a function makes, each size clashes with the same.
    """
    given, needed = map(dims_in, found.groups())
    yield from (each for each in of_shapes(given, needed) if not any(map(_is_named, each)))
    for axis, (size, other) in enumerate(zip(given, needed, strict=False)):
        if len(given) == len(needed) and size != other and size.isdigit() and other.isdigit():
            yield frozenset((f"{other} at {axis} of {len(given)}", MADE))


def _is_named(dim: str) -> bool:
    return not dim.isdigit() and not dim.startswith("rank ")


def _factors(found: _Found) -> Iterator[Clash]:
    """The inner dimensions of a product, of which a factor may be transposed."""
    a, b, turned = dims_in(found[1]), dims_in(found[2]), found[3] or ""
    yield frozenset((a[-2 if _LEFT_TURNED.search(turned) else -1], b[-1 if _RIGHT_TURNED.search(turned) else -2]))
    if len(a) != len(b):
        yield frozenset((rank(len(a)), rank(len(b))))


def _dropped(found: _Found) -> Iterator[Clash]:
    """What clashes for two values, of which one lacks a dimension that its reduction has dropped."""
    yield from lacking(*sorted(map(dims_in, found.groups()), key=len))


def _rank_and_shape(found: _Found) -> Iterator[Clash]:
    yield frozenset((rank(found[2]), rank(len(dims_in(found[3])))))


def _no_axis(found: _Found) -> Iterator[Clash]:
    yield frozenset((rank(found[1]), AXIS))


def _too_few(found: _Found) -> Iterator[Clash]:
    yield frozenset((rank(len(dims_in(found[1]))), MORE))


def _no_value(_: _Found) -> Iterator[Clash]:
    yield NO_VALUE


def _fraction(found: _Found) -> Iterator[Clash]:
    yield frozenset((found[1], FLOATING))


def _indices(_: _Found) -> Iterator[Clash]:
    yield from (frozenset(pair) for pair in product(FLOATS, _INDICES))


def _not_differentiable(found: _Found) -> Iterator[Clash]:
    yield from (frozenset((found[2], each)) for each in FLOATS)


def _no_key(found: _Found) -> Iterator[Clash]:
    yield frozenset((found[1], KEY))


@frozen
class Rule:
    """What a sentence says, and what clashes then."""

    pattern: re.Pattern[str]
    clashes: Callable[[_Found], Iterable[Clash]]
    is_before_remedy: bool = True
    """Whether it is looked for up to the first semicolon only."""


def _rule(pattern: str, clashes: Callable[[_Found], Iterable[Clash]], *, is_before_remedy: bool = True) -> Rule:
    return Rule(re.compile(pattern), clashes, is_before_remedy)


RULES: Final = (
    # sizes
    _rule(rf"{_DIM} and {_DIM} are neither equal nor 1", _both),
    _rule(rf"dimensions {_DIM} and {_DIM} differ", _both),
    _rule(rf" is {_DIM}, but .* has {_DIM} there", _both),
    # shapes
    _rule(r"`\w+` \[(.*?)\] and `\w+` \[(.*?)\] do not broadcast$", _beside),
    _rule(r"has shape \[(.*?)\], which does not fit \[(.*?)\]", _fed),
    _rule(r"has shape \[(.*?)\], (?:but `value` has shape|which is never) \[(.*?)\]", _shapes),
    _rule(r"differ in rank: \[(.*?)\], \[(.*?)\]", _shapes),
    _rule(
        r"inner dimensions differ: (?:a|x) is \[(.*?)\], (?:b|y) is \[(.*?)\](?: with ([^;]*))?",
        _factors,
        is_before_remedy=False,
    ),
    _rule(
        r"shapes \[(.*?)\] and \[(.*?)\] do not broadcast: .*: keep_dims=True in a reduction",
        _dropped,
        is_before_remedy=False,
    ),
    # ranks
    Rule(_RANKED, _rank_and_shape),
    _rule(r"`\w+` is -?\d+, but must be in \[-(\d+), \1\)", _no_axis),
    _rule(r"less than the rank of `\w+`, which has shape \[(.*?)\]", _too_few),
    _rule(r" indexed, but .*? has shape \[(.*?)\]", _too_few),
    _rule(r"array of shape \[(.*?)\] has \d+ dimensions?, but \d+ are indexed", _too_few),
    # element types
    _rule(rf" is (\w+), but must be ({_KIND})$", _both),
    _rule(rf" must be ({_KIND}), but is .* \(\w+, (\w+) \[", _both),
    _rule(r" is (?:the|a) Python float\b.*, but must be (u?int\d+)$", _fraction),
    _rule(r" is (u?int\d+) but \S+ is the Python float\b", _fraction),
    _rule(r"^/ divides floating-point and complex numbers, not .*, which is (\w+):", _fraction),
    _rule(r"IndexError: only integers", _indices),
    Rule(DIFFERENTIATED, _not_differentiable),
    # kinds of values
    _rule(r" must (?:be an|hold) (operand)s? or (?:a value|values), not (?:a )?(\w+);", _both, is_before_remedy=False),
    _rule(r" takes an (operand), .* beside an operand, not (?:a )?(function|(?!None$)\w+)$", _both),
    _rule(r" is of type (\w+)\b.*, but must be an (operand) or a value ", _both, is_before_remedy=False),
    _rule(r" is a (list) (?:or tuple|of \w+), not (?:a )?(dict|set)\b", _both, is_before_remedy=False),
    _rule(r"\[\d+\] is a (list) of (operand)s;", _both, is_before_remedy=False),
    _rule(r" is a (tuple) of (operand)s;", _both, is_before_remedy=False),
    _rule(r"a fetch is an (operand)\b.*, not (bool|float|int|str)$", _both, is_before_remedy=False),
    _rule(r" of None: the operation ", _no_value),
    _rule(r" has (no key '.*?');", _no_key, is_before_remedy=False),
    _rule(r"^run: there is (no fetch '.*?');", _no_key, is_before_remedy=False),
)
