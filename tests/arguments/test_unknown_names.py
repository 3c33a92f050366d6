"""A name that a module or an object lacks: what the error says to write instead, and that asking for one stays cheap
and harmless.
"""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable
from functools import cache, partial, reduce
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
import yaml

import typegrad as tg
from typegrad.base.misspelt import plain
from typegrad.functions.facade import GroupOps
from typegrad.op._known import KNOWN
from typegrad.op._ops import Ops

MISTAKES: Final = {
    # An operation in another group, by another case or another name, misspelt
    "core.Transpose": "did you mean `linalg.Transpose` (from typegrad.op import linalg)?",
    "math.Sum": "did you mean `core.Sum` (from typegrad.op import core)?",
    "core.Mean": "did you mean `math.Mean` (from typegrad.op import math)?",
    "math.Matmul": "did you mean `linalg.MatMul` (from typegrad.op import linalg)?",
    "linalg.matmul": "did you mean `linalg.MatMul`?",
    "nn.Conv2D": "did you mean `nn.Conv2d`?",
    "core.Constnat": "did you mean `core.Constant`?",
    "linalg.MatrixSolve": "did you mean `linalg.Solve`?",
    "core.GatherV2": "did you mean `core.Gather`?",
    "math.reduce_mean": "did you mean `math.Mean`?",
    "core.unsqueeze": "did you mean `core.ExpandDims`?",
    # What assigns in TensorFlow 1 takes the variable, and its operations here the handle
    "core.Assign": "did you mean `variable.assign`?",
    "core.AssignAdd": "did you mean `variable.assign_add`?",
    "core.AssignSub": "did you mean `variable.assign_sub`?",
    "core.AssignVariable": "did you mean `core.AssignVariableOp`?",
    # TensorFlow's operations that are not here, by TensorFlow's names and TensorFlow Java's
    "strings.Lower": ". TensorFlow's operation StringLower is not here, nor are others of its kind.",
    "strings.StringStrip": ". TensorFlow's operation StringStrip is not here, nor are others of its kind. They work",
    "tf.strings.lower": ". TensorFlow's operation StringLower is not here, nor are others of its kind.",
    "core.TensorArray": ". TensorFlow's operation TensorArray is not here, nor are others of its kind. They keep lists",
    # Words of the field that no library has as a name
    "math.Ln": "did you mean `math.Log`?",
    "math.Exponential": "did you mean `math.Exp`?",
    "math.Times": "did you mean `math.Mul`?",
    "math.Minus": "did you mean `math.Sub`?",
    "math.SquareRoot": "did you mean `math.Sqrt`?",
    "math.And": "did you mean `math.LogicalAnd`?",
    "math.LessThan": "did you mean `math.Less`?",
    "math.Average": "did you mean `math.Mean`?",
    "math.MatrixMultiply": "did you mean `linalg.MatMul` (from typegrad.op import linalg)?",
    "math.Product": "did you mean `core.Prod` (from typegrad.op import core)?",
    "linalg.Determinant": "did you mean `linalg.Det`?",
    "linalg.LeastSquares": "did you mean `linalg.MatrixSolveLs`?",
    "nn.AveragePooling2D": "did you mean `nn.AvgPool`?",
    "nn.MaxPooling2D": "did you mean `nn.MaxPool`?",
    "tf.math.ln": "did you mean `tf.math.log`?",
    # A name elsewhere, rather than one that is spelt a little like it
    "math.Expit": "did you mean `math.Sigmoid`?",
    "math.Log10": ". There is one logarithm, the natural one. Divide it by np.log(2) or np.log(10). See `math.Log`.",
    "math.Mode": ". There is no operation that finds the most frequent value. ",
    "nn.L1Loss": "did you mean `tg.losses.MeanAbsoluteError`?",
    "nn.Huber": "did you mean `tg.losses.Huber`?",
    "nn.HardSigmoid": "did you mean `tg.activations.hard_sigmoid`?",
    "nn.DepthwiseConv": "did you mean `nn.DepthwiseConv2dNative`?",
    "core.View": "did you mean `core.Bitcast` or `core.Reshape`?",
    "core.Repeat": "did you mean `tg.functions.repeat`?",
    "random.Beta": ". There is no operation that draws from the beta distribution. ",
    "random.Exponential": ". There is no operation that draws from the exponential distribution, ",
    "math.Conjugate": "did you mean `math.Conj`?",
    "nn.Dense": ". There are no layer classes. Write a layer as a function that creates variables and operations "
    "in a scope. See `typegrad docs show training#a-model-a-loss-a-step` and ",
    # typegrad itself
    "tg.placeholder": "did you mean `core.Placeholder` (from typegrad.op import core)?",
    "tg.Placeholder": "did you mean `core.Placeholder` (from typegrad.op import core)?",
    "tg.matmul": "did you mean `linalg.MatMul` (from typegrad.op import linalg)?",
    "tg.reduce_sum": "did you mean `core.Sum` (from typegrad.op import core)?",
    "tg.stop_gradient": "did you mean `core.StopGradient` (from typegrad.op import core)?",
    "tg.no_grad": "did you mean `core.StopGradient` (from typegrad.op import core)?",
    "tg.print": "did you mean `tg.functions.print`?",
    "tg.shape": "did you mean `core.Shape` (from typegrad.op import core) or `tg.Shape`?",
    "tg.load": "see `typegrad docs show training#stop-and-resume`",
    "tg.summary": "see `typegrad docs show training#watching`",
    "tg.pi": ". These numbers are NumPy's, `np.pi`, and are written wherever an operand goes. ",
    "tg.flags": ". Options of a program are for Python's argparse, ",
    "tg.to_float": "One operation converts to any of them. See `dtypes.Cast` (from typegrad.op import dtypes)",
    "tg.newaxis": "see `typegrad docs show building#indices-and-masks`",
    "tg.nn": "did you mean `nn` (from typegrad.op import nn)?",
    "tg.float32": "did you mean `tg.TFloat32`?",
    "tg.float": "did you mean `tg.TFloat32`?",
    "tg.Float32": "did you mean `tg.TFloat32`?",
    "tg.Tensor": "did you mean `tg.Operand`?",
    "tg.tensor": "did you mean `core.Constant` (from typegrad.op import core)?",
    "tg.array": "did you mean `core.Constant` (from typegrad.op import core)?",
    "tg.Generator": "did you mean `tg.random.Generator`?",
    "tg.training.schedules": "see `typegrad docs show training#optimizers-schedules-clipping`",
    "tg.gradient": "did you mean `tg.gradients`?",
    "tg.variable_scope": "A variable is not found by its name. Make it once, and pass it, or a layer that holds it, "
    "wherever it is used; a second scope or variable of the same name gets another one, as in D_1. "
    "See `scope.with_sub_scope` and `typegrad docs show from-tensorflow-1#weights-that-are-shared`.",
    "tf.variable_scope": "A variable is not found by its name.",
    "tg.where": "did you mean `core.Select` (from typegrad.op import core) or "
    "`core.Where` (from typegrad.op import core)?",
    "tg.Where": "did you mean `core.Where` (from typegrad.op import core)?",
    "tg.get_variable": "did you mean `tg.Variable`?",
    "tg.InteractiveSession": "did you mean `tg.Session`?",
    "tg.AdamOptimizer": "did you mean `tg.optimizers.Adam`?",
    "tg.GradientTape": " The gradient is computed from the graph, and added to it. See `tg.gradients` and `tg.grad`.",
    "tg.function": ". Functions are not traced, and operations do not run eagerly. A program builds a graph, and "
    "a session runs it",
    "tg.keras": ". There are no layer classes.",
    "tg.value_and_grad": "Fetch the value and its gradient together, `session.run((y, gradient), feeds)`. ",
    "tg.jvp": "see `typegrad docs show gradients-and-stop-gradient#jacobian-vector-products`",
    "tg.custom_jvp": "did you mean `tg.custom_gradient`?",
    "tg.import_graph_def": "See `typegrad docs show from-tensorflow-1#what-is-not-here`.",
    "tg.add_check_numerics_ops": "see `typegrad docs show training#a-loss-that-is-nan`",
    "tg.enable_check_numerics": "see `typegrad docs show training#a-loss-that-is-nan`",
    "tg.set_detect_anomaly": "see `typegrad docs show training#a-loss-that-is-nan`",
    "tg.embedding_lookup": "`variable.gather`",
    "tg.saved_model": ". No file holds a graph and its variables together. ",
    "tg.SavedModel": "See `session.save`, `session.restore` and `typegrad docs show training#stop-and-resume`.",
    "tg.global_variables_initializer": "see `typegrad docs show graphs-scopes-sessions#initialization`",
    "nn.MaxPool2D": "did you mean `nn.MaxPool`?",
    "tg.optim": "see `typegrad docs show training#optimizers-schedules-clipping`",
    "tg.optax": "see `typegrad docs show training#optimizers-schedules-clipping`",
    "tg.Input": ". There are no layer classes, and so no symbolic inputs of layers. What is fed is a placeholder. See "
    "`core.Placeholder` (from typegrad.op import core) and ",
    "tg.latest_checkpoint": "did you mean `saver.latest`?",
    "tg.ModelCheckpoint": "did you mean `tg.Saver`?",
    "tg.EarlyStopping": "see `typegrad docs show training#early-stopping`",
    "tg.to_categorical": "did you mean `tg.functions.one_hot`?",
    "tg.profiler": "see `typegrad docs show speed#profile`",
    "tg.timeline": "see `typegrad docs show speed#trace`",
    "tg.EagerSession": ". Functions are not traced, and operations do not run eagerly. ",
    "tg.functions.bernoulli": ". There is no operation that flips coins. ",
    "tg.activations.get": ". Nothing is found by a string. Take it from its module. ",
    "tg.random.normal": "did you mean `tg.functions.normal`?",
    "tg.zeros": "did you mean `tg.functions.zeros`?",
    "tg.numpy": ". Operations have TensorFlow's names. `typegrad ops search` finds them by NumPy's. ",
    "tg.tree_map": ". Lists and dicts of operands are Python's, and a comprehension maps them. ",
    "tg.errors": "did you mean `tg.TypegradError`, `tg.InvalidArgumentError` or `tg.FailedPreconditionError`?",
    # What models are made of
    "tg.optimizers.SGD": "did you mean `tg.optimizers.GradientDescent`?",
    "tg.optimizers.RMSprop": "did you mean `tg.optimizers.RMSProp`?",
    "tg.optimizers.StepLR": "did you mean `tg.optimizers.ExponentialDecay`?",
    "tg.optimizers.CosineDecayRestarts": "see `typegrad docs show training#optimizers-schedules-clipping`",
    "tg.optimizers.ReduceLROnPlateau": "see `typegrad docs show training#optimizers-schedules-clipping`",
    "tg.metrics.F1Score": ". There is no F score. ",
    "tg.losses.MSE": "did you mean `tg.losses.MeanSquaredError`?",
    "tg.losses.CrossEntropy": "did you mean `tg.losses.SparseCategoricalCrossentropy`?",
    "tg.initializers.Xavier": "did you mean `tg.initializers.GlorotUniform`?",
    "tg.initializers.xavier_uniform": "did you mean `tg.initializers.GlorotUniform`?",
    "tg.initializers.kaiming_normal_": "did you mean `tg.initializers.HeNormal`?",
    "tg.initializers.glorot_uniform": "did you mean `tg.initializers.GlorotUniform`?",
    "tg.metrics.Acuracy": "did you mean `tg.metrics.Accuracy`?",
    # The facade
    "tf.reduce_sum": "did you mean `tf.sum`?",
    "tf.matmul": "did you mean `tf.linalg.mat_mul`?",
    "tf.math.matmul": "did you mean `tf.linalg.mat_mul`?",
    "tf.linalg.matmul": "did you mean `tf.linalg.mat_mul`?",
    "tf.reduceSum": "did you mean `tf.sum`?",
    "tf.stopGradient": "did you mean `tf.stop_gradient`?",
    "tf.transpose": "did you mean `tf.linalg.transpose`?",
    "tf.Variable": "did you mean `tf.variable`?",
    "tf.core": "; the operations of `core` are its own methods, such as `tf.constant`",
    "tf.nn.sigmoid_cross_entropy_with_logits": "did you mean `tf.nn.sigmoid_cross_entropy`?",
    "tf.random_normal": "did you mean `tf.random.normal`?",
    "tf.nn.zeros": "did you mean `tf.zeros`?",
    "tf.hessians": "did you mean `tf.hessian`?",
    "tf.train.AdamOptimizer": "did you mean `tg.optimizers.Adam`?",
    "tf.init": "see `typegrad docs show graphs-scopes-sessions#initialization`",
    "tf.if_": ". Graphs have no branches. ",
    "tf.while_loop": ". Graphs have no loops. ",
    "tf.cond": ". Graphs have no branches. Compute both values, and select one of them, element by element. See "
    "`tf.select`.",
    # Objects
    "x.with_sub_scope": "; a scope has it: tg.Scope(graph) makes one",
    "graph.with_name": "; a scope has it: tg.Scope(graph) makes one",
    "x.get_shape": "did you mean `.shape`?",
    "x.at": ". Nothing changes the value of an operand. Add what ScatterNd makes of the changes, or update a copy. See "
    "`core.ScatterNd` (from typegrad.op import core) and ",
    "x.asOutput": "did you mean `.as_output`?",
    "x.numpy": "did you mean `session.run`?",
    "x.eval": "did you mean `session.run`?",
    "x.T": "did you mean `linalg.Transpose` (from typegrad.op import linalg)?",
    "x.mean": "did you mean `math.Mean` (from typegrad.op import math)?",
    "x.reshape": "did you mean `core.Reshape` (from typegrad.op import core)?",
    "x.astype": "did you mean `dtypes.Cast` (from typegrad.op import dtypes)?",
    "x.detach": "did you mean `core.StopGradient` (from typegrad.op import core)?",
    "x.grad": "did you mean `tg.grad`?",
    "x.value": "did you mean `session.run`?",
    "x.consumers": "did you mean `operation.consumers`?",
    "x.parents": "did you mean `graph.ancestors`?",
    "x.block_until_ready": "did you mean `session.run`?",
    "x.backward": ". Operations are not recorded on a tape.",
    "x.shape.as_list": "list(x.shape) has None, or a name, for a size that only a run knows. See `.as_ints`.",
    "x.shape.ndims": "did you mean `.rank`?",
    "x.shape.numDimensions": "did you mean `.rank`?",
    "x.shape.asArray": "did you mean `.as_ints`?",
    "x.shape.hasUnknownDimension": "did you mean `.is_static`?",
    "v.assign_sub_": "did you mean `.assign_sub`?",
    "v.read_value": "did you mean `.read`?",
    "v.data": "did you mean `session.value` or `session.assign`?",
    "v.numpy": "did you mean `session.value`?",
    "session.eval": "did you mean `.value` or `.run`?",
    "session.predict": "did you mean `.run`?",
    "session.evaluate": "did you mean `.run`?",
    "session.as_default": ". There is no default session. Write `with tg.Session(graph) as session:`, and run with it.",
    "session.graph_": "did you mean `.graph`?",
    "session.initialise": "did you mean `.initialize`?",
    "scope.name": "did you mean `.path`?",
    "scope.trainable_variables": "did you mean `graph.trainable_variables`?",
    "scope.reuse_variables": ". A variable is not found by its name. ",
    "scope.withName": "did you mean `.with_name`?",
    "scope.math": "'Scope' object has no attribute 'math'; write tg.Ops(scope).math, whose methods are operations, or "
    "from typegrad.op import math",
    "scope.core": "write tg.Ops(scope), whose methods are operations, or from typegrad.op import core",
    "scope.name_scope": "did you mean `.with_sub_scope`?",
    "graph.get_operations": "did you mean `.operations`?",
    "graph.as_default": "did you mean `tg.Scope`?",
    "graph.as_graph_def": ". Graphs can be written for TensorBoard and as pictures, but not loaded. ",
    "graph.to_graph_def": "See `typegrad docs show training#stop-and-resume` and `tg.tensorboard.graph_def`.",
    "graph.import_graph_def": ". Graphs are not read from files. ",
    "graph.nodes": "did you mean `.operations`?",
    "graph.edges": ". The inputs of an operation, operation.inputs, are the outputs of those before it. ",
    "graph.summary": "did you mean `.to_text`?",
    "graph.draw": "did you mean `.show`?",
    "graph.to_html": "did you mean `.show`?",
    "graph.close": ". A graph is an ordinary object, which needs no closing. Sessions do. See `session.close`.",
    "graph.opBuilder": ". Classes make operations, and check their types and shapes. ",
    "dataset.split": ". A dataset has no methods to choose or to join elements. ",
    "dataset.random_split": ". A dataset has no methods to choose or to join elements. ",
    "dataset.unbatch": ". A dataset has no methods to choose or to join elements. ",
    "writer.add_graph": "; did you mean `.graph`?",
    "writer.add_histogram": "; did you mean `.histogram`?",
    "writer.add_scalar": "; did you mean `.scalar`?",
    "writer.add_summary": "; did you mean `.scalar`?",
    "writer.image": ". Event files hold scalars, histograms and the graph. ",
    "writer.text": ". Event files hold scalars, histograms and the graph. ",
    "optimizer.maximize": ". Optimizers only minimize. ",
    "graph.finalize": ". A graph cannot be closed. Create operations before the loop, not in it; ",
    "graph.get_tensor_by_name": "did you mean `.output`?",
    "session.force_initialize": "; see `typegrad docs show graphs-scopes-sessions#initialization`",
    "session.reset": "; see `typegrad docs show graphs-scopes-sessions#initialization`",
    "session.get_weights": "; see `typegrad docs show training#weights-in-memory`",
    "graph.to_svg": "did you mean `.to_dot`?",
    "graph.to_png": "did you mean `.to_dot`?",
    "graph.state_dict": "; see `typegrad docs show training#weights-in-memory`",
    "nn.Embedding": "did you mean `variable.gather`?",
    "optimizer.step": "did you mean `.minimize`?",
    "optimizer.lr": "did you mean `.learning_rate`?",
    "optimizer.iterations": "did you mean `.variables`?",
    "optimizer.get_slot": "did you mean `.variables`?",
    "optimizer.zero_grad": ". Gradients are values of the graph. They do not accumulate from step to step. See "
    "`tg.gradients`.",
    "group.inputz": "did you mean `.inputs`?",
    # Outputs, which are never operations of that name
    "determinant.logdet": "; its outputs are .sign, .log_abs_determinant",
    "determinant.sing": "did you mean `.sign`?",
    # Inputs, which are neither operations nor layers of that name
    "determinant.inputs.logits": "'LogMatrixDeterminantInputs' object has no attribute 'logits'; its inputs are .input",
    "determinant.inputs.inptu": "did you mean `.input`?",
    "x.inputs.value": "; the operation has no inputs",
    "x.inputs.shap": "did you mean `.shape`?",
    # Classes
    "core.Sum.crate": "'Sum' class has no attribute 'crate'; did you mean `.create`?",
    "core.NoOp.Create": "'NoOp' class has no attribute 'Create'; did you mean `.create`?",
    "tg.Variable.crete": "did you mean `.create`?",
    "tg.Ops.creat": "did you mean `tf.create`?",
    "core.Sum.keep_dims": "'Sum' class has no attribute 'keep_dims'; write Sum.create(scope, ..., keep_dims=...)",
    "core.Sum.keepDims": "; write Sum.create(scope, ..., keep_dims=...)",
    "tg.Shape.unknown": "'Shape' class has no attribute 'unknown'. A size that is not known is None, as in (None, 3); "
    "tg.Shape(None) is a shape of which not even the rank is known. See `.of`.",
    "tg.Shape.UNKNOWN_SIZE": ". A size that is not known is None, as in (None, 3); ",
    "tg.Shape.scalar": "did you mean `.of`?",
    "tg.TFloat32.tensorOf": "'TFloat32' class has no attribute 'tensorOf'; a tensor is an array of NumPy, and "
    "core.Constant.create(scope, value) makes an operand of one",
    "tg.TInt32.scalar_of": "; a tensor is an array of NumPy, ",
    "tg.TFloat32.DTYPE": "'TFloat32' class has no attribute 'DTYPE'; the class itself is the element type",
    "tg.TFloat32.as_numpy_dtype": "NumPy's dtype of an element type is x.dtype.numpy. See `tg.TType`.",
    "tg.TFloat32.is_floating": ". The kinds of element types are classes: issubclass(x.dtype, tg.TFloating), ",
    "tg.TInt32.min": ". The limits are NumPy's: np.finfo(x.dtype.numpy).min, ",
    "tg.TInt32.size": "x.dtype.numpy.itemsize. See `tg.TType`.",
    "tg.as_dtype": "did you mean `tg.from_numpy`?",
    "tg.TFloat32.nmae": "did you mean `.name`?",
    "core.Sum.qqqqq": "'Sum' class has no attribute 'qqqqq'",
    # Nothing is like it
    "core.qqqqq": "module 'typegrad.op.core' has no attribute 'qqqqq'",
    "scope.qqqqq": "'Scope' object has no attribute 'qqqqq'",
    "x._private": "'Placeholder' object has no attribute '_private'",
}
"""What people write first, and what the error says after its first words, or all that it says."""


