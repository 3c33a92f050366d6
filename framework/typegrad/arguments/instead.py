"""What to write instead of a wrong argument, where the parameter says more than the kind of what it takes."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

__all__ = [
    "NOT_ITS_VALUE",
    "OF_PAIRS",
    "SEVERAL_GRADIENTS",
    "instead",
    "instead_of_option",
    "of_function",
    "of_labels",
    "of_operand",
    "of_several",
    "of_text",
    "of_tuple",
    "of_value",
]


_ONE_AT_A_TIME: Final = "it differentiates with respect to one; call it for each"
NOT_ITS_VALUE: Final = "pass the operand that was run, not the value that session.run returned"
SEVERAL_GRADIENTS: Final = "tg.gradients takes several"
_OF_SEVERAL: Final = {
    "grad": SEVERAL_GRADIENTS,
    "jacobian": _ONE_AT_A_TIME,
    "hessian": _ONE_AT_A_TIME,
    "hvp": _ONE_AT_A_TIME,
}
OF_PAIRS: Final = "apply_gradients of an optimizer takes pairs (gradient, variable)"
_INSTEAD: Final = {
    ("Runner.feed", "operand"): "the operand comes first: feed(x, value)",
    ("from_numpy", "dtype"): "it is about array.dtype; core.Constant.create(scope, array) makes an operand",
    ("fit", "feeds"): "write the operands alone, in the order of the dataset's arrays: (x, y)",
    ("fit", "step"): "minimize(loss) of an optimizer makes the step",
    ("fit", "dataset"): "tg.data.Dataset.from_arrays(x, y) makes one",
    ("Dataset", "elements"): "tg.data.Dataset.from_arrays(x, y) makes a dataset of arrays",
    ("Graph.show", "path"): "to draw what an operand depends on, write show(y=operand)",
    ("norm", "ord"): "infinity is np.inf",
    ("Saver.save", "metric"): "session.run(loss, feeds) returns a number",
    ("Session.value", "variable"): "session.run(x, feeds) takes any operand, several in a list or mapping, and names",
}

_DIFFERENTIATED: Final = {
    "y": ("grad", "jacobian", "hessian", "hvp"),
    "x": ("grad", "jacobian", "hessian"),
    "loss": ("minimize", "compute_gradients"),
}
"""By the parameter: functions that differentiate, for which a constant is of no use."""

_OF_OPERANDS: Final = {
    "grad": "tg.grad(scope, f(x), x)",
    "gradients": "tg.gradients(scope, f(x), [x])",
    "jacobian": "tg.jacobian(scope, f(x), x)",
    "hessian": "tg.hessian(scope, f(x), x)",
    "hvp": "tg.hvp(scope, f(x), x, v)",
}
"""How functions are called that take what a function returns, and in other libraries the function."""

_OF_OPTIMIZERS: Final = {
    "clip": "tg.optimizers.ClipByNorm(1.0) is one",
    "learning_rate": "a function is a schedule, such as tg.optimizers.CosineDecay(0.1, 1000)",
}

_SCHEDULE: Final = "tg.optimizers.ExponentialDecay(0.1, 1000, 0.9)"
_OF_FEW: Final = {
    "decay": (
        "rho",
        f"TensorFlow 1's `decay` of the squares is `rho`; a schedule lowers the rate: {_SCHEDULE}",
    ),
}
"""Options elsewhere that mean another one in few calls, and what to write there."""
_OPTIONS: Final = {
    "clipnorm": ("clip", "write clip=tg.optimizers.ClipByNorm(1.0)"),
    "global_clipnorm": ("clip", "write clip=tg.optimizers.ClipByGlobalNorm(1.0)"),
    "clipvalue": ("clip", "write clip=tg.optimizers.ClipByValue(1.0)"),
    "callbacks": (
        "after_epoch",
        "after_epoch=function calls a function after each epoch; if it returns True, training stops",
    ),
    "validation_data": (
        "after_epoch",
        "a function for after_epoch computes it: session.run(loss, {x: test_x, y: test_y})",
    ),
    "verbose": (
        "after_epoch",
        "a function for after_epoch prints: lambda progress: print(progress.epoch, progress.values)",
    ),
    "batch_size": ("after_epoch", "write dataset.batch(32)"),
    "shuffle": ("after_epoch", "write dataset.shuffle(seed=0)"),
    "var_list": ("strict", "write names=[v.name for v in var_list]"),
    "constraint": ("initial_value", "after each step, run w.assign(scope, constraint(scope, w))"),
    "regularizer": ("initial_value", "add tg.regularizers.L2(0.01)(scope, w) to the loss"),
    "training": ("noise_shape", "leave the call out of the model that is evaluated; it shares its variables"),
    "amsgrad": ("beta_1", "tg.optimizers.AMSGrad has it"),
    "decay": ("learning_rate", f"a schedule has it: {_SCHEDULE}"),
    "ema_momentum": ("clip", "tg.optimizers.ExponentialMovingAverage averages variables"),
    "gradient_accumulation_steps": ("clip", "train.ResourceConditionalAccumulator accumulates gradients"),
    "use_ema": ("clip", "tg.optimizers.ExponentialMovingAverage averages variables"),
    "momentum": ("learning_rate", "tg.optimizers.Momentum has it"),
    "nesterov": ("learning_rate", "tg.optimizers.Momentum has it"),
}
"""Options elsewhere: what to write where an argument of this name is taken."""


_PROBABILITIES: Final = "; {} takes probabilities"
_OF_LABELS: Final = {
    "SparseCategoricalCrossentropy": _PROBABILITIES.format("CategoricalCrossentropy"),
    "sparse_categorical_crossentropy": _PROBABILITIES.format("categorical_crossentropy"),
    "SparseCategoricalAccuracy.update_state": _PROBABILITIES.format("CategoricalAccuracy"),
}
"""By the loss or metric that takes class numbers: what takes the probabilities of classes."""


def of_labels(called: str, parameter: str) -> str:
    """What takes labels of another element type, behind how to cast them; "" for other arguments."""
    return _OF_LABELS.get(called, "") if parameter == "y_true" else ""


def instead_of_option(name: str, names: Container[str]) -> str:
    """What to write instead of the option `name` in a call that takes `names`; "" if nothing has its meaning."""
    known = (table[name] for table in (_OF_FEW, _OPTIONS) if name in table)
    return next((remedy for beside, remedy in known if beside in names), "")


def instead(called: str, parameter: str) -> str:
    """What to write in the place of a wrong argument; "" if its kind says it."""
    return _INSTEAD.get((called, parameter)) or (_OF_OPTIMIZERS.get(parameter, "") if called != "Constant" else "")


def of_several(called: str, parameter: str) -> str:
    """What to do with several operands where a function differentiates with respect to one; "" for other parameters."""
    return _OF_SEVERAL.get(called.rpartition(".")[2], "") if parameter == "x" else ""


def of_tuple(count: int) -> str:
    """What to write instead of a tuple of operands, such as one that a function returns."""
    if count == 1:
        return "[0] takes the operand in it"
    parts = [f"[{position}]" for position in range(count)]
    shown = f"{parts[0]} to {parts[-1]}" if count > 3 else ", ".join(parts)
    return f"take one of its operands: {shown}; core.Stack makes one operand of several"


def of_function(called: str) -> str:
    """What to write instead of a function where operands are differentiated; "" for other functions than these."""
    return f"operands are differentiated, not functions: {_OF_OPERANDS[called]}" if called in _OF_OPERANDS else ""


def of_operand(called: str, parameter: str, operand: str = "x") -> str:
    """What to write instead of an operand; "" if its kind says it."""
    is_stated = called.endswith(".expect") and parameter == "shape"
    return f"like={operand} states the shape of an operand" if is_stated else ""


def of_text(called: str, parameter: str, value: str) -> str:
    """What to write instead of a text that names the step or variables; "" for other parameters."""
    if parameter != "var_list":
        return ""
    start = f"{value.rstrip('/')}/"
    held = f"[v for v in graph.variables if f'{{v.name}}/'.startswith({start!r})] holds those of that name or scope"
    return f"write name={value!r} to name the step; {held}" if called.endswith(".minimize") else held


def of_value(called: str, parameter: str) -> str:
    """What to write instead of an array or a number where a function differentiates; "" for other parameters."""
    is_differentiated = called.rpartition(".")[2] in _DIFFERENTIATED.get(parameter, ())
    return NOT_ITS_VALUE if is_differentiated else ""
