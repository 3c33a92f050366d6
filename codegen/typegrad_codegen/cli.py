"""The command line of the generator: `typegrad codegen`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from typegrad.base.brief import counted
from typegrad_codegen.load import load
from typegrad_codegen.names import is_name
from typegrad_codegen.problems import RegistryError
from typegrad_codegen.render import render
from typegrad_codegen.write import WriteError, compare, write

__all__ = ["main"]

_REGISTRY: Final = Path("ops")
_OUT: Final = Path("framework/typegrad/op")
_PACKAGE: Final = "typegrad.op"
"""Where everything is in a checkout of typegrad, the only place where nothing need be said."""
_OWN: Final = (
    "for operations of your own, say where all is: typegrad codegen --registry DIR --out acme/op --package acme.op"
)


def main(argv: Sequence[str]) -> int:
    """Generate, or with `--check` compare; the exit status."""
    parser = _parser()
    options = parser.parse_args(argv)
    places = [options.registry, options.out, options.package]
    if places == [None, None, None]:
        if not (_OUT.parent / "__init__.py").is_file():
            parser.error(f"this folder is not a checkout of typegrad; {_OWN}")
        options.registry, options.out, options.package = _REGISTRY, _OUT, _PACKAGE
    elif None in places:
        parser.error(f"--registry, --out and --package go together; {_OWN}")
    if not all(map(is_name, options.package.split("."))):
        parser.error(f"--package is the name of a package, such as acme.op, not {options.package!r}")
    inner = options.package.replace(".", "/")
    if not options.out.resolve().as_posix().endswith(f"/{inner}"):
        parser.error(
            f"--out {options.out} is not where {options.package} is imported from; "
            f"expected a folder that ends in {inner}"
        )
    try:
        registry = load(options.registry, options.package)
    except RegistryError as error:
        print(error, file=sys.stderr)
        print(f"{counted(len(error.problems), 'error')}; nothing was written", file=sys.stderr)
        return 1
    files = render(registry, options.package)
    if options.check:
        return _report(compare(files, options.out))
    try:
        touched = write(files, options.out)
    except WriteError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    counts = f"{counted(len(registry.operations), 'operation')}, {counted(len(files), 'file')}"
    print(f"{counts} in {options.out}, {touched} of them changed")
    return 0


def _report(lines: Sequence[str]) -> int:
    for line in lines:
        print(line)
    if lines:
        print(f"{counted(len(lines), 'file')} out of date: run `typegrad codegen`")
    return 1 if lines else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="typegrad codegen",
        description="Generate the wrapper classes of a registry. In a checkout of typegrad, nothing need be said "
        "but --check.",
    )
    parser.add_argument("--registry", type=Path, metavar="DIR", help="the folder of .yaml files")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder of the generated package")
    parser.add_argument("--package", metavar="NAME", help="the import name of that package, such as acme.op")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a file is missing, stale or extra"
    )
    return parser
