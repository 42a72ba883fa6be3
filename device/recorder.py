"""The flight recorder: the last hour at the table, written as a rehearsal script when asked or after an error.

Edges, what chance gave and when the loop was late are kept in memory; no file is touched but in `write`.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import Any

from device import __version__
from device.game.chance import Chance
from device.game.players import Player
from device.plain import dataclass
from device.store import Running
from device.table.contacts import HEAL
from device.table.edges import Edge
from device.table.past import Past
from device.table.saves import Save, Setting

HOUR = 3600.0
"""Seconds that are kept."""
PART = 600.0
"""Seconds after which a moment at rest is taken as one more place where a script can begin."""
MOST = 20_000
"""Lines that are kept: a pin that rings a thousand times a second must not fill the memory."""
FILES = 5
"""Scripts that are kept in the directory."""
LATE = 0.002
"""Seconds the loop may be late before that is worth a line: what it hears late can fall out otherwise."""
PREPARE = 5.0
"""Seconds a script has for the presses that lead to where it begins."""
HEADER = "#!"
"""What begins a line of the header that `rehearse` reads; to everything else it is a comment."""

_PREFIX, _SUFFIX = "ubongo-box-", ".script"


@dataclass(slots=True)
class _Part:
    """What happened from a moment on at which the table's state can be said in a few lines."""

    began: float
    settings: Mapping[str, Any]
    held: frozenset[int] = frozenset()
    running: Running | None = None
    past: Past = field(default_factory=Past)
    first: tuple[str, ...] = ()
    lines: deque[tuple[float, str]] = field(default_factory=deque)
    torn: bool = False


class _Heard:
    """Chance, overheard."""

    def __init__(self, chance: Chance, recorder: Recorder) -> None:
        self._chance, self._recorder = chance, recorder

    def below(self, limit: int) -> int:
        """See Chance.below."""
        number = self._chance.below(limit)
        self._recorder.add(f"chance {number}")
        return number


class Recorder:
    """All times are seconds of the loop's own clock. settings: effective values by config key.

    Use `chance` in place of the one handed in. All calls from one thread.
    """

    def __init__(self, settings: Mapping[str, Any], chance: Chance) -> None:
        self.chance: Chance = _Heard(chance, self)
        self._settings = dict(settings)
        self._parts: deque[_Part] = deque()
        self._level = [False] * 4
        self._now = 0.0
        self._lost: list[float | None] = [None] * 4
        # What the table is being given: kept apart, so that it is in the script if the table breaks on it.
        self._edges: Sequence[Edge] = ()
        self._late: float | None = None

    def begin(self, now: float, held: frozenset[int], running: Running | None, past: Past) -> None:
        """A new table: nothing before it explains anything after it."""
        self._parts.clear()
        self._parts.append(_Part(now, dict(self._settings), held, running, past))
        self._level, self._lost = [n in held for n in (1, 2, 3, 4)], [None] * 4
        self._now, self._edges, self._late = now, (), None

    def hear(self, edges: Sequence[Edge], levels: Sequence[bool], due: float, now: float) -> None:
        """The table is about to get these, having wanted to be woken at `due`."""
        self._now, self._edges = now, edges
        first = min([due, *(edge.stamp for edge in edges)])
        self._late = first if now - first > LATE else None
        for index, (level, known) in enumerate(zip(levels, self._level, strict=True)):
            since = self._lost[index]
            if level == known:
                self._lost[index] = None
            elif since is None:
                self._lost[index] = now
            elif now >= since + HEAL:
                # An edge that was never heard of: the table heals it by the level, a script has to say it.
                self._put(since, f"deaf {now - since:.6f}")
                self._put(since, f"{'down' if level else 'up'} {index + 1}  # by its level")
                self._level[index], self._lost[index] = level, None
        for edge in edges:
            self._level[edge.button - 1], self._lost[edge.button - 1] = edge.down, None

    def played(self, saves: Iterable[Save], happened: bool) -> None:
        """The table has taken it. happened: something was said or kept, so it matters when it was heard."""
        for save in saves:
            if isinstance(save, Setting):
                self._settings[save.key] = save.value
        self._take(happened)

    def add(self, line: str, now: float | None = None) -> None:
        """One more line of the script; without `now` it belongs to what the table is being given."""
        self._put(self._now if now is None else now, line)

    def note(self, text: str, now: float) -> None:
        """Something worth knowing that no script can bring about."""
        self._put(now, f"# {' '.join(text.split())}")

    def rest(self, now: float, *, running: Running | None, joined: Iterable[Player], past: Past) -> None:
        """A moment at which nothing runs, nothing is down, and the table stands in a match or in the lobby."""
        if now < self._parts[-1].began + PART:
            return
        first: tuple[str, ...] = (f"{PREPARE / 2} press 1  # take the match up",)
        if running is None:
            first = tuple(f"{(n + 1) / 2} press {player.button}" for n, player in enumerate(joined))
        self._parts.append(_Part(now, dict(self._settings), running=running, past=past, first=first))
        self._forget(now)

    def _forget(self, now: float) -> None:
        while len(self._parts) > 1 and self._parts[1].began <= now - HOUR:
            self._parts.popleft()

    def script(self, why: str, now: float, error: bool = False) -> str:
        """All of it as a rehearsal script. `why` it was written: one line."""
        self._take(True)
        self._forget(now)
        part = self._parts[0]
        lead = PREPARE if part.first else 0.0
        lines = sorted((line for one in self._parts for line in one.lines), key=lambda line: line[0])
        text = [*self._header(part, why), *(f"0 down {n}" for n in sorted(part.held)), *part.first]
        for at, line in lines:
            when = f"{max(0.0, at - part.began) + lead:.6f}"
            text.append(f"# {when} {line[2:]}" if line.startswith("#") else f"{when} {line}")
        # A moment more, for what went wrong in the wake of the last line.
        text.append(f"{max(0.0, now - part.began) + lead + 0.05 * error:.6f} end")
        return "\n".join(text) + "\n"

    def _header(self, part: _Part, why: str) -> list[str]:
        resumed = "a running match was resumed" if part.running is not None else "no match was running"
        down = ", ".join(map(str, sorted(part.held))) or "none"
        lines = [
            f"# ubongo-box {__version__}: the last hour at the table, for `ubongo-box rehearse`",
            f"# written because: {' '.join(why.split())}",
            f"# at its beginning {resumed}; buttons held down: {down}",
        ]
        if part.torn:
            lines.append("# more happened than is kept: the beginning is missing")
        for key, value in part.settings.items():
            if value is not None:
                lines.append(f"{HEADER}config {key} = {_toml(value)}")
        if part.running is not None:
            r = part.running
            data = {"head": r.head, "events": list(r.events), "mark": r.mark, "when": r.when}
            lines.append(f"{HEADER}running {_json(data)}")
        if part.past.bests or part.past.pages:
            bests = [[*key, value] for key, value in part.past.bests.items()]
            pages = [[page.title, page.heading, page.rows] for page in part.past.pages]
            lines.append(f"{HEADER}past {_json({'bests': bests, 'pages': pages})}")
        return lines

    def _take(self, happened: bool) -> None:
        edges, late, self._edges, self._late = self._edges, self._late, (), None
        if late is not None and (edges or happened):
            self._put(late, f"deaf {self._now - late:.6f}")
        for edge in edges:
            self._put(edge.stamp, f"{'down' if edge.down else 'up'} {edge.button}")

    def _put(self, at: float, line: str) -> None:
        self._parts[-1].lines.append((at, line))
        if sum(len(part.lines) for part in self._parts) > MOST:
            if len(self._parts) > 1:
                self._parts.popleft()
            else:
                self._parts[0].lines.popleft()
                self._parts[0].torn = True


