"""Notes of the command `config`: settings an edition has no use for, letters the display cannot draw."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from device.cli import main
from device.config import load
from device.config_keys import KEYS
from device.config_notes import notes
from device.game import editions

WITHOUT_EFFECT = [
    pytest.param("duel", "glass_seconds = 60", "glass_seconds = 60", "it has no glass", id="duel: a glass"),
    pytest.param("duel", "handicap.blue = 5", "handicap.blue = 5", "it has no glass", id="duel: seconds off"),
    pytest.param("duel", 'bag = "cloth"', 'bag = "cloth"', "no gem is drawn from a bag", id="duel: a bag"),
    pytest.param(
        "extreme", 'scoring = "no-luck"', 'scoring = "no-luck"', "it has no variant without luck", id="extreme: no luck"
    ),
    pytest.param("lines", 'side = "B"', 'side = "B"', "its tasks have no sides", id="lines: a side"),
    pytest.param(
        "lines", 'glass_start = "ready"', 'glass_start = "ready"', "no roll comes before its glass", id="lines: a start"
    ),
    pytest.param("classic", 'cards = "first-only"', 'cards = "first-only"', "no cards are won", id="classic: cards"),
    pytest.param("classic", 'levels.red = "orange"', 'levels.red = "orange"', "it has no levels", id="classic: levels"),
    pytest.param(
        "3d",
        'symbols = ["hand", "shield", "gazelle", "snake", "elephant", "mask"]',
        'symbols = ["hand", "shield", "gazelle", "snake", "elephant", "mask"]',
        "its die shows others",
        id="3d: symbols",
    ),
    pytest.param(
        "classic",
        'scoring = "no-luck"\nbag = "cloth"',
        'bag = "cloth"',
        "no gem is drawn from a bag",
        id="no luck: bag",
    ),
]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "box.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(("edition", "text", "key", "why"), WITHOUT_EFFECT)
def test_what_an_edition_has_no_use_for_is_said(tmp_path: Path, edition: str, text: str, key: str, why: str) -> None:
    effective = load(written(tmp_path, f'edition = "{edition}"\n{text}\n'))
    assert notes(effective) == (f'{key} has no effect with edition "{edition}": {why}',)
    assert effective.warnings == ()


WITH_EFFECT = [
    pytest.param("classic", 'side = "B"\nscoring = "no-luck"\nglass_seconds = 45\nhandicap.red = 5', id="classic"),
    pytest.param("classic", 'bag = "cloth"\nglass_start = "ready"', id="classic: the bag"),
    pytest.param("lines", 'scoring = "no-luck"\nlevels.red = "red"\nglass_seconds = 45', id="lines"),
    pytest.param("extreme-fun-size", 'side = "B"\ncards = "first-only"\nglass_seconds = 25', id="fun size"),
    pytest.param("junior", 'bag = "cloth"', id="junior"),
    pytest.param("3d", 'levels.blue = "red"\nglass_start = "roll"', id="3d"),
]


@pytest.mark.parametrize(("edition", "text"), WITH_EFFECT)
def test_what_an_edition_uses_is_not_remarked_on(tmp_path: Path, edition: str, text: str) -> None:
    assert notes(load(written(tmp_path, f'edition = "{edition}"\n{text}\n'))) == ()


@pytest.mark.parametrize("edition", list(editions.Known(None, editions.load("classic", None))))
def test_a_file_that_spells_the_defaults_out_is_left_in_peace(tmp_path: Path, edition: str) -> None:
    plain = {k: s.default for k, s in KEYS.items() if isinstance(s.default, int | str) and k != "edition"}
    text = "\n".join(f"{key} = {json.dumps(value)}" for key, value in plain.items())
    assert notes(load(written(tmp_path, f'edition = "{edition}"\n{text}\n'))) == ()


NAMES = [
    pytest.param("Zoë", "", id="an accent"),
    pytest.param("Łukasz", "", id="a stroke"),
    pytest.param("Đorđe", "", id="two strokes"),
    pytest.param("Nguyễn", "", id="two marks on one letter"),
    pytest.param("Иван", "И в а н", id="another script"),
    pytest.param("雪雪子", "雪 子", id="each letter once"),
]


@pytest.mark.parametrize(("name", "letters"), NAMES)
def test_a_name_that_cannot_be_drawn_is_played_with_and_remarked_on(tmp_path: Path, name: str, letters: str) -> None:
    effective = load(written(tmp_path, f'players.green = "{name}"\n'))
    assert list(effective.config.players.values()) == [name]
    said = f"players.green: {name}: the display shows a box for each of {letters} (Latin letters are drawn)"
    assert notes(effective) == ((said,) if letters else ())


def test_the_command_prints_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, 'edition = "duel"\nglass_seconds = 60\nplayers.red = "雪"\n')
    where = ["config", "--config", str(file), "--store", str(tmp_path / "box.sqlite")]
    assert main(where) == 0
    out, err = capsys.readouterr()
    wanted = [
        'glass_seconds = 60 has no effect with edition "duel": it has no glass',
        "players.red: 雪: the display shows a box for each of 雪 (Latin letters are drawn)",
    ]
    assert [line for line in out.splitlines() if line.startswith("note: ")] == [f"note: {one}" for one in wanted]
    assert err == ""
    assert main([*where, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == wanted
