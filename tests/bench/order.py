"""Item 3: who was first, in virtual time: pairs of presses of which the first one bounces, through filter and table."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from device.game import editions
from device.table.edges import Edge
from tests.bench.evening import Evening, settings
from tests.bench.load import EDITION
from tests.bench.results import Row, Run
from tests.bench.rig import bounce

GAPS = (0.001, 0.0001)
POLL = 0.01
"""Seconds between two looks of a design that polls."""

Plan = list[tuple[float, int, bool]]


def pair(first: int, second: int, gap: float, seed: int) -> Plan:
    """(seconds, button, down): the first bounces for 3 ms and stays, the second is clean."""
    plan = [(0.0, first, True), (gap, second, True)]
    plan += [(after, first, bool(n % 2)) for n, after in enumerate(bounce(seed))]
    return sorted(plan)


def measure(run: Run) -> list[Row]:
    """Item 3's pairs."""
    pairs, wrong, polled = run(10_000, 16), 0, 0
    evening, draw = _table(), Random(1)
    begun = False
    for number in range(0, pairs, 2):
        if begun:
            evening.press(1)
        evening.press(1)
        begun = True
        since = len(evening.said)
        buttons = draw.sample((1, 2, 3, 4), 4)
        # Both orders of both buttons, near and nearer, heard of at once or all together later.
        gap, late = GAPS[number // 2 % 2], bool(number // 4 % 2)
        for first, second in (buttons[:2], buttons[2:]):
            plan = pair(first, second, gap, draw.randrange(1000))
            _play(evening, plan, late)
            polled += _polled(plan, draw.uniform(0.0, POLL)) != first
        claims = [one["player"].button for one in evening.said[since:] if one["what"] == "claim"]
        wrong += (claims[:2] != buttons[:2]) + (claims[2:] != buttons[2:])
        evening.edges([(0.0, button, False) for button in buttons])
        evening.wait(2.1)
        if evening.table.e.with_match().round % 98 == 0:
            evening, begun = _table(), False
    return [
        Row(
            3,
            f"order: {pairs:,} pairs 1 and 0.1 ms apart, the first bounces 3 ms, both orders, heard at once or late",
            f"{wrong} wrong",
            f"a loop that polls every 10 ms: {polled:,} wrong",
            goal="0 wrong",
            met=not wrong,
        )
    ]


def _table() -> Evening:
    edition = editions.parse(EDITION, "bench.toml")
    evening = Evening(replace(settings(edition_id="bench"), editions={"bench": edition}))
    evening.begin()
    return evening


def _play(evening: Evening, plan: Plan, late: bool) -> None:
    if late:
        start = evening.now
        evening.now += 0.04
        evening.table.edges([Edge(button, down, start + after) for after, button, down in plan], evening.now)
    else:
        evening.edges(plan)
    evening.wait(0.06)


def _polled(plan: Plan, phase: float) -> int:
    """Who comes first for a loop that looks at the buttons in their order, now and then."""
    at = phase
    while True:
        down = {button: level for after, button, level in plan if after <= at}
        for button in sorted(down):
            if down[button]:
                return button
        at += POLL
