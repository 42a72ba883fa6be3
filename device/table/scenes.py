"""What the box shows, as plain data: one frozen class a scene, wrapped in `Show`. The screen draws them.

No pixels, no texts in a language, no wishes of the rules: names of things to be put into words by the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from device.game.gems import Gem, Gems, Track
from device.game.players import Player
from device.plain import dataclass


@dataclass(frozen=True, slots=True)
class Placed:
    """A claim that stands: its place and the seconds it took (None in a race without a clock)."""

    player: Player
    place: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class TooLate:
    """A press after the end of the glass, `by` seconds."""

    player: Player
    by: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the scores. `points` is what the edition counts; `gems` is None where it has none."""

    player: Player
    points: int
    gems: Gems | None = None
    gained: tuple[Gem, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Glass:
    """The sand: whole units left (rounded up), the full number, how far it ran (0 full … 1 empty).

    `counts` says that the unit is a count of an aloud-counting edition, one a second.
    """

    left: int
    total: int
    ran: float
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """A match was cut off: when (wall clock label, may be ""), which, where, seconds left in the glass or None."""

    when: str
    edition: str
    round: int
    rounds: int | None
    left: int | None
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who plays tonight. `sides` is False for an edition that has no sides."""

    edition: str
    side: str
    joined: tuple[Player, ...]
    sides: bool = True


@dataclass(frozen=True, slots=True)
class Youngest:
    """The youngest of these presses."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """Before a round. `action` is what the press does: "roll", "reveal", "start" or, all pieces at hand, "go"."""

    round: int
    rounds: int | None
    waits_for: tuple[Player, ...]
    action: str
    standings: tuple[Standing, ...]
    track: Track | None = None
    symbol: str | None = None
    levels: Mapping[Player, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stacks:
    """In turn, a stack's colour: cards left in stack 1 to 4 and who took from which in this round."""

    round: int
    chooser: Player
    left: tuple[int, int, int, int]
    taken: Mapping[int, Player]
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Race:
    """A round being played. `symbol` None: no die; `tumbling`: it has not come to rest, play has not begun.

    `elapsed`: whole seconds of the stopwatch, shown while `glass` is None. `chance` 2: the second glass.
    """

    round: int
    rounds: int | None
    symbol: str | None
    line: int | None
    tumbling: bool
    glass: Glass | None
    elapsed: int
    chance: int
    players: tuple[Player, ...]
    places: tuple[Placed, ...]
    track: Track | None = None
    out: tuple[Player, ...] = ()
    levels: Mapping[Player, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """The round has ended (`reason` "sand", "all", "given-up"; "solved": by a claim, others open): look at the boards.

    `ready`: a press goes on (from 2 s after Stop).
    """

    reason: str
    places: tuple[Placed, ...]
    late: tuple[TooLate, ...]
    ready: bool


@dataclass(frozen=True, slots=True)
class Draw:
    """`player` (who came `place`) draws `count` gems. cloth: the colour is pressed; box: the player presses.

    `given`: what the round has given so far, in order: player, gem, "track", "bag" or "supply".
    """

    player: Player
    place: int
    cloth: bool
    bag: Gems
    given: tuple[tuple[Player, Gem, str], ...]
    waiting: tuple[Player, ...] = ()
    count: int = 1


@dataclass(frozen=True, slots=True)
class Scores:
    """After a round. `unit` of the points: "points", "cards", "gems" or "wins". `waits_for`: whose press goes on.

    `over`: the last round is played. `lost`: nobody solved it; `late`: who was too late for it.
    """

    round: int
    rounds: int | None
    standings: tuple[Standing, ...]
    waits_for: tuple[Player, ...]
    action: str
    unit: str = "points"
    track: Track | None = None
    over: bool = False
    lost: bool = False
    late: tuple[TooLate, ...] = ()


@dataclass(frozen=True, slots=True)
class Playoff:
    """The tied play one task without a glass: `rolling` while `roller` must still roll (or reveal)."""

    players: tuple[Player, ...]
    roller: Player
    rolling: bool
    tumbling: bool = False
    symbol: str | None = None
    line: int | None = None
    action: str = "roll"


@dataclass(frozen=True, slots=True)
class Final:
    """The ranking, best first. `records`: players who set one. `counted`: only counted, not played."""

    edition: str
    standings: tuple[Standing, ...]
    unit: str = "points"
    records: tuple[Player, ...] = ()
    counted: bool = False
    playoff: bool = False


@dataclass(frozen=True, slots=True)
class Goal:
    """Of playing alone: `kind` "minutes" or "tasks", how many."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class AloneGoal:
    """Choosing a goal: 1 up, 2 down, 3 choose, 4 back. `bests`: best result so far as a label, or ""."""

    player: Player
    goals: tuple[Goal, ...]
    cursor: int
    bests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alone:
    """Playing alone. `stage`: "ready", "running", "done". `seconds`: what the clock shows (left or elapsed).

    `pace`: tasks (positive: ahead) against the best of its kind, None without one.
    """

    player: Player
    goal: Goal
    stage: str
    seconds: int
    solved: int
    aside: int
    pace: float | None = None
    best: str = ""
    record: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """Counting only: the gems of one player (number `index` of `of`)."""

    player: Player
    gems: Gems
    points: int


@dataclass(frozen=True, slots=True)
class Item:
    """A menu line by its key; one that would do nothing now is not enabled."""

    key: str
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Menu:
    """1 up, 2 down, 3 choose, 4 close. Keys: continue undo give-up rules end count settings power history."""

    items: tuple[Item, ...]
    cursor: int


@dataclass(frozen=True, slots=True)
class Row:
    """One setting: its key and value as data; `when` a change takes effect: "now" or "next"."""

    key: str
    value: str
    when: str = "now"


@dataclass(frozen=True, slots=True)
class Settings:
    """1 up, 2 down, 3 next value, 4 back. `player`: whose row a handicap or level is."""

    rows: tuple[Row, ...]
    cursor: int


@dataclass(frozen=True, slots=True)
class Rules:
    """One page of answers: the topic's key, page `page` of `pages` (from 0). 1/2 back/next topic, 4 close."""

    topic: str
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class History:
    """One page of past evenings or of a player's statistics, rows of (label, value) ready to show.

    `title`: "matches", "unfinished" (one that was given up), "players" or "records".
    """

    title: str
    heading: str
    rows: tuple[tuple[str, str], ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Paused:
    """The glass lies on its side: whole seconds left, or None; any press goes on."""

    round: int
    rounds: int | None
    left: int | None
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Asleep:
    """The display is dark; the waking press does nothing else."""


Scene = (
    Resume
    | Lobby
    | Youngest
    | Ready
    | Stacks
    | Race
    | Check
    | Draw
    | Scores
    | Playoff
    | Final
    | AloneGoal
    | Alone
    | Count
    | Menu
    | Settings
    | Rules
    | History
    | Paused
    | Asleep
)


@dataclass(frozen=True, slots=True)
class Lamps:
    """Which players' lamps are lit, which blink; the rest are dark. Lit or blinking = "you may press"."""

    lit: frozenset[Player] = frozenset()
    blinking: frozenset[Player] = frozenset()


@dataclass(frozen=True, slots=True)
class Show:
    """Everything one picture is made of.

    `names`: what each player is called, up to 10 letters; a player missing here is called by the colour, in
    the language of the texts. `notice`: key of a trouble to show in a corner ("oled", "store", "button"), or "".
    `dim`: nobody pressed for minutes. `shift`: 0 to 3, a static picture wanders by a pixel against burn-in.
    """

    scene: Scene
    language: str = "en"
    names: Mapping[Player, str] = field(default_factory=dict)
    brightness: int = 200
    notice: str = ""
    dim: bool = False
    shift: int = 0
