"""Gradients of `ops/recurrent.yaml`.

The cells are differentiated by hand, as expressions of what they saved. A layer is its cells, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from typegrad.base.errors import GradientError
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, Range, Reshape, Split, SplitV, Stack, Sum, Unstack
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import MatMul
from typegrad.op.math import Less
from typegrad.op.nn import (
    BlockLSTM,
    BlockLSTMGrad,
    GRUBlockCell,
    GRUBlockCellGrad,
    LSTMBlockCell,
    LSTMBlockCellGrad,
)
from typegrad.rules.common import Gradients, OutputGradients
from typegrad.rules.sizes import size_between, vector

_SAVED: Final = ("i", "cs", "f", "o", "ci", "co")
_Arrays = Mapping[str, AnyOperand]


class _Arithmetic:
    """Arithmetic with matrices [batch, ...] in a scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope: Final = scope

    def beside(self, *parts: AnyOperand) -> AnyOutput:
        """Matrices side by side."""
        return Concat.create(self.scope, parts, 1).as_output()

    def parts(self, x: AnyOperand, count: int) -> list[Any]:
        """The equal parts of what is side by side."""
        return list(Split.create(self.scope, 1, x, count).output)

    def apart(self, x: AnyOperand, inputs: AnyOutput, units: AnyOutput) -> list[Any]:
        """Inputs and units, which are side by side, of the widths of these arrays."""
        widths = [size_between(self.scope, each, -1, None) for each in (inputs, units)]
        return list(SplitV.create(self.scope, x, vector(self.scope, widths), 1, 2).output)

    def product(self, x: AnyOperand, y: AnyOperand) -> AnyOperand:
        """The product of two matrices."""
        return MatMul.create(self.scope, x, y)

    def back(self, x: AnyOperand, w: AnyOperand) -> AnyOperand:
        """The product with the transpose of weights."""
        return MatMul.create(self.scope, x, w, transpose_b=True)

    def outer(self, x: AnyOperand, y: AnyOperand) -> AnyOperand:
        """The products of all pairs of columns, summed over the batch."""
        return MatMul.create(self.scope, x, y, transpose_a=True)

    def total(self, x: AnyOperand) -> AnyOperand:
        """The sum over the batch."""
        return Sum.create(self.scope, x, 0)


