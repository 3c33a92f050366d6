"""TensorFlow's answer to a case. Imported by the recorder only, in an environment that has TensorFlow."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

import numpy as np

from support.case import Accumulator, Case, Var
from support.recording import Array, Recorded, as_array, cotangent, operands

__all__ = ["VERSION", "answer", "flows"]

# Imported by name, because type checkers have no TensorFlow, or half of its stubs.
tf: Any = import_module("tensorflow")
op_def_library: Any = import_module("tensorflow.python.framework.op_def_library")
op_def_registry: Any = import_module("tensorflow.python.framework.op_def_registry")
v1: Any = tf.compat.v1
tf.get_logger().setLevel("ERROR")

VERSION: Final[str] = tf.__version__
DIFFERENTIABLE: Final = frozenset({tf.bfloat16, tf.float16, tf.float32, tf.float64, tf.complex64, tf.complex128})
UNSUPPORTED: Final = ("No OpKernel", "no supported kernel", "Unsupported dtype", "is not available in GraphDef")
"""The messages of operations that TensorFlow declares, for a dtype or at all, but does not implement."""

GRADIENT_ERRORS: Final = (
    tf.errors.OpError,
    AssertionError,
    AttributeError,
    IndexError,
    NotImplementedError,
    TypeError,
    ValueError,
)
"""The errors of TensorFlow's gradient functions, including errors by mistake, such as for some integer types."""


def answer(case: Case) -> Recorded:
    """TensorFlow's answer to a case, built as a graph, so that errors of shape functions are included, and run
    unchanged.
    """
    with _graph(case).as_default() as graph, v1.Session(graph=graph, config=_config()) as session:
        try:
            inputs = [_placed(value, case, session) for value in operands(case)]
            op = _built(case, inputs)
            return _ran(op, case, inputs, session)
        except (tf.errors.OpError, ValueError, TypeError, NotImplementedError) as error:
            message = getattr(error, "message", None) or str(error)
            unsupported = isinstance(error, (tf.errors.NotFoundError, tf.errors.UnimplementedError)) or any(
                sign in message for sign in UNSUPPORTED
            )
            return Recorded(error=f"{type(error).__name__}: {_brief(message)}", unsupported=unsupported)


def _graph(case: Case) -> Any:
    """A new graph, of the last version that accepts the operation of a case."""
    graph, definition = tf.Graph(), op_def_registry.get(case.op)
    if definition is not None and definition.deprecation.version:
        old = v1.GraphDef()
        old.versions.producer = definition.deprecation.version - 1
        with graph.as_default():
            tf.import_graph_def(old)
    return graph


def _config() -> Any:
    """Run the graph as built: no rewriting, no folding, one thread."""
    config = v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.optimizer_options.opt_level = v1.OptimizerOptions.L0
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config


def _brief(message: str) -> str:
    """The line of the message that states the error, without TensorFlow's nodes and places."""
    lines = [line for line in message.split("\n") if line.strip()] or ["no message"]
    places = [number for number, line in enumerate(lines) if line.startswith("Node: ")]
    return lines[places[0] + 1 if places and places[0] + 1 < len(lines) else 0].strip()[:200]


def _placed(value: Array | Var, case: Case, session: Any) -> Any:
    if not isinstance(value, Var):
        return tf.constant(value, tf.string if value.dtype == object else tf.as_dtype(value.dtype))
    if isinstance(value, Accumulator):
        return _accumulator(value, session)
    if value.value is None:
        return tf.raw_ops.VarHandleOp(
            dtype=tf.as_dtype(case.attrs.get("dtype", "float")), shape=None, shared_name=_fresh(session)
        )
    initial = as_array(value.value)
    handle = tf.raw_ops.VarHandleOp(dtype=tf.as_dtype(initial.dtype), shape=initial.shape, shared_name=_fresh(session))
    session.run(tf.raw_ops.AssignVariableOp(resource=handle, value=tf.constant(initial)))
    return handle


def _accumulator(accumulator: Accumulator, session: Any) -> Any:
    gradients = as_array(accumulator.value)
    handle = tf.raw_ops.ResourceConditionalAccumulator(
        dtype=tf.as_dtype(gradients.dtype),
        shape=gradients.shape[1:],
        reduction_type=accumulator.reduction,
        shared_name=_fresh(session),
    )
    for gradient in gradients:
        session.run(
            tf.raw_ops.ResourceAccumulatorApplyGradient(
                handle=handle, local_step=tf.constant(0, tf.int64), gradient=tf.constant(gradient)
            )
        )
    return handle


def _fresh(session: Any) -> str:
    return f"variable_{len(session.graph.get_operations())}"


def _built(case: Case, inputs: Sequence[Any]) -> Any:
    """Add the operation of a case to the graph."""
    definition = op_def_registry.get(case.op)
    if definition is None:
        raise SystemExit(f"TensorFlow has no operation {case.op}")
    if len(case.inputs) != len(definition.input_arg):
        raise SystemExit(f"{case.op} has {len(definition.input_arg)} inputs; a case gives {len(case.inputs)}")
    fixed = {name for arg in definition.input_arg for name in (arg.type_attr, arg.number_attr, arg.type_list_attr)}
    free = [attr for attr in definition.attr if attr.name not in fixed]
    arguments: dict[str, Any] = {attr.name: None for attr in free if attr.HasField("default_value")}
    rest = list(inputs)
    for arg, value in zip(definition.input_arg, case.inputs, strict=True):
        count = len(value) if isinstance(value, tuple) else 1
        arguments[arg.name] = rest[:count] if isinstance(value, tuple) else rest[0]
        del rest[:count]
    kinds = {attr.name: attr.type for attr in definition.attr}
    for name, value in case.attrs.items():
        if name not in kinds and name != "dtype":
            raise SystemExit(f"{case.op} has no attribute {name}")
        if name in kinds and name not in fixed:
            arguments[name] = _attribute(kinds[name], value)
    return op_def_library._apply_op_helper(case.op, **arguments)[2]


