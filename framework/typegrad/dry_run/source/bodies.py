"""What bodies tell: whether functions yield items, return early or wait, and what goes on behind a handler."""

from __future__ import annotations

import ast
from typing import Final

from typegrad.dry_run.source.changes import Changes, nodes_in, without_expressions

__all__ = ["goes_on", "is_ellipsis", "is_generator", "may_return_early", "waits_in_blocks"]

_COMPOUND: Final = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)


def is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function yields items."""
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in nodes_in(function.body))


def may_return_early(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a statement in a statement of a function is a `return`."""
    compounds = [each for each in function.body if isinstance(each, _COMPOUND)]
    return any(isinstance(each, ast.Return) for each in nodes_in(compounds, without_expressions))


def is_ellipsis(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the body of a function is `...`, as of protocols, stubs and sketches; not of what returns None anyway."""
    last = function.body[-1]
    is_open = function.name not in ("__exit__", "__init__", "__post_init__")
    return is_open and isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant) and last.value.value is ...


def waits_in_blocks(function: ast.AsyncFunctionDef) -> bool:
    """Whether an asynchronous function has `async with`."""
    return any(isinstance(each, ast.AsyncWith) for each in nodes_in(function.body, without_expressions))


def goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether the program may go on behind a handler, which is not for the end of the program alone."""
    parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    is_of_end = all(isinstance(each, ast.Name) and each.id == "KeyboardInterrupt" for each in parts)
    changes = Changes(handler.body)
    is_left = changes.returns or changes.leaves_pass or changes.leaves_loop
    return not is_of_end and (not isinstance(handler.body[-1], ast.Raise) or is_left)
