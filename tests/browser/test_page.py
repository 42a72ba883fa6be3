"""The page by itself, in a real Chromium, on the real parts: each press an edge at a pin, each pin seen and heard."""

from __future__ import annotations

import http.server
import random
import threading
from collections.abc import Iterator

import pytest
from PIL import Image
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from device.simulator.fingers import SILENCE
from tests.browser.browser import Browser, rows
from tests.simulator.rig import Rig

STALL = 3.0
"""Seconds for which a page may be busy with itself: twice a hold."""

SIZES = [
    pytest.param(1280, 800, 1, id="desktop"),
    pytest.param(1920, 1080, 1, id="large desktop"),
    pytest.param(1024, 768, 1, id="tablet"),
    pytest.param(768, 1024, 2, id="tablet upright"),
    pytest.param(390, 844, 3, id="phone"),
    pytest.param(844, 390, 3, id="phone on its side"),
    pytest.param(640, 400, 2, id="desktop at 200 %"),
    pytest.param(320, 568, 2, id="small phone"),
    pytest.param(568, 320, 2, id="small phone on its side"),
]


@pytest.fixture
def rig() -> Iterator[Rig]:
    with Rig() as rig:
        yield rig


@pytest.fixture
def page(rig: Rig, browser: Browser) -> Iterator[Browser]:
    browser.open(f"{rig.origin}/")
    yield browser
    assert browser.complaints() == []


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(1024))


# Presses


def test_a_mouse_holds_a_button_as_long_as_it_is_held(rig: Rig, page: Browser) -> None:
    page.mouse_down(1)
    assert rig.pressed(1) == [(1, True)]
    assert page.pushed == [1]
    page.mouse_up()  # the finger slid off the button
    assert rig.pressed(1) == [(1, False)]
    page.until(lambda: page.pushed == [], "the button came up")


def test_only_the_first_mouse_button_presses(rig: Rig, page: Browser) -> None:
    page.mouse_down(2, which=2)
    page.mouse_up(*page.middle(2), which=2)
    page.click(3)
    assert rig.pressed(2) == [(3, True), (3, False)]


@pytest.mark.parametrize("row", ["Digit", "Numpad"])
def test_keys_hold_as_long_as_they_are_held_however_often_they_repeat(rig: Rig, page: Browser, row: str) -> None:
    for number in (1, 2, 3, 4):
        page.key("down", f"{row}{number}")
    for _ in range(5):
        page.key("down", f"{row}4", repeat=True)
    assert page.pushed == [1, 2, 3, 4]
    for number in (4, 3, 2, 1):
        page.key("up", f"{row}{number}")
    downs, ups = [(b, True) for b in (1, 2, 3, 4)], [(b, False) for b in (4, 3, 2, 1)]
    assert rig.pressed(8) == downs + ups


def test_keys_go_by_their_place_not_by_what_is_printed_on_them(rig: Rig, page: Browser) -> None:
    # The first key of the upper row of a French keyboard is "&".
    page.cdp("Input.dispatchKeyEvent", type="keyDown", code="Digit1", key="&", text="&", windowsVirtualKeyCode=49)
    page.cdp("Input.dispatchKeyEvent", type="keyUp", code="Digit1", key="&", windowsVirtualKeyCode=49)
    assert rig.pressed(2) == [(1, True), (1, False)]


def test_a_shortcut_of_the_browser_is_no_press(rig: Rig, page: Browser) -> None:
    page.cdp("Input.dispatchKeyEvent", type="rawKeyDown", code="Digit1", key="1", modifiers=2, windowsVirtualKeyCode=49)
    page.cdp("Input.dispatchKeyEvent", type="keyUp", code="Digit1", key="1", modifiers=2, windowsVirtualKeyCode=49)
    page.press_key(2)
    assert rig.pressed(2) == [(2, True), (2, False)]


