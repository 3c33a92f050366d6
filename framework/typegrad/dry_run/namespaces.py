"""The attributes of objects and classes, and the names of a module, that a program has as a dict or a list."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from typegrad.base.misspelt import nearest
from typegrad.dry_run.flow.attempts import Attempts
from typegrad.dry_run.known.unknown import Base, Names, is_unknown
from typegrad.dry_run.tracking.core import OutOfTimeError

__all__ = ["Namespaces", "other_keys"]

_NAMESPACES: Final = frozenset((("argparse", "Namespace"), ("types", "SimpleNamespace")))
"""The classes of objects without a meaning of their own."""
_MOST_KEYS: Final = 12
"""How many keys of a dict an error lists."""


class Namespaces(Attempts):
    """What `vars`, `dir` and `globals` return."""

    def has_attributes(self, kind: type) -> bool:
        """Whether the objects of a class have any attributes, which mean nothing to a library."""
        return self.is_users_class(kind) or (kind.__module__, kind.__name__) in _NAMESPACES

    def own_names(self) -> Any:
        """What `globals` returns; who does anything but read it, or may read it, may bind names unseen."""
        module = self.own_modules.get(next(self._frames()).f_globals["__name__"])
        if module is None or not (self.is_certain and self.program_state.only_reads_names):
            raise OutOfTimeError
        return Names(module)

    def namespace(self, owner: Any) -> Any:
        """The dict of an object's attributes."""
        if is_unknown(owner):
            return self.unsure()
        if isinstance(owner, ModuleType):  # whoever has it may bind names
            raise OutOfTimeError
        if self._is_known_class(owner):
            return self.tainted.namespace(owner, vars(owner))  # by which nobody changes the class
        is_open = owner in self.tainted or isinstance(owner, (Base, type)) or not self.has_attributes(type(owner))
        attributes = None if is_open else getattr(owner, "__dict__", None)
        if attributes is None or (isinstance(owner, dict) and attributes is not owner):
            self.tainted.lose(owner)  # whoever has it may have changed the object
            return self.unsure()
        return self.tainted.namespace(owner, attributes)

    def _is_known_class(self, owner: Any) -> bool:
        """Whether it is a class of the program that has the attributes here that it has in a run."""
        is_own = isinstance(owner, type) and not issubclass(owner, Base) and self.is_users_class(owner)
        return is_own and self.is_certain and not any(each in self.tainted for each in owner.__mro__)

    def names_of(self, owner: Any) -> Any:
        """What `dir` returns."""
        is_known = owner not in self.tainted and self._is_known_class(owner if isinstance(owner, type) else type(owner))
        return self.of_values(dir, (owner,), {}) if is_known else self.unsure()


def other_keys(key: object, keys: list[object]) -> str:
    """The key that is meant, or some of those that there are."""
    near = nearest(key, [each for each in keys if isinstance(each, str)]) if isinstance(key, str) else None
    if near is not None:
        return f"; did you mean {near!r}?"
    return f", but {', '.join(map(repr, keys[:_MOST_KEYS])) or 'none at all'}"
