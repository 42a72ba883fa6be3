"""Who may come in: config, script, edition and store of hostile content. One line or none, never a traceback.

Mutations of good files by a seed; where atheris is installed the long form lets it steer by coverage as well.
"""

from __future__ import annotations

import importlib.util
import json
import random
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from device.config import load
from device.errors import UserError
from device.game import editions
from device.game.editions import Edition
from device.script import load_script
from device.table.edges import Edge
from device.table.settings import TableSettings
from device.table.table import Table
from tests.soak.laws import need
from tests.soak.mash import Masher
from tests.soak.report import Budget, Result

SHORT_FILES, SHORT_STORES, SHORT_EDITIONS = 1000, 120, 30

CONFIG = """edition = "classic"
side = "B"
glass_seconds = 60
sound = true
language = "en"
symbols = ["hand", "shield", "gazelle", "snake", "elephant", "mask"]
[players]
red = "Anna"
[handicap]
blue = 10
[pins]
buttons = [5, 6, 13, 19]
buzzer = 18
[display]
driver = "sh1106"
address = 0x3C
[game_night]
day = "fri"
time = "19:30"
"""
SCRIPT = """#!config edition = "classic"
#!running {"head":{"kind":"match","edition":"classic"},"events":[],"mark":{"played":1.5},"when":"now"}
#!past {"bests":[["classic","A","tasks",5,10.5]],"pages":[["matches","x",[["a","b"]]]]}
0 down 3
1 press 1 0.5
+0.5 hold 1 2
3 chance 1 2 3
4 deaf 0.5
5 clock -1e9
6 fault oled on
7 cut
8 game-night
9 end
"""
EDITION = """id = "own"
name = "Our own"
players = [1, 4]
rounds = 9
sides = true
goals = ["5 tasks", "10 minutes"]
[chooser]
kind = "die"
symbols = ["1", "2", "3"]
[glass]
start = "roll"
seconds = [45, 60]
second_chance = true
[reward]
kind = "track"
no_luck = true
bag = { ruby = 10, sapphire = 10, emerald = 10, amber = 10 }
"""
WORDS: tuple[bytes, ...] = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r", b"#", b'"', b'"""', b"[", b"]" * 50, b"{" * 3000, b"= "),
    *(b"nan", b"inf", b"-inf", b"1e999", b"-0", b"99999999999999999999", b"0x" + b"f" * 400, b"1_0", b"true", b"null"),
    *(b"1979-05-27T07:32:00Z", "é".encode(), "\u2028".encode(), "\U0001f40d".encode(), b"\x1b[2J", b"../../etc/passwd"),
    *(b"9" * 5000, b"a." * 4000, b"edition", b"players", b"press 1", b"hold 1 1", b"end", b"+1", b"-1", b"1e308"),
)


def mutated(rng: random.Random, good: bytes) -> bytes:
    """Some bytes other, gone, twice, or a word that has hurt other programs."""
    data = bytearray(good)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.randrange(0, 30))
        kind = rng.random()
        if kind < 0.4:
            data[at : end if kind < 0.2 else at] = rng.choice(WORDS)
        elif kind < 0.6:
            del data[at:end]
        elif kind < 0.8:
            data[at:at] = data[at:end] * rng.choice((1, 2, 50))
        elif data:
            data[min(at, len(data) - 1)] = rng.randrange(256)
    return bytes(data)


def one_line(read: Callable[[], object]) -> str:
    """What reading it comes to: "" or one printable line. Everything else is an error of ours."""
    try:
        read()
    except UserError as error:
        text = str(error)
        need("\n" not in text and len(text) < 700, f"no line to read: {text[:200]!r}")
        return text
    return ""


def readers(folder: Path) -> dict[str, tuple[bytes, Path, Callable[[], object]]]:
    """By kind: a good file, where it lies, and how the box reads it."""
    config, script, edition = folder / "config.toml", folder / "it.script", folder / "own.toml"
    return {
        "config": (CONFIG.encode(), config, lambda: load(config)),
        "script": (SCRIPT.encode(), script, lambda: load_script(str(script))),
        "edition": (EDITION.encode(), edition, lambda: editions.load("own", folder)),
        "catalogue": (EDITION.encode(), edition, lambda: editions.available(folder)),
    }


def parsers(budget: Budget) -> Result:
    """Mutated files, one seed each."""
    result = Result("hostile files: config, script, edition, catalogue")
    good = 0
    with TemporaryDirectory(prefix="ubongo-files-") as name:
        kinds = readers(Path(name))
        for kind, (text, path, read) in kinds.items():
            path.write_bytes(text)
            need(one_line(read) == "", f"the good {kind} is not: {one_line(read)}")
        while budget.left(result.count, SHORT_FILES):
            seed = budget.seed + result.count
            rng = random.Random(seed)
            kind = rng.choice(list(kinds))
            text, path, read = kinds[kind]
            path.write_bytes(mutated(rng, text))
            try:
                good += not one_line(read)
            except Exception as wrong:
                result.wrong(seed, f"{kind}: {_where(wrong)}")
            path.write_bytes(text)
            result.count += 1
    result.remark = f"{good} of them were still good"
    return result


