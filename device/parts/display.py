"""The display's own thread: it draws and sends, so that the loop never waits for the bus. A mailbox of one.

It knows when to show what, not how: the drawing and the Oled are handed in.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from PIL import Image

from device.parts.oled import Oled
from device.table.scenes import Asleep, Show

# Seconds between attempts while nothing answers; the last one repeats.
PATIENCE = (0.5, 1.0, 2.0, 4.0, 8.0)
# What is left of the brightness when nobody has pressed for minutes: a tenth.
DIMMED = 10


def patience(failures: int) -> float:
    """Seconds to wait after so many failures in a row; the first is tried again at once."""
    return PATIENCE[min(failures - 2, len(PATIENCE) - 1)]


class Display:
    """Shows the newest Show it was given, draws it in its own thread, and finds a lost display again.

    `connect` opens the Oled; `draw` makes the picture; `tell(about, text)` is called from this thread: about
    "oled" once when the display is lost and once when it is back, about "screen" once for a picture that can't be
    drawn. An error that the next attempt heals at once is only counted, in `lost`.
    """

    def __init__(
        self,
        connect: Callable[[], Oled],
        draw: Callable[[Show], Image.Image],
        tell: Callable[[str, str], None],
    ) -> None:
        self._connect, self._draw, self._tell = connect, draw, tell
        self._mail = threading.Condition()
        self._newest: Show | None = None
        self._shown: Show | None = None
        self._closing = False
        self._resting = False
        self._oled: Oled | None = None
        self._failures = 0
        self._undrawn = ""
        self.lost = 0
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        self._thread.start()

    def show(self, show: Show) -> None:
        """Hand in what is to be seen now; an older one that isn't on the screen yet is dropped. Never waits."""
        with self._mail:
            self._newest = show
            if not self._resting:
                self._mail.notify()

    def close(self, timeout: float = 1.0) -> bool:
        """Show nothing more, switch the display off, wait up to `timeout` seconds. False if the bus hangs."""
        with self._mail:
            self._closing = True
            self._mail.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while self._wait():
            try:
                self._work()
            except Exception as trouble:  # whatever a bus may raise: this thread outlives it
                self._failed(trouble)
            else:
                if self._failures > 1:
                    self._tell("oled", "display is back")
                self._failures = 0
        if self._oled is not None:
            self._oled.close()

    def _wait(self) -> bool:
        """Until there is something to show, to heal or to try again. False at the end."""
        with self._mail:
            self._resting = self._failures > 1
            if self._resting:
                end = time.monotonic() + patience(self._failures)
                while not self._closing and (left := end - time.monotonic()) > 0:
                    self._mail.wait(left)
                self._resting = False
            elif not self._failures and self._oled is not None:
                while not self._closing and self._newest is self._shown:
                    if self._shown is None or isinstance(self._shown.scene, Asleep):
                        self._mail.wait()
                    elif (left := self._oled.due(time.monotonic())) > 0:
                        self._mail.wait(left)
                    else:
                        break
            return not self._closing

    def _work(self) -> None:
        if self._oled is None:
            self._oled = self._connect()
        with self._mail:
            show = self._newest
        if show is None:
            return
        if show is self._shown:
            self._oled.heal()
        elif isinstance(show.scene, Asleep):
            self._oled.sleep()
        else:
            picture = self._drawn(show)
            self._oled.contrast(max(1, show.brightness // DIMMED) if show.dim else show.brightness)
            if picture is not None:
                self._oled.show(picture)
            self._oled.wake()
        self._shown = show

    def _drawn(self, show: Show) -> Image.Image | None:
        try:
            return self._draw(show)
        except Exception as trouble:  # a defect in one picture must not cost the others
            text = f"{type(show.scene).__name__} can't be drawn ({trouble!r})"
            if text != self._undrawn:
                self._undrawn = text
                self._tell("screen", text)
            return None

    def _failed(self, trouble: Exception) -> None:
        self._shown = None
        self._failures += 1
        self.lost += 1
        if self._failures > 1:
            if self._oled is not None:
                self._oled.drop()
                self._oled = None
            if self._failures == 2:
                self._tell("oled", f"display does not answer ({_reason(trouble)}): playing on without it")


def _reason(trouble: Exception) -> str:
    """What the error says, with the number that luma keeps for itself: it is what people search for."""
    text = str(trouble) or type(trouble).__name__
    number = getattr(trouble.__context__, "errno", None)
    return f"{text}, Errno {number}" if number and "Errno" not in text else text
