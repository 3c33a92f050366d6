"""Kernels compute the same bits by operators as in groups.

For large arrays, NumPy computes `x + f(y)` in the memory of f(y), with the operands swapped. That changes the sign of
nan, and the last bit of complex products, so kernels have such operands in the other order: `f(y) + x`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

import typegrad as tg
from support.building import build, place_all
from support.case import Case
from support.recording import as_array
from support.registry import by_op
from typegrad.base.quiet import quiet
from typegrad.base.types import TComplex64, TFloat32, TFloat64, TResource
from typegrad.graph.definition import resolve
from typegrad.graph.operation import Operation
from typegrad.kernels.updating import Whole
from typegrad.session.arrays import Arrays
from typegrad.session.binding import attributes, expression_of
from typegrad.session.fused import FusedKernel
from typegrad.session.ufuncs import Expression, expressions

SIZE: Final = (1 << 16) + 1
"""NumPy does so from 256 KiB on."""

SPECIAL: Final = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0]


def _values(dtype: Any, shape: tuple[int, ...], seed: int) -> Any:
    random = np.random.default_rng(seed)
    if dtype is TComplex64:
        parts = [_values(TFloat32, shape, each) for each in (seed, seed + 100)]
        return np.stack(parts, axis=-1).view(np.complex64)[..., 0]
    if dtype in (TFloat32, TFloat64):
        x = random.standard_normal(shape)
        return np.where(random.random(shape) < 0.3, random.choice(SPECIAL, shape), x).astype(dtype.numpy)
    return random.integers(0, 2, shape).astype(dtype.numpy)


def _operations() -> Iterator[Operation]:
    """The operations of float32 or complex64 in cases, one for each combination of types and attributes."""
    seen: set[str] = set()
    for case in [case for cases in by_op().values() for _, case in cases if not case.fails and _is_numeric(case)]:
        scope = tg.Scope(tg.Graph(seed=1))
        op = build(scope, case, place_all(scope, case))
        what = str((op.type, [each.dtype for each in op.inputs], dict(op.attrs)))
        if what not in seen:
            seen.add(what)
            yield op


def _is_numeric(case: Case) -> bool:
    value = getattr(case.inputs[0], "value", case.inputs[0]) if case.inputs else None
    return value is not None and not isinstance(value, tuple) and as_array(value).dtype in (np.float32, np.complex64)


def _computed(op: Operation) -> tuple[Any, Expression, Sequence[int]] | None:
    """The function that computes an operation, its calls and the positions of their results, if they can be a group."""
    kernel = resolve(op.definition.kernel)
    if isinstance(kernel, Whole):
        recorded = expressions(kernel.step, [np.dtype(np.float32)] * len(op.inputs), attributes(op))
        return None if recorded is None else (kernel.step, *recorded)
    calls = None if op.definition.has_list_inputs else expression_of(op)
    return None if calls is None else (kernel, calls, [len(op.inputs) + len(calls) - 1])


def _differs(op: Operation) -> bool | None:
    """Whether the calls make other bits than the function; None if the operation cannot be in a group."""
    computed = _computed(op)
    if computed is None:
        return None
    function, calls, results = computed
    positions = sorted({position for position in results if position >= len(op.inputs)})
    inputs = [
        _values(TFloat32 if isinstance(resolve(op.definition.kernel), Whole) else each.dtype, shape, seed)
        for seed, each in enumerate(op.inputs)
        for shape in [() if each.shape.dims == () and each.dtype is not TResource else (SIZE,)]
    ]
    expected = quiet().run(function, np, *inputs, **attributes(op))
    result = quiet().run(FusedKernel(calls, len(inputs), positions, Arrays()), *inputs)
    new = dict(zip(positions, result if len(positions) > 1 else [result], strict=True))
    of_position = zip(results, expected if len(results) > 1 or type(expected) is tuple else [expected], strict=True)
    return any(np.asarray(value).tobytes() != np.asarray(new[at]).tobytes() for at, value in of_position if at in new)


def test_temporary_arrays_change_no_bit() -> None:
    differing = {op: is_other for op in _operations() if (is_other := _differs(op)) is not None}
    assert len(differing) > 100
    assert [op.type for op, is_other in differing.items() if is_other] == []
