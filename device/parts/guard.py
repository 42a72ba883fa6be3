"""What must go on whatever happens: errors are counted, and the first of a kind is told. Knows no part."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

Tell = Callable[[str, str], None]


class Guard:
    """Takes the errors of one part. `faults`: how many so far; `tell(about, text)` hears each kind once."""

    def __init__(self, about: str, tell: Tell | None = None) -> None:
        self._about, self._tell = about, tell
        self._told: set[str] = set()
        self.faults = 0

    def met(self, trouble: Exception, where: str) -> None:
        """Count an error; tell it if none like it was met there before. Never raises."""
        self.faults += 1
        kind = f"{where} {type(trouble).__name__}"
        if self._tell is not None and kind not in self._told:
            self._told.add(kind)
            with contextlib.suppress(Exception):  # this may run in the library's only event thread
                self._tell(self._about, f"{where}: {trouble or type(trouble).__name__}")