class _Lstm(_Arithmetic):
    """A step of an LSTM from what it saved: i, f, o, ci, co, cs, and cs_prev.

    The slopes of a gate's function follow from its value: y (1 - y) of the sigmoid, 1 - y^2 of tanh.
    """

    def __init__(self, scope: Scope, weights: Any, order: str, saved: _Arrays) -> None:
        super().__init__(scope)
        self._order, self._saved = order, saved
        self._wci, self._wcf, self._wco = weights.wci, weights.wcf, weights.wco
        self._peephole: bool = weights.use_peephole
        self._slopes = {name: saved[name] * (1 - saved[name]) for name in "ifo"}

    def gates(self, by_gate: _Arrays) -> AnyOutput:
        """Gates side by side, as the columns of the weights are."""
        return self.beside(*(by_gate[gate] for gate in self._order))

    def backward(self, grads: _Arrays) -> dict[str, AnyOperand]:
        """From the gradients of all that the step gives, the ones of its gates (as "i", "f", "o", "c") and state."""
        y, slopes = self._saved, self._slopes
        do = (grads["o"] + grads["h"] * y["co"]) * slopes["o"]
        dcs: AnyOperand = grads["cs"] + (grads["co"] + grads["h"] * y["o"]) * (1 - y["co"] * y["co"])
        if self._peephole:
            dcs = dcs + do * self._wco
        if "is_free" in grads:
            dcs = dcs * grads["is_free"]
        di = (grads["i"] + dcs * y["ci"]) * slopes["i"]
        df = (grads["f"] + dcs * y["cs_prev"]) * slopes["f"]
        dc = (grads["ci"] + dcs * y["i"]) * (1 - y["ci"] * y["ci"])
        state = dcs * y["f"]
        if self._peephole:
            state = state + di * self._wci + df * self._wcf
        return {"i": di, "f": df, "o": do, "c": dc, "cs_prev": state, "dcs": dcs}

    def peepholes(self, inner: _Arrays) -> list[AnyOperand | None]:
        """The gradients of the peephole weights."""
        if not self._peephole:
            return [None, None, None]
        y = self._saved
        pairs = ((inner["i"], y["cs_prev"]), (inner["f"], y["cs_prev"]), (inner["o"], y["cs"]))
        return [self.total(grad * state) for grad, state in pairs]

    def twice(self, cs_grad: AnyOperand, h_grad: AnyOperand, by: _Arrays) -> dict[str, AnyOperand]:
        """The gradients of what `LSTMBlockCellGrad` reads, from the ones of what it gives.

        `by` has the gradients of the gates ("i", "f", "o", "c"), of the state ("cs_prev"), and of the peephole weights.
        """
        y, slopes = self._saved, self._slopes
        zero = h_grad * 0
        inner = self.backward({"cs": cs_grad, "h": h_grad, **dict.fromkeys(("i", "f", "o", "ci", "co"), zero)})
        di, df, dc, do, state = by["i"], by["f"], by["c"], by["o"], by["cs_prev"]
        dcs, co_slope, ci_slope = inner["dcs"], 1 - y["co"] * y["co"], 1 - y["ci"] * y["ci"]
        result: dict[str, AnyOperand] = {}
        to_state: AnyOperand = zero
        if self._peephole:
            di = di + state * self._wci + by["wci"] * y["cs_prev"]
            df = df + state * self._wcf + by["wcf"] * y["cs_prev"]
            do = do + by["wco"] * y["cs"]
            to_state = by["wci"] * inner["i"] + by["wcf"] * inner["f"]
            result["cs"] = by["wco"] * inner["o"]
            result["wci"], result["wcf"] = self.total(state * inner["i"]), self.total(state * inner["f"])
        to_dcs = state * y["f"] + di * slopes["i"] * y["ci"] + df * slopes["f"] * y["cs_prev"] + dc * ci_slope * y["i"]
        if self._peephole:
            do = do + to_dcs * self._wco
            result["wco"] = self.total(to_dcs * inner["o"])
        result["cs_prev"] = to_state + df * slopes["f"] * dcs
        result["i"] = di * (1 - 2 * y["i"]) * dcs * y["ci"] + dc * ci_slope * dcs
        result["f"] = df * (1 - 2 * y["f"]) * dcs * y["cs_prev"] + state * dcs
        result["o"] = do * (1 - 2 * y["o"]) * h_grad * y["co"] + to_dcs * co_slope * h_grad
        result["ci"] = di * slopes["i"] * dcs - 2 * dc * y["ci"] * dcs * y["i"]
        result["co"] = do * slopes["o"] * h_grad - 2 * to_dcs * y["co"] * h_grad * y["o"]
        result["cs_grad"] = to_dcs
        result["h_grad"] = to_dcs * co_slope * y["o"] + do * slopes["o"] * y["co"]
        return {**result, "gates": self.gates(inner)}


def lstm_block_cell(scope: Scope, op: LSTMBlockCell[Any], grads: OutputGradients) -> Gradients:
    inputs = op.inputs
    names = (*_SAVED, "h")
    saved = {name: getattr(op, name) for name in names}
    cell = _Lstm(scope, inputs, "icfo", {**saved, "cs_prev": inputs.cs_prev})
    by_name: dict[str, AnyOperand] = dict(zip(names, grads, strict=True))
    if inputs.cell_clip > 0:
        is_free = Less.create(scope, op.cs * op.cs, inputs.cell_clip * inputs.cell_clip)
        by_name["is_free"] = Cast.create(scope, is_free, op.cs.dtype)
    inner = cell.backward(by_name)
    gates = cell.gates(inner)
    to_x, to_h = cell.apart(cell.back(gates, inputs.w), inputs.x, inputs.h_prev)
    return (
        lambda: to_x,
        lambda: inner["cs_prev"],
        lambda: to_h,
        lambda: cell.outer(cell.beside(inputs.x, inputs.h_prev), gates),
        *cell.peepholes(inner),
        lambda: cell.total(gates),
    )


