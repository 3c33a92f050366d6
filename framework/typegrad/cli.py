"""The command line: `typegrad demo`, `typegrad codegen`, `typegrad --version`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from typegrad.errors import TypegradError

__all__ = ["main"]

_DEMO_NEEDS: Final = {"matplotlib": "matplotlib", "sklearn": "scikit-learn", "tqdm": "tqdm"}
"""What the demo imports, and the name under which it is installed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (by default, the process's arguments) asks for; the exit status."""
    parser = _parser()
    options, rest = parser.parse_known_args(argv)
    try:
        if options.command == "codegen":
            return _codegen(rest)
        if rest:
            parser.error(f"unrecognized arguments: {' '.join(rest)}")
        return _demo(options.epochs, options.seed, options.output)
    except (TypegradError, OSError) as error:
        print(f"typegrad: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("typegrad: interrupted", file=sys.stderr)
        return 130


def _codegen(arguments: Sequence[str]) -> int:
    from typegrad_codegen.cli import main as codegen

    return codegen(arguments)


def _demo(epochs: int, seed: int, output: Path) -> int:
    missing = [library for module, library in _DEMO_NEEDS.items() if find_spec(module) is None]
    if missing:
        print(f"typegrad: the demo needs {', '.join(missing)}: run pip install 'typegrad[demo]'", file=sys.stderr)
        return 1
    from typegrad.demo.main import run

    run(epochs, seed, output)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="typegrad",
        description="Strongly typed computation graphs, differentiated as graphs.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('typegrad')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser(
        "demo",
        help="train a classifier of handwritten digits, fool it, and train it not to be fooled",
        description=(
            "Train a classifier of handwritten digits, fool it with adversarial examples, train it on them, "
            "and write a picture of both. Everything happens in one graph."
        ),
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    demo.add_argument(
        "--epochs", type=_count, default=60, metavar="N", help="times to go through the digits in each training"
    )
    demo.add_argument("--seed", type=_seed, default=0, metavar="N", help="the same seed gives the same numbers")
    demo.add_argument("--output", type=Path, default=Path("demo-output"), metavar="DIR", help="where the picture goes")
    commands.add_parser(
        "codegen",
        help="generate the wrapper classes from the registry (see typegrad codegen --help)",
        add_help=False,
        allow_abbrev=False,
    )
    return parser


def _seed(text: str) -> int:
    number = int(text)
    if not 0 <= number < 2**32:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {2**32 - 1}")
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number
