"""Cases of `ops/sparse_optimizer.yaml`: steps of every optimizer, on rows of variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cases.optimizer import NUMBERS, OPTIONS, SIGNED, SQUARES, VARIABLES, step
from support.case import Case, Var
from support.samples import COMPLEX, FLOATING, sample, values

INPUTS: Mapping[str, tuple[str, ...]] = {
    "ResourceSparseApplyMomentum": ("var", "accum", "lr", "grad", "indices", "momentum"),
    "ResourceSparseApplyKerasMomentum": ("var", "accum", "lr", "grad", "indices", "momentum"),
    "ResourceSparseApplyAdagrad": ("var", "accum", "lr", "grad", "indices"),
    "ResourceSparseApplyAdagradV2": ("var", "accum", "lr", "epsilon", "grad", "indices"),
    "ResourceSparseApplyAdagradDA": ("var", "total", "accum", "grad", "indices", "lr", "l1", "l2", "global_step"),
    "ResourceSparseApplyAdadelta": ("var", "accum", "accum_update", "lr", "rho", "epsilon", "grad", "indices"),
    "ResourceSparseApplyFtrl": ("var", "accum", "linear", "grad", "indices", "lr", "l1", "l2", "lr_power"),
    "ResourceSparseApplyFtrlV2": (
        *("var", "accum", "linear", "grad", "indices", "lr", "l1", "l2", "l2_shrinkage", "lr_power"),
    ),
    "ResourceSparseApplyRMSProp": ("var", "ms", "mom", "lr", "rho", "momentum", "epsilon", "grad", "indices"),
    "ResourceSparseApplyCenteredRMSProp": (
        *("var", "mg", "ms", "mom", "lr", "rho", "momentum", "epsilon", "grad", "indices"),
    ),
    "ResourceSparseApplyProximalGradientDescent": ("var", "lr", "l1", "l2", "grad", "indices"),
    "ResourceSparseApplyProximalAdagrad": ("var", "accum", "lr", "l1", "l2", "grad", "indices"),
}


def whole(op: str) -> str:
    """The operation on whole variables."""
    return op.replace("Sparse", "")


def steps(op: str, names: tuple[str, ...]) -> Iterator[Case]:
    """Every type; rows in any order, named once, several times or never; variables of every rank; options."""
    once, often = values("int32", 2, 0), values("int64", 1, 3, 1, 1, 3)

    def taken(dtype: str = "float", shape: tuple[int, ...] = (4, 3), indices: Any = once, **options: Any) -> Case:
        rows = np.size(indices)
        return step(op, names, dtype, shape, rows=rows, change={"indices": indices}, **options)

    yield from (taken(dtype, indices=often) for dtype in FLOATING)
    yield from (taken(dtype, fails=whole(op) in SIGNED) for dtype in COMPLEX)
    for shape in ((4,), (4, 1), (4, 2, 3)):
        yield from (taken("double", shape, indices) for indices in (once, often))
    yield taken(indices=values("int32"))
    yield taken(attrs={"use_locking": True})
    if whole(op) in OPTIONS:
        yield from (taken(dtype, indices=often, attrs={OPTIONS[whole(op)]: True}) for dtype in FLOATING)
    yield from (taken(indices=values("int32", 0, wrong), fails=True) for wrong in (4, -1))
    yield taken(indices=values("int32", 2, 0)[None], fails=True)
    yield from refusals(op, names)


def refusals(op: str, names: tuple[str, ...]) -> Iterator[Case]:
    """Numbers that are no scalars, variables of another shape or without a value, and gradients that do not fit."""
    indices = values("int32", 2, 0)

    def refused(name: str, value: Any) -> Case:
        return step(op, names, shape=(4, 3), rows=2, change={"indices": indices, name: value}, fails=True)

    for name in names:
        if name in (*VARIABLES, *SQUARES):
            yield refused(name, Var(None))
            yield refused(name, Var(sample("float", (4, 2), 5, 9)))
        elif name in NUMBERS:
            yield refused(name, values("float", NUMBERS[name]))
    yield refused("var", Var(sample("double", (4, 3))))
    yield refused("var", Var(sample("float", ())))
    for shape in ((3,), (), (3, 3), (2, 2)):
        yield refused("grad", sample("float", shape))


def special() -> Iterator[Case]:
    """Numbers at and beyond the ends of their ranges."""
    indices = values("int32", 2, 0, 2)

    def changed(op: str, name: str, number: float, *, fails: bool, **attrs: bool) -> Case:
        change = {"indices": indices, name: np.float32(number)}
        return step(op, INPUTS[op], shape=(4, 3), rows=3, change=change, fails=fails, attrs=attrs)

    for op in ("ResourceSparseApplyAdagrad", "ResourceSparseApplyAdagradV2"):
        yield changed(op, "lr", 0.25, fails=False, update_slots=False)
    for op in ("ResourceSparseApplyFtrl", "ResourceSparseApplyFtrlV2"):
        for name, number in (("lr", -1), ("lr", 0), ("l1", -1), ("l2", -1), ("lr_power", 0.5)):
            yield changed(op, name, number, fails=True)
        yield changed(op, "lr", 0, fails=False, multiply_linear_by_lr=True)
        yield changed(op, "lr", -1, fails=True, multiply_linear_by_lr=True)
        for name, number in (("l1", 0), ("l1", 9), ("lr_power", 0), ("lr_power", -1)):
            yield from (changed(op, name, number, fails=False, multiply_linear_by_lr=by_lr) for by_lr in (False, True))
    yield changed("ResourceSparseApplyFtrlV2", "l2_shrinkage", -1, fails=True)
    for op in ("ResourceSparseApplyAdagradDA", "ResourceSparseApplyProximalGradientDescent"):
        yield from (changed(op, "l1", number, fails=False) for number in (0, -1, 9))
    op = "ResourceSparseApplyProximalAdagrad"
    for name, number in (("lr", -1), ("lr", 0), ("l1", -1), ("l2", -1)):
        yield changed(op, name, number, fails=True)
    yield from (changed(op, "l1", number, fails=False) for number in (0, 9))


CASES: list[Case] = [
    *(case for op, names in INPUTS.items() for case in steps(op, names)),
    *special(),
]