def lstm_block_cell_grad(scope: Scope, op: LSTMBlockCellGrad[Any], grads: OutputGradients) -> Gradients:
    inputs = op.inputs
    saved = {name: getattr(inputs, name) for name in (*_SAVED, "cs_prev")}
    cell = _Lstm(scope, inputs, "icfo", saved)
    by: dict[str, AnyOperand] = dict(zip("icfo", cell.parts(grads[1], 4), strict=True))
    by["cs_prev"] = grads[0]
    by.update(zip(("wci", "wcf", "wco"), grads[2:], strict=True))
    inner = cell.twice(inputs.cs_grad, inputs.h_grad, by)
    order = ("cs_prev", "wci", "wcf", "wco", *_SAVED, "cs_grad", "h_grad")
    return [inner.get(name) for name in order]


class _Steps(_Arithmetic):
    """A layer, step by step."""

    def __init__(self, scope: Scope, op: BlockLSTM[Any] | BlockLSTMGrad[Any], saved: _Arrays) -> None:
        super().__init__(scope)
        self._inputs: Any = op.inputs
        length = self._inputs.x.shape.known()[0] if self._inputs.x.rank is not None else None
        if not isinstance(length, int):
            raise GradientError(
                f"the gradient of {op.op.name!r} is made step by step, but the number of steps, the first dimension of "
                "`x`, is not known while the graph is built; give it a shape with this dimension"
            )
        self._length = length
        numbers = Reshape.create(scope, Range.create(scope, 0, length, 1), [-1, 1, 1])
        is_step = Less.create(
            scope, Cast.create(scope, numbers, self._inputs.seq_len_max.dtype), self._inputs.seq_len_max
        )
        self._mask = Cast.create(scope, is_step, self._inputs.x.dtype)
        self._x = self.each(self._inputs.x)
        self._saved = {name: self.each(each) for name, each in saved.items()}

    def each(self, x: AnyOperand) -> list[Any]:
        """The steps of an array."""
        return list(Unstack.create(self.scope, x, self._length).output)

    def together(self, steps: Sequence[AnyOperand]) -> AnyOperand:
        """The array of these steps."""
        return Stack.create(self.scope, steps) if steps else self._inputs.x * 0

    def masked(self, x: AnyOperand) -> AnyOperand:
        """Zeros after the last step."""
        return x * self._mask

    def _before(self, step: int) -> tuple[Any, Any]:
        """The states before a step."""
        if not step:
            return self._inputs.cs_prev, self._inputs.h_prev
        return self._saved["cs"][step - 1], self._saved["h"][step - 1]

    def _cell(self, step: int) -> _Lstm:
        saved = {name: each[step] for name, each in self._saved.items()}
        return _Lstm(self.scope, self._inputs, "ifco", {**saved, "cs_prev": self._before(step)[0]})

    def _xh(self, step: int) -> AnyOutput:
        return self.beside(self._x[step], self._before(step)[1])

    def backward(self, grads: _Arrays) -> Gradients:
        """The gradients of x, cs_prev, h_prev, w, wci, wcf, wco and b."""
        by_step = {name: self.each(self.masked(grad)) for name, grad in grads.items()}
        inputs = self._inputs
        to_cs: AnyOperand = inputs.cs_prev * 0
        to_h: AnyOperand = inputs.h_prev * 0
        to_x: list[AnyOperand] = []
        sums = _Sums()
        for step in reversed(range(self._length)):
            cell = self._cell(step)
            now = {name: each[step] for name, each in by_step.items()}
            inner = cell.backward({**now, "cs": now["cs"] + to_cs, "h": now["h"] + to_h})
            gates, to_cs = cell.gates(inner), inner["cs_prev"]
            x_part, to_h = self.apart(self.back(gates, inputs.w), self._x[step], inputs.h_prev)
            to_x.insert(0, x_part)
            sums.add(w=self.outer(self._xh(step), gates), b=self.total(gates))
            sums.add(**dict(zip(("wci", "wcf", "wco"), cell.peepholes(inner), strict=True)))
        names = ("w", "wci", "wcf", "wco", "b")
        return self.together(to_x), to_cs, to_h, *(sums.get(name) for name in names)

    def twice(self, grads: OutputGradients) -> Gradients:
        """The gradients of x, cs_prev, h_prev, w, the peephole weights, all that the layer gave, cs_grad and h_grad."""
        inputs, steps = self._inputs, range(self._length)
        by_x, by_cs, by_h, by_w, by_wci, by_wcf, by_wco, by_b = grads
        to_cs: AnyOperand = by_cs
        to_h: AnyOperand = by_h
        by_vectors = {"wci": by_wci, "wcf": by_wcf, "wco": by_wco}
        received = self._received()
        sums = _Sums()
        by_step: list[dict[str, AnyOperand]] = []
        for step, part in zip(steps, self.each(by_x), strict=True):
            xh, by_both = self._xh(step), self.beside(part, to_h)
            by_gates = self.product(by_both, inputs.w) + self.product(xh, by_w) + by_b
            cell = self._cell(step)
            by = {**dict(zip("ifco", self.parts(by_gates, 4), strict=True)), "cs_prev": to_cs, **by_vectors}
            inner = cell.twice(*received[step], by)
            to_cs, to_h = inner["cs_grad"], inner["h_grad"]
            sums.add(w=self.outer(by_both, inner["gates"]), **{n: inner[n] for n in by_vectors if n in inner})
            inner["x"], inner["before"] = self.apart(self.back(inner["gates"], by_w), self._x[step], inputs.h_prev)
            by_step.append(inner)

        zero = inputs.cs_prev * 0
        # What a step reads of the states before it belongs to the step before.
        later = [*by_step[1:], {"cs_prev": zero, "before": zero}]
        first = by_step[0] if by_step else later[0]
        columns = _columns(by_step, later)

        def whole(name: str) -> AnyOperand:
            return self.masked(self.together(columns[name]))

        return (
            lambda: whole("x"),
            first["cs_prev"],
            first["before"],
            *(sums.get(name) for name in ("w", "wci", "wcf", "wco")),
            *(_later(whole, name) for name in (*_SAVED, "h", "cs_grad", "h_grad")),
        )

    def _received(self) -> list[tuple[AnyOperand, AnyOperand]]:
        """The gradients of cell state and output at each step, with what the next step gives back."""
        inputs = self._inputs
        cs_grads, h_grads = (self.each(self.masked(each)) for each in (inputs.cs_grad, inputs.h_grad))
        result: list[tuple[AnyOperand, AnyOperand]] = []
        to_cs: AnyOperand = inputs.cs_prev * 0
        to_h: AnyOperand = inputs.h_prev * 0
        for step in reversed(range(self._length)):
            cs_grad, h_grad = cs_grads[step] + to_cs, h_grads[step] + to_h
            result.insert(0, (cs_grad, h_grad))
            cell, zero = self._cell(step), h_grad * 0
            inner = cell.backward({"cs": cs_grad, "h": h_grad, **dict.fromkeys(("i", "f", "o", "ci", "co"), zero)})
            to_cs = inner["cs_prev"]
            _, to_h = self.apart(self.back(cell.gates(inner), inputs.w), self._x[step], inputs.h_prev)
        return result


