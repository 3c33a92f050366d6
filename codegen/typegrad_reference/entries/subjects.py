"""Searches for other things than operations: where they are, or that they are missing, and what is nearest.

`subjects.yaml` lists names and phrases with their places. The library keeps it, as its errors say the same. For
operations of TensorFlow that the registry lacks, the nearest are the operations with similar words in their names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, TypedDict

import yaml
from attrs import frozen

from typegrad.arguments.tensorflow_ops import tensorflow_ops
from typegrad_codegen.names import snake
from typegrad_codegen.schema import Entry
from typegrad_reference.entries.texts import Text, addresses, of_api, of_page, pages, with_known
from typegrad_reference.guides.listed import address

__all__ = ["Missing", "Subjects", "subjects"]

_NEAREST: Final = 3
_LIKE: Final = 0.34
"""The share of words that two similar names have in common; rare words count more."""


@frozen
class Missing:
    """Something that is not here."""

    title: str
    names: tuple[str, ...]
    """Its names, dotted ones with their modules."""
    why: str
    instead: tuple[Entry | Text, ...]
    is_operation: bool = False
    """Whether it is an operation of TensorFlow, as `why` then says."""


@frozen
class Subjects:
    """What can be searched for besides operations."""

    texts: tuple[Text, ...]
    missing: tuple[Missing, ...]


class _Absence(TypedDict):
    """An entry of `missing` in `subjects.yaml`."""

    names: list[str]
    why: str
    instead: list[str]


class _SubjectsFile(TypedDict):
    """The contents of `subjects.yaml`: names by place, words for operations in errors, and what is missing."""

    known: dict[str, list[str]]
    words: dict[str, list[str]]
    missing: list[_Absence]


def subjects(operations: Sequence[Entry]) -> Subjects:
    """Pages, sections, names of the API that have other names elsewhere, and what is missing.

    Raises:
        LookupError: A place that `subjects.yaml` names does not exist.
    """
    written = _written()
    places = _Places(operations)
    known = {places.text(place).address: tuple(names) for place, names in written["known"].items()}
    missing = [_missing(item, places) for item in written["missing"]]
    listed = Counter(name for item in written["missing"] for name in item["names"])
    absent = (item for item in _absent(operations) if not listed.keys() & set(item.names))
    return Subjects(tuple(with_known(places.texts(), known)), (*missing, *absent))


@cache
def _written() -> _SubjectsFile:
    written: _SubjectsFile = yaml.safe_load((files("typegrad.arguments") / "subjects.yaml").read_text(encoding="utf-8"))
    return written


class _Places:
    """The places that `subjects.yaml` may name."""

    def __init__(self, operations: Sequence[Entry]) -> None:
        listed = pages(operations)
        by_address = {address(op): f"{op.group}.{op.class_name}" for op in operations}
        texts = [text for each in listed for text in of_page(each, by_address.get(each.address, ""))]
        self._texts = {text.address: text for text in texts}
        self._files = addresses(listed)
        self._operations = {op.name: op for op in operations}

    def texts(self) -> Iterable[Text]:
        """All texts, including the names of the API that were looked up."""
        return self._texts.values()

    def text(self, place: str) -> Text:
        """A page, a section or a name of the API."""
        if place.startswith("typegrad."):
            try:
                text = of_api(place)
            except (AttributeError, ModuleNotFoundError) as error:
                raise LookupError(f"subjects.yaml: {place} does not exist: {error}") from None
            return self._texts.setdefault(text.address, text)
        file, hash_, anchor = place.partition("#")
        target = f"{self._files.get(file)}{hash_}{anchor}"
        if target not in self._texts:
            raise LookupError(
                f"subjects.yaml: {place} does not exist: it is not an operation, a page or a section of a page"
            )
        return self._texts[target]

    def place(self, place: str) -> Entry | Text:
        """An operation, or one of the others."""
        return self._operations.get(place) or self.text(place)


def _missing(item: _Absence, places: _Places) -> Missing:
    names = item["names"]
    return Missing(names[0], tuple(names), item["why"], tuple(map(places.place, item["instead"])))


# TensorFlow's operations


def _absent(operations: Sequence[Entry]) -> Iterator[Missing]:
    """The operations of TensorFlow that the registry lacks."""
    here = {op.name for op in operations}
    near = _Near(operations)
    for op in tensorflow_ops():
        if op.name not in here:
            java = [f"org.tensorflow.op.{op.group}.{op.java}"] if op.java else []
            names = (f"tf.raw_ops.{op.name}", *java)
            yield Missing(op.name, names, op.why_not, near.to(op.name), True)


class _Near:
    """Operations by the words in their class names. Frequent words count little."""

    def __init__(self, operations: Sequence[Entry]) -> None:
        self._words = {op.class_name: (op, frozenset(_words(op.class_name))) for op in operations}
        self._named: dict[str, list[str]] = {}
        """The class names that have a word."""
        for name, (_, words) in self._words.items():
            for word in words:
                self._named.setdefault(word, []).append(name)
        self._weights = {word: math.log(len(operations) / len(names)) for word, names in self._named.items()}
        self._rare = math.log(len(operations))

    def to(self, name: str) -> tuple[Entry, ...]:
        """The operations with the most similar names."""
        own = frozenset(_words(name))
        related = [self._words[name] for name in {name for word in own for name in self._named.get(word, ())}]
        similar = [(self._weight(words & own) / self._weight(words | own), op) for op, words in related]
        close = sorted((item for item in similar if item[0] >= _LIKE), key=lambda item: (-item[0], item[1].class_name))
        return tuple(op for _, op in close[:_NEAREST])

    def _weight(self, words: Iterable[str]) -> float:
        # Exactly rounded: another order of a set must not break a tie.
        return math.fsum(self._weights.get(word, self._rare) for word in words)


def _words(name: str) -> list[str]:
    """The words of a name, without the version at its end."""
    return [word for word in snake(name).split("_") if not (word[:1] == "v" and word[1:].isdigit())]
