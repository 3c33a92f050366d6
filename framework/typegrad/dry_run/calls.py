"""Calls: what functions return that a program may call, and what is unknown instead."""

from __future__ import annotations

import functools
import inspect
from abc import ABCMeta
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter
from types import (
    BuiltinFunctionType,
    FunctionType,
    GeneratorType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)
from typing import Any, Final, reveal_type

import numpy as np

from typegrad.dry_run.attributes import sets_attributes
from typegrad.dry_run.building import TAKE_VALUES
from typegrad.dry_run.computing.mapped import Vectorized
from typegrad.dry_run.computing.numpy_calls import is_numpy
from typegrad.dry_run.functions.instead import (
    begun,
    instead_of,
    is_closing,
    is_concurrent,
    is_dataset,
    is_instead,
    is_opened,
    method_of_dataset,
)
from typegrad.dry_run.functions.library import (
    IMPORTS,
    builds,
    import_module,
    import_top,
    is_harmless,
    is_pure,
    is_refused,
    own_names,
)
from typegrad.dry_run.functions.of_items import OTHER, transposed
from typegrad.dry_run.known.ends import refined
from typegrad.dry_run.known.open_shapes import OpenShape
from typegrad.dry_run.known.unknown import UNKNOWN, Base, Onlooker, UncertainError, is_unknown
from typegrad.dry_run.known.unsized import Many, Unsized
from typegrad.dry_run.of_python import OfPython
from typegrad.dry_run.tracking.additions import open_graphs
from typegrad.dry_run.tracking.again import body_of, forget_changes
from typegrad.dry_run.tracking.core import NOWHERE
from typegrad.dry_run.tracking.memory import CACHED, work_of
from typegrad.graph.operand import Operand
from typegrad.op.core import Constant

__all__ = ["Calls"]

