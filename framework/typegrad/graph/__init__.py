"""The graph's own machinery: operands and variables, operations, the graph and its scopes.

It knows no particular operation.
"""

# The arguments of what the modules below offer are checked once this one is imported.
import typegrad.common  # noqa: F401  # pyright: ignore[reportUnusedImport]
