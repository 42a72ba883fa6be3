"""From config and store to what the table is given. Joins nothing that moves: no thread, no clock, no part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from device.config import Effective, choices
from device.game import editions
from device.game.editions import Edition
from device.past import Past, Tally, total
from device.store import Running
from device.table import past as table_past
from device.table.past import Page
from device.table.settings import TableSettings

ROWS_A_PAGE = 4
"""Rows of a history page that the screen has room for."""
MOST_PAGES, MOST_PLAYERS = 99, 8
"""Pages anybody would leaf through with one button, and players with pages of their own, the best first."""


def table_settings(effective: Effective) -> TableSettings:
    """The evening's settings of an effective config."""
    config = effective.config
    known = editions.Known(effective.folder, effective.edition)
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


def summary(found: Past, editions: Mapping[str, Edition]) -> table_past.Past:
    """The store's past as pages to show, of bounded number, and bests to play against."""
    bests: dict[table_past.BestKey, float] = {}
    for record in found.records:
        if record.what in ("minutes", "tasks"):
            bests[record.edition, record.side, record.what, record.number] = record.value
    pages = [*_evenings(found), *_players(found, editions), *_records(found, editions)]
    return table_past.Past(bests, tuple(pages[:MOST_PAGES]))


def _evenings(found: Past) -> Iterator[Page]:
    for match in found.matches:
        name = str(match.outcome.get("edition_name", ""))
        rows = [(who, str(points)) for who, points in match.scores] or _alone(match.outcome)
        if rows:
            title = "unfinished" if match.unfinished else "matches"
            yield Page(title, f"{match.when[:10]} {name}".strip(), tuple(rows[:ROWS_A_PAGE]))


def _alone(outcome: Mapping[str, Any]) -> list[tuple[str, str]]:
    goal = outcome.get("goal", {})
    return [(f"{goal.get('kind')} {goal.get('number')}", str(outcome.get("solved")))]


def _players(found: Past, editions: Mapping[str, Edition]) -> Iterator[Page]:
    for everything in total(found.players)[:MOST_PLAYERS]:
        mine = [tally for tally in found.players if tally.name == everything.name]
        yield from _figures(everything, everything.name)
        if len(mine) > 1:
            for tally in mine:
                edition = editions.get(tally.edition)
                yield from _figures(tally, f"{tally.name} · {edition.name if edition else tally.edition}")


def _figures(tally: Tally, heading: str) -> Iterator[Page]:
    rows = [("matches", str(tally.matches)), ("wins", str(tally.wins))]
    if tally.rate is not None:
        rows += [("solved", f"{100 * tally.rate:.0f} %"), ("firsts", str(tally.firsts))]
    if tally.fastest is not None:
        rows += [("fastest", f"{tally.fastest:.1f}"), ("mean", f"{tally.mean:.1f}")]
    gems = sum(tally.gems.values())
    rows += [("longest", str(tally.longest))] if tally.longest else []
    rows += [("gems", str(gems))] if gems else []
    rows += [("tasks", str(tally.tasks))] if tally.alone else []
    for first in range(0, len(rows), ROWS_A_PAGE):
        yield Page("players", heading, tuple(rows[first : first + ROWS_A_PAGE]))


def _records(found: Past, editions: Mapping[str, Edition]) -> Iterator[Page]:
    kinds: dict[str, list[tuple[str, str]]] = {}
    for record in found.records:
        edition = editions.get(record.edition)
        heading = f"{edition.name if edition else record.edition} {record.side}".strip()
        label = {"solve": "fastest"}.get(record.what, record.what)
        if record.what in ("minutes", "tasks"):
            label = f"{record.what} {record.number}"
        value = f"{record.value:.1f}" if record.what == "solve" else f"{record.value:.0f} {record.name}"
        if record.what == "tasks":
            value = f"{int(record.value) // 60}:{int(record.value) % 60:02d} {record.name}"
        kinds.setdefault(heading, []).append((label, value))
    for heading, rows in kinds.items():
        for first in range(0, len(rows), ROWS_A_PAGE):
            yield Page("records", heading, tuple(rows[first : first + ROWS_A_PAGE]))
