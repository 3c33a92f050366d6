"""Dry runs: programs that are followed as far as they build graphs, so that their mistakes are known before a run."""
