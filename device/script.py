"""Rehearsal scripts: text in, timed steps out. Plays nothing; every complaint is "SCRIPT:LINE: what is wrong"."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from device.errors import UserError
from device.plain import dataclass
from device.recorder import HEADER
from device.store import Running
from device.table.past import BestKey, Page, Past

TAP = 0.08
"""Seconds a press lasts if the script does not say."""
HELD = 2.5
"""Seconds the buttons of `hold` stay down."""
AFTER = 5.0
"""Seconds that are still played after the last line."""
LONGEST = 366 * 24 * 3600.0
LARGEST_FILE = 4 * 1024 * 1024

FAULTS = ("oled", "store")
VERBS = ("press", "hold", "down", "up", "cut", "clock", "fault", "chance", "deaf", "game-night", "end")
MANY = 1000
"""Numbers of one line of `chance`."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happens `at` seconds after the start.

    verb "edge": button `button` goes down or up (`on`); "cut"; "clock": the wall clock jumps by `seconds`;
    "fault": part `part` breaks or heals (`on`); "deaf": for `seconds` the box hears of nothing, then of all at once;
    "game-night": the hour comes; "end".
    """

    at: float
    verb: str
    button: int = 0
    on: bool = False
    seconds: float = 0.0
    part: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """All steps in the order of their times. held: buttons that are down when the power comes.

    What a recorded script adds. chance: the numbers that chance gave, in order; config: the settings by config key;
    running: the match that was cut off before; past: what the box knew of former evenings.
    """

    steps: tuple[Step, ...]
    held: frozenset[int]
    end: float
    chance: tuple[int, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict)
    running: Running | None = None
    past: Past = field(default_factory=Past)


def read_script(text: str, name: str) -> Script:
    """The steps of a script called `name`; UserError at its first bad line."""
    steps: list[Step] = []
    held: set[int] = set()
    before = 0.0
    end: float | None = None
    chance: list[int] = []
    header = _Header(name)
    # Only these end a line for an editor; splitlines knows more, and its numbers would be other ones.
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        # "#!/usr/bin/env …" and "#! note" are comments.
        if line.startswith(HEADER) and line[len(HEADER) :][:1].isalpha():
            header.line(number, line.removeprefix(HEADER))
            continue
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        reader = _Line(name, number, words)
        at = reader.time(before)
        if end is not None:
            reader.fail("comes after `end`")
        verb = words[1] if len(words) > 1 else reader.fail("has a time but no verb")
        if verb == "end":
            reader.count(0)
            end = at
        elif verb == "down" and at == 0 and not any(step.at == 0 for step in steps):
            # Down as the power comes, not pressed a moment after it.
            held.add(reader.button(reader.count(1)[0]))
        elif verb == "chance":
            chance += [reader.whole(word) for word in reader.count(1, MANY)]
        else:
            steps += _steps(reader, verb, at)
        before = at
    # Sorted by time alone: lines of the same time stay in their order.
    steps.sort(key=lambda step: step.at)
    last = max([before, *(step.at for step in steps)])
    end = last + AFTER if end is None else end
    return Script(tuple(steps), frozenset(held), end, tuple(chance), header.config, header.running, header.past)


def _steps(line: _Line, verb: str, at: float) -> list[Step]:
    if verb == "press":
        words = line.count(1, 2)
        button = line.button(words[0])
        lasts = line.seconds(words[1], "a press lasts", low=0.0) if len(words) == 2 else TAP
        if at + lasts > LONGEST:
            line.fail("lasts until more than a year after the start")
        return [Step(at, "edge", button, True), Step(at + lasts, "edge", button, False)]
    if verb == "hold":
        buttons = [line.button(word) for word in line.count(1, 4)]
        if len(set(buttons)) < len(buttons):
            line.fail("names a button twice")
        return [Step(at, "edge", n, True) for n in buttons] + [Step(at + HELD, "edge", n, False) for n in buttons]
    if verb in ("down", "up"):
        return [Step(at, "edge", line.button(line.count(1)[0]), verb == "down")]
    if verb == "cut":
        line.count(0)
        return [Step(at, "cut")]
    if verb == "clock":
        return [Step(at, "clock", seconds=line.seconds(line.count(1)[0], "the clock jumps by"))]
    if verb == "fault":
        part, state = line.count(2)
        if part not in FAULTS:
            line.fail(f"{part!r:.40} cannot fail: one of {', '.join(FAULTS)}")
        if state not in ("on", "off"):
            line.fail(f"a fault is on or off, not {state!r:.40}")
        return [Step(at, "fault", part=part, on=state == "on")]
    if verb == "deaf":
        return [Step(at, "deaf", seconds=line.seconds(line.count(1)[0], "the box is deaf for", low=0.0))]
    if verb == "game-night":
        line.count(0)
        return [Step(at, "game-night")]
    return line.fail(f"{verb!r:.40} is no verb: {', '.join(VERBS[:-1])} or {VERBS[-1]}")


class _Header:
    """The lines `#!KIND …` that the recorder puts before a script."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.config: dict[str, Any] = {}
        self.running: Running | None = None
        self.past = Past()

    def line(self, number: int, line: str) -> None:
        kind, _, rest = line.partition(" ")
        read = {"config": self._config, "running": self._running, "past": self._past}.get(kind)
        if read is None:
            raise UserError(f"{self._name}:{number}: {HEADER}{kind:.40} is none of {HEADER}config, running, past")
        try:
            read(rest)
        # Of whatever a stranger has written there: too deep, too long, of the wrong kind.
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
            raise UserError(f"{self._name}:{number}: {HEADER}{kind} is not what the box writes there") from None

    def _config(self, text: str) -> None:
        self.config |= dict(_flat("", tomllib.loads(text)))

    def _running(self, text: str) -> None:
        data = json.loads(text, parse_constant=_no_number)
        head, events, mark, when = data["head"], data["events"], data["mark"], data["when"]
        if not all(isinstance(one, dict) for one in (head, mark, *events)) or not isinstance(when, str):
            raise TypeError
        self.running = Running(head, tuple(events), mark, when)

    def _past(self, text: str) -> None:
        data = json.loads(text, parse_constant=_no_number)
        bests: dict[BestKey, float] = {}
        for edition, side, kind, number, value in data["bests"]:
            bests[str(edition), str(side), str(kind), int(number)] = _finite(value)
        rows = [[(str(label), str(value)) for label, value in page[2]] for page in data["pages"]]
        pages = [Page(str(page[0]), str(page[1]), tuple(row)) for page, row in zip(data["pages"], rows, strict=True)]
        self.past = Past(bests, tuple(pages))


