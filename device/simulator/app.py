"""`ubongo-box simulate`: the service on mock pins, its page, and an end that leaves nothing behind. No rules here."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from device.config import Effective, load
from device.errors import UserError
from device.game.chance import Chance, SeededChance, SystemChance
from device.parts.oled import DisplaySettings, open_oled
from device.service import Service, notices
from device.simulator.chip import Chip
from device.simulator.door import Door, open_door
from device.simulator.front import Front
from device.simulator.panel import Panel
from device.simulator.pins import WatchedFactory
from device.store import Store

if TYPE_CHECKING:
    from device.simulator.server import Server

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def _print(line: str) -> None:
    print(line, flush=True)


def command(args: argparse.Namespace) -> int:
    """`ubongo-box simulate`: 0 after Ctrl-C, SIGTERM or "power off" in the menu.

    UserError if the port, the store or the config cannot be had.
    """
    door = open_door(args.host, args.port)
    try:
        store = Store(args.store)
        try:
            effective = load(args.config, overrides=args.overrides, settings=store.settings())
            chance = SystemChance() if args.seed is None else SeededChance(args.seed)
            play(effective, store, door, chance=chance, open_browser=args.open)
        except UserError:
            store.close()
            raise
    finally:
        door.close()
    return 0


def play(
    effective: Effective,
    store: Store,
    door: Door,
    *,
    chance: Chance,
    open_browser: bool = False,
    say: Callable[[str], None] = _print,
) -> None:
    """Be the box on a page until a signal or its menu ends it, and close the store. Needs the main thread.

    `say` hears where the page is. What the service raises comes out of here.
    """
    # Its library may be missing: the door, which is opened first, says so in one line.
    from device.simulator.server import Server

    factory, chip, config = WatchedFactory(), Chip(), effective.config
    labels = {"language": config.language, "names": {str(seat): name for seat, name in config.players.items()}}
    front = Front(factory, Panel(chip), config.pins.buttons, config.pins.lamps, config.pins.buzzer, labels)
    chip.changed = front.ring
    server = Server(front, door)

    def tell(one: dict[str, Any]) -> None:
        server.tell(one)
        notices(one)

    def build(power_off: Callable[[], None]) -> Service:
        # How a real panel is wired and turned is nothing to the modelled one.
        connect = partial(open_oled, DisplaySettings(), line=chip)
        service = Service(effective, store, factory, connect, chance=chance, say=tell, power_off=power_off)
        front.speak(lambda: service.language)
        return service

    # Page, display and store give the loop its turn within half a millisecond, as in the box itself.
    sys.setswitchinterval(0.0005)
    asyncio.run(_play(server, door, build, open_browser, say))


async def _play(
    server: Server,
    door: Door,
    build: Callable[[Callable[[], None]], Service],
    open_browser: bool,
    say: Callable[[str], None],
) -> None:
    loop, over, closing = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    # An error nobody awaited is a line, not a page of traceback in the middle of game night.
    loop.set_exception_handler(lambda _, met: print(f"ubongo-box: {met['message']}", file=sys.stderr))

    def end() -> None:
        loop.call_soon_threadsafe(over.set)

    for number in _SIGNALS:
        try:
            loop.add_signal_handler(number, over.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: end())
    service = build(end)
    failed: list[BaseException] = []

    def run() -> None:
        try:
            service.run()
        except BaseException as error:
            failed.append(error)
        finally:
            end()

    thread = threading.Thread(target=run, name="service")
    thread.start()
    serving = asyncio.create_task(server.serve(closing))
    # Whichever ends first, the service or the server, takes the other one along.
    serving.add_done_callback(lambda _: over.set())
    whose = "" if door.private else ", for everybody on this network to see and to press"
    say(f"The box is at {door.address}{whose} (Ctrl-C ends it)")
    if open_browser:
        # Some browsers take their time to come back to us.
        threading.Thread(target=webbrowser.open, args=(door.address,), daemon=True).start()
    await over.wait()
    service.stop()
    await asyncio.to_thread(thread.join)
    closing.set()
    await serving
    if failed:
        raise failed[0]
