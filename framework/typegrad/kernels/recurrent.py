"""Kernels of `ops/recurrent.yaml`, computed in float32. The loops write into arrays, so they run on NumPy only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide


class _Weights(NamedTuple):
    """The weights of an LSTM, and how its gates are laid out."""

    w: Array
    wci: Array
    wcf: Array
    wco: Array
    b: Array
    order: str
    """The gates in the order of the columns of `w`: input (i), forget (f) and output (o) gate, and candidate (c)."""
    use_peephole: bool

    def gates(self, parts: dict[str, Array]) -> Array:
        """Gates side by side."""
        return np.concatenate([parts[gate] for gate in self.order], axis=1)


def _weights(arrays: tuple[Array, ...], order: str, use_peephole: bool) -> _Weights:
    w, wci, wcf, wco, b = map(wide, arrays)
    return _Weights(w, wci, wcf, wco, b, order, use_peephole)


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _lstm(
    weights: _Weights, x: Array, cs_prev: Array, h_prev: Array, forget_bias: float, cell_clip: float
) -> tuple[Array, ...]:
    """One step: i, cs, f, o, ci, co, h."""
    sums = np.split(np.concatenate([x, h_prev], axis=1) @ weights.w + weights.b, 4, axis=1)
    by_gate = dict(zip(weights.order, sums, strict=True))
    if weights.use_peephole:
        by_gate["i"] = by_gate["i"] + cs_prev * weights.wci
        by_gate["f"] = by_gate["f"] + cs_prev * weights.wcf
    i, f, ci = _sigmoid(by_gate["i"]), _sigmoid(by_gate["f"] + np.float32(forget_bias)), np.tanh(by_gate["c"])
    cs = ci * i + cs_prev * f
    if cell_clip > 0:
        cs = np.clip(cs, np.float32(-cell_clip), np.float32(cell_clip))
    o = _sigmoid(by_gate["o"] + cs * weights.wco if weights.use_peephole else by_gate["o"])
    co = np.tanh(cs)
    return i, cs, f, o, ci, co, co * o


def _lstm_back(
    weights: _Weights, cs_prev: Array, saved: tuple[Array, ...], cs_grad: Array, h_grad: Array
) -> tuple[Array, ...]:
    """The gradients of one step: of its state, of its gates side by side, and of the peephole weights."""
    i, cs, f, o, ci, co = saved
    do = o * (1 - o) * h_grad * co
    dcs = (1 - co * co) * h_grad * o + cs_grad
    if weights.use_peephole:
        dcs = dcs + do * weights.wco
    di, df, dc = i * (1 - i) * dcs * ci, f * (1 - f) * dcs * cs_prev, (1 - ci * ci) * dcs * i
    cs_prev_grad = dcs * f
    gates = weights.gates({"i": di, "f": df, "o": do, "c": dc})
    if not weights.use_peephole:
        return cs_prev_grad, gates, *map(np.zeros_like, weights[1:4])
    cs_prev_grad = cs_prev_grad + di * weights.wci + df * weights.wcf
    return cs_prev_grad, gates, *(np.sum(each, axis=0) for each in (di * cs_prev, df * cs_prev, do * cs))


def lstm_block_cell(
    xp: Namespace,
    x: Array,
    cs_prev: Array,
    h_prev: Array,
    w: Array,
    wci: Array,
    wcf: Array,
    wco: Array,
    b: Array,
    *,
    forget_bias: float,
    cell_clip: float,
    use_peephole: bool,
) -> tuple[Array, ...]:
    """One step."""
    weights = _weights((w, wci, wcf, wco, b), "icfo", use_peephole)
    results = _lstm(weights, wide(x), wide(cs_prev), wide(h_prev), forget_bias, cell_clip)
    return tuple(each.astype(x.dtype) for each in results)


def lstm_block_cell_grad(
    xp: Namespace,
    x: Array,
    cs_prev: Array,
    h_prev: Array,
    w: Array,
    wci: Array,
    wcf: Array,
    wco: Array,
    b: Array,
    *rest: Array,
    use_peephole: bool,
) -> tuple[Array, ...]:
    """The gradients of one step; `rest` is what it gave, and the gradients of its states."""
    *saved, cs_grad, h_grad = map(wide, rest)
    weights = _weights((w, wci, wcf, wco, b), "icfo", use_peephole)
    results = _lstm_back(weights, wide(cs_prev), tuple(saved), cs_grad, h_grad)
    return tuple(each.astype(x.dtype) for each in results)


def block_lstmv2(
    xp: Namespace,
    seq_len_max: Array,
    x: Array,
    cs_prev: Array,
    h_prev: Array,
    w: Array,
    wci: Array,
    wcf: Array,
    wco: Array,
    b: Array,
    *,
    cell_clip: float,
    use_peephole: bool,
) -> tuple[Array, ...]:
    """Step after step; zeros after the last one."""
    weights = _weights((w, wci, wcf, wco, b), "ifco", use_peephole)
    results = np.zeros((7, len(x), *cs_prev.shape), x.dtype)
    cs, h, steps = wide(cs_prev), wide(h_prev), wide(x)
    for step in range(int(seq_len_max)):
        values = _lstm(weights, steps[step], cs, h, 0, cell_clip)
        results[:, step] = values
        cs, h = values[1], values[6]
    return tuple(results)


def block_lstm_grad_v2(
    xp: Namespace,
    seq_len_max: Array,
    x: Array,
    cs_prev: Array,
    h_prev: Array,
    w: Array,
    wci: Array,
    wcf: Array,
    wco: Array,
    b: Array,
    *rest: Array,
    use_peephole: bool,
) -> tuple[Array, ...]:
    """Step before step; `rest` is what the layer gave, and the gradients of its states."""
    weights = _weights((w, wci, wcf, wco, b), "ifco", use_peephole)
    *saved, h, cs_grad, h_grad = map(wide, rest)
    steps, cs, first_cs, first_h = wide(x), saved[1], wide(cs_prev), wide(h_prev)
    x_grad = np.zeros_like(steps)
    later_cs, later_h = np.zeros_like(first_cs), np.zeros_like(first_h)
    sums = [np.zeros_like(each) for each in weights[:5]]
    for step in reversed(range(int(seq_len_max))):
        before_cs, before_h = (cs[step - 1], h[step - 1]) if step else (first_cs, first_h)
        later_cs, gates, *peepholes = _lstm_back(
            weights, before_cs, tuple(each[step] for each in saved), cs_grad[step] + later_cs, h_grad[step] + later_h
        )
        both = gates @ weights.w.T
        x_grad[step], later_h = both[:, : steps.shape[2]], both[:, steps.shape[2] :]
        by_w = np.concatenate([steps[step], before_h], axis=1).T @ gates
        for total, part in zip(sums, (by_w, *peepholes, np.sum(gates, axis=0)), strict=True):
            np.add(total, part, out=total)
    return tuple(each.astype(x.dtype) for each in (x_grad, later_cs, later_h, *sums))


def gru_block_cell(
    xp: Namespace, x: Array, h_prev: Array, w_ru: Array, w_c: Array, b_ru: Array, b_c: Array
) -> tuple[Array, ...]:
    """One step: r, u, c, h."""
    gates = _sigmoid(xp.concatenate([x, h_prev], axis=1) @ w_ru + b_ru)
    r, u = gates[:, : h_prev.shape[1]], gates[:, h_prev.shape[1] :]
    c = xp.tanh(xp.concatenate([x, h_prev * r], axis=1) @ w_c + b_c)
    return r, u, c, u * h_prev + (1 - u) * c


def gru_block_cell_grad(
    xp: Namespace,
    x: Array,
    h_prev: Array,
    w_ru: Array,
    w_c: Array,
    b_ru: Array,
    b_c: Array,
    r: Array,
    u: Array,
    c: Array,
    d_h: Array,
) -> tuple[Array, ...]:
    """The gradients of one step."""
    inputs = x.shape[1]
    c_bar, du = d_h * (1 - u) * (1 - c * c), d_h * (h_prev - c)
    by_c = c_bar @ w_c.T
    reset = by_c[:, inputs:]
    ru_bar = xp.concatenate([reset * h_prev * r * (1 - r), du * u * (1 - u)], axis=1)
    by_ru = ru_bar @ w_ru.T
    return by_c[:, :inputs] + by_ru[:, :inputs], by_ru[:, inputs:] + reset * r + d_h * u, c_bar, ru_bar
