"""A kill at any moment of saving leaves a checkpoint. `kill_test.py` does it more often by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_killed_process_leaves_a_checkpoint() -> None:
    script = Path(__file__).with_name("kill_test.py")
    done = subprocess.run([sys.executable, str(script), "--times", "20"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("20 kills, ")
