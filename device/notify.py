"""What systemd is told of the service: ready, alive, stopping. One datagram each; nothing where nobody listens."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from math import inf


class Notify:
    """The notify socket of the unit, if there is one. beat: seconds between two signs of life, inf: none wanted."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        path = environ.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the abstract namespace, whose names begin with a null byte.
        self._address = "\0" + path[1:] if path.startswith("@") else path
        usec = environ.get("WATCHDOG_USEC", "")
        mine = environ.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
        # A third of the limit: one sign of life may be late or lost.
        self.beat = int(usec) / 3e6 if path and mine and usec.isdecimal() and int(usec) else inf

    def ready(self) -> None:
        """The buttons answer."""
        self._send("READY=1")

    def alive(self) -> None:
        """The loop is at work."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The end has begun."""
        self._send("STOPPING=1")

    def _send(self, what: str) -> None:
        if not self._address:
            return
        # A manager that does not listen is no reason to stop playing.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as speaker:
            speaker.setblocking(False)
            speaker.sendto(what.encode(), self._address)
