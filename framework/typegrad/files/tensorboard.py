"""Event files for TensorBoard: scalars, histograms, and the graph. Needs the package `tensorboard`, but not TensorFlow.

    with EventWriter("logs/first") as events:
        events.graph(graph)
        events.scalar("loss", session.run(loss), step)

`tensorboard --logdir logs` shows them.
"""

from __future__ import annotations

import math
import operator
import time
from importlib import import_module
from importlib.util import find_spec
from os import PathLike
from types import SimpleNamespace, TracebackType
from typing import Any, Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from typegrad.arguments.guarding import guard as _guard
from typegrad.arguments.paths import as_path
from typegrad.base.array import Array
from typegrad.base.brief import brief, is_text, quoted, shortened
from typegrad.base.errors import (
    AttributeValueError,
    DTypeError,
    FailedPreconditionError,
    InvalidArgumentError,
    ResourceExhaustedError,
    ShapeError,
    TypegradError,
)
from typegrad.base.quiet import quietly
from typegrad.base.shape import Shape
from typegrad.base.types import TBool, TReal, TString, TType, element_type_of
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOutput
from typegrad.graph.tensors import as_array

__all__ = ["EventWriter", "graph_def"]

_SMALL: Final = 1024
"""Constants of at most this many elements are written in full; of others, type and shape."""

_MOST_BUCKETS: Final = 65536
"""Of a histogram."""

_USED: Final = {
    "Event": "compat.proto.event_pb2",
    "EventFileWriter": "summary.writer.event_file_writer",
    "GraphDef": "compat.proto.graph_pb2",
    "HistogramProto": "compat.proto.summary_pb2",
    "Summary": "compat.proto.summary_pb2",
}
"""The names used of tensorboard, and their modules."""


