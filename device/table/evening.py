"""One moment of the evening as a frozen value: which scene, which match, where the glass stands.

Nothing moves here; `table` and the scenes' files replace it. Times are seconds of the monotonic clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from device.game.gems import Gems
from device.game.match import Match
from device.game.players import Player
from device.plain import dataclass
from device.table.glass import Play, Sand
from device.table.scenes import TooLate


@dataclass(frozen=True, slots=True)
class Solo:
    """Playing alone. stage: "goal" (being chosen), "ready", "running", "done"; marks: (kind, seconds of play)."""

    player: Player
    stage: str = "goal"
    cursor: int = 0
    kind: str = "minutes"
    number: int = 5
    marks: tuple[tuple[str, float], ...] = ()
    seconds: float = 0.0
    record: bool = False

    def count(self, kind: str) -> int:
        """How many tasks were "solved" or set "aside"."""
        return sum(mark == kind for mark, _ in self.marks)


@dataclass(frozen=True, slots=True)
class Counting:
    """Counting only: whose gems are counted now, and what was counted."""

    players: tuple[Player, ...]
    index: int
    hands: Mapping[Player, Gems]


@dataclass(frozen=True, slots=True)
class Evening:
    """Where the evening stands.

    overlay: a scene that lies over the other one ("resume", "paused", "menu", "settings", "rules", "history"), "";
    under: the overlay below the menu, "resume" or "paused", or "".
    turn: goes up whenever presses begun before must not count any more. rules of the running match as it began:
    bag, glass (seconds). stands: when the die comes to rest. stop: when the race ended. stopping: the sand has
    run, what it ended in is not settled: "quiet", or "loud" once Stop has sounded. ready: a press may go on from
    check. signalled: the second of play up to which beats and handicaps have been signalled. page, cursor: of the
    overlays. head, when: of what the store keeps as running.
    """

    scene: str = "lobby"
    overlay: str = ""
    under: str = ""
    turn: int = 0
    joined: tuple[Player, ...] = ()
    match: Match | None = None
    bag: str = "box"
    glass: float | None = None
    play: Play = field(default_factory=Play)
    stands: float | None = None
    stop: float | None = None
    stopping: str = ""
    ready: bool = False
    late: tuple[TooLate, ...] = ()
    signalled: float = 0.0
    solo: Solo | None = None
    counting: Counting | None = None
    cursor: int = 0
    page: int = 0
    head: Mapping[str, Any] | None = None
    when: str = ""

    def with_match(self) -> Match:
        """The running match; calling it without one is a defect."""
        assert self.match is not None
        return self.match

    def at(self, scene: str, **changes: Any) -> Evening:
        """In another scene, where presses begun before count no more."""
        return replace(self, scene=scene, turn=self.turn + 1, **changes)

    @property
    def sand(self) -> Sand | None:
        """The glass that was turned last in this race; None before, and where there is none."""
        match = self.match
        if match is None or not match.chance or self.glass is None or match.glassless:
            return None
        return Sand(self.glass, match.turned)

    @property
    def front(self) -> str:
        """The scene in front: the overlay's, else the scene itself."""
        return self.overlay or self.scene
