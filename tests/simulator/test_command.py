"""The command around the page: what it says, how it ends, and one line for each way in which it can't begin."""

from __future__ import annotations

import signal
import socket
import urllib.request
from pathlib import Path

import pytest

from tests.simulator.program import Program, failing, held_port


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_says_where_it_is_and_ends_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with Program(tmp_path / "s.sqlite") as program:
        assert program.first_line == f"The box is at http://127.0.0.1:{program.port}/ (Ctrl-C ends it)\n"
        with urllib.request.urlopen(program.address) as page:
            assert b"<canvas" in page.read()
        assert program.end(number) == (0, "", "")


def test_it_says_that_others_may_come_in_when_they_may(tmp_path: Path) -> None:
    with Program(tmp_path / "s.sqlite", "--host", "0.0.0.0") as program:
        assert program.first_line.endswith("/, for everybody on this network to see and to press (Ctrl-C ends it)\n")
        assert program.end() == (0, "", "")


def test_a_busy_port_is_one_line_and_leaves_the_other_program_alone(tmp_path: Path) -> None:
    with Program(tmp_path / "one.sqlite") as first:
        code, out, errors = failing("--port", str(first.port), "--store", str(tmp_path / "other.sqlite"))
        assert (code, out) == (2, "")
        assert errors == (
            f"ubongo-box: port {first.port} is in use (another simulator, or another program);"
            " choose another with --port N\n"
        )
        assert first.running
        assert first.end() == (0, "", "")


def test_a_second_copy_on_the_same_store_is_one_line_and_leaves_the_first_alone(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    with Program(store) as first:
        code, out, errors = failing("--port", "0", "--store", str(store))
        assert (code != 0, out, errors.count("\n")) == (True, "", 1)
        assert errors.startswith("ubongo-box: ")
        assert str(store) in errors
        assert first.end() == (0, "", "")


def test_a_wrong_config_is_one_line(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("glass_seconds = 2\n")
    code, out, errors = failing("--port", "0", "--store", str(tmp_path / "s.sqlite"), "--config", str(config))
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert "glass_seconds" in errors


def test_its_port_is_free_again_at_once(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    with held_port() as port:
        with Program(store, port=port) as first, socket.create_connection(("127.0.0.1", port)):
            assert first.end() == (0, "", "")
        with Program(store, port=port) as again:
            assert again.end() == (0, "", "")
