"""Your own operation, from its entry to its derivative.

An operation of your own needs what every operation of typegrad needs: an entry in a registry and the functions the
entry names. Here it is `Hypot`, the length of the vector (x, y), in a package called `acme`. The folder looks like
this:

    registry/geometry.yaml      what the operation is
    acme/functions.py           how it computes, and its derivative
    acme/op/                    what `typegrad codegen` makes of it
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import mypy.api
import numpy as np
import pytest

import typegrad as tg
from support import mypy_cache
from typegrad.op import core
from typegrad_codegen.cli import main

# The entry says everything about the operation but how to compute it. `broadcast` is one of typegrad's own shape
# functions; the kernel and the gradient function are ours, so the entry names them by import path.
ENTRY: Final = """\
Hypot:
  group: geometry
  summary: Compute the length of the vector (x, y) elementwise.
  types:
    T: [float32, float64]
  inputs:
    x: {type: T, doc: The first component.}
    y: {type: T, doc: The second component.}
  attrs:
    scale: {type: float, default: 1.0, doc: A factor on the length.}
  outputs:
    length: {type: T, doc: The length.}
  shape: broadcast(x, y)
  kernel: acme.functions:hypot
  gradient: {x: rule, y: rule}
  gradient_function: acme.functions:hypot_gradient
  known_as: [np.hypot, torch.hypot]
  examples:
    - inputs: {x: 3.0, y: 4.0}
      outputs: {length: 5.0}
