"""`python -m typegrad_reference.guides`."""

import sys

from typegrad_reference.guides.checking import main

if __name__ == "__main__":
    sys.exit(main())
