"""The command line, for all tests here."""

from __future__ import annotations

from support.commands import run as run
