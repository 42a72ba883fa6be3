"""Page and socket on one port, for the box's own page and nobody else's.

To the box: "down N" and "up N" (N a button, 1 to 4), "still" again and again while any is held (see Fingers), and
"seen" when a picture was drawn. From the box: texts
(JSON: what has changed of Front.state, and `events` of the transcript) and pictures (1,024 bytes). No rules here.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import socket
from collections import deque
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from importlib import resources
from typing import Any

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from device.simulator.door import Door
from device.simulator.fingers import SILENCE, Fingers
from device.simulator.front import Front

MAX_PAGES = 16
"""Open pages at a time. Four players, each with a phone and a tablet, are half of that."""
MAX_CONNECTIONS = 64
"""TCP connections at a time: a browser loads the page over six of them."""
MAX_MESSAGE = 16
"""Bytes; the longest message of the page has 6."""
HEARTBEAT = 4.0
"""Seconds after which a page is told that the program is still there. The page waits for three of them."""
FAREWELL = 0.5
"""Seconds that the pages have to close their sockets at the end."""
_KEPT_EVENTS = 32
_FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/sound.js": ("sound.js", "text/javascript; charset=utf-8"),
    "/oled.js": ("oled.js", "text/javascript; charset=utf-8"),
    "/words.js": ("words.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    "/wood.svg": ("wood.svg", "image/svg+xml"),
}
_EDGE = re.compile(r"(down|up) ([1-4])")
_BAD_MESSAGE = 1003
_TOO_MANY = 1013


class _Connection(ServerConnection):
    """A connection that is dropped at once when there are too many: none may use up the machine's handles."""

    def __init__(self, all_of_them: set[_Connection], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._all = all_of_them

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._all.add(self)
        if len(self._all) > MAX_CONNECTIONS:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._all.discard(self)
        super().connection_lost(exc)


class _Viewer:
    """One open page: what it has been sent, and what it still has to be."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.events: deque[Mapping[str, Any]] = deque(maxlen=_KEPT_EVENTS)
        self.sent: dict[str, Any] = {}
        self.picture = b""
        self.drawing = False


class Server:
    """Shows one Front to any number of pages, up to MAX_PAGES. Lives on one asyncio loop."""

    def __init__(self, front: Front, door: Door, *, silence: float = SILENCE) -> None:
        """`silence`: seconds without a word after which a page lets go of what it holds; see Fingers."""
        self._front = front
        self._door = door
        self._silence = silence
        self._scene: str | None = None
        self._connections: set[_Connection] = set()
        self._viewers: set[_Viewer] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        folder = resources.files("device.simulator") / "page"
        self._pages = {path: ((folder / name).read_bytes(), kind) for path, (name, kind) in _FILES.items()}

    async def serve(self, stop: asyncio.Event) -> None:
        """Let pages in until `stop`; then say good-bye to every page and return."""
        self._loop = asyncio.get_running_loop()
        self._fingers = Fingers(self._front.push, self._loop.call_later, self._silence)
        self._front.on_change(self._changed)
        servers = [await self._listen(listening) for listening in self._door.sockets]
        try:
            await stop.wait()
        finally:
            for server in servers:
                server.close()
            closed = asyncio.gather(*(server.wait_closed() for server in servers))
            await asyncio.wait([closed], timeout=FAREWELL)
            # Whoever does not answer a good-bye must not hold the end up.
            for connection in tuple(self._connections):
                connection.transport.abort()
            await closed

    def tell(self, event: Mapping[str, Any]) -> None:
        """Hand a line of the transcript to every page; from any thread."""
        self._soon(self._note, dict(event))

    def _listen(self, listening: socket.socket) -> WebSocketServer:
        quiet = logging.getLogger("device.simulator.websockets")
        # A stranger's nonsense is refused, not written up with a traceback.
        quiet.disabled = True
        return serve(
            self._meet,
            sock=listening,
            process_request=self._answer,
            create_connection=partial(_Connection, self._connections),  # type: ignore[arg-type]  # it is called only
            compression=None,
            max_size=MAX_MESSAGE,
            max_queue=64,
            write_limit=4096,
            open_timeout=5,
            ping_interval=5,
            ping_timeout=5,
            close_timeout=1,
            server_header=None,
            logger=quiet,
        )

    # HTTP

    def _answer(self, _connection: ServerConnection, request: Request) -> Response | None:
        host = _only(request.headers, "Host")
        if not self._door.knows(host):
            return _plain(HTTPStatus.MISDIRECTED_REQUEST, "This box does not go by that name.")
        path = request.path.partition("?")[0]
        if path == "/socket":
            if _only(request.headers, "Origin") != f"http://{host}":
                return _plain(HTTPStatus.FORBIDDEN, "Only the box's own page may press its buttons.")
            return None
        if getattr(request, "method", "GET") != "GET":
            return _plain(HTTPStatus.METHOD_NOT_ALLOWED, "There is only something to GET.")
        if path not in self._pages:
            return _plain(HTTPStatus.NOT_FOUND, "There is nothing of that name.")
        body, kind = self._pages[path]
        return _response(HTTPStatus.OK, kind, body, connect=f"'self' ws://{host}")

    # One page's socket

    async def _meet(self, connection: ServerConnection) -> None:
        if len(self._viewers) >= MAX_PAGES:
            await connection.close(_TOO_MANY, "too many pages are open")
            return
        viewer = _Viewer()
        self._viewers.add(viewer)
        # The picture at the start must not wait for a change.
        viewer.news.set()
        sender = asyncio.create_task(self._send(connection, viewer))
        try:
            await self._receive(connection, viewer)
        except ConnectionClosed:
            pass
        finally:
            self._viewers.discard(viewer)
            self._fingers.let_go(viewer)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
                await sender

    async def _receive(self, connection: ServerConnection, viewer: _Viewer) -> None:
        async for message in connection:
            edge = _EDGE.fullmatch(message) if isinstance(message, str) else None
            if edge is not None:
                act = self._fingers.press if edge[1] == "down" else self._fingers.release
                act(viewer, int(edge[2]))
            elif message == "still":
                self._fingers.still(viewer)
            elif message == "seen":
                viewer.drawing = False
                viewer.news.set()
            else:
                await connection.close(_BAD_MESSAGE, "down N, up N, still or seen")
                return

    async def _send(self, connection: ServerConnection, viewer: _Viewer) -> None:
        while True:
            message: dict[str, Any] = {}
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await viewer.news.wait()
            except TimeoutError:
                message["alive"] = True
            viewer.news.clear()
            state = {**self._front.state(), "scene": self._scene}
            message |= {
                key: value for key, value in state.items() if key not in viewer.sent or viewer.sent[key] != value
            }
            viewer.sent = state
            if viewer.events:
                message["events"] = list(viewer.events)
                viewer.events.clear()
            if message:
                await connection.send(json.dumps(message, default=str))
            # One picture on its way at a time: what a slow page gets next is the newest, however far behind it is.
            if not viewer.drawing:
                picture = self._front.picture()
                if picture != viewer.picture:
                    viewer.picture, viewer.drawing = picture, True
                    await connection.send(picture)

    # News of the box

    def _changed(self) -> None:
        self._soon(self._ring)

    def _soon(self, act: Any, *arguments: Any) -> None:
        # While the loop is not yet, or no longer, running there is nobody to tell.
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(act, *arguments)

    def _ring(self) -> None:
        for viewer in self._viewers:
            viewer.news.set()

    def _note(self, event: Mapping[str, Any]) -> None:
        if event.get("what") == "scene":
            self._scene = event.get("scene")
        for viewer in self._viewers:
            viewer.events.append(event)
            viewer.news.set()


def _only(headers: Headers, name: str) -> str | None:
    values = headers.get_all(name)
    return values[0] if len(values) == 1 else None


def _plain(status: HTTPStatus, text: str) -> Response:
    return _response(status, "text/plain; charset=utf-8", f"{text}\n".encode(), connect="'none'")


def _response(status: HTTPStatus, kind: str, body: bytes, connect: str) -> Response:
    policy = f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src {connect}; "
    policy += "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Connection": "close",
            "Cache-Control": "no-store",
            "Content-Security-Policy": policy,
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }
    )
    return Response(status.value, status.phrase, headers, body)
