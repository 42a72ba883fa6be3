"""One scene in, one picture out. Only this module knows which scene is drawn by which function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PIL import Image

from device.screen import evening, lists, race, results
from device.screen.bitmaps import HERE, load
from device.screen.page import HEIGHT, WIDTH, Page
from device.screen.texts import catalogue
from device.table import scenes
from device.table.scenes import Show

# Values are typed Any because each takes the scene of its own key; tests draw every one.
_PAINTERS: dict[type[Any], Callable[[Page, Any], None]] = {
    scenes.Resume: evening.resume,
    scenes.Lobby: evening.lobby,
    scenes.Youngest: evening.youngest,
    scenes.Ready: evening.ready,
    scenes.Stacks: evening.stacks,
    scenes.Race: race.race,
    scenes.Check: results.check,
    scenes.Draw: results.draw,
    scenes.Scores: results.scores,
    scenes.Playoff: race.playoff,
    scenes.Final: results.final,
    scenes.AloneGoal: lists.alone_goal,
    scenes.Alone: race.alone,
    scenes.Count: results.count,
    scenes.Menu: lists.menu,
    scenes.Settings: lists.settings,
    scenes.Rules: lists.rules,
    scenes.History: lists.history,
    scenes.Paused: race.paused,
    scenes.Asleep: lambda _page, _scene: None,
}
_SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1))


def draw(show: Show, *, strict: bool = False) -> Image.Image:
    """The picture of a show: mode "1", 128x64, a lit pixel is white.

    Depends on nothing but `show`. Raises KeyError for a language without a catalogue. `strict` (for tests) raises
    page.DoesNotFit where a text would be cut off or run into something.
    """
    page = Page(catalogue(show.language), show.names, strict)
    _PAINTERS[type(show.scene)](page, show.scene)
    picture = page.picture
    if show.shift:
        picture = _shifted(picture, show.shift)
    if show.notice and not isinstance(show.scene, scenes.Asleep):
        _badge(picture, show.notice, page.corner)
    return picture


def _shifted(picture: Image.Image, shift: int) -> Image.Image:
    """The picture a pixel to the right, or down, or both, or the other way where there is no room; whole always."""
    ink = picture.getbbox()
    if ink is None:
        return picture
    right, down = _SHIFTS[shift % 4]
    x = right if ink[2] < WIDTH else -min(right, ink[0])
    y = down if ink[3] < HEIGHT else -min(down, ink[1])
    moved = Image.new("1", (WIDTH, HEIGHT))
    moved.paste(picture, (x, y))
    return moved


def _badge(picture: Image.Image, notice: str, corner: tuple[int, int]) -> None:
    """The mark of a trouble, 7x7 pixels, where the scene leaves room for it."""
    name = f"icons/notice-{notice}"
    picture.paste(load(name if notice.isalpha() and (HERE / f"{name}.txt").is_file() else "icons/notice"), corner)
