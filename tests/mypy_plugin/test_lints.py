"""The codes that the settings must enable: `typegrad-unknown`, `typegrad-broadcast`, `typegrad-loss`, `typegrad-warning`, `typegrad-unused`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check, disagreements

HEADER: Final = """\
# mypy: enable-error-code="typegrad-unknown,typegrad-broadcast", allow-untyped-defs, allow-untyped-calls
from typing import Any, Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, dtypes, linalg, math
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 784))
labels = core.Placeholder.create(scope, tg.TFloat32, (Batch,))
guesses = core.Placeholder.create(scope, tg.TFloat32, (Batch, 1))
a = core.Placeholder.create(scope, tg.TFloat32, (32,))
b = core.Placeholder.create(scope, tg.TFloat32, (32, 1))
def load() -> Any: ...
def relu(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]: raise NotImplementedError
"""

UNKNOWN: Final = {
    "what returns Any, once": """
w = linalg.MatMul.create(scope, x, load())  # E: MatMul: the shape comes from `load()`, which returns Any; state it with expect  [typegrad-unknown]
again = linalg.MatMul.create(scope, x, load())
w + 1
""",
    "what is Any, once": """
def f(anything: Any) -> None:
    x + anything  # E: `x + anything`: the shape comes from `anything`, which is Any; state it with expect  [typegrad-unknown]
    x - anything
""",
    "what follows from the first": """
def f() -> None:
    y = core.Constant.create(scope, load(), tg.TFloat32)  # E: Constant: the shape comes from `load()`, which returns Any; state it with expect  [typegrad-unknown]
    z = math.Tanh.create(scope, y) * x
    same = z
    for each in [same, z]:
        each + 1
    [z][0] - 1
""",
    "a function of the user's, once": """
relu(x)  # E: `relu(x)`: `relu` is declared to return float32 [...]; declare the shape, or state it with expect  [typegrad-unknown]
relu(x * 2)
""",
    "a function without annotations": """
def old(x): return x
old(x)  # E: `old(x)`: `old` has no annotations; annotate it  [typegrad-unknown]
""",
    "what is declared so": """
def f(given: tg.Operand[tg.TFloat32], gradients: tuple[tg.Operand[Any], ...]) -> None:
    given + 1
    declared: tg.Operand[tg.TFloat32] = x
    declared + 1 if gradients else gradients[0] * 2
""",
    "what expect states": """
core.Constant.create(scope, load()).expect(tg.TFloat32, (784,)) + x
""",
    "values that are not in the source": """
def f(size: int) -> None:
    core.Reshape.create(scope, x, [size] * size)  # E: Reshape: the shape depends on values that are not in the source; state it with expect  [typegrad-unknown]
""",
    "an array of unknown shape": """
def f(array: "np.ndarray[Any, np.dtype[np.float32]]") -> None:
    core.Constant.create(scope, array) * x  # E: Constant: the shape comes from `array`, an array of unknown shape; state it with expect  [typegrad-unknown]
""",
    "lines with other than ASCII text": """
größe = x + load()  # E: an expression: the shape comes from `load(...)`, which returns Any; state it with expect  [typegrad-unknown]
x * (load()[0], "é")[0]  # E: an expression: the shape comes from an expression, which is Any; state it with expect  [typegrad-unknown]
""",
    "values that differ": """
def f(flag: bool) -> None:
    either = a if flag else b
    (either + 1) * 2  # E: `either + 1`: the shape comes from `either` (line 17), which is float32 [...]; state it with expect  [typegrad-unknown]
""",
    "what a loop changes": """
def f(count: int) -> None:
    h = x
    for i in range(count):
        t = h * 2  # E: `h * 2`: the shape comes from `h` (line 17), which is float32 [...]; state it with expect  [typegrad-unknown]
        h = core.Reshape.create(scope, t, [2] * i)
""",
    "one error for a mistake": """
