"""What operators and NumPy's functions return."""
