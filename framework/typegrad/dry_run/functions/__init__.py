"""Which functions of other modules are called, and what a program has in the place of others."""
