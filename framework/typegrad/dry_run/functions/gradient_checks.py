"""What a dry run has in the place of `check_gradients`: it checks what is fed."""

from __future__ import annotations

from typing import Any

from typegrad.dry_run.functions.sessions import Session
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable

__all__ = ["check_gradients"]


def check_gradients(session: Any, y: Any, xs: Any, feed_dict: Any = None, **options: Any) -> Any:
    """Check the runs of the operands that are compared. Nothing is known of the difference."""
    del options
    if has_unknown((session, y, xs)) or not isinstance(xs, (list, tuple)):
        return UNKNOWN
    own = Session(session) if isinstance(session, Graph) else session
    is_typed = all(isinstance(each, Operand) and each.dtype.numpy.kind in "fc" for each in (y, *xs))
    if isinstance(own, Session) and is_typed:
        for each in (y, *(x for x in xs if not isinstance(x, Variable))):
            own.run(each.output_in(Scope.current(own.graph)), feed_dict)
    return UNKNOWN
