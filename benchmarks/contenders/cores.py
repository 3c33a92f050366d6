"""How many threads a contender may use."""

from __future__ import annotations

import os

__all__ = ["threads"]


def threads() -> int:
    """As many as `run.py --threads` says, by default as many as the operating system lets this process use."""
    stated = os.environ.get("BENCHMARK_THREADS")
    if stated:
        return int(stated)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
