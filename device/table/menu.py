"""The table menu and what it opens: settings, rules, history. Four buttons: 1 up, 2 down, 3 choose, 4 close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from device.game import rules
from device.game.editions import Edition
from device.game.events import GiveUp
from device.game.players import SEATS, Player
from device.table import count, scenes
from device.table.handler import Handler
from device.table.lobby import end_unfinished
from device.table.pause import carry_on
from device.table.race import over
from device.table.results import undo_to
from device.table.scenes import Item, Lamps, Row

if TYPE_CHECKING:
    from device.table.table import Table

ITEMS = ("continue", "undo", "give-up", "rules", "end", "count", "settings", "power", "history")
"""In this order always, so that hands learn the way; what would do nothing now is there but not enabled."""

UP, DOWN, CHOOSE, CLOSE = 1, 2, 3, 4

NEXT_MATCH = ("edition", "side", "scoring", "bag", "cards", "glass_seconds")
"""Settings that a running match does not change with."""


def close(t: Table, now: float) -> None:
    """Back to the scene behind, which goes on."""
    t.e = t.e.at(t.e.scene, overlay=t.e.under, under="")
    if not t.e.overlay:
        carry_on(t, now)


def topics(edition: Edition) -> tuple[str, ...]:
    """What people ask in the middle of this edition's game, in order."""
    found = ["flip", "stuck"]
    if edition.chooser == "die":
        found.append("other-tiles")
    if edition.reward == "track":
        found += ["first-best", "one-solved", "rounds"]
    if edition.second_chance:
        found.append("nobody-solved")
    if edition.start == "first-claim":
        found.append("give-up")
    if edition.chooser == "stacks":
        found += ["cards-who-keeps", "stacks", "start-passes"]
    if edition.sides:
        found.append("sides")
    return (*found, "withdraw", "late")


class _Four(Handler):
    """A scene that all four buttons steer."""

    def lamps(self, t: Table) -> Lamps:
        """All four."""
        return Lamps(lit=frozenset(SEATS))


class Menu(_Four):
    """The table menu; play rests meanwhile."""

    name = "menu"

    def _enabled(self, t: Table, key: str) -> bool:
        e = t.e
        running = e.match is not None and e.head is not None and e.scene != "final"
        return {
            "undo": running and e.match is not None and bool(rules.last_decision(e.match)),
            "give-up": running and e.match is not None and e.match.phase == "race" and not e.match.tied,
            "end": running or (e.solo is not None and e.head is not None and e.scene == "alone"),
            "count": e.scene in ("lobby", "youngest", "final", "count"),
            "history": bool(t.past.pages),
        }.get(key, True)

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        return scenes.Menu(tuple(Item(key, self._enabled(t, key)) for key in ITEMS), t.e.cursor)

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """See the module."""
        button, key = player.button, ITEMS[t.e.cursor]
        if button in (UP, DOWN):
            t.change(cursor=(t.e.cursor + (1 if button == DOWN else -1)) % len(ITEMS))
        elif button == CLOSE:
            close(t, now)
        elif not self._enabled(t, key):
            t.sound("refused")
        else:
            self._chosen(t, key, now)

    def _chosen(self, t: Table, key: str, now: float) -> None:
        if key == "continue":
            close(t, now)
        elif key == "undo":
            undo_to(t, now)
        elif key == "give-up":
            t.e = t.e.at(t.e.scene, overlay="", under="")
            at = t.e.play.before
            outcomes = t.apply(GiveUp(at), now)
            t.change(stands=None)
            over(t, "given-up", at, now, outcomes=outcomes or ())
        elif key == "end":
            end_unfinished(t, now)
        elif key == "count":
            count.start(t)
        elif key == "power":
            close(t, now)
            t.rest(now)
            t.power_off()
        else:
            t.e = t.e.at(t.e.scene, overlay=key, cursor=0, page=0)


class Settings(_Four):
    """Every setting that can be made on the box, edition first; 3 takes the next value."""

    name = "settings"

    def _rows(self, t: Table) -> tuple[Row, ...]:
        playing = t.e.match is not None and t.e.head is not None

        def row(key: str) -> Row:
            value = t.settings.value(key)
            if isinstance(value, bool):
                text = "true" if value else "false"
            elif value is None:
                text = "own"
            elif key == "edition":
                text = t.settings.editions[value].name
            else:
                text = str(value)
            return Row(key, text, "next" if playing and key in NEXT_MATCH else "now")

        return tuple(row(key) for key in t.settings.choices)

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        return scenes.Settings(self._rows(t), t.e.cursor)

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """See the class."""
        keys = tuple(t.settings.choices)
        if player.button == CLOSE or not keys:
            t.e = t.e.at(t.e.scene, overlay="menu", cursor=ITEMS.index("settings"))
        elif player.button == CHOOSE:
            key = keys[t.e.cursor]
            choices = t.settings.offered(key)
            value = t.settings.value(key)
            at = choices.index(value) + 1 if value in choices else self._above(choices, value)
            t.set(key, choices[at % len(choices)])
        else:
            t.change(cursor=(t.e.cursor + (1 if player.button == DOWN else -1)) % len(keys))

    @staticmethod
    def _above(choices: tuple[object, ...], value: object) -> int:
        """Where to go from a value of the config file that is none of the steps: to the next larger one."""
        if not isinstance(value, int):
            return 0
        larger = [n for n, choice in enumerate(choices) if isinstance(choice, int) and choice > value]
        return larger[0] if larger else 0


class Rules(_Four):
    """What people ask in the middle of a game: 1 back, 2 on, 3 next question, 4 close."""

    name = "rules"

    def _pages(self, t: Table) -> list[tuple[str, int, int]]:
        edition = t.e.match.edition if t.e.match is not None else t.settings.edition
        pages = []
        for topic in topics(edition):
            count = t.rule_pages(topic, t.settings.language)
            pages += [(topic, n, count) for n in range(count)]
        return pages

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        return scenes.Rules(*self._pages(t)[t.e.page])

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """See the class."""
        pages, page = self._pages(t), t.e.page
        if player.button == CLOSE:
            t.e = t.e.at(t.e.scene, overlay="menu", cursor=ITEMS.index("rules"))
            return
        if player.button == CHOOSE:
            later = [n for n in range(page + 1, len(pages)) if pages[n][1] == 0]
            page = later[0] if later else 0
        else:
            page += 1 if player.button == DOWN else -1
        t.change(page=page % len(pages))


class History(_Four):
    """Past matches and every player's figures, page by page: 1 back, 2 on, 4 close."""

    name = "history"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        page = t.past.pages[t.e.page % len(t.past.pages)]
        return scenes.History(page.title, page.heading, page.rows, t.e.page % len(t.past.pages), len(t.past.pages))

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """See the class."""
        if player.button == CLOSE:
            t.e = t.e.at(t.e.scene, overlay="menu", cursor=ITEMS.index("history"))
        else:
            t.change(page=(t.e.page + (-1 if player.button == UP else 1)) % len(t.past.pages))
