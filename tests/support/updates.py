"""Cases of operations that update variables by a step of an optimizer: on whole variables, and on rows of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from attrs import frozen

from support.case import Case, Var
from support.samples import COMPLEX, FLOATING, sample, values

VARIABLES = ("var", "m", "total", "mg", "mom", "linear")
"""The variables that may hold negative numbers."""
SQUARES = ("accum", "accum_update", "v", "vhat", "ms")
"""The variables that hold averages or sums of squares, large enough for the variance of the centered ones to be
positive."""
NUMBERS: Mapping[str, float] = {
    "lr": 0.5,
    "momentum": 0.75,
    "rho": 0.875,
    "epsilon": 0.125,
    "beta1": 0.875,
    "beta2": 0.75,
    "beta1_power": 0.75,
    "beta2_power": 0.5,
    "l1": 0.25,
    "l2": 0.125,
    "l2_shrinkage": 0.0625,
    "lr_power": -0.5,
    "alpha": 1.25,
    "logbase": 0.75,
    "sign_decay": 0.5,
    "beta": 0.875,
}
ROWS = values("int32", 2, 0)


@frozen
class Update:
    """An operation that updates variables, and its inputs by the names of the tables above."""

    op: str
    inputs: tuple[str, ...]
    option: str = ""
    """A Boolean attribute, false by default."""
    is_real: bool = False
    """Whether its formula compares, which complex numbers do not allow."""

    def of_rows(self) -> Update:
        """The operation on rows, which has the indices after the gradient."""
        after = self.inputs.index("grad") + 1
        inputs = (*self.inputs[:after], "indices", *self.inputs[after:])
        return Update(self.op.replace("Apply", "SparseApply"), inputs, self.option, self.is_real)

    def case(
        self,
        dtype: str = "float",
        shape: tuple[int, ...] = (2, 3),
        *,
        change: Mapping[str, Any] | None = None,
        rows: int | None = None,
        attrs: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Case:
        """One step; `change` replaces inputs."""
        inputs = [
            change[name] if change and name in change else _input(name, dtype, shape, rows, seed)
            for seed, name in enumerate(self.inputs)
        ]
        return Case(self.op, tuple(inputs), dict(attrs or {}), **options)

    def row_case(
        self, dtype: str = "float", shape: tuple[int, ...] = (4, 3), indices: Any = ROWS, **options: Any
    ) -> Case:
        """One step of some rows."""
        change = {"indices": indices, **options.pop("change", {})}
        return self.case(dtype, shape, rows=np.size(indices), change=change, **options)


def _input(name: str, dtype: str, shape: tuple[int, ...], rows: int | None, seed: int) -> Any:
    if name == "grad":
        return sample(dtype, shape if rows is None else (rows, *shape[1:]), seed=seed, gap=0.25)
    if name in VARIABLES:
        return Var(sample(dtype, shape, -2, 2, seed=seed))
    if name in SQUARES:
        return Var(np.abs(sample(dtype, shape, 5, 9, seed=seed)).astype(sample(dtype, ()).dtype))
    if name == "global_step":
        return np.int64(3)
    return values(dtype, NUMBERS[name])[0]


def updates(operations: Iterable[Update]) -> Iterator[Case]:
    """Steps of whole variables: every type, empty and scalar variables, options, zero gradients, refusals."""
    for update in operations:
        yield from (update.case(dtype) for dtype in FLOATING)
        yield from (update.case(dtype, fails=update.is_real) for dtype in COMPLEX)
        for shape in ((), (0, 3)):
            yield update.case("double", shape)
        if update.option:
            yield from (update.case(dtype, attrs={update.option: True}) for dtype in FLOATING)
        yield update.case(change={"grad": sample("float", (2, 3)) * np.float32(0)})
        yield update.case(attrs={"use_locking": True})
        yield from _refusals(update)


def _refusals(update: Update) -> Iterator[Case]:
    """Numbers that are not scalars; variables of another shape or type, or without value; gradients that do not fit."""

    def refused(name: str, value: Any) -> Case:
        return update.case(change={name: value}, fails=True)

    for name in update.inputs:
        if name in (*VARIABLES, *SQUARES):
            yield refused(name, Var(None))
            yield refused(name, Var(sample("float", (2, 4), 5, 9)))
            yield refused(name, Var(sample("double", (2, 3), 5, 9)))
        elif name in NUMBERS:
            yield refused(name, values("float", NUMBERS[name]))
    for shape in ((3,), (), (1, 2, 3)):
        yield refused("grad", sample("float", shape))


def row_updates(operations: Iterable[Update]) -> Iterator[Case]:
    """Steps of rows: every type; rows in any order, listed once, repeatedly or never; variables of every rank; options;
    and what is refused.
    """
    repeated = values("int64", 1, 3, 1, 1, 3)
    for update in operations:
        yield from (update.row_case(dtype, indices=repeated) for dtype in FLOATING)
        yield from (update.row_case(dtype, fails=update.is_real) for dtype in COMPLEX)
        for shape in ((4,), (4, 1), (4, 2, 3)):
            yield from (update.row_case("double", shape, indices) for indices in (ROWS, repeated))
        yield update.row_case(indices=values("int32"))
        yield update.row_case(attrs={"use_locking": True})
        if update.option:
            yield from (update.row_case(dtype, indices=repeated, attrs={update.option: True}) for dtype in FLOATING)
        yield from (update.row_case(indices=values("int32", 0, index), fails=True) for index in (4, -1))
        yield update.row_case(indices=ROWS[None], fails=True)
        yield from _row_refusals(update)


def _row_refusals(update: Update) -> Iterator[Case]:
    def refused(name: str, value: Any) -> Case:
        return update.row_case(change={name: value}, fails=True)

    for name in update.inputs:
        if name in (*VARIABLES, *SQUARES):
            yield refused(name, Var(None))
            yield refused(name, Var(sample("float", (4, 2), 5, 9)))
        elif name in NUMBERS:
            yield refused(name, values("float", NUMBERS[name]))
    yield refused("var", Var(sample("double", (4, 3))))
    yield refused("var", Var(sample("float", ())))
    for shape in ((3,), (), (3, 3), (2, 2)):
        yield refused("grad", sample("float", shape))


def changed_rows(update: Update, name: str, number: float, *, fails: bool, **attrs: bool) -> Case:
    """A step of rows with one other number."""
    return update.row_case(
        indices=values("int32", 2, 0, 2), change={name: np.float32(number)}, fails=fails, attrs=attrs
    )
