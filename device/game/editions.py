"""Editions as data: a TOML file states what a game of the family is, this module reads and checks it.

Code knows kinds (a die, stacks, a track, cards, gem counts), never an edition's name.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any

from device.errors import UserError
from device.game.gems import GEMS, Gems, Track
from device.plain import dataclass

_LARGEST_FILE = 64 * 1024
_LONGEST_LINE = 1000
_LONGEST_ID = 32
_NAMES = "name of an edition is lower-case letters, digits and dashes"

FIRST = ("youngest", "anyone")
PASSES = ("left", "left-of-first", "anyone")
TIES = ("playoff", "shared")
CHOOSERS = ("die", "none", "chips", "stacks")
STARTS = ("roll", "ready", "press", "first-claim", "none")
REWARDS = ("track", "cards", "wins", "ladder", "take")


@dataclass(frozen=True, slots=True)
class Goal:
    """Of playing alone: `number` tasks to be solved, or minutes to solve tasks in."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Edition:
    """One game of the family.

    rounds: None = until a stack is used up. first: who begins ("anyone": any player's press begins a round).
    passes: where the start goes after a round. start: what turns the glass; seconds: its length for side A and B
    (None: no glass); counts: seconds are said as counts. bag: what the bag holds after setup; track: the pairs on
    the round track. cards, cards_for_two: cards in each of four stacks. target: wins that end it. take: gems a
    finisher takes. no_luck: the variant without luck can be chosen. two_tasks_from: a leader with this many wins
    needs two firsts for the next one.
    """

    id: str
    name: str
    players: tuple[int, int]
    chooser: str
    start: str
    reward: str
    rounds: int | None = None
    sides: bool = False
    levels: bool = False
    first: str = "youngest"
    passes: str = "left"
    ties: str = "shared"
    goals: tuple[Goal, ...] = ()
    symbols: tuple[str, ...] = ()
    cards: int = 0
    cards_for_two: int = 0
    seconds: tuple[int, int] | None = None
    counts: bool = False
    second_chance: bool = False
    bag: Gems = field(default_factory=Gems)
    target: int | None = None
    take: int = 1
    no_luck: bool = False
    two_tasks_from: int | None = None

    def glass_seconds(self, side: str = "A") -> int | None:
        """The printed length of the glass in seconds for side "A" or "B"; None where there is none."""
        return None if self.seconds is None else self.seconds[side == "B"]

    def glass(self, side: str, wanted: int | None) -> int | None:
        """The length in seconds it is played with, where `wanted` replaces the printed one; None without a glass."""
        return None if self.start == "none" else wanted or self.glass_seconds(side)

    def variant(self, start: str, symbols: tuple[str, ...]) -> Edition:
        """The same game with another order of the die's symbols, or the glass started by "roll" or "ready"."""
        start = start if {start, self.start} <= {"roll", "ready"} else self.start
        symbols = symbols if sorted(symbols) == sorted(self.symbols) else self.symbols
        return replace(self, start=start, symbols=symbols)

    @property
    def scorings(self) -> tuple[str, ...]:
        """The scorings that can be chosen."""
        return (self.reward, "no-luck") if self.no_luck else (self.reward,)

    @property
    def track(self) -> Track | None:
        """The round track at the start; None for a game without one."""
        return Track(self.rounds, self.rounds) if self.reward == "track" and self.rounds else None

    @property
    def unit(self) -> str:
        """What decides who wins: "points", "cards", "wins" or "gems"."""
        return {"cards": "cards", "wins": "wins", "ladder": "gems"}.get(self.reward, "points")


def _shown(value: object) -> str:
    """The value as one short word of a complaint, whatever a hostile file put there."""
    try:
        return f"{value!r:.40}"
    except RecursionError:
        # Tables thousands deep: Python itself will not spell them.
        return "what stands there"


