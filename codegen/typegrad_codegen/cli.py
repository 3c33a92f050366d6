"""The command line of the generator: `typegrad codegen`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from typegrad_codegen.load import load
from typegrad_codegen.names import is_name
from typegrad_codegen.problems import RegistryError
from typegrad_codegen.render import render
from typegrad_codegen.write import compare, write

__all__ = ["main"]

_OUT: Final = Path("framework/typegrad/op")
_PACKAGE: Final = "typegrad.op"


def main(argv: Sequence[str]) -> int:
    """Generate, or with `--check` compare; the exit status."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.package != _PACKAGE and options.out == _OUT:
        parser.error("--package needs --out: the folder that is imported under that name")
    if not all(map(is_name, options.package.split("."))):
        parser.error(f"--package is the name of a package, such as acme.op, not {options.package!r}")
    try:
        registry = load(options.registry, root=options.package.rpartition(".")[0])
    except RegistryError as error:
        print(error, file=sys.stderr)
        print(f"{len(error.problems)} errors; nothing was written", file=sys.stderr)
        return 1
    files = render(registry, options.package)
    if options.check:
        return _report(compare(files, options.out))
    try:
        touched = write(files, options.out)
    except OSError as error:
        print(f"cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{len(registry.operations)} operations, {len(files)} files in {options.out}, {touched} of them changed")
    return 0


def _report(lines: Sequence[str]) -> int:
    for line in lines:
        print(line)
    if lines:
        print(f"{len(lines)} files are not up to date: run `typegrad codegen`")
    return 1 if lines else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="typegrad codegen", description="Generate the wrapper classes from a registry."
    )
    parser.add_argument(
        "--registry", type=Path, default=Path("ops"), metavar="DIR", help="the folder of .yaml files (default: ops)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=_OUT,
        metavar="DIR",
        help="the folder of the generated package (default: framework/typegrad/op)",
    )
    parser.add_argument("--package", default=_PACKAGE, help="the import name of that package (default: typegrad.op)")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a file is missing, stale or extra"
    )
    return parser
