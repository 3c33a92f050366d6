"""What the reader sees besides errors: coverage, lints, types in words."""
