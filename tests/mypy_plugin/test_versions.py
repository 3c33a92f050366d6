"""The supported versions of mypy: stated once, tested, and a message for others."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from mypy.plugin import Plugin

from typegrad.mypy_plugin import plugin
from typegrad.mypy_plugin.interface import TypegradPlugin
from typegrad.mypy_plugin.versions import NEWEST, OLDEST

ROOT = Path(__file__).parents[2]
FIRST, LAST = (".".join(map(str, each)) for each in (OLDEST, NEWEST))


def test_the_newest_version_is_the_one_of_the_development_environment() -> None:
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["dev"]
    (stated,) = [each for each in dependencies if each.startswith("mypy==")]
    assert stated.startswith(f"mypy=={LAST}.")


def test_the_page_states_the_versions() -> None:
    page = (ROOT / "docs" / "static-shapes.md").read_text()
    assert re.findall(r"mypy (\S+) to (\d+\.\d+)", page) == [(FIRST, LAST)]


@pytest.mark.parametrize("version", [f"{FIRST}.0", f"{LAST}.9", "1.20.2", "2.0.0", f"{LAST}.1+dev.0a1b2c", FIRST])
def test_versions_between_them_have_the_plugin(version: str) -> None:
    assert plugin(version) is TypegradPlugin


@pytest.mark.parametrize(
    "version", ["0.991", f"{OLDEST[0]}.{OLDEST[1] - 1}.1", f"{NEWEST[0]}.{NEWEST[1] + 1}.0", "10.0"]
)
def test_with_another_version_the_plugin_says_so_and_stands_aside(
    version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plugin(version) is Plugin
    assert capsys.readouterr().err == (
        f"typegrad.mypy_plugin is for mypy {FIRST} to {LAST}; with mypy {version}, shapes are not checked\n"
    )
