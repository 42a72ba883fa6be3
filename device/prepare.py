"""From config and store to what the table is given. Joins nothing that moves: no thread, no clock, no part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from device.config import Effective, choices
from device.game import editions
from device.past import Past
from device.store import Running
from device.table import past as table_past
from device.table.settings import TableSettings

ROWS_A_PAGE = 4
"""Rows of a history page that the screen has room for."""


def table_settings(effective: Effective) -> TableSettings:
    """The evening's settings of an effective config."""
    config = effective.config
    known = {edition.id: edition for edition in editions.available(effective.folder)}
    known.setdefault(effective.edition.id, effective.edition)
    return TableSettings(
        editions=known,
        edition_id=config.edition,
        side=config.side,
        scoring=config.scoring,
        bag=config.bag,
        cards=config.cards,
        glass_seconds=config.glass_seconds,
        glass_start=config.glass_start,
        symbols=config.symbols,
        sound=config.sound,
        brightness=config.brightness,
        language=config.language,
        names=config.players,
        levels=config.levels,
        handicap=config.handicap,
        choices=choices(config, known),
    )


def cut_off(
    running: Running | None,
) -> tuple[Mapping[str, Any], tuple[Mapping[str, Any], ...], Mapping[str, Any], str] | None:
    """A match that was cut off, as the table takes it."""
    return None if running is None else (running.head, running.events, running.mark, running.when)


def summary(found: Past) -> table_past.Past:
    """The store's past as pages to show and bests to play against."""
    bests: dict[table_past.BestKey, float] = {}
    for record in found.records:
        if record.what in ("minutes", "tasks"):
            bests[record.edition, record.side, record.what, record.number] = record.value
    return table_past.Past(bests, ())
