"""Mashing: random edges on a table in virtual time, for every edition, with lawful presses between so that it goes on.

The table alone, no thread: a million edges in minutes. Every state is held against the laws.
"""

from __future__ import annotations

import gc
import json
import random
import traceback
from typing import Any

from device.game import editions
from device.game.chance import SeededChance
from device.game.editions import Edition
from device.mirror import Mirror
from device.prepare import cut_off
from device.table.edges import Edge
from device.table.saves import Finish
from device.table.settings import TableSettings
from device.table.table import Table
from tests.soak.laws import Broken, Watch, check_undo, need
from tests.soak.report import Budget, Result

EDGES = 1_000_000
SHORT_EDGES = 50_000
STRETCH = 5_000
"""Edges of one seed: what has to be repeated to see a violation again."""
FRAME = 0.5
"""Seconds between two pictures of a running glass: enough to see its digits go down."""

WHATS = {
    "scene",
    "joined",
    "left",
    "youngest",
    "started",
    "rolled",
    "flip",
    "claim",
    "withdrawn",
    "late",
    "stop",
    "gem",
    "returned",
    "track",
    "card",
    "scored",
    "playoff",
    "final",
    "alone",
    "undone",
    "sound",
    "notice",
    "resumed",
}


class Masher:
    """One table and what plays on it."""

    def __init__(self, seed: int, edition: str, own: Edition | None = None) -> None:
        """`own`: a home-made edition to play in place of the one called `edition`."""
        self.rng = rng = random.Random(seed)
        self.chance = SeededChance(seed)
        known = {one.id: one for one in editions.available(None)}
        if own is not None:
            known = {own.id: own}
        self.settings = TableSettings(
            editions=known,
            edition_id=edition if own is None else own.id,
            side=rng.choice("AB"),
            scoring=rng.choice(("track", "no-luck")),
            bag=rng.choice(("box", "cloth")),
            cards=rng.choice(("all", "first-only")),
            glass_seconds=rng.choice((None, 5, 5, 8)),
            sound=rng.random() < 0.8,
            handicap=dict.fromkeys(_some(rng), 3) if rng.random() < 0.3 else {},
            choices={"edition": tuple(known), "side": ("A", "B"), "sound": (True, False), "glass_seconds": (None, 5)},
        )
        self.now = 1000.0
        self.mirror = Mirror(None)
        self.table = Table(self.settings, self.chance, self.now, frame=FRAME)
        self.watch = Watch()
        self.edges = 0
        self.down: set[int] = set()
        self.finished: list[Any] = []
        self.furthest = 0
        self.said: dict[str, int] = {}
        self.take()

    # Time and edges

    def take(self) -> None:
        """What came out is lawful, and is kept as the store keeps it."""
        out = self.table.take_output()
        for one in out.said:
            need(one["what"] in WHATS, f"{one['what']} is nothing the box says")
            self.said[one["what"]] = self.said.get(one["what"], 0) + 1
        if out.sounds and not self.table.settings.sound:
            loud = [one for one in out.said if one["what"] == "sound" and one["sound"] != "stop"]
            # The setting may have been changed by this very press.
            need(not loud or "settings" in self.table.scene.name, f"muted, but it sounds: {loud}")
        self.mirror.take(out.saves, "now")
        self.finished += [save.outcome for save in out.saves if isinstance(save, Finish)]
        for save in out.saves:
            if isinstance(save, Finish):
                json.dumps(save.outcome)
        match = self.table.e.match
        self.furthest = 0 if match is None else max(self.furthest, match.round)
        self.watch.look(self.table, self.now)

    def until(self, at: float) -> None:
        """Wake it whenever it asked to be woken, sometimes a little late."""
        rng, guard = self.rng, 0
        while (due := self.table.due) <= at:
            self.now = max(self.now, due + (rng.random() * 0.02 if rng.random() < 0.1 else 0.0))
            self.table.wake(self.now)
            self.take()
            guard += 1
            need(guard < 100_000, "the table wants to be woken without end")
        self.now = max(self.now, at)

    def send(self, *edges: Edge) -> None:
        """These are heard of now."""
        self.edges += len(edges)
        for edge in edges:
            (self.down.add if edge.down else self.down.discard)(edge.button)
        self.table.edges(sorted(edges, key=lambda edge: edge.stamp), self.now)
        self.take()

    def flip(self, button: int, late: float = 0.0) -> None:
        """The button goes down if it is up, and up if it is down."""
        stamp = self.now
        if late:
            self.until(self.now + late)
        self.send(Edge(button, button not in self.down, stamp))

    def wait(self, seconds: float) -> None:
        self.until(self.now + seconds)

    # What fingers do

    def tap(self, button: int, seconds: float = 0.06) -> None:
        self.flip(button)
        self.wait(seconds)
        self.flip(button)
        self.wait(0.03)

    def step(self) -> None:
        """One thing somebody does."""
        rng = self.rng
        kind = rng.random()
        lamps = self.table.lamps
        wanted = [player.button for player in sorted(lamps.lit | lamps.blinking)]
        if kind < 0.42 and wanted:
            self.tap(rng.choice(wanted), rng.choice((0.02, 0.06, 0.2)))
        elif kind < 0.62:
            self.flip(rng.choice((1, 2, 3, 4)), rng.choice((0.0, 0.0, 0.001, 0.05)))
            self.wait(rng.choice((0.0, 0.0005, 0.002, 0.01, 0.1)))
        elif kind < 0.72:
            self.tap(rng.choice((1, 2, 3, 4)))
        elif kind < 0.77:
            self.tap(rng.choice((1, 2, 3, 4)), 1.6)
        elif kind < 0.79:
            button = rng.choice((1, 2, 3, 4))
            # A burst, and now and then one that does not settle in the 50 ms it is given.
            gap, count = rng.choice(((0.004, rng.randrange(3, 40)),) * 5 + ((0.002, 60),))
            for _ in range(count):
                self.flip(button)
                self.wait(rng.random() * gap)
        elif kind < 0.82:
            self.together(2, 1.6)
        elif kind < 0.84:
            self.together(3, 2.1)
        elif kind < 0.93:
            self.wait(rng.choice((0.1, 0.8, 2.1)))
        elif kind < 0.985:
            self.wait(rng.choice((5.1, 10.3)))
        elif kind < 0.995:
            self.cut()
        else:
            self.wait(rng.choice((30.0, 400.0, 1000.0)))

    def together(self, count: int, seconds: float) -> None:
        """Some buttons down nearly at once, for this long."""
        buttons = self.rng.sample((1, 2, 3, 4), count)
        for _ in range(2):
            for button in buttons:
                self.flip(button)
                self.wait(self.rng.random() * 0.01)
            self.wait(seconds)

    def cut(self) -> None:
        """The power goes. What was kept leads to the very same match."""
        running, match = self.mirror.running, self.table.e.match
        if running is not None:
            running = type(running)(*json.loads(json.dumps((running.head, running.events, running.mark, running.when))))
        held, past = frozenset(self.down), cut_off(running)
        after = Table(self.settings, self.chance, self.now, held=held, running=past, frame=FRAME)
        if running is not None:
            need(after.e.overlay == "resume", f"a match that was cut off is offered: {after.take_output().said}")
            need(after.e.match == match, "the match after the cut is the match before it")
            if match is not None:
                check_undo(match, self.furthest)
        self.table = after
        self.watch.cut()
        self.take()

    def run(self, edges: int) -> None:
        """Play until there were so many edges; at the end all is let go, and the box falls asleep dark."""
        while self.edges < edges:
            self.step()
        for button in sorted(self.down):
            self.flip(button)
        self.wait(1000.0)
        if self.table.e.match is not None and self.table.e.head is not None:
            check_undo(self.table.e.match, self.furthest)


