"""What buttons did while others were down, kept so that the menu can take back what its own three presses did.

Only claims, withdrawals and where the evening stood are taken back: behind anything settled only undo goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from device.game.events import Claim, End, Event, Flip, Withdraw
from device.plain import dataclass
from device.table.evening import Evening
from device.table.saves import Append, Begin, Finish, Json, Save

if TYPE_CHECKING:
    from device.table.table import Table

One = dict[str, Any]

# Decisions that a press on the way down may take, and what follows from the clock.
_REVOCABLE = (Claim, Withdraw, Flip, End)


@dataclass(frozen=True, slots=True)
class _Gesture:
    """kind: "down", "press", "hold" or "pair"; kept: how many events of the match had been kept before it; did: the
    decisions it took.
    """

    kind: str
    buttons: tuple[int, ...]
    stamp: float
    now: float
    act: Callable[[], Any]
    before: Evening
    after: Evening
    kept: int
    did: tuple[str, ...]


class WayDown:
    """Gestures and what was said, since the buttons were all up or something was settled."""

    def __init__(self) -> None:
        self._gestures: list[_Gesture] = []
        self._heard: list[One] = []
        self._settled = 0
        self._did: list[str] = []
        self._events: list[Json] = []
        self._again: list[One] | None = None

    @property
    def again(self) -> bool:
        """Presses are played again just now: nothing of it is heard yet."""
        return self._again is not None

    def forget(self) -> None:
        """Nothing that was done so far can be taken back."""
        self._gestures.clear()
        self._heard.clear()

    def resumed(self, events: list[Json]) -> None:
        """The running match is one that was cut off."""
        self._events = events

    def said(self, one: One, down: bool) -> None:
        """An object of the transcript; `down`: while buttons were down."""
        if self._again is not None:
            self._again.append(one)
        elif down:
            self._heard.append(one)

    def applied(self, event: Event) -> None:
        """Something happened in the match."""
        if not isinstance(event, _REVOCABLE):
            self._settle()
        elif event.decision:
            self._did.append(event.decision)

    def kept(self, save: Save) -> None:
        """Something is to be kept."""
        if isinstance(save, Append):
            self._events += save.events
        elif isinstance(save, Begin | Finish):
            self._events = []
            self._settle()

    def _settle(self) -> None:
        self._settled += 1
        self.forget()

    def gesture(
        self, t: Table, kind: str, buttons: tuple[int, ...], stamp: float, now: float, act: Callable[[], Any]
    ) -> bool:
        """Let buttons do something; gives what that gives."""
        before, kept, settled, self._did = t.e, len(self._events), self._settled, []
        done = bool(act())
        if self._settled == settled:
            self._gestures.append(_Gesture(kind, buttons, stamp, now, act, before, t.e, kept, tuple(self._did)))
        return done

    def take_back(self, t: Table, since: Mapping[int, float], now: float) -> None:
        """What these buttons, down since then, did is taken back; what others did meanwhile happens again."""
        gestures, heard = list(self._gestures), list(self._heard)
        self.forget()
        theirs = [
            g.before != g.after and all(button in since and g.stamp >= since[button] for button in g.buttons)
            for g in gestures
        ]
        if True not in theirs:
            return
        number = theirs.index(True)
        first = gestures[number]
        t.e = first.before
        if t.e.head is not None and len(self._events) > first.kept:
            events = tuple(self._events[: first.kept])
            t.save(Begin(t.e.head))
            t.save(Append(events, t.mark(now)))
        taken = [decision for g, mine in zip(gestures, theirs, strict=True) if mine for decision in g.did]
        for decision in reversed(taken):
            t.say("undone", decision=decision)
        self._again = []
        try:
            for g, mine in zip(gestures[number:], theirs[number:], strict=True):
                if mine:
                    continue
                t.scene_until(g.stamp, g.now)
                # Only a claim means the same in another scene: the race it is too late for may be on again.
                if g.kind == "down" or g.before.front == t.e.front:
                    g.act()
            t.scene_until(now, now)
        finally:
            again, self._again = self._again, None
        _say_what_is_new(t, again, heard)


def _say_what_is_new(t: Table, again: list[One], heard: list[One]) -> None:
    """Without those presses the race may have gone another way: what nobody has heard yet is said."""
    known = [_but_place(one) for one in heard]
    for one in again:
        if _but_place(one) in known:
            known.remove(_but_place(one))
        elif one["what"] != "sound":
            t.say(**one)
        elif one["sound"] in ("stop", "second-chance"):
            t.sound(one["sound"])


def _but_place(one: One) -> One:
    """A claim that moved up is no news."""
    return {key: value for key, value in one.items() if key != "place"}
