"""Differentiation: the gradient builder, and the operations' gradient functions, one module per registry file."""
