"""Facts about operations, gathered from entries, classes and functions; and the search for operations."""
