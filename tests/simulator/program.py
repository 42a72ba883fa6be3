"""`ubongo-box simulate` as a person starts and ends it: a process, its store, its signals, its lines."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

PATIENCE = 60.0
"""Seconds. A start takes about one; nothing is judged by how long it took."""


class Program:
    """One run of the simulator. `address` is where its page is."""

    def __init__(self, store: Path, *arguments: str, port: int = 0, config: str = "") -> None:
        toml = store.with_suffix(".toml")
        toml.write_text(config, encoding="utf-8")
        self._process = subprocess.Popen(
            [*COMMAND, "--store", str(store), "--config", str(toml), "--port", str(port), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        assert self._process.stdout is not None
        self.first_line = self._process.stdout.readline()
        found = re.search(r"http://[^/]+:(\d+)/", self.first_line)
        assert found, self.first_line + self.end(signal.SIGKILL)[2]
        self.address, self.port = found[0], int(found[1])

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self.end(signal.SIGKILL)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def end(self, number: signal.Signals | None = signal.SIGTERM) -> tuple[int, str, str]:
        """Send this signal (None: it ends by itself) and wait; exit code, the rest of its output, its errors."""
        if number is not None:
            self._process.send_signal(number)
        out, errors = self._process.communicate(timeout=PATIENCE)
        return self._process.returncode, out, errors


@contextmanager
def held_port() -> Iterator[int]:
    """A port of loopback for one simulator after the other: nobody else is given it between the two."""
    with socket.socket() as held:
        # Bound, but listening to nobody: the door, which allows it as well, may bind it besides and listen.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


COMMAND = [sys.executable, "-m", "device", "simulate"]


def failing(*arguments: str) -> tuple[int, str, str]:
    """Start the simulator with what can't work; exit code, output, errors."""
    run = subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        check=False,
    )
    return run.returncode, run.stdout, run.stderr
