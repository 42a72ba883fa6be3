"""Where the simulator listens, and by which names it may be called. No page, no box, and no library to come late."""

from __future__ import annotations

import contextlib
import errno
import importlib.util
import ipaddress
import os
import re
import socket
from dataclasses import dataclass

from device.errors import UserError

HOST = "127.0.0.1"
PORT = 8765
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_WILDCARDS = frozenset({"0.0.0.0", "::"})
_HOST_HEADER = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?")
_TEST_NET = ("192.0.2.1", 9)  # RFC 5737: belongs to nobody


@dataclass(frozen=True)
class Door:
    """Listening sockets, and the host that was told."""

    host: str
    port: int
    sockets: tuple[socket.socket, ...]

    @property
    def private(self) -> bool:
        """Whether nobody outside this machine can come in."""
        return is_loopback(self.host)

    @property
    def address(self) -> str:
        """What to type into a browser."""
        name = _own_address() if self.host in _WILDCARDS else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/"

    def knows(self, host: str | None) -> bool:
        """Whether a request's Host header is a name of ours: any other page's name that was made to lead here is not.

        Where others may come in, any bare IP address will do: only names can be rebound.
        """
        match = _HOST_HEADER.fullmatch(host or "")
        if match is None:
            return False
        name = match["name"].strip("[]").lower()
        if name in _LOOPBACK or name == self.host.lower():
            return True
        if self.private:
            return False
        own = socket.gethostname().lower()
        if name in (own, f"{own}.local"):
            return True
        with contextlib.suppress(ValueError):
            ipaddress.ip_address(name)
            return True
        return False

    def close(self) -> None:
        """Listen no more."""
        for listening in self.sockets:
            listening.close()


def open_door(host: str = HOST, port: int = PORT) -> Door:
    """Listen on this address or name and port (0: any free one).

    UserError in one line if that can't be, or if the simulator's library is missing.
    """
    if importlib.util.find_spec("websockets") is None:
        raise UserError("the simulator needs the package websockets: pip install '.[simulator]'")
    if not 0 <= port <= 65535:
        raise UserError(f"port {port} does not exist; choose one with --port N, 1 to 65535")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UserError(f"host {host!r} is no address of this machine; --host 127.0.0.1 is private to it") from None
    sockets: list[socket.socket] = []
    trouble: OSError | None = None
    for family, _, _, _, (name, *_) in dict.fromkeys(found):
        try:
            sockets.append(_listening(family, str(name), sockets[0].getsockname()[1] if sockets else port))
        except OSError as error:
            trouble = error
            if error.errno == errno.EADDRINUSE:
                break
    if trouble is not None and (not sockets or trouble.errno == errno.EADDRINUSE):
        for listening in sockets:
            listening.close()
        raise _refusal(host, port, trouble)
    return Door(host, sockets[0].getsockname()[1], tuple(sockets))


def is_loopback(host: str) -> bool:
    """Whether this name or address can be reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listening(family: int, name: str, port: int) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # A port left a moment ago may be taken again. (On Windows this would let two share it.)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind((name, port))
        listening.listen(128)
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
    return listening


def _refusal(host: str, port: int, trouble: OSError) -> UserError:
    if trouble.errno == errno.EADDRINUSE:
        return UserError(f"port {port} is in use (another simulator, or another program); choose another with --port N")
    if trouble.errno == errno.EACCES:
        return UserError(f"port {port} is reserved for the system; choose one above 1023 with --port N")
    return UserError(f"cannot listen on {host} port {port}: {trouble.strerror or trouble}; try --host 127.0.0.1")


def _own_address() -> str:
    # Connecting a datagram socket sends nothing: it only asks which of our addresses faces the network.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_TEST_NET)
        return str(probe.getsockname()[0])
    return socket.gethostname()
