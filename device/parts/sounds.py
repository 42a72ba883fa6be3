"""The sounds as tunes: notes of a pitch and a length. Their names are the table's; no pin is known here."""

from __future__ import annotations

from typing import NamedTuple


class Note(NamedTuple):
    """`hertz`, 220 to 880 (the range of a usual passive buzzer in gpiozero), 0 for a rest; `seconds`."""

    hertz: float
    seconds: float


STOP_SECONDS = 1.5

# Equal temperament on A4 = 440 Hz.
A3, C4, D4, E4, G4, A4, C5, D5, E5, G5, A5 = (
    220.0, 261.63, 293.66, 329.63, 392.0, 440.0, 523.25, 587.33, 659.26, 783.99, 880.0,
)  # fmt: skip


def _tune(*notes: tuple[float, float]) -> tuple[Note, ...]:
    return tuple(Note(*note) for note in notes)


TUNES: dict[str, tuple[Note, ...]] = {
    "roll": _tune(*[(pitch, 0.05) for pitch in (C4, E4, D4, G4, E4, A4, G4, C5)]),
    "claim1": _tune((C5, 0.07), (G5, 0.13)),
    "claim2": _tune((D5, 0.07), (G5, 0.13)),
    "claim3": _tune((E5, 0.07), (A5, 0.13)),
    "claim4": _tune((G5, 0.07), (A5, 0.13)),
    "tick": _tune((A5, 0.03)),
    "second-chance": _tune((G4, 0.12), (0, 0.04), (G4, 0.12), (0, 0.04), (C5, 0.12), (E5, 0.25)),
    "stop": _tune((A4, STOP_SECONDS)),
    "late": _tune((E4, 0.12), (A3, 0.25)),
    "refused": _tune((A3, 0.12)),
    "gem": _tune((E5, 0.06), (A5, 0.1)),
    "final": _tune(
        (C5, 0.12), (0, 0.03), (C5, 0.08), (0, 0.03), (C5, 0.08), (E5, 0.2), (G5, 0.15), (E5, 0.12), (G5, 0.4)
    ),
    "record": _tune((G4, 0.1), (C5, 0.1), (E5, 0.1), (G5, 0.2), (E5, 0.1), (A5, 0.5)),
}
TUNES["claim"] = TUNES["claim1"]