HOSTILE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 4, 5, 99, 10**400, 0.5, -0.5, 1e308, -1e308, float("nan"), float("inf")),
    *(
        "",
        "red",
        "classic",
        "x" * 5000,
        "\u0000",
        "é",
        "A",
        "match",
        "alone",
        [],
        {},
        [[]],
        [None],
        ["red", "red"],
        [1] * 1000,
    ),
)


def spoiled(rng: random.Random, value: Any) -> Any:
    """The same JSON with one thing in it another."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: spoiled(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        kind = rng.random()
        if kind < 0.15:
            return value[:at] + value[at + 1 :]
        if kind < 0.3:
            return value[:at] + value[at : at + 1] + value[at:]
        return [*value[:at], spoiled(rng, value[at]), *value[at + 1 :]]
    return rng.choice(HOSTILE)


def stores(budget: Budget) -> Result:
    """A match that was cut off, spoiled in its rows: taken up, or said to be no match; and play goes on."""
    result = Result("hostile files: a store's running match")
    source: list[tuple[Any, Any, Any]] = []
    taken, seed = 0, budget.seed
    while budget.left(result.count, SHORT_STORES):
        if not source or result.count % 200 == 0:
            source = running_matches(seed)
        rng = random.Random(seed)
        head, events, mark = rng.choice(source)
        for _ in range(rng.randrange(1, 3)):
            head = spoiled(rng, head) if rng.random() < 0.5 else head
            events = spoiled(rng, events) if rng.random() < 0.4 else events
            mark = spoiled(rng, mark) if rng.random() < 0.5 else mark
        # What a store can give back at all: its reader refuses everything else.
        good = isinstance(head, dict) and isinstance(mark, dict) and isinstance(events, list)
        if good and all(isinstance(event, dict) for event in events):
            try:
                taken += _take_up(rng, head, events, mark)
            except Exception as wrong:
                text = json.dumps([head, events[-3:], mark])
                result.wrong(seed, f"{_where(wrong)}: {text[:600]}")
            result.count += 1
        seed += 1
    result.remark = f"{taken} were taken up all the same"
    return result


def _take_up(rng: random.Random, head: Any, events: Any, mark: Any) -> bool:
    known = {one.id: one for one in editions.available(None)}
    settings = TableSettings(editions=known, choices={"edition": tuple(known), "side": ("A", "B")})
    now = 50.0
    table = Table(settings, _Chance(rng), now, running=(head, events, mark, "now"))
    taken = table.e.overlay == "resume"

    def until(at: float) -> None:
        guard = 0
        while (due := table.due) <= at:
            table.wake(max(due, now))
            table.show(max(due, now))
            guard += 1
            need(guard < 2000, "it wants to be woken without end")
        table.wake(at)
        table.show(at)
        json.dumps(table.take_output().said)

    for _ in range(30):
        lamps = sorted(table.lamps.lit | table.lamps.blinking)
        button = rng.choice(lamps).button if lamps else rng.randrange(1, 5)
        lasts = rng.choice((0.05, 0.05, 1.6))
        table.edges((Edge(button, True, now),), now)
        until(now + lasts)
        table.edges((Edge(button, False, now + lasts),), now + lasts)
        now += lasts
        until(now + (wait := rng.choice((0.1, 2.5, 6.0))))
        now += wait
    return taken


class _Chance:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def below(self, limit: int) -> int:
        return self._rng.randrange(limit)


def running_matches(seed: int) -> list[tuple[Any, Any, Any]]:
    """Matches as they are kept, of every edition, from some moments of some mashing."""
    found: list[tuple[Any, Any, Any]] = []
    for n, edition in enumerate(editions.available(None)):
        masher = Masher(seed + n, edition.id)
        for _ in range(12):
            for _ in range(15):
                masher.step()
            running = masher.mirror.running
            if running is not None:
                found.append(json.loads(json.dumps((running.head, running.events, running.mark))))
    return found


def strange(rng: random.Random) -> str:
    """The text of an edition as nobody has printed it."""
    stacks = rng.random() < 0.25
    kind = "stacks" if stacks else rng.choice(("die", "chips", "none"))
    start = rng.choice(("roll", "ready", "first-claim", "press", "none"))
    reward = "cards" if stacks else rng.choice(("track", "wins", "ladder", "take"))
    low = rng.randrange(1, 5)
    lines = ['id = "own"', 'name = "Our own"', f"players = [{low}, {rng.randrange(low, 5)}]"]
    if not stacks or rng.random() < 0.5:
        lines.append(f"rounds = {9 if reward == 'track' else rng.choice((1, 2, 3, 9))}")
    lines.append(f"first = {rng.choice(('youngest', 'anyone'))!r}".replace("'", '"'))
    lines.append(f"passes = {rng.choice(('left', 'left-of-first', 'anyone'))!r}".replace("'", '"'))
    lines.append(f"ties = {rng.choice(('shared', 'playoff'))!r}".replace("'", '"'))
    lines += ["sides = true"] * (rng.random() < 0.5) + ['goals = ["5 tasks"]'] * (rng.random() < 0.5)
    lines += ["[chooser]", f'kind = "{kind}"']
    if kind in ("die", "chips"):
        lines.append(f"symbols = {json.dumps([str(n) for n in range(rng.choice((2, 4, 6, 20)))])}")
    if stacks:
        lines.append(f"cards = {rng.choice((1, 2, 8))}")
    lines += ["[glass]", f'start = "{start}"']
    lines += [f"seconds = [{rng.choice((5, 20))}, {rng.choice((5, 30))}]"] * (start != "none")
    lines += ["second_chance = true"] * (rng.random() < 0.4) + ["counts = true"] * (rng.random() < 0.3)
    lines += ["[reward]", f'kind = "{reward}"']
    if reward == "wins":
        lines += [f"target = {rng.choice((1, 3, 5))}"] + ["two_tasks_from = 2"] * (rng.random() < 0.5)
    if reward == "take":
        lines.append(f"take = {rng.randrange(1, 5)}")
    if reward in ("track", "ladder", "take"):
        n = rng.choice((1, 10, 30))
        lines.append(f"bag = {{ ruby = {n}, sapphire = {n}, emerald = {rng.choice((0, n))}, amber = {n} }}")
    lines += ["no_luck = true"] * (reward == "track" and rng.random() < 0.4)
    return "\n".join(lines) + "\n"


def home_made(budget: Budget) -> Result:
    """Editions that the box accepts, however strange: all of them can be played, and the laws hold."""
    result = Result("home-made editions, mashed")
    refused, seed = 0, budget.seed
    while budget.left(result.count, SHORT_EDITIONS):
        rng = random.Random(seed)
        text = strange(rng)
        try:
            edition: Edition | None = editions.parse(text, "own.toml")
        except UserError:
            edition, refused = None, refused + 1
        if edition is not None:
            try:
                masher = Masher(seed, "classic", own=edition)
                masher.run(400)
            except Exception as wrong:
                result.wrong(seed, f"{_where(wrong)}\n{text}")
            result.count += 1
        seed += 1
    result.remark = f"{refused} more were refused in a line"
    return result


def _where(wrong: Exception) -> str:
    frame = traceback.extract_tb(wrong.__traceback__)[-1]
    return f"{type(wrong).__name__}: {str(wrong)[:300]} ({Path(frame.filename).name}:{frame.lineno} {frame.name})"


ATHERIS = """
import sys
import atheris
with atheris.instrument_imports(include=["device", "tomllib"]):
    from pathlib import Path
    from tests.soak.files import one_line, readers
