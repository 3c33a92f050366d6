"""Mistakes in the cells of notebooks, also by names that a later one defines anew, and cells that cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from support.notebooks import check, parted

UNUSED: Final = "is not used; return it, or assign it to a name  [typegrad-unused]"
NOT_CALLED: Final = (
    '"Operand[TFloat32, tuple[()]]" not callable; session.run(y, {x: value}) computes an operand  [operator]'
)
WRONG: Final = {
    "what follows has the new signature": (
        """\
def f(x: F) -> F:
    return x
f(x)
# %%
def f(x: F, a: int) -> F:
    return x
f(x)
""",
        ['cell_3:3: error: Missing positional argument "a" in call to "f"  [call-arg]'],
    ),
    "so has what a later function calls": (
        """\
def f(a: int) -> int:
    return a
# %%
def f(a: int, b: int) -> int:
    return a
# %%
def g() -> int:
    return f(1)
g()
""",
        ['cell_4:2: error: Missing positional argument "b" in call to "f"  [call-arg]'],
    ),
    "the body of the new one is wrong": (
        """\
def layer(x: F) -> F:
    return x @ np.zeros((3, 2), np.float32)
y = layer(x)
# %%
def layer(x: F) -> F:
    return x @ np.zeros((2, 3), np.float32)
y = layer(x)
""",
        [
            (
                "cell_3:3: error: MatMul: inner dimensions differ: a is [4, 3], b is [2, 3]; "
                "linalg.MatMul with transpose_b=True would fit; in layer, cell 3, line 2  [typegrad-shape]"
            )
        ],
    ),
    "a class lacks what the one before had": (
        """\
class Model:
    def run(self) -> int:
        return 1
Model().run()
# %%
class Model:
    def more(self) -> int:
        return 1
Model().more()
Model().run()
""",
        ['cell_3:5: error: "Model" has no attribute "run"  [attr-defined]'],
    ),
    "a function binds a name, and another does not": (
        """\
def reset_graph() -> None:
    global new_scope
    new_scope = tg.Scope(tg.Graph())
def show() -> None:
    global other
    print(other)
# %%
reset_graph()
v = tg.Variable.create(new_scope, np.ones((2, 3), np.float32))
v @ v
""",
        [
            'cell_2:6: error: Name "other" is not defined  [name-defined]',
            (
                "cell_3:3: error: MatMul: inner dimensions differ: a is [2, 3], b is [2, 3]; linalg.MatMul with "
                "transpose_a=True or with transpose_b=True would fit  [typegrad-shape]"
            ),
        ],
    ),
    "one of two classes is told by its name": (
        """\
class Model: ...
first: int = Model()
# %%
class Model: ...
""",
        [
            (
                "cell_2:2: error: Incompatible types in assignment "
                '(expression has type "Model", variable has type "int")  [assignment]'
            )
        ],
    ),
    "a function is a value by then": (
        """\
def loss(y: F) -> F:
    return math.Mean.create(scope, y)
# %%
loss = loss(x)
# %%
loss(x)
""",
        [f"cell_4:1: error: {NOT_CALLED}"],
    ),
    "the last expression of a cell is shown, others are not used": (
        """\
# mypy: enable-error-code="typegrad-unused"
x + 1.0
x + 2.0
# %%
x * 2.0
def f() -> None:
    x + 3.0
""",
        [
            f"cell_2:2: error: the result of `x + 1.0` {UNUSED}",
            f"cell_3:1: error: the result of `x * 2.0` {UNUSED}",
            f"cell_3:3: error: the result of `x + 3.0` {UNUSED}",
        ],
    ),
    "a cell that cannot be read": (
        """\
y = x + 1.0
# %%
z = x + 1.0
y, (w, *_) = math.Mean.create(scope, math.Square.create(scope, y - 1)
def f(x: F) -> F:
# %%
x @ y
f(1, 2)
print(w, unknown)
z @ z
# %%
if x is None:
y = 1
""",
        [
            "cell_3:2: error: '(' was never closed  [syntax]",
            "cell_5:2: error: expected an indented block after 'if' statement on cell 5, line 1  [syntax]",
        ],
    ),
    "what follows from names that a broken cell would bind": (
        """\
from dataclasses import dataclass
from typing import NewType, TypeVar
σ² = 1
# %%
Batch = NewType("Batch", int)
T = TypeVar("T", bound=tg.TFloating)
@dataclass
class Config:
    width: Batch
    depth: int = 2
class Derived(Config):
    @dataclass
    def f(self) -> int:
        return self.width
def twice(x: tg.Operand[T], config: Config, of: Batch) -> tg.Operand[T]:
    return x * of
y = Derived(3)
y = twice(x, Config(4), 3)
y = 3
y + "a"
twice(x, Config(4), x) + x
x @ x
""",
        [
            "cell_2:3: error: invalid character '²' (U+00B2)  [syntax]",
            'cell_3:16: error: Unsupported operand types for + ("int" and "str")  [operator]',
            (
                "cell_3:18: error: MatMul: inner dimensions differ: a is [4, 3], b is [4, 3]; linalg.MatMul with "
                "transpose_a=True or with transpose_b=True would fit  [typegrad-shape]"
            ),
        ],
    ),
    "the others are checked": (
        """\
y = x + 1.0)
import numpy as np
for y in x:
# %%
x @ np.zeros((2, 3), np.float32)
(x + 1.0) @ x
""",
        [
            "cell_2:1: error: unmatched ')'  [syntax]",
            (
                "cell_3:2: error: MatMul: inner dimensions differ: a is [4, 3], b is [4, 3]; linalg.MatMul with "
                "transpose_a=True or with transpose_b=True would fit  [typegrad-shape]"
            ),
        ],
    ),
}
"""Notebooks with what is reported of each, in order."""


def test_what_is_wrong_is_told_once(tmp_path: Path, cache: Path) -> None:
    names = {name: f"{name.replace(' ', '_')}.ipynb" for name in WRONG}
    for name, (text, _) in WRONG.items():
        (tmp_path / names[name]).write_text(parted(text))
    done = check(tmp_path, cache, *names.values(), "--", "--no-error-summary")
    told = done.stdout.splitlines()
    by_name = {name: [each for each in told if each.startswith(f"{file}:")] for name, file in names.items()}
    assert by_name == {name: [f"{names[name]}:{each}" for each in lines] for name, (_, lines) in WRONG.items()}
