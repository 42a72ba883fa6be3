"""Mashing by hypothesis: the same table and laws, but a failure is shrunk to the few presses that bring it about."""

from __future__ import annotations

import hypothesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from device.game import editions
from tests.soak.laws import check_undo
from tests.soak.mash import Masher
from tests.soak.report import Budget, Result

BUTTON = st.integers(1, 4)
SHORT_RUNS = 80
STEPS = 50


class Mashing(RuleBasedStateMachine):
    """An evening. Every input is followed by the laws (Masher.take)."""

    masher: Masher

    @initialize(edition=st.sampled_from([one.id for one in editions.available(None)]), seed=st.integers(0, 50))
    def power_on(self, edition: str, seed: int) -> None:
        self.masher = Masher(seed, edition)

    @rule(buttons=st.sets(BUTTON, min_size=2))
    @precondition(lambda self: self.masher.table.scene.name == "lobby")
    def join_and_start(self, buttons: set[int]) -> None:
        for button in sorted(buttons):
            self.masher.tap(button)
        self.masher.tap(min(buttons), 1.7)

    @rule(button=BUTTON, seconds=st.sampled_from((0.001, 0.02, 0.06, 0.2, 1.6)))
    def tap(self, button: int, seconds: float) -> None:
        self.masher.tap(button, seconds)

    @rule(number=st.integers(0, 3), times=st.integers(1, 3))
    def what_the_lamps_ask_for(self, number: int, times: int) -> None:
        for _ in range(times):
            lamps = self.masher.table.lamps
            wanted = [player.button for player in sorted(lamps.lit | lamps.blinking)]
            if wanted:
                self.masher.tap(wanted[number % len(wanted)])

    @rule(button=BUTTON, late=st.sampled_from((0.0, 0.001, 0.05, 3.0)))
    def edge(self, button: int, late: float) -> None:
        self.masher.flip(button, late)

    @rule(buttons=st.permutations((1, 2, 3, 4)), count=st.integers(2, 4), seconds=st.sampled_from((0.3, 1.6, 2.1)))
    def together(self, buttons: list[int], count: int, seconds: float) -> None:
        for _ in range(2):
            for button in buttons[:count]:
                self.masher.flip(button)
                self.masher.wait(0.01)
            self.masher.wait(seconds)

    @rule(button=BUTTON, gaps=st.lists(st.sampled_from((0.0, 0.0005, 0.002, 0.0031, 0.02)), min_size=2, max_size=20))
    def noise(self, button: int, gaps: list[float]) -> None:
        for gap in gaps:
            self.masher.flip(button)
            self.masher.wait(gap)

    @rule(seconds=st.sampled_from((0.1, 0.71, 2.1, 5.01, 20.0, 400.0, 1000.0)))
    def wait(self, seconds: float) -> None:
        self.masher.wait(seconds)

    @rule()
    def cut(self) -> None:
        self.masher.cut()

    @rule()
    @precondition(lambda self: self.masher.table.e.match is not None)
    def undo_to_the_start(self) -> None:
        check_undo(self.masher.table.e.with_match(), self.masher.furthest)


def trial(budget: Budget) -> Result:
    """The machine in batches, each by its own seed, until the budget is used up."""
    result = Result("mashing: hypothesis state machine")
    checks = list(HealthCheck)
    seed = budget.seed
    while budget.left(result.count, SHORT_RUNS):
        case = settings(
            max_examples=20,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            suppress_health_check=checks,
        )
        machine = hypothesis.seed(seed)(type("Mashing", (Mashing,), {}))
        try:
            run_state_machine_as_test(machine, settings=case)
        except Exception as wrong:
            notes = "\n".join(getattr(wrong, "__notes__", ()))
            result.wrong(seed, f"{type(wrong).__name__}: {wrong}\n{notes}")
        result.count += 20
        seed += 1
    return result
