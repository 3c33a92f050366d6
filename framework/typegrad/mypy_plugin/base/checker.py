"""mypy's checker, of which the API of plugins shows a part."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mypy.plugin import CheckerPluginInterface

if TYPE_CHECKING:
    from mypy.checker import TypeChecker

__all__ = ["checker_of"]


def checker_of(api: CheckerPluginInterface) -> TypeChecker:
    """The checker behind the API."""
    return cast("TypeChecker", api)