@final
class EventWriter:
    """Writes what happens in a training to an event file in a folder.

    A thread does the writing; `close` waits for it.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        """Start a new event file in `folder`, which is made if there is none.

        Raises:
            ImportError: tensorboard is not installed.
        """
        self._protos = _protos()
        name = str(as_path(folder, "folder"))
        if not is_text(name):
            raise AttributeValueError(f"argument `folder`: {quoted(name)} is not text, which TensorBoard wants")
        self._writer = self._protos.EventFileWriter(name)
        self._is_closed = False

    def scalar(self, tag: str, value: ArrayLike, step: int) -> None:
        """One number, such as a loss, at a step.

        Raises:
            ShapeError: The value has several elements, or none.
        """
        number = _real(value, tag)
        if number.size != 1:
            raise ShapeError(f"scalar '{tag}' is one number, but the value has shape {list(number.shape)}")
        self._summarize(step, tag, simple_value=float(number.reshape(())))

    def histogram(self, tag: str, values: ArrayLike, step: int, *, buckets: int = 30) -> None:
        """The distribution of values, such as the elements of a variable, at a step.

        Raises:
            AttributeValueError: `buckets` is not from 1 to 65,536.
            InvalidArgumentError: There are no values, some are infinite or NaN, or float64 has no bounds for so many
                buckets between them.
        """
        if not 1 <= buckets <= _MOST_BUCKETS:
            raise AttributeValueError(
                f"histogram '{tag}' has from 1 to {_MOST_BUCKETS} `buckets`, not {brief(buckets)}"
            )
        numbers = _real(values, tag).ravel()
        unusual = numbers.size - np.count_nonzero(np.isfinite(numbers))
        if unusual or not numbers.size:
            what = f"{unusual} of {numbers.size} `values` are infinite or NaN" if unusual else "there are no `values`"
            raise InvalidArgumentError(f"histogram '{tag}' of step {step}: {what}")
        least, greatest = float(numbers.min()), float(numbers.max())
        if math.isinf(greatest - least):
            raise InvalidArgumentError(
                f"histogram '{tag}' of step {step}: `values` from {least:g} to {greatest:g} span too wide a range for "
                "float64"
            )
        try:
            counts, edges = np.histogram(numbers, buckets)
        except ValueError:  # there are not as many numbers between them
            raise InvalidArgumentError(
                f"histogram '{tag}' of step {step}: `values` from {least:g} to {greatest:g} are too close to each "
                f"other for {buckets} buckets of float64"
            ) from None
        histogram = self._protos.HistogramProto(
            min=least,
            max=greatest,
            num=numbers.size,
            sum=quietly(np.sum, numbers),
            sum_squares=quietly(np.vdot, numbers, numbers),
            bucket_limit=edges[1:].tolist(),
            bucket=counts.tolist(),
        )
        self._summarize(step, tag, histo=histogram)

    def graph(self, graph: Graph) -> None:
        """The graph as it is now. TensorBoard shows one graph of each folder."""
        self._add(graph_def=graph_def(graph).SerializeToString())

    def flush(self) -> None:
        """Wait until all is in the file."""
        self._check_open()
        self._writer.flush()

    def close(self) -> None:
        """Write what is not yet written, and close the file. Closing twice is fine."""
        if not self._is_closed:
            self._is_closed = True
            self._writer.close()

    def __enter__(self) -> EventWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _summarize(self, step: int, tag: str, **value: object) -> None:
        if not -(2**63) <= step < 2**63:
            raise AttributeValueError(f"`step` must be an integer of 64 bits, not {brief(step)}")
        summary = self._protos.Summary(value=[self._protos.Summary.Value(tag=tag, **value)])
        self._add(step=operator.index(step), summary=summary)

    def _add(self, **event: object) -> None:
        self._check_open()
        self._writer.add_event(self._protos.Event(wall_time=time.time(), **event))

    def _check_open(self) -> None:
        if self._is_closed:
            raise FailedPreconditionError("this EventWriter is closed; open another one")


def graph_def(graph: Graph) -> Any:
    """The graph as TensorFlow's `GraphDef`, as TensorBoard shows it: nodes, edges, attributes, shapes and devices.

    Large constants are there without their values.

    Raises:
        ImportError: tensorboard is not installed.
    """
    protos = _protos()
    graph_def = protos.GraphDef()
    graph_def.versions.producer = 22
    for operation in graph:
        node = graph_def.node.add(name=operation.name, op=operation.type, device=operation.device)
        node.input.extend(_edge(output) for output in operation.inputs)
        node.input.extend(f"^{before.name}" for before in operation.control_inputs)
        tf_names = operation.definition.tf_names
        for name, value in operation.attrs.items():
            _set_attribute(node.attr[tf_names.get(name, name)], value)
        node.attr["_output_shapes"].list.SetInParent()
        for output in operation.outputs:
            _set_shape(node.attr["_output_shapes"].list.shape.add(), output.shape)
    return graph_def


def _protos() -> SimpleNamespace:
    """Import the protocol buffers of tensorboard."""
    if find_spec("tensorboard") is None:
        raise ImportError("event files need tensorboard: run pip install 'typegrad[tensorboard]'", name="tensorboard")
    return SimpleNamespace(
        **{name: getattr(import_module(f"tensorboard.{home}"), name) for name, home in _USED.items()}
    )


def _real(values: ArrayLike, tag: str) -> NDArray[np.float64]:
    """`values` in double precision, if they are real numbers."""
    try:
        array = as_array(values)
    except TypegradError as error:
        raise type(error)(f"'{shortened(tag, 100)}' takes real numbers: {error}") from None
    dtype = element_type_of(array.dtype)
    if dtype is None or not issubclass(dtype, (TReal, TBool)):
        raise DTypeError(f"'{shortened(tag, 100)}' takes real numbers, not {array.dtype}")
    try:
        return array.astype(np.float64)
    except MemoryError:
        raise ResourceExhaustedError(
            f"'{shortened(tag, 100)}': there is no memory for numbers of shape {list(array.shape)} in double precision"
        ) from None


def _edge(output: AnyOutput) -> str:
    return f"{output.op.name}:{output.index}" if output.index else output.op.name


def _set_attribute(attribute: Any, value: object) -> None:
    """Put the value of an attribute into its protocol buffer."""
    if isinstance(value, np.ndarray):
        _set_tensor(attribute.tensor, value)
    elif isinstance(value, Shape):
        _set_shape(attribute.shape, value)
    elif isinstance(value, (tuple, list)):
        attribute.list.SetInParent()
        for item in value:
            _append(attribute.list, item)
    else:
        name, plain = _plain(value)
        setattr(attribute, name, plain)


def _append(values: Any, item: object) -> None:
    if isinstance(item, Shape):
        _set_shape(values.shape.add(), item)
    else:
        name, plain = _plain(item)
        getattr(values, name).append(plain)


def _plain(value: object) -> tuple[str, object]:
    """The field for a single value, and its content."""
    if isinstance(value, type) and issubclass(value, TType):
        return "type", value.enum
    if isinstance(value, bool):
        return "b", value
    if isinstance(value, int):
        return "i", value
    if isinstance(value, float):
        return "f", value
    return "s", value if isinstance(value, bytes) else str(value).encode()


def _set_tensor(tensor: Any, array: Array) -> None:
    dtype = element_type_of(array.dtype)
    tensor.dtype = 0 if dtype is None else dtype.enum
    _set_shape(tensor.tensor_shape, Shape(array.shape))
    if array.size > _SMALL:
        return
    if dtype is TString:
        tensor.string_val.extend(array.ravel().tolist())
    else:
        tensor.tensor_content = array.tobytes()


def _set_shape(proto: Any, shape: Shape) -> None:
    """A dimension that is not a number has size -1; its name, if any, is kept."""
    if shape.dims is None:
        proto.unknown_rank = True
        return
    proto.SetInParent()
    for dim in shape.dims:
        is_number = isinstance(dim, int)
        proto.dim.add(size=dim if is_number else -1, name="" if dim is None or is_number else str(dim))


_guard(__name__)
