"""The box in a hurry: what only takes time is shortened; how long it takes on the box the table's tests prove."""

from __future__ import annotations

import pytest

from device.table import gestures, ready, results
from tests.faults import rig


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking, tumbling, holding and the menu take a third of their time or less."""
    monkeypatch.setattr(results, "LOOK", rig.LOOK)
    monkeypatch.setattr(ready, "TUMBLE", 0.05)
    monkeypatch.setattr(gestures, "HOLD", rig.HOLD)
    monkeypatch.setattr(gestures, "MENU", rig.MENU)
