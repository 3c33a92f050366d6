"""Checks of a registry's operations: their examples are run, and their gradients compared with finite differences."""
