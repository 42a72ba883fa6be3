"""Chromium for the browser tests. Where it is missing they are skipped, saying so; under CI that is a failure."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.browser import Browser
from tests.simulator.program import held_port


def _find(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        reason = f"{name} is not installed (Debian: apt-get install chromium chromium-driver)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def programs() -> tuple[str, str]:
    """Chromium and its driver."""
    return _find("chromium"), _find("chromedriver")


@pytest.fixture(scope="module")
def browser(programs: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser a module, with a profile of its own that nobody used before."""
    with Browser(*programs, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def port() -> Iterator[int]:
    """Where one box can be found after the other."""
    with held_port() as held:
        yield held


@pytest.fixture
def second_browser(programs: tuple[str, str], tmp_path: Path) -> Iterator[Browser]:
    """Another one, that shares nothing with the first."""
    with Browser(*programs, tmp_path / "profile") as opened:
        yield opened
