"""The text of a program: what it calls its values, what its statements may change, and how it is rewritten."""
