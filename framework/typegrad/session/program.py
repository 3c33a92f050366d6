"""Steps over numbered slots, as a function: compiled source, or a loop if there are very many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import count, islice
from types import CodeType, FunctionType, TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar, final

from typegrad.session.buffers import Buffers

if TYPE_CHECKING:
    from typegrad.session.buffers import Kind
    from typegrad.session.steps import Step

__all__ = ["COMPILED", "UNUSED", "Calls", "Kernel", "Outputs", "Program", "program", "raised_in"]

COMPILED: Final = 10_000
"""How many steps are compiled at most: compiling a step costs what it saves in some two hundred runs."""

UNUSED: Final = -1
"""The slot of results that nobody needs."""

_FIRST_LINE: Final = 3
"""The line of the first step in the source of a program."""

_T = TypeVar("_T")

_Slots: TypeAlias = tuple[int, ...]

Kernel: TypeAlias = Callable[..., Any]
"""Takes the arguments of a step, and returns its result, or a sequence of results."""

Outputs: TypeAlias = int | _Slots
"""The slot of a kernel's one result, or the slots of several, which then come as a sequence."""


class Calls(NamedTuple):
    """Calls of kernels with the values of some slots, whose results are put into others: a call for each step.

    Lists take the least memory.
    """

    kernels: list[Kernel]
    inputs: list[_Slots]
    """The slots of the arguments; list inputs are flattened."""
    outputs: list[Outputs]
    dead: list[_Slots]
    """The slots that are emptied after the call: what they hold is large, and nobody needs it any more."""
    lists: Mapping[int, Sequence[int | None]]
    """For each call with list inputs, by its number, the length of each argument; None for a single value."""
    kept: Mapping[int, Kind]
    """For each call of a ufunc whose result nobody else sees, by its number, what array to put it into."""


class Program(Protocol):
    """Steps as a function."""

    @property
    def steps(self) -> Sequence[Step]:
        """What it runs, in order."""
        ...

    @property
    def run(self) -> Callable[[Sequence[object]], tuple[object, ...]]:
        """Takes the values of the first slots, and returns the results."""
        ...

    def failing_step(self, error: BaseException) -> int | None:
        """The number of the step in which `run` raised `error`; None if it was in none."""
        ...

    def with_kernels(self, change: Callable[[int, Kernel], Kernel]) -> Program:
        """The same steps with other kernels: what `change` returns for each step's number and kernel."""
        ...


def program(
    arguments: int, constants: Sequence[object], free: int, calls: Calls, results: Sequence[int], steps: Sequence[Step]
) -> Program:
    """Compile `calls` to a function that returns the values of the slots `results`.

    The first `arguments` slots hold the function's arguments, the next ones `constants`, and `free` more the results of
    steps.
    """
    if len(calls.kernels) > COMPILED:
        return _LoopProgram(constants, free, calls, results, steps)
    return _CompiledProgram(arguments, constants, free, calls, results, steps)


@final
class _CompiledProgram:
    """A straight-line function, compiled from source."""

    def __init__(
        self,
        arguments: int,
        constants: Sequence[object],
        free: int,
        calls: Calls,
        results: Sequence[int],
        steps: Sequence[Step],
    ) -> None:
        self.steps: Final = steps
        names = _names(arguments, len(constants), free)
        buffers, kinds = _buffers(calls)
        namespace: dict[str, Any] = {"__builtins__": {}}
        namespace.update(zip(names[arguments:], constants, strict=False))
        namespace.update([(f"k{number}", kernel) for number, kernel in enumerate(calls.kernels)])
        if kinds:
            kept = Buffers(kinds)
            namespace.update(take=kept.take, give=kept.give)
        exec(compile(_source(names, arguments, calls, results, buffers), "<typegrad plan>", "exec"), namespace)
        self.run: Callable[[Sequence[object]], tuple[object, ...]] = namespace["program"]
        self._kernels: Final = calls.kernels
        self._code: Final = namespace["program"].__code__

    def failing_step(self, error: BaseException) -> int | None:
        trace = raised_in(self._code, error)
        return None if trace is None else trace.tb_lineno - _FIRST_LINE

    def with_kernels(self, change: Callable[[int, Kernel], Kernel]) -> Program:
        names = {f"k{number}": change(number, kernel) for number, kernel in enumerate(self._kernels)}
        changed = copy(self)
        changed.run = FunctionType(self._code, self.run.__globals__ | names)
        return changed


