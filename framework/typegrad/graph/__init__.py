"""The graph's own machinery: element types, shapes, operands, operations, the graph and its scopes.

It knows no particular operation.
"""
