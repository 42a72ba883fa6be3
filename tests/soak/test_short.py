"""The short form of the soak, trial by trial, each in a process of its own as the command runs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.soak.report import Budget, Result, table

SEED = 1


@pytest.mark.parametrize(
    "name", ["power", "damage", "mashing", "machine", "rehearsal", "hour", "files", "stores", "editions"]
)
def test_no_violation(name: str) -> None:
    command = [sys.executable, "-m", "tests.soak", "--short", "--seed", str(SEED), "--only", name]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_violation_is_told_with_its_seed_and_ends_in_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.soak import trials as soak

    def broken(budget: Budget) -> Result:
        result = Result("a trial", count=3)
        result.wrong(budget.seed, "the shown time rose")
        return result

    monkeypatch.setattr(soak, "TRIALS", {"broken": (broken, 1.0)})
    monkeypatch.setattr(soak, "LANES", {"one": soak.TRIALS})
    assert soak.main(["--seed", "77", "--short"]) == 1
    assert "a trial: seed 77: the shown time rose" in capsys.readouterr().out


def test_the_table_says_what_was_skipped() -> None:
    text = table([Result("one", count=1234, remark="fine"), Result("two", skipped="atheris is not installed")])
    assert [line.split() for line in text.splitlines()[1:]] == [
        ["one", "1,234", "0", "fine"],
        ["two", "skipped", "0", "atheris", "is", "not", "installed"],
    ]
