"""What the graph's machinery uses of modules that are imported after it: each name is imported when it is first used.

Python operators make operations, whose classes are operands themselves; they go into the current scope; and a graph
draws itself. This is the only module of the graph that names a later layer, so it is where the one circle that typing
needs is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope as Scope
    from typegrad.op import bitwise as bitwise
    from typegrad.op import core as core
    from typegrad.op import linalg as linalg
    from typegrad.op import math as math
    from typegrad.op import train as train
    from typegrad.tools import pictures as pictures
    from typegrad.tools.pictures import Options as Options
else:

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "Scope":
            from typegrad.graph import scope

            value = scope.Scope
        elif name == "pictures":
            from typegrad.tools import pictures as value
        else:
            from typegrad import op

            value = getattr(op, name)
        globals()[name] = value
        return value
