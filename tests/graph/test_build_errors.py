"""Mistakes while building: each message names the node, the input, what was expected and got, the line, and what to
do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import isfunction, signature
from typing import Any, Final, cast

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions
from typegrad.graph.definition import AttrDef, OpDef
from typegrad.graph.dropped import WITH_OPTION
from typegrad.op import core, dtypes, image, linalg, math, nn, random

HERE = r"test_build_errors\.py:\d+"


def placeholder(scope: tg.Scope, dtype: Any, *shape: int) -> Any:
    return core.Placeholder.create(scope, dtype, shape=shape)


def test_types_that_differ(scope: tg.Scope) -> None:
    a, b = placeholder(scope, tg.TFloat32, 2, 2), placeholder(scope, tg.TInt32, 2, 2)
    with pytest.raises(
        tg.DTypeError,
        match=rf"MatMul 'y' \(.*{HERE}\): input `a` is float32, but `b` is int32; cast one with dtypes.Cast\n"
        rf"  a = 'Placeholder:0' \(Placeholder, float32 \[2, 2\], created at .*{HERE}\)\n  b = 'Placeholder_1:0'",
    ):
        linalg.MatMul.create(scope.with_name("y"), a, b)


def test_a_variable_that_is_read(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), np.zeros((2, 1)))
    for x, message in {
        placeholder(
            scope, tg.TFloat32, 3, 2
        ): "input `a` is float32, but `b` is float64; cast one with dtypes.Cast, or "
        r"create variable 'w' from an array.astype\(np.float32\)",
        placeholder(scope, tg.TFloat64, 2, 3): "inner dimensions differ: a is .*",
        placeholder(scope, tg.TInt32, 3, 2): "input `a` is int32, but `b` is float64; cast one with dtypes.Cast",
    }.items():
        expected = rf"{message}\n  a = .*\n  b = 'w' \(Variable, float64 \[2, 1\], created at .*:{{}}\)$"
        with pytest.raises(tg.TypegradError, match=expected.format(w.handle.op.created_at.rpartition(":")[2])):
            linalg.MatMul.create(scope, x, w)


def test_a_variable_that_is_made_of_the_numbers_of_its_shape(scope: tg.Scope) -> None:
    x, column = placeholder(scope, tg.TFloat32, 3, 2), np.zeros((2, 1), np.float32)
    w = tg.Variable.create(scope.with_name("w"), (2, 1), tg.TFloat32)
    told = r"; variable 'w' was made of the values \(2, 1\); shape=\(2, 1\) makes a variable of that shape\n"
    cases: dict[Callable[[], object], str] = {
        lambda: x @ w: r"`y` must have rank 2 or more, but has shape \[2\]",
        lambda: linalg.MatMul.create(scope, x, w.read(scope)): r"`b` must have rank 2, but has shape \[2\]",
        lambda: core.Concat.create(scope, [w, column], 1): r"`values` differ in rank: \[2\], \[2, 1\]",
        lambda: w.assign(scope, column): r"the variable has shape \[2\], but `value` has shape \[2, 1\]",
        lambda: core.AssignVariableOp.create(scope, w.handle, column): r"but `value` has shape \[2, 1\]",
    }
    for make, wrong in cases.items():
        with pytest.raises(tg.ShapeError, match=wrong + told):
            make()
    assert [each.type for each in scope.graph if "Placeholder" in each.type] == ["Placeholder"]


def test_a_dimension_that_a_reduction_drops(scope: tg.Scope) -> None:
    x, unknown = placeholder(scope, tg.TFloat32, 4, 6, 16), core.Placeholder.create(scope, tg.TFloat32, (None, 6, 16))
    told = r"\[{}, 6, 1\] would fit: {} over axis 2 gives it, or core.ExpandDims with axis 2"
    cases: list[tuple[Callable[[], object], object, str]] = [
        (lambda: x - math.Mean.create(scope.with_sub_scope("norm"), x, -1), 4, "keep_dims=True in a reduction"),
        (lambda: unknown - core.Sum.create(scope, unknown, -1), r"\?", "keep_dims=True in a reduction"),
        (lambda: x - functions.moments(scope, x, -1)[0], 4, "keepdims=True in moments"),
        (lambda: x - functions.moments(scope.with_sub_scope("net"), x, -1)[1], 4, "keepdims=True in moments"),
        (lambda: x - functions.logsumexp(scope, x, -1), 4, "keepdims=True in logsumexp"),
        (lambda: x - functions.norm(scope, x, axis=-1), 4, "keepdims=True in norm"),
        (lambda: x / functions.reduce_std(scope, x, -1), 4, "keepdims=True in reduce_std"),
    ]
    for make, size, remedy in cases:
        with pytest.raises(tg.ShapeError, match=told.format(size, remedy)):
            make()


def test_the_functions_with_the_option_are_known() -> None:
    every = {name: getattr(functions, name) for name in dir(functions)}
    takers = [name for name, each in every.items() if isfunction(each) and "keepdims" in signature(each).parameters]
    assert sorted(takers) == sorted(WITH_OPTION)


@pytest.mark.parametrize("value", [[2.0, 1.0], np.array([2, 1], np.float32), (3, 1), (2, -1)])
def test_a_variable_of_numbers_that_are_no_fitting_shape(scope: tg.Scope, value: Any) -> None:
    x, w = placeholder(scope, tg.TFloat32, 3, 2, 1), tg.Variable.create(scope, value, tg.TFloat32)
    with pytest.raises(tg.ShapeError) as raised:
        core.Concat.create(scope, [x[0], w], 1)
    assert "differ in rank" in str(raised.value) and "made of" not in str(raised.value)


ODD: Final[dict[str, str]] = {
    "x @ w + b": ", or create variable 'b' with dtype=tg.TFloat64",
    "b + x @ w": ", or create variable 'b' with dtype=tg.TFloat64",
    "narrow @ w": ", or create variable 'w' from an array.astype(np.float32)",
    "narrow @ v + d": ", or create variable 'd' from an array.astype(np.float32)",
    "d + narrow @ v": ", or create variable 'd' from an array.astype(np.float32)",
    "x @ v": "",
    "b * d": ", or create variable 'b' and variable 'd' of one dtype",
    "(b - 1.0) * (d - 2.0)": "",
    "x @ w + narrow @ v": "",
    "math.Tanh.create(scope, x) * b": "",
    "math.Sigmoid.create(scope, i)": ", or create variable 'i' with dtype=tg.TFloat32",
    "math.Sigmoid.create(scope, i + 1)": "",
}
"""Expressions of float32 (`narrow`, the variables v and b), float64 (x, the variables w and d) and int32 (i)."""


@pytest.mark.parametrize("expression", ODD)
def test_the_odd_one_of_variables(scope: tg.Scope, expression: str) -> None:
    arrays = {"w": np.ones((4, 4)), "d": np.ones(4)}
    arrays |= {"v": arrays["w"].astype(np.float32), "b": arrays["d"].astype(np.float32), "i": np.ones(4, np.int32)}
    variables = {name: tg.Variable.create(scope.with_name(name), array) for name, array in arrays.items()}
    operands = {"x": placeholder(scope, tg.TFloat64, 4, 4), "narrow": placeholder(scope, tg.TFloat32, 4, 4)}
    with pytest.raises(tg.DTypeError) as caught:
        eval(expression, {"scope": scope, "math": math, **variables, **operands})  # the expressions above
    assert str(caught.value).partition("\n")[0].endswith(f" with dtypes.Cast{ODD[expression]}")


def test_a_type_that_is_not_allowed(scope: tg.Scope) -> None:
    b = placeholder(scope, tg.TBool)
    with pytest.raises(
        tg.DTypeError, match="input `x` is bool, but must be .*float32.* or string; cast it with dtypes.Cast"
    ):
        math.Add.create(scope, b, b)


def test_what_makes_strings(scope: tg.Scope) -> None:
    x, text = placeholder(scope, tg.TFloat32), placeholder(scope, tg.TString)
    with pytest.raises(tg.DTypeError, match="must be string, but is float32; make strings of it with dtypes.AsString"):
        image.DecodePng.create(scope, x)
    with pytest.raises(tg.DTypeError, match="`y` is float32; make strings of the other with dtypes.AsString"):
        math.Add.create(scope, text, x)


def test_strings_that_cannot_be_cast(scope: tg.Scope) -> None:
    text = placeholder(scope, tg.TString)
    with pytest.raises(
        tg.DTypeError,
        match="input `x` is string, but must be .*; no operation makes numbers of strings; convert them in",
    ):
        math.Neg.create(scope, text)
    with pytest.raises(tg.DTypeError, match="as expected; no operation makes numbers of strings"):
        text.expect(tg.TInt32)


def test_a_fixed_type(scope: tg.Scope) -> None:
    x = placeholder(scope, tg.TFloat32)
    with pytest.raises(tg.DTypeError, match="input `x` must be bool, but is float32; cast it with dtypes.Cast"):
        math.LogicalNot.create(scope, x)


def test_a_type_attribute_that_is_not_allowed(scope: tg.Scope) -> None:
    with pytest.raises(tg.DTypeError, match="`dst_t` must be an element type, not .*TFloating.*; write tg.TFloat32"):
        dtypes.Cast.create(scope, placeholder(scope, tg.TFloat32), tg.TFloating)
    x: Any = placeholder(scope, tg.TFloat32)
    dtype: Any = np.float32
    with pytest.raises(tg.DTypeError, match="`dst_t` must be an element type, not np.float32; write tg.TFloat32"):
        dtypes.Cast.create(scope, x, dtype)


def test_shapes_that_do_not_fit(scope: tg.Scope) -> None:
    a, b = placeholder(scope, tg.TFloat32, 3, 4), placeholder(scope, tg.TFloat32, 5, 6)
    message = rf"MatMul 'MatMul' \(.*{HERE}\): inner dimensions differ: a is \[3, 4\], b is \[5, 6\]\n  a = "
    with pytest.raises(tg.ShapeError, match=message):
        linalg.MatMul.create(scope, a, b)


@pytest.mark.parametrize(
    ("a", "b", "turned", "remedy"),
    [
        ((5, 2), (3, 2), "", "linalg.MatMul with transpose_b=True would fit"),
        ((2, 3), (2, 3), "", "linalg.MatMul with transpose_a=True or with transpose_b=True would fit"),
        ((3, 4), (5, 3), "", "b times a would fit"),
        ((3, 4), (3, 3), "", "linalg.MatMul with transpose_a=True, or b times a would fit"),
        ((6, 4), (3, 4), "a", "linalg.MatMul with transpose_b=True instead of transpose_a would fit"),
        ((4, 6), (4, 3), "b", "linalg.MatMul with transpose_a=True instead of transpose_b would fit"),
        ((4, 3), (3, 5), "ab", "b times a would fit"),
    ],
)
def test_a_product_that_would_fit(
    scope: tg.Scope, a: tuple[int, ...], b: tuple[int, ...], turned: str, remedy: str
) -> None:
    with pytest.raises(tg.ShapeError, match=f"; {re.escape(remedy)}\n"):
        linalg.MatMul.create(
            scope,
            placeholder(scope, tg.TFloat32, *a),
            placeholder(scope, tg.TFloat32, *b),
            transpose_a="a" in turned,
            transpose_b="b" in turned,
        )


def test_something_that_is_no_operand(scope: tg.Scope) -> None:
    value: Any = scope.graph
    x = placeholder(scope, tg.TFloat32, 2, 2)
    with pytest.raises(tg.DTypeError, match="input `b`: <Graph of 1 operation> is not float32"):
        linalg.MatMul.create(scope, x, value)
    with pytest.raises(tg.DTypeError, match="input `b` is missing; give an operand or a value"):
        linalg.MatMul.create(scope, x, cast("Any", None))


def test_an_operation_with_two_outputs_is_no_operand(scope: tg.Scope) -> None:
    x = placeholder(scope, tg.TFloat32, 2, 2)
    both: Any = nn.SoftmaxCrossEntropyWithLogits.create(scope, x, x)
    message = r"must be an operand or a value, not {}.*; take one of its outputs: {}$"
    with pytest.raises(tg.DTypeError, match=message.format("SoftmaxCross", r"\.loss, \.backprop")):
        math.Neg.create(scope, both)
    with pytest.raises(tg.DTypeError, match=message.format("Operation", r"\.outputs\[0\], \.outputs\[1\]")):
        math.Neg.create(scope, both.op)
    with pytest.raises(tg.DTypeError, match="not NoOp.*; it has no output"):
        math.Neg.create(scope, cast("Any", core.NoOp.create(scope)))


def test_an_operand_of_another_graph(scope: tg.Scope) -> None:
    foreign = core.Placeholder.create(tg.Scope(tg.Graph()).with_name("foreign"), tg.TFloat32)
    message = rf"input `x` is 'foreign:0' \(.*{HERE}\), which belongs to another graph; build both on one graph"
    with pytest.raises(tg.GraphError, match=message):
        math.Neg.create(scope, foreign)
    variable = tg.Variable.create(tg.Scope(tg.Graph()).with_name("foreign"), 1.0)
    with pytest.raises(tg.GraphError, match="Neg 'Neg' .*: input `x` is 'foreign' .*, which belongs to another graph"):
        math.Neg.create(scope, variable)
    with pytest.raises(
        tg.GraphError, match=r"control dependency \w+ 'foreign' .* belongs to another graph than this scope"
    ):
        scope.with_control_dependencies([foreign])
    with pytest.raises(tg.GraphError, match="'foreign' .* belongs to another graph than the scope; build both on one"):
        variable.output_in(scope)


def test_a_control_dependency_of_an_iterator_that_is_none(scope: tg.Scope) -> None:
    """Elements of lists are checked before, as arguments; an iterator can be read only once."""
    numbers: Any = iter([placeholder(scope, tg.TFloat32), 3])
    with pytest.raises(tg.GraphError, match="^a control dependency is an operation or an operand, not int 3$"):
        scope.with_control_dependencies(numbers)


def test_an_operand_where_a_list_is_asked_for(scope: tg.Scope) -> None:
    x: Any = placeholder(scope, tg.TFloat32, 2)
    with pytest.raises(tg.DTypeError, match="input `inputs` takes a list of operands, not Placeholder"):
        math.AddN.create(scope, x)
    text: Any = "ab"
    with pytest.raises(tg.DTypeError, match="input `inputs` takes a list of operands, not str 'ab'"):
        math.AddN.create(scope, text)


def test_an_empty_list(scope: tg.Scope) -> None:
    with pytest.raises(tg.ShapeError, match="input `inputs` is an empty list"):
        math.AddN.create(scope, [])


def test_an_attribute_of_another_type(scope: tg.Scope) -> None:
    x = placeholder(scope, tg.TFloat32, 2, 2)
    wrong: Any = "yes"
    with pytest.raises(tg.AttributeValueError, match="attribute `transpose_a` must be of type bool, but is 'yes'"):
        linalg.MatMul.create(scope, x, x, transpose_a=wrong)
    layout: Any = "NWHC"
    with pytest.raises(tg.AttributeValueError, match="attribute `data_format` is 'NWHC'; allowed are 'NHWC', 'NCHW'"):
        nn.BiasAdd.create(scope, x, placeholder(scope, tg.TFloat32, 2), data_format=layout)
    with pytest.raises(tg.AttributeValueError, match=r"attribute `axis` must be a list of int, but is 'yes'"):
        core.Squeeze.create(scope, x, axis=wrong)
    with pytest.raises(tg.AttributeValueError, match="attribute `num_split` must be at least 1, but is 0"):
        core.Split.create(scope, 0, x, num_split=0)
    with pytest.raises(tg.AttributeValueError, match="`axis` must have fewer than 1048576 elements, but is range"):
        core.Squeeze.create(scope, x, axis=range(2**70))


@pytest.mark.parametrize("alpha", [True, 10**400, "1"], ids=["bool", "huge", "text"])
def test_what_is_no_float_attribute(scope: tg.Scope, alpha: Any) -> None:
    with pytest.raises(tg.AttributeValueError, match="attribute `alpha` must be of type float, but is"):
        nn.LeakyRelu.create(scope, placeholder(scope, tg.TFloat32, 2), alpha=alpha)


def test_a_bool_is_no_integer_attribute(scope: tg.Scope) -> None:
    x = placeholder(scope, tg.TFloat32, 2)
    with pytest.raises(tg.AttributeValueError, match="attribute `num_split` must be of type int, but is True"):
        core.Split.create(scope, 0, x, num_split=True)
    assert len(core.Split.create(scope, 0, x, num_split=1).op.outputs) == 1


def test_a_list_attribute_that_is_too_short(scope: tg.Scope) -> None:
    x = placeholder(scope, tg.TFloat32, 1, 4, 4, 1)
    with pytest.raises(tg.AttributeValueError, match="attribute `ksize` must have at least 4 elements, but has 3"):
        nn.AvgPool.create(scope, x, [1, 2, 2], [1, 1, 1, 1], "VALID")


def test_types_that_differ_within_a_list(scope: tg.Scope) -> None:
    operands: Any = [placeholder(scope, tg.TFloat32), placeholder(scope, tg.TInt32)]
    with pytest.raises(tg.DTypeError, match="input `inputs` holds float32 and int32; cast one with dtypes.Cast"):
        math.AddN.create(scope, operands)


def test_a_list_attribute_of_an_operation_written_by_hand(scope: tg.Scope) -> None:
    attrs = (AttrDef("sizes", "list(int)"),)
    definition = OpDef("Own", "Own", __name__, {}, (), attrs, (), "typegrad.shapes.common:none")
    with pytest.raises(tg.AttributeValueError, match="attribute `sizes` must be a list of int, but is 1$"):
        scope.add(definition, (), {"sizes": 1})


def test_an_integer_attribute_has_64_bits(scope: tg.Scope) -> None:
    shape = core.Constant.create(scope, [1])
    for seed in (-(2**63), 2**63 - 1):
        assert random.RandomUniform.create(scope, shape, tg.TFloat32, seed=seed).op.attrs["seed"] == seed
    for seed in (-(2**63) - 1, 2**63):
        with pytest.raises(tg.AttributeValueError, match="attribute `seed` must be an integer of 64 bits, but is"):
            random.RandomUniform.create(scope, shape, tg.TFloat32, seed=seed)


def test_an_operation_has_at_most_65536_outputs(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    assert len(core.Split.create(scope, 0, x, num_split=2**16).op.outputs) == 2**16
    with pytest.raises(
        tg.AttributeValueError, match="`num_split` is 65537, but an operation has at most 65536 outputs"
    ):
        core.Split.create(scope, 0, x, num_split=2**16 + 1)


def test_a_literal_that_does_not_fit(scope: tg.Scope) -> None:
    x = placeholder(scope, tg.TFloat32, 2, 2)
    wrong: Any = 1.5
    with pytest.raises(
        tg.DTypeError,
        match="Sum 'Sum'.*input `axis`: the Python float 1.5 is float32, but must be int32 or int64; write an int",
    ):
        core.Sum.create(scope, x, wrong)
    with pytest.raises(
        tg.DTypeError, match="1099511627776 is beyond int32, which holds .*; use a wider type, such as tg.TInt64"
    ):
        core.Sum.create(scope, x, 2**40)


@pytest.mark.parametrize(
    ("value", "dtype", "message"),
    [
        (
            1e300,
            tg.TFloat32,
            r"1e\+300 is beyond float32, which holds up to 3.40282.*use a wider type, such as tg.TFloat64",
        ),
        ([1, 70000], tg.TFloat16, "70000 is beyond float16, which holds up to 65504.0"),
        (np.array([1.0, -1e39]), tg.TBfloat16, r"-1e\+39 is beyond bfloat16"),
        (1e300j, tg.TComplex64, r"1e\+300 is beyond complex64.* such as tg.TComplex128"),
        (complex(np.inf, -1e300), tg.TComplex64, r"-1e\+300 is beyond complex64"),
    ],
)
def test_a_finite_number_that_would_become_infinite(scope: tg.Scope, value: Any, dtype: Any, message: str) -> None:
    with pytest.raises(tg.DTypeError, match=message):
        core.Constant.create(scope, value, dtype)


def test_a_literal_of_an_operator_that_would_become_infinite(scope: tg.Scope) -> None:
    half = placeholder(scope, tg.TFloat16, 2)
    with pytest.raises(tg.DTypeError, match="AddV2 'AddV2'.*: input `y`: 1000000.0 is beyond float16"):
        half + 1e6


def test_an_initial_value_that_would_become_infinite(scope: tg.Scope) -> None:
    with pytest.raises(tg.DTypeError, match=r"Variable.*: 1e\+300 is beyond float32"):
        tg.Variable.create(scope, 1e300)


def test_infinite_numbers_are_values(scope: tg.Scope) -> None:
    operation = core.Constant.create(scope, [np.inf, -np.inf, np.nan, 1.0], tg.TFloat16)
    np.testing.assert_array_equal(tg.Session(scope.graph).run(operation), np.array([np.inf, -np.inf, np.nan, 1]))


def test_a_shape_that_is_none(scope: tg.Scope) -> None:
    wrong: Any = 5
    with pytest.raises(tg.ShapeError, match="a shape is a tuple of dimensions, such as .* got 5"):
        core.Placeholder.create(scope, tg.TFloat32, shape=wrong)
    with pytest.raises(tg.ShapeError, match="a dimension is an int from 0 up, a name, or None .* got -2"):
        core.Placeholder.create(scope, tg.TFloat32, shape=(-2,))


class Half:
    """What has an index that is no integer."""

    def __index__(self) -> Any:
        half: Any = 0.5
        return half


def test_a_dimension_whose_index_is_no_int(scope: tg.Scope) -> None:
    half: Any = Half()
    with pytest.raises(tg.ShapeError, match="a dimension is an int from 0 up, a name, or None .* got <.*Half"):
        core.Placeholder.create(scope, tg.TFloat32, shape=(half,))


def test_a_failed_operation_leaves_no_node(scope: tg.Scope) -> None:
    x = placeholder(scope, tg.TBool)
    before = len(scope.graph)
    with pytest.raises(tg.DTypeError):
        math.Neg.create(scope, x)
    with pytest.raises(tg.ShapeError):
        math.Maximum.create(scope, placeholder(scope, tg.TFloat32, 3), [1.0, 2.0])
    before += 1
    assert len(scope.graph) == before and math.LogicalNot.create(scope.with_name("Neg"), x).op.name == "Neg"


def test_an_operand_has_no_truth_value(scope: tg.Scope) -> None:
    x = placeholder(scope, tg.TFloat32)
    with pytest.raises(TypeError, match="has no truth value while the graph is built; use core.Select"):
        bool(x > 0.0)
    with pytest.raises(TypeError, match="cannot be iterated while the graph is built; core.Unstack"):
        list(placeholder(scope, tg.TFloat32, 3))
    with pytest.raises(TypeError, match="is a scalar, which cannot be iterated"):
        list(x)
    with pytest.raises(TypeError, match="has no value before the run; session.run gives an array"):
        np.asarray(x)


def test_a_number_that_does_not_fit_an_operator(scope: tg.Scope) -> None:
    i = placeholder(scope, tg.TInt32)
    with pytest.raises(
        tg.DTypeError,
        match="AddV2 'AddV2'.*input `y`: the Python float 1.5 is not int32; cast `x` with dtypes.Cast, or write an int",
    ):
        i + 1.5


def test_true_division_of_integers(scope: tg.Scope) -> None:
    i = placeholder(scope, tg.TInt32, 2)
    message = (
        r"/ divides floating-point and complex numbers, not 'Placeholder:0' \(Placeholder, int32 \[2\], "
        rf"created at .*{HERE}\)"
    )
    message += ": write // for the floor of the quotient, or convert with dtypes.Cast"
    with pytest.raises(tg.DTypeError, match=message):
        i / 2
    with pytest.raises(tg.DTypeError, match=message):
        1 / i
    with pytest.raises(tg.DTypeError, match=f"{HERE}.*: cast it with dtypes.Cast$"):
        i / 255.0
    with pytest.raises(tg.DTypeError, match=message):
        i / i


def test_true_division_of_what_is_no_number(scope: tg.Scope) -> None:
    with pytest.raises(tg.DTypeError, match=f"{HERE}.*: cast it with dtypes.Cast$"):
        placeholder(scope, tg.TBool, 2) / True
    with pytest.raises(tg.DTypeError, match=f"{HERE}.*: no operation makes numbers of strings; convert them in Python"):
        placeholder(scope, tg.TString, 2) / 2.0


def test_the_handle_of_a_variable_has_no_value(scope: tg.Scope) -> None:
    x, handle = placeholder(scope, tg.TFloat32, 2, 3), tg.Variable.create(scope, 1.0).handle
    uses: list[Callable[[], Any]] = [
        lambda: core.Identity.create(scope, handle),
        lambda: x + handle,
        lambda: x @ handle,
    ]
    for use in uses:
        with pytest.raises(tg.DTypeError, match="is resource.*; a handle has no value; pass the variable that it is"):
            use()


def test_floor_division_of_complex_numbers(scope: tg.Scope) -> None:
    c = placeholder(scope, tg.TComplex64, 2)
    message = (
        r"// is for integers and floating-point numbers, not 'Placeholder:0' \(Placeholder, complex64 \[2\], created"
    )
    with pytest.raises(tg.DTypeError, match=message):
        c // c
    with pytest.raises(tg.DTypeError, match=message):
        2 // c


@pytest.mark.parametrize(
    ("product", "side"),
    [
        (lambda x: x @ 2.0, "right"),
        (lambda x: 2.0 @ x, "left"),
        (lambda x: x @ x[0, 0], "right"),
        (lambda x: x[0, 0] @ x, "left"),
    ],
)
def test_the_product_of_a_matrix_with_a_number(scope: tg.Scope, product: Callable[[Any], Any], side: str) -> None:
    x = placeholder(scope, tg.TFloat32, 2, 3)
    message = (
        f"@ is the product of matrices, but its {side} side is a number; "
        r"to multiply 'Placeholder:0' \(.*\) by it, write \*$"
    )
    with scope, pytest.raises(tg.ShapeError, match=message):
        product(x)


@pytest.mark.parametrize("other", [len, object()])
def test_the_product_of_a_matrix_with_no_value(scope: tg.Scope, other: Any) -> None:
    x = placeholder(scope, tg.TFloat32, 2, 3)
    message = "input `b`: <.*> is not float32; give an operand, a number or an array"
    with scope, pytest.raises(tg.DTypeError, match=message):
        x @ other


def test_scope_and_session_are_made_of_a_graph() -> None:
    wrong: Any = "graph"
    with pytest.raises(tg.GraphError, match=r"Scope\(\): argument `graph` must be a Graph, not str 'graph'"):
        tg.Scope(wrong)
    with pytest.raises(tg.GraphError, match=r"Session\(\): argument `graph` must be a Graph, not str"):
        tg.Session(wrong)


def test_of_many_inputs_the_wrong_ones_are_located(scope: tg.Scope) -> None:
    many = [core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2)) for _ in range(20)]
    wrong = core.Placeholder.create(scope.with_name("wrong"), tg.TFloat32, shape=(2, 1))
    with pytest.raises(tg.ShapeError, match=r"\n  values\[0\] = .*\n  values\[20\] = 'wrong:0' .*\n  values\[1\] = "):
        core.Concat.create(scope, [*many, wrong], 0)