@pytest.mark.parametrize("code", ["Space", "Enter"])
def test_a_focused_button_is_held_with(rig: Rig, page: Browser, code: str) -> None:
    page.run("document.querySelector(\"[data-button='3']\").focus()")
    page.key("down", code)
    page.key("down", code, repeat=True)
    assert rig.pressed(1) == [(3, True)]
    page.key("up", code)
    page.press_key(1)
    assert rig.pressed(3) == [(3, False), (1, True), (1, False)]


def test_a_screen_readers_click_is_a_short_press(rig: Rig, page: Browser) -> None:
    page.run("document.querySelector(\"[data-button='2']\").click()")
    assert rig.pressed(2) == [(2, True), (2, False)]


@pytest.mark.parametrize("means", ["click", "tap", "press_key"])
def test_a_short_press_stays_one_though_the_page_stalls_in_the_midst_of_it(browser: Browser, means: str) -> None:
    with Rig(silence=SILENCE) as rig:
        browser.open(f"{rig.origin}/")
        browser.run(
            "for (const begin of ['pointerdown', 'keydown']) addEventListener(begin, () => {"
            "const end = performance.now() + arguments[0]; while (performance.now() < end);"
            "}, { once: true });",
            STALL * 1000,
        )
        press = getattr(browser, means)
        press(3)
        down, up = (rig.edges.get(timeout=30) for _ in range(2))
        assert (down.button, down.down, up.button, up.down) == (3, True, 3, False)
        assert up.stamp - down.stamp < STALL
        # The end of it, which comes at last, is none any more, and the next press is one.
        press(1)
        assert rig.pressed(2) == [(1, True), (1, False)]
    assert browser.complaints() == []


def test_a_page_that_lives_holds_for_longer_than_silence_would(browser: Browser) -> None:
    with Rig(silence=SILENCE) as rig:
        browser.open(f"{rig.origin}/")
        browser.touch(1, 2)
        down = rig.edges.get(timeout=30)
        # Not before the page has said so for as long as a menu takes.
        browser.driver.execute_async_script("setTimeout(arguments[0], 2500)")
        browser.lift(1)
        up = rig.edges.get(timeout=30)
        assert (down.button, up.button, up.down) == (2, 2, False)
        assert up.stamp - down.stamp >= 2.4


def test_four_fingers_at_once(rig: Rig, page: Browser) -> None:
    for finger, button in ((10, 1), (11, 3), (12, 4), (13, 2)):
        page.touch(finger, button)
    assert rig.pressed(4) == [(1, True), (3, True), (4, True), (2, True)]
    assert rig.board.levels() == (True, True, True, True)
    page.lift(11)
    assert rig.pressed(1) == [(3, False)]
    page.slide(10, 640, 20)
    page.lift(13)
    assert rig.pressed(1) == [(2, False)]
    assert rig.board.levels() == (True, False, False, True)
    page.lift(10)
    page.lift(12)
    assert rig.pressed(2) == [(1, False), (4, False)]


def test_two_fingers_and_a_key_on_one_button_are_one_press_until_the_last_is_up(rig: Rig, page: Browser) -> None:
    page.touch(1, 4)
    page.touch(2, 4)
    page.key("down", "Digit4")
    page.lift(1)
    page.key("up", "Digit4")
    assert rig.pressed(1) == [(4, True)]
    assert page.pushed == [4]
    page.press_key(1)
    assert rig.pressed(2) == [(1, True), (1, False)]
    page.lift(2)
    assert rig.pressed(1) == [(4, False)]


def test_touching_scrolls_zooms_and_selects_nothing(rig: Rig, page: Browser) -> None:
    page.size(390, 844, 2)
    x, y = page.middle(1)
    for _ in range(2):
        page.touch(1, 1)
        page.slide(1, x + 40, y + 300)
        page.lift(1)
    assert rig.pressed(4) == [(1, True), (1, False)] * 2
    assert page.run("return [scrollX, scrollY, visualViewport.scale, getSelection().toString()]") == [0, 0, 1, ""]


