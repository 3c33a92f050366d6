"""The reference in a terminal."""
