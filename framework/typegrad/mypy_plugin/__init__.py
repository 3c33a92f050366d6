"""The mypy plugin: static shapes, by the same shape functions that the runtime uses, and errors in the user's terms.

    [mypy]
    plugins = typegrad.mypy_plugin

The README beside this file tells how it works.
"""

from __future__ import annotations

import sys

from mypy.plugin import Plugin

from typegrad.mypy_plugin.versions import NEWEST, OLDEST, is_supported

__all__ = ["plugin"]


def plugin(version: str) -> type[Plugin]:
    """Return the plugin class for mypy; one that does nothing for versions of mypy that are not supported."""
    if is_supported(version):
        from typegrad.mypy_plugin.interface import TypegradPlugin

        return TypegradPlugin
    oldest, newest = (".".join(map(str, each)) for each in (OLDEST, NEWEST))
    print(
        f"typegrad.mypy_plugin is for mypy {oldest} to {newest}; with mypy {version}, shapes are not checked",
        file=sys.stderr,
    )
    return Plugin
