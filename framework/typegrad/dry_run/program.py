"""Programs that are followed as far as they build graphs, without a run of one: what goes wrong in them."""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextvars import copy_context
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import attrs
import numpy as np

from typegrad.base.errors import TypegradError
from typegrad.dry_run import in_python
from typegrad.dry_run.choices import Way, leaves, unavoidable
from typegrad.dry_run.flow.decisions import Decide
from typegrad.dry_run.functions.library import BUILTINS, STUBS, is_known_module
from typegrad.dry_run.functions.under_pytest import arguments_for, cases_of, tests_in
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError
from typegrad.dry_run.machine import Machine
from typegrad.dry_run.results import Results, results_of
from typegrad.dry_run.source.declared import Declared
from typegrad.dry_run.source.expressions import MACHINE
from typegrad.dry_run.source.places import Place
from typegrad.dry_run.source.rewriting import rewritten
from typegrad.dry_run.tracking.again import gives_away
from typegrad.dry_run.tracking.core import NOWHERE, Failure, OutOfTimeError, SkipError
from typegrad.dry_run.uncalled import DeclaredFixtures, failures_of_uncalled

__all__ = ["ANY", "DryRun", "Module", "dry_run"]

ANY: Final = "*"
"""Any name of a module."""
_IN_PYTHON: Final = Path(in_python.__file__).parent
_MAIN: Final = "__main__"
_WORD: Final = re.compile(r"\w+")


@attrs.frozen
class Module:
    """A file of a program."""

    name: str
    path: str
    text: str | None = None
    """The text, where it is not the file's."""


@attrs.frozen
class DryRun:
    """What is known of a program."""

    failures: Sequence[Failure]
    """The first error of the program, and of each function that was followed."""
    results: Results
    """What its operations make, in all of its files."""
    calls: Collection[Place]
    """The calls in the program's first file of which it is known whether they raise errors, every time."""
    declared: Sequence[Declared]
    """The values for which the program may declare a type, in the order in which they are made."""
    ran: Collection[tuple[str, str]]
    """Its functions that were called, by file and name, and its files, each with the name ""."""
    warnings: Sequence[Failure]
    """What typegrad warns of as the program builds its graphs."""


def dry_run(
    main: Module,
    find: Callable[[str], Module | None],
    *,
    assigned: Callable[[str], Collection[str]] = lambda _: (),
    notes_names: bool = False,
) -> DryRun:
    """Follow a program, its tests as pytest calls them, and functions that nothing calls, as far as they are declared.

    Nothing outside is touched: functions of other libraries than NumPy are not called, and no graph is run. What they
    would return is unknown. An error is certain to occur, if what is before it in the program causes none.

    Args:
        main: The program.
        find: Another module of the program, by its name; None if it is not the program's.
        assigned: The names of a module that other programs assign, which may call its functions; `ANY` for all names.
        notes_names: Whether the results tell the values of names and attributes, too, wherever they are read.

    """
    program = _Program(find, assigned, notes_names=notes_names)
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        copy_context().run(program.follow, main)
    machine = program.machine
    if not program.is_whole:  # what is left may call any function
        machine.tainted.add([vars(each) for each in program.modules])
    done = [machine.places[number] for number in machine.done - machine.open]
    calls = {place for path, place in done if path == main.path}
    ran = {(each.co_filename, each.co_name) for each in machine.called if isinstance(each, CodeType)}
    ran.update((path, "") for path in machine.files)
    return DryRun(program.failures, results_of(machine), calls, machine.declared, ran, machine.warnings)


