"""Names that do not exist: the error, and what raises it for classes and modules."""

from __future__ import annotations

import sys
from abc import ABCMeta
from collections.abc import Iterable
from functools import partial
from opcode import opmap
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from typegrad.base.errors import OptionError, TypegradError
from typegrad.base.misspelt import plain

__all__ = [
    "Explaining",
    "UncallableModule",
    "UnknownNameError",
    "is_for_class",
    "unknown_attribute",
    "unknown_attribute_of_class",
    "unknown_name",
]

_NAMED: Final = {"Output": "Operand"}
"""Classes that users' programs do not name, and the ones that they are to them."""
_IMPORT_FROM: Final = opmap["IMPORT_FROM"]


class UnknownNameError(TypegradError, AttributeError):
    """A module or an object has nothing of this name.

    What may have been meant is looked up when the message is shown.
    """

    __module__ = "typegrad"  # tracebacks show the name that users import

    def __init__(self, owner: type | str, name: str, names: Iterable[str] = (), *, of_class: bool = False) -> None:
        """The class of an object, or the module, that has no `name`; `names` are attributes that `dir` does not list.

        With `of_class` it is the class itself that was asked.
        """
        kind = "class" if of_class else "object"
        what = (
            f"module {owner!r}" if isinstance(owner, str) else f"{_NAMED.get(owner.__name__, owner.__name__)!r} {kind}"
        )
        # Without `name`, Python adds no suggestion of its own to this one.
        AttributeError.__init__(self, f"{what} has no attribute {name!r}", obj=owner)
        self._lacking = (owner, name, names)
        self._of_class = of_class

    @property
    def remedy(self) -> str:
        """What to write instead, after a punctuation mark; "" if nothing is like the name."""
        from typegrad.arguments.elsewhere import remedy

        return remedy(*self._lacking, of_class=self._of_class)

    def __str__(self) -> str:
        return f"{self.args[0]}{self.remedy}"

    def __reduce__(self) -> tuple[Any, ...]:
        owner, name, names = self._lacking
        return partial(type(self), of_class=self._of_class), (owner, name, tuple(names))


def unknown_attribute(self: Any, name: str) -> Any:
    """The `__getattr__` of a class, hidden from type checkers: an `UnknownNameError`, or a property's own error."""
    if hasattr(type(self), name):
        return object.__getattribute__(self, name)
    raise UnknownNameError(type(self), name, vars(self) if hasattr(self, "__dict__") else ())


def unknown_attribute_of_class(cls: type, name: str) -> NoReturn:
    """The `__getattr__` of a metaclass: an `UnknownNameError`."""
    raise UnknownNameError(cls, name, of_class=True)


class Explaining(ABCMeta):
    """The metaclass of classes that suggest a name for an attribute that they lack, such as `core.Sum.crate`."""

    __instancecheck__ = type.__instancecheck__
    """No class is registered as a virtual subclass, so that `isinstance` need not look for them, which takes longer."""

    if not TYPE_CHECKING:
        __getattr__ = unknown_attribute_of_class


class UncallableModule(ModuleType):
    """A module that is called by mistake, such as `typegrad.session`, says which class was meant."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """An `OptionError`, whatever the arguments are."""
        from typegrad.arguments.elsewhere import remedy

        package, _dot, name = self.__name__.rpartition(".")
        raise OptionError(f"module {self.__name__!r} is not a function{remedy(package, name)}")

    @classmethod
    def claim(cls, module: ModuleType, names: Iterable[str]) -> None:
        """Let a call of `module` name the class that was meant, if one of `names` differs from it in case only."""
        if is_for_class(module.__name__, names):
            module.__class__ = cls


def is_for_class(module: str, names: Iterable[str]) -> bool:
    """Whether a module may be called in the place of a class among `names`, which differs from it in case only."""
    name = plain(module.rpartition(".")[2])
    return any(plain(other) == name and other[0].isupper() for other in names)


def unknown_name(module: str, name: str, names: Iterable[str], frame: FrameType) -> NoReturn:
    """For the `__getattr__` of a module: an `UnknownNameError`, or an `ImportError` that says the same.

    `names` are attributes that `dir` does not list; `frame` is the one that asks for the attribute.
    """
    error = UnknownNameError(module, name, names)
    # Python's own error for `from module import name` would not say what was meant. (A module that is being imported is
    # found by it.)
    if frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM and f"{module}.{name}" not in sys.modules:
        raise ImportError(f"cannot import name {name!r} from {module!r}{error.remedy}", name=module) from None
    raise error
