"""Compare the speed of typegrad with other installed libraries: `python benchmarks/run.py`.

The table shows the median time of each contender, and its ratio to typegrad's: above 1, typegrad is faster.
"""

from __future__ import annotations

import argparse
from typing import Final

from contenders.tasks import TASKS, Contenders
from measuring import installed, measure, readable

MODULES: Final = {
    library: f"contenders.with_{library}" for library in ("typegrad", "numpy", "tensorflow", "torch", "jax")
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare typegrad with other libraries that are installed.")
    parser.add_argument("--rounds", type=int, default=9, help="measurements of each contender (default: 9)")
    rounds = parser.parse_args().rounds
    contenders: Contenders = dict(installed(MODULES))
    for task in TASKS:
        works = {name: tasks[task]() for name, tasks in contenders.items() if task in tasks}
        times = measure(works, rounds)
        print(f"\n{task}")
        for name, seconds in times.items():
            print(f"  {name:22}{readable(seconds):>12}{seconds / times['typegrad']:>9.2f}")


if __name__ == "__main__":
    main()