def _is_id(name: str) -> bool:
    plain = name.replace("-", "")
    return plain.isalnum() and plain.isascii() and name == name.lower() and len(name) <= _LONGEST_ID


class _Table:
    """A TOML table being read: every complaint names the file, the key and what would be right."""

    def __init__(self, where: str, data: Mapping[str, Any], prefix: str = "") -> None:
        self.where, self.prefix = where, prefix
        self.left = dict(data)

    def fail(self, key: str, what: str) -> UserError:
        plain = key.replace("_", "").replace("-", "").isalnum() and len(key) <= _LONGEST_ID
        return UserError(f"{self.where}: {self.prefix}{key if plain else _shown(key)}: {what}")

    def text(self, key: str, choices: tuple[str, ...] = (), default: str | None = None) -> str:
        value = self.left.pop(key, default)
        good = isinstance(value, str) and value.strip() and value.isprintable()
        if not isinstance(value, str) or not good or (choices and value not in choices):
            right = f"one of {', '.join(choices)}" if choices else "a text"
            raise self.fail(key, f"must be {right}" + ("" if value is None else f", not {_shown(value)}"))
        return value

    def flag(self, key: str) -> bool:
        value = self.left.pop(key, False)
        if not isinstance(value, bool):
            raise self.fail(key, f"must be true or false, not {_shown(value)}")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int | None:
        value = self.left.pop(key, None)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.fail(key, f"must be a whole number from {low} to {high}, not {_shown(value)}")
        return value

    def table(self, key: str) -> _Table:
        value = self.left.pop(key, {})
        if not isinstance(value, dict):
            raise self.fail(key, "must be a table of its own: [" + key + "]")
        return _Table(self.where, value, f"{self.prefix}{key}.")

    def pair(self, key: str, low: int, high: int, single: bool = False) -> tuple[int, int] | None:
        value = self.left.pop(key, None)
        if value is None:
            return None
        both = [value, value] if single and isinstance(value, int) and not isinstance(value, bool) else value
        good = isinstance(both, list) and len(both) == 2 and all(type(n) is int and low <= n <= high for n in both)
        if not good:
            raise self.fail(key, f"must be two whole numbers from {low} to {high}, not {_shown(value)}")
        return both[0], both[1]

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.left.pop(key, [])
        good = isinstance(value, list) and all(
            isinstance(one, str) and 0 < len(one) <= 16 and one.strip() and one.isprintable() for one in value
        )
        if not good:
            raise self.fail(key, "must be a list of texts of up to 16 letters")
        return tuple(value)

    def only(self, key: str, there: bool, where: str) -> None:
        if key in self.left and not there:
            raise self.fail(key, f"is only for {where}")

    def done(self) -> None:
        for key in self.left:
            raise self.fail(key, "is no key of an edition")


