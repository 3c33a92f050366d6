"""The command line, and a cache of mypy for notebooks, for all tests here."""

from __future__ import annotations

from support.commands import run as run
from support.notebooks import cache as cache
