"""Cases of `ops/optimizer.yaml`: single steps of every optimizer, on whole variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from support.case import Case, Var
from support.samples import COMPLEX, FLOATING, NUMBER, sample, values

INPUTS: Mapping[str, tuple[str, ...]] = {
    "ResourceApplyMomentum": ("var", "accum", "lr", "grad", "momentum"),
    "ResourceApplyKerasMomentum": ("var", "accum", "lr", "grad", "momentum"),
    "ResourceApplyAdagrad": ("var", "accum", "lr", "grad"),
    "ResourceApplyAdagradV2": ("var", "accum", "lr", "epsilon", "grad"),
    "ResourceApplyAdagradDA": ("var", "total", "accum", "grad", "lr", "l1", "l2", "global_step"),
    "ResourceApplyAdadelta": ("var", "accum", "accum_update", "lr", "rho", "epsilon", "grad"),
    "ResourceApplyAdam": ("var", "m", "v", "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"),
    "ResourceApplyAdamWithAmsgrad": (
        *("var", "m", "v", "vhat", "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"),
    ),
    "ResourceApplyAdaMax": ("var", "m", "v", "beta1_power", "lr", "beta1", "beta2", "epsilon", "grad"),
    "ResourceApplyFtrl": ("var", "accum", "linear", "grad", "lr", "l1", "l2", "lr_power"),
    "ResourceApplyFtrlV2": ("var", "accum", "linear", "grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"),
    "ResourceApplyRMSProp": ("var", "ms", "mom", "lr", "rho", "momentum", "epsilon", "grad"),
    "ResourceApplyCenteredRMSProp": ("var", "mg", "ms", "mom", "lr", "rho", "momentum", "epsilon", "grad"),
    "ResourceApplyProximalGradientDescent": ("var", "lr", "l1", "l2", "grad"),
    "ResourceApplyProximalAdagrad": ("var", "accum", "lr", "l1", "l2", "grad"),
}

OPTIONS: Mapping[str, str] = {
    "ResourceApplyMomentum": "use_nesterov",
    "ResourceApplyKerasMomentum": "use_nesterov",
    "ResourceApplyAdam": "use_nesterov",
    "ResourceApplyFtrl": "multiply_linear_by_lr",
    "ResourceApplyFtrlV2": "multiply_linear_by_lr",
}

SIGNED = (
    "ResourceApplyAdagradDA",
    "ResourceApplyAdamWithAmsgrad",
    "ResourceApplyAdaMax",
    "ResourceApplyFtrl",
    "ResourceApplyFtrlV2",
    "ResourceApplyProximalGradientDescent",
    "ResourceApplyProximalAdagrad",
)
"""Those with formulas that compare, which complex numbers do not allow."""
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
}


def given(name: str, dtype: str, shape: tuple[int, ...], rows: int | None, seed: int) -> Any:
    """An input by its name; a gradient may be of some rows only."""
    if name == "grad":
        return sample(dtype, shape if rows is None else (rows, *shape[1:]), seed=seed, gap=0.25)
    if name in VARIABLES:
        return Var(sample(dtype, shape, -2, 2, seed=seed))
    if name in SQUARES:
        return Var(np.abs(sample(dtype, shape, 5, 9, seed=seed)).astype(sample(dtype, ()).dtype))
    if name == "global_step":
        return np.int64(3)
    return values(dtype, NUMBERS[name])[0]


def step(
    op: str,
    names: tuple[str, ...],
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
        change[name] if change and name in change else given(name, dtype, shape, rows, seed)
        for seed, name in enumerate(names)
    ]
    return Case(op, tuple(inputs), dict(attrs or {}), **options)


def refusals(op: str, names: tuple[str, ...], **options: Any) -> Iterator[Case]:
    """Numbers that are no scalars, variables of another shape or type, or without a value, and a gradient that does not
    fit.
    """

    def refused(name: str, value: Any) -> Case:
        return step(op, names, change={name: value}, fails=True, **options)

    for name in names:
        if name in (*VARIABLES, *SQUARES):
            yield refused(name, Var(None))
            yield refused(name, Var(sample("float", (2, 4), 5, 9)))
            yield refused(name, Var(sample("double", (2, 3), 5, 9)))
        elif name in NUMBERS:
            yield refused(name, values("float", NUMBERS[name]))
    for shape in ((3,), (), (1, 2, 3)):
        yield refused("grad", sample("float", shape))


def steps(op: str, names: tuple[str, ...]) -> Iterator[Case]:
    """Every type, empty and scalar variables, options, zeros and infinite gradients."""
    yield from (step(op, names, dtype) for dtype in FLOATING)
    yield from (step(op, names, dtype, fails=op in SIGNED) for dtype in COMPLEX)
    for shape in ((), (0, 3)):
        yield step(op, names, "double", shape)
    if op in OPTIONS:
        yield from (step(op, names, dtype, attrs={OPTIONS[op]: True}) for dtype in FLOATING)
    yield step(op, names, change={"grad": sample("float", (2, 3)) * np.float32(0)})
    yield step(op, names, attrs={"use_locking": True})
    yield from refusals(op, names)


def special() -> Iterator[Case]:
    """Numbers at the ends of their ranges."""
    for op in ("ResourceApplyAdagrad", "ResourceApplyAdagradV2"):
        yield step(op, INPUTS[op], attrs={"update_slots": False})
        yield step(op, INPUTS[op], change={"accum": Var(sample("float", (2, 3)) * np.float32(0))})
    for op in ("ResourceApplyFtrl", "ResourceApplyFtrlV2"):
        for name, number in (("lr_power", -1), ("lr_power", 0), ("lr_power", 0.5), ("lr", -1), ("l1", -1), ("l1", 9)):
            for multiplied in (False, True):
                yield step(
                    op, INPUTS[op], change={name: np.float32(number)}, attrs={"multiply_linear_by_lr": multiplied}
                )
        nowhere = np.full((2, 3), np.nan, np.float32)
        yield step(op, INPUTS[op], change={"grad": nowhere}, differs="nan is no reason for a variable to be 0")
    for op in ("ResourceApplyAdagradDA", "ResourceApplyProximalGradientDescent", "ResourceApplyProximalAdagrad"):
        for number in (0, -1, 9):
            fails = op == "ResourceApplyProximalAdagrad" and number < 0
            yield step(op, INPUTS[op], change={"l1": np.float32(number)}, fails=fails)
    for op in ("ResourceApplyAdaMax", "ResourceApplyAdamWithAmsgrad"):
        yield step(op, INPUTS[op], change={"grad": np.array([[np.nan, 1, np.inf], [-np.inf, 0, np.nan]], np.float32)})
    op = "ResourceApplyAdagradDA"
    yield step(op, INPUTS[op], change={"global_step": np.int64(0)})
    yield step(op, INPUTS[op], change={"global_step": values("int64", 3)}, fails=True)
    for op in ("ResourceApplyAdam", "ResourceApplyAdamWithAmsgrad"):
        yield step(op, INPUTS[op], change={"beta1_power": np.float32(1)})
        yield step(op, INPUTS[op], change={"beta1": np.float32(0), "beta2": np.float32(0)})


def descents() -> Iterator[Case]:
    """Steps of gradient descent: every type, empty and scalar variables, and steps that do not fit."""
    op = "ResourceApplyGradientDescent"
    for dtype in NUMBER:
        value = sample(dtype, (2, 3), high=9)
        yield Case(op, (Var(value), value.dtype.type(2), sample(dtype, (2, 3), seed=1)))
    for shape in ((), (0, 3)):
        yield Case(op, (Var(sample("double", shape)), np.float64(0.5), sample("double", shape, seed=1)))
    variable = Var(sample("float", (2, 3)))
    delta = sample("float", (2, 3), seed=1)
    yield Case(op, (variable, values("float", 0.5), delta), fails=True)
    yield Case(op, (variable, np.float32(0.5), delta[0]), fails=True)
    yield Case(op, (variable, np.float64(0.5), delta.astype(np.float64)), fails=True)
    yield Case(op, (Var(None), np.float32(0.5), delta), fails=True)


CASES: list[Case] = [
    *descents(),
    *(case for op, names in INPUTS.items() for case in steps(op, names)),
    *special(),
]
