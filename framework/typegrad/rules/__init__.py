"""Gradient functions, one module per registry file, and what they share. They know operations only."""
