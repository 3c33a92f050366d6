"""What is told once a file is checked: when that is, types in the reader's words, runs that do not do what is meant."""
