"""One TOML file, the box's own settings and the command line -> one frozen Config, and where each value comes from.

Which keys there are and what is right for each: config_keys. Nothing here opens a part or the store.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from device.config_keys import CHOICES, KEYS, TABLES, Wrong, shown
from device.errors import UserError
from device.game import editions
from device.game.editions import Edition
from device.game.players import SEATS, Player
from device.parts.pins import Pins
from device.plain import dataclass

DEFAULT_PATH = Path("/etc/ubongo-box.toml")
LARGEST_FILE = 64 * 1024
COMMAND_LINE, ON_THE_BOX, BY_EDITION, BY_DEFAULT = "command line", "set on the box", "edition", "default"
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """Which display hangs where; the fields of device.parts.oled.DisplaySettings."""

    driver: str = "ssd1306"
    interface: str = "i2c"
    port: int = 1
    address: int = 0x3C
    rotate: int = 0
    device: int = 0
    dc: int = 24
    reset: int = 25

    @property
    def pins(self) -> frozenset[int]:
        """Header pins an SPI display needs for itself, in BCM numbers; those of I2C nobody may use anyway."""
        if self.interface == "i2c":
            return frozenset()
        return frozenset({9, 10, 11, 8 - self.device, self.dc, self.reset})


@dataclass(frozen=True, slots=True)
class GameNight:
    """When the box wakes for game night: `day` "mon" to "sun", `time` "HH:MM"."""

    day: str
    time: str


@dataclass(frozen=True, slots=True)
class Config:
    """Every effective setting; the README's chapter on the config file says what each means.

    glass_seconds and glass_start None: the edition's own. players: only those that have a name. levels and
    handicap (seconds): all four seats.
    """

    edition: str = "classic"
    side: str = "A"
    scoring: str = "track"
    bag: str = "box"
    cards: str = "all"
    glass_seconds: int | None = None
    glass_start: str | None = None
    sound: bool = True
    brightness: int = 200
    language: str = "en"
    symbols: tuple[str, ...] = KEYS["symbols"].default
    players: Mapping[Player, str] = field(default_factory=dict)
    levels: Mapping[Player, str] = field(default_factory=lambda: dict.fromkeys(SEATS, "green"))
    handicap: Mapping[Player, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    pins: Pins = field(default_factory=lambda: _pins(_defaults()))
    pin_factory: str = "auto"
    display: DisplayConfig = DisplayConfig()
    game_night: GameNight | None = None


@dataclass(frozen=True, slots=True)
class Effective:
    """The config, and where it comes from.

    sources: for each key "command line", "set on the box", the file's path, "edition" or "default". warnings: lines
    for the screen about settings made on the box that are not valid any more and were left out. notes: what else
    became of a setting, nothing to warn of. folder: where a family's own edition files lie (beside the config file),
    or None without one.
    """

    config: Config
    sources: Mapping[str, str]
    values: Mapping[str, Any]
    edition: Edition
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    path: Path | None = None
    folder: Path | None = None


def load(
    path: Path | None = None,
    *,
    overrides: Mapping[str, Any] = _NOTHING,
    settings: Mapping[str, Any] = _NOTHING,
    fallback: Path | None = DEFAULT_PATH,
) -> Effective:
    """The effective config: the command line before settings made on the box before the file before defaults.

    `path` must exist; without it `fallback` is read if it exists. `overrides` and `settings` go by full keys, as
    "handicap.blue". UserError for anything wrong in the file or the overrides; a wrong setting is only a warning.
    """
    if path is None and fallback is not None and os.path.lexists(fallback):
        path = fallback
    path = None if path is None else path.absolute()
    folder = None if path is None else path.parent
    file = _File(path)
    layers = [
        (COMMAND_LINE, _checked(overrides, folder, lambda key, what: UserError(f"{COMMAND_LINE}: {key}: {what}")))
    ]
    kept, warnings = _still_valid(settings, folder)
    layers += [(ON_THE_BOX, kept), (str(path), _checked(file.values, folder, file.error))]
    values, sources = _defaults(), dict.fromkeys(KEYS, BY_DEFAULT)
    for source, layer in reversed(layers):
        values.update(layer)
        sources.update(dict.fromkeys(layer, source))
    for key in ("glass_seconds", "glass_start"):
        if values[key] is None:
            sources[key] = BY_EDITION
    edition = editions.load(values["edition"], folder)

    def fail(key: str, what: str) -> UserError:
        return file.error(key, what) if sources[key] == str(path) else UserError(f"{sources[key]}: {key}: {what}")

    _check_pins(values, sources, fail)
    if (values["game_night.day"] is None) != (values["game_night.time"] is None):
        have, lacks = ("day", "time") if values["game_night.day"] else ("time", "day")
        raise fail(f"game_night.{have}", f"needs game_night.{lacks} as well")
    glass = edition.glass(values["side"], values["glass_seconds"])
    notes = []
    for player in SEATS:
        key = f"handicap.{player}"
        if glass is not None and values[key] > glass:
            what = f"{values[key]} seconds are more than the glass has ({glass})"
            if ON_THE_BOX not in (sources[key], sources["glass_seconds"], sources["edition"], sources["side"]):
                raise fail(key, f"{what}: take fewer")
            # With another edition or glass, perhaps the next one chosen on the box, it is what it was.
            notes.append(f"{key}: {what}: {glass} are taken off")
            values[key] = glass
    return Effective(_built(values), sources, values, edition, tuple(warnings), tuple(notes), path, folder)


def choices(config: Config, available: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """For each key that can be set on the box its values in order; what the config says is always one of them.

    `available`: the ids of all editions.
    """
    found: dict[str, tuple[Any, ...]] = {"edition": tuple(available), **CHOICES}
    found["brightness"] = tuple(sorted({*CHOICES["brightness"], config.brightness}))
    if config.glass_seconds is not None:
        found["glass_seconds"] = (None, *sorted({*CHOICES["glass_seconds"][1:], config.glass_seconds}))
    for player in SEATS:
        key = f"handicap.{player}"
        found[key] = tuple(sorted({*CHOICES[key], config.handicap[player]}))
    return found


def _defaults() -> dict[str, Any]:
    return {key: spec.default for key, spec in KEYS.items()}


def _checked(values: Mapping[str, Any], folder: Path | None, error: Any) -> dict[str, Any]:
    good = {}
    for key, value in values.items():
        if key not in KEYS:
            raise error(key, f"there is no such key{_nearest(key)}")
        try:
            good[key] = KEYS[key].check(value)
        except Wrong as wrong:
            raise error(key, f"{wrong}, not {shown(value)}") from None
    if "edition" in good:
        try:
            editions.load(good["edition"], folder)
        except UserError as wrong:
            raise error("edition", str(wrong).removeprefix("edition: ")) from None
    return good


def _still_valid(settings: Mapping[str, Any], folder: Path | None) -> tuple[dict[str, Any], list[str]]:
    # An edition file that has gone must not keep the box from starting on game night.
    good: dict[str, Any] = {}
    warnings = []
    for key, value in settings.items():
        try:
            if key != "edition" and key not in CHOICES:
                raise UserError(f"{key}: can't be set on the box")
            good |= _checked({key: value}, folder, lambda key, what: UserError(f"{key}: {what}"))
        except UserError as wrong:
            warnings.append(f"set on the box, left out: {wrong}")
    return good, warnings


def _nearest(key: str) -> str:
    import difflib  # only for who misspelt: it costs a Pi Zero more than reading the file does

    names = {name.rpartition(".")[2]: name for name in reversed(list(KEYS))} | {name: name for name in KEYS}
    for wanted in (key, key.rpartition(".")[2]):
        near = difflib.get_close_matches(wanted, names, 1, 0.6)
        if near:
            return f": did you mean {names[near[0]]}?"
    return ": `ubongo-box config` lists them all"


def _pins(values: Mapping[str, Any]) -> Pins:
    return Pins(values["pins.buttons"], values["pins.lamps"], values["pins.buzzer"])


def _display(values: Mapping[str, Any]) -> DisplayConfig:
    return DisplayConfig(**{key.partition(".")[2]: values[key] for key in KEYS if key.startswith("display.")})


def _check_pins(values: Mapping[str, Any], sources: Mapping[str, str], fail: Any) -> None:
    display = _display(values)
    fault = _pins(values).fault(display.pins)
    if fault is None:
        return
    key, what = f"pins.{fault[0]}", fault[1]
    if sources[key] == BY_DEFAULT:
        # The default isn't what is wrong: name the key somebody wrote that takes its pin.
        written = [k for k in KEYS if k.startswith(("pins.", "display.")) and sources[k] != BY_DEFAULT]
        raise fail(written[0], f"leaves {key} at its default, where {what}")
    raise fail(key, what)


def _built(values: Mapping[str, Any]) -> Config:
    def by_seat(table: str) -> dict[Player, Any]:
        return {player: values[f"{table}.{player}"] for player in SEATS}

    day, time = values["game_night.day"], values["game_night.time"]
    return Config(
        **{key: values[key] for key in KEYS if "." not in key},
        players={player: name for player, name in by_seat("players").items() if name},
        levels=by_seat("levels"),
        handicap=by_seat("handicap"),
        pins=_pins(values),
        pin_factory=values["pins.pin_factory"],
        display=_display(values),
        game_night=GameNight(day, time) if day and time else None,
    )


class _File:
    """The config file as flat keys, and the line a key stands in."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._text = "" if path is None else _read(path)
        try:
            parsed = tomllib.loads(self._text)
        except RecursionError:
            raise UserError(f"{path}: is nested too deeply for a config file") from None
        except ValueError as error:  # TOMLDecodeError, and Python's own about numbers of thousands of digits
            raise UserError(f"{path}: is not TOML: {error}") from None
        self.values: dict[str, Any] = {}
        for key, value in parsed.items():
            if key not in TABLES:
                self.values[key] = value
            elif isinstance(value, dict):
                self.values |= {f"{key}.{part}": inner for part, inner in value.items()}
            else:
                raise self.error(key, f"must be a table of its own: a line [{key}], its keys below it")

    def error(self, key: str, what: str) -> UserError:
        """One line: file, line, key and `what`."""
        number = self._line(key)
        return UserError(f"{self._path}{f':{number}' if number else ''}: {shown_key(key)}: {what}")

    def _line(self, key: str) -> int | None:
        # tomllib tells no lines of what it parsed. A table in one line (`pins = {…}`) is found by its own name.
        table = ""
        for number, line in enumerate(self._text.splitlines(), 1):
            header = re.match(r"\s*\[\s*([\w.-]+)\s*\]", line)
            if header:
                table = header[1] + "."
                if header[1] == key:
                    return number
            name = re.match(r"""\s*["']?([\w-]+)["']?(?:\s*\.\s*["']?([\w-]+)["']?)?\s*=""", line)
            if name:
                full = table + ".".join(part for part in name.groups() if part)
                if full == key or key.startswith(f"{full}."):
                    return number
        return None


def shown_key(key: str) -> str:
    """A key as a short printable text."""
    text = key if key.isprintable() else repr(key)
    return text if len(text) <= 60 else text[:57] + "..."


def _read(path: Path) -> str:
    try:
        # Without O_NONBLOCK a named pipe would hold the start for ever.
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise UserError(f"{path}: is no ordinary file: the config is a TOML file")
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise UserError(f"{path}: is larger than 64 KiB: a config is a page of text")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: is not UTF-8 text: save it as UTF-8") from None
    except IsADirectoryError:
        raise UserError(f"{path}: is a directory: the config is a TOML file") from None
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such file: check --config, or leave it out for the defaults") from None
    except OSError as error:
        raise UserError(f"{path}: can't be read: {error.strerror}") from None
