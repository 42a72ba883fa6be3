"""What `history` prints: a table for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from device.store import Store
from device.table.saves import Finish
from tests.store.games import LATER, NOW, alone, outcome

NIGHT = "2026-07-04T19:30:00"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "box.sqlite"
    kept = Store(path)
    kept.save([Finish(outcome())], NOW)
    kept.save([Finish(outcome(unfinished=True, rounds=2, wins=["red"], names={}, solves=[]))], LATER)
    kept.save([Finish(alone("minutes", 10, 12, 600.0))], NIGHT)
    kept.save([Finish(outcome(edition="lines", edition_name="Lines", side="", wins=["red", "blue"]))], NIGHT)
    kept.save([Finish(outcome(kind="counted", solves=[], races={}, rounds=0))], NIGHT)
    kept.close()
    return path


def said(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    assert main(["history", *map(str, args)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_the_newest_evenings_first(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--store", store).splitlines() == [
        "when              edition   winner                  points",
        "2026-07-04 19:30  Ubongo A  Anna                    Anna 14, Ben 7 (counted)",
        "2026-07-04 19:30  Lines     Anna, Ben               Anna 14, Ben 7",
        "2026-07-04 19:30  Ubongo A                          Ben alone: 12 solved in 10:00 (goal: 10 minutes)",
        "2026-07-03 21:02  Ubongo A  (unfinished, 2 rounds)  red 14, blue 7",
        "2026-07-03 20:15  Ubongo A  Anna                    Anna 14, Ben 7",
    ]


def test_a_limit_counts_from_the_newest(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(said(capsys, "--store", store, "--limit", 2).splitlines()) == 3
    assert len(said(capsys, "--store", store, "--limit", 0).splitlines()) == 6
    assert [match["id"] for match in json.loads(said(capsys, "--store", store, "--json", "--limit", 2))] == [5, 4]


def test_json_gives_back_what_was_kept(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matches = json.loads(said(capsys, "--store", store, "--json"))
    assert [match["id"] for match in matches] == [5, 4, 3, 2, 1]
    assert matches[-1] == {"id": 1, "when": NOW, **outcome()}


def test_csv_has_a_line_a_player(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--store", store, "--csv"))))
    assert [(row["id"], row["player"]) for row in rows] == [
        *(("5", "red"), ("5", "blue"), ("4", "red"), ("4", "blue"), ("3", "blue")),
        *(("2", "red"), ("2", "blue"), ("1", "red"), ("1", "blue")),
    ]
    assert rows[-1] == {
        "id": "1",
        "when": NOW,
        "edition": "classic",
        "side": "A",
        "scoring": "track",
        "kind": "match",
        "unfinished": "0",
        "rounds": "3",
        "player": "blue",
        "name": "Ben",
        "points": "7",
        "unit": "points",
        "rank": "2",
        "winner": "0",
        "solved": "1",
        "races": "3",
        "fastest": "40.0",
        "ruby": "1",
        "sapphire": "1",
        "emerald": "0",
        "amber": "0",
        "goal": "",
        "seconds": "",
    }
    assert (rows[4]["goal"], rows[4]["solved"], rows[4]["seconds"]) == ("10 minutes", "12", "600.0")
    assert (rows[5]["unfinished"], rows[5]["winner"], rows[5]["name"]) == ("1", "0", "red")
    assert [row["winner"] for row in rows[2:4]] == ["1", "1"], "a shared win"


def test_players(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "--store", store, "--players").splitlines()
    table = [" ".join(line.split()) for line in lines[1:]]
    assert lines[0].split() == [
        *("player", "edition", "matches", "wins", "solved", "of", "rate", "firsts", "fastest", "mean"),
        *("longest", "run", "rubies", "sapphires", "emeralds", "ambers", "alone", "tasks"),
    ]
    assert table == [
        "Anna all 3 3 4 6 67% 4 18.2 s 19.9 s 2 6 6 0 0 0 0",
        "Anna classic 2 2 2 3 67% 2 18.2 s 19.9 s 2 4 4 0 0 0 0",
        "Anna lines 1 1 2 3 67% 2 18.2 s 19.9 s 2 2 2 0 0 0 0",
        "Ben all 3 1 2 6 33% 2 40.0 s 40.0 s 1 3 3 0 0 1 12",
        "Ben classic 2 0 1 3 33% 1 40.0 s 40.0 s 1 2 2 0 0 1 12",
        "Ben lines 1 1 1 3 33% 1 40.0 s 40.0 s 1 1 1 0 0 0 0",
        "blue classic 0 0 0 3 0% 0 - - 0 0 0 0 0 0 0",
        "red classic 0 0 0 3 0% 0 - - 0 0 0 0 0 0 0",
    ]
    players = json.loads(said(capsys, "--store", store, "--players", "--json"))
    assert [(p["name"], p["edition"], p["matches"]) for p in players][:2] == [
        ("Anna", "classic", 2),
        ("Anna", "lines", 1),
    ]
    assert players[0]["rate"] == pytest.approx(2 / 3)
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--store", store, "--players", "--csv"))))
    assert [row["tasks"] for row in rows] == ["0", "0", "12", "0", "0", "0"]


def test_records(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--store", store, "--records").splitlines() == [
        "edition    record                   best      player  when",
        "classic A  alone, 10 minutes        12 tasks  Ben     2026-07-04 19:30",
        "classic A  most in a match (track)  14        Anna    2026-07-03 20:15",
        "classic A  fastest solve            18.2 s    Anna    2026-07-03 20:15",
        "lines      most in a match (track)  14        Anna    2026-07-04 19:30",
        "lines      fastest solve            18.2 s    Anna    2026-07-04 19:30",
    ]
    assert json.loads(said(capsys, "--store", store, "--records", "--json"))[0] == {
        "edition": "classic",
        "side": "A",
        "what": "minutes",
        "number": 10,
        "scoring": "",
        "value": 12.0,
        "name": "Ben",
        "when": NIGHT,
    }


def test_a_long_history_is_printed_page_by_page_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "box.sqlite"
    kept = Store(path)
    kept.save([Finish(outcome(scores={"red": n, "blue": 0})) for n in range(450)], NOW)
    kept.close()
    lines = said(capsys, "--store", path, "--limit", 0).splitlines()
    assert [int(line.split("Anna ")[2].split(",")[0]) for line in lines[1:]] == list(range(449, -1, -1))


def test_history_while_the_box_plays(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    box = Store(store)
    box.save([Finish(outcome())], LATER)
    assert len(json.loads(said(capsys, "--store", store, "--json"))) == 6
    box.close()


@pytest.mark.parametrize(
    ("args", "out"),
    [
        pytest.param([], "There is nothing yet.\n", id="table"),
        pytest.param(["--json"], "[]\n", id="json"),
        pytest.param(["--players"], "There is nothing yet.\n", id="players"),
        pytest.param(["--records", "--json"], "[]\n", id="records"),
    ],
)
def test_before_the_first_evening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], out: str
) -> None:
    Store(tmp_path / "box.sqlite").close()
    assert said(capsys, "--store", tmp_path / "box.sqlite", *args) == out


def test_without_any_store_there_is_nothing_and_none_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert said(capsys) == f"There is nothing yet: {tmp_path}/ubongo-box.sqlite is not there.\n"
    assert said(capsys, "--json") == "[]\n"
    assert list(tmp_path.iterdir()) == []


BAD_STORES: list[Any] = [
    pytest.param(lambda path: path.parent, 2, "{p}: there is no such store: check --store", id="not there"),
    pytest.param(lambda p: p.mkdir(), 1, "{p}: can't be read: Is a directory", id="directory"),
    pytest.param(lambda p: p.write_text("x" * 200), 1, "{p} is not a store of this program", id="text"),
    pytest.param(os.mkfifo, 1, "{p}: can't be read: it is a FIFO", id="FIFO"),
    pytest.param(lambda p: p.write_bytes(b""), 1, "{p} is empty", id="empty"),
]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Zoé", id="accent"),
        pytest.param("Zoe\u0301", id="accent of its own"),
        pytest.param("健太", id="two columns a letter"),
    ],
)
def test_columns_stand_one_under_the_other_whatever_the_letters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    columns = {"Zoé": 3, "Zoe\u0301": 3, "健太": 4}[name]
    kept = Store(tmp_path / "box.sqlite")
    kept.save(
        [Finish(outcome(names={"red": "Anna Lena", "blue": name}, wins=[winner])) for winner in ("red", "blue")], NOW
    )
    kept.close()
    _, second, first = said(capsys, "--store", tmp_path / "box.sqlite").splitlines()
    before = "2026-07-03 20:15  Ubongo A  "
    assert first == f"{before}Anna Lena  Anna Lena 14, {name} 7"
    assert second == f"{before}{name}{' ' * (9 - columns)}  Anna Lena 14, {name} 7"


def test_one_endless_name_does_not_push_the_rest_out_of_sight(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = Store(tmp_path / "box.sqlite")
    kept.save([Finish(outcome(edition_name="x" * 100_000))], NOW)
    kept.close()
    lines = said(capsys, "--store", tmp_path / "box.sqlite").splitlines()
    assert max(map(len, lines)) < 250
    assert "xxx…  Anna " in lines[1]


@pytest.mark.parametrize(("make", "code", "line"), BAD_STORES)
def test_a_store_that_can_not_be_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Any, code: int, line: str
) -> None:
    path = tmp_path / "other.sqlite"
    make(path)
    assert main(["history", "--store", str(path)]) == code
    assert capsys.readouterr() == ("", f"ubongo-box: {line.format(p=path)}\n")


def test_a_name_from_elsewhere_does_not_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = Store(tmp_path / "box.sqlite")
    kept.save([Finish(outcome(names={"red": "\x1b[2J"}))], NOW)
    kept.close()
    assert "\x1b" not in said(capsys, "--store", tmp_path / "box.sqlite")
    assert "?[2J" in said(capsys, "--store", tmp_path / "box.sqlite")
