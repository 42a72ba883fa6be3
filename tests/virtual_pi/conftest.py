"""The virtual Pi is one machine for the whole session: built once, and taken from case to case in their order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.virtual_pi.box import SETTINGS, Box
from tests.virtual_pi.machine import VirtualPi, lacking

HOW = "UBONGO_VIRTUAL_PI=1 pytest tests/virtual_pi runs them (Debian 12, root, QEMU: see its README)"
WORK = Path(os.environ.get("UBONGO_VIRTUAL_PI_DIR", "/tmp/ubongo-virtual-pi"))
PORT = int(os.environ.get("UBONGO_VIRTUAL_PI_PORT", "2299"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave them out, visibly, unless they are asked for; asked for, a machine that can't is a failure."""
    if os.environ.get("UBONGO_VIRTUAL_PI") == "1":
        return
    for item in items:
        if "virtual_pi" in item.path.parts and item.path.name[5:7] in ("a_", "b_", "c_"):
            item.add_marker(pytest.mark.skip(reason=HOW))


@pytest.fixture(scope="session")
def pi() -> Iterator[VirtualPi]:
    """A Raspberry Pi as it is after its card was written: nothing of ours on it, switched on."""
    if why := lacking():
        pytest.fail(f"the virtual Pi {why}")
    machine = VirtualPi(WORK, PORT)
    if os.environ.get("UBONGO_VIRTUAL_PI_KEEP") == "1":
        # For whoever writes a case: on the machine that runs already, left as it is.
        yield machine
        return
    machine.fresh()
    yield machine
    if machine.running():
        machine.vm("stop")


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guest's config, for the twin."""
    path = tmp_path_factory.mktemp("config") / "box.toml"
    path.write_text(SETTINGS)
    return path


@pytest.fixture
def box(pi: VirtualPi, settings: Path) -> Box:
    """The box as it stands on that machine."""
    return Box(pi, settings)
