"""The contenders. `CONTENDERS` of each module maps a name to the setups of its tasks; some omit tasks."""
