"""The power strip is kicked: the service is killed at any moment, started again, and asked what it still knows.

The parent keeps a model of the store from what the child handed to it and had acknowledged. SIGKILL leaves the
kernel's cache alone, so a lost fsync is not seen here: the store's own tests ask for that.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from device.game import editions, rules
from device.game.events import Card, Counted, Gave, Outcome, Ranked, Returned, Scored, from_json
from device.game.match import begin
from device.game.players import Player
from tests.soak import life
from tests.soak.laws import Broken, check_match, need
from tests.soak.report import Budget, Result

KILLS, SHORT_KILLS, DAMAGED, SHORT_DAMAGED = 1000, 50, 300, 8
PATIENCE = 60.0
"""Seconds after which a child that has not said what is waited for hangs."""
LOST = 0.25
"""Seconds of a glass that a power cut may cost: it is kept five times a second, and writing takes its time."""
GAP = 1.5
"""Seconds between two marks of a running clock that even a busy machine does not explain."""
SETTLED = ("gem", "scored", "track", "returned", "card", "final")

State = tuple[Any, ...]


@dataclass
class Life:
    """What one child wrote."""

    pid: int
    handle: int
    lines: list[dict[str, Any]] = field(default_factory=list)
    rest: bytes = b""
    closed: bool = False

    def read(self, seconds: float) -> None:
        """What it writes within this time, or until it writes something."""
        ready, _, _ = select.select([self.handle], [], [], max(0.0, seconds))
        if not ready:
            return
        data = os.read(self.handle, 1 << 16)
        self.closed = not data
        *whole, self.rest = (self.rest + data).split(b"\n")
        self.lines += [json.loads(line) for line in whole]

    def until(self, key: str) -> dict[str, Any]:
        """The first line with this key. Broken if there is none."""
        end, seen = time.monotonic() + PATIENCE, 0
        while True:
            for line in self.lines[seen:]:
                if key in line:
                    return line
            seen = len(self.lines)
            need(not self.closed, f"the box ended by itself: {self.lines[-3:]}")
            need(time.monotonic() < end, f"the box never came to {key}: {self.lines[-3:]}")
            self.read(0.2)

    def wait(self, seconds: float) -> None:
        """Let it live."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.closed:
            self.read(left)

    def kill(self) -> float:
        """End it, if it has not done so itself; gives when. All it wrote is read."""
        at = time.monotonic()
        os.kill(self.pid, signal.SIGKILL)
        end = at + PATIENCE
        while not self.closed:
            need(time.monotonic() < end, "the box does not end")
            self.read(0.2)
        os.close(self.handle)
        os.waitpid(self.pid, 0)
        return next((line["at"] for line in self.all("killed")), at)

    def all(self, key: str) -> list[dict[str, Any]]:
        """Its lines of this kind."""
        return [line for line in self.lines if key in line]


def start(path: Path, seed: int, edition: str, commit: int) -> Life:
    """A box that is switched on; `commit`: see life.begin."""
    read, write = os.pipe()
    pid = life.begin(path, seed, edition, read, write, commit)
    os.close(write)
    return Life(pid, read)


def frozen(kept: Any) -> State:
    """A running match in a form that can be compared."""
    return (None,) if kept is None else (json.dumps(kept[0]), tuple(map(json.dumps, kept[1])), json.dumps(kept[2]))


class Model:
    """What the store may hold: every state since the last one that was acknowledged."""

    def __init__(self, kept: Any) -> None:
        self.head, self.events, self.mark = (None, [], {}) if kept is None else kept
        self.events = list(self.events)
        self.states: list[State] = [self.state]
        self.finishes = [0]

    @property
    def state(self) -> State:
        return frozen(None if self.head is None else [self.head, self.events, self.mark])

    def hand(self, saves: list[list[Any]]) -> None:
        """The child handed these to its store."""
        finished = self.finishes[-1]
        for save in saves:
            match save:
                case ["begin", head]:
                    self.head, self.events, self.mark = head, [], {}
                case ["append", events, mark, _]:
                    self.events, self.mark = [*self.events, *events], mark
                case ["mark", mark]:
                    self.mark = mark
                case ["finish", _]:
                    self.head, self.events, self.mark, finished = None, [], {}, finished + 1
        self.states.append(self.state)
        self.finishes.append(finished)