def _flat(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{key}.", value)
        else:
            yield f"{prefix}{key}", value


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


_TIME = "a line begins with a time, as 12.5 or +0.5,"


class _Line:
    """One line being read."""

    def __init__(self, name: str, number: int, words: list[str]) -> None:
        self._name, self._number, self._words = name, number, words

    def fail(self, what: str) -> NoReturn:
        raise UserError(f"{self._name}:{self._number}: {what}")

    def time(self, before: float) -> float:
        word = self._words[0]
        bare = word.removeprefix("+")
        # float itself would take a second sign.
        value = self.seconds(word if bare[:1] in ("+", "-") else bare, _TIME, low=0.0)
        at = round(before + value if word.startswith("+") else value, 6)
        if at < before:
            self.fail(f"{word} s is before the line before ({before:g} s)")
        if at > LONGEST:
            self.fail("lies more than a year after the start")
        return at

    def seconds(self, word: str, what: str, low: float = -1e11) -> float:
        try:
            value = float(word) if word.isascii() and "_" not in word and not word.startswith("++") else None
        except ValueError:
            value = None
        if value is None or not low <= value <= 1e11:
            self.fail(f"{what} a number of seconds, not {word!r:.40}")
        return value

    def count(self, low: int, high: int | None = None) -> list[str]:
        words = self._words[2:]
        high = low if high is None else high
        if not low <= len(words) <= high:
            wants = {0: "nothing", 1: "one word"}.get(low, f"{low} words") if low == high else f"{low} to {high} words"
            self.fail(f"{self._words[1]} is followed by {wants}, not by {len(words)}")
        return words

    def whole(self, word: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) <= 9):
            self.fail(f"chance gives whole numbers from 0, not {word!r:.40}")
        return int(word)

    def button(self, word: str) -> int:
        if word not in ("1", "2", "3", "4"):
            self.fail(f"a button is 1, 2, 3 or 4, not {word!r:.40}")
        return int(word)


def load_script(path: str, stdin: BinaryIO | None = None) -> Script:
    """The script in a file, or in `stdin` if that is given; UserError if it cannot be read."""
    file = Path(path)
    try:
        if stdin is not None:
            data = stdin.read(LARGEST_FILE + 1)
        elif not file.is_file():
            raise UserError(f"{path}: is no file: a script is a text file, or - for standard input")
        else:
            with file.open("rb") as opened:
                data = opened.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise UserError(f"{path}: is larger than 4 MiB: a script is a few pages of text")
        return read_script(data.decode("utf-8-sig"), path)
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text: save it as UTF-8") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