kinds = readers(Path(sys.argv.pop(1)))
names = list(kinds)
def fuzz(data):
    if not data:
        return
    _, path, read = kinds[names[data[0] % len(names)]]
    path.write_bytes(data[1:])
    one_line(read)
atheris.Setup(sys.argv, fuzz)
atheris.Fuzz()
"""


def steered(budget: Budget) -> Result:
    """atheris, steered by coverage, over the same readers: in a process of its own, it never returns."""
    result = Result("hostile files: steered by coverage (atheris)")
    if importlib.util.find_spec("atheris") is None:
        result.skipped = "atheris is not installed: pip install '.[soak]'"
        return result
    if budget.short:
        result.skipped = "only in the long form"
        return result
    with TemporaryDirectory(prefix="ubongo-atheris-") as name:
        folder, corpus = Path(name), Path(name) / "corpus"
        corpus.mkdir()
        for n, (text, _, _) in enumerate(readers(folder).values()):
            (corpus / str(n)).write_bytes(bytes([n]) + text)
        command = [sys.executable, "-c", ATHERIS, name, f"-max_total_time={int(max(10.0, budget.seconds))}"]
        command += [
            f"-seed={budget.seed}",
            "-max_len=4096",
            "-timeout=20",
            f"-artifact_prefix={name}/found-",
            str(corpus),
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        runs = [line for line in done.stderr.splitlines() if line.startswith("Done ") or "number_of_executed" in line]
        result.count = int(runs[-1].split()[1]) if runs and runs[-1].split()[1].isdigit() else 0
        for found in folder.glob("found-*"):
            result.wrong(budget.seed, f"{found.read_bytes()[:300]!r}\n{done.stderr[-1500:]}")
        if done.returncode and not result.violations:
            result.wrong(budget.seed, done.stderr[-1500:])
    return result
