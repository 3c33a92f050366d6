"""The graph's own machinery: element types, shapes, operands, operations, the graph and its scopes.

It knows no particular operation.
"""

import typegrad.common  # noqa: F401  # checks the arguments of what the modules below offer
