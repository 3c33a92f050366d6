"""Arrays and other values, printed when the graph runs."""

from __future__ import annotations

from collections.abc import Sequence
from pprint import pformat
from typing import Any

from typegrad.base.types import TString
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import Scope
from typegrad.graph.wrapper import ListOp
from typegrad.op._ops import Ops
from typegrad.op.core import Print

__all__ = ["print"]


def print(
    scope: Scope, *inputs: object, output_stream: str = "stderr", summarize: int = 3, sep: str = " ", end: str = "\n"
) -> Print:
    """Print operands and other values, in one line or more, when the graph runs.

    `tf.print("loss:", loss, "weights:", w)` prints the values that `loss` and `w` have in each run in which it
    happens. So fetch it, or make it a control dependency of what is fetched; the line of Python itself prints nothing.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "print".
        *inputs: What to print. Operands of any type and shape, also in lists, tuples and dicts, are printed as
            `strings.StringFormat` writes them; a single string, as it is. Strings of Python are printed as they are,
            and other values, such as numbers and arrays of NumPy, as they look when the graph is built.
        output_stream: Where to print, as for `core.Print`: "stdout", "stderr", "log(info)", or a path after "file://".
        summarize: The number of elements to show at each end of an axis; a negative number for all elements.
        sep: What to print between the inputs.
        end: What to print after them. A record of a log has none.

    Returns:
        The operation that prints, which has no output.

    Raises:
        AttributeValueError: There is no such `output_stream`.

    Source: TensorFlow's `tf.print`.
    """
    with Ops.create(scope).with_sub_scope("print") as tf:
        text = inputs[0] if len(inputs) == 1 else None
        if not (isinstance(text, Operand) and issubclass(text.dtype, TString) and text.rank == 0):
            place = "{}"
            while place in _template(inputs, sep, "", []):
                place += "0"
            operands: list[AnyOperand] = []
            template = _template(inputs, sep, place, operands)
            text = tf.strings.string_format(operands, template=template, placeholder=place, summarize=summarize)
        return Print.create(tf.scope, text, output_stream=output_stream, end=end)


def _template(inputs: Sequence[object], sep: str, place: str, operands: list[AnyOperand]) -> str:
    """The text of the inputs, with `place` for each operand, which is appended to `operands`."""
    outlines = (_outline(each, place, operands) for each in inputs)
    texts = (each if isinstance(each, str) else pformat(each, sort_dicts=False) for each in outlines)
    return sep.join(texts).replace(repr(place), place)


def _outline(value: Any, place: str, operands: list[AnyOperand]) -> Any:
    """A value with `place` for each operand in it, which is appended to `operands`."""
    if isinstance(value, Operand):
        operands.append(value)
        return place
    if isinstance(value, dict):
        return {key: _outline(each, place, operands) for key, each in value.items()}
    if isinstance(value, (list, ListOp)):
        return [_outline(each, place, operands) for each in value]
    if isinstance(value, tuple):
        return getattr(value, "_make", tuple)(_outline(each, place, operands) for each in value)
    return value