def f() -> None:
    y = math.LogicalNot.create(scope, linalg.MatMul.create(scope, x, x))  # E: LogicalNot: x is float32, but must be bool; cast it with dtypes.Cast  [typegrad-dtype]  # E: MatMul: inner dimensions differ: a is [Batch, 784], b is [Batch, 784]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]
""",
    "a function that is checked later": """
def f() -> None:
    LATER + load()  # E: `LATER + load()`: the shape comes from `load()`, which returns Any; state it with expect  [typegrad-unknown]
    Model().w * 2
class Model:
    def __init__(self) -> None:
        self.w = self.v * 2
    @property
    def v(self) -> "tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]]": return LATER
LATER = x * 2
raise SystemExit(0)
""",
}
BROADCAST: Final = {
    "the operators": """
labels - guesses  # E: Sub: `labels` is [Batch] and `guesses` is [Batch, 1], so the result is [Batch, Batch]; index `labels` with [:, None], or squeeze `guesses` with core.Squeeze  [typegrad-broadcast]
guesses < labels  # E: Less: `guesses` is [Batch, 1] and `labels` is [Batch], so the result is [Batch, Batch]; index `labels` with [:, None], or squeeze `guesses` with core.Squeeze  [typegrad-broadcast]
def f() -> None:
    error = guesses - 1
    error -= labels  # E: Sub: `error` is [Batch, 1] and `labels` is [Batch], so the result is [Batch, Batch]; index `labels` with [:, None], or squeeze `error` with core.Squeeze  [typegrad-broadcast]
""",
    "operations": """
math.SquaredDifference.create(scope, y=guesses, x=labels)  # E: SquaredDifference: `guesses` is [Batch, 1] and `labels` is [Batch], so the result is [Batch, Batch]; index `labels` with [:, None], or squeeze `guesses` with core.Squeeze  [typegrad-broadcast]
math.Equal.create(scope, labels, guesses, incompatible_shape_error=False)  # E: Equal: `labels` is [Batch] and `guesses` is [Batch, 1], so the result is [Batch, Batch]; index `labels` with [:, None], or squeeze `guesses` with core.Squeeze  [typegrad-broadcast]
math.Equal.create(scope, labels, guesses)  # E: Equal: `labels` is [Batch] and `guesses` is [Batch, 1], so the result is [Batch, Batch]; index `labels` with [:, None], or squeeze `guesses` with core.Squeeze  [typegrad-broadcast]
math.NotEqual.create(scope, guesses, guesses)
core.Select.create(scope, labels > 0, guesses, guesses)  # E: Select: `labels > 0` is [Batch] and `guesses` is [Batch, 1], so the result is [Batch, Batch]; index `labels > 0` with [:, None], or squeeze `guesses` with core.Squeeze  [typegrad-broadcast]
core.Select.create(scope, guesses > 0, guesses, guesses - 1)
tg.Ops(scope).math.sub(labels, guesses)  # E: Sub: `labels` is [Batch] and `guesses` is [Batch, 1], so the result is [Batch, Batch]; index `labels` with [:, None], or squeeze `guesses` with core.Squeeze  [typegrad-broadcast]
""",
    "sizes": """
a * b  # E: Mul: `a` is [32] and `b` is [32, 1], so the result is [32, 32]; index `a` with [:, None], or squeeze `b` with core.Squeeze  [typegrad-broadcast]
b * np.zeros(32, np.float32)  # E: Mul: `b` is [32, 1] and `np.zeros(32, np.float32)` is [32], so the result is [32, 32]; index `np.zeros(32, np.float32)` with [:, None], or squeeze `b` with core.Squeeze  [typegrad-broadcast]
a * core.Placeholder.create(scope, tg.TFloat32, (7, 1))
labels * b
core.Placeholder.create(scope, tg.TFloat32, (1,)) * core.Placeholder.create(scope, tg.TFloat32, (1, 1))
core.Placeholder.create(scope, tg.TFloat32, (32, 32)) * a
""",
    "sizes that no one knows": """
