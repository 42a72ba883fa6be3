"""What holds for every picture: its form, that nothing is cut off, what shift, notice and race must show."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from device.game.gems import GEMS, Gem, Gems, Track
from device.game.players import SEATS, Player
from device.screen import samples as sampled
from device.screen.bitmaps import load
from device.screen.draw import draw
from device.screen.page import HEIGHT, WIDTH, DoesNotFit, Page
from device.screen.samples import samples
from device.screen.texts import LANGUAGES, catalogue
from device.table import scenes
from device.table.scenes import Glass, Placed, Race, Show, Standing, TooLate

RED, BLUE, GREEN, YELLOW = SEATS
SAMPLES = samples("en")
NAMES: dict[str, Mapping[Player, str]] = {
    "ten wide letters": dict.fromkeys(SEATS, "WWWWWWWWWW"),
    "accents above and tails below": {RED: "Éléonore", BLUE: "Jürgen", GREEN: "Åsbjørg", YELLOW: "Françoise"},
    "colours": {},
    "one letter": dict.fromkeys(SEATS, "i"),
}


def count(picture: Image.Image) -> int:
    """Lit pixels."""
    return picture.histogram()[255]


@pytest.mark.parametrize("show", [pytest.param(show, id=name) for name, show in SAMPLES.items()])
def test_picture_has_the_display_s_form(show: Show) -> None:
    picture = draw(show)
    assert (picture.mode, picture.size) == ("1", (WIDTH, HEIGHT))
    assert (picture.getbbox() is None) == isinstance(show.scene, scenes.Asleep)


def test_samples_hold_every_scene() -> None:
    assert {type(show.scene) for show in SAMPLES.values()} == set(typing.get_args(scenes.Scene))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [pytest.param(names, id=label) for label, names in NAMES.items()])
def test_no_text_is_cut_off_or_runs_into_another(language: str, names: Mapping[Player, str]) -> None:
    for show in samples(language).values():
        draw(replace(show, names=names), strict=True)


@st.composite
def full_races(draw_one: st.DrawFn) -> Race:
    """Races with up to four claims, of any length, with any symbol an edition may have."""
    players = SEATS[: draw_one(st.integers(2, 4))]
    total = draw_one(st.integers(5, 600))
    left = draw_one(st.integers(0, total))
    seconds = st.floats(0, total, allow_nan=False)
    claimed = draw_one(st.permutations(players))[: draw_one(st.integers(0, len(players)))]
    places = tuple(Placed(player, n, draw_one(seconds)) for n, player in enumerate(claimed, 1))
    symbols = ("shield", "hand", "gazelle", "snake", "elephant", "mask", "20", "yellow", "rhinoceros", None)
    played = draw_one(st.integers(0, 9))
    out = tuple(player for player in players if player not in claimed and draw_one(st.booleans()))
    symbol = draw_one(st.sampled_from(symbols))
    return Race(
        round=min(played + 1, 9),
        rounds=9,
        symbol=symbol,
        line=draw_one(st.sampled_from((None, 1, 6))),
        tumbling=False,
        glass=draw_one(st.sampled_from((Glass(left, total, 1 - left / total), None))),
        elapsed=draw_one(st.integers(0, 5999)),
        chance=draw_one(st.sampled_from((1, 2))),
        players=players,
        places=places,
        track=draw_one(st.sampled_from((Track(9 - played, 9 - played), None))),
        out=out,
        levels=dict.fromkeys(players, "orange") if draw_one(st.booleans()) else {},
    )


@settings(deadline=None)
@given(race=full_races(), language=st.sampled_from(LANGUAGES))
def test_any_race_fits(race: Race, language: str) -> None:
    draw(Show(race, language, NAMES["ten wide letters"]), strict=True)


@st.composite
def full_results(draw_one: st.DrawFn) -> scenes.Scene:
    """Check, draw, scores, final and count with as much in them as a game can hold."""
    players = SEATS[: draw_one(st.integers(1, 4))]
    hand = st.builds(Gems, *[st.integers(0, 19)] * 4)
    hands = {player: draw_one(hand) for player in players}
    gained = st.lists(st.sampled_from(GEMS), max_size=2).map(tuple)
    standings = tuple(Standing(p, hands[p].points, hands[p], draw_one(gained), n) for n, p in enumerate(players, 1))
    which = draw_one(st.sampled_from(("check", "draw", "scores", "final", "count")))
    first = players[0]
    if which == "check":
        solved = draw_one(st.integers(0, len(players)))
        places = tuple(Placed(player, n, draw_one(st.floats(0, 600))) for n, player in enumerate(players[:solved], 1))
        late = tuple(TooLate(player, draw_one(st.floats(0, 99))) for player in players[solved:])
        return scenes.Check("sand", places, late, draw_one(st.booleans()))
    if which == "draw":
        draws = st.lists(st.tuples(st.sampled_from(players), st.sampled_from(GEMS), st.just("bag")), max_size=10)
        bag = draw_one(hand)
        return scenes.Draw(
            first, 1, draw_one(st.booleans()), bag, tuple(draw_one(draws)), (), draw_one(st.integers(1, 4))
        )
    if which == "scores":
        return scenes.Scores(9, 9, standings, draw_one(st.sampled_from((players, (first,)))), "reveal", track=Track())
    if which == "final":
        ranks = [draw_one(st.integers(1, 4)) for _ in players]
        ranked = tuple(replace(standing, rank=rank) for standing, rank in zip(standings, sorted(ranks), strict=True))
        return scenes.Final("Ubongo", ranked, records=players)
    return scenes.Count(first, Gems(99, 99, 99, 99), 990)


@settings(deadline=None)
@given(scene=full_results(), language=st.sampled_from(LANGUAGES))
def test_any_result_fits(scene: scenes.Scene, language: str) -> None:
    draw(Show(scene, language, NAMES["ten wide letters"]), strict=True)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(SEATS), st.text(min_size=1, max_size=10)))
def test_any_name_at_all_is_drawn(names: Mapping[Player, str]) -> None:
    for name in ("lobby", "race-three", "scores", "final"):
        draw(replace(SAMPLES[name], names=names))


def test_strict_drawing_finds_what_is_too_wide_and_what_collides() -> None:
    page = Page(catalogue("en"), {}, strict=True)
    with pytest.raises(DoesNotFit, match="pixels wide"):
        page.text(0, 10, "Elephant", "medium", width=40)
    with pytest.raises(DoesNotFit, match="leaves the picture"):
        page.text(100, 10, "Elephant", "medium")
    page.text(0, 10, "Elephant")
    with pytest.raises(DoesNotFit, match="runs into"):
        page.text(10, 13, "Elephant")
    with pytest.raises(DoesNotFit, match="runs into"):
        page.text(0, 40, "dark on dark", lit=False)


def test_a_long_name_is_shortened_for_all_to_see_and_stays_its_own() -> None:
    names = {RED: "Christiana", BLUE: "Christiane", GREEN: "Maximilian", YELLOW: "Zoë"}
    page = Page(catalogue("en"), names)
    shown = {player: page.named(player, 28)[0] for player in SEATS}
    assert shown == {RED: "Christi.a", BLUE: "Christi.e", GREEN: "Maximil.", YELLOW: "Zoë"}


SYMBOLS = [pytest.param(symbol, id=symbol) for symbol in ("shield", "hand", "gazelle", "snake", "elephant", "mask")]


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_symbol_is_large_and_unlike_the_others(symbol: str) -> None:
    mine = load(f"symbols/{symbol}")
    assert min(mine.size) >= 32
    for other in (str(one.values[0]) for one in SYMBOLS if one.values[0] != symbol):
        assert count(ImageChops.logical_xor(mine, load(f"symbols/{other}"))) > 250


def test_race_shows_symbol_places_second_chance_and_tumbling() -> None:
    race = sampled.race(0.5)
    plain = draw(Show(race))
    symbol = plain.crop((4, 0, 42, 38))
    assert ImageChops.logical_xor(symbol, load("symbols/elephant")).getbbox() is None
    for changed in (
        replace(race, symbol="mask"),
        replace(race, line=1),
        replace(race, chance=2),
        replace(race, tumbling=True),
        replace(race, places=(Placed(RED, 1, 30.0),)),
        replace(race, out=(RED,)),
        replace(race, track=Track(6, 7)),
    ):
        assert draw(Show(changed)).tobytes() != plain.tobytes()


@pytest.mark.parametrize("left", [pytest.param(n, id=str(n)) for n in (0, 7, 60, 599)])
def test_digits_of_the_race_are_at_least_20_rows_high(left: int) -> None:
    digits = draw(Show(replace(sampled.race(0.5), glass=Glass(left, 600, 0.5)))).crop((69, 0, 128, 29)).getbbox()
    assert digits is not None
    assert digits[3] - digits[1] >= 20


def test_the_track_is_nine_pairs_whatever_is_left_of_it() -> None:
    for left in range(10):
        strip = draw(Show(replace(sampled.race(0.5), track=Track(left, left)))).crop((0, 55, 63, 64))
        for pair in range(9):
            for top in (0, 5):
                lit = count(strip.crop((pair * 7, top, pair * 7 + 6, top + 4)))
                assert lit == 1 if pair < 9 - left else lit > 8


@pytest.mark.parametrize("shift", [1, 2, 3])
@pytest.mark.parametrize("show", [pytest.param(show, id=name) for name, show in SAMPLES.items()])
def test_a_shifted_picture_loses_nothing(show: Show, shift: int) -> None:
    # The mark of a trouble stays in its corner.
    still, shifted = draw(replace(show, notice="")), draw(replace(show, notice="", shift=shift))
    assert _trimmed(shifted) == _trimmed(still)


def test_static_scenes_do_wander() -> None:
    where = {draw(replace(SAMPLES["youngest"], shift=shift)).getbbox() for shift in range(4)}
    assert len(where) == 4


def _trimmed(picture: Image.Image) -> bytes:
    box = picture.getbbox()
    return picture.crop(box).tobytes() if box else b""


@pytest.mark.parametrize("notice", ["oled", "store", "button", "something-new"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mark_of_a_trouble_hides_nothing(notice: str, language: str) -> None:
    for name, show in samples(language).items():
        plain, marked = draw(replace(show, notice="")), draw(replace(show, notice=notice))
        hidden = ImageChops.logical_and(plain, ImageChops.invert(marked))
        assert count(hidden) == 0, name
        assert (count(marked) > count(plain)) != isinstance(show.scene, scenes.Asleep), name


def test_gems_differ_in_outline_and_letter() -> None:
    for language in LANGUAGES:
        assert len({catalogue(language)[f"letters.{gem}"] for gem in Gem}) == 4
    for suffix, least in (("", 40), ("-small", 10)):
        outlines = [load(f"gems/{gem}{suffix}") for gem in Gem]
        for number, outline in enumerate(outlines):
            for other in outlines[:number]:
                assert count(ImageChops.logical_xor(outline, other)) >= least
