"""Any evening that people or children can press obeys the laws, in every edition; a cut gives back the same match."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from device.game.editions import available
from tests.rehearsal import laws
from tests.rehearsal.evening import Evening
from tests.rehearsal.players import Players
from tests.rehearsal.scripts import play

EDITIONS = [edition.id for edition in available(None)]

CONFIGS = st.fixed_dictionaries(
    {
        "side": st.sampled_from("AB"),
        "bag": st.sampled_from(["box", "cloth"]),
        "scoring": st.sampled_from(["track", "no-luck"]),
        "cards": st.sampled_from(["all", "first-only"]),
        "handicap.blue": st.sampled_from([0, 10]),
    }
)


def played(random: Random, edition: str, config: dict[str, Any], moves: int, mashed: float) -> Evening:
    """So many moves at the table, this part of them senseless."""
    players = Players(random, edition=edition, **config)
    for _ in range(moves):
        if random.random() < mashed:
            players.mash()
        else:
            players.go_on()
    return players.evening


# Long evenings find more than many short ones, and take their time. The same ones every time: what is random for as
# long as one likes is the soak.
FEW = settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    # A smaller seed is no smaller evening: the script is noted instead.
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.parametrize("edition", EDITIONS)
@FEW
@given(seed=st.integers(0, 10**6), config=CONFIGS, mashed=st.sampled_from([0.1, 0.3, 0.6]))
def test_any_evening_obeys_the_laws(edition: str, seed: int, config: dict[str, Any], mashed: float) -> None:
    evening = played(Random(seed), edition, config, 60, mashed)
    note(evening.script)
    laws.check(evening.said, evening.cuts, handicaps=config["handicap.blue"] > 0)


@FEW
@given(seed=st.integers(0, 10**6))
def test_its_script_is_the_evening(seed: int) -> None:
    evening = played(Random(seed), "classic", {}, 40, 0.3)
    evening.wait(1.0)
    note(evening.script)
    assert play(evening.script) == evening.said


@given(
    st.lists(st.tuples(st.floats(0, 3), st.integers(1, 4), st.booleans()), max_size=60),
    st.frozensets(st.integers(1, 4)),
)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_any_edges_at_all_obey_the_laws(edges: list[tuple[float, int, bool]], held: frozenset[int]) -> None:
    script = "".join(f"0 down {button}\n" for button in sorted(held))
    script += "".join(f"+{wait:.4f} {'down' if down else 'up'} {button}\n" for wait, button, down in edges)
    laws.check(play(script))
