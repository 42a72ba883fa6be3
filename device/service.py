"""The service: one loop that joins table, parts and store, on one queue. Nothing else moves the evening on.

The loop sleeps until an edge, an answer or an appointment comes, and never waits for the bus or the card.
"""

from __future__ import annotations

import argparse
import gc
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from math import inf
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from device.config import Effective, load
from device.errors import UserError
from device.game.chance import Chance, SystemChance
from device.notify import Notify
from device.prepare import cut_off, summary, table_settings
from device.screen.draw import draw
from device.screen.lists import pages
from device.store import Store
from device.store_thread import StoreThread
from device.table.edges import Edge
from device.table.saves import Append, Finish
from device.table.scenes import Lamps, Show
from device.table.table import Output, Table

if TYPE_CHECKING:
    import gpiozero

    from device.parts.oled import Oled

STALL = 10.0
"""Seconds a settled thing waits for the card before play goes on without it (ruling)."""
FAULTS_IN = 60.0
"""Seconds in which a third unexpected error gives the running match up instead of taking it up again."""

Say = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class _Stored:
    ticket: int
    trouble: str | None


@dataclass(frozen=True, slots=True)
class _Told:
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class _Asked:
    what: str


_Item = Edge | _Stored | _Told | _Asked


class Service:
    """The box. factory: where the pins come from; connect: opens the display (called from the display's thread).

    say: gets every object of the transcript, with "t" in seconds since the start. power_off: asked from the menu.
    UserError from `run` if the pins cannot be had.
    """

    def __init__(
        self,
        effective: Effective,
        store: Store,
        factory: gpiozero.Factory,
        connect: Callable[[], Oled],
        *,
        chance: Chance | None = None,
        say: Say | None = None,
        power_off: Callable[[], None] | None = None,
        notify: Notify | None = None,
    ) -> None:
        self._effective, self._store, self._factory, self._connect = effective, store, factory, connect
        self._chance = chance or SystemChance()
        self._say = say or (lambda _: None)
        self._power_off = power_off
        self._notify = notify or Notify({})
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._began = time.monotonic()
        self._troubles: set[str] = set()
        self._faults: deque[float] = deque(maxlen=3)
        # What waits for the card: the ticket, since when, what came of it, and the edges that came meanwhile.
        self._ticket = 0
        self._since = 0.0
        self._held_back: list[Output] = []
        self._edges: list[Edge] = []
        self._lamps: Lamps | None = None
        self._show: Show | None = None
        self._lamp_due: float | None = None
        self._sound_due: float | None = None
        self._alive = 0.0
        self._stopping = False
        self.kept = True
        """Whether the end left nothing unwritten and the store closed; False while a card stalls."""

    def stop(self) -> None:
        """End the loop; from any thread or signal handler."""
        self._queue.put(_Asked("stop"))

    def game_night(self) -> None:
        """Wake the display and play the tune; from any thread or signal handler."""
        self._queue.put(_Asked("game-night"))

    def run(self) -> None:
        """Be the box until `stop`. Ends dark and silent, with everything kept that can be kept within a second."""
        from device.parts.board import Board
        from device.parts.display import Display

        board = Board(self._effective.config.pins, self._factory, self._queue.put, self._hear)
        try:
            display = Display(self._connect, draw, self._hear)
            keeper = StoreThread(self._store, lambda ticket, trouble: self._queue.put(_Stored(ticket, trouble)))
        except BaseException:
            board.close()
            raise
        self._board, self._display, self._keeper = board, display, keeper
        try:
            self._table = self._new_table(time.monotonic())
            for warning in (*self._effective.warnings, *([self._store.trouble] if self._store.trouble else [])):
                self._hear("store", warning)
            self._bring_out(time.monotonic())
            self._notify.ready()
            # What exists now lives as long as the box: the collector need not look at it in mid-glass.
            gc.collect()
            gc.freeze()
            self._loop()
        finally:
            self._notify.stopping()
            # Quiet and dark before anything that may take its time.
            board.buzzer.silence()
            board.lamps.show(frozenset(), frozenset(), time.monotonic())
            display.close(0.7)
            self.kept = keeper.close(0.7)
            board.close()

    # The loop

    def _loop(self) -> None:
        while not self._stopping:
            now = time.monotonic()
            if now >= self._alive + self._notify.beat:
                self._alive = now
                self._notify.alive()
            items = self._wait(self._due() - now)
            now = time.monotonic()
            try:
                self._work(items, now)
            except Exception:
                self._recover(now)

    def _due(self) -> float:
        alive = self._alive + self._notify.beat
        parts = min(inf if due is None else due for due in (self._lamp_due, self._sound_due))
        table = self._since + STALL if self._ticket else self._table.due
        return min(alive, parts, table)

    def _wait(self, seconds: float) -> list[_Item]:
        """Everything in the queue, waiting for the first of it at most `seconds`."""
        items: list[_Item] = []
        try:
            if seconds > 0:
                # An hour at a time: a lock cannot wait for ever.
                items.append(self._queue.get(timeout=min(seconds, 3600.0)))
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return items

    def _work(self, items: list[_Item], now: float) -> None:
        for item in items:
            match item:
                case Edge():
                    self._edges.append(item)
                case _Stored(ticket, trouble):
                    self._stored(ticket, trouble, now)
                case _Told(about, text):
                    # The parts tell once when something goes and once when it is back.
                    self._tell(about, text, gone="back" not in text)
                case _Asked("game-night"):
                    self._table.game_night(now)
                case _Asked():
                    self._stopping = True
                    return
        if self._ticket and now >= self._since + STALL:
            self._tell("store", "the card does not answer: playing on", gone=True)
            self._let_out(now)
        if not self._ticket:
            self._play(now)
        self._beat(now)

    def _play(self, now: float) -> None:
        table = self._table
        edges, self._edges = sorted(self._edges, key=lambda edge: edge.stamp), []
        table.levels(self._board.levels(), now)
        table.edges(edges, now)
        self._bring_out(now)

    def _bring_out(self, now: float) -> None:
        """What came of it: sounds at once, the rest when what was settled is on disk."""
        out = self._table.take_output()
        ticket = self._keeper.save(out.saves, _wall()) if out.saves else 0
        settled = any((isinstance(save, Append) and save.settled) or isinstance(save, Finish) for save in out.saves)
        if "stop" in out.sounds:
            # Stop never waits.
            self._sound_due = self._board.buzzer.play("stop", now)
            out.sounds = out.sounds[out.sounds.index("stop") + 1 :]
        if settled and not self._ticket:
            self._ticket, self._since = ticket, now
        if self._ticket:
            self._held_back.append(out)
            return
        self._present(out, now)

    def _present(self, out: Output, now: float) -> None:
        for one in out.said:
            self._say({"t": round(now - self._began, 3), **one})
        for sound in out.sounds:
            self._sound_due = self._board.buzzer.play(sound, now)
        lamps = self._table.lamps
        if lamps != self._lamps:
            self._lamps = lamps
            lit, blinking = (frozenset(p.button for p in players) for players in (lamps.lit, lamps.blinking))
            self._lamp_due = self._board.lamps.show(lit, blinking, now)
        show = self._table.show(now)
        if show != self._show:
            self._show = show
            self._display.show(show)
        if out.power_off and self._power_off is not None:
            try:
                self._power_off()
            except UserError as error:
                self._hear("power", str(error))

    def _stored(self, ticket: int, trouble: str | None, now: float) -> None:
        known = "store" in self._troubles
        if trouble is not None and not known:
            self._tell("store", trouble, gone=True)
        elif trouble is None and known:
            self._tell("store", "the store can be written again: nothing is missing", gone=False)
        self._table.past = summary(self._keeper.past)
        if self._ticket and ticket >= self._ticket:
            self._let_out(now)

    def _let_out(self, now: float) -> None:
        held, self._held_back, self._ticket = self._held_back, [], 0
        for out in held:
            self._present(out, now)

    def _beat(self, now: float) -> None:
        if self._lamp_due is not None and now >= self._lamp_due:
            self._lamp_due = self._board.lamps.beat(now)
        if self._sound_due is not None and now >= self._sound_due:
            self._sound_due = self._board.buzzer.beat(now)

    # What goes wrong

    def _hear(self, about: str, text: str) -> None:
        self._queue.put(_Told(about, text))

    def _tell(self, about: str, text: str, *, gone: bool) -> None:
        (self._troubles.add if gone else self._troubles.discard)(about)
        self._table.tell(about, text, gone=gone)

    def _new_table(self, now: float, fresh: bool = False) -> Table:
        levels = self._board.levels()
        return Table(
            table_settings(self._effective),
            self._chance,
            now,
            held=frozenset(n for n, down in enumerate(levels, 1) if down),
            running=None if fresh else cut_off(self._store.running()),
            past=summary(self._keeper.past),
            rule_pages=pages,
        )

    def _recover(self, now: float) -> None:
        """A defect of ours must not end the evening: the match is taken up again from the store."""
        text = traceback.format_exc()
        print(text, file=sys.stderr, flush=True)
        self._catch_up(self._keeper.keep_error(text, _wall()))
        fresh = len(self._faults) == self._faults.maxlen and now - self._faults[0] < FAULTS_IN
        self._faults.append(now)
        self._held_back, self._edges, self._ticket = [], [], 0
        self._effective = load(self._effective.path, settings=self._store.settings(), fallback=None)
        self._table = self._new_table(now, fresh)
        self._table.tell("error", "something unexpected happened: the match goes on from the store", gone=True)
        self._bring_out(now)

    def _catch_up(self, ticket: int) -> None:
        """Wait, at most a second, until the store has all that it was given up to this ticket."""
        end = time.monotonic() + 1.0
        while (left := end - time.monotonic()) > 0:
            try:
                item = self._queue.get(timeout=left)
            except Empty:
                return
            if isinstance(item, _Stored) and item.ticket >= ticket:
                return
            if isinstance(item, _Asked):
                self._queue.put(item)
                return


