"""Loops and comprehensions, as far as it is known how often they run."""

from __future__ import annotations

import collections
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import CO_GENERATOR
from itertools import islice
from types import CodeType, FrameType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary

from typegrad.dry_run.flow.any_pass import AnyPass, any_item, appended, forgotten, is_stable, read, widened
from typegrad.dry_run.flow.items import Items
from typegrad.dry_run.flow.running import Loop, callers_of
from typegrad.dry_run.functions.instead import is_dataset
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, is_unknown
from typegrad.dry_run.known.unsized import Many, many
from typegrad.dry_run.tracking.core import SkipError
from typegrad.dry_run.tracking.memory import work_of
from typegrad.dry_run.tracking.undo import undone

__all__ = ["Loops"]

_MOST_JOINED: Final = 1000
"""Of how many items it is looked at what they have in common."""
_COMPREHENSION: Final = ""
"""In the place of the name of a loop."""
_STEPS: Final = 16_000
"""How many calls are followed in the passes of a loop, whose later ones do what the first ones did.

A quarter of them in a loop within it, a quarter of that within this one, and so on.
"""
_STEPS_TO_BRANCHES: Final = 1_000
"""How many calls are followed in a pass that is followed for the branches in it alone."""
_MOST_FIRSTS: Final = 3
"""How often a comprehension is followed for an item that it may not have."""
_MORE: Final = 2
"""The power of two by which more calls are followed in a comprehension, once each loop in it is left after a pass."""
_LESS: Final = 3
"""The power of two by which fewer calls are followed in passes that a run may not reach, as the loop may have ended."""


