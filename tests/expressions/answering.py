"""What typegrad answers to an expression, in the form in which TensorFlow's answers are recorded."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

import typegrad as tg
from expressions.cases import OPERANDS, VALUES
from record_expressions import written
from typegrad.base.types import from_numpy
from typegrad.op import core

Answer: TypeAlias = dict[str, Any]
_RECORDED: Final = Path(__file__).parent / "recorded.jsonl"


def recorded() -> dict[str, Answer]:
    """TensorFlow's answers, by expression."""
    lines = map(json.loads, _RECORDED.read_text(encoding="utf-8").splitlines())
    return {line.pop("expression"): line for line in lines}


def operands() -> dict[str, Any]:
    """The operands in a new graph, by name."""
    scope = tg.Scope(tg.Graph())
    result: dict[str, Any] = {}
    for name, fed in OPERANDS.items():
        dtype: type[Any] = from_numpy(fed.value.dtype) or tg.TString
        result[name] = core.Placeholder.create(scope.with_name(name), dtype, fed.shape)
    return result


def answer(text: str, names: Mapping[str, Any]) -> Answer:
    """What an expression gives, or the error."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = eval(text, dict(VALUES), dict(names))
            items = list(result) if isinstance(result, (list, tuple)) and result else [result]
            if not all(isinstance(item, tg.Operand) for item in items):
                return {"python": repr(_plain(result))}
            static = [_run(item, names) for item in items]
    except Exception as error:  # noqa: BLE001  # whatever is raised is the answer
        return {"error": type(error).__name__, "says": str(error)}
    return static[0] if len(static) == 1 else {"items": static}


def _plain(result: Any) -> Any:
    return result.dims if isinstance(result, tg.Shape) else result


def _run(operand: Any, names: Mapping[str, Any]) -> Answer:
    feeds = {names[name]: fed.value for name, fed in OPERANDS.items()}
    with tg.Session(operand.graph) as session:
        value = session.run(operand, feeds)
    shape = operand.shape.dims
    return {"dtype": operand.dtype.name, "shape": None if shape is None else list(shape), "value": written(value)}
