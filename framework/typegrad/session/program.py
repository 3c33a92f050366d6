"""Steps over numbered slots, as a function: compiled source, or a loop if there are very many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    lists: dict[int, Sequence[int | None]]
    """For each call with list inputs, by its number, the length of each argument; None for a single value."""
    kept: dict[int, Kind]
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
    return _CompiledProgram(arguments, constants, calls, results, steps)


@final
class _CompiledProgram:
    """A straight-line function. Its source holds nothing but positions: "v3 = k7(v1, c2)"."""

    def __init__(
        self, arguments: int, constants: Sequence[object], calls: Calls, results: Sequence[int], steps: Sequence[Step]
    ) -> None:
        self.steps: Final = steps
        first_free = arguments + len(constants)
        names = [f"v{slot}" for slot in range(arguments)] + [f"c{slot}" for slot in range(arguments, first_free)]

        def name(slot: int) -> str:
            return "_" if slot == UNUSED else names[slot] if slot < first_free else f"v{slot}"

        def listed(slots: Iterable[int]) -> str:
            return "(" + "".join([f"{name(slot)}, " for slot in slots]) + ")"

        buffers, kinds = _buffers(calls)

        def line(number: int, inputs: _Slots, outputs: Outputs, dead: _Slots) -> str:
            lengths = calls.lists.get(number)
            groups = inputs if lengths is None else _grouped(inputs, lengths)
            passed = ", ".join([listed(slot) if isinstance(slot, tuple) else name(slot) for slot in groups])
            if number in buffers:
                passed += f", b{buffers[number]}"
            target = listed(outputs) if isinstance(outputs, tuple) else name(outputs)
            call = f"k{number}({passed})" if outputs == () else f"{target} = k{number}({passed})"
            return f"{call}; {' = '.join(map(name, dead))} = None" if dead else call

        head = ["def program(arguments):", f"    {listed(range(arguments))} = arguments"]
        namespace: dict[str, Any] = {"__builtins__": {}}
        tail = [f"    return {listed(results)}"]
        if kinds:
            kept = Buffers(kinds)
            namespace.update(take=kept.take, give=kept.give)
            head.append(f"    {''.join([f'b{number}, ' for number, _ in enumerate(kinds)])} = buffers = take()")
            tail.insert(0, "    give(buffers)")
        body = [f"    {line(*step)}" for step in zip(count(), calls.inputs, calls.outputs, calls.dead)]
        source = "\n".join([*head, *body, *tail])
        namespace.update(zip(names[arguments:], constants, strict=True))
        namespace.update([(f"k{number}", kernel) for number, kernel in enumerate(calls.kernels)])
        exec(compile(source, "<typegrad plan>", "exec"), namespace)
        self.run: Callable[[Sequence[object]], tuple[object, ...]] = namespace["program"]
        self._kernels: Final = calls.kernels
        self._first_line: Final = len(head) + 1
        self._code: Final = namespace["program"].__code__

    def failing_step(self, error: BaseException) -> int | None:
        trace = raised_in(self._code, error)
        return None if trace is None else trace.tb_lineno - self._first_line

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
