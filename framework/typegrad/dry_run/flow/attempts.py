"""Branches whose condition is not known, followed on trial: an error that is certain in one is the program's."""

from __future__ import annotations

import ast
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import CellType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

import numpy as np

from typegrad.base.errors import CheckpointError, FeedError, GraphError, OutOfRangeError
from typegrad.base.shape import Shape
from typegrad.dry_run.flow.conditions import told_by
from typegrad.dry_run.flow.decisions import Decisions
from typegrad.dry_run.known.arrays import hidden, integer, is_integer
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError
from typegrad.dry_run.source.aliases import last_name
from typegrad.dry_run.source.expressions import Alone, Branch
from typegrad.dry_run.tracking.core import Failure, SkipError
from typegrad.dry_run.tracking.memory import CONTAINERS
from typegrad.dry_run.tracking.undo import undone
from typegrad.graph.operand import Operand

__all__ = ["Attempts", "summed_up"]

_CERTAIN: Final = (LookupError, NameError, TypeError, ValueError)
"""The errors that follow from shapes, types, items and names, whatever the version of a library is."""
_OF_STATE: Final = (CheckpointError, OutOfRangeError, UnboundLocalError)
"""Those of them that depend on what was done before."""
_DEEPEST: Final = 3
"""How many branches are followed within each other."""
_MOST: Final = 3
"""How often the branches of a statement are followed."""
_STEPS: Final = 2_000
"""How many calls are followed in a branch."""
_STEPS_BEHIND: Final = 300
"""How many are followed in it and behind it."""
_MOST_BEHIND: Final = 40
"""How often branches are followed with what is behind them."""
_ALL_STEPS: Final = 20_000
"""How many are followed in all branches."""
_EMPTY: Final = CellType()
_BUILTINS: Final = "__builtins__"
"""Python's own functions, a dict that is no state of a program: nothing is asked about what may change it."""
_Place: TypeAlias = tuple[int, tuple[tuple[CodeType, int], ...]]
"""The number of an attempt, and where the functions are that are running: what some are called with differs."""
_Made: TypeAlias = tuple[Branch, FunctionType]


