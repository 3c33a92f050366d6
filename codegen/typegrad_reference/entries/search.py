"""Search for operations, pages and names of the API; also reports what is missing.

Names match first: typegrad's, TensorFlow's, TensorFlow Java's, NumPy's, JAX's and PyTorch's. Texts match next. The
search field of the site ranks by the same rules; `tests/reference/queries.yaml` tests both. MatMul, mat_mul and matmul
are one name; a library may be called by its usual alias: `jnp.where` is `jax.numpy.where`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias, final

from attrs import frozen

from typegrad_codegen.names import snake
from typegrad_codegen.schema import Entry
from typegrad_reference.entries.subjects import Missing
from typegrad_reference.entries.texts import Text

__all__ = ["Hit", "Index", "Kind"]


class Kind(IntEnum):
    """Why a hit matches. A smaller number ranks higher."""

    CLASS = 0
    """The query is the class: `MatMul`, `linalg.MatMul`."""
    OPERATION = 1
    """It is TensorFlow's name of the operation: `GatherV2`."""
    ELSEWHERE = 2
    """It is the name in another library: `np.matmul`."""
    OTHER_MODULE = 3
    """It is such a name, but in a module or library that is not listed."""
    PREFIX = 4
    """A name begins with it."""
    PART = 5
    """It begins where a word inside a name begins: `matmul` in `BatchMatMul`."""
    WORDS = 6
    """Its words are in the names and the summary."""
    TEXT = 7
    """Its words are in the names, the summary and the description."""
    INSIDE = 8
    """It is inside a name, but begins and ends within words: `sort` in `Unsorted`."""
    SIMILAR = 9
    """A name is spelled much like it. Such hits are listed only if no name and no summary fits."""
    ABSENT = 10
    """It is the name of something that does not exist here. Such a hit comes first, if nothing here has the name."""
    INSTEAD = 11
    """It comes nearest to what is not here."""


Target: TypeAlias = Entry | Text | Missing
"""What a hit refers to."""


@frozen
class Hit:
    """A match, and the name that matched; its own name where only texts matched."""

    target: Target
    kind: Kind
    name: str


@frozen
class _Name:
    """A name as it is written, and its parts as they are compared."""

    text: str
    parts: tuple[str, ...]
    kind: Kind
    ends: tuple[str, ...]
    """What is left of the last part from each of its words on: batchmatmul, matmul, mul."""

    @staticmethod
    def of(text: str, whole: str, kind: Kind) -> _Name:
        """A name that is shown as `text`; `whole` has the modules that it is in."""
        words = _split(snake(whole.rpartition(".")[2]))
        return _Name(text, _parts(whole), kind, tuple("".join(words[start:]) for start in range(len(words))))


@frozen
class _Entry:
    """An operation or a text: its names, and the sorted words of its own name, all names, its summary and the rest."""

    target: Entry | Text
    names: tuple[_Name, ...]
    title: Sequence[str]
    named: Sequence[str]
    summary: Sequence[str]
    text: Sequence[str]

    @cached_property
    def all_names(self) -> str:
        """The last part of each name, to skip at once what cannot match."""
        return " ".join(name.parts[-1] for name in self.names if name.parts)

    @cached_property
    def all_words(self) -> str:
        """All words, each behind a space."""
        return "".join(f" {word}" for word in (*self.named, *self.summary, *self.text))


@frozen
class _Query:
    """A query: its names as they are compared, and the beginnings of words to look for in texts."""

    parts: tuple[str, ...]
    beginnings: frozenset[str]
    has_one_word: bool

    @staticmethod
    def of(words: str) -> _Query:
        """Of a dotted name only the last part counts in texts: that it is NumPy's says nothing about what it does."""
        has_one_word = len(words.split()) <= 1
        terms = {*_words(words.rpartition(".")[2] if has_one_word else words)} - _EMPTY
        return _Query(_parts("".join(words.split())), frozenset(term[:_STEM] for term in terms), has_one_word)


_Match: TypeAlias = tuple[tuple[float, ...], Hit]
"""A sort key for hits of one kind, less is better, and the hit."""

_ALIASES: Final = {"np": "numpy", "jnp": "jax.numpy", "tf": "tensorflow"}
_EMPTY: Final = frozenset(
    (
        "a",
        "along",
        "an",
        "and",
        "array",
        "arrays",
        "at",
        "by",
        "do",
        "for",
        "from",
        "how",
        "i",
        "in",
        "is",
        "of",
        "on",
        "or",
        "over",
        "tensor",
        "tensors",
        "the",
        "to",
        "with",
    )
)
"""Words that say nothing about what is looked for."""
_PLURALS: Final = {"axes": "axis", "indices": "index", "matrices": "matrix"}
"""Plurals that do not begin with the singular."""
_PASSING: Final = 4
"""A shorter query is inside too many names: `nce` in `Distance`."""
_STEM: Final = 6
"""Longer words that agree so far are the same word: multiplication and multiply."""
_XLA: Final = "xla"
_CLOSE: Final = 0.75
"""How similar a misspelled name must be, by `difflib`."""