class Strip:
    """A power strip with one box on it, kicked again and again."""

    def __init__(self, path: Path, rng: random.Random) -> None:
        self.path, self.rng = path, rng
        self.edition = rng.choice([one.id for one in editions.available(None)])
        self.kept: Any = None
        self.matches = 0
        # Outcomes shown since the match began, over all lives.
        self.shown: list[dict[str, Any]] = []
        self.losses: list[float] = []
        self.inside = self.settled = self.resumed = 0
        self.damaged = False
        self.states: set[State] = {(None,)}
        # What the last life may have left: the state, and how many matches are over at least.
        self.allowed: set[State] = {(None,)}
        self.least = 0

    def once(self) -> None:
        """Switch on, look what is left, play a moment, kill. Broken where a law does not hold."""
        rng = self.rng
        commit = rng.randrange(1, 4) if rng.random() < 0.4 else 0
        box = start(self.path, rng.randrange(1 << 30), self.edition, commit)
        try:
            found = box.until("kept")
            first = box.until("said")["said"]
            self.compare(found, first)
            self.kept, self.matches = found["kept"], found["matches"]
            box.wait(3.0 if commit else rng.choice((0.1, 0.5, 1.5)) * rng.random())
        finally:
            at = box.kill()
        self.learn(box, at)

    def compare(self, found: dict[str, Any], first: dict[str, Any]) -> None:
        """What came back is what the last life had kept."""
        state = frozen(found["kept"])
        if self.damaged:
            need(state in self.states, "what comes out of a damaged store once was in it")
            # A torn -wal leads back to the last checkpoint, which may be lives ago: every state counts.
            self.shown = []
        else:
            need(found["trouble"] is None, f"a store that was only cut off is whole: {found['trouble']}")
            need(state in self.allowed, f"what was acknowledged is there, and nothing else: {found['kept']}")
            need(found["matches"] >= self.least, f"{self.least} matches were over, {found['matches']} are kept")
        offered = "resume" if found["kept"] is not None else "lobby"
        need(first == {**first, "what": "scene", "scene": offered}, f"{offered} is offered, not {first}")
        if found["kept"] is not None and found["kept"][0]["kind"] == "match":
            self.outcomes(*found["kept"][:2])
        elif found["kept"] is None:
            self.shown = []

    def outcomes(self, head: dict[str, Any], kept: list[Any]) -> None:
        """Everything shown as settled follows from what was kept."""
        edition = {one.id: one for one in editions.available(None)}[head["edition"]]
        edition = edition.variant(head["start"], tuple(head["symbols"]))
        players = tuple(Player(p) for p in head["players"])
        first = None if head["first"] is None else Player(head["first"])
        match = begin(edition, players, first, head["side"], head["scoring"], head["cards"])
        follows: list[tuple[str, Any]] = []
        for event in kept:
            match, outcomes = rules.apply(match, from_json(event))
            check_match(match)
            follows += [_plain(outcome) for outcome in outcomes]
        rest = iter(follows)
        for one in self.shown:
            wanted = _said(one)
            need(any(wanted == candidate for candidate in rest), f"shown, but not kept: {one}; kept: {follows}")

    def learn(self, box: Life, at: float) -> None:
        """What the life that has just ended kept for certain, and what it may have kept."""
        for defect in [*box.all("defect"), *box.all("error")]:
            raise Broken(f"the box complained: {defect}")
        model = Model(self.kept)
        done = 0
        for line in box.lines:
            if "handed" in line:
                if [save[0] for save in line["handed"]][:1] == ["begin"]:
                    self.shown = []
                model.hand(line["handed"])
            elif "done" in line:
                done = max(done, line["done"])
            elif "said" in line and _is_settled(line["said"]):
                self.shown.append(line["said"])
        self.allowed = set(model.states[done:])
        self.least = self.matches + model.finishes[done]
        self.states |= set(model.states)
        self.inside += sum(1 if line["flush"] else -1 for line in box.all("flush"))
        self.settled += sum(_is_settled(line["said"]) for line in box.all("said"))
        self.resumed += self.kept is not None
        self.loss(box, at)

    def loss(self, box: Life, at: float) -> None:
        """How much of a running glass this kill has cost: since the newest mark that was acknowledged."""
        marks = [
            (n, line) for n, line in enumerate(box.all("handed"), 1) if line["handed"][-1][0] in ("mark", "append")
        ]
        done = max((line["done"] for line in box.all("done")), default=0)
        clock = [(n, line["at"], line["handed"][-1][-1 if line["handed"][-1][0] == "mark" else 2]) for n, line in marks]
        running = [(n, when, mark["played"]) for n, when, mark in clock if mark.get("played")]
        if len(running) < 2 or not 0.0 < running[-1][2] - running[-2][2] < GAP:
            return
        # It ran until the end only if the newest marks were as far apart as the clock says.
        for (_, when, played), (_, later, more) in pairwise(running):
            if more > played:
                need(later - when < GAP, f"the clock ran {later - when:.2f} s without a mark")
        sure = [when for n, when, _ in running if n <= done]
        if sure and at - running[-1][1] < GAP:
            self.losses.append(at - sure[-1])

    def damage(self) -> str:
        """Tear or flip the file at rest."""
        rng = self.rng
        wal = Path(f"{self.path}-wal")
        target = wal if wal.exists() and wal.stat().st_size and rng.random() < 0.4 else self.path
        data = bytearray(target.read_bytes())
        if rng.random() < 0.5:
            size = rng.randrange(len(data))
            target.write_bytes(data[:size])
            what = f"{target.name} torn at {size} of {len(data)}"
        else:
            for _ in range(rng.choice((1, 1, 5, 50))):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            target.write_bytes(data)
            what = f"bits of {target.name} flipped"
        self.damaged = True
        return what