def _wall() -> str:
    return datetime.now().isoformat(" ", "seconds")


def _notices(one: dict[str, Any]) -> None:
    if one["what"] == "notice":
        print(f"ubongo-box: {one['about']}: {one['text']}", file=sys.stderr, flush=True)


def command(args: argparse.Namespace) -> int:
    """`ubongo-box run`: 0 after SIGTERM or SIGINT; UserError if the store, the config or the pins cannot be had."""
    from device.parts.board import open_factory
    from device.parts.oled import DisplaySettings, open_oled
    from device.power import off

    store = Store(args.store)
    try:
        effective = load(args.config, overrides=args.overrides, settings=store.settings())
        try:
            factory = open_factory(effective.config.pin_factory)
        except UserError as error:
            raise UserError(f"{error}; without a Raspberry Pi: ubongo-box simulate", error.code) from None
        display = effective.config.display
        wanted = DisplaySettings(**{name: getattr(display, name) for name in display.__slots__})
        service = Service(
            effective,
            store,
            factory,
            lambda: open_oled(wanted, factory=factory),
            say=_notices,
            power_off=off,
            notify=Notify(),
        )
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: service.stop())
        signal.signal(signal.SIGUSR2, lambda *_: service.game_night())
        # Threads that draw and send give the loop its turn within half a millisecond (field notes, "Waiting").
        sys.setswitchinterval(0.0005)
        try:
            service.run()
        finally:
            factory.close()
        # The store's thread has closed it, or hangs on the card: then nobody may wait for it here either.
    except UserError:
        store.close()
        raise
    return 0
