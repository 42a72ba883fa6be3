"""From bare edges to presses: the debounce filter of four contacts, each press dated by its first edge.

No meaning of a press (that is gestures) and no clock: times in seconds are handed in.
"""

from __future__ import annotations

from math import inf

from device.plain import dataclass
from device.table.edges import Edge

SETTLE = 0.003
"""Seconds a level must stand to be believed; shorter pulses are noise (ruling)."""
BOUNCE = 0.025
"""Seconds after an accepted edge in which further edges are the same one's bounces (ruling)."""
GIVE_UP = 0.050
"""Seconds after which a burst that does not settle is given up (ruling)."""
HEAL = 0.100
"""Seconds after which a level that disagrees with what is believed is believed (ruling)."""

# Times are sums of floats: what is due "at" a time is due within a tenth of a microsecond of it.
_SLACK = 1e-7


@dataclass(slots=True)
class _Contact:
    """One button's filter. `burst`: when the undecided edges began; `last`: the newest edge."""

    button: int
    believed: bool = False
    level: bool = False
    burst: float | None = None
    last: float = -inf
    accepted: float = -inf
    noisy: bool = False
    dead: bool = False
    lost_since: float | None = None

    def edge(self, down: bool, stamp: float) -> None:
        quiet = self.burst is None and not self.noisy and stamp >= self.accepted + BOUNCE - _SLACK
        # Also one that ends at the level believed: the kernel reads the level some time after the edge that it dates,
        # and a contact that bounces may be back by then. That it has moved is when the press began.
        if quiet:
            self.burst = stamp
        self.level, self.last = down, max(stamp, self.last)

    def due(self) -> float:
        """When this contact can be decided next without a further edge."""
        if self.noisy:
            return self.last + HEAL
        if self.burst is not None:
            return min(self.last + SETTLE, self.burst + GIVE_UP)
        if self.level != self.believed:
            return max(self.accepted + BOUNCE, self.last + SETTLE)
        return inf

    def decide(self, now: float) -> tuple[Edge | None, bool]:
        """What is decided by `now`: an accepted edge or None, and whether a burst was given up."""
        if now < self.due() - _SLACK:
            return None, False
        if self.noisy:
            self.noisy = False
            return self._accept(self.last), False
        if self.burst is not None:
            if now >= self.last + SETTLE - _SLACK and self.last < self.burst + GIVE_UP - _SLACK:
                return self._accept(self.burst), False
            self.burst, self.noisy = None, True
            return None, True
        return self._accept(self.last), False

    def _accept(self, stamp: float) -> Edge | None:
        self.burst = None
        if self.level == self.believed:
            return None
        self.believed, self.accepted = self.level, stamp
        if self.dead:
            self.dead = self.level
            return None
        return Edge(self.button, self.level, stamp)


class Contacts:
    """The four filters together: decided edges come out in the order in which they began.

    A decided edge waits until no other button has an undecided burst that began no later than it.
    """

    def __init__(self, held: frozenset[int] = frozenset()) -> None:
        """`held`: buttons that are down from the start; they do nothing until they were let go."""
        self._contacts = [_Contact(n, believed=n in held, level=n in held, dead=n in held) for n in (1, 2, 3, 4)]
        self._decided: list[Edge] = []
        self.first = 1
        """At exactly the same time this button comes first, then the others clockwise."""
        self.given_up: list[int] = []
        """Buttons whose burst never settled, in order; the reader empties it."""

    def edge(self, edge: Edge) -> None:
        """One raw edge."""
        contact = self._contacts[edge.button - 1]
        contact.lost_since = None
        contact.edge(edge.down, edge.stamp)

    def levels(self, down: tuple[bool, ...], now: float) -> None:
        """What the pins read at `now`: an edge that was never heard of heals after HEAL seconds."""
        for contact, level in zip(self._contacts, down, strict=True):
            if level == contact.level:
                contact.lost_since = None
            elif contact.lost_since is None:
                contact.lost_since = now
            elif now >= contact.lost_since + HEAL - _SLACK:
                since, contact.lost_since = contact.lost_since, None
                contact.edge(level, since)

    def decide(self, now: float) -> None:
        """Decide what can be decided by `now`."""
        for contact in self._contacts:
            edge, given_up = contact.decide(now)
            if edge is not None:
                self._decided.append(edge)
            if given_up:
                self.given_up.append(contact.button)
        self._decided.sort(key=lambda edge: (edge.stamp, (edge.button - self.first) % 4))

    def next(self) -> Edge | None:
        """The first decided edge that need not wait for another button, without taking it."""
        if not self._decided:
            return None
        first = self._decided[0]
        waits = any(c.burst is not None and c.burst <= first.stamp for c in self._contacts if c.button != first.button)
        return None if waits else first

    def take(self) -> Edge:
        """Take the edge that `next` showed."""
        return self._decided.pop(0)

    def undecided(self, until: float) -> bool:
        """Whether something that began at or before `until` is not settled, or settled and not yet taken."""
        return any(c.burst is not None and c.burst <= until for c in self._contacts) or any(
            edge.stamp <= until for edge in self._decided
        )

    @property
    def due(self) -> float:
        """When to call again at the latest, if no edge comes before; inf: never."""
        lost = (c.lost_since + HEAL for c in self._contacts if c.lost_since is not None)
        return min(min(c.due() for c in self._contacts), *lost, inf)
