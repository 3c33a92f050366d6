"""Attributes of a thread. Threads are unknown, and what they do."""


class local:
    """An object with attributes of its own in each thread, of which there is one."""