@final
class _LoopProgram:
    """A loop over the steps: slower for each step than compiled source, but made at once."""

    def __init__(
        self, constants: Sequence[object], free: int, calls: Calls, results: Sequence[int], steps: Sequence[Step]
    ) -> None:
        self.steps: Final = steps
        self._rest: Final = [*constants, *([None] * (free + 1))]
        self._kernels = calls.kernels
        if calls.lists:
            self._kernels = calls.kernels.copy()
            for number, lengths in calls.lists.items():
                self._kernels[number] = partial(_call_grouped, calls.kernels[number], lengths)
        self._inputs: Final = calls.inputs
        self._outputs: Final = calls.outputs
        self._dead: Final = calls.dead
        self._results: Final = results

    def run(self, arguments: Sequence[object]) -> tuple[object, ...]:
        values = [*arguments, *self._rest]
        value_of = values.__getitem__
        steps = zip(count(), self._kernels, self._inputs, self._outputs, self._dead)
        for _number, kernel, inputs, outputs, dead in steps:
            if isinstance(outputs, int):
                values[outputs] = kernel(*map(value_of, inputs))
            else:
                result = kernel(*map(value_of, inputs))
                for slot, value in zip(outputs, result or (), strict=True):
                    values[slot] = value
                del result
            for slot in dead:
                values[slot] = None
        return tuple(map(value_of, self._results))

    def failing_step(self, error: BaseException) -> int | None:
        trace = raised_in(_LoopProgram.run.__code__, error)
        return None if trace is None else trace.tb_frame.f_locals.get("_number")

    def with_kernels(self, change: Callable[[int, Kernel], Kernel]) -> Program:
        changed = copy(self)
        changed._kernels = [change(number, kernel) for number, kernel in enumerate(self._kernels)]
        return changed


def _names(arguments: int, constants: int, free: int) -> list[str]:
    """The names of the slots in the source. The last one is the name of `UNUSED`, the index -1."""
    first_free = arguments + constants
    kinds = ["c" if arguments <= slot < first_free else "v" for slot in range(first_free + free)]
    return [*(f"{kind}{slot}" for slot, kind in enumerate(kinds)), "_"]


def _source(
    names: Sequence[str], arguments: int, calls: Calls, results: Sequence[int], buffers: Mapping[int, int]
) -> str:
    """A function that holds nothing but positions, a line for each step: "v3 = k7(v1, c2)".

    `buffers` are the numbers of the buffers into which calls put their results.
    """
    taken = "".join([f"b{number}, " for number in sorted(set(buffers.values()))])
    take = f"; {taken}= buffers = take()" if taken else ""
    lines = ["def program(arguments):", f"    {_text(names, range(arguments))} = arguments{take}"]
    for number, inputs, outputs, dead in zip(count(), calls.inputs, calls.outputs, calls.dead):
        lengths = calls.lists.get(number)
        passed = [_text(names, slots) for slots in (inputs if lengths is None else _grouped(inputs, lengths))]
        if number in buffers:
            passed.append(f"b{buffers[number]}")
        target = "" if outputs == () else f"{_text(names, outputs)} = "
        after = f"; {' = '.join([names[slot] for slot in dead])} = None" if dead else ""
        lines.append(f"    {target}k{number}({', '.join(passed)}){after}")
    if taken:
        lines.append("    give(buffers)")
    return "\n".join([*lines, f"    return {_text(names, results)}"])


def _text(names: Sequence[str], slots: int | Sequence[int]) -> str:
    """The name of a slot, or a tuple of names."""
    return names[slots] if isinstance(slots, int) else f"({''.join([f'{names[slot]}, ' for slot in slots])})"


def _buffers(calls: Calls) -> tuple[dict[int, int], list[Kind]]:
    """The number of the buffer of each call that has one, and what the buffers are.

    A buffer is free again once its slot has another value: so no call writes over what it takes.
    """
    kinds: list[Kind] = []
    chosen: dict[int, int] = {}
    free: dict[Kind, list[int]] = {}
    held: dict[int, int] = {}
    if not calls.kept:
        return chosen, kinds
    for number, outputs in enumerate(calls.outputs):
        kind = calls.kept.get(number)
        if kind is not None:
            if not free.get(kind):
                free.setdefault(kind, []).append(len(kinds))
                kinds.append(kind)
            chosen[number] = free[kind].pop()
        for slot in outputs if isinstance(outputs, tuple) else (outputs,):
            if slot in held:
                before = held.pop(slot)
                free[kinds[before]].append(before)
            if kind is not None:
                held[slot] = chosen[number]
    return chosen, kinds


def _grouped(values: Iterable[_T], lengths: Iterable[int | None]) -> list[_T | tuple[_T, ...]]:
    """Values in groups of these lengths; None means a single value."""
    rest = iter(values)
    return [next(rest) if length is None else tuple(islice(rest, length)) for length in lengths]


def _call_grouped(kernel: Kernel, lengths: Iterable[int | None], *values: object) -> Any:
    return kernel(*_grouped(values, lengths))


def raised_in(code: CodeType, error: BaseException) -> TracebackType | None:
    """The traceback entry of a function in which an error was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not code:
        trace = trace.tb_next
    return trace
