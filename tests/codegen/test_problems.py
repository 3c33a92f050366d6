"""Errors of a registry are reported once, and cut where they are too long."""

from __future__ import annotations

from typegrad_codegen.problems import Problem, Problems, RegistryError


def test_what_is_said_is_said_once_and_not_without_end() -> None:
    problems = Problems("a.yaml")
    for _ in range(2):
        problems.add(1, "w" * 1000, "m" * 1000)
    (told,) = RegistryError(problems.errors).problems
    assert told == Problem("a.yaml", 1, "w" * 197 + "...", "m" * 797 + "...")