p = core.Placeholder.create(scope, tg.TFloat32, (None,))
q = core.Placeholder.create(scope, tg.TFloat32, (None, 1))
p - q  # E: Sub: `p` is [?] and `q` is [?, 1], so the result is [?, ?]; index `p` with [:, None], or squeeze `q` with core.Squeeze  [typegrad-broadcast]
""",
    "more dimensions": """
wide = core.Placeholder.create(scope, tg.TFloat32, (Batch, 1, 3))
narrow = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
wide - narrow  # E: Sub: `wide` is [Batch, 1, 3] and `narrow` is [Batch, 3], so the result is [Batch, Batch, 3]; index `narrow` with [:, None, :], or squeeze `wide` with core.Squeeze  [typegrad-broadcast]
""",
    "tables of all pairs that are asked for": """
labels[:, None] - labels
labels - labels[:, np.newaxis]
core.ExpandDims.create(scope, labels, 1) * labels
guesses - core.Reshape.create(scope, labels, (1, -1))
""",
}
PASSED: Final = {
    "shapes that the program tells": """
Any32 = tg.Operand[tg.TFloat32]
def mse(p: Any32, t: Any32) -> Any32:
    return math.Mean.create(scope, math.SquaredDifference.create(scope, p, t))  # E: SquaredDifference: `p` is [Batch, 1] and `t` is [Batch], so the result is [Batch, Batch]; index `t` with [:, None], or squeeze `p` with core.Squeeze  [typegrad-broadcast]
mse(x @ np.zeros((784, 1), np.float32), labels)
mse(guesses, labels)
class Loss:
    def __init__(self, target: Any32) -> None:
        self.target = target
    def __call__(self, p: Any32) -> Any32:
        return self.differences(p) * 2.0
    def differences(self, p: Any32) -> Any32:
        return self.target - p  # E: Sub: `self.target` is [Batch] and `p` is [Batch, 1], so the result is [Batch, Batch]; index `self.target` with [:, None], or squeeze `p` with core.Squeeze  [typegrad-broadcast]
Loss(labels)(guesses)
""",
    "no tables": """
Any32 = tg.Operand[tg.TFloat32]
def mse(p: Any32, t: Any32) -> Any32:
    return math.Mean.create(scope, math.SquaredDifference.create(scope, p, t))
mse(guesses, guesses)
mse(labels, labels)
def dense(h: Any32, bias: Any32) -> Any32:
    return h + bias
dense(x, tg.Variable.create(scope, np.zeros(784, np.float32)))
dense(x, guesses)
dense(labels, core.Constant.create(scope, 1.0))
def fitted(p: Any32, t: Any32) -> Any32:
    return p[:, None] - t if p.rank == 1 else p - t
fitted(labels, guesses)
def uncalled(p: Any32, t: Any32) -> Any32:
    return p - t
def outer(p: Any32, t: Any32) -> Any32:
    return p * t
for rows, columns in ((3, 5), (4, 6)):
    outer(core.Fill.create(scope, (rows, 1), 1.0), core.Fill.create(scope, (columns,), 1.0))
""",
    "tables of all pairs that callers ask for": """
Any32 = tg.Operand[tg.TFloat32]
def distances(p: Any32, q: Any32) -> Any32:
    return math.Abs.create(scope, difference(p, q))
def difference(p: Any32, q: Any32) -> Any32:
    return p - q
distances(labels[:, None], labels)
def kernel(p: Any32, q: Any32) -> Any32:
    return math.Exp.create(scope, -math.SquaredDifference.create(scope, p, q))
kernel(q=labels, p=core.ExpandDims.create(scope, labels, 1))
class Kernel:
    def of(self, p: Any32, q: Any32) -> Any32:
        return p * q