@final
class Index:
    """Operations, texts and what is missing, ready to be searched."""

    def __init__(
        self, operations: Iterable[Entry], texts: Iterable[Text] = (), missing: Iterable[Missing] = ()
    ) -> None:
        """Split all names into words."""
        self._entries = [*map(_operation, operations), *map(_text, texts)]
        self._missing = [(item, [_Name.of(name, name, Kind.ELSEWHERE) for name in item.names]) for item in missing]

    def search(self, words: str, limit: int = 20) -> list[Hit]:
        """At most `limit` hits, best first; equal ones in the order of the registry."""
        query = _Query.of(words)
        matches = [match for entry in self._entries if (match := _best(entry, query))]
        matches.sort(key=_order)
        hits = [hit for _, hit in matches]
        if not hits or hits[0].kind > Kind.OTHER_MODULE:
            hits = [*(self._absent(query.parts) or self._misspelt(query, hits)), *hits]
        first: dict[str, Hit] = {}
        for hit in hits:
            first.setdefault(_identity(hit.target), hit)
        return list(first.values())[:limit]

    def _misspelt(self, query: _Query, hits: Sequence[Hit]) -> list[Hit]:
        """Similar names, if nothing fits or a single name fits only in part: no description contains reduce_summ."""
        passing = bool(hits) and hits[0].kind is Kind.TEXT and query.has_one_word
        return _similar(self._entries, query.parts) if passing or not hits else []

    def _absent(self, parts: tuple[str, ...]) -> list[Hit]:
        """The hit for something missing, and the nearest operations or pages."""
        for item, names in self._missing:
            name = next((name for name in names if _means(parts, name.parts)), None)
            if name is not None:
                nearest = (Hit(target, Kind.INSTEAD, _own(target)) for target in item.instead)
                return [Hit(item, Kind.ABSENT, name.text), *nearest]
        return []

    def exact(self, name: str) -> list[Entry]:
        """The operations that `name` names: one, or several where it has several meanings elsewhere, or none.

        Of several, the one whose class has this name is meant: `np.add` is Add, not AddV2. It is not if the registry's
        first one takes other inputs: `np.where` is Select or Where.
        """
        query = _Query.of(name)
        matches = [match for entry in self._entries if (match := _by_name(entry, query))]
        ranked = [(hit.kind, rank[1], hit.target) for rank, hit in matches if isinstance(hit.target, Entry)]
        first = min(((kind, rank) for kind, rank, _ in ranked if kind <= Kind.ELSEWHERE), default=None)
        named = [op for kind, rank, op in ranked if (kind, rank) == first]
        own = [op for op in named if _parts(op.class_name) == _parts(name)[-1:]]
        return own if own and (own[0] is named[0] or len(own[0].inputs) == len(named[0].inputs)) else named


def _operation(op: Entry) -> _Entry:
    title = sorted(_words(snake(op.class_name)))
    named = {*title, *(word for name in (op.name, *op.known_as) for word in _words(snake(name)))}
    text = _words(f"{op.description} {op.differences}")
    return _Entry(op, tuple(_names(op)), title, sorted(named), sorted(_words(op.summary)), sorted(text))


def _text(text: Text) -> _Entry:
    title = sorted(_words(snake(text.title)))
    own = _Name.of(text.title, text.name or text.title.replace(".", " "), Kind.CLASS)
    names = (own, *(_Name.of(name, name, Kind.ELSEWHERE) for name in text.known))
    named = {*title, *_words(text.where), *(word for name in text.known for word in _words(snake(name)))}
    # The first sentence of a section is a part of its text, and no summary.
    summary, rest = (text.summary, text.words) if text.name else ("", f"{text.summary} {text.words}")
    return _Entry(text, names, title, sorted(named), sorted(_words(summary)), sorted(_words(rest)))


def _own(target: Entry | Text) -> str:
    return target.class_name if isinstance(target, Entry) else target.title


def _identity(target: Target) -> str:
    """A key that is equal for hits of the same target."""
    if isinstance(target, Entry):
        return target.name
    return target.address if isinstance(target, Text) else " ".join(target.names)


def _best(entry: _Entry, query: _Query) -> _Match | None:
    """The better of the matches by name and by words."""
    named = _by_name(entry, query)
    if named and named[1].kind < Kind.WORDS and isinstance(entry.target, Entry):
        return named
    if named and isinstance(entry.target, Text) and not query.has_one_word:
        # Several words are the name of an operation, a section or a subject, but of no class: "random normal" is no
        # initializer.
        is_class = named[1].kind is Kind.CLASS and bool(entry.target.name)
        named = None if is_class or named[1].kind > Kind.ELSEWHERE else named
    return min(filter(None, (named, _by_words(entry, query))), key=_order, default=None)


