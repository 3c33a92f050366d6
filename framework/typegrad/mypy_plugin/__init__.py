"""The mypy plugin: static shapes, by the same shape functions that the runtime uses, and errors in the user's terms.

    [mypy]
    plugins = typegrad.mypy_plugin

A hook sees a call of `create`, of a method of the facade or of an operator, builds from the types of the arguments what a
shape function wants to see (`calls`), runs it, and puts the shapes into the type of the result (`operations`). Where too
little is known, mypy's own type stays: the plugin never guesses.
"""

from __future__ import annotations

from typegrad.mypy_plugin.hooks import plugin as plugin

__all__ = ["plugin"]
