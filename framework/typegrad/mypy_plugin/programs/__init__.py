"""What a dry run finds in a file's program, and what is asked of it: coverage, lints, what `reveal_type` shows."""