class _Program:
    def __init__(
        self,
        find: Callable[[str], Module | None],
        assigned: Callable[[str], Collection[str]],
        *,
        notes_names: bool,
    ) -> None:
        self.machine: Final = Machine(self._load)
        self.machine.notes_names = notes_names
        self.machine.finds = lambda name: not is_known_module(name) and find(name) is not None
        self.machine.tainted.forget_registered = self.machine.forget_registered
        self.machine.tainted.gives_away = partial(gives_away, self.machine)
        self.failures: list[Failure] = []
        self.modules: list[ModuleType] = []
        self.is_whole = True
        """Whether all of it was followed, up to its end or its first error."""
        self._find = find
        self._codes: dict[str, CodeType] = {}
        self._assigned = assigned
        self._modules = self.machine.own_modules

    def follow(self, main: Module) -> None:
        """Run a module, and if it comes to its end, the functions that nothing in it calls."""
        self._modules[_MAIN] = module = ModuleType(_MAIN)
        failure, is_done = self._outcome(lambda: self._execute(main, module))
        if failure is None and self.machine.choices:
            failure = unavoidable(partial(self._way, main), self.machine.choices, self.machine.steps)
            is_done &= failure is None
        if failure is not None:
            self.failures.append(failure)
        self.machine.is_running = False
        if is_done:
            self._forget_assigned(main)
            for value in [*vars(module).values()]:
                if isinstance(value, FunctionType) and value.__globals__ is vars(module) and self._is_entry(value):
                    self._enter(value)
                elif isinstance(value, type) and value.__module__ == module.__name__:
                    for test in tests_in(value):
                        self._enter(test, value)
            self.failures += failures_of_uncalled(self.machine, module)

    def _way(self, main: Module, decide: Decide) -> Way:
        """What the program comes to where it is decided what its conditions are that are not known."""
        other = _Program(self._find, self._assigned, notes_names=False)
        machine, module = other.machine, ModuleType(_MAIN)
        machine.begin_way(decide)
        other._modules[_MAIN] = module
        failure, is_left = None, False
        try:
            copy_context().run(other._execute, main, module)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a program raises
            failure = machine.failure_of(error)
            is_left = failure is None and leaves(error, machine)
        except (UncertainError, SkipError, OutOfTimeError):
            pass
        return Way(failure, is_left, machine.choices)

    def _forget_assigned(self, main: Module) -> None:
        """Forget the names that another program may have assigned before it calls the functions of this one."""
        for each in self.modules:
            names = self._assigned(main.name if each.__name__ == _MAIN else each.__name__)
            self.machine.forget_names(each, None if ANY in names else names)
            self.machine.forget_attributes(each, names)

    def _is_entry(self, function: FunctionType) -> bool:
        """Whether the program itself does not call a function."""
        if function.__code__ in self.machine.called:
            return False
        name = function.__name__
        return self._words[name] == 1 or name not in self._read

    def _enter(self, function: FunctionType, class_: type | None = None) -> None:
        """Call a function as another program does, up to the first error."""
        call = partial(self.machine.call, NOWHERE)
        for known in cases_of(function):
            declared = DeclaredFixtures(self.machine, self.modules[0])
            arguments = arguments_for(function, known, call, declared, class_)
            if arguments is None:
                return
            action = partial(_call_with, call, function, arguments)
            failure, is_done = self._outcome(action)
            if failure is not None and not declared.may_refute(failure.error) and self._is_certain(failure, action):
                self.failures.append(failure)
            if not is_done:
                return

    def _is_certain(self, failure: Failure, action: Callable[[], object]) -> bool:
        """Whether a call fails whatever others have done before, who may have changed what it finds in other names."""
        if isinstance(failure.error, TypegradError):
            return True
        try:
            _, error = self.machine.on_trial(action, vars(self.modules[0]))
        except OutOfTimeError:
            return False
        again = self.machine.failure_of(error)
        return again is not None and again.frames == failure.frames

    def _outcome(self, action: Callable[[], object]) -> tuple[Failure | None, bool]:
        """The error that ends something, and whether it came to its end."""
        try:
            action()
        except Exception as error:  # noqa: BLE001  # whatever a program raises
            return self.machine.failure_of(error), False
        except SystemExit:
            return None, True
        except (UncertainError, SkipError, OutOfTimeError):
            self.is_whole = False
            return None, False
        return None, True

    def _load(self, name: str) -> ModuleType | None:
        """A module by its name; None if it is neither the program's nor one that may be imported for real."""
        if is_known_module(name):
            return self._stub(name) if name in STUBS else _imported(name)
        if name not in self._modules:
            package, _, own_name = name.rpartition(".")
            owner = self._load(package) if package else None
            file = self._find(name)
            self._note_import(self._modules, name)
            if file is None:
                self._modules[name] = None
            elif name not in self._modules:  # which the package has not imported either
                self._modules[name] = module = ModuleType(name)
                self._import(file, module)
                if owner is not None:
                    self._note_import(vars(owner), own_name)
                    vars(owner)[own_name] = self._modules[name] or UNKNOWN
        return self._modules[name]

    def _stub(self, name: str) -> ModuleType:
        """A module in the place of one of Python's, with what it has in plain Python."""
        path = _IN_PYTHON / f"{name}.py"
        if not path.exists():
            return STUBS[name]
        made = self._modules.get(name)
        if made is None:
            self._note_import(self._modules, name)
            self._modules[name] = made = ModuleType(name)
            vars(made).update(vars(STUBS[name]))
            self.machine.hidden.add(str(path))
            self._execute(Module(name, str(path)), made)
        return made

    def _note_import(self, names: dict[str, Any], name: str) -> None:
        """A module that is imported on trial is not there behind that, as all that it did is undone."""
        if self.machine.tainted.undo is not None:
            self.machine.tainted.undo.note_names(names, name)

    def _import(self, file: Module, module: ModuleType) -> None:
        """Run a module of the program; if it does not come to its end, nothing is known of it."""
        try:
            self._execute(file, module)
        except (UncertainError, SystemExit, Exception) as error:  # whatever a program raises
            self._modules[file.name] = None
            self.is_whole = False
            if self.machine.failure_of(error) is not None:
                raise

    def _execute(self, file: Module, module: ModuleType) -> None:
        self.modules.append(module)
        self.machine.files[file.path] = module.__name__
        vars(module).update({"__builtins__": BUILTINS, "__file__": file.path, MACHINE: self.machine})
        exec(self._code(file), vars(module))

    def _code(self, file: Module) -> CodeType:
        if file.path not in self._codes:
            self._codes[file.path] = self._rewritten(file)
        return self._codes[file.path]

    def _rewritten(self, file: Module) -> CodeType:
        text = Path(file.path).read_text(encoding="utf-8") if file.text is None else file.text
        self.machine.texts.append(text)
        is_package = Path(file.path).stem == "__init__"
        package = file.name if is_package else file.name.rpartition(".")[0]
        return rewritten(text, file.path, package, self.machine)

    @cached_property
    def _words(self) -> Counter[str]:
        """How often each word is in the program: a name that is there once is read nowhere."""
        return Counter(word for text in self.machine.texts for word in _WORD.findall(text))

    @cached_property
    def _read(self) -> set[str]:
        """The names that the program reads."""
        return {each.id for each in self.machine.nodes.of(ast.Name) if isinstance(each.ctx, ast.Load)}


def _call_with(call: Callable[..., Any], function: FunctionType, arguments: Callable[[], dict[str, Any]]) -> None:
    call(function, **arguments())


def _imported(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ImportError:
        return None
