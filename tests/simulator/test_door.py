"""Where the simulator listens, by which names it goes, and the one line for each way in which it can't."""

from __future__ import annotations

import importlib.util
import socket

import pytest

from device.errors import UserError
from device.simulator.door import Door, is_loopback, open_door


def test_it_listens_on_loopback_unless_told() -> None:
    door = open_door(port=0)
    try:
        assert [listening.getsockname() for listening in door.sockets] == [("127.0.0.1", door.port)]
        assert door.private
        assert door.address == f"http://127.0.0.1:{door.port}/"
    finally:
        door.close()


def test_a_busy_port_is_one_line_that_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError) as error:
            open_door(port=port)
    assert str(error.value) == (
        f"port {port} is in use (another simulator, or another program); choose another with --port N"
    )
    assert error.value.code == 2


def test_a_port_that_was_left_a_moment_ago_can_be_had_again() -> None:
    first = open_door(port=0)
    with socket.create_connection(("127.0.0.1", first.port)) as line:
        first.close()
        line.close()
    again = open_door(port=first.port)
    again.close()


@pytest.mark.parametrize(
    ("host", "port", "start"),
    [
        pytest.param("127.0.0.1", 70000, "port 70000 does not exist", id="no port"),
        pytest.param("127.0.0.1", -1, "port -1 does not exist", id="negative port"),
        pytest.param("not a host", 0, "host 'not a host' is no address of this machine", id="no name"),
        pytest.param("\ud800", 0, "host '\\ud800' is no address of this machine", id="no text"),
        pytest.param("192.0.2.77", 0, "cannot listen on 192.0.2.77", id="somebody else's address"),
    ],
)
def test_what_cannot_be_is_one_line(host: str, port: int, start: str) -> None:
    with pytest.raises(UserError) as error:
        open_door(host, port)
    assert str(error.value).startswith(start)
    assert "\n" not in str(error.value)


def test_a_missing_library_is_one_line_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UserError) as error:
        open_door()
    assert str(error.value) == "the simulator needs the package websockets: pip install '.[simulator]'"


@pytest.mark.parametrize(
    ("told", "host", "known"),
    [
        pytest.param("127.0.0.1", "127.0.0.1:8765", True, id="told"),
        pytest.param("127.0.0.1", "LOCALHOST", True, id="any case"),
        pytest.param("127.0.0.1", "127.0.0.1.nip.example", False, id="name with our address in it"),
        pytest.param("127.0.0.1", "10.0.0.7", False, id="private: no other address"),
        pytest.param("0.0.0.0", "10.0.0.7:8765", True, id="open: any address"),
        pytest.param("0.0.0.0", "[fe80::1]:8765", True, id="open: any IPv6 address"),
        pytest.param("0.0.0.0", "evil.example", False, id="open: still no name"),
        pytest.param("0.0.0.0", "localhost:8765", True, id="open: localhost"),
        pytest.param("box.home", "box.home:8765", True, id="the told name"),
        pytest.param("box.home", "fox.home:8765", False, id="another name"),
        pytest.param("0.0.0.0", "a b", False, id="no name"),
        pytest.param("0.0.0.0", None, False, id="none"),
    ],
)
def test_names_it_goes_by(told: str, host: str | None, known: bool) -> None:
    assert Door(told, 8765, ()).knows(host) is known


def test_own_name_is_known_where_others_may_come_in() -> None:
    own = socket.gethostname()
    assert Door("0.0.0.0", 8765, ()).knows(f"{own}:8765")
    assert not Door("127.0.0.1", 8765, ()).knows(own) or own.lower() == "localhost"


@pytest.mark.parametrize(
    ("host", "private"),
    [("localhost", True), ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("0.0.0.0", False), ("box", False)],
)
def test_what_is_private(host: str, private: bool) -> None:
    assert is_loopback(host) is private
