"""What every part of a machine knows: how far the program was followed, what it made, and its errors."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from traceback import walk_tb
from types import FrameType, ModuleType
from typing import Any, Final, NamedTuple, NoReturn

from typegrad.base.errors import TypegradError
from typegrad.dry_run.known.open_shapes import Openings
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, has_unknown
from typegrad.dry_run.known.unsized import Many
from typegrad.dry_run.known.values import Value, value_of
from typegrad.dry_run.source.declared import Declarations, Frame, Kind
from typegrad.dry_run.source.places import Place
from typegrad.dry_run.source.private_names import parsed
from typegrad.dry_run.source.state import State
from typegrad.dry_run.source.trees import Nodes
from typegrad.dry_run.tracking.memory import Tainted, has_lists
from typegrad.dry_run.tracking.own_code import OwnCode
from typegrad.dry_run.tracking.replaced import Replaced
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand

__all__ = ["NOWHERE", "Core", "Failure", "Frame", "OutOfTimeError", "SkipError"]

NOWHERE: Final = -1
"""The place of a call that is not in the program."""
_STEPS: Final = 100_000
"""How many calls of a program are followed."""
_OF_TOOLS: Final = re.compile(r"_.*|In|Out|display|get_ipython|profile")
"""The names that notebooks and profilers bind."""
_OF_PYTHON_2: Final = frozenset((
    "basestring", "buffer", "cmp", "execfile", "file", "long", "raw_input", "reduce", "reload", "unichr", "unicode",
    "xrange",
))  # fmt: skip
"""The functions of Python that are elsewhere by now, or have another name."""
_SIZE_OF_INSTRUCTION: Final = 2
"""How many bytes an instruction of Python has."""
_STAND_INS: Final = re.compile(
    r"\b(Many|Method|Number|StandIn|Unknown|UnknownFloat|Unsized|__hash__)\b|^catching class"
)
"""The classes of what is in the place of a value that only a run knows, and what is said where one refuses it: the
method that has no value, and `except` of a class of which nothing is known."""


class OutOfTimeError(BaseException):
    """A program was followed for long enough."""


class Failure(NamedTuple):
    """An error of a program, with the lines that are running, the innermost one first."""

    error: Exception
    frames: tuple[Frame, ...]
    held: Mapping[str, AnyOperand]
    """The operands that the innermost line knows, by the names that it has for them."""


class SkipError(BaseException):
    """What a `try` statement does depends on an unknown value."""


class Core(OwnCode):
    """What is known of a program that is followed."""

    def __init__(self, load: Callable[[str], ModuleType | None]) -> None:
        """Follow a program, whose own modules `load` loads."""
        super().__init__(load)
        # What is written in it.
        self.texts: list[str] = []
        """The program's modules."""
        self._nodes = Nodes([])
        """The syntax of those that were loaded when somebody asked for it."""
        self._state: State | None = None
        """The state of a program of these."""
        # What is noted of the program.
        self.notes_names = False
        """Whether the values of names and attributes are noted, too, wherever they are read."""
        self.places: list[tuple[str, Place]] = []
        """Where the operations of the program are: file and place."""
        self.values: dict[int, list[Value | None]] = {}
        """The results of each operation, by its index in `places`; None for one without operands, or unknown."""
        self.unfollowed: set[tuple[str, int, int]] = set()
        """The code that may run otherwise than it did here: file, first and last line."""
        self.declared: Final = Declarations()
        """The values for which the program may declare a type."""
        self.done: set[int] = set()
        """The calls that returned a known value, or raised an error, by their indices in `places`."""
        self.open: set[int] = set()
        """The calls of which that is not known, or not every time, by their indices in `places`."""
        self.warnings: list[Failure] = []
        """What typegrad certainly warns of."""
        self._raised: list[Failure] = []
        """The errors, also those that the program has caught."""
        # What is known of the code that is running.
        self.steps = 0
        """How many calls were followed."""
        self.most_steps = _STEPS
        """At which step the program is left."""
        self.tries = 0
        """How many statements around the current one may catch an error."""
        self.skips = 0
        """How often such a statement was left, as its outcome is unknown."""
        self.is_running = True
        """Whether the program runs: behind its end, other programs may call its functions."""
        self.muted = 0
        """How many statements before the current one may have left the function, or the pass of a loop."""
        self.is_trial = False
        """Whether an expression is looked at that may not run, so that it must not change anything."""
        self.any_passes = 0
        """How many passes around the current one stand for any passes, so that their operations tell nothing."""
        self.doubts = 0
        """How many passes around the current one are followed for the branches in them alone, and raise no errors."""
        self.guesses = 0
        """How often the program asked what is not known, and so may have done what it did not do here."""
        self.changes: list[object] | None = None
        """What is changed, and the functions that are called, while somebody asks for it."""
        # What it has made and changed.
        self.graphs: list[Graph] = []
        """The graphs of the program."""
        self.sessions: list[Any] = []
        """Its sessions."""
        self.openings: Final = Openings()
        """What stands for values of which not all is known."""
        self.tainted: Final = Tainted(self.is_users_class, self._may_have_changed)
        """The objects of which it is not known what they are."""
        self.open_modules: Final[set[int]] = set()
        """The names of modules, by identity, of which there may be others, as somebody has the module."""
        self.replaced: Final = Replaced()
        """The attributes of libraries of which it is not known what they are."""

    @property
    def program_state(self) -> State:
        """The state of the program."""
        nodes = self.nodes
        if self._state is None or self._state.nodes is not nodes:
            self._state = State(nodes, self.finds)
        return self._state

    def may_change_list(self, name: str, items: Any, is_local: bool) -> bool:
        """Whether the program may change a list of this name, which a function may have alone, or what is in it."""
        return self.program_state.may_change(name, is_local=is_local, has_parts=has_lists(items))

    def _may_have_changed(self, name: str, items: Any, is_local: bool) -> bool:
        """Whether such a list may have been changed where code of the program was not followed."""
        return self.may_change_list(name, items, is_local) or self.program_state.may_give_away(name)

    @property
    def nodes(self) -> Nodes:
        """The syntax of the program's modules, as they are written."""
        trees = self._nodes.trees
        if len(trees) < len(self.texts):
            self._nodes = Nodes([*trees, *map(parsed, self.texts[len(trees) :])])
        return self._nodes

    def of_library(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What a function returns that may refuse its arguments, and may build something."""
        if self.tainted.undo is not None:
            self.tainted.undo.note_graphs(self.graphs)
        return self.of_values(function, args, kwargs)

    def of_values(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What a function returns that may refuse its arguments, and builds nothing."""
        try:
            return function(*args, **kwargs)
        except (TypegradError, ValueError, LookupError) as error:
            return self.refused(error)
        except TypeError as error:
            return self.mistyped(error, (args, kwargs))

    def refused(self, error: Exception) -> Any:
        """The result of what is refused: unknown in code that may not run, so that the code behind it is followed."""
        return self.unsure() if self.muted or self.doubts else self.failed(error)

    def mistyped(self, error: Exception, values: Any) -> Any:
        """End the program by an error of types, if it is not about what is unknown: `str.join` names what it got."""
        if not has_unknown(values) and _STAND_INS.search(str(error)) is None:
            self.failed(error)
        return UNKNOWN

    def failed(self, error: Exception) -> NoReturn:
        """Raise an error, which the program may catch, unless this code may not run or the error is not known."""
        if self.muted or self.doubts or has_unknown(error.args):
            raise UncertainError
        self._raised.append(self._failure(error))
        raise error

    def warned(self, warning: Warning) -> None:
        """Note a warning of typegrad about what the program builds, where that is certain."""
        if self.is_certain:
            self.warnings.append(self._failure(warning))

    def _failure(self, error: Exception) -> Failure:
        from typegrad.dry_run.source.naming import held_by  # for few programs

        frames = list(self._frames())
        return Failure(error, self._lines(), held_by(frames[0], self.is_users_class) if frames else {})

    def unbound(self, error: NameError) -> None:
        """Note that code reads a name that is not bound, unless it may not run, or something may have bound that."""
        *_, (frame, line) = walk_tb(error.__traceback__)
        is_noted = frame.f_code.co_filename not in self.files or any(each.error is error for each in self._raised)
        if is_noted or not (isinstance(error, UnboundLocalError) or self.is_bound_nowhere(error.name, frame)):
            return
        if self.muted or self.doubts:
            raise UncertainError
        read = Frame(frame.f_code.co_filename, line, _function(frame), line)
        around = self._lines()[frame.f_code in self.branches :]
        self._raised.append(Failure(error, (read, *around), {}))

    def is_bound_nowhere(self, name: str | None, frame: FrameType) -> bool:
        """Whether a name is none of a function, and nothing that was not followed may have bound it in its module."""
        if name is None or name in frame.f_code.co_freevars or _OF_TOOLS.fullmatch(name):
            return False
        is_old = name in _OF_PYTHON_2 and self.tainted.undo is not None  # where the version is asked for
        return not (is_old or name in self.program_state.outer or id(frame.f_globals) in self.open_modules)

    def failure_of(self, error: BaseException | None) -> Failure | None:
        """Where an error comes from, or its cause; None if the program has raised it on purpose."""
        while error is not None:
            failure = next((each for each in self._raised if each.error is error), None)
            if failure is not None:
                return failure
            error = error.__cause__ or error.__context__
        return None

    def _frames(self) -> Iterator[FrameType]:
        frame = inspect.currentframe()
        is_around = False  # a branch on trial, whose own line is told
        told = self.files.keys() - self.hidden
        while frame is not None:
            if frame.f_code.co_filename in told and frame.f_code not in self._postponed:
                if not is_around:
                    yield frame
                is_around = frame.f_code in self.branches
            frame = frame.f_back

    def _lines(self) -> tuple[Frame, ...]:
        """The lines of the program that are running."""
        return tuple(
            Frame(each.f_code.co_filename, each.f_lineno, _function(each), _last_line(each)) for each in self._frames()
        )

    @property
    def is_certain(self) -> bool:
        """Whether this code runs, and no error of what follows may be caught."""
        return not self.muted and not self.tries and self.tainted.undo is None

    def declare(self, kind: Kind, name: str, place: int, value: Any) -> Any:
        """Note what a function returns, or what a name is bound to that has an annotation, and return it."""
        if self.is_certain:
            path, where = self.places[place]
            self.declared.note(kind, (self.files[path], name), where, value, self._lines)
        return value

    def declare_parameters(self, names: tuple[str, ...], place: int, *values: Any) -> None:
        """Note what parameters with annotations are, whose places are next to each other."""
        for number, (name, value) in enumerate(zip(names, values, strict=True), place):
            if self.is_certain:
                path, where = self.places[number]
                owner = self.files[path], name
                self.declared.note("parameter", owner, where, value, lambda: self._lines()[1:])

    def noted(self, place: int, value: Any) -> Any:
        """Note what an operation results in, and return it."""
        known = value_of(value)
        if (
            place != NOWHERE
            and (known is not None or value is None or value is UNKNOWN)
            and not (self.is_trial or self.any_passes)
        ):
            values = self.values.setdefault(place, [])
            if known not in values:
                values.append(known)
        return value

    def unsure(self, place: int = NOWHERE) -> Any:
        """The result of what may also be an error: unknown, or the end of the statement that may catch it."""
        self.noted(place, UNKNOWN)
        if self.tries:
            self.skips += 1
            raise SkipError
        return UNKNOWN

    def lose(self, path: str, first: int, last: int) -> None:
        """Note that the code in some lines may run otherwise than it did here."""
        self.unfollowed.add((path, first, last))

    def mute(self) -> None:
        """Note that what follows may not run, in this pass or in this function."""
        self.muted += 1

    def changed(self, value: object) -> None:
        """Note that a value is changed, or that a function is called that may bind names."""
        if self.changes is not None:
            self.changes.append(value)
        if self.tainted.undo is not None:
            self.tainted.undo.note(value)

    def take_from(self, *values: object) -> None:
        """Refuse to take items on trial from an iterator that was made before, as it would not have them any more."""
        if self.is_trial or self.tainted.undo is not None:
            made = () if self.is_trial or self.tainted.undo is None else self.tainted.undo.iterators
            iterators = (each for each in values if isinstance(each, Iterator) and not self.is_users_class(type(each)))
            if any(all(each is not new for new in made) for each in iterators):
                raise UncertainError

    def given_away(self, *values: object) -> None:
        """Note that somebody may change what is in a list of an unknown number of items."""
        for each in values:
            if isinstance(each, Many):
                self.tainted.lose(each)

    def looked_at(self, value: object) -> None:
        """Note that somebody may change the items of such a list, unless these cannot be changed."""
        if not (isinstance(value, Many) and value.is_fixed):
            self.given_away(value)

    def step(self) -> None:
        """Count a call."""
        self.steps += 1
        if self.steps > self.most_steps:
            raise OutOfTimeError if self.tainted.undo is None else UncertainError


def _function(frame: FrameType) -> str:
    """The function that is running, as in errors: "Dense.__call__"."""
    code = frame.f_code
    is_method = code.co_argcount > 0 and code.co_varnames[0] == "self" and "self" in frame.f_locals
    return f"{type(frame.f_locals['self']).__name__}.{code.co_name}" if is_method else code.co_name


def _last_line(frame: FrameType) -> int:
    """The last line of what is running."""
    _, last, *_ = next(islice(frame.f_code.co_positions(), frame.f_lasti // _SIZE_OF_INSTRUCTION, None))
    return last or frame.f_lineno
