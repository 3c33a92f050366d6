"""Gradients of `ops/ctc.yaml`.

The second derivative is made of operations: how the probability of each place of an alignment changes, step by step.
"""

from __future__ import annotations

from typing import Any, Final

from typegrad.base.errors import GradientError
from typegrad.base.types import TInt32
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    Concat,
    Constant,
    ExpandDims,
    Fill,
    Gather,
    Max,
    OneHot,
    Pad,
    Range,
    Reshape,
    Select,
    Squeeze,
    Stack,
    StopGradient,
    Sum,
    TensorScatterNdUpdate,
    Unstack,
    ZerosLike,
)
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Einsum, Transpose
from typegrad.op.math import (
    Cumsum,
    Equal,
    Exp,
    Log,
    LogicalAnd,
    LogicalOr,
    Maximum,
    NotEqual,
    UnsortedSegmentSum,
)
from typegrad.op.nn import CtcLoss, CTCLossV2, LogSoftmax
from typegrad.rules.common import Gradients, OutputGradients
from typegrad.rules.sizes import size_between

NEVER: Final = -1e30
"""The logarithm of 0: finite, so that differences of two are numbers."""


def ctc_loss(scope: Scope, op: CtcLoss[Any], grads: OutputGradients) -> Gradients:
    """The gradient of each loss times what the operation gives along with it, and how that changes."""
    blank = size_between(scope, op.inputs.inputs, 2, 3) - 1
    return _gradient(scope, op, grads, blank, op.inputs.labels_values < blank)


def ctc_loss_v2(scope: Scope, op: CTCLossV2, grads: OutputGradients) -> Gradients:
    """The same, where the first class is the blank."""
    return _gradient(scope, op, grads, 0, op.inputs.labels_values > 0)


def _gradient(
    scope: Scope, op: CtcLoss[Any] | CTCLossV2, grads: OutputGradients, blank: Any, is_label: AnyOperand
) -> AnyOperand:
    first: AnyOperand = Reshape.create(scope, grads[0], [1, -1, 1]) * op.gradient
    if not grads.connected(1):
        return first
    second = _Alignments(scope, op, blank, is_label).changes(grads[1])
    return first + second if grads.connected(0) else second


