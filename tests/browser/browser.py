"""A real Chromium at the box's page: what a person does there with mouse, keys and fingers, and what is seen."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

PATIENCE = 30.0
"""Seconds after which what is waited for is not going to come. Nothing is judged by how long it took."""

# Every request to the sound hardware is written down as it is made, by the Web Audio API's own names.
_LISTENER = """
window.__sound = [];
for (const name of ["setValueAtTime", "setTargetAtTime"]) {
  const made = AudioParam.prototype[name];
  AudioParam.prototype[name] = function (value, ...rest) {
    window.__sound.push([name === "setValueAtTime" ? "pitch" : "level", value]);
    return made.call(this, value, ...rest);
  };
}
"""

# One sample from the middle of each of the display's pixels, as a row of 0 and 1 for each line.
_READ_OLED = """
const canvas = document.getElementById("oled");
const cell = canvas.width / 128;
const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
const rows = [];
for (let y = 0; y < 64; y += 1) {
  let row = "";
  for (let x = 0; x < 128; x += 1) {
    const at = (Math.floor((y + 0.4) * cell) * canvas.width + Math.floor((x + 0.4) * cell)) * 4;
    row += data[at + 1] > 127 ? "1" : "0";
  }
  rows.push(row);
}
return rows;
"""


def _small(oled: list[str]) -> list[str]:
    """The display in half as many lines, for a failure to be looked at."""
    blocks = {"00": " ", "10": "\u2580", "01": "\u2584", "11": "\u2588"}
    pairs = zip(oled[::2], oled[1::2], strict=True)
    return ["".join(blocks[high + low] for high, low in zip(*pair, strict=True)) for pair in pairs]


def rows(picture: Image.Image) -> list[str]:
    """A picture of the display as `Browser.oled` gives it."""
    data = picture.tobytes()
    return ["".join(f"{byte:08b}" for byte in data[y * 16 : y * 16 + 16]) for y in range(64)]


class Browser:
    """One Chromium window. Keys and mouse go through WebDriver, fingers through the DevTools protocol."""

    def __init__(self, chromium: str, driver: str, profile: Path) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--no-first-run",
            "--no-proxy-server",
            f"--user-data-dir={profile}",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(PATIENCE)
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=_LISTENER)
        self._fingers: dict[int, tuple[float, float]] = {}

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.driver.quit()

    def cdp(self, command: str, **arguments: Any) -> Any:
        """One command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(command, arguments)

    def run(self, script: str, *arguments: Any) -> Any:
        """What this piece of JavaScript returns."""
        return self.driver.execute_script(script, *arguments)

    def open(self, address: str, width: int = 1280, height: int = 800, density: float = 1) -> None:
        """Load the page on a screen of this size (CSS pixels) and wait until it has its box."""
        self.size(width, height, density)
        self._fingers.clear()
        self.driver.get(address)
        self.until(lambda: self.linked, "the page has found its box")

    def size(self, width: int, height: int, density: float = 1) -> None:
        """Another screen."""
        self.cdp(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density, mobile=False
        )

    def settle(self) -> None:
        """Wait until the page has been laid out and painted as it is now."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"
        )

    def until(self, so: Callable[[], bool], what: str) -> None:
        """Wait until this is so."""
        end = time.monotonic() + PATIENCE
        while not so():
            if time.monotonic() > end:
                seen = f"scene {self.scene!r}, lamps {self.lamps}, told {self.told}"
                raise AssertionError("\n".join([f"never: {what}", seen, *_small(self.oled)]))
            time.sleep(0.01)

    # What is seen

    @property
    def linked(self) -> bool:
        """Whether the page and the box have each other."""
        return bool(self.run("return document.documentElement.dataset.link === 'up'"))

    @property
    def scene(self) -> str:
        """What the page believes the scene is."""
        return str(self.run("return document.documentElement.dataset.scene || ''"))

    @property
    def lamps(self) -> list[float]:
        """How bright the four lights are drawn, 0 to 1; -1 for one that is still on its way to what it should be."""
        return list(
            self.run(
                "return [1, 2, 3, 4].map(b => { const e = document.querySelector(`[data-button='${b}']`);"
                "const drawn = Number(getComputedStyle(e.querySelector('.light')).opacity);"
                "return drawn === Number(e.dataset.lamp) ? drawn : -1; })"
            )
        )

    @property
    def pushed(self) -> list[int]:
        """The buttons that are drawn as pushed in."""
        return list(
            self.run("return [...document.querySelectorAll('.arcade.down')].map(e => +e.dataset.button).sort()")
        )

    @property
    def oled(self) -> list[str]:
        """The display as it is painted: 64 rows of 128 times 0 or 1."""
        return list(self.run(_READ_OLED))

    def visible(self, css: str) -> bool:
        """Whether a person could see this."""
        return bool(
            self.run(
                "const e = document.querySelector(arguments[0]), s = getComputedStyle(e);"
                "const r = e.getBoundingClientRect();"
                "return s.visibility === 'visible' && s.display !== 'none' && +s.opacity > 0.9 && r.width > 0;",
                css,
            )
        )

    def text(self, css: str) -> str:
        """The text that is there."""
        return str(self.run("return document.querySelector(arguments[0]).textContent.trim()", css))

    def sounds(self) -> list[list[Any]]:
        """What was asked of the sound hardware since the last call: ["pitch", Hz] and ["level", 0 or more]."""
        return list(self.run("return window.__sound.splice(0)"))

    def complaints(self) -> list[str]:
        """The console's errors since the last call, without those that only say that nobody listened."""
        lines = [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]  # type: ignore[no-untyped-call]  # so in selenium
        return [line for line in lines if "WebSocket connection to" not in line and "ERR_CONNECTION" not in line]

    def picture(self, path: Path) -> None:
        """A screenshot."""
        path.write_bytes(base64.b64decode(self.cdp("Page.captureScreenshot", format="png")["data"]))

    @property
    def told(self) -> list[str]:
        """The last things that were said in words, for those who can't see the display."""
        return list(self.run("return [...document.querySelectorAll('#told span')].map(e => e.textContent.trim())"))

    # What is done

    def middle(self, button: int) -> tuple[float, float]:
        """Where button 1 to 4 is."""
        x, y = self.run(
            "const r = document.querySelector(`[data-button='${arguments[0]}']`).getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2];",
            button,
        )
        return float(x), float(y)

    def mouse_down(self, button: int, *, which: int = 0) -> None:
        """Move there and press a mouse button."""
        self._point("mouse", self.middle(button), ("down",), which)

    def mouse_up(self, x: float = 5, y: float = 5, *, which: int = 0) -> None:
        """Move there (a corner of the table, if left out) and let go."""
        self._point("mouse", (x, y), ("up",), which)

    def click(self, button: int) -> None:
        """A short press with the mouse."""
        self._point("mouse", self.middle(button), ("down", "up"))

    def click_on(self, css: str) -> None:
        """A click on something else."""
        self.driver.find_element("css selector", css).click()

    def _point(self, kind: str, at: tuple[float, float], acts: tuple[str, ...], which: int = 0) -> None:
        # All in one command: between two of them a busy machine may take as long as a hold.
        pointer: Any = PointerInput(kind, kind)  # type: ignore[no-untyped-call]  # so in selenium
        actions = ActionBuilder(self.driver, mouse=pointer, duration=0)
        pointer.create_pointer_move(duration=0, x=int(at[0]), y=int(at[1]))
        for act in acts:
            getattr(pointer, f"create_pointer_{act}")(button=which)
        actions.perform()

    def key(self, kind: str, code: str, *, repeat: bool = False) -> None:
        """`kind` "down" or "up" of the key at this place of a keyboard ("Digit1", "Numpad3", "Space")."""
        text = {"Space": " ", "Enter": "\r"}.get(code, code[-1])
        self.cdp(
            "Input.dispatchKeyEvent",
            type="keyDown" if kind == "down" else "keyUp",
            code=code,
            key=text,
            windowsVirtualKeyCode=ord(text),
            autoRepeat=repeat,
            **({"text": text} if kind == "down" else {}),
        )

    def press_key(self, number: int) -> None:
        """A short press of the key 1 to 4."""
        ActionChains(self.driver, duration=0).key_down(str(number)).key_up(str(number)).perform()

    def tap(self, button: int) -> None:
        """A short press with a finger."""
        self._point("touch", self.middle(button), ("down", "up"))

    def touch(self, finger: int, button: int) -> None:
        """One more finger comes down, on a button."""
        self._fingers[finger] = self.middle(button)
        self._touch("touchStart")

    def slide(self, finger: int, x: float, y: float) -> None:
        """A finger moves without leaving the glass."""
        self._fingers[finger] = (x, y)
        self._touch("touchMove")

    def lift(self, finger: int) -> None:
        """A finger leaves the glass."""
        x, y = self._fingers.pop(finger)
        # In the protocol a touchEnd names the fingers that leave.
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[{"x": x, "y": y, "id": finger}])

    def _touch(self, kind: str) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in self._fingers.items()]
        self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=points)
