"""Annotations with arithmetic: `Times[Time, Batch]` becomes the same type as `Times[Batch, Time]`."""

from __future__ import annotations

from typing import cast

from mypy.nodes import TypeInfo
from mypy.plugin import AnalyzeTypeContext
from mypy.semanal import SemanticAnalyzer
from mypy.typeanal import TypeAnalyser
from mypy.types import Type

from typegrad.mypy_plugin.base.dims import arithmetic_type, dim_of

__all__ = ["arithmetic_hook"]


def arithmetic_hook(ctx: AnalyzeTypeContext, fullname: str) -> Type:
    """The type in normal form; mypy's own type where a part is not known."""
    analyser = cast("TypeAnalyser", ctx.api)
    modules = cast("SemanticAnalyzer", analyser.api).modules
    module, _, name = fullname.rpartition(".")
    info = modules[module].names[name].node
    assert isinstance(info, TypeInfo)
    plain = analyser.analyze_type_with_type_info(info, ctx.type.args, ctx.context, False)
    size = dim_of(plain)
    return plain if size is None else arithmetic_type(modules, size)
