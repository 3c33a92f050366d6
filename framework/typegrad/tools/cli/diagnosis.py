"""The checks of `typegrad doctor`: versions, the machine, whether typegrad works, optional features."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from attrs import frozen

import typegrad as tg
from typegrad.base.brief import counted
from typegrad.base.threads import INSTALL, chosen, count, usable
from typegrad.tools.cli.features import FEATURES

__all__ = ["Finding", "State", "diagnose"]

State: TypeAlias = Literal["ok", "missing", "broken"]
"""`missing` is optional; `broken` is required."""

_OLDEST_PYTHON: Final = (3, 11)
_LEAST: Final = re.compile(r"\s*([\w.-]+)\s*>=\s*([\d.]+)\s*(?:;.*)?")


@frozen
class Finding:
    """The result of one check. `advice` says what to do about a problem."""

    section: str
    name: str
    value: str
    state: State = "ok"
    advice: str = ""


def diagnose() -> list[Finding]:
    """Run all checks."""
    return [*_versions(), *_machine(), *_working(), *_features()]


# Versions


def _versions() -> Iterator[Finding]:
    running = sys.version_info[:3]
    oldest = ".".join(map(str, _OLDEST_PYTHON))
    is_new_enough = running >= _OLDEST_PYTHON
    advice = "" if is_new_enough else f"install Python {oldest} or later"
    value = (
        f"{platform.python_version()} ({platform.python_implementation()}, {platform.system()} {platform.machine()})"
    )
    yield Finding("Versions", "Python", value, "ok" if is_new_enough else "broken", advice)
    yield Finding("Versions", "typegrad", f"{tg.__version__} in {Path(tg.__file__).parent}")
    for requirement in requires("typegrad") or ():
        match = _LEAST.fullmatch(requirement)
        if match and "extra" not in requirement:
            yield _library(match[1], match[2])


def _library(name: str, least: str) -> Finding:
    """Check a required library."""
    command = f"pip install '{name}>={least}'"
    try:
        installed = version(name)
    except PackageNotFoundError:
        return Finding("Versions", name, "not installed", "broken", command)
    if _numbers(installed) < _numbers(least):
        return Finding("Versions", name, f"{installed}, older than {least}", "broken", command)
    return Finding("Versions", name, installed)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text.partition("+")[0])[:3])


# The machine


def _machine() -> Iterator[Finding]:
    cores = os.cpu_count() or 1
    yield Finding("Machine", "cores", f"{cores}" if usable() == cores else f"{usable()} of {cores} usable")
    yield Finding("Machine", "backends", f"numpy {np.__version__}")
    yield Finding("Machine", "BLAS", _blas())
    yield _blas_threads()


def _blas() -> str:
    """The name and version of the BLAS library that NumPy was built with."""
    config: Any = np.show_config(mode="dicts")
    blas = config.get("Build Dependencies", {}).get("blas", {})
    return f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip()


def _blas_threads() -> Finding:
    """How many threads a session uses that states no number, and why."""
    reason, number = chosen().reason, count()
    if number is None:
        return Finding("Machine", "BLAS threads", reason, "missing", INSTALL)
    return Finding("Machine", "BLAS threads", f"{number}: {reason}")


# Whether typegrad works


def _working() -> Iterator[Finding]:
    yield _attempt(
        "building, differentiating, running", _compute, "reinstall typegrad: pip install --force-reinstall typegrad"
    )
    yield from _generated_code()
    yield from _plugin()


def _attempt(name: str, action: Callable[[], str], advice: str) -> Finding:
    try:
        return Finding("Working", name, action())
    except (ArithmeticError, AttributeError, ImportError, LookupError, RuntimeError, TypeError, ValueError) as error:
        return Finding("Working", name, f"{type(error).__name__}: {error}", "broken", advice)


def _compute() -> str:
    """Compute the derivative of x² at 3, which uses all layers."""
    from typegrad.op import core, math

    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, 3.0)
    gradient = tg.grad(scope, math.Square.create(scope, x), x)
    with tg.Session(scope.graph) as session:
        slope = float(session.run(gradient))
    if slope != 6.0:
        raise ArithmeticError(f"the derivative of x² at 3 is 6, not {slope}")
    return "yes"


def _generated_code() -> Iterator[Finding]:
    """Check that the generated classes are up to date, in a checkout."""
    from typegrad_codegen.bundled import registry

    folder = registry()
    if not (folder.parent / "pyproject.toml").is_file():
        return
    from typegrad_codegen.load import load
    from typegrad_codegen.problems import RegistryError
    from typegrad_codegen.render import render
    from typegrad_codegen.write import compare

    name = "generated code"
    try:
        stale = compare(render(load(folder), "typegrad.op"), Path(tg.__file__).parent / "op")
    except RegistryError as error:
        yield Finding(
            "Working",
            name,
            f"the registry has {len(error.problems)} errors",
            "broken",
            "typegrad codegen, which lists them",
        )
        return
    state: State = "broken" if stale else "ok"
    yield Finding(
        "Working",
        name,
        f"{counted(len(stale), 'stale file')}" if stale else "up to date",
        state,
        "typegrad codegen" if stale else "",
    )


def _plugin() -> Iterator[Finding]:
    """Check that the plugin supports the installed mypy."""
    if find_spec("mypy") is None:
        return
    from typegrad.mypy_plugin.versions import NEWEST, OLDEST

    installed = version("mypy")
    first, last = (".".join(map(str, each)) for each in (OLDEST, NEWEST))
    fits = OLDEST <= _numbers(installed)[:2] <= NEWEST
    advice = "" if fits else f"pip install 'mypy>={first},<{NEWEST[0]}.{NEWEST[1] + 1}'"
    says = "supported" if fits else f"not supported: the plugin supports {first} to {last} and does nothing otherwise"
    yield Finding("Working", "mypy plugin", f"mypy {installed}, {says}", "ok" if fits else "missing", advice)


# Optional features


def _features() -> Iterator[Finding]:
    for name, feature in FEATURES.items():
        if missing := feature.missing():
            text = f"{feature.what}: needs {', '.join(missing)}"
            yield Finding("Features", name, text, "missing", feature.command)
        else:
            yield Finding("Features", name, feature.what)
