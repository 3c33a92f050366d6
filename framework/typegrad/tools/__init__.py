"""Tools for graphs and registries: pictures, the command line and the demo."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typegrad.tools import pictures as pictures
else:
    from typegrad.arguments.lazy import lazy

    __getattr__, __dir__ = lazy(__name__, {"pictures": ""})
