"""`python -m typegrad`, the same as `typegrad`."""

from __future__ import annotations

import sys

from typegrad.tools.cli import main

sys.exit(main())
