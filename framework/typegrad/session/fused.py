"""`FusedKernel`: several ufuncs as one. Large arrays are taken in blocks, so that what lies between is in cache."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

import numpy as np

from typegrad.base.threads import sharing
from typegrad.base.workers import share
from typegrad.session.arrays import LARGE
from typegrad.session.large import select
from typegrad.session.program import raised_in
from typegrad.session.ufuncs import Call, FixedOperand

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.kernels.namespace import DType
    from typegrad.session.arrays import Arrays

__all__ = ["FusedKernel", "blocks_pay"]

_BLOCK: Final = 1 << 16
"""The elements of a block: a multiple of all vector lengths, so that elements come into the same lanes as in one go."""

_SLOW_BLOCK: Final = 1 << 14
"""The same where a call takes long for each element, so that threads share fewer."""

_SLOW_WITH_NUMBERS: Final = frozenset({np.maximum, np.minimum})
"""Ufuncs that are several times faster for two arrays than for an array and a number."""

_SHARED: Final = 4
"""From how many blocks on it is worth waking other threads."""


_AS_FAST_AS_MEMORY: Final = frozenset({
    np.absolute, np.add, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.ceil, np.conjugate, np.divide, np.equal,
    np.floor, np.greater, np.greater_equal, np.invert, np.isfinite, np.isinf, np.isnan, np.less, np.less_equal,
    np.logical_and, np.logical_not, np.logical_or, np.maximum, np.minimum, np.multiply, np.negative, np.not_equal,
    np.positive, np.reciprocal, np.rint, np.square, np.subtract, np.trunc,
})  # fmt: skip
"""Ufuncs that wait for memory, with which one thread is as fast as several."""


def blocks_pay(calls: Sequence[Call]) -> bool:
    """Whether large arrays take less time in blocks: something stays in cache between ufuncs, or threads share one."""
    if len(calls) > 1 or any(call.ufunc is select or _is_slow_with_numbers(call) for call in calls):
        return True
    return calls[0].ufunc not in _AS_FAST_AS_MEMORY and sharing() > 1


def _is_slow_with_numbers(call: Call) -> bool:
    return call.ufunc in _SLOW_WITH_NUMBERS and any(isinstance(each, FixedOperand) for each in call.operands)


def _is_slow(call: Call) -> bool:
    """Whether a call takes long for each element: a ufunc that is not NumPy's, but SciPy's."""
    return isinstance(call.ufunc, np.ufunc) and getattr(np, call.ufunc.__name__, None) is not call.ufunc


def _may_overwrite(call: Call) -> bool:
    """Whether a call may write over what it takes: NumPy rounds complex numbers in another way then."""
    return isinstance(call.ufunc, np.ufunc) and call.dtype.kind != "c"


@final
class FusedKernel:
    """Calls of ufuncs in order; some of their results are returned."""

    __slots__ = (
        "_arrays",
        "_block",
        "_columns",
        "_fixed",
        "_has_rows",
        "_is_slow",
        "_outputs",
        "_plain",
        "_registers",
        "calls",
    )

    def __init__(
        self,
        calls: Sequence[Call],
        arguments: int,
        outputs: Sequence[int],
        arrays: Arrays,
        columns: Collection[int] = frozenset(),
    ) -> None:
        """Compile the calls.

        Args:
            calls: The calls; positions below `arguments` are inputs.
            arguments: The number of inputs.
            outputs: The positions of the results to return: one, or a tuple of several.
            arrays: Where large results get their memory from.
            columns: The positions of what has one element for each row, or only one, and so needs no register.
        """
        self.calls: Final = calls
        self._arrays: Final = arrays
        self._columns: Final = columns
        self._has_rows: Final = any(call.is_reduction for call in calls)
        self._is_slow: Final = any(map(_is_slow, calls))
        self._outputs: Final = [(calls[position - arguments].dtype, position in columns) for position in outputs]
        names = _Names(calls, arguments, outputs, columns)
        self._registers: Final = names.registers
        self._fixed: Final = names.fixed
        self._plain: Final = names.compiled(is_block=False)
        self._block: Final = names.compiled(is_block=True)

    def __call__(self, *inputs: Any) -> Any:
        """The results, or the only one; the same, bit for bit, whether in blocks or not."""
        largest = inputs[0]
        for x in inputs:
            if x.size > largest.size:
                largest = x
        if largest.size < LARGE or not self._is_uniform(inputs, largest.shape):
            return self._plain(*inputs)
        return self._in_blocks(inputs, largest)

    def failing_call(self, error: BaseException) -> int | None:
        """The number of the call that raised `error`."""
        for function in (self._plain, self._block):
            trace = raised_in(function.__code__, error)
            if trace is not None:
                return trace.tb_lineno - 2
        return None

    def _is_uniform(self, inputs: Sequence[Array], shape: tuple[int, ...]) -> bool:
        """Whether every result has this shape, or is a column of it, and lies in memory row by row."""
        columns, column = self._columns, (*shape[:-1], 1)
        full: list[bool] = []
        for position, x in enumerate(inputs):
            is_full, is_dense = x.shape == shape, x.flags.c_contiguous
            if not (is_full and is_dense) and not _stretches(x, shape):
                return False
            if position in columns and not (x.shape == column and is_dense):
                return False
            full.append(is_full)
        for call in self.calls:
            if call.is_reduction and not _is_dense(call.operands[0], inputs, full):
                return False
            if call.ufunc is np.power and not _is_alike(call.operands[1], inputs, full):
                return False
            is_column = len(full) in columns
            if not is_column and not any(type(each) is int and full[each] for each in call.operands):
                return False
            full.append(not is_column)
        return True

    def _in_blocks(self, inputs: Sequence[Array], largest: Array) -> Any:
        shape = largest.shape
        empty = self._arrays.empty
        results = [
            np.empty((*shape[:-1], 1), dtype) if is_column else empty(shape, dtype)
            for dtype, is_column in self._outputs
        ]
        outputs = results
        if not self._has_rows and all(x.size == 1 or (x.shape == shape and x.flags.c_contiguous) for x in inputs):
            inputs = [x.reshape(() if x.size == 1 else -1) for x in inputs]
            outputs = [result.reshape(-1) for result in results]
            shape = (largest.size,)
        length = shape[0]
        step = max((min(_SLOW_BLOCK, _BLOCK) if self._is_slow else _BLOCK) * length // largest.size, 1)
        is_cut = [x.ndim == len(shape) and x.shape[:1] == (length,) != (1,) for x in inputs]
        arrays = list(zip([*inputs, *outputs], [*is_cut, *[True] * len(outputs)], strict=True))

        def work(take: Callable[[], int]) -> None:
            rows = (min(step, length), *shape[1:])
            buffers = [empty(rows, dtype) for dtype in self._registers]
            for value, dtype in self._fixed:
                buffers.append(empty(rows, dtype))
                buffers[-1].fill(value)
            with suppress(IndexError):
                while True:
                    start = take()
                    stop = min(start + step, length)
                    registers = [buffer[: stop - start] for buffer in buffers]
                    self._block(*[x[start:stop] if cut else x for x, cut in arrays], *registers)

        starts = range(0, length, step)
        if len(starts) >= _SHARED:
            share(starts, work)
        else:
            work(deque(starts).popleft)
        return results[0] if len(results) == 1 else tuple(results)


def _is_dense(operand: int | FixedOperand, inputs: Sequence[Array], full: Sequence[bool]) -> bool:
    """Whether rows to be reduced are complete, and nowhere repeated."""
    if isinstance(operand, FixedOperand) or not full[operand]:
        return False
    return operand >= len(inputs) or inputs[operand].flags.c_contiguous


def _is_alike(exponent: int | FixedOperand, inputs: Sequence[Array], full: Sequence[bool]) -> bool:
    """Whether NumPy computes powers the same in every block.

    It squares, and takes roots, where it sees an exponent repeated: not if rows are short and so go into a buffer,
    unless there is only one row.
    """
    if isinstance(exponent, FixedOperand) or full[exponent]:
        return True
    return exponent < len(inputs) and inputs[exponent].size == 1


def _stretches(x: Array, shape: tuple[int, ...]) -> bool:
    """Whether an array is repeated to this shape, without a say in the order of the result in memory."""
    if x.size == 1:
        return x.ndim <= len(shape)
    if x.ndim > len(shape) or any(a not in (1, b) for a, b in zip(x.shape, shape[len(shape) - x.ndim :], strict=True)):
        return False
    size = x.itemsize
    for length, stride in zip(reversed(x.shape), reversed(x.strides), strict=True):
        if length != 1 and stride != 0:
            if stride != size:
                return False
            size *= length
    return True


class _Place(NamedTuple):
    """A variable for results of a type, until the call number `end`."""

    name: str
    dtype: DType
    end: int


@final
class _Names:
    """The values of the calls as variables of a function: inputs, outputs, and registers that are used again.

    Columns are small, so that their memory is left to NumPy.
    """

    def __init__(self, calls: Sequence[Call], arguments: int, outputs: Sequence[int], columns: Collection[int]) -> None:
        self._calls = calls
        self._columns = columns
        self._arguments = [f"a{position}" for position in range(arguments)]
        self._outputs = [f"o{position}" for position in outputs]
        self._results = [f"v{position}" for position in outputs]
        self.registers: list[DType] = []
        """The types of the registers."""
        self.fixed: list[tuple[Any, DType]] = []
        """The numbers that fill a register each, and its type."""
        self._where = self._allocated(set(outputs))

    def _allocated(self, outputs: set[int]) -> list[str]:
        """The variable of each result, as few as possible, so that all of them stay in a cache."""
        first = len(self._arguments)
        last_use = {each: number for number, call in enumerate(self._calls) for each in call.operands}
        free = [self._until_made(position) for position in sorted(outputs) if position not in self._columns]
        held: dict[int, _Place] = {}
        where: list[str] = []
        for number, call in enumerate(self._calls):
            position = first + number
            done = [each for each in held if each in call.operands and last_use[each] == number]
            if _may_overwrite(call):
                free.extend([held.pop(each) for each in done])
            if position in self._columns:
                where.append(f"v{position}")
            elif position in outputs:
                where.append(f"o{position}")
            else:
                held[position] = self._taken(free, call.dtype, last_use.get(position, number))
                where.append(held[position].name)
            free.extend(
                [held.pop(each) for each in (*done, position) if each in held and last_use.get(each, number) == number]
            )
        return where

    def _until_made(self, position: int) -> _Place:
        """An output as a place for results that nobody takes once it is made."""
        number = position - len(self._arguments)
        call = self._calls[number]
        return _Place(f"o{position}", call.dtype, number if _may_overwrite(call) else number - 1)

    def _taken(self, free: list[_Place], dtype: DType, end: int) -> _Place:
        """The place that was free last, for a result that the call number `end` takes last; or a new register."""
        for place in reversed(free):
            if place.dtype == dtype and end <= place.end:
                free.remove(place)
                return place
        self.registers.append(dtype)
        return _Place(f"b{len(self.registers) - 1}", dtype, len(self._calls))

    def compiled(self, *, is_block: bool) -> Callable[..., Any]:
        """A function of the inputs that returns the outputs; or of a block of them, the outputs and the registers."""
        first = len(self._arguments)
        results = self._where if is_block else [f"v{position}" for position in range(first, first + len(self._calls))]
        names = [*self._arguments, *results]
        namespace: dict[str, Any] = {"__builtins__": {}}
        lines: list[str] = []
        for number, call in enumerate(self._calls):
            namespace[f"k{number}"] = (call.in_blocks or call.ufunc) if is_block else call.ufunc
            operands: list[str] = []
            for place, each in enumerate(call.operands):
                if isinstance(each, FixedOperand):
                    namespace[f"c{number}_{place}"] = each.value
                    operands.append(f"c{number}_{place}")
                else:
                    operands.append(names[each])
            line = self._line(number, operands, results[number], is_block=is_block)
            lines.append(f"    {line}")
        registers = (
            f"{kind}{i}" for kind, each in (("b", self.registers), ("f", self.fixed)) for i in range(len(each))
        )
        parameters = [*self._arguments, *self._outputs, *registers]
        head = f"def fused({', '.join(parameters if is_block else self._arguments)}):"
        end = [] if is_block else [f"    return {', '.join(self._results)}"]
        exec(compile("\n".join([head, *lines, *end]), "<typegrad group>", "exec"), namespace)
        function: Callable[..., Any] = namespace["fused"]
        return function

    def _line(self, number: int, operands: list[str], target: str, *, is_block: bool) -> str:
        """The call whose result is `target`."""
        call, position = self._calls[number], len(self._arguments) + number
        if is_block and position not in self._columns:
            if _is_slow_with_numbers(call):
                operands = list(map(self._filled, operands, call.operands, repeat(call.dtype)))
            return f"k{number}({', '.join(operands)}, out={target})"
        line = f"{target} = k{number}({', '.join(operands)})"
        return f"o{position}[...] = {line}" if is_block and f"o{position}" in self._outputs else line

    def _filled(self, name: str, operand: int | FixedOperand, dtype: DType) -> str:
        """The variable of an operand; a number gets a register of its own."""
        if not isinstance(operand, FixedOperand):
            return name
        self.fixed.append((operand.value, dtype))
        return f"f{len(self.fixed) - 1}"
