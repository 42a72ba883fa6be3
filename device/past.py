"""What is kept of finished matches: the outcomes, each name's tally, the records, and what one match adds to them.

SQL only on a connection that is handed in. No file is opened here and nothing of the running match is known.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, fields, replace
from typing import Any

from device.plain import dataclass
from device.store_rows import Spoiled, parsed

Json = Mapping[str, Any]

SCHEMA = (
    "CREATE TABLE match (id INTEGER PRIMARY KEY, at TEXT NOT NULL, outcome TEXT NOT NULL)",
    """CREATE TABLE tally (
        name TEXT NOT NULL, edition TEXT NOT NULL,
        matches INTEGER NOT NULL, wins INTEGER NOT NULL,
        races INTEGER NOT NULL, solves INTEGER NOT NULL, firsts INTEGER NOT NULL,
        timed INTEGER NOT NULL, seconds REAL NOT NULL, fastest REAL,
        ruby INTEGER NOT NULL, sapphire INTEGER NOT NULL, emerald INTEGER NOT NULL, amber INTEGER NOT NULL,
        run INTEGER NOT NULL, longest INTEGER NOT NULL,
        alone INTEGER NOT NULL, tasks INTEGER NOT NULL,
        PRIMARY KEY (name, edition)) WITHOUT ROWID""",
    """CREATE TABLE record (
        edition TEXT NOT NULL, side TEXT NOT NULL, what TEXT NOT NULL, number INTEGER NOT NULL,
        scoring TEXT NOT NULL, value REAL NOT NULL, name TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (edition, side, what, number, scoring)) WITHOUT ROWID""",
)

# Every statement by name, so that a test can ask SQLite how it would run each of them.
SQL = {
    "next match": "SELECT coalesce(max(id), 0) + 1 FROM match",
    "one match": "SELECT at, outcome FROM match WHERE id = ?",
    "keep match": "INSERT INTO match (id, at, outcome) VALUES (?, ?, ?)",
    "one tally": "SELECT * FROM tally WHERE name = ? AND edition = ?",
    "keep tally": f"INSERT OR REPLACE INTO tally VALUES ({', '.join('?' * 18)})",
    "one record": "SELECT * FROM record WHERE edition = ? AND side = ? AND what = ? AND number = ? AND scoring = ?",
    "keep record": f"INSERT OR REPLACE INTO record VALUES ({', '.join('?' * 8)})",
    "newest matches": "SELECT id, at, outcome FROM match WHERE id < ? ORDER BY id DESC LIMIT ?",
    "tallies": "SELECT * FROM tally ORDER BY name, edition",
    "records": "SELECT * FROM record ORDER BY edition, side, what, number, scoring",
}


_BEYOND, _CHUNK = 2**62, 200


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match in the history; `outcome` has the keys of device.table.saves.Finish, `when` is a label."""

    id: int
    when: str
    outcome: Json

    @property
    def unfinished(self) -> bool:
        """It was given up."""
        return bool(self.outcome.get("unfinished"))

    def name(self, player: str) -> str:
        """What this player was called then: the name of the config, else the colour."""
        return str(self.outcome.get("names", {}).get(player) or player)

    @property
    def scores(self) -> tuple[tuple[str, int], ...]:
        """(name, points) in seat order; empty for a run alone."""
        scores = self.outcome.get("scores") or {}
        return tuple((self.name(p), int(scores[p])) for p in self.outcome.get("players", ()) if p in scores)

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of all who share rank 1; nobody in a match that was given up."""
        return () if self.unfinished else tuple(self.name(p) for p in self.outcome.get("wins", ()))


@dataclass(frozen=True, slots=True)
class Tally:
    """One name's figures in one edition (or, from `total`, in all of them: edition "").

    A match that was given up adds its rounds (races, solves, firsts, times), but is no match, win or gem. A counted
    match adds match, win and gems. A run alone adds only to `alone` and `tasks` (tasks solved in such runs).
    `run`/`longest`: rounds solved one after the other, carried on into the next match of the edition.
    """

    name: str
    edition: str
    matches: int = 0
    wins: int = 0
    races: int = 0
    solves: int = 0
    firsts: int = 0
    timed: int = 0
    seconds: float = 0.0
    fastest: float | None = None
    ruby: int = 0
    sapphire: int = 0
    emerald: int = 0
    amber: int = 0
    run: int = 0
    longest: int = 0
    alone: int = 0
    tasks: int = 0

    @property
    def rate(self) -> float | None:
        """Rounds solved of rounds raced, 0 to 1; None before the first round."""
        return self.solves / self.races if self.races else None

    @property
    def mean(self) -> float | None:
        """Mean time of the solves that had one, in seconds."""
        return self.seconds / self.timed if self.timed else None

    @property
    def gems(self) -> dict[str, int]:
        """Gems of finished matches by kind."""
        return {"ruby": self.ruby, "sapphire": self.sapphire, "emerald": self.emerald, "amber": self.amber}

    def after(self, outcome: Json, player: str) -> Tally:
        """The tally once this match of `player` is added."""
        if outcome.get("kind") == "alone":
            return replace(self, alone=self.alone + 1, tasks=self.tasks + int(outcome.get("solved") or 0))
        solves = [s for s in outcome.get("solves", ()) if s["player"] == player]
        times = [float(s["seconds"]) for s in solves if s.get("seconds") is not None]
        races = int(outcome.get("races", {}).get(player, 0))
        run, longest = self.run, self.longest
        if races:
            solved = {s["round"] for s in solves}
            for number in range(1, int(outcome.get("rounds") or 0) + 1):
                run = run + 1 if number in solved else 0
                longest = max(longest, run)
        finished = not outcome.get("unfinished")
        gems = (outcome.get("gems") or {}).get(player) or {} if finished else {}
        return replace(
            self,
            matches=self.matches + finished,
            wins=self.wins + (finished and player in outcome.get("wins", ())),
            races=self.races + races,
            solves=self.solves + len(solves),
            firsts=self.firsts + sum(s.get("place") == 1 for s in solves),
            timed=self.timed + len(times),
            seconds=self.seconds + sum(times),
            fastest=min([*times, *([] if self.fastest is None else [self.fastest])], default=None),
            run=run,
            longest=longest,
            ruby=self.ruby + int(gems.get("ruby", 0)),
            sapphire=self.sapphire + int(gems.get("sapphire", 0)),
            emerald=self.emerald + int(gems.get("emerald", 0)),
            amber=self.amber + int(gems.get("amber", 0)),
        )


_NOT_ADDED = ("name", "edition", "fastest", "run", "longest")


def total(tallies: Iterable[Tally]) -> list[Tally]:
    """One tally a name over all editions, most wins first."""
    by_name: dict[str, Tally] = {}
    for tally in tallies:
        so_far = by_name.get(tally.name, Tally(tally.name, ""))
        times = [t for t in (so_far.fastest, tally.fastest) if t is not None]
        sums = {
            f.name: getattr(so_far, f.name) + getattr(tally, f.name) for f in fields(Tally) if f.name not in _NOT_ADDED
        }
        longest = max(so_far.longest, tally.longest)
        by_name[tally.name] = replace(so_far, fastest=min(times, default=None), longest=longest, **sums)
    return sorted(by_name.values(), key=lambda t: (-t.wins, -t.matches, t.name))


@dataclass(frozen=True, slots=True)
class Record:
    """The best of its kind. `what`, `number` and `value`:

    "minutes", n: tasks solved alone in n minutes, more is better; "tasks", n: seconds for n tasks alone, fewer is
    better; "score", 0: most points (cards, gems) in a finished match of two or more, by `scoring`; "solve", 0: the
    fastest solve in seconds. `scoring` is "" except for "score".
    """

    edition: str
    side: str
    what: str
    number: int
    scoring: str
    value: float
    name: str
    when: str

    @property
    def key(self) -> tuple[str, str, str, int, str]:
        """What it is a record of."""
        return (self.edition, self.side, self.what, self.number, self.scoring)

    def beats(self, other: Record | None) -> bool:
        """Better than `other`; equal is not better."""
        if other is None:
            return True
        return self.value > other.value if self.what in ("minutes", "score") else self.value < other.value


def candidates(outcome: Json, when: str) -> list[Record]:
    """What this match offers as records, one a kind."""
    edition, side = str(outcome.get("edition", "")), str(outcome.get("side") or "")
    players, names = list(outcome.get("players", ())), outcome.get("names", {})
    finished = not outcome.get("unfinished")

    def record(what: str, number: int, value: float, player: str, scoring: str = "") -> Record:
        # As SQLite gives it back: a REAL column knows no whole numbers.
        return Record(edition, side, what, number, scoring, float(value), str(names.get(player) or player), when)

    if outcome.get("kind") == "alone":
        goal, solved = outcome.get("goal") or {}, int(outcome.get("solved") or 0)
        number = int(goal.get("number", 0))
        if not finished or not players or not solved:
            return []
        if goal.get("kind") == "minutes":
            return [record("minutes", number, solved, players[0])]
        enough = solved >= number and outcome.get("seconds") is not None
        return [record("tasks", number, outcome["seconds"], players[0])] if enough else []
    offered = []
    timed = [s for s in outcome.get("solves", ()) if s.get("seconds") is not None]
    if timed:
        quickest = min(timed, key=lambda s: float(s["seconds"]))
        offered.append(record("solve", 0, quickest["seconds"], quickest["player"]))
    scores = outcome.get("scores") or {}
    # First to five wins ends every duel with a five: no record in that.
    if finished and outcome.get("kind") == "match" and len(scores) > 1 and outcome.get("unit") != "wins":
        best = max(scores, key=lambda p: int(scores[p]))
        if int(scores[best]) > 0:
            offered.append(record("score", 0, scores[best], best, str(outcome.get("scoring") or "")))
    return offered


@dataclass(frozen=True, slots=True)
class Past:
    """What the box itself can show of past evenings: the newest matches, the tallies, the records. Of bounded size."""

    matches: tuple[PastMatch, ...] = ()
    players: tuple[Tally, ...] = ()
    records: tuple[Record, ...] = ()

    def best(self, edition: str, side: str, kind: str, number: int) -> Record | None:
        """The best of playing alone with this goal ("minutes" or "tasks"), if there is one."""
        key = (edition, side, kind, number, "")
        return next((r for r in self.records if r.key == key), None)


def add(past: Past, number: int, when: str, outcome: Json, limit: int) -> Past:
    """The past with one more match, as the store would give it back; at most `limit` matches are listed."""
    tallies = {(t.name, t.edition): t for t in past.players}
    for player, key in _keys(outcome):
        tallies[key] = tallies.get(key, Tally(*key)).after(outcome, player)
    records = {r.key: r for r in past.records}
    for offered in candidates(outcome, when):
        if offered.beats(records.get(offered.key)):
            records[offered.key] = offered
    return Past(
        (PastMatch(number, when, json.loads(_text(outcome))), *past.matches)[:limit],
        tuple(sorted(tallies.values(), key=lambda t: (t.name, t.edition))),
        tuple(sorted(records.values(), key=lambda r: r.key)),
    )


def next_number(db: sqlite3.Connection) -> int:
    """The number of the next match to be kept."""
    number: int = db.execute(SQL["next match"]).fetchone()[0]
    return number


def has(db: sqlite3.Connection, number: int, when: str, outcome: Json) -> bool:
    """This very match is there already under this number."""
    return bool(db.execute(SQL["one match"], (number,)).fetchone() == (when, _text(outcome)))


def keep(db: sqlite3.Connection, number: int, when: str, outcome: Json) -> None:
    """Write one match, its tallies and records; in the caller's transaction."""
    db.execute(SQL["keep match"], (number, when, _text(outcome)))
    for player, key in _keys(outcome):
        row = db.execute(SQL["one tally"], key).fetchone()
        tally = Tally(*_figures(row, 2, len(row))) if row else Tally(*key)
        db.execute(SQL["keep tally"], astuple(tally.after(outcome, player)))
    for offered in candidates(outcome, when):
        row = db.execute(SQL["one record"], offered.key).fetchone()
        if offered.beats(Record(*_figures(row, 5, 6)) if row else None):
            db.execute(SQL["keep record"], astuple(offered))


