"""Functions that drop dimensions, as reductions do, and keep them by an option of another name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from typegrad.base.shape import KEEPING
from typegrad.graph.operand import Output

__all__ = ["WITH_OPTION", "by_function", "in_function"]

WITH_OPTION: Final = ("count_nonzero", "logsumexp", "moments", "norm", "reduce_std", "reduce_variance")
"""The functions of `typegrad.functions`, which this layer cannot ask, that have the option `keepdims`."""
_MADE: Final = re.compile(rf"(?:.*/)?({'|'.join(WITH_OPTION)})(?:_\d+)?/[^/]+")
"""The names of what they make: they go into sub-scopes with their names."""


def by_function(text: str, name: str, option: str = "keepdims") -> str:
    """The error message that tells the option of a function, where it tells that of operations."""
    return text.replace(KEEPING, f"{option}=True in {name}")


def in_function(text: str, groups: Sequence[Any]) -> str:
    """The same, where one of the operands is what such a function has made."""
    if KEEPING not in text:
        return text
    made = (_MADE.fullmatch(each.op.name) for each in groups if type(each) is Output and _has_others(each))
    names = {found[1] for found in made if found}
    return by_function(text, names.pop()) if len(names) == 1 else text


def _has_others(output: Any) -> bool:
    """Whether one call of the program has made more in the same scope, besides what the operation itself takes."""
    operation, own = output.op, f"{output.op.name}/"
    scope = f"{operation.name.rpartition('/')[0]}/"
    beside = (each for each in operation.graph if each.name.startswith(scope) and not each.name.startswith(own))
    return any(each is not operation and each.created_at == operation.created_at for each in beside)
