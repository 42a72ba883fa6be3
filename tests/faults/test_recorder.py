"""The flight recorder: what the box writes about an evening plays that evening again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from device import recorder, rehearse
from device.game.chance import SystemChance
from device.parts.pins import DEFAULT_PINS
from device.prepare import table_settings
from device.script import Script, load_script
from device.table.results import Scores
from tests.faults.rig import SHORT, Box, One, held_factory

NEAR = 0.005
"""Seconds by which a time that the table decided may differ, the loop's lateness being in the script."""


def written(box: Box, directory: Path, count: int = 1) -> Path:
    """The newest script, once there are so many."""
    box.until(lambda: len(list(directory.glob("*.script"))) >= count, "a script")
    return max(directory.glob("*.script"), key=lambda path: path.stat().st_mtime_ns)


def replay(path: Path) -> list[dict[str, Any]]:
    """The script's transcript, with nothing given but the script."""
    script = load_script(str(path))
    return rehearse.rehearse(script, settings_of(script, path))


def settings_of(script: Script, path: Path) -> Any:
    return table_settings(rehearse.effective_of(script, path.name, {}))


def plain(said: Sequence[One]) -> list[dict[str, Any]]:
    """Without the times."""
    return [{key: value for key, value in one.items() if key not in ("t", "left", "by")} for one in said]


def times(said: Sequence[One], key: str) -> list[float]:
    return [one[key] for one in said if one.get(key) is not None]


def alike(real: Sequence[One], again: list[dict[str, Any]]) -> None:
    """The same things in the same order; what the table dated within NEAR."""
    assert plain(real) == plain(again[: len(real)])
    assert again[len(real) :] == []
    for key in ("left", "by"):
        assert times(again, key) == pytest.approx(times(real, key), abs=NEAR)
    # When a thing is said depends on the card and this machine too, most of them wait for neither.
    late = [a["t"] - real[0]["t"] - b["t"] for a, b in zip(real, again, strict=True)]
    assert median(late) < 0.1
    assert min(late) > -NEAR


def an_evening(box: Box) -> None:
    """A round with a bouncing press, a claim withdrawn, one too late, an undo in the menu, sand that runs out."""
    box.to_race()
    for _ in range(3):
        box.down(2)
        box.up(2)
    box.press(2)
    box.wait("claim")
    box.hold(2)
    box.wait("withdrawn")
    box.press(1)
    box.wait("stop")
    box.press(2)
    box.wait("late")
    box.to_bag(1)
    box.press(1)
    box.wait("scene", scene="scores")
    box.hold(1, 2, 3)
    box.wait("scene", scene="menu")
    box.press(2, 3)
    box.wait("undone")
    box.press(1)
    box.wait("scored")


def test_a_script_written_on_request_plays_the_evening_again(tmp_path: Path) -> None:
    settings = {**SHORT, "players.red": "Zoë 🐍", "scoring": "track"}
    with Box(tmp_path / "box.sqlite", settings=settings, chance=SystemChance(), scripts=tmp_path) as box:
        an_evening(box)
        box.service.record()
        path = written(box, tmp_path)
        text = path.read_text()
        assert "written because: somebody asked (SIGUSR1)" in text
        assert "no match was running; buttons held down: none" in text
        assert '#!config players.red = "Zoë 🐍"' in text
        alike(box.said, replay(path))
    assert path.name.startswith("ubongo-box-2")


def test_a_script_knows_the_match_it_began_with(tmp_path: Path) -> None:
    store = tmp_path / "box.sqlite"
    with Box(store) as box:
        box.to_race()
        box.press(1)
        box.wait("claim")
    with Box(store, chance=SystemChance(), scripts=tmp_path, factory=held_factory({DEFAULT_PINS.buttons[3]})) as box:
        box.press(1)
        box.wait("scene", scene="paused")
        box.up(4)
        box.press(2)
        box.wait("scene", scene="race")
        box.press(2)
        box.wait("scene", scene="check")
        box.service.record()
        path = written(box, tmp_path)
    text = path.read_text()
    assert "a running match was resumed; buttons held down: 4" in text
    again = replay(path)
    alike(box.said, again)
    assert [one["scene"] for one in again if one["what"] == "scene"] == ["resume", "paused", "race", "check"]


def test_after_an_error_the_script_meets_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Scores.press

    def press(self: Scores, *args: Any) -> None:
        if args[1].button == 2:
            raise ZeroDivisionError("a defect of ours")
        real(self, *args)

    monkeypatch.setattr(Scores, "press", press)
    with Box(tmp_path / "box.sqlite", scripts=tmp_path, chance=SystemChance()) as box:
        box.to_race()
        box.to_draw()
        box.to_scores()
        box.press(2)
        box.wait("notice", about="error")
        box.wait("scene", scene="resume", timeout=5) if box.of("scene")[-1]["scene"] != "resume" else None
        path = written(box, tmp_path)
        script = load_script(str(path))
        with pytest.raises(ZeroDivisionError, match="a defect of ours"):
            rehearse.rehearse(script, settings_of(script, path))
        assert "# written because: error: ZeroDivisionError: a defect of ours" in path.read_text()
        assert "ZeroDivisionError" in (box.store.last_error() or ("", ""))[1]