Kernel().of(labels, labels[:, np.newaxis])
""",
}
_ONE_OF_EACH: Final = """
tg.losses.BinaryCrossentropy(from_logits=True)(scope, a, math.Sigmoid.create(scope, a))
table = labels - guesses
unknown = x + load()
tg.optimizers.Adam(scope.graph).minimize(tg.Variable.create(scope, [1.0, 2.0]) * 2)
math.Tanh.create(scope, a)
"""
LOSS: Final = {
    "losses of several elements": """
w = tg.Variable.create(scope, np.zeros((784, 3), np.float32))
scores = x @ w
adam = tg.optimizers.Adam(scope.graph)
adam.minimize(scores)  # E: `scores` is [Batch, 3], and the sum of its elements is minimized; math.Mean or core.Sum makes a scalar  [typegrad-loss]
adam.minimize(loss=scores[:, 0], var_list=[w])  # E: `scores[:, 0]` is [Batch], and the sum of its elements is minimized; math.Mean or core.Sum makes a scalar  [typegrad-loss]
adam.compute_gradients(math.Square.create(scope, scores), [w])  # E: `math.Square.create(scope, scores)` is [Batch, 3], and the sum of its elements is minimized; math.Mean or core.Sum makes a scalar  [typegrad-loss]
""",
    "losses that are scalars, or may be": """
w = tg.Variable.create(scope, np.zeros((784, 3), np.float32))
scores = x @ w
adam = tg.optimizers.Adam(scope.graph)
adam.minimize(math.Mean.create(scope, scores))
adam.minimize(scores, grad_loss=core.OnesLike.create(scope, scores))
adam.minimize(core.Reshape.create(scope, math.Mean.create(scope, scores), (1, 1)))
def step(loss: tg.Operand[tg.TFloat32]) -> None: adam.minimize(loss)
class Other:
    def minimize(self, loss: object) -> None: ...
Other().minimize(scores)
""",
}
WARNED: Final = {
    "probabilities for logits, and logits for probabilities": """
crossentropy = tg.losses.SparseCategoricalCrossentropy(from_logits=True)
features = core.Placeholder.create(scope, tg.TFloat32, (None, 3))
classes = core.Placeholder.create(scope, tg.TInt32, (None,))
w = tg.Variable.create(scope, np.zeros((3, 5), np.float32))
bias = tg.Variable.create(scope, np.zeros(5, np.float32))
logits = features @ w + bias
softmax = nn.Softmax.create(scope, logits)
loss = crossentropy(scope, classes, softmax)  # E: from_logits=True takes logits, but y_pred is 'softmax' (Softmax, float32 [?, 5], line 22), which makes probabilities: pass what it is made of, or leave out from_logits  [typegrad-warning]
tg.losses.SparseCategoricalCrossentropy()(scope, classes, logits)  # E: y_pred is to be probabilities, but is 'logits' (AddV2, float32 [?, 5], line 21), a product plus a variable, which makes logits: pass from_logits=True  [typegrad-warning]
right = crossentropy(scope, classes, logits)
tg.losses.SparseCategoricalCrossentropy()(scope, classes, softmax)
""",
    "variables that a step does not train, and copies that stop nothing": """
v = tg.Variable.create(scope, np.zeros(32, np.float32))
cut = tg.Variable.create(scope, np.zeros(32, np.float32))
joint = math.Tanh.create(scope, a)
loss = core.Sum.create(scope, joint * v + core.StopGradient.create(scope, cut))
tg.optimizers.Adam(scope.graph).minimize(loss, [v, cut])  # E: the loss 'loss' (Sum, float32 [], line 19) does not train all of `var_list`: 'cut': the path is cut at the StopGradient from line 19, input `input`  [typegrad-warning]
tg.gradients(scope, [loss], [v], stop_gradients=[math.Tanh.create(scope, a)])  # E: the Tanh from line 21 (float32 [32]) in stop_gradients stops nothing, as what is differentiated does not depend on it: list its equal, 'joint' (Tanh, float32 [32], line 18)  [typegrad-warning]
tg.gradients(scope, [loss], [v], stop_gradients=[joint])
tg.optimizers.Adam(scope.graph).minimize(loss, [v])
tg.optimizers.Adam(scope.graph).minimize(loss)
hard = dtypes.Cast.create(scope, cut * a > 0.0, tg.TFloat32)
tg.optimizers.Adam(scope.graph).minimize(core.Sum.create(scope, hard * v))  # E: the loss (the Sum from line 26, float32 []) does not train all variables that it uses: 'cut': the path is cut at the Greater from line 25 (bool [32]), which is neither float nor complex  [typegrad-warning]
tg.optimizers.Adam(scope.graph).minimize(core.Sum.create(scope, hard * v), [v])
tg.optimizers.Adam(scope.graph).minimize(core.Sum.create(scope, hard * v + cut))
""",
    "in a function, once, and where it is not certain": """
