"""What is told once a file is checked: one error for each mistake, what a dry run finds, lints, types in words."""
