"""Importing lgpio without what it does on the side. Nothing else: whoever needs lgpio calls `load` first.

On import it makes a FIFO in $LG_WD or the current directory, leaves it there, fails where it can't write, changes
the process's directory, and a second program in the same place would read the first one's events.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from importlib import import_module
from types import ModuleType


def load() -> ModuleType:
    """lgpio, imported in a directory of its own that is gone again afterwards. Raises ImportError."""
    if "lgpio" in sys.modules:
        return sys.modules["lgpio"]
    before = os.environ.get("LG_WD")
    home = before or os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0] or None
    here = os.open(".", os.O_RDONLY | os.O_CLOEXEC)
    try:
        with tempfile.TemporaryDirectory(prefix="lgpio-", dir=home, ignore_cleanup_errors=True) as directory:
            os.environ["LG_WD"] = directory
            try:
                return import_module("lgpio")
            finally:
                with contextlib.suppress(OSError):
                    os.fchdir(here)
    except OSError as trouble:
        raise ImportError(f"it can't make its FIFO ({trouble})") from trouble
    finally:
        os.close(here)
        if before is None:
            os.environ.pop("LG_WD", None)
        else:
            os.environ["LG_WD"] = before
