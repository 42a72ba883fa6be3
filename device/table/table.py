"""The table: button edges and "it is now t" go in, game events, pictures, lamps, sounds and saves come out.

Pure: no threads, no I/O, no clock. What a gesture means is decided by the scene in front (`scene` and its files).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from math import inf
from typing import Any

from device.errors import UserError
from device.game import rules
from device.game.chance import Chance
from device.game.events import Event, Illegal, Outcome, Undo, to_json
from device.game.match import Match
from device.game.players import Player, at_button
from device.plain import dataclass
from device.table import told
from device.table.contacts import Contacts
from device.table.edges import Edge
from device.table.evening import Evening
from device.table.gestures import Hands
from device.table.handler import Handler
from device.table.marks import Marks
from device.table.past import Past
from device.table.pause import rest
from device.table.saves import Append, Finish, Mark, Save, Setting
from device.table.scene import SCENES
from device.table.scenes import Asleep, Lamps, Scene, Show
from device.table.settings import TableSettings
from device.table.tunes import Tunes
from device.table.waydown import WayDown

DIM_AFTER = 300.0
"""Seconds without a press until a picture that stands still is dimmed (ruling)."""
SLEEP_AFTER = 900.0
"""Seconds without a press until the display goes dark (ruling)."""
SHIFT_EVERY = 60.0
"""Seconds between two wanderings of a dimmed picture (ruling)."""

RESTFUL = ("lobby", "ready", "stacks", "draw", "scores")
"""Scenes that a resume, or a press in the lobby, leads back to exactly."""

_SLACK = 1e-7


def one_page(topic: str, language: str) -> int:
    """Every topic of the rules has one page: for a table that nobody looks at."""
    return 1


@dataclass(slots=True)
class Output:
    """What came of the last input. said: transcript objects without "t". sounds: for the buzzer, claims by place
    ("claim1" …). power_off: the box was asked to go off.
    """

    said: list[dict[str, Any]] = field(default_factory=list)
    sounds: list[str] = field(default_factory=list)
    saves: list[Save] = field(default_factory=list)
    power_off: bool = False


class Table:
    """One evening at the table. Times are seconds of one monotonic clock, whatever its zero.

    held: buttons that are down from the start. running: (head, events, mark, when) of a match that was cut off.
    frame: seconds between two pictures of running sand. rule_pages: how many pages a topic of the rules has.
    """

    def __init__(
        self,
        settings: TableSettings,
        chance: Chance,
        now: float,
        *,
        held: frozenset[int] = frozenset(),
        running: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], Mapping[str, Any], str] | None = None,
        past: Past | None = None,
        frame: float = 0.1,
        rule_pages: Callable[[str, str], int] = one_page,
    ) -> None:
        self.settings = settings
        self.chance = chance
        self.past = past or Past()
        self.frame = frame
        self.rule_pages = rule_pages
        self.e = Evening()
        self.notice = ""
        self.asleep = False
        self._contacts = Contacts(held)
        self._hands = Hands()
        self._way = WayDown()
        self._touched = self._now = now
        self._shown = now
        self._tunes = Tunes()
        self.marks = Marks(now)
        self.pressed_since: float | None = None
        self._out = Output()
        self._said_scene = ""
        if running is not None:
            self._resume(*running)
        self._say_scene()

    # What goes in

    def edges(self, edges: Iterable[Edge], now: float) -> None:
        """Raw edges of the buttons in the order of their stamps, heard of together at `now`."""
        for edge in edges:
            # What stood before this edge is decided first, however late both are heard of.
            self._contacts.decide(edge.stamp)
            self._contacts.edge(edge)
        self.wake(now)

    def levels(self, down: tuple[bool, ...], now: float) -> None:
        """What the four buttons read just now: heals edges that were never heard of."""
        self._contacts.levels(down, now)

    def wake(self, now: float) -> None:
        """It is `now`: everything that is due happens, in the order of its time."""
        self._now = now
        if tune := self._tunes.take(now):
            self.sound(tune)
        if not self._still:
            # Who plays for twenty minutes without a press has not fallen asleep.
            self._touched = now
        match = self.e.match
        self._contacts.first = match.starter.button if match is not None and match.starter is not None else 1
        self._contacts.decide(now)
        for button in self._contacts.given_up:
            self.say("notice", about="button", text=f"button {button} does not settle: check its wire")
        self._contacts.given_up.clear()
        while True:
            self.scene.settle(self, now)
            edge = self._contacts.next()
            due = min(self.scene.due(self), self._hands.due(), self._sleep_due())
            if edge is not None and (edge.stamp <= due + _SLACK or due > now + _SLACK):
                self._contacts.take()
                self._decided(edge, now)
            elif due <= now + _SLACK:
                self._appointment(due, now)
            else:
                break
        if self._runs and self.marks.ripe(now, self.frame):
            self.tick_mark(now)
        self._say_scene()

    def tell(self, about: str, text: str, *, gone: bool) -> None:
        """A part is in trouble (`gone`) or well again: said, and shown while it lasts."""
        self.notice = about if gone else ("" if self.notice == about else self.notice)
        self.say("notice", about=about, text=text)

    def game_night(self, now: float) -> None:
        """It is the hour: the display wakes and the box plays its tune."""
        self._now = now
        self._wake_up(now)
        self.sound("final")
        self._say_scene()

    # What comes out

    def take_output(self) -> Output:
        """What came of the inputs since the last call."""
        out, self._out = self._out, Output()
        return out

    @property
    def due(self) -> float:
        """When to call `wake` at the latest if no edge comes; inf: never."""
        mark = self.marks.due if self._runs else inf
        own = min(self.scene.due(self), self.picture_due, self._sleep_due(), self._tunes.due)
        return min(self._contacts.due, self._hands.due(), mark, own)

    @property
    def picture_due(self) -> float:
        """When the picture changes by itself next: it moves, is dimmed or wanders; inf: not before anything happens."""
        return self.next_picture if self.scene.moving(self) else self._still_due()

    @property
    def next_picture(self) -> float:
        """When a picture that moves by itself is to be shown again."""
        return self._shown + self.frame

    def show(self, now: float) -> Show:
        """What the display shows at `now`."""
        # In step, however late this one is: then marks and pictures need no wake-up each.
        late = now - self.next_picture
        self._shown = self.next_picture if 0 <= late < self.frame else now
        idle = now - self._touched
        dim = self._still and idle >= DIM_AFTER - _SLACK
        picture: Scene = Asleep() if self.asleep else self.scene.view(self, now)
        s = self.settings
        return Show(
            picture,
            language=s.language,
            names=s.names,
            brightness=s.brightness,
            notice=self.notice,
            dim=dim,
            shift=int(idle // SHIFT_EVERY) % 4 if dim else 0,
        )

    @property
    def lamps(self) -> Lamps:
        """Whose press the box waits for."""
        return Lamps() if self.asleep else self.scene.lamps(self)

    @property
    def at_rest(self) -> bool:
        """No button is down or undecided, nothing runs, and where the evening stands can be told by what is kept."""
        e = self.e
        quiet = self._hands.empty and self._contacts.due == self._tunes.due == inf and not self.asleep
        lost = e.match is not None and e.match.lost
        return quiet and not e.overlay and e.scene in RESTFUL and e.stands is None and not lost

    # What the scenes use

    @property
    def scene(self) -> Handler:
        """What handles the scene in front."""
        return SCENES[self.e.front]

    def say(self, what: str, **fields: Any) -> None:
        """One object of the transcript."""
        one = {"what": what, **fields}
        if not self._way.again:
            self._out.said.append(one)
        self._way.said(one, not self._hands.empty)

    def sound(self, sound: str, place: int = 1) -> None:
        """A sound, if sounds are on; Stop always. A claim rises by place; a tune waits until Stop has been heard."""
        if not self._way.again and self._tunes.later(sound, self._now):
            return
        if self.settings.sound or sound == "stop":
            self.say("sound", sound=sound)
            if not self._way.again:
                self._out.sounds.append(f"claim{place}" if sound == "claim" else sound)

    def save(self, save: Save) -> None:
        """Something to be kept."""
        self._out.saves.append(save)
        self._way.kept(save)
        if not isinstance(save, Setting):
            self.marks.owe(None)

    def change(self, **changes: Any) -> None:
        """Replace these fields of the evening."""
        self.e = replace(self.e, **changes)

    def go(self, scene: str, **changes: Any) -> None:
        """Another scene; presses begun before it count no more."""
        self.e = self.e.at(scene, **changes)
        self._say_scene()

    def begin(self, evening: Evening, scene: str) -> None:
        """Another evening altogether: a match begins, or the lobby opens again."""
        self.e = evening.at(scene)
        self._say_scene()

    def apply(self, event: Event, now: float, settled: bool = False) -> tuple[Outcome, ...] | None:
        """Let it happen in the match and keep it; None (and a "refused") where the rules do not allow it now."""
        try:
            match, outcomes = rules.apply(self.e.with_match(), event)
        except Illegal:
            self.sound("refused")
            return None
        self.change(match=match)
        self._way.applied(event)
        self.save(Append((to_json(event),), self.mark(now), settled or bool(outcomes)))
        return outcomes

    def undo(self, now: float) -> Match | None:
        """Take the last decision back; the match as it was just before the undo, or None if there is nothing."""
        was = self.e.with_match()
        decision = rules.last_decision(was)
        if self.apply(Undo(), now) is None:
            return None
        self.say("undone", decision=decision)
        return was

    def scene_until(self, until: float, now: float) -> None:
        """The scene's appointments up to `until`, heard of at `now`."""
        self.scene.settle(self, now)
        while (due := self.scene.due(self)) <= until + _SLACK:
            self.scene.wake(self, due, now)
            self.scene.settle(self, now)

    def mark(self, now: float) -> dict[str, Any]:
        """Where play stands, for a resume after a power cut: seconds only, no clock."""
        played = round(self.e.play.at(now), 4)
        solo = self.e.solo
        if solo is None:
            return {"played": played}
        return {"played": played, "running": solo.stage == "running", "marks": [list(mark) for mark in solo.marks]}

    def set(self, key: str, value: Any) -> None:
        """A setting made on the box."""
        self.settings = self.settings.changed(key, value)
        self.save(Setting(key, value))

    def tick_mark(self, now: float) -> None:
        """Keep where the running clock stands."""
        self.marks.at = now
        if self.e.head is None:
            return
        mark = Mark(self.mark(now))
        if self.marks.asked:
            self.save(mark)
        else:
            self.marks.owe(mark)

    def pass_marks(self, now: float) -> None:
        """What fell due before `now` of marks that the loop was not woken for."""
        if self._runs and (last := self.marks.passed(now)) > self.marks.at:
            self.tick_mark(last)

    def undecided(self, until: float) -> bool:
        """Whether a press that began by then is not settled yet."""
        return self._contacts.undecided(until)

    def held_since(self, player: Player) -> float | None:
        """Since when this player's button has been down without its press having counted."""
        return self._hands.pressed(player.button)

    def rest(self, now: float) -> None:
        """The clock of play stands."""
        rest(self, now)

    def power_off(self) -> None:
        """The box is to go off."""
        self._out.power_off = True

    def finish(self, outcome: Mapping[str, Any]) -> None:
        """The running match goes into the history."""
        self.save(Finish(outcome))

    # Inside

    @property
    def _runs(self) -> bool:
        """The clock of play runs and somebody sees it: a playoff's is of no use after a power cut."""
        return self.e.play.since is not None and self.scene.moving(self)

    @property
    def _still(self) -> bool:
        return not self.scene.moving(self) and self.e.play.since is None

    def _sleep_due(self) -> float:
        return inf if self.asleep or not self._still else self._touched + SLEEP_AFTER

    def _still_due(self) -> float:
        if self.asleep or not self._still:
            return inf
        idle = self._shown - self._touched
        if idle < DIM_AFTER - _SLACK:
            return self._touched + DIM_AFTER
        return self._touched + (int((idle + _SLACK) // SHIFT_EVERY) + 1) * SHIFT_EVERY

    def _say_scene(self) -> None:
        if self._way.again:
            return
        name = "asleep" if self.asleep else self.scene.name
        if name != self._said_scene:
            self._said_scene = name
            self.say("scene", scene=name)

    def _wake_up(self, now: float) -> None:
        self._touched = now
        self.asleep = False

    def _decided(self, edge: Edge, now: float) -> None:
        if edge.down:
            woke = self.asleep
            self._wake_up(now)
            if self._hands.empty:
                self._way.forget()
            self._hands.down(edge.button, edge.stamp, self.e.turn)
            if woke or self._gesture("down", edge.button, edge.stamp, now):
                self._hands.use(edge.button)
            return
        if not self.asleep:
            self._touched = now
        since = self._hands.up(edge.button, self.e.turn)
        if since is not None:
            self.pressed_since = since
            self._gesture("press", edge.button, edge.stamp, now)

    def _gesture(self, kind: str, button: int, stamp: float, now: float) -> bool:
        def act() -> bool:
            return bool(getattr(self.scene, kind)(self, at_button(button), stamp, now))

        return self._way.gesture(self, kind, (button,), stamp, now, act)

    def _appointment(self, due: float, now: float) -> None:
        if self.scene.due(self) <= due + _SLACK:
            self.scene.wake(self, self.scene.due(self), now)
            return
        if self._hands.due() <= due + _SLACK:
            buttons = self._hands.held()
            if len(buttons) >= 3:
                self._open_menu(buttons, now)
            elif len(buttons) == 2:
                self._way.gesture(self, "pair", buttons, due, now, lambda: self.scene.pair(self, now))
            elif buttons:
                self._gesture("hold", buttons[0], due, now)
            return
        self.asleep = True
        self._say_scene()

    def _open_menu(self, buttons: tuple[int, ...], now: float) -> None:
        if self.e.overlay == "menu":
            return
        self._way.take_back(self, {button: self._hands.since(button) for button in buttons}, now)
        if self.e.play.since is not None:
            self.rest(now)
        under = self.e.overlay if self.e.overlay in ("resume", "paused") else ""
        self.e = self.e.at(self.e.scene, overlay="menu", under=under, cursor=0, page=0)

    def _resume(
        self,
        head: Mapping[str, Any],
        events: Sequence[Mapping[str, Any]],
        mark: Mapping[str, Any],
        when: str,
    ) -> None:
        try:
            self.e = told.evening(self.settings, head, events, mark, when)
            self._way.resumed(list(events))
        except (Illegal, UserError, KeyError, TypeError, ValueError) as error:
            # A match of another version, or of an edition whose file has gone: it stays in the history.
            self.say("notice", about="store", text=f"the match of {when or 'before'} can't be taken up again: {error}")
            self.save(Finish(told.unfinished(head)))
