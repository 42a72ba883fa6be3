"""What holds for every test: under CI nothing may be skipped, and nobody's own config or store is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own for each test: the default store lies there."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A test that CI skips would be a test nobody sees."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or os.environ.get("CI") != "true" or exitstatus != 0:
        return
    skipped = len(reporter.stats.get("skipped", ()))
    if skipped:
        reporter.write_line(f"{skipped} skipped: none may be under CI", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
