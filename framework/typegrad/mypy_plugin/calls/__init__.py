"""Calls of typegrad: their signatures, results and errors."""
