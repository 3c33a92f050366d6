"""What everything else is made of: mypy's types and trees, errors, caches."""