def test_another_tab_lets_go_of_everything(rig: Rig, page: Browser) -> None:
    page.key("down", "Digit1")
    page.key("down", "Digit2")
    assert rig.pressed(2) == [(1, True), (2, True)]
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    assert rig.pressed(2) == [(1, False), (2, False)]
    page.driver.close()
    page.driver.switch_to.window(first)
    page.key("up", "Digit1")
    page.key("up", "Digit2")
    page.press_key(3)
    assert rig.pressed(2) == [(3, True), (3, False)]


# What is seen


def test_lamps_glow_with_their_pins(rig: Rig, page: Browser) -> None:
    for lit in ({1}, {2, 3}, {1, 2, 3, 4}, {4}, set[int]()):
        rig.board.lamps.show(frozenset(lit), frozenset(), 0.0)
        page.until(lambda want=lit: page.lamps == [float(b in want) for b in (1, 2, 3, 4)], f"lamps {lit}")  # type: ignore[misc]


def test_blinking_is_what_the_pin_does_over_time(rig: Rig, page: Browser) -> None:
    due = rig.board.lamps.show(frozenset({2}), frozenset({1}), 0.0)
    for shining in (1.0, 0.0, 1.0, 0.0):
        page.until(lambda want=shining: page.lamps == [want, 1.0, 0.0, 0.0], f"lamp 1 at {shining}")  # type: ignore[misc]
        assert due is not None
        due = rig.board.lamps.beat(due)


@pytest.mark.parametrize(("width", "height", "density"), SIZES)
def test_the_whole_box_fits_and_every_pixel_is_painted(
    rig: Rig, page: Browser, width: int, height: int, density: float
) -> None:
    page.size(width, height, density)
    page.settle()
    found = page.run(
        "const all = [...document.querySelectorAll('.arcade, #window, #oled, #sound, summary, .plate, .box')];"
        "return all.map(e => [e.className || e.id, e.getBoundingClientRect().toJSON()]);"
    )
    for name, place in found:
        assert place["left"] >= 0, name
        assert place["top"] >= 0, name
        assert place["right"] <= width, name
        assert place["bottom"] <= height, name
    places = {name: [place for other, place in found if other == name] for name, _ in found}
    assert all(min(place["width"], place["height"]) >= 44 for place in places["arcade"])
    [window], [oled] = places["window"], places["oled"]
    # Large enough to be read, and each of its pixels a whole number of the screen's.
    assert oled["width"] >= 0.4 * min(width, height * 1.2)
    if width > 2 * height:
        assert oled["width"] >= width / 2
    assert oled["width"] * density == pytest.approx(128 * round(oled["width"] * density / 128), abs=0.1)
    red, blue, green, yellow = (page.middle(b) for b in (1, 2, 3, 4))
    # Clockwise from the upper left, and none of them under the display.
    assert red[0] == yellow[0] < blue[0] == green[0]
    assert red[1] == blue[1] < yellow[1] == green[1]
    for x, y in (red, blue, yellow, green):
        assert not (window["left"] < x < window["right"] and window["top"] < y < window["bottom"])
    assert page.run("const e = document.documentElement; return [e.scrollWidth, e.scrollHeight]") == [width, height]
    picture = noise(width)
    rig.oled.show(picture)
    wanted = rows(picture)
    page.until(lambda: page.oled == wanted, "the picture, pixel by pixel")


def test_a_sleeping_display_is_dark(rig: Rig, page: Browser) -> None:
    def opacity() -> float:
        return float(page.run("return getComputedStyle(document.getElementById('oled')).opacity"))

    page.until(lambda: opacity() > 0.5, "the display is on")
    rig.oled.sleep()
    page.until(lambda: opacity() == 0, "the display is off")
    rig.oled.wake()
    rig.oled.contrast(255)
    page.until(lambda: opacity() == 1, "the display is at its brightest")


