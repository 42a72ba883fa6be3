"""A store file that is sound as a file, but whose rows no box has written: the box starts and can be played."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from device.store import Store
from device.table.saves import Append, Begin, Finish
from tests.faults.rig import Box
from tests.store.games import NOW, alone, outcome

DEEP = '{"a":' + "[" * 200_000 + "]" * 200_000 + "}"

Write = Callable[[sqlite3.Connection], object]


def sealed(text: str) -> tuple[str, int]:
    return text, zlib.crc32(text.encode())


def head(**changes: Any) -> Write:
    """The head of the running match with these changes."""

    def write(db: sqlite3.Connection) -> None:
        (text,) = db.execute("SELECT text FROM head").fetchone()
        db.execute("UPDATE head SET text = ?, seal = ?", sealed(json.dumps({**json.loads(text), **changes})))

    return write


def row(table: str, text: str) -> Write:
    return lambda db: db.execute(f"UPDATE {table} SET text = ?, seal = ?", sealed(text))


def sql(statement: str, *values: Any) -> Write:
    return lambda db: db.execute(statement, values)


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(head(players="red"), id="players are a text"),
        pytest.param(head(players=["red", "red"]), id="the same player twice"),
        pytest.param(head(names=["Anna"]), id="names are a list"),
        pytest.param(head(glass=float("inf")), id="an endless glass"),
        pytest.param(head(glass=None), id="no glass"),
        pytest.param(head(edition="../../etc/passwd"), id="an edition that is a path"),
        pytest.param(head(edition_name="x" * 100_000), id="a name without end"),
        pytest.param(head(kind="alone"), id="alone without a goal"),
        pytest.param(head(kind="alone", goal={"kind": "tasks", "number": 10**30}), id="a goal nobody reaches"),
        pytest.param(row("head", "[]"), id="the head is a list"),
        pytest.param(row("head", DEEP), id="the head is deep"),
        pytest.param(row("mark", DEEP), id="the mark is deep"),
        pytest.param(row("mark", '{"played":NaN}'), id="play stands at no number"),
        pytest.param(row("mark", '{"played":-5}'), id="play stands before its beginning"),
        pytest.param(row("event", '{"event":"roll","player":"red","lines":[99]}'), id="a die with 99 eyes"),
        pytest.param(row("event", '{"event":["roll"]}'), id="an event that is a list"),
        pytest.param(sql("INSERT INTO setting VALUES ('edition', '\"nothing\"')"), id="an edition nobody knows"),
        pytest.param(sql("INSERT INTO setting VALUES ('glass_seconds', '1e999')"), id="a glass of infinity"),
        pytest.param(sql("INSERT INTO setting VALUES ('pins.buttons', '[1,2,3,4]')"), id="pins are set on the box"),
        pytest.param(sql("INSERT INTO setting VALUES ('x', ?)", DEEP), id="a setting is deep"),
        pytest.param(sql("INSERT INTO setting VALUES ('x', ?)", b"\xff\xfe"), id="a setting is no text"),
        pytest.param(sql("INSERT INTO error VALUES (1, ?, ?)", b"\xff", b"\xff"), id="the last error is no text"),
        pytest.param(sql("UPDATE match SET outcome = '{}'"), id="a past match is empty"),
        pytest.param(sql("UPDATE match SET outcome = ?", DEEP), id="a past match is deep"),
        pytest.param(sql("UPDATE match SET outcome = 5"), id="a past match is a number"),
    ],
)
def test_the_box_starts_and_a_match_can_be_played(tmp_path: Path, write: Write) -> None:
    path = tmp_path / "box.sqlite"
    with Box(path) as box:
        box.to_race()
        box.press(1)
        box.wait("claim")
    store = Store(path)
    running = store.running()
    assert running is not None
    # With a match that is over, so that there is a past to read.
    store.save([Finish(outcome(rounds=1)), Begin(running.head), Append(running.events, running.mark)], NOW)
    store.close()
    with sqlite3.connect(path) as db:
        write(db)
    db.close()
    for _ in range(2):
        with Box(path) as box:
            if box.said[0].get("scene") == "resume" or box.of("scene")[-1]["scene"] == "resume":
                box.hold(2)
                box.wait("scene", scene="lobby")
            box.to_race()
            box.to_draw()
            assert not box.notices("error")
            box.hold(1, 2, 3)
            box.wait("scene", scene="menu")
            box.press(2, 2, 2, 2, 3)
            box.wait("scene", scene="lobby")
        assert box.dark


@pytest.mark.parametrize(
    ("write", "codes"),
    [
        pytest.param(row("head", DEEP), {"config": 0, "history": 0}, id="the head is deep"),
        pytest.param(sql("UPDATE head SET seal = seal + 1"), {"config": 0, "history": 0}, id="a flipped bit"),
        pytest.param(
            sql("INSERT INTO setting VALUES ('x', ?)", DEEP), {"config": 0, "history": 0}, id="a setting is deep"
        ),
        pytest.param(sql("UPDATE match SET outcome = ?", DEEP), {"config": 0, "history": 1}, id="a past match is deep"),
        pytest.param(sql("UPDATE match SET outcome = '[]'"), {"config": 0, "history": 1}, id="a past match is a list"),
    ],
)
def test_the_commands_say_it_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], write: Write, codes: dict[str, int]
) -> None:
    path = tmp_path / "box.sqlite"
    store = Store(path)
    store.save([Finish(outcome(rounds=1)), Begin({"kind": "match"})], NOW)
    store.close()
    with sqlite3.connect(path) as db:
        write(db)
    db.close()
    for command, code in codes.items():
        assert main([command, "--store", str(path)]) == code
        complaint = capsys.readouterr().err
        assert complaint.count("\n") <= 1
        assert "Traceback" not in complaint


def match_with(**changes: Any) -> Write:
    return lambda db: db.execute("UPDATE match SET outcome = ?", (json.dumps(outcome(**changes)),))


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(match_with(ranking=5), id="a ranking that is a number"),
        pytest.param(match_with(ranking=[5]), id="ranks that are numbers"),
        pytest.param(match_with(goal={"kind": "minutes"}), id="a goal without its number"),
        pytest.param(match_with(goal={"number": 5}), id="a goal of nothing"),
        pytest.param(match_with(solves=[{"player": "red"}]), id="a solve of no round"),
        pytest.param(sql("UPDATE match SET outcome = ?", b"\xff"), id="a match that is no text"),
        pytest.param(sql("UPDATE tally SET fastest = 9e999"), id="a tally's time is endless"),
        pytest.param(sql("UPDATE tally SET wins = 'many'"), id="a tally of words"),
        pytest.param(sql("UPDATE record SET value = 9e999"), id="a record is endless"),
        pytest.param(sql("UPDATE record SET value = 'best'"), id="a record in words"),
        pytest.param(sql("UPDATE record SET number = x'00'"), id="a record's number is no number"),
        pytest.param(sql("DROP TABLE tally"), id="no tallies"),
        pytest.param(sql("DROP TABLE record"), id="no records"),
        pytest.param(sql("DROP TABLE match"), id="no matches"),
    ],
)
def test_every_form_of_the_history_is_a_table_or_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], write: Write
) -> None:
    path = tmp_path / "box.sqlite"
    store = Store(path)
    store.save([Finish(outcome(rounds=1)), Finish(alone("minutes", 10, 12, 600.0))], NOW)
    store.close()
    with sqlite3.connect(path) as db:
        write(db)
    db.close()
    codes = set()
    for what in ([], ["--players"], ["--records"]):
        for form in ([], ["--json"], ["--csv"]):
            code = main(["history", "--store", str(path), *what, *form])
            errors = capsys.readouterr().err
            assert errors == ("" if code == 0 else f"ubongo-box: {path} is damaged\n")
            codes.add(code)
    assert codes == {0, 1}, "it is met where it is asked for, and hides nothing else"
