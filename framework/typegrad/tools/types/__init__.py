"""What mypy and its plugin know of a program's operands, as annotations of its lines."""
