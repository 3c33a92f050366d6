"""Shape functions, one module per registry file. They are pure and import neither NumPy nor kernels."""
