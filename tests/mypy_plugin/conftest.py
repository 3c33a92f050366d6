"""What the modules of programs share: their `PROGRAMS`, behind their `HEADER`, are one run of mypy."""

from __future__ import annotations

import pytest

from mypy_plugin.checking import disagreements


@pytest.fixture(scope="module")
def different(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What mypy says of each program that it should not, from a single run."""
    module = request.module
    return disagreements(tmp_path_factory.mktemp("programs"), module.PROGRAMS, module.HEADER)
