"""Branches, loops and comprehensions."""
