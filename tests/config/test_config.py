"""The config file: every key has its effect, every mistake is one line with file, line, key and what would be right."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device import config
from device.config import Config, DisplayConfig, GameNight
from device.config_keys import KEYS
from device.errors import UserError
from device.game import editions
from device.game.players import Player
from device.parts.oled import DisplaySettings
from device.parts.pins import DEFAULT_PINS, Pins


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "box.toml"
    path.write_text(text, encoding="utf-8")
    return path


def load(tmp_path: Path, text: str, **more: Any) -> config.Effective:
    return config.load(write(tmp_path, text), **more)


def test_without_a_file_everything_is_at_its_default(tmp_path: Path) -> None:
    effective = config.load(fallback=tmp_path / "none.toml")
    assert effective.config == Config()
    assert effective.config.pins == DEFAULT_PINS
    assert (effective.path, effective.folder, effective.warnings) == (None, None, ())
    assert set(effective.sources) == set(KEYS)
    assert {key for key, source in effective.sources.items() if source == "edition"} == {
        "glass_seconds",
        "glass_start",
    }


# One line of TOML, and the config that differs from the default by just that.
GOOD = [
    pytest.param('edition = "lines"', {"edition": "lines"}, id="edition"),
    pytest.param('side = "B"', {"side": "B"}, id="side"),
    pytest.param('scoring = "no-luck"', {"scoring": "no-luck"}, id="scoring"),
    pytest.param('bag = "cloth"', {"bag": "cloth"}, id="bag"),
    pytest.param('cards = "first-only"', {"cards": "first-only"}, id="cards"),
    pytest.param("glass_seconds = 5", {"glass_seconds": 5}, id="shortest glass"),
    pytest.param("glass_seconds = 600", {"glass_seconds": 600}, id="longest glass"),
    pytest.param('glass_start = "ready"', {"glass_start": "ready"}, id="glass_start"),
    pytest.param("sound = false", {"sound": False}, id="sound"),
    pytest.param("brightness = 1", {"brightness": 1}, id="brightness"),
    pytest.param('language = "fr"', {"language": "fr"}, id="language"),
    pytest.param(
        'symbols = ["mask", "shield", "hand", "gazelle", "snake", "elephant"]',
        {"symbols": ("mask", "shield", "hand", "gazelle", "snake", "elephant")},
        id="symbols",
    ),
    pytest.param(
        'players = { red = " Zoé ", yellow = "Äenne-Lou4" }',
        {"players": {Player.RED: "Zoé", Player.YELLOW: "Äenne-Lou4"}},
        id="players",
    ),
    pytest.param(
        '[players]\nred = "Zoe\u0301"', {"players": {Player.RED: "Zoé"}}, id="an accent in two characters is one letter"
    ),
    pytest.param(
        '[levels]\nblue = "orange"',
        {"levels": {Player.RED: "green", Player.BLUE: "orange", Player.GREEN: "green", Player.YELLOW: "green"}},
        id="levels",
    ),
    pytest.param(
        "handicap.blue = 60",
        {"handicap": {Player.RED: 0, Player.BLUE: 60, Player.GREEN: 0, Player.YELLOW: 0}},
        id="handicap of the whole glass",
    ),
    pytest.param("pins.buzzer = 12", {"pins": replace(DEFAULT_PINS, buzzer=12)}, id="buzzer"),
    pytest.param(
        "[pins]\nbuttons = [17, 27, 22, 23]\nlamps = [16, 19, 13, 26]",
        {"pins": Pins((17, 27, 22, 23), (16, 19, 13, 26), DEFAULT_PINS.buzzer)},
        id="buttons and lamps",
    ),
    pytest.param('pins.pin_factory = "mock"', {"pin_factory": "mock"}, id="pin factory"),
    pytest.param(
        '[display]\ndriver = "sh1106"\naddress = 0x3D\nrotate = 2\nport = 0',
        {"display": DisplayConfig(driver="sh1106", address=0x3D, rotate=2, port=0)},
        id="display",
    ),
    pytest.param(
        '[display]\ndriver = "ssd1309"\ninterface = "spi"\nport = 0\ndevice = 1',
        {"display": DisplayConfig(driver="ssd1309", interface="spi", port=0, device=1)},
        id="SPI display",
    ),
    pytest.param(
        '[game_night]\nday = "fri"\ntime = "7:05"', {"game_night": GameNight("fri", "07:05")}, id="game night"
    ),
    pytest.param(
        '[game_night]\nday = "fri"\ntime = 19:30:00', {"game_night": GameNight("fri", "19:30")}, id="a TOML time"
    ),
    pytest.param("\ufeffsound = false", {"sound": False}, id="saved by Notepad"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "changes"), GOOD)
def test_a_good_file(tmp_path: Path, text: str, changes: dict[str, Any]) -> None:
    effective = load(tmp_path, text)
    assert effective.config == replace(Config(), **changes)
    own = {key for key, source in effective.sources.items() if source == str(tmp_path / "box.toml")}
    assert {key.partition(".")[0] for key in own} <= {*changes, "pins"}
    assert own


# The text, and what is said after the file's path.
BAD = [
    pytest.param("\nside = 'C'", ":2: side: must be \"A\" or \"B\", not 'C'", id="side"),
    pytest.param("side = 1", ":1: side: must be \"A\" or \"B\", not 1", id="wrong kind"),
    pytest.param("glass_seconds = 4",
                 ":1: glass_seconds: must be a whole number from 5 to 600 seconds, or be left out for the edition's"
                 " own, not 4", id="glass too short"),
    pytest.param("glass_seconds = 60.0",
                 ":1: glass_seconds: must be a whole number from 5 to 600 seconds, or be left out for the edition's"
                 " own, not 60.0", id="not whole"),
    pytest.param("brightness = true", ":1: brightness: must be a whole number from 1 to 255, not true", id="bool"),
    pytest.param('sound = "on"', ":1: sound: must be true or false, not 'on'", id="sound"),
    pytest.param('language = "es"', ":1: language: must be \"en\" or \"fr\" or \"de\", not 'es'", id="language"),
    pytest.param("glas_seconds = 60", ":1: glas_seconds: there is no such key: did you mean glass_seconds?",
                 id="misspelt"),
    pytest.param("buttons = [1, 2, 3, 4]", ":1: buttons: there is no such key: did you mean pins.buttons?",
                 id="in no table"),
    pytest.param("[pins]\nbutons = [1]", ":2: pins.butons: there is no such key: did you mean pins.buttons?",
                 id="misspelt in a table"),
    pytest.param("[wifi]\nname = 'x'", ":1: wifi: there is no such key: `ubongo-box config` lists them all",
                 id="an unknown table"),
    pytest.param('players = "Anna"', ":1: players: must be a table of its own: a line [players], its keys below it",
                 id="no table"),
    pytest.param("[players]\npurple = 'Pat'", ":2: players.purple: there is no such key: did you mean players.red?",
                 id="a fifth colour"),
    pytest.param('[players]\nred = "Maximiliane"', ":2: players.red: must be a name of 1 to 10 letters, not"
                 " 'Maximiliane'", id="long name"),
    pytest.param('[players]\nred = "  "', ":2: players.red: must be a name of 1 to 10 letters, not ' '", id="no name"),
    pytest.param('[players]\nred = "a\\u001bb"', ":2: players.red: must be a name of 1 to 10 letters, not 'a\\x1bb'",
                 id="a name that steers a terminal"),
    pytest.param("[handicap]\nblue = 61",
                 ":2: handicap.blue: 61 seconds are more than the glass has (60): take fewer", id="handicap"),
    pytest.param("glass_seconds = 30\n[handicap]\nred = 10\nblue = 31",
                 ":4: handicap.blue: 31 seconds are more than the glass has (30): take fewer", id="and own glass"),
    pytest.param('symbols = ["shield", "hand"]',
                 ":1: symbols: must be these six in the order of your boards, top to bottom: shield, hand, gazelle,"
                 " snake, elephant, mask, not ['shield', 'hand']", id="symbols"),
    pytest.param("[pins]\nbuttons = [5, 6, 13]",
                 ":2: pins.buttons: must be four GPIO numbers (BCM), red, blue, green, yellow, as [5, 6, 13, 19], not"
                 " [5, 6, 13]", id="three buttons"),
    pytest.param("[pins]\nbuttons = [5, 6, 3, 19]",
                 ":2: pins.buttons: GPIO 3 belongs to the display's I2C bus (2 and 3)", id="SCL"),
    pytest.param("[pins]\nbuttons = [5, 6, 13, 13]",
                 ":2: pins.buttons: GPIO 13 is used twice (also in buttons)", id="a button twice"),
    pytest.param("[pins]\nbuttons = [5, 6, 13, 28]",
                 ":2: pins.buttons: GPIO 28 is not on the header: 4 to 27 are", id="no such pin"),
    pytest.param("[pins]\n\nlamps = [4, 27, 22, 23]", ":3: pins.lamps: GPIO 4 is pulled up at power-on, so it would be"
                 " on: take one of 9 to 27", id="a lamp that glows at power-on"),
    pytest.param("[pins]\nbuzzer = '18'", ":2: pins.buzzer: must be a GPIO number (BCM), as 18, not '18'", id="text"),
    pytest.param("pins = { buttons = [17, 6, 13, 19] }",
                 ":1: pins.buttons: leaves pins.lamps at its default, where GPIO 17 is used twice (also in buttons)",
                 id="a default that is taken"),
    pytest.param('[display]\ninterface = "spi"\n[pins]\nbuzzer = 24',
                 ":4: pins.buzzer: GPIO 24 belongs to the display's SPI bus", id="a pin of the SPI display"),
    pytest.param('[display]\naddress = "0x3C"', ":2: display.address: must be an I2C address from 0x08 to 0x77 without"
                 " quotes; displays have 0x3C or 0x3D, not '0x3C'", id="address in quotes"),
    pytest.param("[display]\nrotate = 180", ":2: display.rotate: must be 0, or 2 for a display that hangs upside down,"
                 " not 180", id="rotate"),
    pytest.param('[game_night]\nday = "fri"', ":2: game_night.day: needs game_night.time as well", id="only a day"),
    pytest.param('[game_night]\nday = "fri"\ntime = "24:00"', ":3: game_night.time: must be a time of day, as"
                 " \"19:30\", not '24:00'", id="24:00"),
    pytest.param("x = " + "[" * 5000, ": is nested too deeply for a config file", id="deep"),
    pytest.param("#" * 70000, ": is larger than 64 KiB: a config is a page of text", id="huge"),
    pytest.param("side = '" + "x" * 500 + "'", ":1: side: must be \"A\" or \"B\", not 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                 "xxxx...", id="a long value is cut"),
    pytest.param('"a\\nb" = 1', ": 'a\\nb': there is no such key: `ubongo-box config` lists them all",
                 id="a key of two lines"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), BAD)
def test_a_bad_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as told:
        load(tmp_path, text)
    assert str(told.value) == f"{tmp_path / 'box.toml'}{said}"
    assert told.value.code == 2


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("side = ", id="half a line"),
        pytest.param("side = 'A'\nside = 'B'", id="a key twice"),
        pytest.param("brightness = " + "9" * 5000, id="a number without end"),
    ],
)
def test_what_is_no_toml_is_said_in_the_words_of_its_parser(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"box\.toml: is not TOML: [A-Z]"):
        load(tmp_path, text)


def test_an_unknown_edition_names_the_ones_there_are(tmp_path: Path) -> None:
    with pytest.raises(UserError) as told:
        load(tmp_path, 'side = "A"\nedition = "clasic"')
    said = str(told.value)
    assert said.startswith(f"{tmp_path / 'box.toml'}:2: edition: 'clasic' is not known")
    assert "classic, lines" in said


HOSTILE: list[Any] = [
    pytest.param(lambda p: p.mkdir(), "is a directory: the config is a TOML file", id="directory"),
    pytest.param(os.mkfifo, "is no ordinary file: the config is a TOML file", id="named pipe"),
    pytest.param(lambda p: p.symlink_to(p), "can't be read: Too many levels of symbolic links", id="link to itself"),
    pytest.param(
        lambda p: p.symlink_to("/dev/zero"), "is no ordinary file: the config is a TOML file", id="endless device"
    ),
    pytest.param(
        lambda path: path.parent,
        "there is no such file: check --config, or leave it out for the defaults",
        id="not there",
    ),
    pytest.param(
        lambda p: p.write_bytes(b"side = 'A'\n# caf\xe9"), "is not UTF-8 text: save it as UTF-8", id="Latin-1"
    ),
    pytest.param(
        lambda p: p.write_bytes("side = 'A'".encode("utf-16")), "is not UTF-8 text: save it as UTF-8", id="UTF-16"
    ),
]


@pytest.mark.parametrize(("make", "said"), HOSTILE)
def test_a_hostile_file_is_one_line(tmp_path: Path, make: Callable[[Path], object], said: str) -> None:
    path = tmp_path / "box.toml"
    make(path)
    with pytest.raises(UserError) as told:
        config.load(path)
    assert str(told.value).startswith(f"{path}:")
    assert str(told.value).endswith(f" {said}")


def test_a_broken_link_in_etc_is_said_and_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "box.toml").symlink_to(tmp_path / "gone.toml")
    with pytest.raises(UserError, match="there is no such file"):
        config.load(fallback=tmp_path / "box.toml")


TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(sorted(KEYS)).flatmap(
    lambda key: st.one_of(
        st.integers().map(str),
        st.floats().map(str),
        st.sampled_from(["true", "[]", "{}", "'x'", "1979-05-27", "07:32:00"]),
    ).map(lambda value: f"{key} = {value}")
)  # fmt: skip


@given(st.lists(TEXTS, max_size=4))
@settings(max_examples=150, deadline=None)
def test_no_text_is_more_than_one_line_of_trouble(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.toml"
    path.write_bytes("\n".join(lines).encode())
    said = ""
    try:
        config.load(path)
    except UserError as told:
        said = str(told)
    assert not said or (said.startswith(str(path)) and said.splitlines() == [said])


# Where the value of `brightness` comes from, highest first.
LAYERS = [
    pytest.param({"overrides": 11, "settings": 22, "file": 33}, (11, "command line"), id="command line first"),
    pytest.param({"settings": 22, "file": 33}, (22, "set on the box"), id="then what was set on the box"),
    pytest.param({"file": 33}, (33, "file"), id="then the file"),
    pytest.param({}, (200, "default"), id="then the default"),
]


@pytest.mark.parametrize(("layers", "wins"), LAYERS)
def test_precedence(tmp_path: Path, layers: dict[str, int], wins: tuple[int, str]) -> None:
    path = write(tmp_path, f"brightness = {layers['file']}" if "file" in layers else "")
    overrides, set_ = ({"brightness": layers[name]} if name in layers else {} for name in ("overrides", "settings"))
    effective = config.load(path, overrides=overrides, settings=set_)
    source = effective.sources["brightness"]
    assert (effective.config.brightness, "file" if source == str(path) else source) == wins


def test_a_wrong_value_in_the_file_is_said_though_another_layer_hides_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="brightness"):
        load(tmp_path, "brightness = 0", settings={"brightness": 80})


def test_a_wrong_override_names_the_command_line(tmp_path: Path) -> None:
    with pytest.raises(UserError) as told:
        load(tmp_path, "", overrides={"pins.pin_factory": "pigpio"})
    assert str(told.value) == (
        'command line: pins.pin_factory: must be "auto" or "lgpio" or "gpiod" or "mock", not \'pigpio\''
    )


STALE = [
    pytest.param({"edition": "home"}, "set on the box, left out: edition: 'home' is not known", id="an edition gone"),
    pytest.param(
        {"glass_seconds": 3}, "set on the box, left out: glass_seconds: must be a whole number", id="out of range"
    ),
    pytest.param({"volume": 3}, "set on the box, left out: volume: can't be set on the box", id="a key of old"),
    pytest.param(
        {"pins.buzzer": 4}, "set on the box, left out: pins.buzzer: can't be set on the box", id="not its key"
    ),
]


@pytest.mark.parametrize(("stored", "warning"), STALE)
def test_a_setting_that_is_not_valid_any_more_does_not_stop_the_box(
    tmp_path: Path, stored: dict[str, Any], warning: str
) -> None:
    effective = load(tmp_path, "", settings={**stored, "side": "B"})
    assert effective.config == Config(side="B")
    (said,) = effective.warnings
    assert said.startswith(warning)


def test_a_shorter_glass_set_on_the_box_caps_the_handicap_of_the_file(tmp_path: Path) -> None:
    effective = load(tmp_path, "handicap.blue = 30", settings={"glass_seconds": 20})
    assert effective.config.handicap[Player.BLUE] == 20
    # Nothing is wrong with it: no trouble to show on the box, but somebody may wonder.
    assert (effective.warnings, effective.notes) == (
        (),
        ("handicap.blue: 30 seconds are more than the glass has (20): 20 are taken off",),
    )


def test_a_game_without_a_glass_has_room_for_any_handicap(tmp_path: Path) -> None:
    effective = load(tmp_path, 'edition = "duel"\nglass_seconds = 60\nhandicap.red = 600')
    assert (effective.warnings, effective.notes, effective.config.handicap[Player.RED]) == ((), (), 600)


def test_a_familys_own_edition_beside_the_config(tmp_path: Path) -> None:
    own = (Path(editions.__file__).parent / "editions" / "classic.toml").read_text("utf-8")
    own = own.replace('id = "classic"', 'id = "home"').replace("seconds = 60", "seconds = 75")
    (tmp_path / "home.toml").write_text(own, encoding="utf-8")
    effective = load(tmp_path, 'edition = "home"')
    assert (effective.config.edition, effective.edition.id, effective.folder) == ("home", "home", tmp_path)
    assert effective.edition.glass_seconds("A") == 75
    (tmp_path / "home.toml").write_text("id = 3")
    with pytest.raises(UserError, match=r"home\.toml"):
        load(tmp_path, 'edition = "home"')


def test_what_can_be_set_on_the_box_can_be_set_in_the_file_and_holds_what_the_file_says(tmp_path: Path) -> None:
    effective = load(tmp_path, "brightness = 99\nglass_seconds = 42\nhandicap.blue = 7")
    choices = config.choices(effective.config, ["classic", "lines"])
    assert list(choices)[:9] == [
        *("edition", "side", "scoring", "bag", "glass_seconds", "sound", "brightness", "language", "cards"),
    ]
    assert choices["brightness"] == (40, 80, 99, 120, 160, 200, 255)
    assert choices["glass_seconds"] == (None, 20, 30, 42, 45, 50, 60, 75, 90, 120, 180)
    assert choices["handicap.blue"] == (0, 5, 7, 10, 15, 20, 30)
    for key, values in choices.items():
        assert len(set(values)) == len(values)
        for value in values:
            again = load(tmp_path, "glass_seconds = 600", settings={key: value})
            assert (again.warnings, again.values[key]) == ((), value)


def test_the_display_is_the_one_the_parts_know() -> None:
    ours = {field.name for field in fields(DisplayConfig)}
    assert ours == {field.name for field in fields(DisplaySettings)} - {"heal"}
    assert DisplayConfig() == DisplayConfig(**{name: getattr(DisplaySettings(), name) for name in ours})
    spi = {"interface": "spi", "device": 1, "dc": 5, "reset": 6}
    assert DisplayConfig(**spi).pins == DisplaySettings(**spi).pins  # type: ignore[arg-type]  # one name, one type