def test_a_reload_brings_everything_back(rig: Rig, page: Browser) -> None:
    picture = noise(1)
    rig.oled.show(picture)
    rig.board.lamps.show(frozenset({3}), frozenset(), 0.0)
    rig.server.tell({"what": "scene", "scene": "race"})
    page.key("down", "Digit1")
    assert rig.pressed(1) == [(1, True)]
    page.driver.refresh()
    assert rig.pressed(1) == [(1, False)]
    page.until(lambda: page.linked and page.scene == "race", "the page is back in the race")
    page.until(lambda: page.lamps == [0, 0, 1, 0] and page.oled == rows(picture), "lamps and picture are back")


# What is heard


def test_sound_waits_for_a_gesture_says_so_and_then_follows_the_buzzers_pin(rig: Rig, page: Browser) -> None:
    assert page.run("return document.getElementById('sound').dataset.sound") == "locked"
    assert page.visible("#sound-words")
    assert page.text("#sound-words") == "Tap for sound"
    page.click(1)
    page.until(lambda: page.text("#sound-words") == "Sound on", "a press of the box unlocks the sound")
    page.sounds()

    heard: list[list[object]] = []

    def hear(last: list[object]) -> bool:
        heard.extend(page.sounds())
        return heard[-1:] == [last]

    due = rig.board.buzzer.play("stop", 0.0)
    pitch = rig.front.state()["tone"]
    page.until(lambda: hear(["level", 0.14]), "Stop sounds")
    assert ["pitch", pitch] in heard
    assert page.run("return document.getElementById('buzzer').className").split() == ["buzzer", "sounds"]
    while due is not None:
        due = rig.board.buzzer.beat(due)
    page.until(lambda: hear(["level", 0]), "it is quiet again")
    page.until(lambda: not page.run("return document.querySelector('.buzzer.sounds')"), "and is drawn so")


def test_opening_the_sound_hardware_waits_for_the_end_of_the_press(rig: Rig, page: Browser) -> None:
    # It may take as long as a hold.
    page.key("down", "Digit1")
    assert rig.pressed(1) == [(1, True)]
    page.settle()
    assert page.text("#sound-words") == "Tap for sound"
    page.key("up", "Digit1")
    assert rig.pressed(1) == [(1, False)]
    page.until(lambda: page.text("#sound-words") == "Sound on", "unlocked")


def test_the_sound_button_unlocks_and_mutes_and_the_page_remembers(rig: Rig, page: Browser) -> None:
    page.click_on("#sound")
    page.until(lambda: page.text("#sound-words") == "Sound on", "unlocked")
    page.click_on("#sound")
    page.until(lambda: page.text("#sound-words") == "Sound off", "muted")
    page.sounds()
    rig.board.buzzer.play("stop", 0.0)
    page.until(lambda: bool(page.run("return document.querySelector('.buzzer.sounds')")), "Stop is drawn")
    assert {tuple(ask) for ask in page.sounds() if ask[0] == "level"} == {("level", 0)}
    page.driver.refresh()
    page.until(lambda: page.linked, "back")
    # Nobody is beckoned to what was switched off, and who taps there nevertheless gets what the tap is for.
    assert page.text("#sound-words") == "Sound off"
    page.click(2)
    assert page.text("#sound-words") == "Sound off"
    page.click_on("#sound")
    page.until(lambda: page.text("#sound-words") == "Sound on", "on again")
    page.until(lambda: ["level", 0.14] in page.sounds(), "and Stop, which still sounds, is heard")


def test_a_tone_that_sounds_when_the_program_dies_ends(rig: Rig, page: Browser) -> None:
    page.click(1)
    page.until(lambda: page.text("#sound-words") == "Sound on", "unlocked")
    rig.board.buzzer.play("stop", 0.0)
    page.until(lambda: ["level", 0.14] in page.sounds(), "Stop sounds")
    rig.stop()
    page.until(lambda: ["level", 0] in page.sounds(), "it is quiet")


# The program goes and comes