class Attempts(Decisions):
    """Follows branches, and undoes what they do."""

    def __init__(self, load: Callable[[str], ModuleType | None]) -> None:
        super().__init__(load)
        self.error_of_arrays: Exception | None = None
        """The last error of NumPy."""
        self.error_of_lack: Exception | None = None
        """The last one of an attribute that no object of the program has."""
        self._depth = 0
        """How many branches are followed within each other."""
        self._times: Counter[int] = Counter()
        """How often branches are followed alone, by the number of the attempt."""
        self._times_behind: Counter[_Place] = Counter()
        """How often they are followed with what is behind them."""
        self._is_whole = False
        """Whether a choice is followed whose branches were followed one by one."""
        self._steps_left = _ALL_STEPS
        self._alone: dict[int, Alone] = {}
        self._made: dict[int, list[_Made]] = {}
        self._bearing: Collection[str] = ()
        """The names that the conditions of these branches may tell something about."""
        self._is_now = False
        """Whether each branch is followed of a choice that the program comes to now, in the state that it is in."""

    def tried(self, number: int | None, test: Any) -> Any:
        """Whether a condition is true; if that is not known, an error that is certain in a branch is raised.

        None is the number of branches that cannot be followed on trial.
        """
        truth, frame = self.condition(test), sys._getframe(1)
        if truth is UNKNOWN:
            truth = self.decided(frame)
        if truth is UNKNOWN and number is not None:
            self._attempt(number, frame)
        return truth

    def weighed(self, number: int, value: Any) -> Callable[[], Any]:
        """The first part of `a and b`, as a function; if it is not known, an error that is certain in `b` is raised."""
        if self.condition(value) is UNKNOWN:
            self._attempt(number, sys._getframe(1))
        return lambda: value

    def matched(self, number: int, subject: Any) -> bool:
        """Whether the subject of a `match` is known; if not, an error that is certain in a case is raised."""
        is_known = self.knows(subject)
        if not is_known:
            self._attempt(number, sys._getframe(1))
        return is_known

    def tried_pass(self, loop: str, number: int) -> None:
        """If it is not known whether a loop runs at all, raise an error that is certain in its first pass."""
        running = self._running(loop)
        if running.any_pass is not None and not running.has_passed:
            self._attempt(number, sys._getframe(1))

    def _attempt(self, number: int, frame: FrameType) -> None:
        """Follow branches, and raise an error that is certain in one of them."""
        if self.is_trial or self.tries or self._depth == _DEEPEST:
            return
        place = number, tuple((each.f_code, each.f_lasti) for each in self._frames())
        if self._times[number] == _MOST and self._is_tried_behind(place):
            return
        loops = self.around(frame)
        for each in loops:
            each.has_branches = True
        if any(each.any_pass is None for each in loops):
            return  # the values are those of a single pass
        if number not in self._alone:
            self._alone[number] = self.attempts[number]()
        alone, before, runs_now = self._alone[number], self._is_now, self._runs_now
        try:
            self._is_now = False
            error = self._error_in_branch(number, alone, frame)
            self._is_now = runs_now
            error = error or self._error_behind(place, alone, frame)
        finally:
            self._is_now = before
        if error is not None:
            self.error_of_branch = error
            raise error

    @property
    def _runs_now(self) -> bool:
        """Whether the program comes to this line now, if the loops around have passes."""
        passes = 0 if self._depth else sum(each.any_pass is not None and each.undone is None for each in self.loops)
        return self.muted == passes and (self._depth == 0 or self._is_now)

    @property
    def _may_run_later(self) -> bool:
        """Whether code is followed that the program may come to at another time than now."""
        return self._depth > 0 and not self._is_now

    def _error_in_branch(self, number: int, alone: Alone, frame: FrameType) -> Exception | None:
        """The error that is certain in a branch."""
        if self._times[number] == _MOST or not self._is_of_values(alone.test, frame):
            return None
        if alone.is_expression and self._depth:
            return None  # in a branch, the condition of an expression often follows from that of the branch
        self._times[number] += 1
        compared, test, *branches = self._functions(number, alone, frame)
        if _has_zero(self._outcome(compared, frame)[0]):
            return None  # such as a chance that something happens, which never does
        truth, _ = self._outcome(test, frame)
        with self._told_by(alone, frame):
            outcomes = (self._outcome(each, frame)[1] for each in self._that_run(truth, branches))
            return next((each for each in outcomes if each is not None), None)

    def _is_tried_behind(self, place: _Place) -> bool:
        """Whether branches are not followed with what is behind them, as they were often enough."""
        is_tried = self._times_behind[place] == _MOST or self._times_behind.total() == _MOST_BEHIND
        return is_tried or self._is_whole

    def _error_behind(self, place: _Place, alone: Alone, frame: FrameType) -> Exception | None:
        """The error that is certain in one place behind the branches, whichever runs.

        If it follows from what the branches have in common, the program comes to it anyway.
        """
        if self._is_tried_behind(place):
            return None
        self._times_behind[place] += 1
        failures: list[Failure] = []
        described: list[Mapping[str, str]] = []
        with self._told_by(alone, frame):
            ways = alone.behind(lambda name: self._is_parameter(name, frame))
            waiting = next(ways, None)
            for branch in ways:
                assert waiting is not None
                made, waiting = self._made_of(waiting, frame), branch
                failure = self._failure_behind(made, frame)
                if failure is None or (failures and failure.frames != failures[0].frames):
                    return None
                failures.append(failure)
                described.append(_described(failure.error, made[1].__code__, alone.names))
            if waiting is None or self._fails_anyway(self._made_of(waiting, frame), failures[0], frame):
                return None
        return summed_up(failures, described)

    def _fails_anyway(self, whole: _Made, failure: Failure, frame: FrameType) -> bool:
        """Whether the choice itself leads to an error in the same place."""
        self._is_whole = True
        other = self._failure_behind(whole, frame)
        self._is_whole = False
        return other is not None and other.frames == failure.frames

    def _failure_behind(self, made: _Made, frame: FrameType) -> Failure | None:
        before = self._steps_left, self._times.copy()  # of which branches alone take some
        _, error = self._outcome(made, frame, _STEPS_BEHIND)
        self._steps_left, self._times = before
        return self.failure_of(error)

    @contextmanager
    def _told_by(self, alone: Alone, frame: FrameType) -> Generator[None]:
        """Follow branches, about whose values their condition may tell something."""
        before = self._bearing
        self._bearing = {*before, *told_by(alone.test, lambda path: self._value_at(path, frame))}
        try:
            yield
        finally:
            self._bearing = before

    def renew_steps(self) -> None:
        """Follow as much code on trial again as in the whole program."""
        self._steps_left = _ALL_STEPS

    def has_state(self, function: FunctionType) -> bool:
        """Whether a function that a branch on trial calls may find other values in the names of functions around it."""
        if not self._may_run_later:
            return False
        names = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        filled = [(name, cell.cell_contents) for name, cell in names if cell != _EMPTY]
        outer = self.program_state.outer
        return any(name in outer or self._is_state(name, value, is_local=True) for name, value in filled)

    def _that_run(self, truth: Any, branches: Sequence[_Made]) -> Sequence[_Made]:
        """The branches that may run, also if nothing was changed that looks as if it had been."""
        try:
            is_true = self.condition(truth)
        except Exception:  # noqa: BLE001  # whatever a program raises
            is_true = UNKNOWN
        return branches if is_true is UNKNOWN else branches[:1] if is_true else branches[1:]

    def _outcome(self, made: _Made, frame: FrameType, most_steps: int = _STEPS) -> tuple[Any, Exception | None]:
        """What a branch returns, and the error that it certainly raises if the program comes to it."""
        branch, function = made
        args = [self._argument(name, frame) for name in branch.names]
        return self.on_trial(lambda: function(*args), frame.f_globals, most_steps)

    def on_trial(
        self, action: Callable[[], Any], names: dict[str, Any], most_steps: int = _STEPS
    ) -> tuple[Any, Exception | None]:
        """What code returns, and the error that it certainly raises whenever it runs; all that it does is undone.

        `names` are those of its module. No more than `most_steps` calls are followed.
        """
        begun, most = self.steps, self.most_steps
        with undone(self):
            self.most_steps = begun + min(most_steps, self._steps_left)
            self.muted, self.open_lists, self.doubts, self.changes = 0, 0, 0, None
            self.any_passes += 1
            self._depth += 1
            try:
                for each in self.modules(names) if self._may_run_later else ():
                    self._forget_state(each)
                return action(), None
            except Exception as error:  # noqa: BLE001  # whatever a program raises
                if isinstance(error, NameError):
                    self.unbound(error)
                failure = self.failure_of(error)
                if failure is None:
                    return UNKNOWN, None
                is_certain = isinstance(failure.error, _CERTAIN) and not isinstance(failure.error, _OF_STATE)
                is_certain |= failure.error in (self.error_of_arrays, self.error_of_lack)
                return UNKNOWN, failure.error if is_certain else None
            except (SkipError, SystemExit, UncertainError):
                return UNKNOWN, None
            finally:
                self._steps_left -= self.steps - begun
                self.most_steps = most
                self._depth -= 1

    def _functions(self, number: int, alone: Alone, frame: FrameType) -> list[_Made]:
        if number not in self._made:
            branches = alone.branches(lambda name: self._is_parameter(name, frame))
            self._made[number] = [self._made_of(each, frame) for each in branches]
        return self._made[number]

    def _made_of(self, branch: Branch, frame: FrameType) -> _Made:
        code = branch.code.replace(co_name=frame.f_code.co_name)
        self.branches.add(code)
        return branch, FunctionType(code, frame.f_globals)

    # What a branch knows

    def _is_parameter(self, name: str, frame: FrameType) -> bool:
        """Whether a branch has a name of its own, so that it does not change the program's."""
        code = frame.f_code
        if frame.f_locals is frame.f_globals or name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
            return name in frame.f_locals or name not in frame.f_builtins
        return name in frame.f_globals and self._argument(name, frame) is not frame.f_globals[name]

    def _argument(self, name: str, frame: FrameType) -> Any:
        """What is known of a name in a branch."""
        is_local = name in frame.f_locals
        names = frame.f_locals if is_local else frame.f_globals
        value = names.get(name, UNKNOWN)
        code = frame.f_code
        is_own = is_local and name not in (*inspect.getargs(code).args, *code.co_freevars)
        is_own &= not code.co_flags & inspect.CO_GENERATOR  # whose items others may change between its passes
        is_rebound = name in self.program_state.outer or (not is_local and name in self.program_state.rebound)
        if isinstance(value, Iterator) or (is_rebound and not self._is_now):
            return UNKNOWN
        if name in self._bearing:
            return self.state_of(name, value)
        is_own |= self._is_now
        return value if is_own or not self._is_state(name, value, is_local=is_local) else self.state_of(name, value)

    def state_of(self, name: str, value: Any, owner: object = None) -> Any:
        """What is known of a value that may be another one at another time: of an array, the shape.

        An integer that a condition tells of is one whatever it tells. `owner` has the value as an attribute.
        """
        state = self.program_state
        if type(value) is int and name in self._bearing and not state.may_assign(name, owner):
            return integer()
        is_shaped = isinstance(value, np.ndarray) and value.size > 0 and name not in state.reshaped
        is_kept = is_shaped and name not in self._bearing
        is_kept = is_kept and not state.may_assign(name, owner, in_place=not value.ndim)
        return hidden(value) if is_kept else UNKNOWN

    def _is_state(self, name: str, value: Any, *, is_local: bool = False) -> bool:
        """Whether a value may be another one at another time; `is_local` for that of a function's own name."""
        if isinstance(value, CONTAINERS):
            return not value or self.may_change_list(name, value, is_local)
        return value is None or isinstance(value, np.ndarray)

    def is_state_of(self, owner: Any, name: str, value: Any) -> bool:
        """Whether an attribute may have another value when the program comes to the branch that is followed."""
        is_followed = self._depth > 0 and (isinstance(owner, (ModuleType, type)) or self.is_users_class(type(owner)))
        if self._is_now:
            return is_followed and (name in self._bearing or isinstance(value, Iterator))
        return is_followed and self.may_change(owner, name, value)

    def may_change(self, owner: Any, name: str, value: Any) -> bool:
        """Whether an attribute of this value may have another one at another time."""
        is_assigned = name in self._bearing or self.program_state.may_assign(name, owner)
        return is_assigned or isinstance(value, Iterator) or self._is_state(name, value)

    def is_constant(self, owner: Any, name: str, value: Any) -> bool:
        """Whether an object has kept an attribute, whatever the program has done to it, or before a branch on trial."""
        if not self.is_users_class(type(owner)):
            return False
        is_kept = self._depth > 0 or self.tainted.is_moved(owner)
        is_same = is_kept and not self.may_change(owner, name, value)
        return is_same or (is_kept and self.state_of(name, value, owner) is not UNKNOWN)

    def _forget_state(self, names: dict[str, Any]) -> None:
        """Forget what functions may find in the names of a module."""
        state = self.program_state
        assert self.tainted.undo is not None
        for name, value in [*names.items()]:
            is_bound = name in state.outer or name in state.rebound
            is_own = value is not None and name != _BUILTINS
            if is_bound or (is_own and self._is_state(name, value)):
                self.tainted.undo.note_names(names, name)
                names[name] = UNKNOWN if is_bound else self.state_of(name, value)

    # Conditions

    def _is_of_values(self, test: ast.expr, frame: FrameType) -> bool:
        """Whether a condition is not known as it depends on values, and not as objects were passed to unknown code."""
        for each in ast.walk(test):
            value = self._value_at(each, frame)
            if isinstance(value, CONTAINERS) and value in self.tainted and isinstance(each, ast.expr):
                is_changed = self.tainted.grown(value) is not UNKNOWN
                if not is_changed and last_name(each) not in self.program_state.containers:
                    return False
        return True

    def _value_at(self, path: ast.AST, frame: FrameType) -> Any:
        """The value of a name, or of an attribute of an object of the program."""
        if isinstance(path, ast.Name):
            return frame.f_locals.get(path.id, frame.f_globals.get(path.id))
        if not isinstance(path, ast.Attribute):
            return None
        owner = self._value_at(path.value, frame)
        return getattr(owner, "__dict__", {}).get(path.attr) if self.is_users_class(type(owner)) else None


