"""The power goes: in every scene, and between any two lines of a whole evening. What was shown as settled stands."""

from __future__ import annotations

import pytest

from tests.rehearsal import laws
from tests.rehearsal.scripts import One, fields, of, play, story, text_of

LOST = 0.25
"""Seconds of the glass a power cut may cost (ruling)."""


def resumes(said: list[One]) -> list[tuple[str, str]]:
    """The scene before each cut that found a match, and the one it goes on in."""
    scenes = fields(said, "scene", "scene")
    found, before = [], ""
    for n, scene in enumerate(scenes):
        if scene == "resume":
            if n + 1 < len(scenes) and scenes[n + 1] != "resume":
                found.append((before, scenes[n + 1]))
        else:
            before = scene
    return found


def test_a_cut_in_every_scene() -> None:
    said = play(text_of("a-cut-in-every-scene"))
    assert resumes(said) == [
        ("ready", "ready"),
        ("race", "paused"),
        ("race", "paused"),
        ("paused", "paused"),
        ("menu", "paused"),
        ("check", "check"),
        ("draw", "draw"),
        ("draw", "draw"),
        ("scores", "scores"),
        ("asleep", "scores"),
        ("playoff", "playoff"),
        ("playoff", "paused"),
        ("check", "check"),
    ]
    # In lobby and youngest nothing had begun, in final everything was over: the lobby.
    assert [(one["t"], one["scene"]) for one in of(said, "scene") if one["scene"] == "lobby"] == [
        (0.0, "lobby"),
        (2.0, "lobby"),
        (6.0, "lobby"),
        (1107.0, "lobby"),
    ]
    assert fields(said, "final", "scores", "ranking") == [({"red": 36, "blue": 36}, [["blue"], ["red"]])]


def test_in_mid_glass_a_cut_costs_a_quarter_of_a_second_at_the_most() -> None:
    said = play(text_of("cut-in-mid-glass"))
    first, second = fields(said, "resumed", "left")
    left = 60 - (27.913 - 7.783)
    assert left <= first <= left + LOST
    # In the resume scene and while paused nothing runs: those cuts cost nothing.
    assert second == first
    assert fields(said, "claim", "player", "place", "left") == [
        ("blue", 1, 55.783),
        ("red", 2, pytest.approx(first - (90 - 75.083), abs=0.001)),
    ]


EVENING = """
1 press 1
+0.5 press 2
+0.5 press 3
+0.5 hold 1
6 press 2          # the youngest
7 press 2          # rolls
20 press 3
22 press 2
30 press 1         # all
33 press 1
35 press 3
37 press 2
39 press 1
42 press 3         # round 2
50 press 1
51 hold 1          # withdraws
54 press 2
60 press 3
63 press 1
66 press 1
69 press 2
71 press 3
74 press 1
77 press 1         # round 3
"""

WITHIN = [9.0, 21.0, 23.0, 31.0, 34.0, 36.0, 38.0, 40.0, 45.0, 50.5, 54.5, 61.0, 64.0, 70.0, 72.0, 76.0]


def interrupted(at: float) -> str:
    """The evening, cut off at this time and resumed by a third hand; everything after it 4 s later."""
    lines, cut = [], False
    for line in EVENING.strip().splitlines():
        when, rest = line.split(" ", 1)
        if not when.startswith("+") and float(when) > at and not cut:
            cut = True
            # The second press goes on where a race rests; elsewhere it would mean something.
            racing = any(start < at < end for start, end in ((7.0, 30.0), (42.0, 66.0)))
            lines += [f"{at} cut", f"{at + 1} press 4", *([f"{at + 2} press 4"] if racing else [])]
        lines.append(line if when.startswith("+") else f"{float(when) + 4 * cut} {rest}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("at", WITHIN)
def test_a_cut_changes_nothing_that_happens(at: float) -> None:
    whole, cut = play(EVENING), play(interrupted(at))
    laws.check(cut, [at])
    assert len(of(cut, "resumed")) == 1

    def rough(said: list[One]) -> list[One]:
        # The glass may be a quarter of a second fuller; a symbol that lay is not turned again.
        return [{key: value for key, value in one.items() if key != "left"} for one in story(said)]

    assert rough(cut) == rough(whole)
    # Of the 4 s by which everything is later, play rests from the cut to the second press's release.
    for mine, other in zip(fields(cut, "claim", "left"), fields(whole, "claim", "left"), strict=True):
        assert mine == other or 0 <= mine - other + (4 - 2.083) <= LOST