def test_the_page_says_when_the_program_is_gone_and_comes_back_by_itself(browser: Browser, port: int) -> None:
    with Rig(port=port) as rig:
        browser.open(f"{rig.origin}/")
        assert not browser.visible("#gone")
        rig.board.lamps.show(frozenset({1, 2}), frozenset(), 0.0)
        rig.oled.show(noise(2))
        browser.until(lambda: browser.lamps == [1, 1, 0, 0], "lamps")
        browser.key("down", "Digit1")
        assert rig.pressed(1) == [(1, True)]
        rig.stop()
        assert rig.pressed(1) == [(1, False)]
        browser.until(lambda: browser.visible("#gone"), "the message")
        assert browser.text("#gone").startswith("The box does not answer. Is its program running")
        # A light goes out in its own time, not in that of the message.
        browser.until(lambda: browser.lamps == [0, 0, 0, 0], "dark")
        assert browser.pushed == []
        browser.click(2)
        browser.press_key(3)
        browser.key("down", "Digit4")
        assert browser.pushed == []
    with Rig(port=port) as again:
        again.board.lamps.show(frozenset({4}), frozenset(), 0.0)
        again.oled.show(noise(3))
        browser.until(lambda: browser.linked, "the page is back")
        browser.until(lambda: browser.lamps == [0, 0, 0, 1] and browser.oled == rows(noise(3)), "the new box is shown")
        assert not browser.visible("#gone")
        # What was pressed meanwhile, or is still held, counts for nothing.
        browser.key("up", "Digit1")
        browser.key("up", "Digit4")
        browser.press_key(2)
        assert again.pressed(2) == [(2, True), (2, False)]


def test_two_browsers_are_at_one_box(rig: Rig, page: Browser, second_browser: Browser) -> None:
    second_browser.open(f"http://localhost:{rig.door.port}/", 390, 844, 2)
    page.key("down", "Digit1")
    second_browser.touch(1, 3)
    assert sorted(rig.pressed(2)) == [(1, True), (3, True)]
    for each in (page, second_browser):
        each.until(lambda each=each: each.pushed == [1, 3], "both see both buttons down")  # type: ignore[misc]
    second_browser.touch(2, 1)
    page.key("up", "Digit1")
    second_browser.lift(1)
    assert rig.pressed(1) == [(3, False)]
    assert rig.board.levels() == (True, False, False, False)
    second_browser.driver.get("about:blank")
    assert rig.pressed(1) == [(1, False)]
    page.until(lambda: page.pushed == [], "all are up")


# Words


@pytest.mark.parametrize(
    ("language", "words"),
    [
        pytest.param("en", ("The Ubongo box", "Anna, button 1", "Green", "How to play"), id="en"),
        pytest.param("fr", ("La boîte Ubongo", "Anna, bouton 1", "Vert", "Comment jouer"), id="fr"),
        pytest.param("de", ("Die Ubongo-Kiste", "Anna, Taste 1", "Grün", "So wird gespielt"), id="de"),
        pytest.param("xx", ("The Ubongo box", "Anna, button 1", "Green", "How to play"), id="unknown"),
    ],
)
def test_the_page_speaks_the_boxs_language(browser: Browser, language: str, words: tuple[str, ...]) -> None:
    title, label, green, how = words
    with Rig(language=language) as rig:
        browser.open(f"{rig.origin}/", 390, 844, 2)
        browser.until(lambda: browser.driver.title == title, "the title")
        assert browser.run("return document.querySelector(\"[data-button='1']\").getAttribute('aria-label')") == label
        assert browser.text("[data-player='green'] .name") == green
        assert browser.text("#help-title") == how
        browser.click_on("summary")
        assert browser.visible(".sheet")
        assert len(browser.text("#help-list")) > 300
        place = browser.run("return document.querySelector('.sheet').getBoundingClientRect().toJSON()")
        assert place["left"] >= 0
        assert place["top"] >= 0
        assert place["right"] <= 390
    assert browser.complaints() == []


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_no_language_is_too_wide_for_a_small_phone(browser: Browser, language: str) -> None:
    with Rig(language=language) as rig:
        browser.open(f"{rig.origin}/", 320, 568, 2)
        for width, height in ((320, 568), (360, 640), (390, 844)):
            browser.size(width, height, 2)
            browser.run("document.getElementById('help').open = true")
            browser.settle()
            assert browser.run("return document.documentElement.scrollWidth") == width
            for left, right, top, bottom in browser.run(
                "return [...document.querySelectorAll('.tool, .tool span, .sheet')].map(e => {"
                "const r = e.getBoundingClientRect(); return [r.left, r.right, r.top, r.bottom]; })"
            ):
                assert 0 <= left < right <= width
                assert 0 <= top < bottom <= height