class _Sums:
    """Sums by name."""

    def __init__(self) -> None:
        self._sums: dict[str, AnyOperand] = {}

    def add(self, **parts: AnyOperand | None) -> None:
        """Add to the sums."""
        for name, part in parts.items():
            if part is not None:
                self._sums[name] = self._sums[name] + part if name in self._sums else part

    def get(self, name: str) -> AnyOperand | None:
        """A sum; None if nothing was added."""
        return self._sums.get(name)


def _columns(
    by_step: Sequence[dict[str, AnyOperand]], later: Sequence[dict[str, AnyOperand]]
) -> dict[str, list[AnyOperand]]:
    """What the steps give, by name; the states of a step get what the steps behind it read of them."""
    columns: dict[str, list[AnyOperand]] = {
        name: [inner[name] for inner in by_step] for name in ("x", "i", "f", "o", "ci", "co", "cs_grad", "h_grad")
    }
    columns["h"] = [after["before"] for after in later[: len(by_step)]]
    columns["cs"] = [
        after["cs_prev"] + inner["cs"] if "cs" in inner else after["cs_prev"]
        for inner, after in zip(by_step, later, strict=False)
    ]
    return columns


def _later(whole: Callable[[str], AnyOperand], name: str) -> Callable[[], AnyOperand]:
    return lambda: whole(name)


