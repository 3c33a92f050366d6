"""What a branch on trial has changed is undone: names of modules and functions, objects and containers."""

from __future__ import annotations

from collections import deque

import numpy as np

from typegrad.dry_run.tracking.undo import Undo


def test_all_names_of_a_module_are_what_they_were() -> None:
    names: dict[str, object] = {f"name_{number}": number for number in range(100)}
    before, undo = dict(names), Undo(lambda class_: False)
    for name in before:
        undo.note_names(names, name)
        names[name] = None
    undo.note_names(names, "another")
    names["another"] = None
    undo.undo()
    assert names == before


class _Slots:
    __slots__ = ("known", "new")
    known: int
    new: int

    def __init__(self) -> None:
        self.known = 1


class _Other(_Slots):
    __slots__ = ()


def test_objects_are_what_they_were() -> None:
    slots, items, letters, array = _Slots(), deque([1]), {"a"}, np.zeros(4)
    undo = Undo(lambda class_: class_ in (_Slots, _Other))
    undo.note([slots, items, letters, array])
    slots.known, slots.new = 2, 2
    slots.__class__ = _Other
    items.append(2)
    letters.clear()
    array[0] = 1.0
    array.resize((2, 2), refcheck=False)
    undo.undo()
    assert type(slots) is _Slots and slots.known == 1 and not hasattr(slots, "new")
    assert items == deque([1]) and letters == {"a"}
    assert array.shape == (4,) and not array.any()


def test_names_of_functions_around_a_function_are_what_they_were() -> None:
    count = later = 0

    class Counter:
        def grow(self) -> None:
            nonlocal count, later
            count, later = count + 1, 1

    del later  # it has no value when the function is noted
    undo = Undo(lambda class_: False)
    undo.note(Counter().grow)
    later = 0
    Counter().grow()
    undo.undo()
    assert (count, later) == (0, 1)