@cache
def world() -> dict[str, Any]:
    """What the mistakes are made with, by name."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    packages = {
        name: import_module(f"typegrad.op.{name}") for name in ("core", "linalg", "math", "nn", "random", "strings")
    }
    square = packages["core"].Placeholder.create(scope, tg.TFloat32, shape=(2, 2))
    return packages | {
        "tg": tg,
        "tf": tg.Ops.create(graph),
        "graph": graph,
        "scope": scope,
        "session": tg.Session(graph),
        "x": packages["core"].Placeholder.create(scope, tg.TFloat32, shape=(2, 3)),
        "determinant": packages["linalg"].LogMatrixDeterminant.create(scope, square),
        "v": tg.Variable.create(scope, 1.0),
        "group": packages["core"].NoOp.create(scope),
        "optimizer": tg.optimizers.Adam(graph, 0.1),
        "dataset": tg.data.Dataset.from_arrays(np.ones(3)),
        "writer": tg.tensorboard.EventWriter.__new__(tg.tensorboard.EventWriter),
    }


def refused(get: Callable[[], object]) -> str:
    with pytest.raises(tg.UnknownNameError) as caught:
        get()
    assert isinstance(caught.value, AttributeError)
    return str(caught.value)


@pytest.mark.parametrize("written", MISTAKES)
def test_what_the_message_says(written: str) -> None:
    first, *names = written.split(".")
    says = refused(lambda: reduce(getattr, names, world()[first]))
    assert f"has no attribute {names[-1]!r}" in says
    expected = MISTAKES[written]
    assert expected in says if " no attribute " not in expected else expected == says


def facades() -> dict[str, GroupOps]:
    """The facade, and the facade of each group."""
    tf = tg.Ops.create(tg.Graph())
    groups = {path.partition(".")[0] for path in KNOWN} - {"core"}
    return {"core": tf, **{group: getattr(tf, group) for group in groups}}


def method(path: str) -> str:
    """How the facade calls an operation: `tf.linalg.mat_mul`."""
    group, _, name = path.partition(".")
    method = next(each for each in dir(facades()[group]) if plain(each) == plain(name))
    return f"`tf.{method}`" if group == "core" else f"`tf.{group}.{method}`"


API: Final = ("did you mean `tg.", "did you mean `variable.", "did you mean `random` (from typegrad.op import random)")
"""What is meant by some names that operations have, too: something else of typegrad."""


def named(name: str) -> list[str]:
    """The operations that have this name in one library or another."""
    last = plain(name.rpartition(".")[2])
    return [path for path, names in KNOWN.items() if any(plain(other.rpartition(".")[2]) == last for other in names)]


@pytest.mark.parametrize("library", ["tf", "np", "jnp", "jax", "torch", "org"])
def test_every_name_elsewhere_leads_to_its_operation_or_another_of_that_name(library: str) -> None:
    lost = []
    for name in sorted({name for names in KNOWN.values() for name in names if name.startswith(f"{library}.")}):
        last = name.rpartition(".")[2]
        try:
            getattr(tg, last)
        except tg.UnknownNameError as error:
            paths = [f"`{path}` (from typegrad.op import" for path in named(name)]
            if not any(path in str(error) for path in paths) and not any(other in str(error) for other in API):
                lost.append((name, str(error)))
    assert not lost


def test_every_name_of_tensorflow_leads_to_the_facade() -> None:
    tf = tg.Ops.create(tg.Graph())
    lost = []
    for path, names in KNOWN.items():
        for name in names:
            if name.startswith("tf.") and name.count(".") == 1:
                try:
                    getattr(tf, name.removeprefix("tf."))
                except tg.UnknownNameError as error:
                    meant = [method(other) for other in named(name)]
                    if not any(other in str(error) for other in meant) and not any(
                        other in str(error) for other in API
                    ):
                        lost.append((path, name, str(error)))
    assert not lost


@pytest.mark.parametrize("group", sorted({path.partition(".")[0] for path in KNOWN}))
def test_every_operation_is_found_from_a_group_that_lacks_it(group: str) -> None:
    module = import_module(f"typegrad.op.{group}")
    for path in KNOWN:
        home, _, name = path.partition(".")
        if name not in module.__all__:
            says = refused(partial(getattr, module, name))
            assert f"did you mean `{path}` (from typegrad.op import {home})?" in says


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "from typegrad.op.math import Sum",
            "cannot import name 'Sum' from 'typegrad.op.math'; did you mean `core.Sum` (from typegrad.op import core)?",
        ),
        ("from typegrad import placeholder", "; did you mean `core.Placeholder` (from typegrad.op import core)?"),
        ("from typegrad.training.losses import MSE", "; did you mean `tg.losses.MeanSquaredError`?"),
        ("from typegrad.training.optimizers import SGD", "; did you mean `tg.optimizers.GradientDescent`?"),
        ("from typegrad.op import layouts", "; its groups are bitwise, cluster, core, debugging, dtypes, image, "),
        ("from typegrad.op import keras", ". There are no layer classes. "),
    ],
)
def test_imports(statement: str, says: str) -> None:
    with pytest.raises(ImportError) as caught:
        exec(statement)
    assert says in str(caught.value)


def test_python_adds_no_suggestion_of_its_own() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = world()["math"].Sum
    shown = "".join(traceback.format_exception(caught.value))
    assert "Did you mean" not in shown and shown.count("did you mean `core.Sum`") == 1


def test_every_word_is_of_an_operation() -> None:
    subjects: dict[str, Any] = yaml.safe_load((files("typegrad.arguments") / "subjects.yaml").read_text("utf-8"))
    assert {f"tf.raw_ops.{name}" for name in subjects["words"]} <= {names[0] for names in KNOWN.values()}


# Asking is cheap and harmless


def test_asking_loads_nothing() -> None:
    program = """
