"""NumPy's arrays: their shapes and dtypes, and arrays in place of operands."""
