"""Wherever an operand goes, a number, a list or an array goes too, if its element type follows and nothing is lost."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import typegrad as tg
from typegrad.graph.definition import OpDef, resolve
from typegrad.op import bitwise, core, linalg, math, nn
from typegrad.op._table import TABLE

Build = Callable[[tg.Scope, Any], tg.Operand[Any]]


@pytest.fixture
def x(scope: tg.Scope) -> tg.Operand[tg.TFloat32]:
    return core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(2, 2))


TAKES: dict[str, tuple[Build, Any]] = {
    "a number after an operand": (lambda s, x: math.Maximum.create(s, x, 0.0), [[0, 2], [3, 0]]),
    "a number before an operand": (lambda s, x: math.Sub.create(s, 1, x), [[2, -1], [-2, 5]]),
    "two numbers": (lambda s, x: core.ClipByValue.create(s, x, -1, 1), [[-1, 1], [1, -1]]),
    "a nested list": (lambda s, x: linalg.MatMul.create(s, x, [[1.0], [0.0]]), [[-1], [3]]),
    "an array": (lambda s, x: math.Mul.create(s, x, np.array([1, 10], np.float32)), [[-1, 20], [3, -40]]),
    "an array in a list of operands": (
        lambda s, x: core.Concat.create(s, [x, np.zeros((2, 1), np.float32)], 1),
        [[-1, 2, 0], [3, -4, 0]],
    ),
    "a list in a list of operands": (lambda s, x: core.Concat.create(s, [x, [[7, 8]]], 0), [[-1, 2], [3, -4], [7, 8]]),
    "a NumPy scalar, as the Python number": (lambda s, x: math.Mul.create(s, x, np.float64(2)), [[-2, 4], [6, -8]]),
    "a list of arrays of integers": (
        lambda s, x: math.Mul.create(s, x, cast("Any", [np.array([1, 10]), [2, np.array(20)]])),
        [[-1, 20], [6, -80]],
    ),
    "an exponent": (lambda s, x: math.Pow.create(s, x, 2), [[1, 4], [9, 16]]),
    "a condition": (lambda s, x: core.Select.create(s, [[True, False]], x, 0.0), [[-1, 0], [3, 0]]),
    "indices": (lambda s, x: core.Gather.create(s, x, np.array([1]), 0), [[3, -4]]),
    "all of them": (lambda s, _: math.Add.create(s, [1, 2], 0.5), [1.5, 2.5]),
    "a shape and a value": (lambda s, _: core.Fill.create(s, (2,), 1.5), [1.5, 1.5]),
    "on and off": (lambda s, _: core.OneHot.create(s, [0, 1], 2, 2.5, 0), [[2.5, 0], [0, 2.5]]),
}


@pytest.mark.parametrize("what", TAKES)
def test_a_value_in_the_place_of_an_operand(what: str, scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    build, expected = TAKES[what]
    with tg.Session(scope.graph) as session:
        value = session.run(build(scope, x), {x: [[-1, 2], [3, -4]]})
    np.testing.assert_array_equal(value, np.asarray(expected, np.float32), strict=True)


def test_values_in_a_list_of_several_types(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    operation = core.IdentityN.create(scope, [x, 1, 2.5])
    assert [output.dtype for output in operation.op.outputs] == [tg.TFloat32, tg.TInt32, tg.TFloat32]


def test_the_ends_of_a_type_fit(scope: tg.Scope) -> None:
    n = core.Placeholder.create(scope, tg.TInt8, shape=(2,))
    with tg.Session(scope.graph) as session:
        assert session.run(math.Maximum.create(scope, n, [-128, 127]), {n: [0, 0]}).tolist() == [0, 127]


REFUSES: dict[str, tuple[Any, str]] = {
    "a fraction for an integer": (
        1.5,
        "input `y`: the Python float 1.5 is not uint8; cast `x` with dtypes.Cast, or write an int",
    ),
    "a number that is too large": (300, "input `y`: 300 is beyond uint8, which holds 0..255; use a wider type"),
    "an array of another type": (
        np.zeros(2),
        r"input `y`: an array of float64 is not uint8; convert it with astype\(np.uint8\)",
    ),
    "a NumPy number": (
        np.float32(2),
        "input `y`: the NumPy float32 2.0 is not uint8; cast `x` with dtypes.Cast, or write an int",
    ),
    "an empty array of another type": (np.zeros(0), "input `y`: an array of float64 is not uint8"),
    "a list of arrays of another type": (
        (np.array(1.0), np.array(2.0)),
        r"input `y`: a tuple of arrays of float64 is not uint8; convert it with np.array\(..., np.uint8\)",
    ),
    "a list of arrays of large integers": ([np.array(1), np.array(300)], "input `y`: 300 is beyond uint8"),
    "a list of arrays of bools": ([np.array([True, False])], "input `y`: a list of arrays of bool is not uint8"),
    "a bool": (True, "input `y`: the Python bool True is not uint8; write an int"),
    "a string": ("1", "input `y`: the Python str '1' is not uint8; write an int"),
    "nothing": (
        None,
        r"input `y` is missing; give an operand or a value; None is a size that only a run knows \(core.Shape",
    ),
    "an operand within a list": ([[core.Placeholder]], "is not"),
}


@pytest.mark.parametrize("what", REFUSES)
def test_what_would_lose_something_is_refused(what: str, scope: tg.Scope) -> None:
    value, message = REFUSES[what]
    n = core.Placeholder.create(scope, tg.TUint8, shape=(2,))
    with pytest.raises(tg.DTypeError, match=message):
        math.Maximum.create(scope, n, value)
    assert len(scope.graph) == 1


def test_a_stack_of_matrices_is_multiplied_by_its_own_type_alone(scope: tg.Scope) -> None:
    stack = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 5, 2))
    doubles: Any = tg.Variable.create(scope, np.zeros((2, 3)))
    array: Any = np.zeros((2, 3))
    with pytest.raises(tg.DTypeError, match="input `a` is float32, but `b` is float64; cast one with dtypes.Cast"):
        stack @ doubles
    with pytest.raises(tg.DTypeError, match="input `b`: an array of float64 is not float32; convert it with astype"):
        stack @ array
    with pytest.raises(tg.DTypeError, match="input `a`: an array of float64 is not float32"):
        np.transpose(array, (1, 0))[:, :2] @ stack[:, :2]
    whole = stack @ [[1, 2, 3], [4, 5, 6]]
    assert whole.dtype is tg.TFloat32 and whole.op.inputs[1].dtype is tg.TFloat32
    assert (np.ones((2, 5), np.float32) @ stack).shape == (None, 2, 2)


def test_a_value_alone_has_the_type_of_a_constant(scope: tg.Scope) -> None:
    values: list[Any] = [2, 2.0, 2j, np.float64(2), np.array([2], np.int8)]
    for value in values:
        assert math.Square.create(scope, value).dtype is core.Constant.create(scope, value).dtype
    with pytest.raises(
        tg.DTypeError, match="input `x`: the Python int 2 is int32, but must be .*float32.*; write a float"
    ):
        math.Exp.create(scope, 2)


def test_an_empty_list_has_the_first_type_that_is_allowed(scope: tg.Scope) -> None:
    assert math.Add.create(scope, [], []).dtype is tg.TFloat32
    assert bitwise.BitwiseAnd.create(scope, [], []).dtype is tg.TInt32


def test_an_empty_array_says_its_type(scope: tg.Scope) -> None:
    assert math.Add.create(scope, np.zeros(0), 1.5).dtype is tg.TFloat64


def test_the_variable_says_the_type_of_what_is_assigned(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, np.zeros(2, np.int8))
    assert core.AssignVariableOp.create(scope, v.handle, [1, 2]).inputs.value.dtype is tg.TInt8
    with pytest.raises(tg.DTypeError, match="input `value`: the Python float 1.5 is not int8; write an int"):
        v.assign(scope, 1.5)


def test_the_constant_is_named_after_the_input(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    math.Maximum.create(scope, x, 0.0)
    math.Maximum.create(scope, x, 1.0)
    core.Concat.create(scope.with_name("joined"), [x, [[1.0, 2.0]]], 0)
    constants = [op.name for op in scope.graph if op.type == "Const"]
    assert constants == ["Maximum/y", "Maximum_1/y", "joined/values_1", "joined/axis"]


def test_a_handle_is_no_value(scope: tg.Scope) -> None:
    wrong: Any = 3
    with pytest.raises(tg.DTypeError, match="takes the handle of a variable, `variable.handle`, not int 3"):
        core.AssignVariableOp.create(scope, wrong, 1.0)


def test_a_list_of_operands_is_no_value(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    wrong: Any = [x, x]
    with pytest.raises(tg.DTypeError, match=r"is not a value: .* before the run;.*; core.Stack makes one operand of"):
        nn.Relu.create(scope, wrong)


def test_labels_beside_logits(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    both = nn.SoftmaxCrossEntropyWithLogits.create(scope, x, np.eye(2, dtype=np.float32))
    assert both.loss.shape == (2,)


def _takes_a_value(definition: OpDef) -> bool:
    return any(each.kind == "one" and each.type is not tg.TResource for each in definition.inputs)


@pytest.mark.parametrize("name", [name for name, path in TABLE.items() if path])
def test_no_operation_takes_an_object_for_a_value(name: str, scope: tg.Scope) -> None:
    """Whatever the operation, an object that is not a value is refused in the words of the input it was given for."""
    wrapper: Any = resolve(TABLE[name])
    definition: OpDef = inspect.unwrap(wrapper.create).__globals__["DEF"]
    if _takes_a_value(definition):
        thing: Any = object()
        inputs = [thing if each.kind == "one" else [thing] for each in definition.inputs]
        attrs = {each.name: None for each in definition.attrs}
        with pytest.raises(tg.TypegradError):
            scope.add(definition, inputs, attrs)
        assert len(scope.graph) == 0


def test_equal_numbers_keep_their_sign_and_kind(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, np.ones(1))
    with tg.Session(scope.graph) as session:
        signs = [bool(np.signbit(session.run(x * number))[0]) for number in (0.0, -0.0, 0.0, -0.0)]
        assert signs == [False, True, False, True]
    n = core.Constant.create(scope, 1)
    assert math.Mul.create(scope, n, 1).dtype is tg.TInt32
    with pytest.raises(tg.DTypeError, match="1.0 is not int32"):
        math.Mul.create(scope, n, 1.0)


@pytest.mark.parametrize(("dtype", "value"), [(tg.TFloat32, 2**64), (tg.TFloat64, [2**70, -1]), (tg.TComplex64, 2**65)])
def test_large_integers_are_floats(scope: tg.Scope, dtype: type[Any], value: Any) -> None:
    constant = core.Constant.create(scope, value, dtype)
    with tg.Session(scope.graph) as session:
        assert session.run(constant).tolist() == np.asarray(value, dtype.numpy).tolist()