class Loops(Items):
    """How often code runs, and the items that it runs for."""

    def __init__(self, load: Callable[[str], ModuleType | None]) -> None:
        super().__init__(load)
        self.loops: list[Loop] = []
        """The loops that are running."""
        self._ended = Loop("", 0, 0, 0, 0)
        """The loop that ended last."""
        self._appends = 0
        self.error_of_branch: Exception | None = None
        """The error of a branch that was followed on trial."""
        self.open_lists = 0
        """How many comprehensions are running, at least, that may make any number of items."""
        self._making: list[Callable[[], Any] | None] = []
        """What makes the lists, sets and dicts of the comprehensions that are running; None where that is done once."""
        self._is_first = False
        """Whether a comprehension takes an item where it is not known whether there is one."""
        self._firsts: Counter[CodeType] = Counter()
        """How often a comprehension was followed for that item."""
        self._gathered: list[FrameType] = []
        """The frames of the generators all of whose items are taken for a list."""
        self._expressions: WeakKeyDictionary[GeneratorType[Any], Callable[[], Any]] = WeakKeyDictionary()
        """What makes each generator expression again."""
        self._generators: WeakKeyDictionary[GeneratorType[Any], Sequence[Loop]] = WeakKeyDictionary()
        """The program's generators, each with the loops around the call that made it."""

    # Loops

    def begin_loop(
        self, loop: str, is_left: bool = False, forget: Callable[[], Any] | None = None, *names: Callable[[], Any]
    ) -> None:
        """Remember when a loop began, and the values of the names that it assigns."""
        if loop != _COMPREHENSION:
            for each in self.loops:
                each.has_loops = True
        state = self.steps, self._appends, self.muted, self.muted
        self.loops.append(Loop(loop, *state, sys._getframe(1), is_left, forget, names, read(names)))

    def around(self, frame: FrameType | None) -> list[Loop]:
        """The loops around code that runs in this frame; of a generator's, those around the call that made it."""
        found: list[Loop] = []
        in_frames: dict[FrameType | None, list[Loop]] = {}  # as functions may call themselves many times
        for each in self.loops:
            in_frames.setdefault(each.frame, []).append(each)
        while frame is not None:
            found += in_frames.get(frame, ())
            if frame.f_code.co_flags & CO_GENERATOR:
                made = [loops for each, loops in self._generators.items() if each.gi_frame is frame]
                if made:
                    return [*found, *made[0]]
            frame = frame.f_back
        return found

    def made_iterator(self, made: Any) -> Any:
        """A new iterator; of a generator, the loops around are remembered."""
        if isinstance(made, GeneratorType):
            self._generators.setdefault(made, self.around(sys._getframe(1)))
        if self.tainted.undo is not None:
            self.tainted.undo.iterators.append(made)
        return made

    def generated(self, make: Callable[[], GeneratorType[Any]]) -> Any:
        """The iterator of a generator expression."""
        made = self.made_iterator(make())
        self._expressions[made] = make
        return made

    def leaving(self, value: Any = None) -> Any:
        """A value that a loop yields or returns; a pass that stands for any ends here."""
        frame = sys._getframe(1)
        if any(each.any_pass is not None and each.frame is frame for each in self.loops):
            raise UncertainError
        return value

    def end_loop(self, loop: str) -> bool:
        """Whether a loop may have run more or fewer passes than it did here."""
        running = next(self._named(loop), None)
        goes_on = [*self._waiting(), *(() if running is None else callers_of(running.frame))]
        for ended in [each for each in reversed(self.loops) if each.frame not in goes_on]:
            self._ended = ended
            self.loops.remove(ended)
            self._end_any_pass(ended)
            if ended.name == loop:  # else a function has left it
                self.muted = ended.muted
                if ended.is_lost:
                    raise UncertainError
                return ended.is_loose
        return True

    def _waiting(self) -> list[FrameType | None]:
        """The frames of the generators that go on when somebody asks for an item."""
        return [each.gi_frame for each in self._generators if each.gi_suspended]

    def _begin_any_pass(self, loop: str) -> bool:
        """Whether a pass begins that stands for any pass, as it is not known how many there are."""
        running = self._running(loop)
        made, now = running.any_pass, self._read(running)
        if made is not None:
            return made.is_begun_again(now)
        is_loose = running.is_loose and not running.is_left
        if running.forget is None or self.tries or not (is_loose or self._begin_doubtful(running)):
            return False
        values = widened(running.values, now)
        is_known = running.appends != self._appends or any(each is not UNKNOWN for each in values)
        if running.has_passed and not (is_known or running.has_branches):
            return False
        state = self.muted, self.open_lists, self.changes, self.skips
        running.any_pass = AnyPass(state, values)
        if running.undone is None:
            self.muted, self.open_lists = self.muted + 1, self.open_lists + 1
        self.changes = []
        self.any_passes += 1
        return True

    def _begin_doubtful(self, running: Loop) -> bool:
        """Whether a pass begins for the branches in it alone, and is undone, as all passes are known."""
        others = (each for each in self.around(running.frame) if each is not running)
        if not running.has_branches or any(each.any_pass is None for each in others):
            return False
        running.undone = undone(self)
        running.undone.__enter__()
        running.most_steps, self.most_steps = self.most_steps, min(self.most_steps, self.steps + _STEPS_TO_BRANCHES)
        self.doubts += 1
        return True

    def _read(self, loop: Loop) -> list[tuple[Any, ...]]:
        """The values of the names that a loop assigns."""
        return [self.tainted.known(each) for each in read(loop.names)]

    def _end_any_pass(self, ended: Loop) -> None:
        if ended.undone is not None:
            ended.undone.__exit__(None, None, None)
            self.most_steps = ended.most_steps
            self.loops.remove(ended)
        elif ended.any_pass is not None:
            changes = self.changes or []
            self.muted, self.open_lists, self.changes, self.skips = ended.any_pass.before
            self.any_passes -= 1
            if self.changes is not None:
                self.changes += changes
            self.tainted.add_changes([each for each in changes if isinstance(each, (FunctionType, MethodType))])

    def appended(self, function: Any, owner: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
        """Whether a method of a list is called that nothing is known of otherwise, but that it appends an item."""
        name = getattr(function, "__name__", "")
        if type(owner) not in (list, collections.deque) or self.is_trial:
            return False
        if name == "extend" and len(args) == 1 and self.extended(owner, args[0]):
            return True
        if name != "append" or len(args) != 1 or kwargs:
            if owner in self.tainted:
                self.tainted.lose(owner)
            return False
        self._appends += 1
        if not self.muted and owner not in self.tainted:
            return False
        appended(self.tainted, owner, args[0])
        return True

    def extended(self, owner: Any, items: Any) -> bool:
        """Whether a list takes any number of items, which are alike."""
        known = self.tainted.known(items)
        if type(owner) not in (list, collections.deque) or not isinstance(known, Many):
            return False
        self._appends += 1
        self.changed(owner)
        appended(self.tainted, owner, known.item)
        return True

    def may_append(self, method: Callable[[], Any], item: Callable[[], Any]) -> None:
        """Note that code that was not run may have appended an item to a list."""
        try:
            function = method()
        except (NameError, AttributeError, UncertainError, SkipError):
            function = UNKNOWN
        owner, made = getattr(function, "__self__", None), self._one_of(item)
        self._appends += 1
        if type(owner) in (list, collections.deque):
            appended(self.tainted, owner, made)
        else:
            self.tainted.add((function, made))

    def is_any_pass(self, loop: str) -> bool:
        """Whether such a pass is running."""
        return self._running(loop).any_pass is not None

    def widened(self, loop: str, *names: Callable[[], Any]) -> Sequence[Any]:
        """The values of the names before such a pass, in which nothing else is known that the loop changes."""
        running = self._running(loop)
        made = running.any_pass
        if running.exact is None:
            running.exact = read(names)
        assert made is not None and running.forget is not None
        made.lists = [*made.lists, *forgotten(self.tainted, running.forget)]
        return made.values

    def given_up(self, loop: str) -> bool:
        """Whether an error ends such a pass alone, or another one, so that such a pass follows."""
        running = next((each for each in self.loops if each.name == loop), None)
        if running is None or not isinstance(sys.exception(), (Exception, SkipError, SystemExit, UncertainError)):
            return False
        made = running.any_pass
        if made is None:
            running.is_lost |= running.has_branches and isinstance(sys.exception(), UncertainError)
            return running.is_lost
        if sys.exception() is self.error_of_branch:
            running.is_lost = False  # as it is known now what happens
            self.end_loop(loop)
            return False
        made.is_given_up = True
        return True

    def settled(self) -> Sequence[Any]:
        """The values of the names behind the loop that ended last. What it changes is forgotten."""
        ended = self._ended
        made, forget = ended.any_pass, ended.forget
        assert forget is not None
        if made is not None and not made.is_given_up and is_stable(made.values, self._read(ended)):
            return made.values
        for items in () if made is None else made.lists:
            self.tainted.lose(items)
        forget()
        return [UNKNOWN] * len(ended.names)

    def was_exact(self) -> bool:
        """Whether all passes are known of the loop that ended last, but another one has changed its names."""
        return self._ended.undone is not None

    def exact(self) -> Sequence[Any]:
        """The values that these names had before."""
        return [each[0] if each else UNKNOWN for each in self._ended.exact or ()]

    def loosen(self, loop: str) -> None:
        """Note that a pass may have ended early, or the loop."""
        self.guesses += 1
        self._running(loop).is_loose = True

    def leave(self, loop: str) -> None:
        """Note that a loop may have ended, so that its later passes may not run."""
        self.loosen(loop)
        self._running(loop).muted_in_passes += 1

    def may_be_left_out(self) -> bool:
        """Whether the program may not come to the code that is running."""
        return self.muted > 0 or self.open_lists > 0 or any(each.is_loose for each in self.loops)

    def _running(self, loop: str) -> Loop:
        return next(self._named(loop))

    def _named(self, loop: str) -> Iterator[Loop]:
        """The loops of a name that are running, the innermost first."""
        waiting = self._waiting()
        yield from (each for each in reversed(self.loops) if each.name == loop and each.frame not in waiting)

    def loop_condition(self, loop: str, test: Any) -> bool:
        """Whether a `while` loop goes on, as far as is known."""
        self.step()
        if self.is_any_pass(loop) or self._running(loop).is_lost:
            return self._begin_any_pass(loop)
        truth = self.condition(test)
        if truth is UNKNOWN or self._is_long(loop):
            self.loosen(loop)
            truth = False
        self._running(loop).has_passed |= bool(truth)
        return bool(truth) or self._begin_any_pass(loop)

    def passes(self, loop: str, value: Any) -> Iterator[Any]:
        """The items that a loop takes; a single unknown one in the place of unknown items."""
        yield from self._followed(loop, value)
        taken = self._running(loop).items
        while self._begin_any_pass(loop):
            item = any_item(self.tainted, value)
            yield self.joined(taken) if item is UNKNOWN and taken else item

    def _followed(self, loop: str, value: Any) -> Iterator[Any]:
        items, running, taken = self.known_items(value), self._running(loop), []
        running.has_passed = True
        if items is None:
            self.loosen(loop)
            yield self.any_item(value)
            return
        if is_dataset(value):
            self.loosen(loop)
        iterator, work = iter(items), work_of(items)
        try:
            for item in iterator:
                self.step()
                taken.append(item)
                if self._is_long(loop):
                    self.loosen(loop)
                    if not self.doubts:
                        return
                    taken += islice(iterator, _MOST_JOINED)  # which is undone
                    break
                yield item
                if running.is_lost:
                    return
                self.muted = running.muted_in_passes
        except UncertainError:  # of a generator of the program: it may have more items
            self.loosen(loop)
            self.tainted.lose(items)
            self.tainted.add_moved(work)
            return
        if len(taken) <= _MOST_JOINED and not is_dataset(value):
            running.items = taken

    def _is_long(self, loop: str) -> bool:
        """Whether a loop has taken long enough, at the beginning of a pass."""
        running = self._running(loop)
        is_hurried = loop != _COMPREHENSION and any(each.is_hurried for each in self.loops)
        if (self.doubts or is_hurried) and running.has_begun:
            return True  # one pass is enough to come to the branches in it, or to what all passes leave as it is
        running.has_begun = True
        self.muted = running.muted_in_passes
        may_have_ended = running.muted_in_passes > running.muted
        waiting = self._waiting()
        before = (each for each in self.loops[: self.loops.index(running)] if each.frame not in waiting)
        around = {_code_of(each) for each in before}  # once where functions recur
        most = _STEPS >> (2 * len(around - {_code_of(running)}) + _LESS * may_have_ended)
        steps = self.steps - running.begun
        running.is_hurried |= steps > most and loop == _COMPREHENSION and running.has_loops
        return steps > (most << _MORE if running.is_hurried else most)

    # Comprehensions

    def items(self, value: Any, may_be_open: bool, count: int = -1, star: int = -1) -> Iterator[Any]:
        """The items that a comprehension takes, as lists where it takes their parts, of which there are `count`."""
        if self.known_items(value) is None:
            if not self._is_first:
                self._try_first(sys._getframe(1))
                self._open_comprehension(may_be_open or sys._getframe(1) in self._gathered)
            yield self._parts(self.any_item(value), count, star)
            return
        self.begin_loop(_COMPREHENSION)
        self.loops[-1].frame = sys._getframe(1)
        for item in self.passes(_COMPREHENSION, value):
            yield self._parts(item, count, star)
        if self.end_loop(_COMPREHENSION):
            raise UncertainError

    def _parts(self, item: Any, count: int, star: int) -> Any:
        return item if count < 0 or is_unknown(item) else self.unpack(item, count, star)

    def _try_first(self, frame: FrameType) -> None:
        """Raise an error that a comprehension raises for its first item, as a loop would; what it does is undone."""
        make, most_steps = self._again(frame), self.most_steps
        if make is None or self.muted or self.doubts or self.tries or self.is_trial:
            return
        self._firsts[frame.f_code] += 1
        if self._firsts[frame.f_code] > _MOST_FIRSTS:
            return
        try:
            with undone(self):
                self.most_steps = min(most_steps, self.steps + _STEPS_TO_BRANCHES)
                self.any_passes += 1
                self._is_first = True
                make()
        except Exception as error:  # whatever a program raises
            if self.failure_of(error) is not None:
                raise
        except (SkipError, SystemExit, UncertainError):
            pass
        finally:
            self._is_first, self.most_steps = False, most_steps

    def _again(self, frame: FrameType) -> Callable[[], Any] | None:
        """What evaluates the comprehension that runs in a frame again; of a generator, the first item."""
        for each, make in self._expressions.items():
            if each.gi_frame is frame:
                return lambda: next(make(), None)
        return self._making[-1] if self._making else None

    def kept(self, test: Any, may_be_open: bool) -> bool:
        """Whether a comprehension keeps an item, which must be known but where the number of its items may be open."""
        may_be_open = may_be_open or sys._getframe(1) in self._gathered
        truth = self.condition(test if may_be_open else self.certain(test))
        if truth is UNKNOWN:
            self._open_comprehension(may_be_open)
        return bool(truth is UNKNOWN or truth)

    def _open_comprehension(self, may_be_open: bool) -> None:
        """Note that it is not known how many items a comprehension makes. What follows in it may not run."""
        if not may_be_open:
            raise UncertainError
        self.open_lists += 1
        self.changes = [] if self.changes is None else self.changes
        self.mute()

    def made(self, make: Callable[[], Any], can_repeat: bool = True) -> Any:
        """What a comprehension makes. Of a list, the kind of its items may be known, but not their number."""
        before = self.open_lists, self.muted, self.changes
        self._making.append(make if can_repeat else None)
        try:
            result = make()
            if self.open_lists > before[0]:
                self.tainted.add_changes(self.changes or ())
                result = many(result)
        except UncertainError:
            self.tainted.add(make)
            result = UNKNOWN
        finally:
            self._making.pop()
            self.open_lists, self.muted, self.changes = before
        return result

    def gathered(self, items: Any) -> Any:
        """A list of the items of a generator expression."""

        def listed() -> list[Any]:
            result = self.listed(items)
            if result is None:
                raise UncertainError
            return result

        self._gathered.append(items.gi_frame)
        try:
            return self.made(listed, can_repeat=False)
        finally:
            self._gathered.pop()


def _code_of(loop: Loop) -> tuple[str, CodeType | None]:
    """What is the same for a loop of a function whenever that is called."""
    return loop.name, None if loop.frame is None else loop.frame.f_code
