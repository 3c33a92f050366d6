"""Shape functions of `ops/recurrent.yaml`."""

from __future__ import annotations

from functools import reduce

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape, merge_dim
from typegrad.base.size import plus, times
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import agreed

PEEPHOLES = ("wci", "wcf", "wco")


def lstm_block_cell(op: OpView) -> tuple[Shape, ...]:
    """Gates and states, [batch, units]."""
    batch, _, units = _lstm(op, *op.rank("x", 2).known())
    return (Shape((batch, units)),) * 7


def lstm_block_cell_grad(op: OpView) -> tuple[Shape, ...]:
    """The state, the gates side by side, and the peephole weights."""
    batch, _, units = _lstm(op, *op.rank("x", 2).known())
    state = _merged(op, ("i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"), Shape((batch, units)))
    batch, units = state.known()
    vectors = (_peephole(op, name, units) for name in PEEPHOLES)
    return state, Shape((batch, times((4, units)))), *vectors


def block_lstmv2(op: OpView) -> tuple[Shape, ...]:
    """Gates and states at each step, [time, batch, units]."""
    time, batch, _, units = _block(op)
    return (Shape((time, batch, units)),) * 7


def block_lstm_grad_v2(op: OpView) -> tuple[Shape, ...]:
    """The shapes of the inputs of the layer."""
    time, batch, inputs, units = _block(op)
    names = ("i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad")
    time, batch, units = _merged(op, names, Shape((time, batch, units))).known()
    state, weights = Shape((batch, units)), agreed(op, "w", Shape((plus((inputs, units)), times((4, units)))))
    vectors = (_peephole(op, name, units, is_layer=True) for name in PEEPHOLES)
    return Shape((time, batch, inputs)), state, state, weights, *vectors, agreed(op, "b", Shape((times((4, units)),)))


def gru_block_cell(op: OpView) -> tuple[Shape, ...]:
    """Gates and the state, [batch, units]."""
    batch, _, units = _gru(op)
    return (Shape((batch, units)),) * 4


def gru_block_cell_grad(op: OpView) -> tuple[Shape, ...]:
    """The input, the state, and what the gates' functions are applied to."""
    batch, inputs, units = _gru(op)
    state = _merged(op, ("r", "u", "c", "d_h"), Shape((batch, units)))
    batch, units = state.known()
    gates = agreed(op, "w_ru", Shape((plus((inputs, units)), times((2, units))))).known()[1]
    return Shape((batch, inputs)), state, state, Shape((batch, gates))


def _block(op: OpView) -> tuple[Dim, ...]:
    """Steps, batch, inputs and units of a layer."""
    time, batch, inputs = op.rank("x", 3).known()
    op.rank("seq_len_max", 0)
    length = op.value("seq_len_max")
    if isinstance(length, int) and (length < 0 or (isinstance(time, int) and length > time)):
        raise ShapeError(f"`seq_len_max` is {length}, but must be from 0 to {time}, the number of steps of `x`")
    return time, *_lstm(op, batch, inputs, is_layer=True)


def _lstm(op: OpView, batch: Dim, inputs: Dim, *, is_layer: bool = False) -> tuple[Dim, Dim, Dim]:
    """Batch, inputs and units."""
    batch, units = _states(op, batch, ("cs_prev", "h_prev"))
    weights = Shape((plus((inputs, units)), times((4, units))))
    _, gates = agreed(op, "w", weights, _said(op, "[inputs + units, 4 * units]")).known()
    (gates,) = agreed(op, "b", Shape((gates,)), _said(op, "[4 * units]")).known()
    if units is None and isinstance(gates, int) and gates % 4 == 0:
        units = gates // 4
    for name in PEEPHOLES:
        vector = _peephole(op, name, units, is_layer=is_layer)
        units = merge_dim(units, vector.known()[0]) if is_layer or op.attr("use_peephole") else units
    return batch, inputs, units


def _peephole(op: OpView, name: str, units: Dim, *, is_layer: bool = False) -> Shape:
    """The shape of a peephole weight, which a cell may have without a use."""
    if is_layer or op.attr("use_peephole"):
        return agreed(op, name, Shape((units,)), _said(op, "[units]"))
    return op.rank(name, 1)


def _gru(op: OpView) -> tuple[Dim, Dim, Dim]:
    batch, inputs = op.rank("x", 2).known()
    batch, units = _states(op, batch, ("h_prev",))
    agreed(op, "w_ru", Shape((plus((inputs, units)), times((2, units)))), _said(op, "[inputs + units, 2 * units]"))
    agreed(op, "w_c", Shape((plus((inputs, units)), units)), _said(op, "[inputs + units, units]"))
    agreed(op, "b_ru", Shape((times((2, units)),)), _said(op, "[2 * units]"))
    agreed(op, "b_c", Shape((units,)), _said(op, "[units]"))
    return batch, inputs, units


def _said(op: OpView, shape: str) -> str:
    """What the sizes of a weight's shape are, for an error."""
    return f", which is {shape} for `x` {op.shape('x')} and `h_prev` {op.shape('h_prev')}"


def _states(op: OpView, batch: Dim, names: tuple[str, ...]) -> tuple[Dim, ...]:
    """Batch and units, as far as any of the states knows them."""
    return _merged(op, names, Shape((batch, None))).known()


def _merged(op: OpView, names: tuple[str, ...], shape: Shape) -> Shape:
    """A shape that several inputs have, as far as any of them knows it."""
    return reduce(lambda merged, name: agreed(op, name, merged), names, shape)
