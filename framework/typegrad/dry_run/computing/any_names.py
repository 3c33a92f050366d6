"""Names and seeds that are not known: no shape depends on them, so that others may be in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from typegrad.dry_run.computing.creations import LostError, as_creation, bound, definition_of, scope_of
from typegrad.dry_run.computing.open_values import is_open
from typegrad.dry_run.known.open_shapes import ANY_NAME, ANY_SEED, OPEN_GRAPHS
from typegrad.dry_run.known.unknown import has_unknown
from typegrad.functions.facade import GroupOps
from typegrad.graph.scope import Scope

__all__ = ["with_any_names"]

_SEED: Final = "seed"
_NAME: Final = "name"


def with_any_names(
    function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a function of typegrad, with others in the place of a name and of a seed that are not known."""
    try:
        arguments = bound(function, args, kwargs)
    except LostError:
        return tuple(args), dict(kwargs)
    given = arguments.arguments
    if has_unknown(given.get(_SEED), is_open) and not _is_input(as_creation(function, args, kwargs)[0], _SEED):
        given[_SEED] = ANY_SEED
    owner = getattr(function, "__self__", None)
    scope = scope_of(owner) if isinstance(owner, GroupOps) else owner
    if has_unknown(given.get(_NAME), is_open) and isinstance(scope, Scope):
        given[_NAME] = ANY_NAME
        OPEN_GRAPHS.add(scope.graph)
    return arguments.args, arguments.kwargs


def _is_input(function: Any, name: str) -> bool:
    """Whether an operand has such a name, among the inputs of the operation that a function makes."""
    definition = definition_of(function)
    return definition is not None and any(each.name == name for each in definition.inputs)
