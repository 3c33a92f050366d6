"""Options of the command line in a program that is followed, of which some have an unknown text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import argparse, pathlib, tempfile
parser = argparse.ArgumentParser()
parser.add_argument("--folder", "-f", type=pathlib.Path, required=True)
parser.add_argument("--kind", choices=["a", "b"])
parser.add_argument("--hidden", type=int, default=8)
parser.add_argument("--sizes", type=int, nargs="+", default=[5])
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
"""
DIFFER: Final = "inner dimensions differ"
WRONG: Final = {
    "another option": f"""
with tempfile.TemporaryDirectory() as folder:
    args = parser.parse_args(["--hidden", "7", "--folder", folder, "--kind", unknown.kind])
    x @ np.zeros((args.hidden, 5), np.float32)  # E: {DIFFER}
""",
    "an option of several numbers": f"""
args = parser.parse_args(["--sizes", "4", "3", "-f", unknown.folder])
x[:, :5] @ np.zeros((args.sizes[0], 5), np.float32)  # E: {DIFFER}
""",
    "an option that is evaluated": f"""
parser.add_argument("--grid", type=eval, default="[2, 7]")
parser.add_argument("--other", type=eval, default="2 + five(3)")
args = parser.parse_args(["--folder", "f"])
five(args.other)
x @ np.zeros((args.grid[1], 5), np.float32)  # E: {DIFFER}
""",
}
RIGHT: Final = {
    "the option itself": """
args = parser.parse_args(["--folder", "f", "--hidden", unknown.hidden])
five(args.hidden)
args = parser.parse_args(["--folder", "f", "--kind", unknown.kind])
five(4 if args.kind == "a" else 5)
five(len(args.folder.parts) + 4)
""",
    "an option of an unknown kind": """
folder = parser.parse_args(["--folder", "f"]).folder
five(4 if folder == "f" else 5)
group = parser.add_argument_group("more")
group.add_argument("--more", default=unknown.value, help=unknown.help)
parser.set_defaults(others=unknown.value)
args = parser.parse_args(["-f", "f"])
five(args.more)
five(args.others)
five(4 if args.more is None else 5)
group.add_argument("--most", action=unknown.action, default=4)
five(parser.parse_args(["-f", "f"]).most)
group.add_argument("--least")
five(parser.parse_args(["-f", "f"]).least)
""",
    "a text that may be an option": """
args = parser.parse_args(["--folder", "f", unknown.text])
five(args.hidden)
args = parser.parse_args(["--folder", "f", "--sizes", unknown.text, "--hidden", "4"])
five(args.hidden)
args = parser.parse_args(unknown.texts)
five(args.hidden)
""",
    "arguments that end the program": """
parser.parse_args(["--hidden", "7", "--kind", unknown.kind])
five(4)
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_an_option_that_is_known(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
