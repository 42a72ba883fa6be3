"""Fair dice and fair draws: the statistic of the real source, and what is asked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from device.game import rules
from device.game.chance import Chance, SeededChance, SystemChance
from device.game.gems import GEMS, Gem, Gems
from tests.game.play import AMBER, BLUE, EMERALD, RED, RUBY, SAPPHIRE, after, checked, played, start

ROLLS = 60_000

# The value that an honest source exceeds once in a thousand times, by degrees of freedom.
CHI_SQUARE_01_PERCENT = {3: 16.27, 5: 20.52, 11: 31.26, 19: 43.82}


def chi_square(seen: Counter[int], fair: dict[int, float]) -> float:
    """How far the counts are from the expected ones."""
    assert set(seen) <= set(fair)
    return sum((seen[face] - expected) ** 2 / expected for face, expected in fair.items())


def faces(count: int, rolls: int) -> dict[int, float]:
    """What a fair die of so many faces would show."""
    return dict.fromkeys(range(1, count + 1), rolls / count)


def rolls(edition: str, chance: Chance, count: int) -> Iterator[int]:
    match = start(edition)
    for _ in range(count):
        yield rules.rolled(match, chance, RED).lines[0]


def best_of_three(attempt: Callable[[], float], limit: float) -> float:
    """The first of three tries that passes: an honest source fails each once in a thousand times."""
    statistic = attempt()
    for _ in range(2):
        if statistic <= limit:
            break
        statistic = attempt()
    return statistic


def test_the_statistic_finds_a_loaded_die() -> None:
    loaded = Counter({1: 10_300, 2: 9_700, 3: 10_000, 4: 10_000, 5: 10_000, 6: 10_000})
    assert chi_square(loaded, faces(6, ROLLS)) == pytest.approx(18.0)
    loaded[1], loaded[2] = 10_350, 9_650
    assert chi_square(loaded, faces(6, ROLLS)) > CHI_SQUARE_01_PERCENT[5]


def test_the_real_die_is_fair_over_60_000_rolls() -> None:
    fair = faces(6, ROLLS)
    statistic = best_of_three(
        lambda: chi_square(Counter(rolls("classic", SystemChance(), ROLLS)), fair), CHI_SQUARE_01_PERCENT[5]
    )
    assert statistic <= CHI_SQUARE_01_PERCENT[5]


@pytest.mark.parametrize(
    ("edition", "count", "degrees"),
    [("classic", 6, 5), ("3d", 6, 5), ("pawns", 6, 5), ("duel", 20, 19), ("extreme", 4, 3)],
)
def test_every_die_is_fair_by_seed(edition: str, count: int, degrees: int) -> None:
    seen = Counter(rolls(edition, SeededChance(11), 20_000))
    assert chi_square(seen, faces(count, 20_000)) <= CHI_SQUARE_01_PERCENT[degrees]


def test_every_deal_of_chips_is_as_likely() -> None:
    match, chance = start("extreme", 2), SeededChance(12)
    seen = Counter(rules.rolled(match, chance, RED).lines for _ in range(12_000))
    numbered = Counter({n: seen[deal] for n, deal in enumerate(sorted(seen), 1)})
    assert len(seen) == 12
    assert chi_square(numbered, faces(12, 12_000)) <= CHI_SQUARE_01_PERCENT[11]


@pytest.mark.parametrize(
    "gone",
    [
        pytest.param((), id="a full bag"),
        pytest.param((RUBY,) * 8, id="two rubies left"),
        pytest.param((RUBY,) * 4 + (AMBER,) * 4, id="few rubies, few ambers"),
    ],
)
@pytest.mark.parametrize("source", [SeededChance(13), SystemChance()], ids=["seed", "system"])
def test_draws_follow_what_is_in_the_bag(gone: tuple[Gem, ...], source: Chance) -> None:
    match = start("classic", 2)
    for n in range(0, len(gone), 2):
        match = played(match, (RED, BLUE), gone[n : n + 2])
    match = checked(match, (RED, BLUE))
    fair = {n: 12_000 * match.bag[gem] / len(match.bag) for n, gem in enumerate(GEMS, 1)}

    def attempt() -> float:
        seen = Counter(GEMS.index(rules.drawn(match, source).gem) + 1 for _ in range(12_000))
        return chi_square(seen, fair)

    assert best_of_three(attempt, CHI_SQUARE_01_PERCENT[3]) <= CHI_SQUARE_01_PERCENT[3]


def test_what_is_used_up_is_never_drawn() -> None:
    match = start("classic", 2)
    for _ in range(5):
        match = played(match, (RED, BLUE), (RUBY, RUBY))
    match = checked(match, (RED, BLUE))
    assert match.bag == Gems(0, 10, 10, 10)
    chance = SeededChance(14)
    assert {rules.drawn(match, chance).gem for _ in range(500)} == {SAPPHIRE, EMERALD, AMBER}


class Given:
    """A chance that is told what to answer and keeps what it was asked."""

    def __init__(self, *answers: int) -> None:
        self.answers, self.asked = list(answers), list[int]()

    def below(self, limit: int) -> int:
        self.asked.append(limit)
        return self.answers.pop(0)


def test_chance_is_asked_once_a_die_once_a_gem_and_for_chips_without_putting_back() -> None:
    die = Given(4)
    assert rules.rolled(start("classic"), die, RED).lines == (5,)
    assert die.asked == [6]
    chips = Given(3, 0, 1)
    assert rules.rolled(start("extreme", 3), chips, RED).lines == (4, 1, 3)
    assert chips.asked == [4, 3, 2]
    match = checked(start("classic"), (RED, BLUE))
    gem = Given(0, 39 - 1)
    match = after(match, rules.drawn(match, gem))
    assert rules.drawn(match, gem).gem == AMBER
    assert gem.asked == [40, 39]
    assert match.hands[RED] == Gems(ruby=1, sapphire=1)


def test_a_seed_gives_the_same_evening_and_another_seed_another() -> None:
    def numbers(seed: int) -> list[int]:
        chance = SeededChance(seed)
        return [chance.below(1000) for _ in range(50)]

    assert numbers(1) == numbers(1)
    assert numbers(1) != numbers(2)


@pytest.mark.parametrize("source", [SeededChance(3), SystemChance()], ids=["seed", "system"])
@pytest.mark.parametrize("limit", [1, 2, 6, 58])
def test_whole_numbers_below_the_limit(source: Chance, limit: int) -> None:
    seen = {source.below(limit) for _ in range(limit * 40)}
    assert seen <= set(range(limit))
    assert limit > 6 or seen == set(range(limit))
