"""A box without a service: the real parts on mock pins, the real server around them, and the page's end of a socket."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import queue
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from PIL import Image
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from device.parts.board import Board
from device.parts.oled import DisplaySettings, open_oled
from device.parts.pins import DEFAULT_PINS
from device.simulator.chip import Chip
from device.simulator.door import open_door
from device.simulator.front import Front
from device.simulator.panel import Panel
from device.simulator.pins import WatchedFactory
from device.simulator.server import Server
from device.table.edges import Edge

PATIENCE = 20.0
"""Seconds after which a test that waits for something has failed. Nothing is judged by how long it took."""

ANNA: Mapping[str, str] = {"red": "Anna"}


@dataclass
class Page:
    """What the page does with its socket, without drawing."""

    socket: ClientConnection
    draws: bool = True
    state: dict[str, Any] = field(default_factory=dict)
    events: list[Mapping[str, Any]] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)

    def say(self, message: str | bytes) -> None:
        self.socket.send(message)

    def hear(self) -> None:
        """Take one message."""
        message = self.socket.recv(timeout=PATIENCE)
        if isinstance(message, bytes):
            self.pictures.append(message)
            if self.draws:
                self.say("seen")
        else:
            news = json.loads(message)
            self.events += news.pop("events", [])
            self.state |= news

    def until(self, happened: Callable[[Page], bool]) -> None:
        """Take messages until this is so. TimeoutError if it never is."""
        while not happened(self):
            self.hear()


class Rig:
    """The box. `edges`: what its buttons reported. `silence`: see Fingers; long, for pages that say nothing of it."""

    def __init__(
        self,
        host: str = "127.0.0.1",
        *,
        port: int = 0,
        language: str = "en",
        names: Mapping[str, str] = ANNA,
        silence: float = PATIENCE,
    ) -> None:
        self.factory = WatchedFactory()
        self.chip = Chip()
        labels = {"language": language, "names": dict(names)}
        pins = DEFAULT_PINS
        self.front = Front(self.factory, Panel(self.chip), pins.buttons, pins.lamps, pins.buzzer, labels)
        self.chip.changed = self.front.ring
        self.edges: queue.Queue[Edge] = queue.Queue()
        self.board = Board(pins, self.factory, self.edges.put)
        self.oled = open_oled(DisplaySettings(), line=self.chip)
        self.door = open_door(host, port)
        self.server = Server(self.front, self.door, silence=silence)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._open = contextlib.ExitStack()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._loop.call_soon(self._ready.set)
        await self.server.serve(self._stop)

    def __enter__(self) -> Rig:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()
        self.stop()
        self.oled.close()
        self.board.close()

    def stop(self) -> None:
        """End the server and wait until it has."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.door.port}"

    def page(self, *, draws: bool = True) -> Page:
        """Open one more page, as a browser does."""
        address = f"ws://127.0.0.1:{self.door.port}/socket"
        # A socket of our own, so that no proxy of the machine's is asked for loopback.
        line = socket.create_connection(("127.0.0.1", self.door.port), PATIENCE)
        opened = connect(address, sock=line, origin=Origin(self.origin), compression=None)
        return Page(self._open.enter_context(opened), draws)

    def get(self, path: str, headers: Mapping[str, str], *, method: str = "GET") -> http.client.HTTPResponse:
        """One request with exactly these headers."""
        line = http.client.HTTPConnection("127.0.0.1", self.door.port, timeout=PATIENCE)
        line.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            line.putheader(name, value)
        line.endheaders()
        return line.getresponse()

    def pressed(self, count: int) -> list[tuple[int, bool]]:
        """The next `count` edges, as (button, down)."""
        edges = [self.edges.get(timeout=PATIENCE) for _ in range(count)]
        return [(edge.button, edge.down) for edge in edges]

    def show(self, value: int) -> bytes:
        """Put a picture that is unlike that of any other value (0 to 127) on the display, and return it."""
        picture = Image.new("1", (128, 64))
        picture.paste(1, (0, 0, value + 1, 8))
        self.oled.show(picture)
        return picture.tobytes()