import pytest
crossentropy = tg.losses.BinaryCrossentropy(from_logits=True)
def loss_of(h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return crossentropy(scope, a, h)  # E: from_logits=True takes logits, but y_pred is 'h' (Sigmoid, float32 [32], line 21), which makes probabilities: pass what it is made of, or leave out from_logits; called in line 21  [typegrad-warning]
for _ in range(3):
    loss_of(math.Sigmoid.create(scope, a))
def uncalled(joint: tg.Operand[tg.TFloat32, tuple[Literal[32]]], y: tg.Operand[tg.TFloat32, tuple[()]]) -> None:
    tg.gradients(scope, [y], [joint], stop_gradients=[joint * 2.0])
if input():
    loss_of(math.Sigmoid.create(scope, a * 2.0))
y: Any = eval(input())
tg.gradients(scope, [core.Sum.create(scope, y * a)], [a], stop_gradients=[a * 2.0])
with pytest.warns(UserWarning, match="makes probabilities"):
    crossentropy(scope, a, math.Sigmoid.create(scope, a))
""",
}
UNUSED: Final = {
    "operators": """
def score(mean: tg.Operand[tg.TFloat32], width: tg.Operand[tg.TFloat32], kind: str) -> tg.Operand[tg.TFloat32]:
    with scope:
        if kind == "upper":
            mean + 2.0 * width  # E: the result of `mean + 2.0 * width` is not used; return it, or assign it to a name  [typegrad-unused]
        return math.Abs.create(scope, mean)
v = tg.Variable.create(scope, np.zeros(32, np.float32))
v - 1.0  # E: the result of `v - 1.0` is not used; return it, or assign it to a name  [typegrad-unused]
-a  # E: the result of `-a` is not used; return it, or assign it to a name  [typegrad-unused]
a[0]  # E: the result of `a[0]` is not used; return it, or assign it to a name  [typegrad-unused]
a < 1.0  # E: the result of `a < 1.0` is not used; return it, or assign it to a name  [typegrad-unused]
""",
    "calls": """
def output(y: tg.Operand[tg.TFloat32]) -> None:
    y.as_output()  # E: the result of `y.as_output()` is not used; return it, or assign it to a name  [typegrad-unused]
def activated(y: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    math.Tanh.create(scope, y)  # E: the result of `math.Tanh.create(scope, y)` is not used; return it, or assign it to a name; if it is to be fetched by its own name, state that: scope.with_name  [typegrad-unused]
    core.Split.create(scope, 0, y, 2)  # E: the result of `core.Split.create(scope, 0, y, 2)` is not used; return it, or assign it to a name; if it is to be fetched by its own name, state that: scope.with_name  [typegrad-unused]
    return y
tf = tg.Ops.create(scope)
tf.math.tanh(a)  # E: the result of `tf.math.tanh(a)` is not used; return it, or assign it to a name; if it is to be fetched by its own name, state that: scope.with_name  [typegrad-unused]
""",
    "what may have a use": """
import pytest
from contextlib import suppress
v = tg.Variable.create(scope, np.zeros(32, np.float32))
v.assign(scope, a)
v.assign_add(scope, a * 2.0)
core.Print.create(scope, core.Constant.create(scope, "a"))
core.Placeholder.create(scope, tg.TFloat32, (2,))
core.NoOp.create(scope)
core.AssertThat.create(scope, a[0] > 0.0, [a])
math.Tanh.create(scope.with_name("out"), a)
math.Tanh.create(scope.with_sub_scope("layer").with_name("out"), a)
tg.optimizers.Adam(scope.graph).minimize(core.Sum.create(scope, v))
def layer(y: tg.Operand[tg.TFloat32]) -> math.Tanh[tg.TFloat32]:
    return math.Tanh.create(scope, y)
layer(a)
relu(a)
a
a == b
load() + 1
load().as_output()
np.zeros(3) + 1.0
[math.Tanh.create(scope, a)]
with pytest.raises(tg.ShapeError):
    a + x
with suppress(ValueError):
    a + x
with pytest.raises(tg.TypegradError, match="no"):
    linalg.MatMul.create(scope, a, b)
try:
    a + x
except tg.ShapeError:
    pass
c = a + 1.0
c += a
print(a - b)
with tg.Session(scope.graph) as session:
    session.run(a * 2.0, {a: np.zeros(32, np.float32)})
""",
}


def test_each_reason_is_reported_once(tmp_path: Path) -> None:
    assert [each for findings in disagreements(tmp_path, UNKNOWN, HEADER).values() for each in findings] == []


def test_tables_that_are_not_asked_for_are_reported(tmp_path: Path) -> None:
    assert [each for findings in disagreements(tmp_path, BROADCAST, HEADER).values() for each in findings] == []


def test_tables_are_reported_by_the_shapes_that_the_program_makes(tmp_path: Path) -> None:
    header = HEADER.replace("typegrad-unknown,", "")
    assert [each for findings in disagreements(tmp_path, PASSED, header).values() for each in findings] == []


def test_losses_that_are_no_scalars_are_reported(tmp_path: Path) -> None:
    header = HEADER.replace("typegrad-unknown,typegrad-broadcast", "typegrad-loss")
    assert [each for findings in disagreements(tmp_path, LOSS, header).values() for each in findings] == []


def test_what_typegrad_warns_of_is_reported(tmp_path: Path) -> None:
    header = HEADER.replace("typegrad-unknown,typegrad-broadcast", "typegrad-warning").replace("math\n", "math, nn\n")
    assert [each for findings in disagreements(tmp_path, WARNED, header).values() for each in findings] == []


def test_operands_that_nothing_uses_are_reported(tmp_path: Path) -> None:
    header = HEADER.replace("typegrad-unknown,typegrad-broadcast", "typegrad-unused")
    assert [each for findings in disagreements(tmp_path, UNUSED, header).values() for each in findings] == []


def test_all_are_off_unless_enabled(tmp_path: Path) -> None:
    header = HEADER.partition("\n")[2]
    names = ("what is Any, once", "values that differ")
    sources = {f"{number}.py": header + UNKNOWN[name] for number, name in enumerate(names)}
    assert (
        check(
            tmp_path,
            {
                **sources,
                "tables.py": header + BROADCAST["sizes"],
                "unused.py": header + UNUSED["operators"],
                "losses.py": header + LOSS["losses of several elements"],
                "warned.py": header + WARNED["variables that a step does not train, and copies that stop nothing"],
            },
        ).output
        == ""
    )


@pytest.mark.parametrize(
    "code", ["typegrad-unknown", "typegrad-broadcast", "typegrad-loss", "typegrad-warning", "typegrad-unused"]
)
def test_each_can_be_enabled_alone(tmp_path: Path, code: str) -> None:
    program = f'# mypy: enable-error-code="{code}"\n' + HEADER.partition("\n")[2] + _ONE_OF_EACH
    report = check(tmp_path, {"program.py": program})
    assert [each.code for each in report.errors()] == [code]