def matches(db: sqlite3.Connection, limit: int | None = None) -> Iterator[PastMatch]:
    """Past matches, newest first; None: all of them."""
    before, left = _BEYOND, limit
    while left is None or left > 0:
        # Some at a time: a reader that waits for its pager must not hold an old state of the file for an hour.
        rows = db.execute(SQL["newest matches"], (before, _CHUNK if left is None else min(left, _CHUNK))).fetchall()
        for number, when, text in rows:
            yield PastMatch(number, str(when), _outcome(text))
        if len(rows) < _CHUNK:
            return
        before, left = rows[-1][0], None if left is None else left - len(rows)


def tallies(db: sqlite3.Connection) -> list[Tally]:
    """Every name's tally in every edition, by name."""
    return [Tally(*_figures(row, 2, len(row))) for row in db.execute(SQL["tallies"])]


def records(db: sqlite3.Connection) -> list[Record]:
    """All records, by edition and side."""
    return [Record(*_figures(row, 5, 6)) for row in db.execute(SQL["records"])]


def read(db: sqlite3.Connection, limit: int) -> Past:
    """The past as the box shows it, with the newest `limit` matches."""
    return Past(tuple(matches(db, limit)), tuple(tallies(db)), tuple(records(db)))


def _figures(row: Sequence[Any], first: int, last: int) -> Sequence[Any]:
    """The row, if from `first` up to `last` there are numbers (or none at all), and texts or numbers elsewhere."""
    good = all(cell is None or _number(cell) for cell in row[first:last])
    if not good or not all(isinstance(cell, str | int) for cell in (*row[:first], *row[last:])):
        raise Spoiled("a figure is no number")
    return row