def _attribute(kind: str, value: Any) -> Any:
    if kind.startswith("list("):
        return [_attribute(kind[5:-1], item) for item in value]
    if kind == "type":
        return tf.as_dtype(value)
    if kind == "shape":
        return tf.TensorShape(
            None if value is None else [dim if isinstance(dim, int) and dim >= 0 else None for dim in value]
        )
    if kind == "tensor":
        return tf.make_tensor_proto(as_array(value))
    return value


def _ran(op: Any, case: Case, inputs: Sequence[Any], session: Any) -> Recorded:
    outputs = [None if output.dtype == tf.resource else output for output in op.outputs]
    fetched = session.run([op, *(output for output in outputs if output is not None)])[1:]
    arrays = iter(fetched)
    values = tuple(None if output is None else as_array(np.asarray(next(arrays))) for output in outputs)
    has_state = any(isinstance(value, Var) for value in operands(case))
    random = bool(
        op.op_def.is_stateful and op.inputs and not has_state and "seed" in {attr.name for attr in op.op_def.attr}
    )
    if random:
        values = tuple(None if value is None else np.zeros_like(value) for value in values)
    after = tuple(_held(x, session) for x, value in zip(inputs, operands(case), strict=True) if isinstance(value, Var))
    gradients = None if random or has_state else _gradients(op, inputs, values, session)
    return Recorded(outputs=values, random=random, after=after, gradients=gradients)


def _held(handle: Any, session: Any) -> Array | None:
    dtype = handle.op.get_attr("dtype")
    if handle.op.type == "ResourceConditionalAccumulator":
        if not session.run(tf.raw_ops.ResourceAccumulatorNumAccumulated(handle=handle)):
            return None
        taken = tf.raw_ops.ResourceAccumulatorTakeGradient(handle=handle, num_required=1, dtype=dtype)
        return as_array(np.asarray(session.run(taken)))
    if not session.run(tf.raw_ops.VarIsInitializedOp(resource=handle)):
        return None
    return as_array(np.asarray(session.run(tf.raw_ops.ReadVariableOp(resource=handle, dtype=dtype))))


def _gradients(
    op: Any, inputs: Sequence[Any], values: Sequence[Array | None], session: Any
) -> tuple[Array | None, ...] | None:
    """The gradient of each operand, or None if TensorFlow has none or cannot compute it."""
    pairs = [
        (output, tf.constant(cotangent(value.shape, value.dtype, index)))
        for index, (output, value) in enumerate(zip(op.outputs, values, strict=True))
        if value is not None and output.dtype in DIFFERENTIABLE
    ]
    xs = [x for x in inputs if x.dtype in DIFFERENTIABLE]
    if not pairs or not xs:
        return None
    try:
        gradients = v1.gradients([y for y, _ in pairs], xs, [grad for _, grad in pairs])
        arrays = iter(
            [None if grad is None else np.asarray(session.run(tf.convert_to_tensor(grad))) for grad in gradients]
        )
    except LookupError:
        return None
    except GRADIENT_ERRORS as error:
        print(f"  {op.type}: no gradient: {type(error).__name__}: {_brief(str(error))}")
        return None
    return tuple(next(arrays) if x.dtype in DIFFERENTIABLE else None for x in inputs)


def flows(case: Case) -> list[str | None]:
    """The kind of gradient of each operand of a case: "none", "zeros" or "values"; None where an operand cannot have
    one.

    An output of integers or bools is cast to float32 first, so that there is something to differentiate.
    """
    with _graph(case).as_default() as graph, v1.Session(graph=graph, config=_config()) as session:
        try:
            inputs = [_placed(value, case, session) for value in operands(case)]
            op = _built(case, inputs)
            ys = [y if y.dtype in DIFFERENTIABLE else tf.cast(y, tf.float32) for y in op.outputs if _is_number(y)]
            xs = [x for x in inputs if x.dtype in DIFFERENTIABLE]
            if not ys or not xs:
                return [None for _ in inputs]
            weights = [
                tf.constant(cotangent(value.shape, value.dtype, index))
                for index, value in enumerate(map(np.asarray, session.run(ys)))
            ]
            result = iter([_flow(grad, session) for grad in v1.gradients(ys, xs, weights)])
        except (LookupError, *GRADIENT_ERRORS):
            return [None for _ in operands(case)]
        return [next(result) if x.dtype in DIFFERENTIABLE else None for x in inputs]


def _is_number(output: Any) -> bool:
    return output.dtype not in (tf.resource, tf.string, tf.variant)


def _flow(grad: Any, session: Any) -> str:
    if grad is None:
        return "none"
    return "values" if np.any(np.asarray(session.run(tf.convert_to_tensor(grad)))) else "zeros"
