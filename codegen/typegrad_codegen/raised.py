"""The errors of `create` that are particular to an operation, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from typegrad_codegen.schema import Entry, EntryAttr
from typegrad_codegen.static_shapes import PROBED_RANKS, accepted_ranks, conflict

__all__ = ["raises"]

_SHARED: Final = {
    "typegrad.shapes.common:broadcast": "the shapes of {} do not broadcast",
    "typegrad.shapes.common:merged": "the shapes of {} differ",
}
"""What to say of shape functions that many operations share; {} is their arguments."""


@cache  # asked for the class, for its facade and for its pages
def raises(op: Entry) -> Sequence[tuple[str, str]]:
    """The errors that say something of this operation, and when each is raised."""
    causes = {"DTypeError": _types(op), "ShapeError": _shapes(op), "AttributeValueError": map(_attr, op.attrs)}
    texts = {name: ", or ".join(filter(None, clauses)) for name, clauses in causes.items()}
    return [(name, f"{text[0].upper()}{text[1:]}.") for name, text in texts.items() if text]


def _types(op: Entry) -> Iterator[str]:
    for type_ in op.types:
        inputs = [each for each in op.inputs if each.type == type_.name and each.kind != "mixed"]
        if len(inputs) > 1:
            yield f"{_all(each.name for each in inputs)} differ in element type"
        elif inputs and inputs[0].kind == "many":
            yield f"the operands in `{inputs[0].name}` differ in element type"
    if op.tensor is not None:
        yield f"`{op.tensor.name}` does not fit the stated element type"


def _shapes(op: Entry) -> Iterator[str]:
    if op.functions.shape in _SHARED:
        yield _SHARED[op.functions.shape].format(_all(op.shape.arguments))
        return
    single = [each.name for each in op.inputs if each.kind == "one" and each.type != "resource"]
    ranks = {name: accepted_ranks(op, name) for name in single}
    by_words: dict[str, list[str]] = {}
    for name, accepted in ranks.items():
        if words := _rank(accepted):
            by_words.setdefault(words, []).append(f"`{name}`")
    for words, names in by_words.items():
        yield f"{_listed(names, 'or')} does not have {words}"
    pairs = [pair for pair in combinations(single, 2) if conflict(op, {name: ranks[name] for name in pair})]
    for group in _connected(pairs):
        yield f"the shapes of {_all(each for each in single if each in group)} are incompatible"


def _connected(pairs: Iterable[tuple[str, str]]) -> list[set[str]]:
    """The names that are in pairs, each with those that it is connected to."""
    groups: list[set[str]] = []
    for pair in pairs:
        joined = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in joined] + [set(pair).union(*joined)]
    return groups


def _rank(accepted: frozenset[int]) -> str:
    """The ranks that are accepted, in words; "" if all are, or if there is no simple rule."""
    if not accepted or len(accepted) == len(PROBED_RANKS):
        return ""
    low, high = min(accepted), max(accepted)
    if len(accepted) != high - low + 1:
        return ""
    if high == PROBED_RANKS[-1]:
        return f"rank {low} or more"
    if low == 0 < high:
        return f"rank {high} or less"
    return f"rank {_listed([str(rank) for rank in range(low, high + 1)], 'or')}"


def _attr(attr: EntryAttr) -> str:
    if attr.allowed:
        return f"`{attr.name}` is not {_listed([f'`{value}`' if value else 'empty' for value in attr.allowed], 'or')}"
    is_list = attr.type.startswith("list(")
    if attr.minimum is None or (is_list and attr.minimum == 0):
        return ""
    return f"`{attr.name}` " + (
        f"has fewer than {attr.minimum} elements" if is_list else f"is less than {attr.minimum}"
    )


def _all(names: Iterable[str]) -> str:
    return _listed([f"`{name}`" for name in names], "and")


def _listed(items: list[str], word: str) -> str:
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else items[0]
