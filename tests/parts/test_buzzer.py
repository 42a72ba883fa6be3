"""Tunes on a mock PWM pin: at once, replaced by the newest, and really 0 afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin
from hypothesis import given, settings
from hypothesis import strategies as st

from device.parts.buzzer import Buzzer
from device.parts.guard import Guard
from device.parts.sounds import STOP_SECONDS, TUNES

SOUNDS = [
    "roll", "claim", "claim1", "claim2", "claim3", "claim4", "tick", "second-chance", "stop", "late", "refused",
    "gem", "final", "record",
]  # fmt: skip


class Rig:
    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.guard = Guard("pins")
        self.buzzer = Buzzer(18, self.factory, self.guard)
        self.pin: MockPWMPin = self.factory.pin(18)

    @property
    def hertz(self) -> float:
        """What is heard."""
        return self.pin.frequency if self.pin.frequency and self.pin.state == 0.5 else 0.0

    def quiet(self) -> bool:
        return self.pin.frequency is None and self.pin.state == 0


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig()
    yield made
    made.buzzer.close()
    assert made.guard.faults == 0


def heard(rig: Rig, sound: str, start: float = 10.0) -> list[tuple[float, float]]:
    """The tune as (seconds from its start, Hz), driven by its own due times."""
    due = rig.buzzer.play(sound, start)
    notes = [(0.0, rig.hertz)]
    while due is not None:
        at, due = due, rig.buzzer.beat(due)
        notes.append((round(at - start, 3), rig.hertz))
    return notes


def test_every_sound_the_table_asks_for_is_there_and_within_the_buzzers_range() -> None:
    assert sorted(TUNES) == sorted(SOUNDS)
    for tune in TUNES.values():
        assert all(note.hertz == 0 or 220 <= note.hertz <= 880 for note in tune)
        assert all(note.seconds > 0 for note in tune)


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_tune_is_played_note_by_note_and_ends_at_zero(rig: Rig, sound: str) -> None:
    expected, at = [], 0.0
    for note in TUNES[sound]:
        expected.append((round(at, 3), note.hertz))
        at += note.seconds
    assert heard(rig, sound) == [*expected, (round(at, 3), 0.0)]
    assert rig.quiet()


def test_stop_is_one_long_buzz_longer_than_any_single_note() -> None:
    assert [note.seconds for note in TUNES["stop"]] == [STOP_SECONDS]
    assert STOP_SECONDS >= 1.5
    longest = max(note.seconds for name, tune in TUNES.items() if name != "stop" for note in tune)
    assert longest < STOP_SECONDS / 2


def test_claims_rise_by_place() -> None:
    pitches = [TUNES[f"claim{place}"][0].hertz for place in (1, 2, 3, 4)]
    assert pitches == sorted(pitches)
    assert len(set(pitches)) == 4


@pytest.mark.parametrize("before", [None, *SOUNDS])
def test_the_pin_has_changed_when_play_returns(rig: Rig, before: str | None) -> None:
    """Stop's first edge must not wait for lgpio's PWM thread: 1 is written before the PWM is asked for."""
    if before is not None:
        rig.buzzer.play(before, 0.0)
    asked: list[tuple[str, float | None]] = []

    class Noting(MockPWMPin):  # type: ignore[misc]  # gpiozero ships no types
        def _set_state(self, value: float) -> None:
            asked.append(("state", value))
            super()._set_state(value)

        def _set_frequency(self, value: float | None) -> None:
            asked.append(("frequency", value))
            super()._set_frequency(value)

    rig.pin.__class__ = Noting
    rig.buzzer.play("stop", 0.05)
    wanted: list[tuple[str, float | None]] = [("state", 1), ("frequency", 440.0), ("state", 0.5)]
    if before is not None:
        wanted = [("frequency", None), ("state", 0), *wanted]
    assert asked == wanted


@pytest.mark.parametrize("late", [0.0, 0.3, 5.0])
def test_a_late_beat_plays_what_is_due_now(rig: Rig, late: float) -> None:
    rig.buzzer.play("final", 0.0)
    due = rig.buzzer.beat(late)
    total = sum(note.seconds for note in TUNES["final"])
    if late > total:
        assert (due, rig.quiet()) == (None, True)
        return
    at = 0.0
    for note in TUNES["final"]:
        if at <= late < at + note.seconds:
            assert rig.hertz == note.hertz
            assert due == pytest.approx(at + note.seconds)
            return
        at += note.seconds
    raise AssertionError("no note at that time")


def test_a_beat_too_early_changes_nothing(rig: Rig) -> None:
    rig.buzzer.play("stop", 0.0)
    states = len(rig.pin.states)
    assert rig.buzzer.beat(0.7) == pytest.approx(1.5)
    assert (rig.hertz, len(rig.pin.states)) == (440.0, states)


def test_the_newest_sound_replaces_the_old_one(rig: Rig) -> None:
    rig.buzzer.play("record", 0.0)
    due = rig.buzzer.play("tick", 0.2)
    assert rig.hertz == TUNES["tick"][0].hertz
    assert due == pytest.approx(0.2 + TUNES["tick"][0].seconds)
    assert due is not None
    assert rig.buzzer.beat(due) is None
    assert rig.quiet()
    assert rig.buzzer.beat(1.5) is None


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([*SOUNDS, "no such sound", "(silence)"]), st.floats(0, 0.4)), max_size=12))
def test_any_requests_end_in_silence_without_a_thread(requests: list[tuple[str, float]]) -> None:
    rig, now = Rig(), 0.0
    threads = threading.active_count()
    due: float | None = None
    for sound, wait in requests:
        if sound == "(silence)":
            rig.buzzer.silence()
            due = None
            assert rig.quiet()
        else:
            due = rig.buzzer.play(sound, now)
            assert (rig.hertz > 0) == (sound in TUNES)
        now += wait
        while due is not None and due <= now:
            due = rig.buzzer.beat(due)
    while due is not None:
        due = rig.buzzer.beat(due)
    assert rig.quiet()
    assert threading.active_count() == threads
    rig.buzzer.close()


def test_closing_in_mid_tone_is_quiet_and_may_be_done_twice(rig: Rig) -> None:
    rig.buzzer.play("stop", 0.0)
    rig.buzzer.close()
    assert [state.state for state in rig.pin.states][-1] == 0
    assert rig.pin.function == "input"
    rig.buzzer.close()


def test_a_pin_without_pwm_still_buzzes() -> None:
    factory = MockFactory(pin_class=MockPin)
    guard = Guard("pins")
    buzzer = Buzzer(18, factory, guard)
    pin = factory.pin(18)
    buzzer.play("stop", 0.0)
    assert pin.state == 1
    buzzer.beat(1.5)
    assert pin.state == 0
    buzzer.close()
    assert guard.faults == 0


@pytest.mark.parametrize("sound", ["claim1", "late", "tick", "gem", "refused"])
def test_stop_is_heard_to_its_end_whatever_is_pressed_meanwhile(rig: Rig, sound: str) -> None:
    end = rig.buzzer.play("stop", 0.0)
    buzz = rig.pin.frequency
    assert rig.buzzer.play(sound, 0.3) == end
    assert rig.pin.frequency == buzz
    assert end is not None
    rig.buzzer.beat(end)
    assert rig.pin.state == 0
    assert rig.buzzer.play(sound, end) is not None


def test_the_second_chance_takes_a_stop_back_that_came_of_noise(rig: Rig) -> None:
    rig.buzzer.play("stop", 0.0)
    buzz = rig.pin.frequency
    rig.buzzer.play("second-chance", 0.003)
    assert rig.pin.frequency != buzz
