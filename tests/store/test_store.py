"""What is saved comes back after the power was cut, and nothing else does."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from device.errors import UserError
from device.store import Running, Store
from device.table.saves import Append, Begin, Finish, Mark, Save, Setting
from tests.store.conftest import SHARED_MEMORY
from tests.store.games import BEGIN, FINISH, HEAD, LATER, NOW, append, event, mark

HISTORIES = [
    pytest.param([], None, id="nothing"),
    pytest.param([[BEGIN]], Running(HEAD, (), {}, NOW), id="begun"),
    pytest.param(
        [[BEGIN], [append(1, 2, left=12.5)], [append(3, left=4.0)]],
        Running(HEAD, (event(1), event(2), event(3)), {"left": 4.0}, NOW),
        id="decisions stay in order",
    ),
    pytest.param(
        [[BEGIN, append(1)], [mark(9.75)], [mark(9.5)]],
        Running(HEAD, (event(1),), {"left": 9.5}, NOW),
        id="the newest mark stands",
    ),
    pytest.param([[BEGIN], [append(1)], [FINISH]], None, id="finished"),
    pytest.param(
        [[BEGIN, append(1, 2), FINISH, Begin({"kind": "alone"}), append(7)]],
        Running({"kind": "alone"}, (event(7),), {"left": 30.0}, NOW),
        id="finished and begun again at once",
    ),
    pytest.param([[BEGIN], [append(1)], [Setting("sound", False)]], Running(HEAD, (event(1),), {"left": 30.0}, NOW),
                 id="a setting in mid-match"),
]  # fmt: skip


@pytest.mark.parametrize(("saves", "running"), HISTORIES)
@pytest.mark.parametrize("where", ["memory", "file", "file closed and opened"])
def test_the_running_match_comes_back(
    tmp_path: Path, where: str, saves: list[list[Save]], running: Running | None
) -> None:
    path = None if where == "memory" else tmp_path / "box.sqlite"
    store = Store(path)
    for some in saves:
        store.save(some, NOW)
    assert store.running() == running
    if where == "file closed and opened":
        store.close()
        store = Store(path)
    else:
        store.cut()
    assert (store.running(), store.trouble, store.unsaved) == (running, None, False)
    store.close()


def test_what_comes_back_is_nobodys_to_change() -> None:
    store = Store(None)
    store.save([BEGIN, append(1)], NOW)
    first = store.running()
    assert first is not None
    assert isinstance(first.events[0], dict)
    first.events[0]["n"] = 99
    assert store.running() == Running(HEAD, (event(1),), {"left": 30.0}, NOW)


def test_settings_come_back_as_they_were_set(tmp_path: Path) -> None:
    store = Store(tmp_path / "box.sqlite")
    store.save([Setting("edition", "lines"), Setting("glass_seconds", 45), Setting("sound", False)], NOW)
    store.save([Setting("glass_seconds", None), Setting("handicap.blue", 10)], NOW)
    store.cut()
    assert store.settings() == {"edition": "lines", "glass_seconds": None, "sound": False, "handicap.blue": 10}
    store.close()


def test_the_last_error_survives_for_the_doctor(tmp_path: Path) -> None:
    store = Store(tmp_path / "box.sqlite")
    assert store.last_error() is None
    store.keep_error("KeyError: 'red'", NOW)
    store.keep_error("ZeroDivisionError", LATER)
    store.cut()
    assert store.last_error() == (LATER, "ZeroDivisionError")
    store.close()


def test_a_store_in_a_directory_that_is_not_there_makes_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "state" / "deeper" / "box.sqlite")
    store.save([BEGIN], NOW)
    assert store.trouble is None
    store.close()
    assert (tmp_path / "state" / "deeper" / "box.sqlite").is_file()


def test_through_a_link_the_match_lies_at_the_real_place(tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "card" / "box.sqlite")
    store = Store(tmp_path / "link.sqlite")
    store.save([BEGIN], NOW)
    store.close()
    assert (tmp_path / "link.sqlite").is_symlink()
    store = Store(tmp_path / "card" / "box.sqlite")
    assert store.running() == Running(HEAD, (), {}, NOW)
    with pytest.raises(UserError, match="in use by another"):
        Store(tmp_path / "link.sqlite")
    store.close()


def test_a_directory_is_refused_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a directory: --store takes a file"):
        Store(tmp_path)
    assert tmp_path.is_dir()


EVENTS = st.lists(st.integers(0, 9), max_size=3)
TIMES = st.integers(0, 240).map(lambda quarters: quarters / 4)


class Evenings(RuleBasedStateMachine):
    """A store on a real file, whose card fails and heals and whose power is cut, against a plain model of it."""

    def __init__(self) -> None:
        super().__init__()
        self.directory = tempfile.TemporaryDirectory(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None)
        self.store = Store(Path(self.directory.name) / "box.sqlite")
        self.now: tuple[Any, ...] = (None, (), {}, "", {}, ())  # head, events, mark, when, settings, past ids
        self.disk = self.now
        self.ticks = 0

    def save(self, *saves: Save) -> None:
        self.ticks += 1
        when = f"t{self.ticks}"
        head, events, mark_, labelled, settings, past = self.now
        for save in saves:
            match save:
                case Begin(new):
                    head, events, mark_, labelled = new, (), {}, when
                case Append(more, at):
                    events, mark_, labelled = (*events, *more), at, when
                case Mark(at):
                    mark_, labelled = at, when
                case Finish():
                    head, events, mark_, labelled, past = None, (), {}, "", (when, *past)
                case Setting(key, value):
                    settings = {**settings, key: value}
        self.now = (head, events, mark_, labelled, settings, past)
        self.store.save(saves, when)
        if not self.store.broken:
            self.disk = self.now

    @rule(name=st.sampled_from(["match", "alone"]))
    def begin(self, name: str) -> None:
        self.save(Begin({"kind": name}))

    @precondition(lambda self: self.now[0] is not None)
    @rule(numbers=EVENTS, left=TIMES)
    def decide(self, numbers: list[int], left: float) -> None:
        self.save(append(*numbers, left=left))

    @precondition(lambda self: self.now[0] is not None)
    @rule(left=TIMES)
    def tick(self, left: float) -> None:
        self.save(mark(left))

    @precondition(lambda self: self.now[0] is not None)
    @rule(again=st.booleans())
    def finish(self, again: bool) -> None:
        self.save(FINISH, *([BEGIN] if again else []))

    @rule(value=st.sampled_from([None, 20, True, "lines"]))
    def set(self, value: Any) -> None:
        self.save(Setting("glass_seconds", value))

    @rule()
    def fail(self) -> None:
        self.store.broken = True

    @rule()
    def heal(self) -> None:
        self.store.broken = False
        self.store.flush()
        self.disk = self.now

    @rule()
    def lose_the_file(self) -> None:
        # Somebody removes it under the running box: what memory holds must be there again, the past is gone.
        if not self.store.broken:
            for end in ("", "-wal", "-shm"):
                Path(f"{self.directory.name}/box.sqlite{end}").unlink(missing_ok=True)
            self.now = self.disk = (*self.now[:5], ())
            self.save(Setting("sound", True))

    @rule()
    def cut(self) -> None:
        self.store.cut()
        self.now = self.disk

    @invariant()
    def agrees(self) -> None:
        head, events, mark_, when, settings, past = self.now
        running = self.store.running()
        assert running == (None if head is None else Running(head, events, mark_, when))
        assert self.store.settings() == settings
        assert tuple(match.when for match in self.store.past(1000).matches) == past
        assert self.store.unsaved or self.now == self.disk
        assert self.store.broken or not self.store.unsaved

    def teardown(self) -> None:
        self.store.close()
        self.directory.cleanup()


EveningsCase = Evenings.TestCase
# Every step is a real commit with its fsync.
EveningsCase.settings = hypothesis_settings(max_examples=30, stateful_step_count=25, deadline=None)
