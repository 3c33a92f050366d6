"""What a rewritten program asks about everything that it does."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import KW_ONLY, InitVar
from types import ModuleType
from typing import Any, ClassVar, Final

import numpy as np

from typegrad.dry_run.computing.formats import error_of_part, is_wide
from typegrad.dry_run.computing.indices import at_first, check_change_at, nearest_index
from typegrad.dry_run.computing.open_values import is_open
from typegrad.dry_run.computing.operators import BINARY, COMPARE, IN_PLACE, UNARY, certain_error, may_grow
from typegrad.dry_run.functions.of_items import KEYED, is_expression, values_of
from typegrad.dry_run.known.arrays import StandIn, bare, is_hidden, is_integer, is_open_integer
from typegrad.dry_run.known.ends import forget_ends, refined
from typegrad.dry_run.known.open_shapes import is_open_graph
from typegrad.dry_run.known.unknown import (
    UNKNOWN,
    Modules,
    Names,
    Number,
    UncertainError,
    Unknown,
    UnknownFloat,
    has_unknown,
    is_unknown,
)
from typegrad.dry_run.known.unsized import Many, Shapeless, Unsized, many
from typegrad.dry_run.namespaces import other_keys
from typegrad.dry_run.tracking.additions import open_graphs
from typegrad.dry_run.tracking.core import NOWHERE, SkipError
from typegrad.dry_run.tracking.memory import CONTAINERS
from typegrad.dry_run.unfollowed import Unfollowed
from typegrad.graph.operand import Operand

__all__ = ["Machine"]

_COPIED: Final = (Many, Shapeless, StandIn, Unsized)
"""What stands for objects that may be one, such as an array and what `asarray` makes of it."""
_ORDERING: Final = frozenset(("Gt", "GtE", "Lt", "LtE"))
"""The comparisons that not all values have."""
_DIVIDING: Final = ("Div", "FloorDiv", "Mod")


class Machine(Unfollowed):
    """Does what a rewritten program asks for, as far as values are known, and touches nothing outside of it."""

    unknown: Final = UNKNOWN
    anything: Final = BaseException
    skipped: Final = SkipError
    slice: Final = slice
    ClassVar: Final[Any] = ClassVar
    InitVar: Final = InitVar
    KW_ONLY: Final = KW_ONLY
    field: Final = object
    """The type of a field, whatever it is."""

    def _name_of(self, module: ModuleType, name: Any) -> Any:
        """What a module has by a name: an item of what `globals` returns."""
        names = vars(module)
        if isinstance(name, str) and name not in names and self.is_bound_nowhere(name, next(self._frames())):
            others: list[object] = [each for each in names if not each.startswith("__")]
            return self.refused(KeyError(f"there is no key {name!r}{other_keys(name, others)}"))
        return self.attribute(module, name)

    def item(self, place: int, owner: Any, index: Any) -> Any:
        """An item of a container, a part of an operand, or a type with arguments."""
        self.step()
        owner, index = self._shaped(owner), self._shaped(index)
        self.looked_at(owner)
        if isinstance(owner, Modules):
            return self.noted(place, self.loaded(index))
        if isinstance(owner, Names):
            return self.noted(place, self._name_of(owner.module, index))
        is_array = isinstance(owner, (np.ndarray, Unsized)) or type(owner).__module__.startswith("numpy.")  # as np.c_
        if self.tainted.undo is not None and hasattr(type(owner), "__missing__"):
            self.changed(owner)  # which may have another item then
        may_grow_items = self.is_trial and hasattr(type(owner), "__missing__")
        if isinstance(self.tainted.grown(owner), Many):
            owner = self.tainted.known(owner)
        is_any = owner is UNKNOWN or owner in self.tainted or may_grow_items
        if is_any or (has_unknown(index) and not (is_array or type(owner) in KEYED)):
            return self._unknown_item(place, owner)
        if isinstance(owner, Many):
            return self.noted(place, self._item_of_many(owner, index))
        if isinstance(owner, Operand):
            return self.noted(place, self._of_operands(operator.getitem, (owner, index)))
        if is_array:
            return self.noted(place, self.of_numpy(operator.getitem, (owner, index), {}))
        if has_unknown(index, is_open) and not self.is_users_class(type(owner)):
            return self._one_of_items(place, owner, index)
        if isinstance(owner, dict) and has_unknown(list(owner), depth=1):
            return self.noted(place, owner.get(index, UNKNOWN))
        if type(owner) is dict and self.of_values(operator.contains, (owner, index), {}) is False:
            return self.refused(KeyError(f"there is no key {index!r}{other_keys(index, list(owner))}"))
        if isinstance(owner, type) or self.is_users_class(type(owner)):
            whole: Any = owner
            return self.noted(place, whole[index])
        return self.noted(place, self.of_library(operator.getitem, (owner, index), {}))

    def _unknown_item(self, place: int, owner: Any) -> Any:
        may_grow_items = hasattr(type(owner), "__missing__")
        self.tainted.add(owner if may_grow_items else [*values_of(owner)])  # one of which whoever has it may change
        return self.unsure(place)

    def _one_of_items(self, place: int, owner: Any, index: Any) -> Any:
        """An item of a container, of which it is not known which one, or whether there is one."""
        if isinstance(index, StandIn) and index.ndim:
            self.of_library(operator.getitem, (owner, index), {})  # which takes no array
        is_single = type(owner) in KEYED or (is_open_integer(index) and not index.ndim)
        if type(owner) in (list, tuple) and is_integer(index) and index.ends is not None:
            self.of_library(operator.getitem, (owner, nearest_index(index)), {})  # out of range, if all others are
        values = values_of(owner) if is_single and not self.tries else ()
        result = self.joined(values) if values else UNKNOWN
        if result is UNKNOWN:  # an object, which whoever has it may change
            self.tainted.add([*values])
        return self.noted(place, result) if values else self._unknown_item(place, owner)

    def _item_of_many(self, owner: Many, index: Any) -> Any:
        """An item of a list of any number of items, or some of them."""
        is_single = type(index) is int or is_open_integer(index)
        item = self.any_item(owner) if is_single or isinstance(index, slice) else UNKNOWN
        return self.unsure() if item is UNKNOWN or self.tries else item if is_single else Many(item)

    # Operators

    def binary(self, place: int, name: str, left: Any, right: Any) -> Any:
        """What an operator returns."""
        self.step()
        left, right = self._shaped(left), self._shaped(right)
        right = UNKNOWN if right in self.tainted else right
        if left is UNKNOWN or left in self.tainted or (right is UNKNOWN and not isinstance(left, Operand)):
            open_graphs((left, right))
            return self.unsure(place)
        if isinstance(left, Number) or isinstance(right, Number):
            return self.noted(place, self.of_either(self.binary, NOWHERE, name, left, right))
        if self.tries and name in _DIVIDING and (isinstance(right, UnknownFloat) or is_integer(right)):
            return self.unsure(place)  # it may be zero
        is_large = may_grow(name, left, right)
        if not is_large and (error := certain_error(name, left, right)) is not None:
            self.mistyped(error, ())
        return self.noted(place, self._operated(BINARY[name], (left, right), is_large))

    def unary(self, place: int, name: str, value: Any) -> Any:
        """What an operator of one operand returns."""
        if name == "Not":
            truth = self.condition(value)
            return UNKNOWN if truth is UNKNOWN else not truth
        value = self._shaped(value)
        return self.unsure(place) if value is UNKNOWN else self.noted(place, self._operated(UNARY[name], (value,)))

    def compare(self, place: int, names: tuple[str, ...], *values: Any) -> Any:
        """What a comparison returns, or a chain of them."""
        result: Any = True
        for name, left, right in zip(names, values, values[1:], strict=False):
            result = self.noted(place, self._compared(name, left, right))
            if len(names) > 1 and self.condition(result) is not True:
                return self.condition(result)
        return result

    def _compared(self, name: str, left: Any, right: Any) -> Any:
        if name in ("In", "NotIn") and (has_unknown((left, right)) or right in self.tainted or is_open_graph(right)):
            return UNKNOWN
        if any(each is UNKNOWN or isinstance(each, Shapeless) or each in self.tainted for each in (left, right)):
            open_graphs((left, right))
            return self.unsure() if name in _ORDERING else UNKNOWN
        if name in ("Is", "IsNot"):
            may_be_same = isinstance(left, _COPIED) and isinstance(right, _COPIED) and left is not right
            return UNKNOWN if may_be_same else COMPARE[name](left, right)
        if has_unknown((left, right)) and not (isinstance(left, Unsized) or isinstance(right, Unsized)):
            return UNKNOWN
        return self._operated(COMPARE[name], (left, right))

    def _shaped(self, value: Any) -> Any:
        """A value, or an array without values in the place of one that may have been changed."""
        if isinstance(value, Shapeless):  # which operators and indices make nothing known of
            return UNKNOWN
        return self.tainted.known(value) if isinstance(value, (np.ndarray, Unsized, tuple)) else value

    def _operated(self, function: Callable[..., Any], values: tuple[Any, ...], is_large: bool = False) -> Any:
        """What an operator returns, by what its sides are: operands, arrays, or values of Python."""
        if any(isinstance(each, Operand) for each in values):
            return self._of_operands(function, values)
        if any(isinstance(each, (np.ndarray, Unsized)) for each in values):
            if any(is_open_integer(each) and not each.ndim for each in values) and any(map(_is_sequence, values)):
                return UNKNOWN  # so many times a list
            return self.of_numpy(function, values, {})
        if is_large:
            return UNKNOWN
        self.take_from(*values)
        self.given_away(*values)
        try:
            return refined(function(*values), function, values)
        except UncertainError:
            return refined(UNKNOWN, function, values)
        except (TypeError, ArithmeticError) as error:
            own = [kind for each in values if self.is_users_class(kind := type(each))]
            if own and error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise  # from a method
            if own:
                return self.mistyped(error, ()) if all(map(self.is_known_class, own)) else self.unsure()
            return UNKNOWN if has_unknown(values, is_hidden) else self.mistyped(error, values)

    def _of_operands(self, function: Callable[..., Any], values: tuple[Any, ...]) -> Any:
        """What an operator makes of operands; unknown, where it may not be evaluated."""
        if self.is_trial or self.open_lists > 0:
            open_graphs(values)
            return UNKNOWN
        return self.of_operands(function, values)

    def augment(self, place: int, name: str, value: Any, added: Any) -> Any:
        """What a name has after `+=`, for instance."""
        self.given_away(value)
        forget_ends(value)
        if isinstance(value, Unsized) or (isinstance(value, StandIn) and value.ndim):
            if self.binary(place, name, value, added) is UNKNOWN:
                return UNKNOWN
            if isinstance(value, StandIn):
                self._check_change(IN_PLACE[name], value, added)
            return value
        is_array = isinstance(value, np.ndarray) and not isinstance(value, StandIn)
        if is_array and (is_hidden(added) or value in self.tainted or added in self.tainted):
            self._check_change(IN_PLACE[name], value, added)
        if not (is_array or isinstance(value, CONTAINERS) or self.is_users_class(type(value))):
            return self.binary(place, name, value, added)
        if self.is_trial:
            raise UncertainError
        if name == "Add" and self.extended(value, added):
            return value
        if has_unknown(added, is_hidden if is_array else is_unknown) or value in self.tainted or added in self.tainted:
            self.tainted.add(value)
            return value
        self.step()
        self.changed(value)
        return UNKNOWN if may_grow(name, value, added) else self._operated(IN_PLACE[name], (value, added))

    def augment_attribute(self, place: int, name: str, owner: Any, key: str, added: Any) -> None:
        """`owner.key += added`."""
        self.store_attribute(owner, key, self.augment(place, name, self.attribute(owner, key), added))

    def augment_item(self, place: int, name: str, owner: Any, index: Any, added: Any) -> None:
        """`owner[index] += added`."""
        self.store_item(owner, index, self.augment(place, name, self.item(place, owner, index), added))

    # Displays and targets

    def text(self, *parts: Any) -> Any:
        """An f-string."""
        for each in parts:
            if isinstance(each, tuple) and (error := error_of_part(self._shaped(each[0]), *each[1:])) is not None:
                self.mistyped(error, ())
        if has_unknown(parts, _has_no_text) or any(is_wide(each[2]) for each in parts if isinstance(each, tuple)):
            return UNKNOWN
        convert: dict[int, Callable[[Any], Any]] = {-1: lambda each: each, 115: str, 114: repr, 97: ascii}
        try:
            texts = (each if isinstance(each, str) else format(convert[each[1]](each[0]), each[2]) for each in parts)
            return "".join(texts)
        except UncertainError:
            return UNKNOWN
        except TypeError as error:
            return self.mistyped(error, parts)

    def display(self, kind: str, *items: tuple[bool, Any]) -> Any:
        """A list, tuple or set with `*items` in it."""
        result: list[Any] = []
        is_any_number = False
        for is_star, given in items:
            value = self.gathered(given) if is_star and is_expression(given) else given
            known = self.tainted.known(value) if is_star else value
            is_many = is_star and isinstance(known, Many) and known.is_fixed
            is_any_number |= is_many
            parts = [known.item] if is_many else self.starred(value) if is_star else [value]
            if parts is None:
                return UNKNOWN
            result += parts
        if is_any_number:
            return many(result) if kind == "list" else UNKNOWN
        try:
            return self.of_values({"list": list, "tuple": tuple, "set": set}[kind], (result,), {})
        except UncertainError:  # a set has each value once
            return UNKNOWN

    def mapping(self, *items: tuple[bool, Any, Any]) -> Any:
        """A dict with `**items` in it."""
        result: dict[Any, Any] = {}
        for is_star, key, value in items:
            if not self.is_known_mapping(value) if is_star else has_unknown(key, _has_no_text):
                return UNKNOWN
            try:
                result |= value if is_star else {key: value}
            except UncertainError:  # a key is a number whose value is not known
                return UNKNOWN
            except TypeError as error:  # an array, or a list
                return self.mistyped(error, key)
        return result

    def delete_attribute(self, owner: Any, name: str) -> None:
        """`del owner.name`."""
        self.changed(owner)
        if self.muted or owner in self.tainted or not self.has_attributes(type(owner)):
            self.tainted.lose(owner)
        else:
            delattr(owner, name)

    def store_item(self, owner: Any, index: Any, value: Any) -> None:
        """`owner[index] = value`."""
        self.given_away(owner)
        forget_ends(owner)
        is_array = isinstance(owner, np.ndarray)
        is_hidden_value = is_array and (has_unknown(value) or has_unknown(value, is_hidden))
        is_any = is_array and (owner in self.tainted or has_unknown(index, is_open))
        if is_hidden_value or isinstance(owner, (StandIn, Unsized)) or is_any:
            self._check_change(operator.setitem, owner, index, value)
        if not (is_unknown(owner) or isinstance(owner, StandIn)):
            self._store_known(owner, index, value, is_hidden_value=is_hidden_value)
        if is_unknown(owner):
            self.tainted.add(value)
        if is_unknown(owner) or (is_array and has_unknown((index, value))):
            self.unsure()

    def _store_known(self, owner: Any, index: Any, value: Any, *, is_hidden_value: bool) -> None:
        self.changed(owner)
        if self.muted or has_unknown(index, is_open) or is_hidden_value or self.tainted.grown(owner) is not UNKNOWN:
            self.tainted.add(owner)
            self.tainted.add_moved(value)
        elif self.is_users_class(type(owner)):
            owner[index] = value
        elif isinstance(owner, np.ndarray):
            self.of_arrays(operator.setitem, (owner, bare(index), value))
        else:
            self.of_library(operator.setitem, (owner, bare(index), value), {})

    def _check_change(self, change: Callable[..., Any], array: Any, *args: Any) -> None:
        """Refuse a change of an array that NumPy refuses whatever the values are."""
        known, given = self._shaped(array), [self._shaped(each) for each in args]
        is_certain = not self.muted and not is_unknown(known) and not any(each in self.tainted for each in given)
        *index, value = given
        index = [at_first(each) for each in index]
        if isinstance(known, Unsized) and index and not self.muted and not has_unknown(index, is_open):
            self.of_numpy(operator.getitem, (known, *index), {})
        if is_certain and not has_unknown(index, is_open) and _is_of_numbers(value):
            self.of_arrays(check_change_at, (given[:-1], change, known, *index, value))

    def delete_item(self, owner: Any, index: Any) -> None:
        """`del owner[index]`."""
        self.given_away(owner)
        self.changed(owner)
        if has_unknown(index, is_open) or self.tainted.grown(owner) is not UNKNOWN:
            self.tainted.add(owner)
        elif not is_unknown(owner):
            self.of_library(operator.delitem, (owner, index), {})


def _is_of_numbers(value: object) -> bool:
    return isinstance(value, (np.ndarray, np.generic, int, float, complex, list, tuple))


def _has_no_text(value: object) -> bool:
    return isinstance(value, (Unknown, UnknownFloat))


def _is_sequence(value: object) -> bool:
    return isinstance(value, (str, bytes, list, tuple))
