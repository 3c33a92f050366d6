"""What imported names, attributes and classes are, as far as is known: which of them a program may have."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from types import (
    FunctionType,
    GeneratorType,
    MethodDescriptorType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Final, TypeGuard, get_args

import numpy as np

from typegrad.arguments.fixed import fixed_attribute
from typegrad.base.shape import Shape
from typegrad.dry_run.computing.mapped import Vectorized
from typegrad.dry_run.computing.numpy_calls import is_numpy
from typegrad.dry_run.computing.of_unknown import REFORMING
from typegrad.dry_run.computing.open_values import stands_for_another
from typegrad.dry_run.functions.concurrency import is_asynchronous
from typegrad.dry_run.functions.instead import instead_of, is_instead
from typegrad.dry_run.functions.library import STUBS, builds, is_known_module, is_pure, only_looks
from typegrad.dry_run.known.arrays import StandIn, bare, is_integer, is_without_value, may_be_number
from typegrad.dry_run.known.ends import forget_ends
from typegrad.dry_run.known.open_shapes import ANY_NAME, ANY_SEED, OPEN_GRAPHS, OpenShape, is_counted
from typegrad.dry_run.known.unknown import (
    ONLOOKER,
    UNKNOWN,
    Base,
    Identity,
    Names,
    Onlooker,
    UncertainError,
    UnknownFloat,
    has_unknown,
    is_unknown,
)
from typegrad.dry_run.known.unsized import Shapeless, Unsized
from typegrad.dry_run.namespaces import Namespaces
from typegrad.dry_run.source.expressions import MACHINE
from typegrad.dry_run.tracking.core import OutOfTimeError
from typegrad.dry_run.tracking.memory import CONTAINERS, IMPORTING, inside
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.wrapper import Op

__all__ = ["Attributes", "sets_attributes"]

_SPECIAL: Final = frozenset((
    "__annotations__", "__array__", "__call__", "__class__", "__doc__", "__init__", "__init_subclass__", "__name__",
    "__post_init__", "__qualname__",
))  # fmt: skip
"""The names of Python itself that a program may read."""
_OF_NAMES: Final = ("__globals__", "f_globals", "f_locals")
"""The attributes that have the names of a module or a function."""
_IN_PLACE: Final = ("flat", "resize")
"""The attributes by which an array may be changed that nothing is known of otherwise."""
_OF_ARRAY_VALUES: Final = ("flat", "imag", "real")
"""The attributes of arrays by which their values are changed alone."""
_OF_MEMORY: Final = ("base", "ctypes", "data", "flags", "strides")
"""The attributes of arrays that tell how their elements lie in memory."""
_SEED: Final = "seed"
_OF_OPERATION: Final = ("name", "op")
"""The attributes of operands that tell of their operations."""
_LISTED: Final = frozenset((
    "ancestors", "between", "consumers", "gradient_operations", "initializer_count", "initializers", "operation",
    "operations", "output", "show", "to_dot", "to_mermaid", "to_text", "trainable_variables", "variables",
))  # fmt: skip
"""The attributes of graphs that tell of their operations."""
_OF_SHAPE: Final = ("rank", "shape")
"""The attributes of operands that tell sizes."""
_ASSERTING: Final = "assert"
"""How the methods begin by which tests compare values."""


class Attributes(Namespaces):
    """What modules, objects and classes have."""

    # Modules

    def module(self, name: str, is_top: bool) -> Any:
        """What `import` binds."""
        module = self.load(name)
        top = self.load(name.partition(".")[0]) if is_top else module
        if is_top and top in STUBS.values():  # as of `importlib.util`
            return top
        return self.unsure() if module is None or top is None else top

    def imported(self, module: str, name: str) -> Any:
        """What `from module import name` binds."""
        owner = self.load(module)
        if owner is None or name not in vars(owner):
            submodule = self.load(f"{module}.{name}")
            if submodule is not None:
                return submodule
        return self.unsure() if owner is None else self.attribute(owner, name)

    def loaded(self, name: Any) -> Any:
        """What `sys.modules` has of this name."""
        return (self.load(name) if isinstance(name, str) else None) or UNKNOWN

    def imported_by_name(self, name: Any = UNKNOWN, package: Any = None, *_: Any) -> Any:
        """What `importlib.import_module` returns. Nobody knows what a module does that is not found here."""
        if isinstance(name, str) and name.startswith(".") and isinstance(package, str):
            name = package + name if name.count(".") == 1 else UNKNOWN
        module = self.loaded(name)
        if module is UNKNOWN and not (isinstance(name, str) and name.partition(".")[0] in sys.stdlib_module_names):
            self.forget_registered()
        return module

    def top_imported_by_name(self, name: Any = UNKNOWN, *more: Any) -> Any:
        """What `__import__` returns."""
        module = self.imported_by_name(name)
        return UNKNOWN if more or module is UNKNOWN else self.loaded(name.partition(".")[0])

    def may_import(self, *names: str) -> None:
        """Forget what modules of the program may have registered in others if code was run that imports them first."""
        if any(name not in self.own_modules and self.finds(name) for name in names):
            self.forget_registered()

    def forget_registered(self) -> None:
        """Forget what a module may have registered in others that was imported, or run, and is not known."""
        for module in filter(None, [*self.own_modules.values()]):
            values = self._values_in(module)
            classes = [each for each in values if isinstance(each, type) and self.is_users_class(each)]
            parts = [part for each in classes for part in vars(each).values()]
            self.tainted.add_changes(each for each in (*values, *parts) if isinstance(each, FunctionType))
            self.tainted.add_moved([each for each in values if not isinstance(each, (FunctionType, ModuleType, type))])
            self.tainted.add_moved([each for each in parts if isinstance(each, CONTAINERS)])

    def forget_module(self, value: object) -> None:
        """Forget the names of a module of the program, which somebody has; of one that a text names, only this one."""
        if isinstance(value, str):  # such as of `mock.patch("model.WIDTH", 4)`
            for each, module in self.own_modules.items():
                if value.startswith(f"{each}."):
                    self.forget_names(module, [value.removeprefix(f"{each}.").partition(".")[0]])
        elif self.is_users_module(value):
            self.tainted.add(self._values_in(value))  # which others have by names of their own
            self.forget_names(value)

    def forget_names(self, module: ModuleType | None, names: Collection[str] | None = None) -> None:
        """Forget what names of a module are bound to; all of them but those of modules, if none are given."""
        if module is None:
            return
        self.changed(module)
        if names is None or not vars(module).keys() >= set(names):
            self.open_modules.add(id(vars(module)))
        for name, value in vars(module).items():
            is_any = names is None and not isinstance(value, ModuleType) and not name.startswith("__")
            if is_any or name in (names or ()):
                vars(module)[name] = UNKNOWN
            elif isinstance(value, type) and not vars(value).keys().isdisjoint(names or ()):
                self.tainted.add(value)

    def forget_attributes(self, module: ModuleType, names: Collection[str]) -> None:
        """Forget the attributes of these names that a module's objects have, also those in others, and its classes."""
        if names:
            values = self._values_in(module)
            classes = [each for each in values if isinstance(each, type) and self.is_users_class(each)]
            self.replaced.add_of([*classes, *self._objects_reached(values)], frozenset(names))

    def _objects_reached(self, values: Iterable[Any], depth: int = 4) -> Iterator[Any]:
        """The objects of the program among values, and those in containers or attributes of these."""
        for each in values:
            is_object = not isinstance(each, type) and self.has_attributes(type(each))
            if is_object:
                yield each
            if depth and (is_object or isinstance(each, (*CONTAINERS, tuple))):
                yield from self._objects_reached(inside(each), depth - 1)

    def _values_in(self, module: ModuleType) -> list[Any]:
        """The values of a module's own names."""
        return [value for name, value in vars(module).items() if not name.startswith("__")]

    def is_users_module(self, value: object) -> TypeGuard[ModuleType]:
        """Whether it is a module of the program."""
        return isinstance(value, ModuleType) and MACHINE in vars(value)

    def import_all(self, module: str) -> None:
        """`from module import *`."""
        owner = self.load(module)
        if owner is None:
            raise UncertainError
        names = getattr(owner, "__all__", None) or [name for name in vars(owner) if not name.startswith("_")]
        frame = inspect.currentframe()
        assert frame is not None and frame.f_back is not None
        frame.f_back.f_globals.update({name: self.attribute(owner, name) for name in names})

    # Attributes

    def attribute(self, owner: Any, name: Any, *default: Any) -> Any:
        """An attribute of an object."""
        if (owner, name) in self.replaced:
            return self.unsure()
        if isinstance(owner, (OpenShape, Unsized)) and isinstance(name, str) and owner not in self.tainted:
            return self._of_open(owner, name)
        if isinstance(owner, Operand) and name in _OF_SHAPE and owner in self.openings:
            return self._of_open_shape(owner.shape, name)
        if isinstance(name, str) and (OPEN_GRAPHS or name == _SEED) and _is_of_a_run(owner, name):
            return self.unsure()
        if isinstance(owner, Shapeless) and name in REFORMING and owner not in self.tainted:
            return getattr(owner, name)
        self.given_away(owner)
        if isinstance(name, str) and name in _OF_NAMES:  # whoever has them may bind names
            raise OutOfTimeError
        if isinstance(owner, Names):  # a method, by which any of them may be had
            self.tainted.add(self._values_in(owner.module))
            return self.unsure()
        if not isinstance(name, str):  # such as a method, which may change the object
            self.tainted.add(self._values_in(owner) if self.is_users_module(owner) else owner)
            return self.unsure()
        if is_unknown(owner) or is_integer(owner):
            if name in IMPORTING:
                self.forget_registered()
            made = self.unsure()
            return owner if isinstance(owner, Onlooker) else made
        if name == "__dict__":
            return self.namespace(owner)
        if is_asynchronous(owner) or (name.startswith("__") and not self._is_followed(owner, name)):
            self.tainted.lose(getattr(owner, "__self__", owner) if isinstance(owner, super) else owner)
            return self.unsure()  # whoever has it may have changed the object
        if isinstance(owner, np.ndarray) and name not in _IN_PLACE:
            owner = self.tainted.known(owner)
            if owner is UNKNOWN or (isinstance(owner, StandIn) and name in _OF_MEMORY):
                return self.unsure()
        return self._read_attribute(owner, name, *default)

    def _is_followed(self, owner: Any, name: str) -> bool:
        """Whether it is known what a program does by one of Python's special attributes."""
        is_special = name in _SPECIAL or self._makes_objects(owner, name) or self._begins_block(owner, name)
        return is_special or self._sets_attributes(owner, name)

    def _read_attribute(self, owner: Any, name: str, *default: Any) -> Any:
        """The attribute that an object has here, as far as it is known to have it in a run."""
        is_open, muted = owner in self.tainted or isinstance(owner, Base), self.muted
        if self.tainted.undo is not None and _is_cached(owner, name):
            self.changed(owner)
        try:
            value = getattr(owner, name, *default)
            self.muted = muted  # which a property leaves behind that may have returned before
        except AttributeError as error:
            kind: Any = type(owner)
            if kind is super and issubclass(owner.__self_class__, Base):  # a method of an unknown class
                self.tainted.add(owner.__self__)
                return self.unsure()
            is_lacked = self._lacks(owner, name)
            if (is_open and not is_lacked) or self._may_have(owner, name):
                return self.unsure()
            self.error_of_lack = error if is_lacked else self.error_of_lack
            return self.refused(self._absent(owner, name) if isinstance(owner, StandIn) else error)
        is_set = isinstance(owner, Base) and owner not in self.tainted and name in vars(owner)
        if isinstance(value, (np.flatiter, np.ndarray)):
            forget_ends(owner)
        if isinstance(value, np.flatiter):
            self.tainted.add(owner)  # whoever has it may change the array
            return self.unsure()
        if value is UNKNOWN and isinstance(owner, Base) and not is_set and not name.startswith(_ASSERTING):
            self._forget_inherited(owner)
        is_open = is_open or self._is_of_lost_class(owner, name, value)
        is_set = is_set or self.tainted.grown(value) is not UNKNOWN or self.is_constant(owner, name, value)
        if is_open and not is_set and not callable(value):
            self.tainted.add(value if isinstance(value, CONTAINERS) else None)  # what is done to it is not known
            return self.unsure()
        return self._told(owner, name, value)

    def _lacks(self, owner: Any, name: str) -> bool:
        """Whether an object lacks an attribute that no code of the program gives to any object, whatever it may run."""
        kind: Any = type(owner)
        is_known = owner not in self.tainted or self.tainted.is_moved(owner)
        if not (is_known and self.is_running and all(map(self.is_users_class, kind.__mro__[:-1]))):
            return False
        is_found = hasattr(kind, "__getattr__") or kind.__getattribute__ is not object.__getattribute__
        is_found = is_found or any(each in self.tainted for each in kind.__mro__)
        is_found = is_found or inspect.getattr_static(owner, name, UNKNOWN) is not UNKNOWN
        state = self.program_state
        return not (is_found or state.is_open or name in state.stored or "__class__" in state.stored)

    def _may_have(self, owner: Any, name: str) -> bool:
        """Whether an object that lacks an attribute here may have it in a run."""
        is_own_module = isinstance(owner, ModuleType) and owner.__name__ in self.files.values()
        is_own_module = is_own_module and not self._lacks_own(vars(owner), name)
        is_partly_known = isinstance(owner, type) and issubclass(owner, Base)
        is_of_number = isinstance(owner, StandIn) and hasattr(self.type_of(owner), name)
        return is_partly_known or is_own_module or is_of_number  # a module may not have come to its end

    def _lacks_own(self, module: dict[str, Any], name: str) -> bool:
        """Whether a module asks for a name of its own that nothing has bound."""
        frame = next(self._frames())
        return frame.f_globals is module and self.is_bound_nowhere(name, frame)

    def _told(self, owner: Any, name: str, value: Any) -> Any:
        """What the program gets of the value of an attribute."""
        if self.is_state_of(owner, name, value):
            known = self.state_of(name, value, owner)
            return self.unsure() if known is UNKNOWN else known
        if isinstance(value, MethodDescriptorType) and value.__objclass__ is np.ndarray:
            return value  # which a call binds to its first argument
        released = self._released(value)
        is_method = callable(value) and not is_unknown(value)
        if released is UNKNOWN and is_method:  # of which it is not known what it does
            self.tainted.add(owner)
        return released

    def _of_open(self, owner: OpenShape | Unsized, name: str) -> Any:
        """An attribute of a shape, or of an array, whose sizes are not all known."""
        if isinstance(owner, OpenShape) and not hasattr(Shape, name):
            return self.of_values(getattr, (owner.shape, name), {})
        if isinstance(owner, Unsized) and not hasattr(np.ndarray, name):
            *_, sample = owner.samples.values()
            are_arrays = all(each.ndim for each in owner.samples.values())
            return self.refused(self._absent(sample, name)) if are_arrays else UNKNOWN
        return owner.read(name)

    def _of_open_shape(self, shape: Shape, name: str) -> Any:
        """What is known of a shape, or of its rank, that the program may know better."""
        whole = shape if shape.is_static else OpenShape(shape)
        return whole if name == "shape" else OpenShape(shape).read(name)

    def _forget_inherited(self, owner: Base) -> None:
        """Forget what a method of an unknown class may change, which may call any method of the object."""
        own = [each for class_ in type(owner).__mro__ if self.is_users_class(class_) for each in vars(class_).values()]
        self.tainted.add_moved((owner, *own))

    def _is_of_lost_class(self, owner: Any, name: str, value: Any) -> bool:
        """Whether an object has an attribute of its class, which somebody may have assigned there."""
        kind = type(owner)
        if callable(value) or not self.is_users_class(kind) or name in getattr(owner, "__dict__", {}):
            return False
        return any(each in self.tainted for each in kind.__mro__) and self.may_change(owner, name, value)

    def _makes_objects(self, owner: Any, name: str) -> bool:
        """Whether an attribute makes an object of a class of the program, and does nothing else."""
        made = getattr(owner, name, None) if name == "__new__" else None
        return made in (object.__new__, type.__new__) or (made is not None and self.is_users(made))

    def _begins_block(self, owner: Any, name: str) -> bool:
        """Whether an attribute enters a scope or a session by hand, which lasts up to the end of the program."""
        return name == "__enter__" and self.is_certain and (isinstance(owner, Scope) or is_instead(owner))

    def _sets_attributes(self, owner: Any, name: str) -> bool:
        """Whether an attribute is `object.__setattr__`, and no base class can have another one."""
        is_open = isinstance(getattr(owner, "__self__", owner), Base)
        return name == "__setattr__" and not is_open and sets_attributes(getattr(owner, name, None))

    def _absent(self, array: StandIn, name: str) -> AttributeError:
        """The error of an attribute that an array does not have, in NumPy's words."""
        kind = self.type_of(array)
        return AttributeError(f"'{kind.__module__}.{kind.__name__}' object has no attribute {name!r}")

    def has_attribute(self, owner: Any, name: Any) -> Any:
        """What `hasattr` returns."""
        is_open = is_unknown(owner) or owner in self.tainted or isinstance(owner, Base)
        return UNKNOWN if is_open or not isinstance(name, str) else hasattr(owner, name)

    def store_attribute(self, owner: Any, name: str, value: Any, setting: Callable[..., None] = setattr) -> None:
        """`owner.name = value`. Objects of the library keep their attributes."""
        if self.muted or is_unknown(owner) or owner in self.tainted:
            self.tainted.add_moved(value)  # which may be changed by another name
        value = UNKNOWN if self.muted else value
        self.changed(owner)
        if isinstance(owner, (np.ndarray, Unsized)):
            self.store_array_attribute(owner, name, value)
        elif (
            self.is_users_module(owner)
            or self.is_users(owner)
            or self.has_attributes(owner if isinstance(owner, type) else type(owner))
        ):
            setting(owner, name, value)
        elif (isinstance(owner, Operand) or _is_fixed(owner)) and not name.startswith("_"):
            self._refuse_setting(owner, name, value)
        else:
            self.tainted.lose(owner)
            self.replaced.add(owner, name)

    def _refuse_setting(self, owner: Any, name: str, value: Any) -> None:
        """End the program if it sets an attribute of an operand or a graph, which keep theirs."""
        try:
            setattr(owner, name, value)
        except AttributeError as error:
            self.refused(error)

    def store_array_attribute(self, array: Any, name: Any, value: Any) -> None:
        """`array.name = value`, which may give it another shape or type."""
        self.changed(array)
        if type(array) in (np.ndarray, StandIn) and isinstance(name, str) and not hasattr(np.ndarray, name):
            self.refused(self._absent(array, name))
        if name in _OF_ARRAY_VALUES:
            self.tainted.lose(array)
            return
        if (
            name == "shape"
            and isinstance(array, np.ndarray)
            and not self.muted
            and self.changes is None
            and not has_unknown(value, is_without_value)
        ):
            with suppress(AttributeError):  # of an array whose elements are too far apart
                self.of_library(setattr, (array, name, value), {})
                return
        self.tainted.lose_shape(array)

    def _released(self, value: Any) -> Any:
        """A value of the library that a program may have: functions with effects are unknown."""
        if is_unknown(value):
            return value
        if isinstance(value, ModuleType):
            is_known = value.__name__ in self.files.values() or is_known_module(value.__name__)
            return value if is_known else ONLOOKER if value.__name__.startswith("typegrad.") else UNKNOWN
        if not callable(value) or isinstance(value, Operand):
            return value
        is_sending = isinstance(getattr(value, "__self__", None), GeneratorType) and value.__name__ == "send"
        is_free = isinstance(value, type) or is_sending or self.is_users(value) or self.is_library(value)
        is_free = is_free or sets_attributes(value)
        return instead_of(value) or (value if is_free else ONLOOKER if only_looks(value) else UNKNOWN)

    def is_library(self, function: Any) -> bool:
        """Whether it is a function of typegrad, NumPy or Python that a program may call."""
        is_mapped = isinstance(function, Vectorized)
        return is_mapped or is_instead(function) or builds(function) or is_numpy(function) or is_pure(function)

    # Classes

    def type_of(self, value: Any) -> Any:
        """What `type` returns."""
        if is_integer(value) or isinstance(value, Identity):
            return int
        if isinstance(value, StandIn):
            return np.ndarray if value.ndim or value.is_array else value.dtype.type
        return UNKNOWN if is_unknown(value) else float if isinstance(value, UnknownFloat) else type(value)

    def class_of(self, value: Any) -> Any:
        """What the program is told that `type` returns."""
        return UNKNOWN if may_be_number(value) else self.type_of(value)

    def is_scalar(self, value: Any) -> Any:
        """What `np.isscalar` returns."""
        return UNKNOWN if is_unknown(value) or may_be_number(value) else np.isscalar(bare(value))

    def is_instance(self, value: Any, kinds: Any) -> Any:
        """What `isinstance` returns."""
        if is_unknown(value) or has_unknown(kinds) or isinstance(value, Base):
            return UNKNOWN
        number = bare(value) if isinstance(value, StandIn) and not value.ndim else value
        result = isinstance(number, kinds)
        if may_be_number(value) and isinstance(np.asarray(number), kinds) is not result:
            return UNKNOWN
        is_any_operand = isinstance(value, Operand) and stands_for_another(value.op)
        return UNKNOWN if is_any_operand and _tells_operands_apart(kinds) else result

    def base_of(self, kind: Any, value: Any) -> Any:
        """What `super` returns that is told the class."""
        if is_unknown(kind) or is_unknown(value):
            self.tainted.add_moved((kind, value))
            return UNKNOWN
        return self.of_values(super, (kind, value), {})

    def base(self, value: Any) -> Any:
        """A base class."""
        return Base if is_unknown(value) else value


