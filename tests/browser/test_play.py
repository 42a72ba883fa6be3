"""An evening at the page: the real program, a real Chromium, real clicks, keys and fingers."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.config_keys import CHOICES
from device.game.gems import Gem, Gems, Track
from device.game.players import Player
from device.screen.draw import draw
from device.table import scenes
from device.table.menu import ITEMS as MENU
from device.table.scenes import Scene, Show, Standing
from tests.browser.browser import Browser, rows
from tests.simulator.program import Program

ANNA, BLUE, ZOE = Player.RED, Player.BLUE, Player.GREEN
NAMES = {ANNA: "Anna", ZOE: "Zoé"}
CONFIG = """
glass_seconds = {seconds}
[players]
red = "Anna"
green = "Zoé"
"""
KEYS = ("edition", *CHOICES)
"""The rows of the settings list."""
GEMS = {"a ruby": Gem.RUBY, "a sapphire": Gem.SAPPHIRE, "an emerald": Gem.EMERALD, "an amber": Gem.AMBER}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite"


@pytest.fixture
def checked(browser: Browser) -> Iterator[Browser]:
    yield browser
    assert browser.complaints() == []


def picture_of(scene: Scene) -> list[str]:
    return rows(draw(Show(scene, names=NAMES), strict=True))


def shows(page: Browser, scene: Scene) -> None:
    """The canvas is, pixel by pixel, what the screen draws for this scene."""
    wanted = picture_of(scene)
    page.until(lambda: page.oled == wanted, f"the picture of {type(scene).__name__}")


def in_scene(page: Browser, name: str) -> None:
    page.until(lambda: page.scene == name, f"scene {name}")


def move(page: Browser, key: int) -> None:
    """Press a key in a list and wait until the display has followed."""
    before = page.oled
    page.press_key(key)
    page.until(lambda: page.oled != before, "the list moves")


def lit(page: Browser, *buttons: int) -> None:
    page.until(lambda: page.lamps == [float(b in buttons) for b in (1, 2, 3, 4)], f"lamps {buttons} lit, no others")


def blinks(page: Browser, *buttons: int) -> None:
    """These lamps go on and off, and no other is ever on."""
    for level in (1.0, 0.0, 1.0):
        wanted = [level if b in buttons else 0.0 for b in (1, 2, 3, 4)]
        page.until(lambda wanted=wanted: page.lamps == wanted, f"lamps {buttons} blink")  # type: ignore[misc]


def hears(page: Browser, line: str) -> None:
    page.until(lambda: page.told[-1:] == [line], f"{line!r} said in words")


def gem_of(page: Browser, name: str) -> Gem:
    """The gem that was said last, which this player got."""
    pattern = re.compile(rf"{name}: (an? \w+)\.")
    said: list[re.Match[str]] = []

    def drawn() -> bool:
        said[:] = [found for line in page.told if (found := pattern.fullmatch(line))]
        return bool(said)

    page.until(drawn, f"a gem for {name}")
    return GEMS[said[-1][1]]


def test_a_round_by_mouse_keys_and_touch(store: Path, checked: Browser) -> None:
    page = checked
    with Program(store, "--seed", "5", config=CONFIG.format(seconds=20)) as program:
        page.open(program.address)
        in_scene(page, "lobby")

        page.click(1)
        page.press_key(2)
        page.tap(3)
        shows(page, scenes.Lobby("Ubongo", "A", (ANNA, BLUE, ZOE)))
        # Who plays is lit, who may still join blinks.
        lit(page, 1, 2, 3)
        lit(page, 1, 2, 3, 4)
        lit(page, 1, 2, 3)

        page.mouse_down(1)
        in_scene(page, "youngest")
        page.mouse_up()
        shows(page, scenes.Youngest((ANNA, BLUE, ZOE)))
        blinks(page, 1, 2, 3)
        page.press_key(2)
        in_scene(page, "ready")
        blinks(page, 2)

        page.until(lambda: page.text("#sound-words") == "Sound on", "the first click unlocked the sound")
        page.sounds()
        page.click(2)
        in_scene(page, "race")
        lit(page, 1, 2, 3)
        asked = page.sounds()
        assert len([what for what in asked if what[0] == "pitch"]) > 0, "the roll is heard"
        symbols = {"Shield", "Hand", "Gazelle", "Snake", "Elephant", "Mask"}
        assert any(line.removeprefix("Rolled: ").rstrip(".").title() in symbols for line in page.told)

        page.press_key(3)
        hears(page, "Zoé is number 1.")
        lit(page, 1, 2)
        page.click(1)
        hears(page, "Anna is number 2.")
        lit(page, 2)
        page.mouse_down(1)
        hears(page, "Anna takes it back.")
        page.mouse_up(*page.middle(1))
        lit(page, 1, 2)
        page.tap(1)
        hears(page, "Anna is number 2.")
        page.sounds()

        in_scene(page, "check")
        loud = [value for kind, value in page.sounds() if kind == "level" and value > 0]
        assert loud, "Stop is heard"
        assert "Stop!" in page.told
        # Two seconds later the lamps say that a press goes on.
        lit(page, 1, 2, 3)
        page.click(1)

        in_scene(page, "draw")
        shows(page, scenes.Draw(ZOE, 1, False, Gems(10, 10, 10, 10), GIVEN, (ANNA,)))
        blinks(page, 3)
        page.press_key(1)  # it is not Anna's turn
        page.press_key(3)
        in_scene_of_anna = scenes.Draw(ANNA, 2, False, BAG, (*GIVEN, (ZOE, ZOES, "bag")), ())
        shows(page, in_scene_of_anna)
        blinks(page, 1)
        page.tap(1)
        in_scene(page, "scores")
        first = gem_of(page, "Anna")

        # Undo never fishes for a better gem.
        page.key("down", "Digit2")
        in_scene(page, "draw")
        page.key("up", "Digit2")
        shows(page, in_scene_of_anna)
        page.click(1)
        in_scene(page, "scores")
        assert gem_of(page, "Anna") == first

        anna, zoe = Gems().plus(Gem.AMBER).plus(first), Gems().plus(Gem.SAPPHIRE).plus(ZOES)
        ranks = sorted((anna.points, zoe.points), reverse=True)
        table = (
            Standing(ANNA, anna.points, anna, (Gem.AMBER, first), 1 + ranks.index(anna.points)),
            Standing(BLUE, 0, Gems(), (), 3),
            Standing(ZOE, zoe.points, zoe, (Gem.SAPPHIRE, ZOES), 1 + ranks.index(zoe.points)),
        )
        shows(page, scenes.Scores(1, 9, table, (ZOE,), "roll", track=Track(8, 8)))
        blinks(page, 3)
        assert program.end() == (0, "", "")


GIVEN = ((ZOE, Gem.SAPPHIRE, "track"), (ANNA, Gem.AMBER, "track"))
ZOES = Gem.SAPPHIRE
"""What the seed lets the first player draw."""
BAG = Gems(10, 9, 10, 10)


def by_mouse(page: Browser, button: int) -> None:
    page.click(button)


def by_key(page: Browser, button: int) -> None:
    page.press_key(button)


def by_touch(page: Browser, button: int) -> None:
    page.tap(button)


MEANS = (by_mouse, by_key, by_touch)


ROUNDS = int(os.environ.get("BROWSER_ROUNDS", "3"))
"""Rounds of the evening below, one by each means; 9 are a whole match."""


def test_rounds_for_three_by_mouse_keys_and_touch_in_turn(store: Path, checked: Browser) -> None:
    page = checked
    with Program(store, "--seed", "1", config=CONFIG.format(seconds=60)) as program:
        page.open(program.address, 1024, 768)
        in_scene(page, "lobby")
        for player in (1, 2, 3):
            MEANS[player - 1](page, player)
        lit(page, 1, 2, 3)
        page.touch(1, 2)
        in_scene(page, "youngest")
        page.lift(1)
        page.press_key(1)
        in_scene(page, "ready")
        roller = 1
        for number in range(1, ROUNDS + 1):
            press: Callable[[Browser, int], None] = MEANS[number % 3]
            press(page, roller)
            in_scene(page, "race")
            lit(page, 1, 2, 3)
            order = [1, 2, 3] if number % 2 else [3, 2, 1]
            for place, player in enumerate(order, 1):
                press(page, player)
                page.until(lambda want=f"is number {place}.": want in " ".join(page.told[-4:]), "the place")  # type: ignore[misc]
            in_scene(page, "check")
            lit(page, 1, 2, 3)
            press(page, order[0])
            in_scene(page, "draw")
            for player in order:
                lit(page, player)
                press(page, player)
            in_scene(page, "scores")
            roller = roller % 3 + 1
        press(page, roller)
        after = ("final", "playoff") if ROUNDS == 9 else ("race",)
        page.until(lambda: page.scene in after, "what comes after the last of them")
        assert program.end() == (0, "", "")


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGTERM, id="ended"), pytest.param(signal.SIGKILL, id="power cut")]
)
def test_a_match_goes_on_after_the_program_was_gone(
    store: Path, checked: Browser, port: int, number: signal.Signals
) -> None:
    page = checked
    config = CONFIG.format(seconds=600)
    with Program(store, port=port, config=config) as program:
        page.open(program.address)
        in_scene(page, "lobby")
        page.press_key(1)
        page.press_key(2)
        lit(page, 1, 2)
        page.key("down", "Digit1")
        in_scene(page, "youngest")
        page.key("up", "Digit1")
        page.press_key(1)
        in_scene(page, "ready")
        page.press_key(1)
        in_scene(page, "race")
        lit(page, 1, 2)
        page.press_key(2)
        hears(page, "Blue is number 1.")
        code, out, errors = program.end(number)
    assert (code, out, errors) == (0 if number is signal.SIGTERM else -number, "", "")
    page.until(lambda: page.visible("#gone"), "the page says so")
    lit(page)
    page.press_key(1)

    with Program(store, port=port, config=config) as again:
        in_scene(page, "resume")
        assert not page.visible("#gone")
        assert "press to go on" in page.run("return document.getElementById('oled').getAttribute('aria-label')")
        page.press_key(1)
        in_scene(page, "paused")
        page.press_key(1)
        in_scene(page, "race")
        # Blue's place stands: only Anna may still press.
        lit(page, 1)
        page.press_key(1)
        in_scene(page, "check")
        assert again.end(signal.SIGINT) == (0, "", "")
    page.complaints()  # the connections refused meanwhile are the browser's to complain about


def test_a_language_chosen_on_the_box_is_the_pages_at_once(store: Path, checked: Browser) -> None:
    page = checked
    with Program(store, config=CONFIG.format(seconds=60)) as program:
        page.open(program.address)
        in_scene(page, "lobby")
        for number in (1, 2, 3):
            page.key("down", f"Digit{number}")
        in_scene(page, "menu")
        for number in (1, 2, 3):
            page.key("up", f"Digit{number}")
        for _ in range(MENU.index("settings")):
            move(page, 2)
        page.press_key(3)
        in_scene(page, "settings")
        for _ in range(KEYS.index("language")):
            move(page, 2)
        for language, title, green in (("fr", "La boîte Ubongo", "Zoé"), ("de", "Die Ubongo-Kiste", "Zoé")):
            move(page, 3)
            page.until(lambda want=title: page.driver.title == want, f"the page in {language}")  # type: ignore[misc]
            assert page.run("return document.documentElement.lang") == language
            assert page.text("[data-player='green'] .name") == green
        assert page.text("[data-player='blue'] .name") == "Blau"
        assert page.text("#help-title") == "So wird gespielt"
        assert program.end() == (0, "", "")
    # The next start speaks it from the first word.
    with Program(store, config=CONFIG.format(seconds=60)) as again:
        page.open(again.address)
        page.until(lambda: page.driver.title == "Die Ubongo-Kiste", "the page in German")
        assert again.end() == (0, "", "")
    page.complaints()


def test_three_fingers_held_are_the_menu_and_it_switches_the_program_off(store: Path, checked: Browser) -> None:
    page = checked
    with Program(store, config=CONFIG.format(seconds=60)) as program:
        page.open(program.address, 390, 844, 2)
        in_scene(page, "lobby")
        for finger, button in ((1, 4), (2, 1), (3, 3)):
            page.touch(finger, button)
        in_scene(page, "menu")
        for finger in (1, 2, 3):
            page.lift(finger)
        lit(page, 1, 2, 3, 4)
        page.press_key(4)
        in_scene(page, "lobby")
        # What the three did on the way down was taken back: nobody has joined.
        shows(page, scenes.Lobby("Ubongo", "A", ()))

        for number in (1, 2, 4):
            page.key("down", f"Digit{number}")
        in_scene(page, "menu")
        for number in (1, 2, 4):
            page.key("up", f"Digit{number}")
        for _ in range(2):  # up from the first line, over the end of the list, to "power off"
            before = page.oled
            page.press_key(1)
            page.until(lambda before=before: page.oled != before, "the menu moves")  # type: ignore[misc]
        page.press_key(3)
        assert program.end(None) == (0, "", "")
    page.until(lambda: page.visible("#gone"), "the page says that the program is gone")
    page.complaints()
