"""Those who sit at a rehearsed evening: people who go by the lamps, and children who mash.

`Random` is handed in, so hypothesis can shrink what it finds.
"""

from __future__ import annotations

from random import Random
from typing import Any

from device.table.menu import ITEMS
from tests.rehearsal.evening import Evening

GIVE_UP = ITEMS.index("give-up")


class Players:
    """So many people (None: as many as the edition takes, by chance) at an evening of their own."""

    def __init__(self, random: Random, count: int | None = None, seed: int = 1, **config: Any) -> None:
        self.evening, self.random = Evening(seed, **config), random
        self.count = count or random.randint(*self.evening.settings.edition.players)

    def go_on(self) -> None:
        """The next thing that people would do."""
        e, r, scene = self.evening, self.random, self.evening.scene
        e.wait(r.choice((0.05, 0.5, 2.2)))
        lit = e.awaited()
        if scene == "lobby":
            joined = [player.button for player in e.box.table.e.joined]
            if len(joined) < self.count:
                e.press(r.choice([button for button in (1, 2, 3, 4) if button not in joined]))
            else:
                e.hold(joined[0])
        elif scene == "final":
            e.hold(r.randint(1, 4))
        elif scene == "race":
            self._race()
        elif scene == "count":
            e.hold(1, 2)
        elif scene in ("menu", "settings", "rules", "history"):
            e.press(4)
        elif scene == "alone" and lit:
            e.press(r.choice(lit) if r.random() < 0.3 else lit[-1])
            e.wait(r.choice((1.0, 40.0)))
        elif scene == "asleep" or not lit:
            e.press(1)
        else:
            e.press(r.choice(lit))

    def _race(self) -> None:
        """Some solve it, or nobody does; a round that nothing would end is given up, if it is not tried on."""
        e, r = self.evening, self.random
        e.wait(r.choice((0.0, 0.001, 0.5, 7.3, 20.0, 62.0)))
        lit = e.awaited()
        if e.scene != "race" or not lit:
            return
        solved = r.sample(lit, r.randint(0, len(lit)))
        for button in solved:
            e.do(f"down {button}")
            e.wait(r.choice((0.001, 0.003, 0.01, 5.0)))
        for button in solved:
            e.do(f"up {button}")
            e.wait(r.choice((0.0, 0.03)))
        if not solved and e.box.table.e.sand is None and r.random() < 0.3:
            e.menu(GIVE_UP)

    def mash(self) -> None:
        """Something nobody should do."""
        e, r = self.evening, self.random
        some = r.sample((1, 2, 3, 4), r.choice((1, 1, 2, 3, 3, 4)))
        what = r.choice(
            ("press", "tap", "noise", "hold", "hold", "edge", "cut", "cut", "clock", "oled", "store", "sleep")
        )
        if what == "press":
            e.press(*some)
        elif what == "tap":
            e.press(*some, seconds=r.choice((0.001, 0.002, 0.004, 0.04)))
        elif what == "noise":
            for _ in range(r.randint(1, 40)):
                e.do(f"{r.choice(('down', 'up'))} {some[0]}")
                e.wait(r.choice((0.0005, 0.002, 0.004, 0.02)))
            e.do(f"up {some[0]}")
        elif what == "hold":
            e.hold(*some)
        elif what == "edge":
            e.do(f"{r.choice(('down', 'up'))} {some[0]}")
        elif what == "cut" and not e.broken:
            e.cut()
        elif what == "clock":
            e.do(f"clock {r.choice((-1e8, 1e8, 0.5))}")
        elif what in ("oled", "store"):
            e.fault(what, what not in e.broken)
        elif what == "sleep":
            e.wait(r.choice((3.0, 70.0, 1000.0)))