def test_a_name_is_text_and_nothing_else(browser: Browser) -> None:
    with Rig(names={"red": "<img src=x>", "blue": "Zoé"}) as rig:
        browser.open(f"{rig.origin}/")
        browser.until(lambda: browser.text("[data-player='blue'] .name") == "Zoé", "names")
        assert browser.text("[data-player='red'] .name") == "<img src=x>"


def test_what_happens_is_told_to_a_screen_reader(rig: Rig, page: Browser) -> None:
    rig.server.tell({"what": "scene", "scene": "race"})
    rig.server.tell({"t": 1.0, "what": "claim", "player": "red", "place": 1, "left": 30})
    rig.server.tell({"t": 2.0, "what": "late", "player": "blue", "by": 0.3})
    rig.server.tell({"t": 3.0, "what": "scored", "round": 1, "scores": {"red": 7, "blue": 4}})
    rig.server.tell({"t": 4.0, "what": "something new", "player": "red"})
    wanted = "Anna is number 1. Blue: 0.3 seconds too late. Anna 7, Blue 4."
    page.until(lambda: page.text("#told").endswith(wanted), "the news in words")
    assert page.run("return document.getElementById('oled').getAttribute('aria-label')") == "The race is on"


NEWS = (
    {"what": "youngest", "player": "red"},
    {"what": "rolled", "player": "red", "symbol": "snake"},
    {"what": "flip", "seconds": 60, "chance": 1},
    {"what": "late", "player": "blue", "by": 1.25},
    {"what": "stop", "reason": "sand"},
    {"what": "undone", "decision": "claim"},
    {"what": "scene", "scene": "check"},
    {"what": "final", "scores": {"red": 7, "blue": 7}, "ranking": [["red", "blue"]]},
)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        pytest.param(
            "en",
            ["Anna begins.", "Rolled: snake.", "Go!", "Blue: 1.25 seconds too late.", "Stop!", "Taken back.",
             "Check each other’s boards.", "Winner: Anna, Blue."],
            id="en",
        ),
        pytest.param(
            "fr",
            ["Anna commence.", "Dé : serpent.", "Partez !", "Bleu : 1,25 secondes trop tard.", "Stop !", "Annulé.",
             "Vérifiez les plateaux.", "Gagné : Anna, Bleu."],
            id="fr",
        ),
        pytest.param(
            "de",
            ["Anna beginnt.", "Gewürfelt: Schlange.", "Los!", "Blau: 1,25 Sekunden zu spät.", "Stopp!",
             "Zurückgenommen.", "Prüft die Tafeln der anderen.", "Gewonnen: Anna, Blau."],
            id="de",
        ),
    ],
)  # fmt: skip
def test_sentences_are_whole_and_end_once(browser: Browser, language: str, said: list[str]) -> None:
    with Rig(language=language) as rig:
        browser.open(f"{rig.origin}/")
        for one in NEWS:
            rig.server.tell(one)
        browser.until(lambda: len(browser.told) == len(said), "all of it is said")
        assert [line.replace("\u00a0", " ") for line in browser.told] == said
    assert browser.complaints() == []


# By keys alone, and for whoever looks something up