"""

# A kernel gets the array namespace, an array per input, and the attributes it asks for. A gradient function gets the
# typed operation and the gradient of its output, and builds operations; sums over broadcast dimensions are not its
# business.
FUNCTIONS: Final = '''\
from __future__ import annotations

from typing import Any

import numpy as np
from typing_extensions import TypeVar

import typegrad as tg
from acme.op.geometry import Hypot
from typegrad.op import core, math

F = TypeVar("F", bound=tg.TFloating)


def hypot(xp: Any, x: Any, y: Any, *, scale: float) -> Any:
    return xp.hypot(x, y) * x.dtype.type(scale)


def hypot_gradient(scope: tg.Scope, op: Hypot[F], grad: tg.Output[F]) -> tuple[tg.Operand[F], tg.Operand[F]]:
    """The derivative by x is scale² x / length, and the same for y."""
    squared = core.Constant.create(scope, np.asarray(op.inputs.scale**2, op.dtype.numpy), op.dtype)
    ratio = math.Div.create(scope, math.Mul.create(scope, grad, squared), op)
    return math.Mul.create(scope, ratio, op.inputs.x), math.Mul.create(scope, ratio, op.inputs.y)
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "registry").mkdir()
    (tmp_path / "registry" / "geometry.yaml").write_text(ENTRY)
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "__init__.py").touch()
    (tmp_path / "acme" / "functions.py").write_text(FUNCTIONS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    # typegrad codegen --registry registry --out acme/op --package acme.op
    assert main(["--registry", "registry", "--out", "acme/op", "--package", "acme.op"]) == 0
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "acme"]:
        del sys.modules[name]


def acme() -> Any:
    """The generated package. Code of your own just says `from acme.op.geometry import Hypot`."""
    return import_module("acme.op")


def test_it_computes(project: Path) -> None:
    hypot = acme().geometry.Hypot
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, np.array([3.0, 5.0], np.float32))
    length = hypot.create(scope, x, core.Constant.create(scope, np.float32(12.0)), scale=2.0)
    assert repr(length) == "<Hypot 'Hypot' TFloat32 [2]>"
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(session.run(length), [2 * np.hypot(3, 12), 26.0], rtol=1e-6)


def test_it_is_differentiated(project: Path) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat64, shape=(2,))
    y = core.Placeholder.create(scope, tg.TFloat64, shape=())
    length = acme().geometry.Hypot.create(scope, x, y)
    dx, dy = tg.grad(scope, length, x), tg.grad(scope, length, y)
    ddx = tg.grad(scope, dx, x)
    with tg.Session(scope.graph) as session:
        values = session.run([dx, dy, ddx], {x: np.array([3.0, 5.0]), y: np.array(4.0)})
    r = np.hypot([3.0, 5.0], 4.0)
    np.testing.assert_allclose(values[0], [3.0, 5.0] / r)
    np.testing.assert_allclose(values[1], (4.0 / r).sum())
    np.testing.assert_allclose(values[2], 16.0 / r**3)


def test_its_mistakes_are_reported_like_those_of_any_operation(project: Path) -> None:
    scope = tg.Scope(tg.Graph())
    x, n = core.Constant.create(scope, [1.0, 2.0]), core.Constant.create(scope, [1, 2, 3])
    hypot = acme().geometry.Hypot
    with pytest.raises(tg.DTypeError, match="input `x` is float32, but `y` is int32"):
        hypot.create(scope, x, n)
    with pytest.raises(tg.ShapeError, match=r"shapes \[2\] and \[3\] do not broadcast"):
        hypot.create(scope, x, core.Constant.create(scope, [1.0, 2.0, 3.0]))


def test_its_calls_and_names_are_explained_like_those_of_any_operation(project: Path) -> None:
    op = acme()
    tf = op.Ops.create(tg.Graph())
    one = core.Constant.create(tf.scope, 1.0)
    refused: dict[str, Callable[[], object]] = {
        r"Hypot.create\(\) takes no argument `scael`; did you mean `scale`\?": lambda: op.geometry.Hypot.create(
            tf.scope, one, one, scael=2.0
        ),
        r"Hypot.create\(\) needs `y`; it is called as Hypot.create\(scope, x, y, scale=1.0\)": (
            lambda: op.geometry.Hypot.create(tf.scope, one)
        ),
        r"GeometryOps.hypot\(\) takes no argument `name`; write tf.with_name": lambda: tf.geometry.hypot(
            one, one, name=1
        ),
        "did you mean `geometry.Hypot`": lambda: op.geometry.hypott,
        "did you mean `tf.geometry.hypot`": lambda: tf.hypot,
        r"did you mean `linalg.MatMul` \(from typegrad.op import linalg\)": lambda: op.geometry.MatMul,
        r"did you mean `geometry` \(from acme.op import geometry\)": lambda: tf.geometry.geometry,
    }
    for says, call in refused.items():
        with pytest.raises((tg.OptionError, tg.UnknownNameError), match=says):
            call()


def test_the_facade_has_it(project: Path) -> None:
    tf = acme().Ops.create(tg.Graph())
    one = core.Constant.create(tf.scope, 1.0)
    assert tf.with_name("diagonal").geometry.hypot(one, one).op.name == "diagonal"


USE: Final = """\
import typegrad as tg
from acme.op import Ops
from acme.op.geometry import Hypot
from typegrad.op import core

scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 5))
n = core.Placeholder.create(scope, tg.TInt32)
reveal_type(Hypot.create(scope, x, x))
reveal_type(Hypot.create(scope, x, x).inputs.y)
reveal_type(Ops.create(scope).geometry.hypot(x, x, scale=2.0))
Hypot.create(scope, n, n)
Hypot.create(scope, x, n)
"""


def test_a_type_checker_knows_it(project: Path) -> None:
    (project / "use.py").write_text(USE)
    (project / "mypy.ini").write_text(mypy_cache.settings(plugin=False))
    cache = mypy_cache.copy(project / ".mypy_cache", plugin=False)
    arguments = ["--cache-dir", str(cache), "use.py", "acme"]
    lines = mypy.api.run(arguments)[0].splitlines()
    revealed = [line.partition("Revealed type is ")[2] for line in lines if "Revealed" in line]
    assert revealed == [
        '"acme.op.geometry.Hypot[typegrad.base.types.TFloat32, Any]"',
        '"typegrad.graph.operand.Output[typegrad.base.types.TFloat32, tuple[Any, ...]]"',
        '"acme.op.geometry.Hypot[typegrad.base.types.TFloat32, Any]"',
    ]
    errors = [line for line in lines if " error: " in line]
    assert [line.partition(": error: ")[0] for line in errors] == ["use.py:12", "use.py:13"], errors
