"""The simulator's page and socket: what they show, whom they let in, and what they answer to nonsense."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise

import pytest
from websockets.exceptions import ConnectionClosed

from device.simulator import server as server_module
from device.simulator.fingers import SHORTEST
from device.simulator.server import MAX_CONNECTIONS, MAX_PAGES
from tests.simulator.rig import PATIENCE, Page, Rig


@pytest.fixture
def rig() -> Iterator[Rig]:
    with Rig() as rig:
        yield rig


def lamps_of(rig: Rig, page: Page, lit: set[int]) -> None:
    rig.board.lamps.show(frozenset(lit), frozenset(), 0.0)
    page.until(lambda page: page.state.get("lamps") == [1.0 if b in lit else 0.0 for b in (1, 2, 3, 4)])


# What a page is shown


def test_a_new_page_is_told_everything_at_once(rig: Rig) -> None:
    rig.board.lamps.show(frozenset({2}), frozenset(), 0.0)
    rig.oled.contrast(99)
    picture = rig.show(7)
    rig.server.tell({"what": "scene", "scene": "lobby"})
    page = rig.page()
    page.until(lambda page: bool(page.pictures))
    assert page.pictures == [picture]
    assert page.state == {
        "language": "en",
        "names": {"red": "Anna"},
        "lamps": [0.0, 1.0, 0.0, 0.0],
        "down": [],
        "tone": None,
        "brightness": 99,
        "scene": "lobby",
    }


def test_lamps_tones_pictures_and_transcript_are_pushed(rig: Rig) -> None:
    page = rig.page()
    lamps_of(rig, page, {1, 4})
    lamps_of(rig, page, set())

    due = rig.board.buzzer.play("claim", 0.0)
    page.until(lambda page: page.state.get("tone") is not None)
    assert page.state["tone"] > 100
    assert due is not None
    rig.board.buzzer.silence()
    page.until(lambda page: page.state["tone"] is None)

    picture = rig.show(3)
    page.until(lambda page: page.pictures[-1] == picture)
    rig.oled.sleep()
    page.until(lambda page: page.state["brightness"] == 0)

    told = [{"what": "gem", "player": "red"}, {"what": "scene", "scene": "scores"}, {"what": "joined", "player": "red"}]
    for event in told:
        rig.server.tell(event)
    page.until(lambda page: page.events == told)
    assert page.state["scene"] == "scores"


def test_a_language_chosen_on_the_box_comes_with_its_first_picture(rig: Rig) -> None:
    page, spoken = rig.page(), ["en"]
    rig.front.speak(lambda: spoken[0])
    rig.show(1)
    page.until(lambda page: len(page.pictures) == 2)
    spoken[0] = "fr"
    picture = rig.show(2)
    page.until(lambda page: page.pictures[-1] == picture)
    assert page.state["language"] == "fr"
    late = rig.page()
    late.until(lambda page: bool(page.pictures))
    assert late.state["language"] == "fr"


def test_every_note_of_a_tune_is_heard(rig: Rig) -> None:
    page = rig.page()
    due = rig.board.buzzer.play("final", 0.0)
    heard = []
    while due is not None:
        page.until(lambda page: page.state.get("tone", 0) == rig.front.state()["tone"])
        heard.append(page.state["tone"])
        due = rig.board.buzzer.beat(due)
    page.until(lambda page: page.state["tone"] is None)
    assert len({tone for tone in heard if tone}) > 1


def test_a_page_that_does_not_draw_gets_the_newest_picture_and_none_between(rig: Rig) -> None:
    slow, fast = rig.page(draws=False), rig.page()
    slow.until(lambda page: len(page.pictures) == 1)
    for value in range(100):
        newest = rig.show(value)
        fast.until(lambda page, wanted=newest: page.pictures[-1:] == [wanted])  # type: ignore[misc]
    slow.say("seen")
    slow.until(lambda page: len(page.pictures) == 2)
    assert slow.pictures[1] == newest


# What a page does


def test_presses_reach_the_pins_one_edge_each(rig: Rig) -> None:
    page = rig.page()
    for message in ("down 1", "down 3", "down 1", "up 2"):
        page.say(message)
    assert rig.pressed(2) == [(1, True), (3, True)]
    page.until(lambda page: page.state.get("down") == [1, 3])
    for message in ("up 1", "up 1", "up 3"):
        page.say(message)
    assert sorted(rig.pressed(2)) == [(1, False), (3, False)]
    page.until(lambda page: page.state.get("down") == [])
    assert rig.edges.empty()


def test_a_button_is_down_until_the_last_page_lets_go(rig: Rig) -> None:
    one, other = rig.page(), rig.page()
    one.say("down 2")
    assert rig.pressed(1) == [(2, True)]
    other.say("down 2")
    other.until(lambda page: page.state.get("down") == [2])
    other.say("down 4")
    assert rig.pressed(1) == [(4, True)]
    one.say("up 2")
    one.say("down 1")
    assert rig.pressed(1) == [(1, True)]
    assert rig.board.levels() == (True, True, False, True)
    other.say("up 2")
    assert rig.pressed(1) == [(2, False)]


def test_taps_that_arrive_all_at_once_are_taps_all_the_same(rig: Rig) -> None:
    page = rig.page()
    for message in ("down 1", "up 1", "down 1", "up 1", "down 2", "up 2"):
        page.say(message)
    edges = [rig.edges.get(timeout=PATIENCE) for _ in range(6)]
    ones = [edge for edge in edges if edge.button == 1]
    assert [edge.down for edge in ones] == [True, False, True, False]
    # The box takes what is shorter for noise.
    assert all(later.stamp - earlier.stamp >= SHORTEST for earlier, later in pairwise(ones))
    # Nobody waits for another one's button.
    assert [(edge.button, edge.down) for edge in edges[:2]] == [(1, True), (2, True)]


def test_a_storm_of_taps_ends_where_the_finger_is(rig: Rig) -> None:
    page = rig.page()
    for _ in range(200):
        page.say("down 3")
        page.say("up 3")
    page.say("down 3")
    page.say("down 4")
    edges = []
    while (4, True) not in edges:
        edges += rig.pressed(1)
    page.until(lambda page: page.state.get("down") == [3, 4])
    page.say("up 3")
    while not rig.edges.empty() or rig.board.levels()[2]:
        edges += rig.pressed(1)
    threes = [down for button, down in edges if button == 3]
    assert threes == [True, False] * (len(threes) // 2)
    assert len(threes) < 100


@pytest.mark.parametrize("how", [pytest.param("close", id="closed"), pytest.param("cut", id="connection cut")])
def test_a_page_that_goes_lets_go(rig: Rig, how: str) -> None:
    page, witness = rig.page(), rig.page()
    page.say("down 1")
    page.say("down 4")
    assert rig.pressed(2) == [(1, True), (4, True)]
    if how == "close":
        page.socket.close()
    else:
        page.socket.socket.shutdown(socket.SHUT_RDWR)
    assert sorted(rig.pressed(2)) == [(1, False), (4, False)]
    witness.until(lambda page: page.state.get("down") == [])


# Who may come in


PAGE_NAMES = ["", "style.css", "page.js", "oled.js", "sound.js", "words.js", "icon.svg", "wood.svg"]


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_the_page_and_its_parts_are_served(rig: Rig, name: str) -> None:
    answer = rig.get(f"/{name}", {"Host": f"localhost:{rig.door.port}"})
    body = answer.read()
    assert (answer.status, body) == (
        200,
        (resources.files("device.simulator") / "page" / (name or "index.html")).read_bytes(),
    )
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none';")
    assert answer.headers["Cache-Control"] == "no-store"


def test_all_that_lies_in_the_page_folder_is_served_and_asks_for_nothing_from_elsewhere() -> None:
    folder = resources.files("device.simulator") / "page"
    assert {file.name for file in folder.iterdir()} == {name or "index.html" for name in PAGE_NAMES}
    for file in folder.iterdir():
        foreign = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"')]*", file.read_text("utf-8")))
        assert foreign <= {"http://www.w3.org/2000/svg"}, file.name


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        pytest.param("/nothing", "GET", 404, id="unknown"),
        pytest.param("/../server.py", "GET", 404, id="out of the folder"),
        pytest.param("/%2e%2e/server.py", "GET", 404, id="out of the folder, escaped"),
        pytest.param("//style.css", "GET", 404, id="two slashes"),
        pytest.param("/style.css?x=1", "GET", 200, id="a query"),
    ],
)
def test_other_paths(rig: Rig, path: str, method: str, status: int) -> None:
    assert rig.get(path, {"Host": "localhost"}, method=method).status == status


UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        pytest.param("127.0.0.1:{port}", "http://127.0.0.1:{port}", 101, id="own page"),
        pytest.param("localhost:{port}", "http://localhost:{port}", 101, id="own page by name"),
        pytest.param("[::1]:{port}", "http://[::1]:{port}", 101, id="own page, IPv6"),
        pytest.param("localhost:9000", "http://localhost:9000", 101, id="through a tunnel"),
        pytest.param("127.0.0.1:{port}", "http://evil.example", 403, id="foreign page"),
        pytest.param("127.0.0.1:{port}", "http://localhost:{port}", 403, id="page of another name of ours"),
        pytest.param("127.0.0.1:{port}", "http://127.0.0.1:1", 403, id="page of another port"),
        pytest.param("127.0.0.1:{port}", "https://127.0.0.1:{port}", 403, id="another scheme"),
        pytest.param("127.0.0.1:{port}", "http://127.0.0.1:{port}.evil.example", 403, id="a longer name"),
        pytest.param("127.0.0.1:{port}", "null", 403, id="a file or a sandboxed frame"),
        pytest.param("127.0.0.1:{port}", None, 403, id="no page at all"),
        pytest.param("evil.example:{port}", "http://evil.example:{port}", 421, id="rebound name"),
        pytest.param("localhost.evil.example", "http://localhost.evil.example", 421, id="name that begins like ours"),
        pytest.param("192.168.1.5:{port}", "http://192.168.1.5:{port}", 421, id="address that is not told"),
        pytest.param("127.0.0.1@evil.example", "http://127.0.0.1@evil.example", 421, id="credentials in the name"),
        pytest.param("", "http://", 421, id="empty name"),
        pytest.param(None, "http://127.0.0.1", 421, id="no name"),
    ],
)
def test_only_the_own_page_gets_a_socket(rig: Rig, host: str | None, origin: str | None, status: int) -> None:
    headers = dict(UPGRADE)
    for name, value in (("Host", host), ("Origin", origin)):
        if value is not None:
            headers[name] = value.format(port=rig.door.port)
    assert rig.get("/socket", headers).status == status


@pytest.mark.parametrize(
    "host", [pytest.param("evil.example", id="rebound"), pytest.param("evil.example:80", id="with port")]
)
def test_the_page_itself_is_not_shown_under_a_foreign_name(rig: Rig, host: str) -> None:
    answer = rig.get("/", {"Host": host})
    assert (answer.status, b"<html" in answer.read()) == (421, False)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        pytest.param("", 1003, id="nothing"),
        pytest.param("down", 1003, id="no button"),
        pytest.param("down 0", 1003, id="button 0"),
        pytest.param("down 5", 1003, id="button 5"),
        pytest.param("down 11", 1003, id="two digits"),
        pytest.param("down \u0661", 1003, id="another script's digit"),
        pytest.param("DOWN 1", 1003, id="capitals"),
        pytest.param(" down 1", 1003, id="a blank before"),
        pytest.param("down 1\n", 1003, id="a line end"),
        pytest.param('{"down": 1}', 1003, id="JSON"),
        pytest.param(b"down 1", 1003, id="binary"),
        pytest.param("down 1" + " " * 11, 1009, id="a little too long"),
        pytest.param("x" * 1_000_000, 1009, id="a million bytes"),
    ],
)
def test_nonsense_ends_that_page_only(
    rig: Rig, capfd: pytest.CaptureFixture[str], message: str | bytes, code: int
) -> None:
    good, bad = rig.page(), rig.page()
    # A large message may be refused before it was sent to its end; then the code comes with the next reading.
    with contextlib.suppress(ConnectionClosed):
        bad.say(message)
    with pytest.raises(ConnectionClosed) as closed:
        bad.until(lambda _: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code
    good.say("down 2")
    assert rig.pressed(1) == [(2, True)]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "garbage",
    [
        pytest.param(b"\x00\xff" * 500, id="binary"),
        pytest.param(b"GET / HTTP/9.9\r\n\r\n", id="unknown version"),
        pytest.param(b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n", id="endless path"),
        pytest.param(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 1_000 + b"\r\n", id="a thousand headers"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", id="two hosts"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", id="huge body"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", id="chunked"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", id="another method"),
    ],
)
def test_garbage_is_answered_with_an_error_or_nothing(
    rig: Rig, capfd: pytest.CaptureFixture[str], garbage: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", rig.door.port), PATIENCE) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(garbage)
            line.shutdown(socket.SHUT_WR)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while part := line.recv(65536):
                answer += part
    assert b" 200 " not in answer.partition(b"\r\n")[0]
    assert rig.get("/", {"Host": "localhost"}).status == 200
    assert capfd.readouterr() == ("", "")


def test_one_page_too_many_is_told_so_and_the_next_one_fits_when_one_goes(rig: Rig) -> None:
    pages = [rig.page() for _ in range(MAX_PAGES)]
    for page in pages:
        page.until(lambda page: bool(page.pictures))
    with pytest.raises(ConnectionClosed) as closed:
        rig.page().hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013
    pages[0].say("down 1")
    assert rig.pressed(1) == [(1, True)]
    pages[0].socket.close()
    # The button is let go in the same breath in which the place becomes free.
    assert rig.pressed(1) == [(1, False)]
    rig.page().hear()


def test_a_thousand_connections_leave_room_for_the_page_that_plays(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    page = rig.page()
    with contextlib.ExitStack() as lines:
        for _ in range(1_000):
            with contextlib.suppress(ConnectionError):
                lines.enter_context(socket.create_connection(("127.0.0.1", rig.door.port), PATIENCE))
        page.say("down 1")
        assert rig.pressed(1) == [(1, True)]
    page.say("up 1")
    assert rig.pressed(1) == [(1, False)]
    lamps_of(rig, page, {3})
    assert capfd.readouterr() == ("", "")
    assert MAX_CONNECTIONS > MAX_PAGES


def test_a_page_is_told_that_the_program_lives_though_nothing_moves(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "HEARTBEAT", 0.01)
    rig.page().until(lambda page: page.state.get("alive") is True)


def test_the_end_is_said_to_every_page(rig: Rig) -> None:
    pages = [rig.page() for _ in range(3)]
    rig.stop()
    for page in pages:
        with pytest.raises(ConnectionClosed) as closed:
            page.until(lambda _: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
    # The box outlives its server, and its pins have nobody to tell.
    rig.board.lamps.show(frozenset({1}), frozenset(), 0.0)
