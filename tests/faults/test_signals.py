"""SIGTERM, SIGINT and SIGHUP in every scene, to the real command: silent, dark, all kept, exit code 0."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest

from device.game import rules
from device.game.chance import SeededChance
from device.game.events import Claim, Confirm, Draw, End, Event, Flip, GiveUp, Next, Take, to_json
from device.game.gems import Gem
from device.game.match import Match, begin
from device.game.players import SEATS
from device.store import Store
from device.table import told
from device.table.saves import Append, Begin, Finish
from device.table.scene import SCENES
from tests.faults.rig import PATIENCE
from tests.game.laws import next_roller
from tests.store.games import outcome

RED, BLUE = SEATS[:2]
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Pipe:
    """The lines of one of a program's pipes, as they come; None at its end."""

    def __init__(self, pipe: IO[str]) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._pipe = pipe
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for line in self._pipe:
            self._lines.put(line)
        self._lines.put(None)

    def next(self, seconds: float) -> str | None:
        """The next line, if it comes within so many seconds. queue.Empty if it does not."""
        return self._lines.get(timeout=max(0.0, seconds))

    def rest(self) -> list[str]:
        """All lines up to the end, which must be near."""
        lines = list(iter(lambda: self.next(PATIENCE), None))
        self._thread.join()
        self._pipe.close()
        return lines


