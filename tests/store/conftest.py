"""Where the stores of these tests lie."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

SHARED_MEMORY = Path("/dev/shm")


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """A directory in memory where there is one: hundreds of fsyncs cost a minute on a disk and prove no more.

    A kill takes nothing from the system's cache, so memory and disk are the same to it.
    """
    if not SHARED_MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as name:
        yield Path(name)
