"""Variables and gradients of values of which not all is known: what is refused whatever these are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = (
    UNSIZED
    + """
from typegrad import functions
from typegrad.differentiation.api import Gradients
from typegrad.training.optimizers import GradientDescent
optimizer = GradientDescent(scope.graph, 0.1)
a = a.astype(np.float32)
v = tg.Variable.create(scope, a[a[:, 0] > 0.5])
w = tg.Variable.create(scope, unknown.array, F)
fixed = tg.Variable.create(scope, np.zeros(3, np.float32))
either = {"v": v, "fixed": fixed}[unknown.name]
loss = core.Sum.create(scope, x * x, [0, 1])
mixed = core.Sum.create(scope, v * either)
"""
)
WRONG: Final = {
    "a gradient without a path as an operand": (
        "(g,) = tg.gradients(scope, loss, [v])\nnn.Relu.create(scope, g)  # E: or the gradient where none flows"
    ),
    "one as a number": "(g,) = tg.gradients(scope, [loss], [w])\ng * 2.0  # E: 'NoneType' and 'float'",
    "one of several": "g, h = tg.gradients(scope, core.Sum.create(scope, v), [v, fixed])\ng * 2.0\nh * 2.0  # E: None",
    "one to assign": "(g,) = tg.gradients(scope, loss, [w])\nw.assign_sub(scope, g)  # E: `value` must be an Operand",
    "no path": "tg.grad(scope, loss, w)  # E: no path of values leads from it",
    "no path to a placeholder": (
        "y = core.Placeholder.create(scope, F, (n, 3))\ntg.grad(scope, loss, y)  # E: no path of values leads from it"
    ),
    "gradients by their positions": "Gradients.create(scope, loss, [v]).dy(0)  # E: y does not depend on xs[0]",
    "nothing to train": "optimizer.minimize(loss, [v, w])  # E: trains no variable",
    "no gradient to apply": "optimizer.apply_gradients([(None, v)])  # E: there is no gradient to apply",
    "a variable that is no list": "optimizer.minimize(mixed, v)  # E: must be a list of Variables",
    "an argument of a function": "functions.norm(scope, v, ord='three')  # E: `ord` must be one of",
    "a call without the scope": "v.assign(a)  # E: it is called as Variable.assign(scope, value)",
    "another rank": "v.assign(scope, a[a[:, 0] > 0.5][:, 0])  # E: has shape [?, 3], but `value` has shape [?]",
    "another size": "v.assign(scope, np.zeros((n, 4), np.float32))  # E: `value` has shape [?, 4]",
    "a size that is not known": "fixed.assign(scope, a[a[:, 0] > 0.5])  # E: `value` has shape [?, 3]",
    "an element type": "v.assign_add(scope, np.zeros((n, 3)))  # E: an array of float64 is not float32",
    "an element type of an operand": "w.assign(scope, core.Constant.create(scope, np.zeros(n)))  # E: is float32, but",
    "an element type beside a variable of any array": "w * np.zeros(3)  # E: an array of float64 is not float32",
    "a text for a variable of any array": "w.assign(scope, 'zeros')  # E: is not float32; write a float",
    "rows of an index that is none": "v.gather(scope, core.Constant.create(scope, 0.5))  # E: must be int32 or int64",
    "rows of a handle": (
        "core.ResourceScatterAdd.create(scope, v.handle, [0], np.zeros((n, 2), np.float32))  # E: has shape [?, 2]"
    ),
    "an initial value": "tg.Variable.create(scope, core.Constant.create(scope, a), D)  # E: is not tg.TFloat64",
}
RIGHT: Final = {
    "a gradient through what is not known": "g, h = tg.gradients(scope, mixed, [v, fixed])\nh * 2.0; g * 2.0",
    "one of a pair": "(_, _), (_, _), (h, _) = optimizer.compute_gradients(mixed)\nh * 2.0",
    "one by its position": "Gradients.create(scope, mixed, [v, fixed]).dy(1) * 2.0",
    "one alone": "tg.grad(scope, mixed, fixed) * 2.0",
    "one of what a function makes": "tg.grad(scope, core.Sum.create(scope, v * unknown.layer(fixed)), fixed) * 2.0",
    "one of a sum in a loop": (
        "total = loss\nfor each in range(unknown.n):\n    total = total + core.Sum.create(scope, w)\n"
        "tg.grad(scope, core.Identity.create(scope, loss + total), w) * 2.0"
    ),
    "training": "optimizer.minimize(mixed, [fixed]); optimizer.minimize(mixed)",
    "gradients that are looked at": (
        "for g in tg.gradients(scope, loss, [v, w]):\n    if g is not None: g * 2.0\n"
        "[g * 2.0 for g in tg.gradients(scope, loss, [v]) if g is not None]"
    ),
    "zeros": "tg.gradients(scope, loss, [v], unconnected_gradients='zero')[0] * 2.0",
    "an error that is caught": "try:\n    g = tg.grad(scope, loss, v)\nexcept tg.GradientError:\n    g = v\ng * 2.0",
    "values that fit": (
        "v.assign(scope, a); v.assign(scope, np.zeros((n, 3), np.float32)); v.assign_sub(scope, unknown.array)\n"
        "w.assign(scope, a); w.assign(scope, value=unknown.array); w.assign_add(scope, [[n, 1, 2.5]])\n"
        "fixed.assign(scope, [n, unknown.number, 2.5]); fixed.assign(scope, a[unknown.index])"
    ),
    "rows": "v.gather(scope, n); v.gather(scope, indices=unknown.rows); w.gather(scope, counts)",
    "methods by other names": (
        "assign = w.assign\nassign(scope, unknown.array); tg.Variable.assign(w, scope, unknown.array)"
    ),
    "numbers": "rate = tg.Variable.create(scope, unknown.rate, dtype=F)\nrate * 2.0; rate.assign(scope, n)",
    "a shape or a value": (
        "made = tg.Variable.create(scope, unknown.value, F, shape=(n, 3))\nmade.assign(scope, v)\n"
        "tg.Variable.create(scope, shape=unknown.shape, dtype=F).assign(scope, a)"
    ),
    "an element type that is not known": "tg.Variable.create(scope, unknown.array, unknown.dtype) * np.zeros(3)",
    "options": "tg.Variable.create(scope, unknown.array, F, trainable=unknown.flag).assign(scope, a)",
    "a converted array": "tg.Variable.create(scope, np.zeros((n, 3)), F) * a[0]",
}


@pytest.mark.parametrize("program", [*WRONG.values(), *RIGHT.values()], ids=[*WRONG, *RIGHT])
def test_what_is_told(program: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + program) == []