import sys
import typegrad as tg
from typegrad.op import core
x = core.Constant.create(tg.Scope(tg.Graph()), 1.0)
asked = [hasattr(tg, "nothing"), hasattr(core, "Nothing"), hasattr(x, "nothing"), getattr(tg, "nothing", False)]
assert asked == [False] * 4, asked
loaded = {"yaml", "typegrad_reference", "typegrad.arguments.elsewhere", "typegrad.op._known"} & sys.modules.keys()
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert not done.stderr


def test_objects_without_their_state() -> None:
    for kind in (tg.Output, tg.Scope, tg.Shape, tg.Graph, Ops):
        empty = object.__new__(kind)
        assert not hasattr(empty, "nothing") and not hasattr(empty, "__deepcopy__") and not hasattr(empty, "_nothing")
    with pytest.raises(AttributeError, match="known"):
        _ = object.__new__(tg.Output).dtype


def test_a_property_fails_with_its_own_error() -> None:
    class Broken(tg.optimizers.Adam):
        @property
        def size(self) -> int:
            raise AttributeError("of its own")

    with pytest.raises(AttributeError, match="^of its own$"):
        _ = Broken(tg.Graph(), 0.1).size


def test_protocols_of_python_and_numpy() -> None:
    x = world()["x"]
    assert copy.copy(x.shape) == copy.deepcopy(x.shape) == pickle.loads(pickle.dumps(x.shape)) == x.shape
    assert not hasattr(x, "__array_interface__") and not hasattr(x, "__cuda_array_interface__")


def test_the_error_can_be_pickled() -> None:
    for error in (
        tg.UnknownNameError("typegrad", "placeholder"),
        tg.UnknownNameError(tg.Session, "runn", {"graph": 1}),
        tg.UnknownNameError(tg.Variable, "crate", of_class=True),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is tg.UnknownNameError and str(again) == str(error) and "did you mean" in str(error)


def test_type_checkers_see_no_attributes_of_any_name() -> None:
    source = (Path(tg.__file__).parent / "graph" / "wrapper.py").read_text(encoding="utf-8")
    assert "if not TYPE_CHECKING:\n        __getattr__ = unknown_attribute\n" in source
