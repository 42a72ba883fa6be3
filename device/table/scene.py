"""Which handler belongs to which scene. Nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from device.table.alone import Alone
from device.table.count import Count
from device.table.handler import Handler
from device.table.lobby import Lobby, Resume, Youngest
from device.table.menu import History, Menu, Rules, Settings
from device.table.pause import Paused
from device.table.race import Playoff, Race
from device.table.ready import Ready, Stacks
from device.table.results import Check, Drawing, Final, Scores

SCENES: Mapping[str, Handler] = {
    handler.name: handler
    for handler in (
        Resume(),
        Lobby(),
        Youngest(),
        Ready(),
        Stacks(),
        Race(),
        Check(),
        Drawing(),
        Scores(),
        Playoff(),
        Final(),
        Alone(),
        Count(),
        Menu(),
        Settings(),
        Rules(),
        History(),
        Paused(),
    )
}
