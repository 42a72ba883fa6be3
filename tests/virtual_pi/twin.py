"""The box's table once more, on this side: taken up from the same store it says what the real display must show.

It goes through the rooms game, table and screen (whose pictures are golden in tests/screen), so a picture that agrees
with it pixel for pixel came through thread, bus and display unharmed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from device import config, past, store_file, store_rows
from device.game.chance import SystemChance
from device.prepare import cut_off, summary, table_settings
from device.screen.draw import draw
from device.screen.lists import pages
from device.store import SHOWN, Running
from device.table.edges import Edge
from device.table.scenes import Menu
from device.table.table import Table


def rows(picture: Image.Image) -> bytes:
    """A picture as the bytes of its rows."""
    return picture.convert("1").tobytes()


def from_display(memory: bytes) -> bytes:
    """The display's 1024 bytes (8 pages of 128 columns, bit 0 on top) as the bytes of rows."""
    picture = Image.new("1", (128, 64))
    pixels = picture.load()
    assert pixels is not None
    for page in range(8):
        for x in range(128):
            column = memory[page * 128 + x]
            for bit in range(8):
                pixels[x, page * 8 + bit] = 255 if column >> bit & 1 else 0
    return picture.tobytes()


def on_its_way(picture: bytes, film: list[bytes]) -> bool:
    """Whether it is a picture of the film, or one of which a part is the next already.

    The display is sent the pieces that change; on a starved guest a look can fall between two of them.
    """
    frames = [int.from_bytes(frame) for frame in film]
    seen = int.from_bytes(picture)
    return any((seen ^ one) & ~(one ^ two) == 0 for one, two in pairs(frames))


def pairs(frames: list[int]) -> Iterator[tuple[int, int]]:
    """Each picture with those that may follow it: 10 a second are sent, 50 a second are filmed."""
    for index, frame in enumerate(frames):
        for follower in frames[index : index + 10]:
            yield frame, follower


class Twin:
    """A table on its own clock. `store`: a copy of the box's store, None for a box that has none yet."""

    def __init__(self, config_file: Path, store: Path | None = None, held: frozenset[int] = frozenset()) -> None:
        self.now = 1000.0
        self.kept = store_rows.Kept() if store is None else store_file.reading(store, store_rows.load)
        effective = config.load(config_file, settings=self.kept.settings)
        running = None
        if self.kept.head is not None:
            running = Running(self.kept.head, tuple(self.kept.events), self.kept.mark, self.kept.when)
        settings = table_settings(effective)
        found = past.Past() if store is None else store_file.reading(store, lambda db: past.read(db, SHOWN))
        self.past = summary(found, settings.editions)
        self.table = Table(
            settings,
            SystemChance(),
            self.now,
            held=held,
            running=cut_off(running),
            past=self.past,
            rule_pages=pages,
        )

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        end = self.now + seconds
        while (due := self.table.due) < end:
            self.now = max(self.now, due)
            self.table.wake(self.now)
            self.table.show(self.now)
        self.now = end
        self.table.wake(self.now)

    def press(self, button: int, seconds: float = 0.1) -> None:
        """A press, and until it is settled."""
        self.table.edges([Edge(button, True, self.now)], self.now)
        self.wait(seconds)
        self.table.edges([Edge(button, False, self.now)], self.now)
        self.wait(0.1)

    def menu(self) -> None:
        """Three buttons for two seconds."""
        for down in (True, False):
            self.table.edges([Edge(button, down, self.now) for button in (1, 2, 3)], self.now)
            self.wait(2.6 if down else 0.1)

    def ups_to(self, key: str) -> int:
        """How often the menu's "up" is pressed until its cursor is on this line."""
        for presses in range(20):
            shown = self.table.show(self.now).scene
            assert isinstance(shown, Menu)
            if shown.items[shown.cursor].key == key:
                return presses
            self.press(1)
        raise AssertionError(f"no line {key} in the menu")

    def resumed(self) -> Twin:
        """Taken up: where the real box stands that was never cut off."""
        if self.kept.head is not None:
            self.press(1)
        return self

    def picture(self) -> bytes:
        """What the display shows now."""
        return rows(draw(self.table.show(self.now)))

    def pictures(self, seconds: float, step: float = 0.02) -> Iterator[bytes]:
        """What it shows from now on."""
        for _ in range(int(seconds / step)):
            yield self.picture()
            self.wait(step)

    def racing(self, seconds: float) -> list[bytes]:
        """The pictures of the race that was under way, from its start to its end, each once, in order."""
        self.kept.mark = {**self.kept.mark, "played": 0.0}
        running = Running(self.kept.head or {}, tuple(self.kept.events), self.kept.mark, self.kept.when)
        self.table = Table(self.table.settings, SystemChance(), self.now, running=cut_off(running), rule_pages=pages)
        self.press(1)
        self.press(1)
        return list(dict.fromkeys(self.pictures(seconds)))

    def lit(self) -> tuple[int, ...]:
        """Lamps that are lit (not blinking), by button."""
        return tuple(sorted(player.button for player in self.table.lamps.lit))