def block_lstmv2(scope: Scope, op: BlockLSTM[Any], grads: OutputGradients) -> Gradients:
    """`BlockLSTMGradV2` if only the states are used."""
    inputs = op.inputs
    if any(grads.connected(index) for index in (0, 2, 3, 4, 5)):
        names = (*_SAVED, "h")
        saved = {name: getattr(op, name) for name in names}
        return _Steps(scope, op, saved).backward(dict(zip(names, grads, strict=True)))
    gradients = BlockLSTMGrad.create(
        scope,
        inputs.seq_len_max,
        inputs.x,
        inputs.cs_prev,
        inputs.h_prev,
        inputs.w,
        inputs.wci,
        inputs.wcf,
        inputs.wco,
        inputs.b,
        op.i,
        op.cs,
        op.f,
        op.o,
        op.ci,
        op.co,
        op.h,
        grads[1],
        grads[6],
        inputs.use_peephole,
    )
    results = gradients.x_grad, gradients.cs_prev_grad, gradients.h_prev_grad, gradients.w_grad, gradients.b_grad
    peepholes = (gradients.wci_grad, gradients.wcf_grad, gradients.wco_grad) if inputs.use_peephole else (None,) * 3
    return *results[:4], *peepholes, results[4]


def block_lstm_grad_v2(scope: Scope, op: BlockLSTMGrad[Any], grads: OutputGradients) -> Gradients:
    saved = {name: getattr(op.inputs, name) for name in (*_SAVED, "h")}
    return _Steps(scope, op, saved).twice(grads)


def gru_block_cell(scope: Scope, op: GRUBlockCell[Any], grads: OutputGradients) -> Gradients:
    inputs, cell = op.inputs, _Arithmetic(scope)
    x, h, w_ru, w_c = inputs.x, inputs.h_prev, inputs.w_ru, inputs.w_c
    r, u, c = op.r, op.u, op.c
    by_r, by_u, by_c, by_h = grads
    c_bar = (by_c + by_h * (1 - u)) * (1 - c * c)
    to_x, to_reset = cell.apart(cell.back(c_bar, w_c), x, h)
    ru_bar = cell.beside((by_r + to_reset * h) * r * (1 - r), (by_u + by_h * (h - c)) * u * (1 - u))
    more_x, more_h = cell.apart(cell.back(ru_bar, w_ru), x, h)
    return (
        lambda: to_x + more_x,
        lambda: by_h * u + to_reset * r + more_h,
        lambda: cell.outer(cell.beside(x, h), ru_bar),
        lambda: cell.outer(cell.beside(x, h * r), c_bar),
        lambda: cell.total(ru_bar),
        lambda: cell.total(c_bar),
    )


def gru_block_cell_grad(scope: Scope, op: GRUBlockCellGrad[Any], grads: OutputGradients) -> Gradients:
    """The formulas of the entry from the last to the first."""
    inputs, cell = op.inputs, _Arithmetic(scope)
    h, r, u, c, d_h = inputs.h_prev, inputs.r, inputs.u, inputs.c, inputs.d_h
    by_x, by_h, by_c_bar, by_ru_bar = grads
    r_slope, u_slope, c_slope = r * (1 - r), u * (1 - u), 1 - c * c
    c_bar = d_h * (1 - u) * c_slope
    _, reset = cell.apart(cell.back(c_bar, inputs.w_c), inputs.x, h)
    ru_bar = cell.beside(reset * h * r_slope, d_h * (h - c) * u_slope)
    by_both = cell.beside(by_x, by_h)
    by_r_bar, by_u_bar = cell.parts(by_ru_bar + cell.product(by_both, inputs.w_ru), 2)
    by_reset = by_h * r + by_r_bar * h * r_slope
    by_candidate = cell.beside(by_x, by_reset)
    by_c = by_c_bar + cell.product(by_candidate, inputs.w_c)
    along = by_u_bar * d_h * u_slope
    return (
        lambda: by_r_bar * reset * r_slope + along,
        lambda: cell.outer(by_both, ru_bar),
        lambda: cell.outer(by_candidate, c_bar),
        lambda: by_h * reset + by_r_bar * reset * h * (1 - 2 * r),
        lambda: by_h * d_h + by_u_bar * d_h * (h - c) * (1 - 2 * u) - by_c * d_h * c_slope,
        lambda: -along - 2 * c * by_c * d_h * (1 - u),
        lambda: by_h * u + by_u_bar * (h - c) * u_slope + by_c * (1 - u) * c_slope,
    )
