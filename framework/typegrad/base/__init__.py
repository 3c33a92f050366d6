"""What every other module may use, and what knows of no graph: errors, texts, locks, lazy imports."""
