"""Bad buttons and bad outputs: the others play on."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockPWMPin

from device.parts.pins import DEFAULT_PINS
from tests.faults.rig import APART, Box, held_factory


def test_a_button_stuck_since_power_on_does_nothing_and_the_others_play() -> None:
    with Box(factory=held_factory({DEFAULT_PINS.buttons[3]})) as box:
        box.to_race()
        box.to_draw()
        box.to_scores()
        assert {one["player"] for one in box.of("joined")} == {"red", "blue"}
        assert not box.notices("error")


def test_a_button_that_sticks_in_the_race_claims_once_and_the_others_play() -> None:
    with Box() as box:
        box.to_race((1, 2, 3))
        box.down(3)
        box.wait("claim", player="green")
        box.press(2, 1)
        box.wait("stop", reason="all")
        box.to_bag(1)
        assert [one["player"] for one in box.of("claim")] == ["green", "blue", "red"]
        box.up(3)
        time.sleep(APART)
        box.press(3)
        box.wait("gem", player="green")


def test_a_pin_that_rings_a_thousand_times_a_second_leaves_the_others_their_places() -> None:
    over = threading.Event()
    with Box() as box:
        box.to_race()

        def storm() -> None:
            while not over.wait(0.0005):
                box.down(4)
                box.up(4)

        ringing = threading.Thread(target=storm)
        ringing.start()
        try:
            box.wait("notice", about="button")
            box.press(2, 1)
            box.wait("scene", scene="check")
            box.to_bag(1)
            box.press(2, 1)
            box.wait("scene", scene="scores")
        finally:
            over.set()
            ringing.join()
        assert [(one["player"], one["place"]) for one in box.of("claim")] == [("blue", 1), ("red", 2)]
        assert {one["text"] for one in box.of("notice")} == {"button 4 does not settle: check its wire"}
        # A pin that is quiet for a tenth of a second is heard again, and may be said again.
        box.press(4)
        box.press(2)
        box.wait("flip")
        assert not box.notices("error")


def test_a_release_that_is_never_heard_of_heals() -> None:
    with Box() as box:
        box.press(1)
        box.wait("joined", player="red")
        pin = box._pin(2)
        box.down(2)
        time.sleep(0.05)
        # The level goes up, and no edge tells of it.
        pin._when_changed, heard = None, pin._when_changed
        pin.drive_high()
        pin._when_changed = heard
        box.wait("joined", player="blue")
        box.press(2)
        box.wait("left", player="blue")


class Broken(MockPWMPin):  # type: ignore[misc]  # gpiozero ships no types
    """An output that cannot be written once `broken` is set."""

    broken = False

    def _set_state(self, value: float) -> None:
        if Broken.broken and self.function == "output":
            raise OSError(5, "Input/output error")
        super()._set_state(value)


def test_outputs_that_cannot_be_written_are_said_and_play_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero.pins.mock import MockFactory

    monkeypatch.setattr(Broken, "broken", False)
    with Box(factory=MockFactory(pin_class=Broken)) as box:
        box.to_race()
        monkeypatch.setattr(Broken, "broken", True)
        box.to_draw()
        box.to_scores()
        texts = box.notices("pins")
        assert len(texts) == len(set(texts))
        assert any("lamp" in text for text in texts)
        assert any("buzzer" in text for text in texts)
        assert not box.notices("error")
        monkeypatch.setattr(Broken, "broken", False)
        box.press(2)
        box.wait("flip")
        box.until(lambda: box.lit[:2] == (True, True), "the lamps are lit again")
    assert box.dark


def test_a_held_down_button_does_not_keep_the_box_from_its_end(tmp_path: Path) -> None:
    box = Box(tmp_path / "box.sqlite").start()
    box.press(1)
    box.down(1, 2, 3, 4)
    box.stop()
    assert box.error is None
    assert box.dark