_TAKE_NUMBERS: Final = (*TAKE_VALUES, getattr(Constant.create, "__func__", Constant.create))
"""The functions that make an operand of numbers of Python."""
_RESTS: Final = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_CALLED: Final = (FunctionType, Iterator, MethodType, functools.partial)
"""What calls code of the program where a library gets it."""
_ASYNCHRONOUS: Final = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Calls(OfPython):
    """What calls return."""

    def call(self, place: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a call returns."""
        self.step()
        if self.is_trial:
            return self._tried(function, args, kwargs)
        if isinstance(function, Onlooker):
            return self._of_onlooker(place, function, (*args, *kwargs.values()))
        while isinstance(function, functools.partial):
            args, kwargs, function = (*function.args, *args), {**function.keywords, **kwargs}, function.func
        muted, is_known, open_ones = self.muted, False, self.open_ones
        work = [part for each in args for part in work_of(each)]
        try:
            result = self._called(function, args, kwargs)
            is_known = result is not UNKNOWN and self.open_ones == open_ones
            if isinstance(result, Iterator):
                self.made_iterator(result)
        except UncertainError:
            is_own_code = self.is_users(function) or (is_pure(function) and function is not setattr)
            forget = self.tainted.add_moved if is_own_code else self.tainted.add
            forget((function, args, kwargs, work))
            result = UNKNOWN
        except Exception:  # whatever a program raises
            is_known = True
            raise
        finally:
            self.muted = muted
            if not self.any_passes:
                (self.done if is_known and not muted else self.open).add(place)
        if result is UNKNOWN:  # what it calls may have been called any number of times
            self.tainted.add([each for each in (*args, *kwargs.values()) if callable(each)])
            return self.unsure(place)
        self._declare_made(place, function, result)
        return self.noted(place, result)

    def _tried(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call would return that may not be made."""
        if not is_harmless(function, args, kwargs):
            raise UncertainError
        return self._called(function, args, kwargs)

    def _of_onlooker(self, place: int, function: Onlooker, values: Sequence[Any]) -> Any:
        """What is returned by what only looks at values. It may call functions, and objects that are made for it."""
        self.guesses += 1
        self.tainted.add([each for each in values if isinstance(each, _CALLED)])
        self.tainted.add([each for each in self.objects_in(tuple(values)) if isinstance(each, Base)])
        self._forget_asked(values)
        if not self.any_passes:
            self.open.add(place)
        self.unsure(place)
        return function

    def _declare_made(self, place: int, function: Any, result: Any) -> None:
        """Note the fields of a new object of the program, and the operand that is made of a number."""
        if isinstance(function, type):
            is_new = type(result) is function and self.is_users_class(function)
            if is_new and self.is_certain and result not in self.tainted:
                self.declared.note_fields(result, self._lines)
        elif isinstance(function, FunctionType) and function in _TAKE_NUMBERS and place != NOWHERE:
            self.declare("call", function.__qualname__, place, result)

    def spread_call(self, place: int, function: Any, *items: tuple[str, Any]) -> Any:
        """What a call with `*args` or `**kwargs` returns."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for kind, value in items:
            if function is zip and kind == "*" and len(items) == 1 and isinstance(value, Many):
                return self.noted(place, self.made_iterator(transposed(self.tainted.known(value))))
            if kind in ("*", "**") and (is_unknown(value) or value in self.tainted or isinstance(value, Operand)):
                return self._of_any_arguments(place, function, [each for _, each in items])
            self.take_from(value)
            if kind == "*":
                self.check_iterable(value)
                args += value
            elif kind == "**":
                kwargs |= value
            elif kind:
                kwargs[kind] = value
            else:
                args.append(value)
        return self.call(place, function, *args, **kwargs)

    def _of_any_arguments(self, place: int, function: Any, given: Sequence[Any]) -> Any:
        """What a call of unknown arguments returns: an object, if the function is a class of the program."""
        parameters = inspect.signature(function).parameters.values() if self._is_plain_class(function) else ()
        if not parameters or any(each.kind in _RESTS for each in parameters):
            self.tainted.add([function, *given])
            return self.noted(place, UNKNOWN)
        self.tainted.add(given)
        args = [UNKNOWN for each in parameters if each.kind is not Parameter.KEYWORD_ONLY]
        named = {each.name: UNKNOWN for each in parameters if each.kind is Parameter.KEYWORD_ONLY}
        return self.call(place, function, *args, **named)

    def _is_plain_class(self, value: Any) -> bool:
        """Whether it is a class of the program whose parameters are those of a function of the program."""
        is_own = type(value) in (type, ABCMeta) and self.is_users_class(value)
        made = (value.__new__, value.__init__) if is_own else ()
        return any(isinstance(each, FunctionType) for each in made)

    def _called(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call results in, by whose function it is: the program's, typegrad's, NumPy's or Python's."""
        if isinstance(function, OpenShape) or not (callable(function) or self.is_users_class(type(function))):
            return self._uncallable(function)
        if is_unknown(function) or (isinstance(function, Base) and not callable(function)):
            return self._unfollowed((function, *args), kwargs)
        owner = getattr(function, "__self__", None)
        if self.is_users(function):
            return self._of_program(function, args, kwargs)
        if any(function is each for each in IMPORTS):
            return self._imported(function, args, kwargs)
        self.take_from(owner, *args, *kwargs.values())
        if isinstance(owner, GeneratorType):
            return self._of_generator(function, owner, args, kwargs)
        known = self._about_objects(function, args)
        if known is not OTHER:
            return known
        if self.appended(function, owner, args, kwargs):
            return None
        return self._of_foreign(function, owner, args, kwargs)

    def _imported(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function returns that imports a module by its name."""
        named = (*args, *kwargs.values())
        if function is import_module:
            return self.imported_by_name(*named)
        return self.top_imported_by_name(*(named if function is import_top else ()))

    def _of_generator(
        self, method: Any, generator: GeneratorType[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """What a method of a generator of the program returns."""
        if self.muted or generator in self.tainted:
            self.tainted.add_moved((generator, args))
            return UNKNOWN
        return self._of_program(method, args, kwargs)

    def _about_objects(self, function: Any, args: tuple[Any, ...]) -> Any:
        """What a function returns that asks about objects, or sets an attribute; `OTHER` for other functions."""
        is_plain = isinstance(function, (BuiltinFunctionType, FunctionType, type))
        about = _ABOUT_OBJECTS.get(function) if is_plain else None
        if about is not None and len(args) == about[0]:
            return about[1](self, *args)
        if function is setattr and len(args) == 3:
            if isinstance(args[1], str):
                self.store_attribute(*args)
                return None
            if self.is_users_module(args[0]):
                self.forget_names(args[0])
        if sets_attributes(function):
            owned = args if isinstance(function, WrapperDescriptorType) else (function.__self__, *args)
            if len(owned) == 3 and isinstance(owned[1], str):
                self.store_attribute(*owned, setting=object.__setattr__)
                return None
        if function is own_names and not args:
            return self.own_names()
        if function is reveal_type and len(args) == 1:  # which would print
            return args[0]
        return OTHER

    def _of_foreign(self, function: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function returns that is not the program's."""
        given, args, kwargs = (args, kwargs), self.tainted.known(args), self.tainted.known(kwargs)
        if is_concurrent(function):
            return self._of_concurrent(function, args, kwargs)
        if isinstance(function, Vectorized) or isinstance(owner, OpenShape):
            return function(*args, **kwargs)
        if is_instead(function):
            return self._of_instead(function, args, kwargs)
        if isinstance(function, MethodDescriptorType) and args and isinstance(args[0], (np.ndarray, Unsized)):
            owner, args = args[0], args[1:]
            function = getattr(owner, function.__name__)
        if owner not in self.tainted:
            if builds(function):
                made = self.built(function, args, kwargs)
                return method_of_dataset(self, function, made, args, kwargs) if is_dataset(owner) else made
            if is_numpy(function):
                sizes = tuple(each.as_ints() if isinstance(each, OpenShape) else each for each in args)
                return self.of_numpy_call(function, sizes, kwargs)
            if is_pure(function) and not is_refused(function, args, kwargs):
                result = self.of_python(function, args, kwargs)
                if result is UNKNOWN:  # it may be one of what the function got
                    open_graphs((args, kwargs))
                return refined(result, function, args, kwargs)
        return self._unfollowed(*given)

    def _of_concurrent(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function returns that calls another one in a thread, or waits for one."""
        self.tainted.add_moved([work_of(each) for each in begun(function, args)])
        asking = [functools.partial(self.call, NOWHERE, each) if callable(each) else each for each in args[:1]]
        return self._in_thread(function, (*asking, *args[1:]), kwargs)

    def _in_thread(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function returns that lets others run in threads or tasks of their own."""
        self.tainted.threads += 1
        try:
            return self.of_library(function, args, kwargs)
        finally:
            self.tainted.threads -= 1

    def _of_instead(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function returns that is in the place of another one, such as `session.run`."""
        if is_closing(function) and self.may_be_left_out():
            return None  # so that it stays open, as far as is known
        result = self._of_run(function, args, kwargs)
        if isinstance(function, type) and hasattr(function, "on_trial"):
            self.sessions.append(result)
        return result if is_opened(function) or not self.tries else self.unsure()  # it may fail in the run

    def _uncallable(self, value: Any) -> Any:
        """End the program, which calls a value, in Python's words."""
        kind = type(value.shape) if isinstance(value, OpenShape) else self.type_of(value)
        name = f"{kind.__module__}.{kind.__name__}" if kind.__module__ == np.__name__ else kind.__name__
        return self.mistyped(TypeError(f"{name!r} object is not callable"), ())

    def _unfollowed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call results in of which it is not known what it does."""
        self.guesses += 1
        self.tainted.add((args, kwargs))
        for each in (*args, *kwargs.values()):
            self.forget_module(each)
        self.replaced.add_named(args, kwargs, instead_of)
        return UNKNOWN

    def awaited(self, value: Any) -> Any:
        """What a program gets that waits for an asynchronous function."""
        from typegrad.dry_run.functions.concurrency import outcome

        muted, result = self.muted, UNKNOWN
        try:
            result = (self.of_library if isinstance(value, GeneratorType) else self._in_thread)(outcome, (value,), {})
        except UncertainError:
            pass
        finally:
            self.muted = muted
        if result is UNKNOWN:
            self.tainted.add(value)
            return self.unsure()
        return result

    def _of_run(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a run returns. The functions that it is given may be called any number of times."""
        given = [each for each in (*args, *kwargs.values()) if callable(each)]
        before, self.changes = self.changes, []
        try:
            result = self.of_library(function, args, kwargs)
        finally:
            changes, self.changes = self.changes, before
        if result is UNKNOWN:
            self.tainted.add(given)
        else:
            forget_changes(self, given, changes)
        return result

    def _of_program(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function of the program returns; of one that waits for others, nothing is known."""
        plain = getattr(function, "__func__", function)
        if isinstance(plain, CACHED) and self.tainted.undo is not None:  # what it remembers may be of another state
            plain = plain.__wrapped__
            function = MethodType(plain, function.__self__) if isinstance(function, MethodType) else plain
        if isinstance(plain, FunctionType):
            self.rewrite(plain)
        code = getattr(body_of(self, plain), "__code__", None)
        if code is not None and code.co_flags & _ASYNCHRONOUS:
            self.tainted.add((function, args, kwargs))
            return UNKNOWN
        if isinstance(plain, FunctionType) and self.has_state(plain):
            return self._unfollowed(args, kwargs)
        if self.program_state.catches and _is_in_manager(plain):
            return self._unfollowed((function, *args), kwargs)
        self.called.add(code)
        self.changed(body_of(self, function))
        try:
            return self.of_library(function, args, kwargs) if _is_wrapped(plain) else function(*args, **kwargs)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                self.failed(error)  # the arguments do not fit the function
            raise
        except NameError as error:
            self.unbound(error)
            raise


def _is_wrapped(function: object) -> bool:
    """Whether a function of the program is one that typegrad's `custom_gradient` made."""
    return isinstance(function, FunctionType) and function.__globals__["__name__"].startswith("typegrad.")


def _is_in_manager(function: object) -> bool:
    """Whether a function of the program is run in a context manager, which is its decorator."""
    return (
        isinstance(function, FunctionType) and function.__module__ != function.__globals__["__name__"] == "contextlib"
    )


_ABOUT_OBJECTS: Final[Mapping[Any, tuple[int, Callable[..., Any]]]] = {
    dir: (1, Calls.names_of),
    getattr: (2, Calls.attribute),
    hasattr: (2, Calls.has_attribute),
    isinstance: (2, Calls.is_instance),
    np.isscalar: (1, Calls.is_scalar),
    super: (2, Calls.base_of),
    type: (1, Calls.class_of),
    vars: (1, Calls.namespace),
}
"""Functions about objects that know more of them than a dry run, by the number of their arguments."""