def _is_settled(one: dict[str, Any]) -> bool:
    # A card without a fate was only chosen.
    return one["what"] in SETTLED and (one["what"] != "card" or len(one) > 4)


def _plain(outcome: Outcome) -> tuple[str, Any]:
    match outcome:
        case Gave(player, gem, source):
            return "gem", (player, gem, source)
        case Returned(gem):
            return "returned", gem
        case Counted(sapphires, ambers):
            return "track", (sapphires, ambers)
        case Card(player, stack, fate, _):
            return "card", (player, stack, fate)
        case Scored(number, scores):
            return "scored", (number, dict(scores))
        case Ranked(scores, _):
            return "final", dict(scores)
    return "other", None


def _said(one: dict[str, Any]) -> tuple[str, Any]:
    match one["what"]:
        case "gem":
            return "gem", (one["player"], one["gem"], one["source"])
        case "returned":
            return "returned", one["gem"]
        case "track":
            return "track", (one["sapphires"], one["ambers"])
        case "card":
            fate = next((fate for fate in ("kept", "given", "out") if fate in one), "")
            return "card", (one["player"], one["stack"], fate)
        case "scored":
            return "scored", (one["round"], one["scores"])
    return "final", one["scores"]


def trial(budget: Budget) -> Result:
    """Kills. Every twenty or so another box, another edition."""
    result = Result("power: SIGKILL at a random moment, then on again")
    losses: list[float] = []
    inside, settled, resumed, seed = 0, 0, 0, budget.seed
    while result.count < KILLS and budget.left(result.count, SHORT_KILLS):
        with TemporaryDirectory(prefix="ubongo-power-") as folder:
            strip = Strip(Path(folder) / "box.sqlite", random.Random(seed))
            for _ in range(25):
                if not budget.left(result.count, SHORT_KILLS) or result.count >= KILLS:
                    break
                result.count += 1
                try:
                    strip.once()
                except Broken as wrong:
                    result.wrong(seed, f"{strip.edition}: {wrong}")
                    break
            losses += strip.losses
            inside += strip.inside
            settled += strip.settled
            resumed += strip.resumed
        seed += 1
    text = f"{resumed} matches cut off, {settled} settled things shown, {inside} kills inside a commit"
    if not (resumed and settled and inside):
        result.wrong(budget.seed, f"this has tried nothing: {text}")
    if len(losses) > 20:
        cuts = quantiles(losses, n=100)
        text += f"; a running glass lost {cuts[49]:.2f} s (median), {cuts[94]:.2f} s (p95), {max(losses):.2f} s (most)"
    result.remark = text
    return result


def damaged(budget: Budget) -> Result:
    """The store torn or flipped at rest: the box starts all the same, with what once was true or with nothing."""
    result = Result("power: the store torn or flipped at rest")
    aside, seed = 0, budget.seed
    while result.count < DAMAGED and budget.left(result.count, SHORT_DAMAGED):
        with TemporaryDirectory(prefix="ubongo-torn-") as folder:
            strip = Strip(Path(folder) / "box.sqlite", random.Random(seed))
            for _ in range(5):
                if not budget.left(result.count, SHORT_DAMAGED):
                    break
                what = ""
                try:
                    strip.once()
                    what = strip.damage()
                    result.count += 1
                    strip.once()
                    strip.damaged = False
                except Broken as wrong:
                    result.wrong(seed, f"{strip.edition}, {what}: {wrong}")
                    break
            aside += len(list(Path(folder).glob("*.damaged")))
        seed += 1
    result.remark = f"{aside} set aside"
    return result