def parse(text: str, where: str) -> Edition:
    """The edition that this TOML text states; UserError with `where`, key and reason if it is wrong."""
    for number, line in enumerate(text.splitlines(), 1):
        # A number or a dotted key of tens of thousands of characters would cost tomllib seconds, or raise.
        if len(line) > _LONGEST_LINE:
            raise UserError(f"{where}: line {number} is longer than {_LONGEST_LINE} characters")
    try:
        top = _Table(where, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{where}: is not TOML: {error}") from None
    except RecursionError:
        raise UserError(f"{where}: is no edition: its brackets are nested far too deep") from None
    chooser, glass, reward = top.table("chooser"), top.table("glass"), top.table("reward")
    name = top.text("id")
    if not _is_id(name):
        raise top.fail("id", f"{_NAMES}, not {_shown(name)}")
    players = top.pair("players", 1, 4)
    if players is None or players[0] > players[1]:
        raise top.fail("players", "must be the fewest and the most players, as [1, 4]")
    kind = chooser.text("kind", CHOOSERS)
    symbols = chooser.texts("symbols")
    if (kind in ("die", "chips")) != bool(symbols):
        raise chooser.fail("symbols", "must list what can come up, for a die or chips only")
    if kind == "chips" and len(symbols) < players[1]:
        raise chooser.fail("symbols", f"must be at least {players[1]} chips, one a player")
    start = glass.text("start", STARTS)
    seconds = glass.pair("seconds", 5, 600, single=True)
    if (start == "none") != (seconds is None):
        raise glass.fail("seconds", 'must be left out if start is "none", and be there otherwise')
    if start in ("roll", "ready") and kind not in ("die", "chips"):
        raise glass.fail("start", f'"{start}" needs a die or chips')
    if start == "press" and kind in ("die", "chips"):
        raise glass.fail("start", '"press" is for games without a die or chips: use "ready"')
    won = reward.text("kind", REWARDS)
    rounds = top.number("rounds", 1, 99)
    if won == "track" and rounds != 9:
        raise top.fail("rounds", "must be 9 with the round track: it holds nine pairs")
    chooser.only("cards", kind == "stacks", 'the chooser "stacks"')
    chooser.only("cards_for_two", kind == "stacks", 'the chooser "stacks"')
    cards = chooser.number("cards", 1, 99, default=0 if kind != "stacks" else None)
    if kind == "stacks" and cards is None:
        raise chooser.fail("cards", "must be the number of cards in each stack")
    if (won == "cards") != (kind == "stacks"):
        raise reward.fail("kind", '"cards" and the chooser "stacks" belong together')
    if rounds is None and kind != "stacks":
        raise top.fail("rounds", "must be there: only a game of stacks can end by itself")
    if kind == "stacks" and rounds is not None and cards is not None and rounds > 4 * cards // players[1]:
        raise top.fail("rounds", f"must be at most {4 * cards // players[1]}: the stacks hold no more")
    target = reward.number("target", 1, 99)
    if (won == "wins") != (target is not None):
        raise reward.fail("target", 'must be there for the reward "wins", and only there')
    reward.only("take", won == "take", 'the reward "take"')
    reward.only("two_tasks_from", won == "wins", 'the reward "wins"')
    reward.only("no_luck", won == "track", 'the reward "track"')
    reward.only("bag", won in ("track", "ladder", "take"), 'the rewards "track", "ladder" and "take"')
    bag_table = reward.table("bag")
    bag = Gems(**{gem.value: bag_table.number(gem.value, 0, 99, default=0) or 0 for gem in GEMS})
    bag_table.done()
    # Every place draws one from the bag; on the ladder n players draw n, n-1, … 1.
    each = {"track": players[1], "ladder": players[1] * (players[1] + 1) // 2}.get(won, 0)
    most = each * (rounds or 0)
    if won in ("track", "ladder", "take") and len(bag) < max(most, 1):
        raise reward.fail("bag", f"must hold at least {max(most, 1)} gems for this many rounds")
    no_luck = reward.flag("no_luck")
    if no_luck and any(bag[gem] < (rounds or 0) for gem in GEMS[: players[1]]):
        raise reward.fail("bag", f"must hold at least {rounds} of each kind for the variant without luck")
    first = top.text("first", FIRST, "youngest")
    passes = top.text("passes", PASSES, "left")
    if (first == "anyone") != (passes == "anyone"):
        raise top.fail("passes", 'must be "anyone" if first is, and only then')
    if first == "anyone" and kind != "none":
        raise top.fail("first", '"anyone" is for games with one task for all (chooser "none")')
    if start == "press" and first == "anyone":
        raise glass.fail("start", '"press" needs a start player: first = "youngest"')
    edition = Edition(
        id=name,
        name=top.text("name")[:20],
        players=players,
        chooser=kind,
        start=start,
        reward=won,
        rounds=rounds,
        sides=top.flag("sides"),
        levels=top.flag("levels"),
        first=first,
        passes=passes,
        ties=top.text("ties", TIES, "shared"),
        goals=tuple(_goal(top, text) for text in top.texts("goals")),
        symbols=symbols,
        cards=cards or 0,
        cards_for_two=chooser.number("cards_for_two", 1, 99, default=cards or 1) or 0 if kind == "stacks" else 0,
        seconds=seconds,
        counts=glass.flag("counts"),
        second_chance=glass.flag("second_chance"),
        bag=bag,
        target=target,
        take=reward.number("take", 1, 4, default=1) or 1,
        no_luck=no_luck,
        two_tasks_from=reward.number("two_tasks_from", 1, 98),
    )
    if edition.second_chance and start in ("first-claim", "none"):
        raise glass.fail("second_chance", f'cannot be with start = "{start}"')
    for table in (chooser, glass, reward, top):
        table.done()
    return edition


def _goal(top: _Table, text: str) -> Goal:
    number, _, kind = text.partition(" ")
    if kind not in ("minutes", "tasks") or not number.isdecimal() or not 1 <= int(number) <= 99:
        raise top.fail("goals", f'must be texts like "10 minutes" or "5 tasks", not {_shown(text)}')
    return Goal(kind, int(number))


_ORDER = ("classic", "lines", "extreme-fun-size", "3d", "extreme", "duel", "junior", "mini", "trigo", "pawns")


@cache
def _packaged(name: str) -> Edition | None:
    file = Path(__file__).parent / "editions" / f"{name}.toml"
    return parse(file.read_text("utf-8"), f"{name}.toml") if file.is_file() else None


def _read(path: Path) -> str:
    try:
        if not path.is_file():
            raise UserError(f"{path}: is no ordinary file: an edition is a TOML file")
        with path.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise UserError(f"{path}: is larger than 64 KiB: an edition is a page of text")
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text: save it as UTF-8") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None


def load(name: str, folder: Path | None = None) -> Edition:
    """The edition of this id, from the box's own or from `folder`/NAME.toml (a family's own; it may not hide ours).

    UserError: unknown, or the file is wrong.
    """
    good = _is_id(name)
    own = _packaged(name) if good else None
    if own is not None:
        return own
    path = folder / f"{name}.toml" if folder is not None and good else None
    if path is None or not os.path.lexists(path):
        beside = f", or a file {name}.toml in {folder}" if folder is not None and good else ""
        raise UserError(f"edition: {_shown(name)} is not known: one of {', '.join(_ORDER)}{beside}")
    edition = parse(_read(path), str(path))
    if edition.id != name:
        raise UserError(f"{path}: id: must be {name!r}, as the file is called, not {edition.id!r}")
    return edition


class Known(Mapping[str, Edition]):
    """Every edition that can be played, by id: the box's own, then the good ones in `folder` by name.

    The box's own are read when they are first asked for: most evenings see one of them. chosen: one that is known
    whatever has become of its file.
    """

    def __init__(self, folder: Path | None = None, chosen: Edition | None = None) -> None:
        self._theirs: dict[str, Edition] = {}
        if folder is not None and folder.is_dir():
            for path in sorted(folder.glob("*.toml")):
                with suppress(UserError):
                    if path.stem not in _ORDER:
                        self._theirs[path.stem] = load(path.stem, folder)
        if chosen is not None and chosen.id not in _ORDER:
            self._theirs.setdefault(chosen.id, chosen)

    def __getitem__(self, name: str) -> Edition:
        return load(name) if name in _ORDER else self._theirs[name]

    def __contains__(self, name: object) -> bool:
        return name in _ORDER or name in self._theirs

    def __iter__(self) -> Iterator[str]:
        return iter((*_ORDER, *self._theirs))

    def __len__(self) -> int:
        return len(_ORDER) + len(self._theirs)


def available(folder: Path | None = None) -> tuple[Edition, ...]:
    """Every edition that can be played, in the order of Known."""
    return tuple(Known(folder).values())
