"""What every other module may use, and what knows of no graph: element types, shapes, errors, texts, locks."""
