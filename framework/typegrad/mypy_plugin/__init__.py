"""The mypy plugin: static shapes, by the same shape functions that the runtime uses, and errors in the user's terms.

    [mypy]
    plugins = typegrad.mypy_plugin

A hook sees a call of `create`, of a method of the facade or of an operator, builds from the types of the arguments what a
shape function wants to see (`calls`), runs it, and puts the shapes into the type of the result (`operations`). Where too
little is known, mypy's own type stays: the plugin never guesses.
"""

from __future__ import annotations

import sys

from mypy.plugin import Plugin

from typegrad.mypy_plugin.versions import NEWEST, OLDEST, is_supported

__all__ = ["plugin"]


def plugin(version: str) -> type[Plugin]:
    """mypy's entry point: the plugin, or one that does nothing if the plugin is not made for this version of mypy."""
    if is_supported(version):
        from typegrad.mypy_plugin.hooks import TypegradPlugin

        return TypegradPlugin
    oldest, newest = (".".join(map(str, each)) for each in (OLDEST, NEWEST))
    print(
        f"typegrad.mypy_plugin is for mypy {oldest} to {newest}; with mypy {version}, shapes are not checked",
        file=sys.stderr,
    )
    return Plugin
