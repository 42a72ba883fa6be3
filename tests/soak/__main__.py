"""`python -m tests.soak [--minutes 20] [--seed N] [--only NAME] [--short]`: all the long trials, and a table of them.

Exit code 1 if anything was wrong; a violation comes with the seed that repeats it.
"""

from __future__ import annotations

import sys

from tests.soak.trials import main

if __name__ == "__main__":
    sys.exit(main())
