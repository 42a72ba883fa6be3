"""Writes what is made from the table of wires: `python -m hardware.generate`. A test says when that is due."""

from __future__ import annotations

from pathlib import Path

from hardware import panel, stripboard, wiring
from hardware.wires import pulled, wires

HERE = Path(__file__).parent
PULLS = {"up": "3.3 V through about 50 kΩ", "down": "0 V through about 50 kΩ"}


def pin_table() -> str:
    """pins.md: every wire at the header, and what its pin does before the program runs."""
    lines = [
        "# Pins",
        "",
        "Made by `python -m hardware.generate` from the program's default pins; drawn in [wiring.svg](wiring.svg).",
        "Another pin? Say so under `[pins]` in the config; the program refuses what cannot work, and says why.",
        "",
        "| header pin | carries | to | terminal | from power-on until the program runs | then |",
        "|---|---|---|---|---|---|",
    ]
    for wire in wires():
        if wire.bcm is None:
            before, after = "-", "-"
        elif wire.part == "display":
            before, after = "3.3 V through 1.8 kΩ on the Pi", "bus, 400 kHz"
        elif wire.part == "driver":
            before, after = PULLS[pulled(wire.bcm)] + ": off", "output, 0 first"
        else:
            before, after = PULLS[pulled(wire.bcm)], "input, pulled up; pressed = 0 V"
        lines.append(f"| {wire.position} | {wire.net} | {wire.part} | {wire.terminal} | {before} | {after} |")
    return "\n".join([*lines, ""])


def files() -> dict[str, str]:
    """What is made: file name -> its text."""
    return {
        "pins.md": pin_table(),
        "wiring.svg": wiring.draw(),
        "panel.svg": panel.draw(),
        "stripboard.svg": stripboard.draw(),
    }


if __name__ == "__main__":
    for name, text in files().items():
        (HERE / name).write_text(text, encoding="utf-8")
        print(HERE / name)