@pytest.mark.parametrize(
    ("width", "height"), [pytest.param(1280, 800, id="desktop"), pytest.param(844, 390, id="phone on its side")]
)
def test_tab_goes_through_everything_shows_where_it_is_and_each_has_a_name(
    rig: Rig, page: Browser, width: int, height: int
) -> None:
    page.size(width, height)
    met = []
    for _ in range(6):
        ActionChains(page.driver, duration=0).send_keys(Keys.TAB).perform()
        met.append(page.driver.switch_to.active_element.accessible_name)
        ring = page.run("const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]")
        assert ring == ["solid", "3px"]
    # The first key unlocked the sound, sooner or later.
    assert met.pop(4) in ("Tap for sound", "Sound on")
    assert met == ["Anna, button 1", "Blue, button 2", "Yellow, button 4", "Green, button 3", "How to play"]
    assert rig.edges.empty()


def test_the_help_goes_when_it_is_in_the_way_and_stays_while_its_reader_presses(rig: Rig, page: Browser) -> None:
    page.click_on("summary")
    assert page.visible(".sheet")
    page.click(1)
    assert rig.pressed(2) == [(1, True), (1, False)]
    assert page.visible(".sheet")
    page.mouse_up()  # the mouse has been moved to the corner of the table
    ActionChains(page.driver, duration=0).click().perform()
    assert not page.run("return document.getElementById('help').open")
    page.click_on("summary")
    assert page.visible(".sheet")
    ActionChains(page.driver, duration=0).send_keys(Keys.ESCAPE).perform()
    assert not page.run("return document.getElementById('help').open")
    assert page.driver.switch_to.active_element.accessible_name == "How to play"


def test_a_long_finger_opens_no_menu_of_the_browser(page: Browser) -> None:
    opened = page.run(
        "return [...document.querySelectorAll('.arcade, .plate, #oled')].filter(e =>"
        "e.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))).length"
    )
    assert opened == 0


def test_whoever_wants_no_motion_gets_none(rig: Rig, page: Browser) -> None:
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    try:
        moving = page.run(
            "return [...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e);"
            "return s.animationName !== 'none' || s.transitionProperty !== 'none' && s.transitionDuration !== '0s';"
            "}).length"
        )
        assert moving == 0
        page.key("down", "Digit1")
        assert rig.pressed(1) == [(1, True)]
    finally:
        page.cdp("Emulation.setEmulatedMedia", features=[])


def test_the_players_keep_their_colours_where_a_reader_has_his_own(rig: Rig, page: Browser) -> None:
    drawn = "return [...document.querySelectorAll('.cap, .light')].map(e => getComputedStyle(e).backgroundImage)"
    rig.board.lamps.show(frozenset({1, 2, 3, 4}), frozenset(), 0.0)
    before = page.run(drawn)
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    try:
        assert page.run("return matchMedia('(forced-colors: active)').matches")
        assert page.run(drawn) == before
        assert page.run("return getComputedStyle(document.querySelector('.plate')).color") == "rgb(45, 26, 5)"
    finally:
        page.cdp("Emulation.setEmulatedMedia", features=[])


# Strangers


class _Stranger(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<!doctype html><title>another site</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent."""


def test_another_sites_page_can_neither_press_nor_look(rig: Rig, browser: Browser) -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Stranger) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        browser.driver.get(f"http://127.0.0.1:{site.server_port}/")
        try:
            met = browser.driver.execute_async_script(
                "const [address, done] = arguments, socket = new WebSocket(`${address.replace('http', 'ws')}/socket`);"
                "socket.onopen = () => { socket.send('down 1'); done('opened'); };"
                "socket.onclose = (event) => done(`closed ${event.code}`);",
                rig.origin,
            )
            framed = browser.driver.execute_async_script(
                "const [address, done] = arguments, frame = document.createElement('iframe');"
                "frame.onload = () => done(frame.contentDocument ? 'empty' : 'refused');"
                "frame.src = address; document.body.append(frame);",
                f"{rig.origin}/",
            )
            fetched = browser.driver.execute_async_script(
                "const [address, done] = arguments; fetch(address).then(() => done('read'), () => done('refused'));",
                f"{rig.origin}/",
            )
        finally:
            site.shutdown()
    assert (met, framed, fetched) == ("closed 1006", "refused", "refused")
    assert rig.board.levels() == (False, False, False, False)
    assert rig.edges.empty()
    browser.complaints()
