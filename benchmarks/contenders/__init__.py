"""Who takes part. Each module has `CONTENDERS`: a name, and how it does each task; some tasks make no sense for some."""
