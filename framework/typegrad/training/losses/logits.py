"""Warnings about predictions that are not what a cross-entropy takes: probabilities for logits, or logits."""

from __future__ import annotations

from typing import Final

from typegrad.base.location import warn
from typegrad.graph.explain import origin
from typegrad.graph.operand import AnyOperand
from typegrad.graph.operation import Operation

__all__ = ["check_logits"]

_PROBABILITIES: Final = ("Sigmoid", "Softmax")
_SUMS: Final = ("Add", "AddV2", "BiasAdd")
_PRODUCTS: Final = ("BatchMatMulV2", "Conv2D", "MatMul")
_READ: Final = "ReadVariableOp"


def check_logits(y_pred: AnyOperand, *, from_logits: bool) -> None:
    """Warn about logits that are a sigmoid or a softmax, and about probabilities that are a layer without one."""
    operation = y_pred.as_reference().op
    if from_logits and operation.type in _PROBABILITIES:
        warn(
            f"from_logits=True takes logits, but y_pred is {origin(y_pred)}, which makes probabilities: pass what it "
            "is made of, or leave out from_logits"
        )
    elif not from_logits and operation.type in _SUMS and _is_layer(operation):
        warn(
            f"y_pred is to be probabilities, but is {origin(y_pred)}, a product plus a variable, which makes logits: "
            "pass from_logits=True"
        )


def _is_layer(operation: Operation) -> bool:
    """Whether a sum is of a product and a variable, in any order."""
    kinds = {each.op.type for each in operation.inputs}
    return _READ in kinds and not kinds.isdisjoint(_PRODUCTS)
