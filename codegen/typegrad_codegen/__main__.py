"""`python -m typegrad_codegen`, the same as `typegrad codegen`."""

from __future__ import annotations

import sys

from typegrad_codegen.cli import main

sys.exit(main(sys.argv[1:]))
