"""Stop is rung ahead of the table: it must be the same Stop, once, and nothing where the table would not ring it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from device.parts.buzzer import Buzzer
from tests.bench.load import EDITION, STILL
from tests.bench.rig import Box

GLASS = 0.2


def _box(folder: Path, second_chance: bool) -> Box:
    config = folder / "box.toml"
    config.write_text('edition = "bench"\n')
    edition = EDITION
    if second_chance:
        edition = edition.replace('"anyone"', '"youngest"', 1).replace('"anyone"', '"left"', 1)
        edition = edition.replace('"first-claim"', '"press"\nsecond_chance = true')
    config.with_name("bench.toml").write_text(edition)
    return Box(folder / "box.sqlite", config, GLASS, write=0.0)


def _to_race(box: Box, second_chance: bool) -> int:
    for button in (1, 2, 3):
        box.press(button)
        time.sleep(STILL)
    since = len(box.said)
    box.press(1, seconds=1.6)
    time.sleep(STILL)
    if second_chance:
        box.scene("youngest", since)
        box.press(1)
        time.sleep(STILL)
    box.scene("ready", since)
    box.press(1)
    box.scene("race", since)
    return since


@pytest.mark.parametrize(
    ("second_chance", "claims", "sounds"),
    [
        pytest.param(False, True, ["claim1", "stop"], id="somebody solved it"),
        pytest.param(True, True, ["claim1", "stop"], id="in the first glass"),
        pytest.param(True, False, ["second-chance", "stop"], id="nobody, twice"),
    ],
)
def test_each_sound_reaches_the_buzzer_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second_chance: bool, claims: bool, sounds: list[str]
) -> None:
    played: list[str] = []
    play = Buzzer.play

    def heard(buzzer: Buzzer, sound: str, now: float | None = None) -> float | None:
        played.append(sound)
        return play(buzzer, sound, now)

    monkeypatch.setattr(Buzzer, "play", heard)
    box = _box(tmp_path, second_chance)
    try:
        since = _to_race(box, second_chance)
        if claims:
            box.press(2)
        box.wait(lambda said: any(one["what"] == "stop" for one in said), since)
    finally:
        box.stop()
    assert played == sounds
