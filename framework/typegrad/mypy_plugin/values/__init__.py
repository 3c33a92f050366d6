"""What expressions and names are bound to, without running the program."""
