"""Arguments of another kind than their parameters take."""
