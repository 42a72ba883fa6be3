"""The glass in front of the modelled display chip: what somebody looking at it sees. Nothing else."""

from __future__ import annotations

from device.simulator.chip import Chip


class Panel:
    """See Glass in front."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip

    def picture(self) -> bytes:
        """The pixels in the chip's memory, whether the panel is on or not."""
        return self._chip.picture().tobytes()

    def brightness(self) -> int:
        """The chip's contrast, at least 1 while anything can be seen; 0 when the panel is off."""
        return max(1, self._chip.contrast) if self._chip.lit else 0