def sets_attributes(function: Any) -> bool:
    """Whether it is `object.__setattr__`, by which a class of the program keeps what its own `__setattr__` is given."""
    is_plain = isinstance(function, (MethodWrapperType, WrapperDescriptorType))
    return is_plain and function.__name__ == "__setattr__" and function.__objclass__ is object


def _is_fixed(owner: object) -> bool:
    """Whether an object of the library refuses that its attributes are set."""
    return type(owner).__setattr__ is fixed_attribute


def _tells_operands_apart(kinds: Any) -> bool:
    """Whether objects of one of some classes are operands, and not all operands are."""
    each_kind = get_args(kinds) or (kinds if isinstance(kinds, tuple) else (kinds,))
    return Operand not in each_kind and any(isinstance(each, type) and issubclass(each, Operand) for each in each_kind)


def _is_of_a_run(owner: Any, name: Any) -> bool:
    """Whether an operation, its name or a scope's, or what a graph lists or its seed may be another one in a run."""
    if isinstance(owner, Graph):
        return owner.seed == ANY_SEED if name == _SEED else name in _LISTED and owner in OPEN_GRAPHS
    if isinstance(owner, Scope):
        return name == "path" and ANY_NAME in owner.path
    if isinstance(owner, (Operand, Op)) and name in _OF_OPERATION:
        owner = owner.op
    if not isinstance(owner, Operation):
        return False
    return stands_for_another(owner) or (name == "name" and owner.graph in OPEN_GRAPHS and is_counted(owner))


def _is_cached(owner: Any, name: str) -> bool:
    """Whether an object gets an attribute when it is first read."""
    class_: type = owner if isinstance(owner, type) else type(owner)
    classes = [each for kind in (class_, type(class_)) for each in kind.__mro__]
    may_be = any(isinstance(vars(each).get(name), cached_property) for each in classes)  # as the next line takes long
    return may_be and isinstance(inspect.getattr_static(owner, name, None), cached_property)