class _Alignments:
    """The alignments of a batch with extended sequences, [batch, places], which have blanks around each label."""

    def __init__(self, scope: Scope, op: CtcLoss[Any] | CTCLossV2, blank: Any, is_label: AnyOperand) -> None:
        self._scope: Final = scope
        self._inputs: Any = op.inputs
        x: AnyOutput = self._inputs.inputs
        length = x.shape.known()[0] if x.rank is not None else None
        if not isinstance(length, int):
            raise GradientError(
                f"the gradient of `gradient` of {op.op.name!r} is made step by step, but the number of steps, "
                "the first dimension of `inputs`, is not known while the graph is built; give it a shape with this "
                "dimension"
            )
        self._length, self._x = length, x
        self._paths, self._ends = self._extended(blank, is_label)
        is_label_place = NotEqual.create(scope, self._paths, blank)
        before = self._at(self._paths, 2, -1)
        self._stays: AnyOperand = ZerosLike.create(scope, self._number(is_label_place))
        if self._inputs.ctc_merge_repeated:
            skips = LogicalAnd.create(
                scope,
                is_label_place,
                LogicalAnd.create(scope, NotEqual.create(scope, self._paths, before), before >= 0),
            )
        else:
            skips = LogicalAnd.create(scope, is_label_place, before >= 0)
            self._stays = NEVER * self._number(is_label_place)
        self._skips = NEVER * (1 - self._number(skips))

    def _number(self, x: AnyOperand) -> Any:
        return Cast.create(self._scope, x, self._x.dtype)

    def _at(self, x: Any, shift: int, otherwise: float) -> Any:
        """For each place, what is so many places before it, or after it if `shift` is negative."""
        scope = self._scope
        sides = [shift, 0] if shift > 0 else [0, -shift]
        padded = Pad.create(scope, x, [[0, 0], sides], Constant.create(scope, otherwise, x.dtype)).as_output()
        return padded[:, :-shift] if shift > 0 else padded[:, -shift:]

    def _extended(self, blank: Any, is_label: AnyOperand) -> tuple[AnyOperand, AnyOperand]:
        """The extended sequences, and 0 at the two places where they may end."""
        scope, inputs = self._scope, self._inputs
        batch = size_between(scope, self._x, 1, 2)
        owners = Cast.create(scope, inputs.labels_indices, TInt32).as_output()[:, 0]
        labels = inputs.labels_values
        if inputs.preprocess_collapse_repeated:
            is_new = LogicalOr.create(scope, *(NotEqual.create(scope, x[1:], x[:-1]) for x in (labels, owners)))
            is_label = LogicalAnd.create(scope, is_label, Concat.create(scope, [[True], is_new], 0))
        kept = Cast.create(scope, is_label, TInt32)
        counts: Operand[TInt32] = UnsortedSegmentSum.create(scope, kept, owners, batch)
        starts = Cumsum.create(scope, counts, 0, exclusive=True)
        ranks = Cumsum.create(scope, kept, 0) - 1 - Gather.create(scope, starts, owners, 0)
        places = 2 * Max.create(scope, counts, 0) + 1
        # What is left out goes to one more place, which is then cut off.
        columns = Select.create(scope, is_label, 2 * ranks + 1, places)
        blanks = Fill.create(scope, Stack.create(scope, [batch, places + 1]), blank)
        points = Stack.create(scope, [owners, columns], axis=1)
        paths = TensorScatterNdUpdate.create(scope, blanks, points, labels).as_output()[:, :-1]
        behind = ExpandDims.create(scope, 2 * counts + 1, 1) - Range.create(scope, 0, places, 1)
        is_end = LogicalAnd.create(scope, behind > 0, behind <= 2)
        return paths, NEVER * (1 - self._number(is_end))

    def _steps(self, x: AnyOperand) -> list[Any]:
        """What an array [steps, batch, classes] has at each place: an array [batch, places] for each step."""
        scope = self._scope
        by_batch = Transpose.create(scope, x, [1, 0, 2])
        seen = Gather.create(scope, by_batch, self._paths, 2, batch_dims=1)
        return list(Unstack.create(scope, seen, self._length, axis=1).output)

    def _total(self, x: Any, changes: Any, axis: int, *, keep_dims: bool = False) -> tuple[Any, Any]:
        """The logarithm of a sum of probabilities, and how it changes with their logarithms."""
        scope = self._scope
        highest: Any = StopGradient.create(scope, Max.create(scope, x, axis, keep_dims=True))
        shares = Exp.create(scope, x - highest)
        total: Any = Sum.create(scope, shares, axis, keep_dims=keep_dims)
        change = Sum.create(scope, shares * changes, axis, keep_dims=keep_dims) / total
        return Log.create(scope, total) + (
            highest if keep_dims else Squeeze.create(scope, highest, axis=[axis])
        ), change

    def _moved(self, log: AnyOperand, change: AnyOperand, sign: int, skips: AnyOperand) -> tuple[Any, Any]:
        """The sums over the places that alignments come from: the same, the next and, unless masked, the one after."""
        logs = (log + self._stays, self._at(log, sign, NEVER), self._at(log, 2 * sign, NEVER) + skips)
        changes = (change, self._at(change, sign, 0), self._at(change, 2 * sign, 0))
        return self._total(Stack.create(self._scope, logs), Stack.create(self._scope, changes), 0)

    def _forward(self, seen: list[Any], moved: list[Any]) -> list[tuple[Any, Any]]:
        """The logarithm of the probability to be at each place after each step, and its change."""
        first = Range.create(self._scope, 0, size_between(self._scope, self._paths.as_output(), 1, 2), 1) >= 2
        result = [(seen[0] + NEVER * self._number(first), moved[0])]
        for x, dx in zip(seen[1:], moved[1:], strict=True):
            total, by = self._moved(*result[-1], 1, self._skips)
            result.append((x + total, dx + by))
        return result

    def _backward(self, seen: list[Any], moved: list[Any]) -> list[tuple[Any, Any]]:
        """The logarithm of the probability of all that follows each step, and its change."""
        scope, never = self._scope, self._ends * 0 + NEVER
        result: list[tuple[Any, Any]] = []
        skips = self._at(self._skips, -2, NEVER)
        for step in reversed(range(self._length)):
            total, by = never, never * 0
            if result:
                (log, change), after = result[-1], step + 1
                total, by = self._moved(log + seen[after], change + moved[after], -1, skips)
            is_last = Equal.create(scope, Reshape.create(scope, self._inputs.sequence_length, [-1, 1]), step + 1)
            result.append((Select.create(scope, is_last, self._ends, total), Select.create(scope, is_last, 0 * by, by)))
        return result[::-1]

    def _is_used(self) -> Any:
        """1 for the steps of each sequence, 0 for the others and for what is ignored, [steps, batch, 1]."""
        scope, inputs = self._scope, self._inputs
        owners = Cast.create(scope, inputs.labels_indices, TInt32).as_output()[:, 0]
        ones = inputs.labels_values * 0 + 1
        counts: Any = UnsortedSegmentSum.create(scope, ones, owners, size_between(scope, self._x, 1, 2))
        numbers = Reshape.create(scope, Range.create(scope, 0, self._length, 1), [-1, 1])
        is_step = LogicalAnd.create(scope, numbers < inputs.sequence_length, counts <= inputs.sequence_length)
        return self._number(ExpandDims.create(scope, is_step, 2))

    def changes(self, by: AnyOperand) -> AnyOperand:
        """How the gradients of the losses change along `by`: the product with their second derivatives."""
        scope = self._scope
        is_used = self._is_used()
        by = by * is_used
        logs = LogSoftmax.create(scope, self._x)
        p: Any = Exp.create(scope, logs)
        of_softmax = p * (by - Sum.create(scope, p * by, 2, keep_dims=True))
        seen, moved = self._steps(Maximum.create(scope, logs, NEVER)), self._steps(by)
        whole = [
            (log + after, change + later)
            for (log, change), (after, later) in zip(
                self._forward(seen, moved), self._backward(seen, moved), strict=True
            )
        ]
        total, change = self._total(*whole[0], 1, keep_dims=True)
        possible = Select.create(scope, total > NEVER / 2, total, 0)
        posterior = [Exp.create(scope, log - possible) * (each - change) for log, each in whole]
        classes = OneHot.create(scope, self._paths, size_between(scope, self._x, 2, 3), self._one(1), self._one(0))
        by_class: AnyOperand = Einsum.create(scope, [Stack.create(scope, posterior), classes], "tbs,bsc->tbc")
        change_of_logits: AnyOperand = (of_softmax - by_class) * is_used
        return change_of_logits

    def _one(self, value: float) -> AnyOperand:
        return Constant.create(self._scope, value, self._x.dtype)