class Program:
    """The command in a process of its own."""

    def __init__(self, store: Path, edition: str = "classic", sleep: float = 3600.0, *more: str) -> None:
        command = [sys.executable, "-m", "tests.faults.program", str(store), edition, str(sleep), *more]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._in, self._out, self._errors = self.process.stdin, Pipe(self.process.stdout), Pipe(self.process.stderr)
        self.said: list[dict[str, Any]] = []

    def send(self, *lines: str) -> None:
        """Press."""
        self._in.writelines(f"{line}\n" for line in lines)
        self._in.flush()

    def wait(self, what: str, **fields: Any) -> dict[str, Any]:
        """The next thing said of this kind."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                line = self._out.next(end - time.monotonic())
            except queue.Empty:
                raise AssertionError(f"never said: {what} {fields}: {self.said[-5:]}") from None
            assert line is not None, f"it ended by itself: {self._errors.rest()}"
            one: dict[str, Any] = json.loads(line)
            self.said.append(one)
            if one["what"] == what and fields.items() <= one.items():
                return one

    def complaint(self) -> str:
        """The next line of what it complains of; "" once it has ended."""
        return self._errors.next(PATIENCE) or ""

    def end(self, number: signal.Signals) -> tuple[int, Any, str]:
        """Signal it: exit code, what the pins were last, what it complained of since it was last asked."""
        self.process.send_signal(number)
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{number.name} did not end it; the last it said: {self.said[-1:]}") from None
        lines = [json.loads(line) for line in self._out.rest()]
        return code, next((line["end"] for line in lines if "end" in line), None), "".join(self._errors.rest())

    def close(self) -> None:
        """Whatever it does."""
        self.process.kill()
        self.process.wait()
        with suppress(BrokenPipeError):
            self._in.close()


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    """All that were started: none outlives its test."""
    started: list[Program] = []
    yield started
    for program in started:
        program.close()


def a_round(match: Match, *claims: Event) -> list[Event]:
    """The first round, red rolling, up to here."""
    return [rules.rolled(match, SeededChance(1), RED), Flip(0.0), *claims]


CLAIMS = [Claim(RED, 1.0), Claim(BLUE, 2.0)]
CHECK: list[Event] = [*CLAIMS, End("all", 2.0)]


def kept(path: Path, edition: str, scoring: str, play: Callable[[Match], Sequence[Event]]) -> None:
    """A store with a match of red and blue that was cut off where `play` leaves it, and one that is over."""
    from device.game.editions import load
    from device.table.settings import TableSettings

    first = None if load(edition).first == "anyone" else RED
    match = begin(load(edition), (RED, BLUE), first, "A", scoring)
    head = told.match_head(TableSettings({edition: load(edition)}, edition_id=edition), match, 600.0)
    store = Store(path)
    store.save([Finish(outcome(rounds=1))], "before")
    store.save([Begin(head), Append(tuple(map(to_json, play(match))), {"played": 1.0})], "now")
    store.close()


def tied(match: Match) -> list[Event]:
    """Nine rounds without luck in which both get the same; then on to the playoff."""
    events: list[Event] = []
    for number in range(9):
        first, second = (RED, BLUE) if number % 2 else (BLUE, RED)
        starter = next_roller(match)
        assert starter is not None
        these: list[Event] = [rules.rolled(match, SeededChance(number), starter), Flip(0.0)]
        these += [GiveUp(1.0)] if not number else [Claim(first, 1.0), Claim(second, 2.0), End("all", 2.0), Confirm()]
        for event in these:
            match, _ = rules.apply(match, event)
        events += these
    return [*events, Next()]


MATCHES: dict[str, tuple[str, str, Callable[[Match], Sequence[Event]]]] = {
    "ready": ("classic", "track", lambda _: ()),
    "race": ("classic", "track", a_round),
    "check": ("classic", "track", lambda m: a_round(m, *CHECK)),
    "draw": ("classic", "track", lambda m: a_round(m, *CHECK, Confirm())),
    "scores": (
        "classic",
        "track",
        lambda m: a_round(m, *CHECK, Confirm(), Draw(RED, Gem.RUBY), Draw(BLUE, Gem.RUBY)),
    ),
    "playoff": ("classic", "no-luck", tied),
    "stacks": ("extreme-fun-size", "cards", lambda _: (Take(RED, 1),)),
}
MENU = ("down 1 2 3", "menu", "up 1 2 3")
WAYS: dict[str, tuple[str, ...]] = {
    "lobby": (),
    "youngest": ("press 1", "joined", "press 2", "joined", "down 1", "youngest", "up 1"),
    "alone": ("press 1", "joined", "down 1", "alone", "up 1"),
    "menu": MENU,
    "rules": (*MENU, "press 2", "press 2", "press 2", "press 3"),
    "count": (*MENU, "press 2", "press 2", "press 2", "press 2", "press 2", "press 3"),
    "settings": (*MENU, "press 1", "press 1", "press 1", "press 3"),
    "history": (*MENU, "press 1", "press 3"),
    "final": ("press 1", "joined", *MENU, *["press 2"] * 5, "press 3", "count", "down 1 2", "final", "up 1 2"),
    "asleep": (),
}


def walk(program: Program, way: Sequence[str]) -> None:
    """Lines are sent, single words are waited for."""
    for step in way:
        if " " in step:
            program.send(step)
        else:
            program.wait("joined" if step == "joined" else "scene", **({} if step == "joined" else {"scene": step}))


@pytest.mark.parametrize(("number", "scene"), list(enumerate([*SCENES, "asleep"])))
def test_a_signal_ends_it_clean(tmp_path: Path, programs: list[Program], number: int, scene: str) -> None:
    path = tmp_path / "box.sqlite"
    behind = "race" if scene in ("resume", "paused") else scene
    edition = "classic"
    if behind in MATCHES:
        edition, scoring, play = MATCHES[behind]
        kept(path, edition, scoring, play)
    elif scene == "history":
        store = Store(path)
        store.save([Finish(outcome(rounds=1))], "before")
        store.close()
    program = Program(path, edition, 0.3 if scene == "asleep" else 3600.0)
    programs.append(program)
    program.wait("scene")
    if behind in MATCHES and scene != "resume":
        program.send("press 1")
        if behind == "race":
            program.wait("scene", scene="paused")
        if scene == "race":
            program.send("press 1")
    else:
        walk(program, WAYS.get(scene, ()))
    if not any(one.get("scene") == scene for one in program.said[-1:]):
        program.wait("scene", scene=scene)
    code, (buzzer, lamps, lit), err = program.end(SIGNALS[number % 3])
    assert (code, buzzer, lamps, lit, err) == (0, 0, [0, 0, 0, 0], False, "")
    store = Store(path)
    running = store.running()
    assert store.trouble is None
    store.close()
    assert (running is not None) == (behind in MATCHES)
    if running is not None:
        assert running.mark["played"] >= 1.0


def test_a_signal_ends_it_though_card_and_bus_hang(tmp_path: Path, programs: list[Program]) -> None:
    path = tmp_path / "box.sqlite"
    kept(path, *MATCHES["race"])
    program = Program(path)
    programs.append(program)
    program.wait("scene", scene="resume")
    program.send("press 1")
    program.wait("scene", scene="paused")
    program.send("press 1")
    program.wait("scene", scene="race")
    program.send("hang")
    program.wait("hangs")
    program.send("press 2")
    program.wait("claim")
    code, (buzzer, lamps, _), err = program.end(signal.SIGTERM)
    assert (code, buzzer, lamps, err) == (0, 0, [0, 0, 0, 0], "")


def test_a_signal_is_heard_that_comes_just_before_the_loop_goes_to_wait(
    tmp_path: Path, programs: list[Program]
) -> None:
    # Asleep it has no appointment any more: what does not wake it is never heard.
    program = Program(tmp_path / "box.sqlite", "classic", 0.3, "deaf")
    programs.append(program)
    program.wait("scene", scene="asleep")
    program.process.send_signal(signal.SIGUSR1)
    assert program.complaint().endswith(" holds the last hour, for ubongo-box rehearse\n")
    assert program.end(signal.SIGTERM) == (0, [0, [0, 0, 0, 0], False], "")


def test_sigusr1_writes_the_last_hour_and_says_where(tmp_path: Path, programs: list[Program]) -> None:
    program = Program(tmp_path / "box.sqlite")
    programs.append(program)
    program.wait("scene", scene="lobby")
    program.send("press 1")
    program.wait("joined")
    program.process.send_signal(signal.SIGUSR1)
    said = program.complaint()
    (script,) = tmp_path.glob("ubongo-box-*.script")
    assert said == f"ubongo-box: {script} holds the last hour, for ubongo-box rehearse\n"
    assert program.end(signal.SIGTERM) == (0, [0, [0, 0, 0, 0], False], "")
    command = [sys.executable, "-m", "device", "rehearse", str(script)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["what"] for line in done.stdout.splitlines()] == ["scene", "joined"]


def test_sigusr2_wakes_it_for_game_night(tmp_path: Path, programs: list[Program]) -> None:
    program = Program(tmp_path / "box.sqlite", sleep=0.3)
    programs.append(program)
    program.wait("scene", scene="asleep")
    program.process.send_signal(signal.SIGUSR2)
    program.wait("sound", sound="final")
    program.wait("scene", scene="lobby")
    assert program.end(signal.SIGTERM) == (0, [0, [0, 0, 0, 0], False], "")
