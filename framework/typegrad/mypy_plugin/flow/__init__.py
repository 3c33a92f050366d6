"""What a program does step by step: names that are bound again, loops, lists that grow, the bodies of functions."""
