"""What the functions do besides what TensorFlow's do: types, names of nodes, variables, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions
from typegrad.op import core, random

CALLS: Final[dict[str, Callable[[tg.Scope, Any], Any]]] = {
    "eye": lambda scope, x: functions.eye(scope, 3),
    "l2_normalize": lambda scope, x: functions.l2_normalize(scope, x, 0),
    "meshgrid": lambda scope, x: functions.meshgrid(scope, x, x)[0],
    "repeat": lambda scope, x: functions.repeat(scope, x, [2, 1], axis=0),
    "logsumexp": lambda scope, x: functions.logsumexp(scope, x, 0),
    "moments": lambda scope, x: functions.moments(scope, x, 0)[0],
    "softmax": lambda scope, x: functions.softmax(scope, x, 0),
    "log_softmax": lambda scope, x: functions.log_softmax(scope, x, 0),
    "dropout": lambda scope, x: functions.dropout(scope, x, 0.5),
    "sigmoid_cross_entropy": lambda scope, x: functions.sigmoid_cross_entropy(scope, labels=1.0 * x, logits=x),
    "global_norm": lambda scope, x: functions.global_norm(scope, [x]),
    "frame": lambda scope, x: functions.frame(scope, x, 2, 1),
    "overlap_and_add": lambda scope, x: functions.overlap_and_add(scope, x, 2),
    "stft": lambda scope, x: functions.stft(scope, x, 2, 1),
    "dct": functions.dct,
    "idct": functions.idct,
    "mdct": lambda scope, x: functions.mdct(scope, x, 4, pad_end=True),
    "linear_to_mel_weight_matrix": lambda scope, x: functions.linear_to_mel_weight_matrix(scope),
    "mfccs_from_log_mel_spectrograms": functions.mfccs_from_log_mel_spectrograms,
    "jacobian": lambda scope, x: tg.jacobian(scope, x * x, x),
    "hessian": lambda scope, x: tg.hessian(scope, x * x, x),
    "hvp": lambda scope, x: tg.hvp(scope, x * x, x, x),
}


@pytest.mark.parametrize("name", CALLS)
def test_operations_are_in_a_sub_scope_of_the_functions_name(scope: tg.Scope, name: str) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64, shape=(2, 3))
    x * x
    start = len(scope.graph)
    with scope.with_sub_scope("mine") as mine:
        CALLS[name](mine, x)
    names = [op.name for op in scope.graph.operations[start:] if not op.name.startswith("mine/Mul")]
    assert names and all(each.startswith(f"mine/{name}/") for each in names)


@pytest.mark.parametrize("name", CALLS)
def test_control_dependencies_hold(scope: tg.Scope, name: str) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64, shape=(2, 3))
    first = core.NoOp.create(scope)
    result = CALLS[name](scope.with_control_dependencies([first]), x)
    assert first.op in scope.graph.ancestors([result.as_output().op])


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ("eye", "linear_to_mel_weight_matrix")])
def test_variables_are_operands(scope: tg.Scope, name: str) -> None:
    v = tg.Variable.create(scope, np.ones((2, 3)))
    with tg.Session(scope.graph) as session:
        assert np.isfinite(session.run(CALLS[name](scope, v))).all()


def test_zeros_of_strings_and_sizes_that_are_fed(scope: tg.Scope) -> None:
    sizes = core.Placeholder.create(scope, tg.TInt32, shape=(2,))
    with tg.Session(scope.graph) as session:
        assert session.run(functions.zeros(scope, (2,), tg.TString)).tolist() == [b"", b""]
        assert session.run(functions.ones(scope, sizes), {sizes: [2, 3]}).shape == (2, 3)


def test_a_shape_in_the_place_of_its_sizes(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, np.zeros((2, 3), np.float32))
    x = core.Placeholder.create(scope, tg.TFloat32, (None, 3))
    operands = [
        functions.zeros(scope, w.shape),
        functions.normal(scope, w.shape),
        core.Fill.create(scope, w.shape, 1.0),
    ]
    assert [each.shape for each in operands] == [w.shape] * 3
    with pytest.raises(tg.ShapeError, match=r"\[\?, 3\] is a shape; write x.shape.as_ints\(\) for known sizes"):
        functions.ones(scope, x.shape)


def test_an_identity_matrix_of_a_size_that_only_a_run_knows(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64, (None, 2))
    rows = core.Shape.create(scope, x)[0]
    square = functions.eye(scope, rows, dtype=tg.TFloat64)
    wide = functions.eye(scope, 2, rows)
    stack = functions.eye(scope, rows, 2, batch_shape=(rows, 1))
    assert [each.shape for each in (square, wide, stack)] == [(None, None), (2, None), (None, 1, None, 2)]
    with tg.Session(scope.graph) as session:
        results = session.run([square, wide, stack], {x: np.zeros((3, 2))})
    for result, expected in zip(results, (np.eye(3), np.eye(2, 3), np.tile(np.eye(3, 2), (3, 1, 1, 1))), strict=True):
        np.testing.assert_array_equal(result, expected)
    with pytest.raises(tg.ShapeError, match="`limit` must have rank 0"):
        functions.eye(scope, core.Shape.create(scope, x))


def test_half_precision_in_moments(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, (300.0 + np.arange(100) % 2).astype(np.float16))
    mean, variance = functions.moments(scope, x, 0)
    with tg.Session(scope.graph) as session:
        assert (mean.dtype, variance.dtype) == (tg.TFloat16, tg.TFloat16)
        assert session.run(mean) == np.float16(300.5) and session.run(variance) == np.float16(0.25)


def test_unknown_shapes(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64)
    results = [functions.logsumexp(scope, x, -1), *functions.moments(scope, x, -1), functions.softmax(scope, x)]
    results += [
        functions.repeat(scope, x, 3, -1),
        functions.meshgrid(scope, x, x)[0],
        functions.l2_normalize(scope, x, -1),
    ]
    with tg.Session(scope.graph) as session:
        values = session.run(results, {x: np.zeros((2, 4))})
    assert [value.shape for value in values] == [(2,), (2,), (2,), (2, 4), (2, 12), (8, 8), (2, 4)]
    assert values[0].tolist() == [np.log(4)] * 2


def test_group_runs_everything(scope: tg.Scope) -> None:
    v, w = (tg.Variable.create(scope, np.zeros(())) for _ in range(2))
    step = functions.group(scope.with_name("step"), v.assign_add(scope, 1), w.assign_add(scope, 2).op)
    with tg.Session(scope.graph) as session:
        session.run(step)
        assert session.value(v) == 1 and session.value(w) == 2 and step.op.name == "step"


@pytest.mark.parametrize("loss", [functions.sampled_softmax_loss, functions.nce_loss])
def test_sampled_losses_touch_the_rows_in_question(scope: tg.Scope, loss: Any) -> None:
    weights = tg.Variable.create(scope, np.ones((1000, 4), np.float32))
    biases = tg.Variable.create(scope, np.zeros(1000, np.float32))
    inputs = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 4))
    losses = loss(scope, weights, biases, [[1], [2]], inputs, 5, 1000, seed=3)
    (rows,) = tg.gradients(scope, losses, [weights])
    assert isinstance(rows, tg.IndexedSlices)
    with tg.Session(scope.graph) as session:
        values, indices = session.run([losses, rows.indices], {inputs: np.ones((2, 4), np.float32)})
    assert values.shape == (2,) and np.isfinite(values).all() and indices.shape == (7,)


def test_classes_that_were_drawn_already(scope: tg.Scope) -> None:
    labels = core.Constant.create(scope, np.array([[1], [2]]))
    drawn = random.UniformCandidateSampler.create(scope, labels, num_true=1, num_sampled=3, unique=True, range_max=4)
    weights, biases, inputs = (functions.ones(scope, shape) for shape in ((4, 2), (4,), (2, 2)))
    losses = functions.sampled_softmax_loss(scope, weights, biases, labels, inputs, 3, 4, sampled_values=drawn)
    with tg.Session(scope.graph) as session:
        assert (session.run(losses) > 0).all()
    assert [op.type for op in scope.graph].count("LogUniformCandidateSampler") == 0


ANY: Final[Any] = functions
"""The functions, for arguments that no type checker accepts."""

MISTAKES: Final[dict[str, tuple[Callable[[tg.Scope, Any], Any], type[tg.TypegradError], str]]] = {
    "an axis": (
        lambda scope, x: functions.softmax(scope, x, 2),
        tg.ShapeError,
        r"softmax: 'x:0' of shape \[2, 3\] has no axis 2",
    ),
    "an axis of a sum": (
        lambda scope, x: functions.logsumexp(scope, x, 5),
        tg.ShapeError,
        r"`axis` is 5, but must be in \[-2, 2\)",
    ),
    "two types": (
        lambda scope, x: functions.meshgrid(scope, x, core.Constant.create(scope, 1)),
        tg.DTypeError,
        r"meshgrid: vectors\[0\] is float\d\d, but vectors\[1\] is int32; cast one with dtypes.Cast",
    ),
    "an order of axes": (
        lambda scope, x: ANY.meshgrid(scope, x, indexing="yx"),
        tg.AttributeValueError,
        "meshgrid.*: argument `indexing` must be one of 'xy', 'ij', not str 'yx'",
    ),
    "an axis to repeat": (
        lambda scope, x: functions.repeat(scope, x, 2, -3),
        tg.ShapeError,
        r"repeat: 'x:0' of shape \[2, 3\] has no axis -3",
    ),
    "a number of repeats": (
        lambda scope, x: functions.repeat(scope, x, [1, 2], 1),
        tg.ShapeError,
        r"repeat: `repeats` has shape \[2\], but axis 1 of 'x:0' of shape \[2, 3\] has size 3; give a number",
    ),
    "how often in all": (
        lambda scope, x: functions.repeat(scope, x, [2**62, 2**62], 0),
        tg.ShapeError,
        "repeat: the sum of `repeats` is 9223372036854775808, beyond int64",
    ),
    "axes": (lambda scope, x: functions.moments(scope, x, [0, 7]), tg.ShapeError, r"`axis\[1\]` is 7|`axis` is 7"),
    "a number of rows": (
        lambda scope, x: functions.eye(scope, -1),
        tg.ShapeError,
        "num_rows is -1, but a size cannot be negative",
    ),
    "a number of columns": (lambda scope, x: functions.eye(scope, 1, -2), tg.ShapeError, "num_columns is -2, but"),
    "half a row": (
        lambda scope, x: ANY.eye(scope, 1.5),
        tg.AttributeValueError,
        "`num_rows` must be an int or an Operand, not float 1.5",
    ),
    "a size for a shape": (
        lambda scope, x: ANY.zeros(scope, 3),
        tg.AttributeValueError,
        r"`shape` must be a list of ints .*write \[3\]",
    ),
    "a negative size": (lambda scope, x: functions.ones(scope, (2, -1)), tg.ShapeError, "a size cannot be negative"),
    "NumPy's type": (lambda scope, x: ANY.zeros(scope, (2,), np.float32), tg.DTypeError, "write tg.TFloat32"),
    "ones of strings": (
        lambda scope, x: ANY.ones(scope, (2,), tg.TString),
        tg.DTypeError,
        "there is no 1 of type string",
    ),
    "another type": (
        lambda scope, x: ANY.one_hot(scope, [1], 3, core.Constant.create(scope, 1.5), dtype=tg.TInt32),
        tg.DTypeError,
        "on_value is float32, but int32 is requested; cast it with dtypes.Cast",
    ),
    "a value that does not fit": (
        lambda scope, x: functions.one_hot(scope, [1], 3, 1.5, dtype=tg.TInt32),
        tg.DTypeError,
        "1.5 is not int32",
    ),
    "no operands": (
        lambda scope, x: functions.global_norm(scope, [None]),
        tg.GradientError,
        "there are no operands to take the norm of",
    ),
    "a list of operations": (
        lambda scope, x: ANY.group(scope, [x]),
        tg.GraphError,
        r"`operations\[0\]` must be an Operation",
    ),
    "labels of another shape": (
        lambda scope, x: functions.sigmoid_cross_entropy(scope, labels=np.ones((3, 3)), logits=x),
        tg.ShapeError,
        r"labels '.*labels:0' \(.*\[3, 3\], .* must have the shape of logits 'x:0'",
    ),
    "classes drawn as a tuple": (
        lambda scope, x: ANY.nce_loss(scope, x, x[:, 0], [[1], [0]], x, 1, 2, sampled_values=(x, x, x)),
        tg.AttributeValueError,
        "sampled_values must be the result of a candidate sampler, such as random.UniformCandidateSampler, not tuple",
    ),
    "more axes than there are": (
        lambda scope, x: functions.tensordot(scope, x, x, 3),
        tg.ShapeError,
        r"tensordot: axes is 3, but `a` has shape \[2, 3\], and `b` \[2, 3\]",
    ),
    "fewer rows than classes": (
        lambda scope, x: functions.nce_loss(scope, x, x[0], [[1], [0]], x, 1, 3),
        tg.ShapeError,
        r"num_classes is 3, but weights has a row for 2 classes: 'x:0' \(.*\[2, 3\]",
    ),
    "fewer biases than classes": (
        lambda scope, x: functions.sampled_softmax_loss(scope, x, x[:1, 0], [[1], [0]], x, 1, 2),
        tg.ShapeError,
        r"num_classes is 2, but biases has a row for 1 classes: ",
    ),
    "axes of one operand": (
        lambda scope, x: functions.tensordot(scope, x, x, [[1]]),
        tg.AttributeValueError,
        r"tensordot: axes is a number, or a pair of axes or of lists of axes, not \[\[1\]\]",
    ),
    "more axes of one operand": (
        lambda scope, x: functions.tensordot(scope, x, x, [[0, 1], [0]]),
        tg.ShapeError,
        "tensordot: axes has 2 of `a`, but 1 of `b`",
    ),
    "an axis of products twice": (
        lambda scope, x: functions.tensordot(scope, x, x, [[0, -2], [0, 1]]),
        tg.ShapeError,
        r"tensordot: axes of `a` has an axis twice: \[0, -2\]",
    ),
    "no axis of products": (
        lambda scope, x: functions.tensordot(scope, x, x, [[0], [2]]),
        tg.ShapeError,
        r"tensordot: `b`, of shape \[2, 3\], has no axis 2",
    ),
    "products of two sizes": (
        lambda scope, x: functions.tensordot(scope, x, x, 1),
        tg.ShapeError,
        r"axis 1 of `a`, of shape \[2, 3\], and axis 0 of `b`, of shape \[2, 3\]: dimensions 3 and 2 differ",
    ),
    "the inverse of a vector": (
        lambda scope, x: functions.pinv(scope, x[0]),
        tg.ShapeError,
        r"pinv: 'StridedSlice:0' of shape \[3\] is no matrix",
    ),
    "a norm of three axes": (
        lambda scope, x: functions.norm(scope, x, axis=(0, 1, 2)),
        tg.AttributeValueError,
        r"norm: axis is an axis, a pair of axes or None, not \[0, 1, 2\]",
    ),
    "no norm of matrices": (
        lambda scope, x: functions.norm(scope, x, 3, axis=(0, 1)),
        tg.AttributeValueError,
        "norm: ord is 3, but of matrices it is 'euclidean', 'fro', 1, 2 or infinity",
    ),
    "no norm of vectors": (
        lambda scope, x: functions.norm(scope, x, "fro", axis=1),
        tg.AttributeValueError,
        "norm: ord is 'fro', but of vectors it is 'euclidean' or a positive number",
    ),
    "a pair of equal axes": (
        lambda scope, x: functions.norm(scope, x, 1, axis=(0, -2)),
        tg.ShapeError,
        r"Max 'norm/Max' .*: `axis` is \[0, -2\], which names an axis of the rank-2 `input` twice",
    ),
    "equal axes of a spectral norm": (
        lambda scope, x: functions.norm(scope, x, 2, axis=(0, -2)),
        tg.ShapeError,
        r"norm: axes of `x` has an axis twice: \[0, -2\]",
    ),
    "no axis of a spectral norm": (
        lambda scope, x: functions.norm(scope, x, 2, axis=(0, 3)),
        tg.ShapeError,
        r"norm: `x`, of shape \[2, 3\], has no axis 3",
    ),
    "the spectral norm of a scalar": (
        lambda scope, x: functions.norm(scope, x[0, 0], 2, axis=(0, 1)),
        tg.ShapeError,
        r"norm: `x`, of shape \[\], has no axis 0",
    ),
    "an order": (
        lambda scope, x: ANY.sort(scope, x, direction="down"),
        tg.AttributeValueError,
        "`direction` must be one of 'ASCENDING', 'DESCENDING'",
    ),
    "no axis to sort along": (
        lambda scope, x: functions.argsort(scope, x, -3),
        tg.ShapeError,
        r"argsort: 'x:0' of shape \[2, 3\] has no axis -3",
    ),
    "an axis of an unknown rank": (
        lambda scope, x: functions.sort(scope, core.Placeholder.create(scope, tg.TInt8), 0),
        tg.ShapeError,
        "sort: the axes of 'Placeholder:0' of shape <unknown> are unknown",
    ),
    "weighted labels of another shape": (
        lambda scope, x: functions.weighted_cross_entropy_with_logits(
            scope, labels=np.ones((3, 3)), logits=x, pos_weight=2.0
        ),
        tg.ShapeError,
        r"weighted_cross_entropy_with_logits: labels '.*labels:0' \(.*\) must have the shape of logits 'x:0'",
    ),
    "labels of rank 1": (
        lambda scope, x: functions.nce_loss(scope, x, x[:, 0], [1, 0], x, 1, 2),
        tg.ShapeError,
        (
            r"labels must have the shape \[batch, num_true\], .*; for one class a row, core.ExpandDims.create\(scope, "
            r"labels, 1\)"
        ),
    ),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_first_mistake_is_told_what_to_write(scope: tg.Scope, what: str) -> None:
    call, error, text = MISTAKES[what]
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat64, shape=(2, 3))
    with pytest.raises(error, match=text):
        call(scope, x)
