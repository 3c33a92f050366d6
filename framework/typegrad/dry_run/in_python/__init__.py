"""Modules of Python's library in plain Python, which dry runs follow as modules of the program."""
