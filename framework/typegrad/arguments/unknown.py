"""Names that do not exist: the error, and what raises it for classes and modules."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from opcode import opmap
from types import FrameType
from typing import Any, Final, NoReturn

from typegrad.base.errors import TypegradError

__all__ = ["UnknownNameError", "unknown_attribute", "unknown_name"]

_IMPORT_FROM: Final = opmap["IMPORT_FROM"]


class UnknownNameError(TypegradError, AttributeError):
    """A module or an object has nothing of this name. What may have been meant is looked up when the message is shown."""

    def __init__(self, owner: type | str, name: str, names: Iterable[str] = ()) -> None:
        """The class of the object, or the name of the module, that has no `name`; `names` are attributes that `dir` does not list."""
        what = f"module {owner!r}" if isinstance(owner, str) else f"{owner.__name__!r} object"
        # Without `name`, Python adds no suggestion of its own to this one.
        AttributeError.__init__(self, f"{what} has no attribute {name!r}", obj=owner)
        self._wanted = (owner, name, names)

    @property
    def remedy(self) -> str:
        """What to write instead, after a punctuation mark; "" if nothing is like the name."""
        from typegrad.arguments.elsewhere import remedy

        return remedy(*self._wanted)

    def __str__(self) -> str:
        return f"{self.args[0]}{self.remedy}"

    def __reduce__(self) -> tuple[Any, ...]:
        owner, name, names = self._wanted
        return type(self), (owner, name, tuple(names))


def unknown_attribute(self: Any, name: str) -> Any:
    """The `__getattr__` of a class, where type checkers do not see it: an `UnknownNameError`, or what a property of that name raised."""
    if hasattr(type(self), name):
        return object.__getattribute__(self, name)
    raise UnknownNameError(type(self), name, vars(self) if hasattr(self, "__dict__") else ())


def unknown_name(module: str, name: str, names: Iterable[str], frame: FrameType) -> NoReturn:
    """For the `__getattr__` of a module: an `UnknownNameError`, or an `ImportError` that says the same.

    `names` are attributes that `dir` does not list; `frame` is the one that asks for the attribute.
    """
    error = UnknownNameError(module, name, names)
    # Python's own error for `from module import name` would not say what was meant. (A module that is being imported is found by it.)
    if frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM and f"{module}.{name}" not in sys.modules:
        raise ImportError(f"cannot import name {name!r} from {module!r}{error.remedy}", name=module) from None
    raise error
