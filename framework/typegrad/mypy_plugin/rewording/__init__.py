"""What mypy says by itself, in the words of the run, or with what to write."""