def test_what_is_kept_is_bounded_and_says_so() -> None:
    from device.game.chance import SeededChance
    from device.table.edges import Edge
    from device.table.past import Past

    kept = recorder.Recorder({"edition": "classic"}, SeededChance(1))
    kept.begin(0.0, frozenset(), None, Past())
    for n in range(30_000):
        kept.hear((Edge(1, n % 2 == 0, n / 1000),), (False,) * 4, n / 1000, n / 1000)
        kept.played((), False)
    text = kept.script("noise", 30.0)
    assert len(text.splitlines()) < recorder.MOST + 20
    assert "the beginning is missing" in text


def test_after_an_hour_it_begins_at_a_moment_of_rest(tmp_path: Path) -> None:
    from device.game.chance import SeededChance
    from device.game.players import SEATS
    from device.table.edges import Edge
    from device.table.past import Past

    kept = recorder.Recorder({"edition": "classic"}, SeededChance(1))
    kept.begin(100.0, frozenset(), None, Past())
    kept.hear((Edge(3, True, 100.5), Edge(3, False, 100.6)), (False,) * 4, 100.7, 100.7)
    kept.played((), True)
    for minutes in range(0, 100, 5):
        kept.rest(100.0 + 60 * minutes, running=None, joined=SEATS[1:3], past=Past())
    for at in (6100.0, 6101.0):
        # The first one wakes the display, the second one joins.
        kept.hear((Edge(1, True, at), Edge(1, False, at + 0.1)), (False,) * 4, at + 0.2, at + 0.2)
        kept.played((), True)
    path = tmp_path / "it.script"
    path.write_text(kept.script("x", 6102.0))
    said = [one for one in replay(path) if one["what"] in ("joined", "left")]
    assert [(one["what"], one["player"]) for one in said] == [
        ("joined", "blue"),
        ("joined", "green"),
        ("joined", "red"),
    ]
    # Five seconds to join, then the last of the parts that began at least an hour ago.
    assert said[-1]["t"] == pytest.approx(5.0 + 3600.0, abs=601)


def test_five_scripts_are_kept_and_the_new_one_always(tmp_path: Path) -> None:
    for hour in range(7):
        recorder.write(tmp_path, f"# {hour}\n", datetime(2026, 1, 2, 10 + hour))
    (tmp_path / "ubongo-box.sqlite").touch()
    back = recorder.write(tmp_path, "# the clock is back in 1970\n", datetime(1970, 1, 1))
    again = recorder.write(tmp_path, "# in the same second\n", datetime(1970, 1, 1))
    left = sorted(path.name for path in tmp_path.iterdir())
    assert again.read_text() == "# in the same second\n"
    assert not back.exists() or back.read_text() == "# the clock is back in 1970\n"
    assert left == [
        "ubongo-box-19700101-000000-1.script" if again.name.endswith("-1.script") else again.name,
        *(f"ubongo-box-20260102-{hour}0000.script" for hour in (13, 14, 15, 16)),
        "ubongo-box.sqlite",
    ]


def test_what_cannot_be_written_is_an_os_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "ubongo-box-20260102-000000.script").mkdir()
    with pytest.raises(OSError, match="File name too long"):
        recorder.write(tmp_path / ("x" * 300), "x", datetime(2026, 1, 2))
    path = recorder.write(tmp_path, "x", datetime(2026, 1, 2))
    assert path.name == "ubongo-box-20260102-000000-1.script"
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, "ubongo-box-20260102-000000.script"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param("#!running {", "#!running is not what the box writes there", id="no-json"),
        pytest.param("#!running " + "[" * 100_000, "#!running is not what the box writes there", id="deep"),
        pytest.param('#!running {"head":{},"events":[1],"mark":{},"when":""}', "#!running is not", id="no-event"),
        pytest.param('#!running {"head":{"glass":NaN},"events":[],"mark":{},"when":""}', "#!running is", id="nan"),
        pytest.param('#!past {"bests":[["a","b","c",1e999,1]],"pages":[]}', "#!past is not", id="infinite"),
        pytest.param('#!past {"bests":[],"pages":[["matches",[["a","b"]]]]}', "#!past is not", id="half a page"),
        pytest.param("#!config edition =", "#!config is not what the box writes there", id="no-toml"),
        pytest.param("#!nonsense 1", "#!nonsense is none of", id="unknown"),
    ],
)
def test_a_header_that_is_none_of_ours_is_one_line(tmp_path: Path, line: str, says: str) -> None:
    from device.errors import UserError

    path = tmp_path / "bad.script"
    path.write_text(f"# a comment\n{line}\n")
    with pytest.raises(UserError) as error:
        load_script(str(path))
    assert f"bad.script:2: {says}" in str(error.value)
    assert len(str(error.value)) < 200 + len(str(path))


def test_chance_is_given_in_order_and_then_by_the_other_one() -> None:
    class Fixed:
        def below(self, limit: int) -> int:
            return limit - 1

    chance = rehearse.Replayed((3, 9, 0), Fixed())
    # 9 is none of six: the script was changed by hand, so that number is passed over.
    assert [chance.below(6) for _ in range(4)] == [3, 5, 0, 5]