def _some(rng: random.Random) -> list[Any]:
    from device.game.players import SEATS

    return rng.sample(SEATS, rng.randrange(1, 4))


def mash(seed: int, edges: int = STRETCH) -> Masher:
    """One stretch; the edition goes by the seed. Raises whatever was wrong."""
    known = [one.id for one in editions.available(None)]
    masher = Masher(seed, known[seed % len(known)])
    masher.run(edges)
    return masher


def trial(budget: Budget) -> Result:
    """Stretches until the budget is used up (the short form: 50,000 edges; the long one: a million and no more)."""
    result = Result("mashing: random edges on the table, every edition")
    said: dict[str, int] = {}
    finished, seed, objects = 0, budget.seed, 0
    wanted = SHORT_EDGES if budget.short else EDGES
    while result.count < wanted and (budget.short or budget.left(0, 0)):
        try:
            masher = mash(seed)
        except (Broken, Exception) as wrong:
            where = traceback.extract_tb(wrong.__traceback__)[-1]
            result.wrong(seed, f"{type(wrong).__name__}: {wrong} ({where.name}:{where.lineno})")
        else:
            for what, count in masher.said.items():
                said[what] = said.get(what, 0) + count
            finished += len(masher.finished)
        result.count += STRETCH
        seed += 1
        masher = None  # type: ignore[assignment]  # so that nothing of it is counted below
        gc.collect()
        grown = len(gc.get_objects())
        if objects and grown > objects * 1.2 + 10_000:
            result.wrong(seed - 1, f"memory grows: {objects} objects, then {grown}")
        objects = objects or grown
    # A tie after nine mashed rounds is rare: only the long form is sure to meet one.
    missing = sorted(WHATS - set(said) - {"left"} - ({"playoff"} if budget.short else set()))
    if missing:
        result.wrong(budget.seed, f"the mashing never reached {', '.join(missing)}")
    result.remark = f"{finished} matches ended, {said.get('claim', 0)} claims, {said.get('undone', 0)} undone"
    return result
