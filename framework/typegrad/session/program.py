"""Steps over numbered slots, as a function: compiled source, or for very many steps a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import partial
from itertools import count, islice
from types import CodeType, FunctionType, TracebackType
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, cast, final

__all__ = ["COMPILED", "UNUSED", "Inputs", "Kernel", "Outputs", "Program", "Steps", "program"]

COMPILED: Final = 10_000
"""How many steps are compiled at most: compiling a step costs what it saves in some two hundred runs."""

UNUSED: Final = -1
"""The slot of results that nobody needs."""

_Slots: TypeAlias = tuple[int, ...]

Kernel: TypeAlias = Callable[..., Any]
"""Takes the arguments of a step, and returns its result, or a sequence of results."""

Inputs: TypeAlias = tuple[int | _Slots, ...]
"""The slots of a kernel's arguments; a list input is a tuple of slots."""

Outputs: TypeAlias = int | _Slots
"""The slot of a kernel's one result, or the slots of several, which then come as a sequence."""


class Steps(NamedTuple):
    """Calls of kernels with the values of some slots, whose results are put into others.

    Three lists take the least memory.
    """

    kernels: list[Kernel]
    inputs: list[Inputs]
    outputs: list[Outputs]


class Program(Protocol):
    """Steps as a function."""

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


def program(arguments: int, constants: Sequence[object], free: int, steps: Steps, results: Sequence[int]) -> Program:
    """Compile `steps` to a function that returns the values of the slots `results`.

    The first `arguments` slots hold the function's arguments, the next ones `constants`, and `free` more the results of
    steps.
    """
    if len(steps.kernels) <= COMPILED:
        return _Compiled(arguments, constants, steps, results)
    return _Loop(constants, free, steps, results)


@final
class _Compiled:
    """A straight-line function. Its source holds nothing but positions: "v3 = k7(v1, c2)"."""

    def __init__(self, arguments: int, constants: Sequence[object], steps: Steps, results: Sequence[int]) -> None:
        first_free = arguments + len(constants)
        names = [f"v{slot}" for slot in range(arguments)] + [f"c{slot}" for slot in range(arguments, first_free)]

        def name(slot: int) -> str:
            return "_" if slot == UNUSED else names[slot] if slot < first_free else f"v{slot}"

        def listed(slots: Iterable[int]) -> str:
            return "(" + "".join(f"{name(slot)}, " for slot in slots) + ")"

        def line(number: int, inputs: Inputs, outputs: Outputs) -> str:
            passed = ", ".join(listed(slot) if isinstance(slot, tuple) else name(slot) for slot in inputs)
            target = listed(outputs) if isinstance(outputs, tuple) else name(outputs)
            call = f"k{number}({passed})"
            return call if outputs == () else f"{target} = {call}"

        head = ["def program(arguments):", f"    {listed(range(arguments))} = arguments"]
        body = [f"    {line(*step)}" for step in zip(count(), steps.inputs, steps.outputs)]
        source = "\n".join([*head, *body, f"    return {listed(results)}"])
        namespace: dict[str, Any] = {"__builtins__": {}}
        namespace.update(zip(names[arguments:], constants, strict=True))
        namespace.update((f"k{number}", kernel) for number, kernel in enumerate(steps.kernels))
        exec(compile(source, "<typegrad plan>", "exec"), namespace)
        self.run: Callable[[Sequence[object]], tuple[object, ...]] = namespace["program"]
        self._kernels: Final = steps.kernels
        self._first_line: Final = len(head) + 1
        self._code: Final = namespace["program"].__code__

    def failing_step(self, error: BaseException) -> int | None:
        trace = _raised_in(self._code, error)
        return None if trace is None else trace.tb_lineno - self._first_line

    def with_kernels(self, change: Callable[[int, Kernel], Kernel]) -> Program:
        names = {f"k{number}": change(number, kernel) for number, kernel in enumerate(self._kernels)}
        changed = copy(self)
        changed.run = FunctionType(self._code, self.run.__globals__ | names)
        return changed


@final
class _Loop:
    """A loop over the steps: slower for each step than compiled source, but made at once."""

    def __init__(self, constants: Sequence[object], free: int, steps: Steps, results: Sequence[int]) -> None:
        self._rest: Final = [*constants, *([None] * (free + 1))]
        self._kernels = [_ungrouped(*call) for call in zip(steps.kernels, steps.inputs, strict=True)]
        self._inputs: Final = [_flat(inputs) for inputs in steps.inputs]
        self._outputs: Final = steps.outputs
        self._results: Final = results

    def run(self, arguments: Sequence[object]) -> tuple[object, ...]:
        values = [*arguments, *self._rest]
        value_of = values.__getitem__
        for _number, kernel, inputs, outputs in zip(count(), self._kernels, self._inputs, self._outputs):
            if isinstance(outputs, int):
                values[outputs] = kernel(*map(value_of, inputs))
            else:
                result = kernel(*map(value_of, inputs))
                for slot, value in zip(outputs, result or (), strict=True):
                    values[slot] = value
        return tuple(map(value_of, self._results))

    def failing_step(self, error: BaseException) -> int | None:
        trace = _raised_in(_Loop.run.__code__, error)
        return None if trace is None else trace.tb_frame.f_locals.get("_number")

    def with_kernels(self, change: Callable[[int, Kernel], Kernel]) -> Program:
        changed = copy(self)
        changed._kernels = [change(number, kernel) for number, kernel in enumerate(self._kernels)]
        return changed


def _has_lists(inputs: Inputs) -> bool:
    return tuple in map(type, inputs)


def _flat(inputs: Inputs) -> _Slots:
    """The slots, with list inputs flattened."""
    if not _has_lists(inputs):
        return cast("_Slots", inputs)
    return tuple(slot for slots in inputs for slot in (slots if isinstance(slots, tuple) else (slots,)))


def _ungrouped(kernel: Kernel, inputs: Inputs) -> Kernel:
    """The kernel as a function of flat inputs."""
    if not _has_lists(inputs):
        return kernel
    return partial(_call_grouped, kernel, [len(slots) if isinstance(slots, tuple) else None for slots in inputs])


def _call_grouped(kernel: Kernel, layout: Sequence[int | None], *values: object) -> Any:
    """Call a kernel with its values in groups of these lengths; None means a single value."""
    rest = iter(values)
    return kernel(*(next(rest) if length is None else tuple(islice(rest, length)) for length in layout))


def _raised_in(code: CodeType, error: BaseException) -> TracebackType | None:
    """The traceback entry of a function in which an error was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not code:
        trace = trace.tb_next
    return trace