def _outcome(text: Any) -> Json:
    """A match's outcome as saves.Finish describes it, as far as anything here or on the screen leans on it."""
    outcome = parsed(text)
    if not isinstance(outcome, dict):
        raise Spoiled("a match is no object")
    for key, sound in _SOUND.items():
        if outcome.get(key) is not None and not sound(outcome[key]):
            raise Spoiled(f"a match's {key} are not what a box keeps")
    return outcome


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and abs(value) < _BEYOND


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) < _BEYOND


def _by(value: Any, sound: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(map(sound, value.values()))


def _solve(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("player"), str)
        and _whole(value.get("round"))
        and (value.get("seconds") is None or _number(value["seconds"]))
    )


_SOUND: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("kind", "edition", "edition_name", "side", "scoring", "unit"), lambda v: isinstance(v, str)),
    **dict.fromkeys(("players", "wins"), _texts),
    **dict.fromkeys(("rounds", "solved", "aside"), _whole),
    "names": lambda v: _by(v, lambda name: isinstance(name, str)),
    "scores": lambda v: _by(v, _whole),
    "races": lambda v: _by(v, _whole),
    "gems": lambda v: _by(v, lambda hand: _by(hand, _whole)),
    "solves": lambda v: isinstance(v, list) and all(map(_solve, v)),
    "ranking": lambda v: isinstance(v, list) and all(map(_texts, v)),
    "goal": lambda v: v == {} or (isinstance(v, dict) and _whole(v.get("number")) and isinstance(v.get("kind"), str)),
    "seconds": _number,
}


def _text(outcome: Json) -> str:
    return json.dumps(outcome, ensure_ascii=False, separators=(",", ":"))


def _keys(outcome: Json) -> Sequence[tuple[str, tuple[str, str]]]:
    names, edition = outcome.get("names", {}), str(outcome.get("edition", ""))
    return [(p, (str(names.get(p) or p), edition)) for p in outcome.get("players", ())]
