"""The service: one loop that joins table, parts and store, on one queue. Nothing else moves the evening on.

The loop sleeps until an edge, an answer or an appointment comes, and never waits for the bus or the card.
"""

from __future__ import annotations

import gc
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from device.config import Effective
from device.errors import UserError
from device.game.chance import Chance, SystemChance
from device.mirror import Mirror
from device.notify import Notify
from device.past import Past
from device.plain import dataclass
from device.prepare import cut_off, summary, table_settings
from device.recorder import Recorder, Writer
from device.screen.draw import draw
from device.screen.lists import pages
from device.store import Store
from device.store_thread import StoreThread
from device.table.edges import Edge
from device.table.saves import Append, Finish, Save
from device.table.scenes import Lamps, Show
from device.table.table import Output, Table
from device.table.told import unfinished
from device.troubles import Troubles

if TYPE_CHECKING:
    import gpiozero

    from device.parts.oled import Oled

STALL = 10.0
"""Seconds a settled thing waits for the card before play goes on without it (ruling)."""
FAULTS_IN = 60.0
"""Seconds in which a third unexpected error gives the running match up instead of taking it up again."""

_SLACK = 1e-7

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
    scripts: the directory for what the flight recorder writes, None: nowhere. UserError from `run` if the pins cannot
    be had.
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
        scripts: Path | None = None,
    ) -> None:
        self._effective, self._store, self._factory, self._connect = effective, store, factory, connect
        self._recorder = Recorder(effective.values, chance or SystemChance())
        self._writer = Writer(scripts, complain)
        self._say = say or (lambda _: None)
        self._power_off = power_off
        self._notify = notify or Notify({})
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._inbox: deque[_Item] = deque()
        self._began = time.monotonic()
        self._troubles = Troubles()
        self._faults: deque[float] = deque(maxlen=3)
        # What waits for the card: the newest settled thing's ticket, since when, and what came of it and after it.
        self._ticket = 0
        self._since = 0.0
        self._held_back: list[Output] = []
        # The card has not answered in STALL seconds: until it does, nobody waits for it.
        self._stalled = False
        self._edges: list[Edge] = []
        self._lamps: Lamps | None = None
        self._show: Show | None = None
        self._lamp_due: float | None = None
        self._sound_due: float | None = None
        # When Stop will sound if no edge comes before, and whether it did, ahead of the table that asks for it.
        self._stop_due = inf
        self._rang = False
        self._alive = 0.0
        self._stopping = False
        self._past = Past()
        self.kept = True
        """Whether the end left nothing unwritten and the store closed; False while a card stalls."""

    @property
    def language(self) -> str:
        """The language of what is shown; from any thread."""
        return self._effective.config.language if self._show is None else self._show.language

    def stop(self) -> None:
        """End the loop; from any thread or signal handler."""
        # A flag beside the queue: no error on the way may lose it.
        self._stopping = True
        self._queue.put(_Asked("stop"))

    def record(self) -> None:
        """Write the last hour as a rehearsal script; from any thread or signal handler."""
        self._queue.put(_Asked("record"))

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
            # Before the store has a thread of its own: from then on only that one asks it.
            self._mirror, trouble = Mirror(self._store.running()), self._store.trouble
            put = self._queue.put
            keeper = StoreThread(self._store, lambda ticket, trouble: put(_Stored(ticket, trouble)), marks=False)
        except BaseException:
            board.close()
            raise
        self._board, self._display, self._keeper = board, display, keeper
        with ExitStack() as end:
            # Quiet and dark before anything that may take its time; each whatever becomes of the others.
            end.callback(board.close)
            end.callback(self._close_keeper)
            end.callback(display.close, 0.7)
            end.callback(lambda: board.lamps.show(frozenset(), frozenset(), time.monotonic()))
            end.callback(board.buzzer.silence)
            end.callback(self._notify.stopping)
            self._settings = table_settings(self._effective)
            self._set_table(time.monotonic())
            for warning in self._effective.warnings:
                self._hear("config", warning)
            if trouble:
                self._hear("store", trouble)
            self._notify.ready()
            # What exists now lives as long as the box: the collector need not look at it in mid-glass.
            gc.collect()
            gc.freeze()
            self._loop()

    def _close_keeper(self) -> None:
        self.kept = self._keeper.close(0.7)

    # The loop

    def _loop(self) -> None:
        while not self._stopping:
            now = time.monotonic()
            # A sign of life is taken along with whatever else woke the loop, if half of its time is over.
            if now >= self._alive + self._notify.beat / 2:
                self._alive = now
                self._notify.alive()
            try:
                self._wait(0.0 if self._inbox else self._due() - now)
                now = time.monotonic()
                self._ring(now)
                self._work(now)
            except Exception:
                self._recover()

    def _due(self) -> float:
        alive = self._alive + self._notify.beat
        parts = min(inf if due is None else due for due in (self._lamp_due, self._sound_due))
        card = self._since + STALL if self._ticket else inf
        table = self._table.due if self._plays else inf
        stop = self._table.scene.stops(self._table)
        self._stop_due = stop if stop <= table else inf
        return min(alive, parts, card, self._troubles.due, table)

    def _ring(self, now: float) -> None:
        """Stop is due: it sounds at once. The table comes to the same after half a millisecond of Python (x86)."""
        due, self._stop_due = self._stop_due, inf
        if now >= due and not self._stopping and not any(isinstance(item, Edge) for item in self._inbox):
            self._sound_due = self._board.buzzer.play("stop", now)
            self._rang = True

    @property
    def _plays(self) -> bool:
        """Whether the table may go on: a press is only taken once what it answers is shown, but no clock waits."""
        return not self._ticket or self._table.e.play.since is not None

    def _wait(self, seconds: float) -> None:
        """Fetch everything in the queue, waiting for the first of it at most `seconds`."""
        with suppress(Empty):
            if seconds > 0:
                # An hour at a time: a lock cannot wait for ever.
                self._inbox.append(self._queue.get(timeout=min(seconds, 3600.0)))
            while True:
                self._inbox.append(self._queue.get_nowait())

    def _work(self, now: float) -> None:
        # Taken one by one: should one of them break something, the others are still there.
        while self._inbox:
            item = self._inbox.popleft()
            match item:
                case Edge():
                    self._edges.append(item)
                case _Stored(ticket, trouble):
                    self._stored(ticket, trouble, now)
                case _Told(about, text):
                    # The parts tell once when something goes and once when it is back.
                    self._tell(about, text, gone=not text.endswith(" is back"))
                case _Asked("game-night"):
                    self._recorder.add("game-night", now)
                    self._table.game_night(now)
                case _Asked("record"):
                    self._writer.write(self._recorder.script("somebody asked (SIGUSR1)", now))
        if self._stopping:
            return
        if self._ticket and now >= self._since + STALL:
            self._stalled = True
            self._tell("store", "the card does not answer: playing on", gone=True)
            self._let_out(now)
        if self._troubles.expire(now):
            self._table.notice = self._troubles.newest
        if self._plays:
            self._play(now)
        self._beat(now)

    def _play(self, now: float) -> None:
        table = self._table
        edges, self._edges = sorted(self._edges, key=lambda edge: edge.stamp), []
        levels = self._board.levels()
        self._recorder.hear(edges, levels, table.due, now)
        table.levels(levels, now)
        table.edges(edges, now)
        self._bring_out(now, touched=bool(edges))
        if table.at_rest and not self._held_back:
            e = table.e
            self._recorder.rest(now, running=self._mirror.running, joined=e.joined, past=table.past)

    def _bring_out(self, now: float, touched: bool = True) -> None:
        """What came of it: sounds at once, the rest when what was settled is on disk. touched: edges were taken."""
        out = self._table.take_output()
        self._recorder.played(out.saves, bool(out.said or out.saves))
        ticket = self._save(out.saves) if out.saves else 0
        settled = any((isinstance(save, Append) and save.settled) or isinstance(save, Finish) for save in out.saves)
        if "stop" in out.sounds:
            # Stop never waits.
            if not self._rang:
                self._sound_due = self._board.buzzer.play("stop", now)
            out.sounds = out.sounds[out.sounds.index("stop") + 1 :]
        self._rang = False
        if settled and not self._stalled:
            self._since = self._since if self._ticket else now
            self._ticket = ticket
        if self._ticket:
            self._held_back.append(out)
            return
        self._present(out, now, touched)

    def _save(self, saves: list[Save]) -> int:
        when = _wall()
        self._mirror.take(saves, when)
        return self._keeper.save(saves, when)

    def _present(self, out: Output, now: float, touched: bool = True) -> None:
        for one in out.said:
            self._say_on({"t": round(now - self._began, 3), **one})
        for sound in out.sounds:
            self._sound_due = self._board.buzzer.play(sound, now)
        lamps = self._table.lamps
        if lamps != self._lamps:
            self._lamps = lamps
            lit, blinking = (frozenset(p.button for p in players) for players in (lamps.lit, lamps.blinking))
            self._lamp_due = self._board.lamps.show(lit, blinking, now)
        # What only runs on is drawn when its next picture is due, whatever else has woken the loop.
        runs = self._table.scene.moving(self._table) and now < self._table.next_picture - _SLACK
        if touched or out.said or not runs:
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
        self._stalled = False
        known = self._troubles.text("store")
        if trouble is not None and not known:
            self._tell("store", trouble, gone=True)
        elif trouble is None and known and "set aside" in known:
            # It can be written, and said what is missing.
            self._troubles.fade("store", now)
        elif trouble is None and known:
            self._tell("store", "the store can be written again: nothing is missing", gone=False)
        if self._keeper.past is not self._past:
            self._past = self._keeper.past
            self._table.past = summary(self._past, self._table.settings.editions)
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

    def _say_on(self, one: dict[str, Any]) -> None:
        try:
            self._say(one)
        except Exception:
            # Whoever listens: the evening is not his to end.
            complain(traceback.format_exc())

    def _tell(self, about: str, text: str, *, gone: bool) -> None:
        now = time.monotonic()
        self._recorder.note(f"{about}: {text}", now)
        self._table.tell(about, text, gone=gone)
        if gone:
            self._troubles.gone(about, text, now)
        else:
            self._troubles.back(about)
        self._table.notice = self._troubles.newest

    def _new_table(self, now: float, fresh: bool) -> Table:
        settings = self._settings
        for key, value in self._mirror.made.items():
            settings = settings.changed(key, value)
        held = frozenset(n for n, down in enumerate(self._board.levels(), 1) if down)
        self._past = self._keeper.past
        past = summary(self._past, settings.editions)
        running = None if fresh else self._mirror.running
        self._recorder.begin(now, held, running, past)
        return Table(
            settings,
            self._recorder.chance,
            now,
            held=held,
            running=cut_off(running),
            past=past,
            rule_pages=pages,
        )

    def _set_table(self, now: float, fresh: bool = False, told: str = "") -> None:
        """A table on which the match that was cut off is offered; `fresh`: or given up. `told`: why it is another."""
        self._held_back, self._edges, self._ticket = [], [], 0
        running = self._mirror.running
        if fresh and running is not None:
            # Kept as unfinished: it must not be offered again, and break again, at the next start.
            self._save([Finish(unfinished(running.head))])
        try:
            self._table = self._new_table(now, fresh)
            if told:
                self._tell("error", told, gone=True)
            self._table.notice = self._troubles.newest
            self._bring_out(now)
        except Exception:
            if fresh:
                raise
            self._keep_error(now)
            self._set_table(now, fresh=True, told="the match cannot be taken up again: it is kept as unfinished")

    def _recover(self) -> None:
        """A defect of ours must not end the evening: the match is taken up again as it was kept."""
        now = time.monotonic()
        self._keep_error(now)
        self._faults.append(now)
        if len(self._faults) == self._faults.maxlen and now - self._faults[0] < FAULTS_IN:
            self._faults.clear()
            self._set_table(now, fresh=True, told="something unexpected happened again: the match is given up")
        else:
            self._set_table(now, told="something unexpected happened: the match goes on from the store")

    def _keep_error(self, now: float) -> None:
        text = traceback.format_exc()
        complain(text)
        self._keeper.keep_error(text, _wall())
        self._writer.write(self._recorder.script(f"error: {text.strip().splitlines()[-1]}", now, error=True))


def complain(text: str) -> None:
    """To the journal; that nobody reads it is no reason to stop."""
    with suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def notices(one: dict[str, Any]) -> None:
    """A notice of the transcript, to the journal; the display shows it for a while only, and to whoever looks."""
    if one["what"] == "notice":
        complain(f"ubongo-box: {one['about']}: {one['text']}")


def _wall() -> str:
    return datetime.now().isoformat(" ", "seconds")
