"""Overlapping frames of a signal, and their sum."""

from __future__ import annotations

from math import gcd

from typing_extensions import TypeVar

from typegrad.base.errors import ShapeError
from typegrad.base.types import TBool, TNumber, TString
from typegrad.functions.checks import at_least, positive
from typegrad.functions.sizes import sizes_of
from typegrad.graph.operand import Operand, Output
from typegrad.graph.operand_like import AnyLike
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.rules.sizes import Size, vector
from typegrad.shapes.values import axis_in

__all__ = ["frame", "overlap_and_add"]

N = TypeVar("N", bound=TNumber)
T = TypeVar("T", bound=TNumber | TBool | TString)


def frame(
    scope: Scope,
    signal: Operand[T],
    frame_length: int,
    frame_step: int,
    pad_end: bool = False,
    pad_value: Operand[T] | AnyLike = 0,
    axis: int = -1,
) -> Operand[T]:
    """Cut a signal into frames, which overlap if `frame_step` is less than `frame_length`.

    Without padding there are `max(0, 1 + (samples - frame_length) // frame_step)` frames, and the samples after the
    last whole frame are left out. With padding there are `ceil(samples / frame_step)` frames, so each sample begins
    at least in one.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "frame".
        signal: The samples along an axis, of any type; its rank is known.
        frame_length: The number of samples of a frame.
        frame_step: The number of samples from the beginning of one frame to the next.
        pad_end: Whether to fill the frames that go beyond the end.
        pad_value: What to fill them with: of a signal of truth values True or False, of strings a string.
        axis: The axis of the samples, counted from the end if negative.

    Returns:
        The frames, of shape [..., frames, frame_length, ...]: two axes in place of one. The number of frames is known
        before the run if the number of samples is; of a named number, if `pad_end`.

    Raises:
        AttributeValueError: `frame_length` or `frame_step` is less than 1.
        ShapeError: There is no such axis, or the rank is unknown.
        DTypeError: `pad_value` is not of the type of `signal`.

    Source: TensorFlow's `tf.signal.frame`.
    """
    length, step = positive("frame", "frame_length", frame_length), positive("frame", "frame_step", frame_step)
    with Ops.create(scope).with_sub_scope("frame") as tf:
        x = signal.output_in(tf.scope)
        at_least("frame", "signal", x, 1, "[..., samples, ...]")
        rank = len(x.shape.known())
        try:
            at = axis_in(axis, rank)
        except ShapeError as error:
            raise ShapeError(f"frame: {error}") from None
        samples = sizes_of(tf.scope, x)[at]
        if pad_end:
            frames: Size = (samples + (step - 1)) // step
            paddings = [[0, length - 1 if i == at else 0] for i in range(rank)]  # the last frame has one sample or more
            x = tf.pad(x, paddings, pad_value).as_output()
        else:
            frames = _not_negative(tf, (samples - length) // step + 1)
        return _gathered(tf, x, at, frames, length, step)


def _gathered(tf: Ops, x: Output[T], axis: int, frames: Size, length: int, step: int) -> Operand[T]:
    """The frames along an axis that has all of their samples.

    Slices are copied faster than samples: frames begin and end at multiples of the common divisor.
    """
    sizes = sizes_of(tf.scope, x)
    before, after = sizes[:axis], sizes[axis + 1 :]
    part = gcd(length, step)
    parts = sizes[axis] // part
    whole = x if part == 1 else x[(slice(None),) * axis + (slice(parts * part),)]
    split = tf.reshape(whole, vector(tf.scope, [*before, parts, part, *after]))
    starts = tf.range(0, frames, 1) * (step // part)
    slices = tf.gather(split, starts[:, None] + tf.range(0, length // part, 1), axis)
    return tf.reshape(slices, vector(tf.scope, [*before, frames, length, *after]))


def _not_negative(tf: Ops, size: Size) -> Size:
    return max(0, size) if isinstance(size, int) else tf.math.maximum(size, 0)


def overlap_and_add(scope: Scope, signal: Operand[N], frame_step: int) -> Operand[N]:
    """Add frames that overlap to one signal: the transpose of `frame`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "overlap_and_add".
        signal: The frames, of shape [..., frames, frame_length]. Its rank and `frame_length` must be known.
        frame_step: The number of samples from the beginning of one frame to the next. Between frames that do not meet,
            the signal is 0.

    Returns:
        The signal, of shape [..., (frames - 1) frame_step + frame_length].

    Raises:
        AttributeValueError: `frame_step` is less than 1.
        ShapeError: The rank is less than 2, or the rank or `frame_length` is unknown.

    Source: TensorFlow's `tf.signal.overlap_and_add`.
    """
    step = positive("overlap_and_add", "frame_step", frame_step)
    with Ops.create(scope).with_sub_scope("overlap_and_add") as tf:
        x = signal.output_in(tf.scope)
        at_least("overlap_and_add", "signal", x, 2, "[..., frames, frame_length]")
        *outer, frames, length = sizes_of(tf.scope, x)
        if not isinstance(length, int):
            raise ShapeError(
                f"overlap_and_add: frame_length, the last size of signal '{x.name}' of shape {x.shape}, must be known; "
                "state it with `expect`"
            )
        samples: Size = (frames - 1) * step + length
        if length < step:  # without frames there would be fewer than none
            samples = _not_negative(tf, samples)
        if step == length:
            return tf.reshape(x, vector(tf.scope, [*outer, samples]))
        # Segment j of frame i belongs at i + j. Rows of one segment more than there are places, read as rows of as many
        # as there are places, move on by one from row to row.
        segments = -(-length // step)
        rank = len(outer) + 2
        x = tf.pad(x, [*([0, 0] for _ in outer), [0, segments], [0, segments * step - length]]).as_output()
        rows = tf.reshape(x, vector(tf.scope, [*outer, frames + segments, segments, step]))
        columns = tf.linalg.transpose(rows, [*range(rank - 2), rank - 1, rank - 2, rank])
        places = frames + (segments - 1)
        flat = tf.reshape(columns, vector(tf.scope, [*outer, (frames + segments) * segments, step]))
        moved = tf.reshape(flat[..., : places * segments, :], vector(tf.scope, [*outer, segments, places, step]))
        total = tf.reshape(tf.sum(moved, -3), vector(tf.scope, [*outer, places * step]))
        return tf.reshape(total[..., :samples], vector(tf.scope, [*outer, samples]))