def _json(data: Any) -> str:
    # In ASCII: one of Unicode's own line separators must not end the line.
    return json.dumps(data, separators=(",", ":"))


def _toml(value: Any) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def write(directory: Path, text: str, when: datetime) -> Path:
    """Put a script into the directory, whole or not at all, and remove all but the newest few. OSError if it can't."""
    base = f"{_PREFIX}{when:%Y%m%d-%H%M%S}"
    names = (directory / f"{base}{f'-{n}' if n else ''}{_SUFFIX}" for n in range(1000))
    path = next(name for name in names if not os.path.lexists(name))
    fresh = directory / f".{path.name}.new"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        with open(os.open(fresh, flags, 0o644), "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.rename(fresh, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise
    # The clock may have jumped: the new one is never among those that go.
    others = sorted(one for one in directory.glob(f"{_PREFIX}*{_SUFFIX}") if one != path)
    for old in others[: max(0, len(others) - (FILES - 1))]:
        with contextlib.suppress(OSError):
            old.unlink()
    handle = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    return path


class Writer:
    """Scripts into this directory (None: nowhere) on a thread of its own: the card may take its time, a loop may not.

    `say` hears in one line where a script lies, or why it could not be written; from that thread.
    """

    def __init__(self, directory: Path | None, say: Callable[[str], None]) -> None:
        self._directory, self._say = directory, say
        self._thread: threading.Thread | None = None

    def write(self, text: str) -> None:
        """Write this one, unless one is still being written: a card that hangs must not pile up threads."""
        directory, busy = self._directory, self._thread
        if directory is None or (busy is not None and busy.is_alive()):
            return
        self._thread = threading.Thread(target=self._keep, args=(directory, text), name="recorder", daemon=True)
        self._thread.start()

    def _keep(self, directory: Path, text: str) -> None:
        try:
            path = write(directory, text, datetime.now())
        except OSError as trouble:
            self._say(f"ubongo-box: the last hour can't be written to {directory}: {trouble.strerror}")
        else:
            self._say(f"ubongo-box: {path} holds the last hour, for ubongo-box rehearse")
