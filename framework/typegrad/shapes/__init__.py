"""Shape functions, one module per group. They are pure and import neither NumPy nor kernels."""