def _has_zero(values: Any) -> bool:
    """Whether one of the values that are compared, and not stated there, is 0."""
    return type(values) is tuple and any(type(each) in (bool, int, float) and not each for each in values)


def _described(error: Exception, branch: CodeType, names: Sequence[str]) -> Mapping[str, str]:
    """The integers, and the shapes, of names where a branch was left by an error."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_frame.f_code is not branch:
        traceback = traceback.tb_next
    values = {} if traceback is None else traceback.tb_frame.f_locals
    texts = {name: _text(values.get(name)) for name in names}
    return {name: text for name, text in texts.items() if text}


def _text(value: Any) -> str:
    if type(value) is int:
        return str(value)
    is_shaped = isinstance(value, (np.ndarray, Operand)) and not is_integer(value)
    return str(value.shape if isinstance(value, Operand) else Shape(value.shape)) if is_shaped else ""


def summed_up(failures: Sequence[Failure], described: Sequence[Mapping[str, str]]) -> Exception:
    """The error of the first of several branches, with the values for which there is one, too.

    `described` has the texts of names that each branch has.
    """
    error = failures[0].error
    if len({str(each.error) for each in failures}) > 1 and error.args:
        differing = {
            name: dict.fromkeys(each[name] for each in described)
            for name in described[0]
            if all(name in each for each in described)
        }
        parts = [f"{name} is {_either(texts)}" for name, texts in differing.items() if len(texts) > 1]
        first, line, rest = str(error.args[0]).partition("\n")
        is_shaped = not isinstance(error, (FeedError, GraphError, LookupError))
        other = "no shape of another branch fits, either" if is_shaped else "another branch leads to an error here, too"
        told = f"here {' and '.join(parts)}, and {'no shape' if is_shaped else 'none'} fits" if parts else other
        error.args = (f"{first}; {told}{line}{rest}", *error.args[1:])
    return error


def _either(texts: Iterable[str]) -> str:
    *others, last = texts
    return f"{', '.join(others)} or {last}"