def _order(match: _Match) -> tuple[int, tuple[float, ...]]:
    """A sort key for matches, best first."""
    rank, hit = match
    return hit.kind, rank


# Names


def _means(parts: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Whether a query ends with what is missing. XLA's operations are called like others, as Sort: they need "xla"."""
    return parts[-1:] == name[-1:] and (_XLA not in name or _XLA in parts)


def _names(op: Entry) -> Iterator[_Name]:
    yield _Name.of(op.class_name, f"{op.package}.{op.group}.{op.class_name}", Kind.CLASS)
    if op.java_class:
        yield _Name.of(op.class_name, op.java_class, Kind.CLASS)
    yield _Name.of(op.name, op.raw_name or op.name, Kind.OPERATION)
    for name in op.known_as:
        yield _Name.of(name, name, Kind.ELSEWHERE)


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a dotted name in lower case, without underscores: np.reduce_sum is numpy, reducesum."""
    library, dot, rest = name.strip().partition(".")
    written = f"{_ALIASES.get(library.lower(), library)}{dot}{rest}" if dot else library
    return tuple(part for part in (re.sub(r"[\W_]+", "", part).lower() for part in written.split(".")) if part)


def _by_name(entry: _Entry, query: _Query) -> _Match | None:
    """The best match of the words, written as one, with a name, if there is any."""
    parts = query.parts
    if not parts or parts[-1] not in entry.all_names:
        return None
    matches = [(match, name) for name in entry.names if (match := _match(parts, name))]
    if not matches:
        return None
    (kind, *rank), name = min(matches, key=lambda item: item[0])
    return (isinstance(entry.target, Text), *rank), Hit(entry.target, Kind(kind), name.text)


def _match(parts: tuple[str, ...], name: _Name) -> tuple[int, ...] | None:
    """The kind of the match and its rank: how it is qualified, what kind of name it is, how long that is."""
    last, own = parts[-1], name.parts[-1]
    if last not in own:
        return None
    if parts == name.parts[-len(parts) :]:
        return name.kind, 0, len(own)
    if last == own:
        # The same library, another module: less than a name that is listed as it was typed.
        listed = parts[0] == name.parts[0]
        return (Kind.ELSEWHERE, 1, len(own)) if listed else (Kind.OTHER_MODULE, name.kind, len(own))
    if own.startswith(last):
        return Kind.PREFIX, name.kind, len(own)
    if any(end.startswith(last) for end in name.ends):
        return Kind.PART, name.kind, len(own)
    return (Kind.INSIDE, name.kind, len(own)) if len(last) >= _PASSING else None


def _similar(entries: Sequence[_Entry], parts: tuple[str, ...]) -> list[Hit]:
    matcher = SequenceMatcher(b=parts[-1] if parts else "", autojunk=False)
    close: list[_Match] = []
    for entry in entries:
        for name in entry.names:
            matcher.set_seq1(name.parts[-1])
            if matcher.quick_ratio() >= _CLOSE and matcher.ratio() >= _CLOSE:
                rank = (isinstance(entry.target, Text), -matcher.ratio(), name.kind)
                close.append((rank, Hit(entry.target, Kind.SIMILAR, name.text)))
    return [hit for _, hit in sorted(close, key=_order)]


# Words


def _by_words(entry: _Entry, query: _Query) -> _Match | None:
    """A match if every word is in the names or texts; the more of them are in the names, the better it is."""
    terms = query.beginnings
    if not all(f" {start}" in entry.all_words for start in terms):
        return None
    in_names = _among(terms, entry.named)
    kind = Kind.WORDS
    in_text = terms - in_names - _among(terms, entry.summary)
    if in_text:
        kind = Kind.TEXT
    if not terms or in_text - _among(in_text, entry.text):
        return None
    is_text, own = isinstance(entry.target, Text), _own(entry.target)
    in_title = _among(terms, entry.title)
    rank = (is_text, len(terms - in_title), len(in_text), len(terms - in_names), len(entry.title), len(own))
    return rank, Hit(entry.target, kind, own)


def _among(beginnings: frozenset[str], words: Sequence[str]) -> frozenset[str]:
    """The beginnings with which one of the sorted words begins."""
    return frozenset(start for start in beginnings if _begins(words, start))


def _begins(words: Sequence[str], start: str) -> bool:
    place = bisect_left(words, start)
    return place < len(words) and words[place].startswith(start)


def _split(text: str) -> list[str]:
    """The words in lower case."""
    return [word for word in re.split(r"[\W_]+", text.lower()) if word]


def _words(text: str) -> list[str]:
    """The words as texts are compared by them, in the singular where a plural begins otherwise."""
    return [_PLURALS.get(word, word) for word in _split(text)]
