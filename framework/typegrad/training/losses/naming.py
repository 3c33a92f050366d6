"""The scope of a loss, and its name in errors."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from typegrad.base.errors import TypegradError
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["named"]

_FUNCTION: Final = re.compile(r"^(?!y_true|y_pred|sample_weight)[a-z_]+: ")
"""The name of the function that an object has called for its user."""


@contextmanager
def named(scope: Scope, name: str) -> Generator[Ops]:
    """The sub-scope of a loss, whose name errors begin with, unless they are of an operation in it."""
    with Ops.create(scope).with_sub_scope(name) as tf:
        try:
            yield tf
        except TypegradError as error:
            told = _FUNCTION.sub("", str(error))
            if re.match(rf"\w+ '{re.escape(tf.scope.path)}/", told):
                raise
            raise type(error)(f"{name}: {told}") from None
