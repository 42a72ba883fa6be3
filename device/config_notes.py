"""What a config's owner may want to know although nothing is wrong: values without effect, letters that nobody drew.

One line each, for the command `config`. Nothing is refused or changed here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from device.config import Effective
from device.config_keys import KEYS
from device.game.editions import Edition
from device.game.players import SEATS

NAME_FONTS = ("medium", "small", "narrow")
"""The fonts that names are written in."""


def notes(effective: Effective) -> tuple[str, ...]:
    """Every note on these settings: what became of them, what has no effect, what cannot be drawn."""
    return (*effective.notes, *_without_effect(effective), *_unknown_letters(effective))


def _without_effect(effective: Effective) -> Iterator[str]:
    edition, values = effective.edition, effective.values
    useless = _useless(edition, values)
    for key, spec in KEYS.items():
        why = useless.get(key) or useless.get(key.partition(".")[0])
        if why and values[key] != spec.default:
            yield f'{key} = {_toml(values[key])} has no effect with edition "{edition.id}": {why}'


def _toml(value: Any) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def _useless(edition: Edition, values: Mapping[str, Any]) -> dict[str, str]:
    """Keys, or tables of them, that this edition has no use for, and why."""
    found: dict[str, str] = {}
    if not edition.sides:
        found["side"] = "its tasks have no sides"
    if values["scoring"] not in edition.scorings:
        found["scoring"] = "it has no variant without luck"
    scoring = values["scoring"] if values["scoring"] in edition.scorings else edition.scorings[0]
    if scoring not in ("track", "ladder"):
        found["bag"] = "no gem is drawn from a bag"
    if edition.reward != "cards":
        found["cards"] = "no cards are won"
    if edition.start == "none":
        found |= dict.fromkeys(("glass_seconds", "handicap"), "it has no glass")
    if edition.start not in ("roll", "ready"):
        found["glass_start"] = "no roll comes before its glass"
    if not edition.levels:
        found["levels"] = "it has no levels"
    if sorted(edition.symbols) != sorted(values["symbols"]):
        found["symbols"] = "its die shows others" if edition.symbols else "it has no die"
    return found


def _unknown_letters(effective: Effective) -> Iterator[str]:
    names = {player: effective.config.players[player] for player in SEATS if player in effective.config.players}
    if all(name.isascii() for name in names.values()):
        return
    # Reading fonts is dear on a Pi Zero, and most names need none of it.
    from device.screen.type import font

    for player, name in names.items():
        unknown = dict.fromkeys(letter for letter in name if not all(font(f).draws(letter) for f in NAME_FONTS))
        if unknown:
            letters = " ".join(unknown)
            yield f"players.{player}: {name}: the display shows a box for each of {letters} (Latin letters are drawn)"
