"""Statements and expressions that mypy has no hook for, and what operands do not do."""
