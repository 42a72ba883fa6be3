"""`ubongo-box run`: the service on this computer's own pins, display and store, until a signal ends it.

What the box does lies in service.py; here only what it is given, and the signals.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping

from device.config import load
from device.errors import UserError
from device.notify import Notify
from device.service import Service, notices
from device.store import Store


def _on_signals(acts: Mapping[int, Callable[[], None]]) -> None:
    """Have these done when their signal comes, by a thread that waits for nothing else. Needs the main thread.

    Python runs a handler between two steps of the main thread, and that one waits on its queue: a signal that came just
    before it fell asleep would be heard at the next press (5 of 5,000 sent to a loop at work).
    """
    heard, told = os.pipe()
    os.set_blocking(told, False)

    def listen() -> None:
        while True:
            for number in os.read(heard, 64):
                if number in acts:
                    acts[number]()

    threading.Thread(target=listen, name="signals", daemon=True).start()
    # Before the handlers: from then on no signal has another way.
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    for number in acts:
        signal.signal(number, lambda *_: None)


def command(args: argparse.Namespace) -> int:
    """`ubongo-box run`: 0 after SIGTERM or SIGINT; UserError if the store, the config or the pins cannot be had."""
    from device.parts.board import open_factory
    from device.parts.oled import DisplaySettings, open_oled
    from device.power import off

    store = Store(args.store)
    try:
        effective = load(args.config, overrides=args.overrides, settings=store.settings())
        try:
            factory = open_factory(effective.config.pin_factory)
        except UserError as error:
            hint = "" if "simulate" in str(error) else "; without a Raspberry Pi: ubongo-box simulate"
            raise UserError(f"{error}{hint}", error.code) from None
        display = effective.config.display
        wanted = DisplaySettings(**{name: getattr(display, name) for name in display.__slots__})
        service = Service(
            effective,
            store,
            factory,
            lambda: open_oled(wanted, factory=factory),
            say=notices,
            power_off=off,
            notify=Notify(),
            scripts=args.store.parent,
        )
        ends: dict[int, Callable[[], None]] = dict.fromkeys(
            (signal.SIGTERM, signal.SIGINT, signal.SIGHUP), service.stop
        )
        _on_signals({**ends, signal.SIGUSR1: service.record, signal.SIGUSR2: service.game_night})
        # Threads that draw and send give the loop its turn within half a millisecond.
        sys.setswitchinterval(0.0005)
        try:
            service.run()
        finally:
            factory.close()
        # The store's thread has closed it, or hangs on the card: then nobody may wait for it here either.
    except UserError:
        store.close()
        raise
    return 0
