"""What typegrad has and what it is called elsewhere: operations, the rest of its API, and sections of its guides.

Operations are known by the names in their entries (`known_as`), which the generator writes into `_known`; what is no
operation, and what is not here, by `subjects.yaml`, which the search of the reference reads, too. Both are read when a
message is shown, not before: asking whether an attribute exists is cheap.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, Final

from attrs import frozen

__all__ = ["PACKAGE", "RAW", "Place", "is_member", "known_operations", "known_places", "subjects"]

PACKAGE: Final = "typegrad.op"
"""The package of typegrad's own operations."""
RAW: Final = "tf.raw_ops."


@frozen
class Place:
    """Where a thing is, and what it is called elsewhere."""

    path: str
    """Of an operation "core.Sum", of the API "typegrad.Session.run", or a section of a guide."""
    names: tuple[str, ...]
    package: str = ""
    """Of an operation: the generated package with its class."""

    @property
    def is_operation(self) -> bool:
        """Whether it is an operation."""
        return bool(self.package)

    @property
    def is_page(self) -> bool:
        """Whether it is a page, or a section of one."""
        return "/" in self.path

    @property
    def title(self) -> str:
        """The last part of the path, of a page without its ending: "training#watching"."""
        return self.path.rpartition("/")[2].replace(".md", "") if self.is_page else self.path.rpartition(".")[2]

    @property
    def all_names(self) -> tuple[str, ...]:
        """Its names elsewhere; of a class or a function of the API, its own, too."""
        is_own = not self.is_operation and not self.is_page and not is_member(self.path)
        return (*self.names, self.path) if is_own else self.names

    def takes(self, count: int) -> bool:
        """Whether so many arguments by position, besides the scope, are all that an operation needs."""
        group, _, name = self.path.partition(".")
        create = getattr(import_module(f"{self.package}.{group}"), name).create
        try:
            inspect.signature(create).bind(None, *(None,) * count)
        except TypeError:
            return False
        return True


@cache
def known_operations(package: str) -> Sequence[Place]:
    """The operations of a generated package and of typegrad."""
    places: list[Place] = []
    for each in dict.fromkeys((package, PACKAGE)):
        known: Mapping[str, Sequence[str]] = import_module(f"{each}._known").KNOWN
        words = subjects()["words"] if each == PACKAGE else {}
        for path, names in known.items():
            places.append(Place(path, (*names, *words.get(names[0].removeprefix(RAW), ())), each))
    return places


@cache
def subjects() -> Mapping[str, Any]:
    """What `subjects.yaml` says, by its keys: "known", "words" and "missing"."""
    import yaml

    text = (files("typegrad.arguments") / "subjects.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


@cache
def known_places() -> Sequence[Place]:
    """The rest of the API, and the sections of guides."""
    return [Place(path, tuple(names)) for path, names in subjects()["known"].items()]


def is_member(path: str) -> bool:
    """Whether a name with its modules is an attribute of a class."""
    owner = path.split(".")[-2:][0]
    return owner[:1].isupper() or owner == "ndarray"
