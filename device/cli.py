"""The commands, their arguments, and how a command ends: exit code and one line on the error output.

Imports nothing that a command doesn't need before it is known which one it is: a Pi Zero feels every import.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TextIO

from device import __version__
from device.errors import FAULT_FOUND, WRONG_USE, UserError

NAME = "ubongo-box"
BOX_STORE, SIMULATOR_STORE = "ubongo-box.sqlite", "ubongo-box-simulator.sqlite"
# Where the service keeps its store (StateDirectory= of the unit): what somebody at the box's shell asks about.
SERVICE_STORE = Path("/var/lib/ubongo-box") / BOX_STORE
INTERRUPTED, BROKEN_PIPE = 130, 141  # exit codes
_CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

# The commands' functions by module: imported when the command is called.
COMMANDS = {
    "run": "device.run",
    "simulate": "device.simulator.app",
    "rehearse": "device.rehearse",
    "doctor": "device.doctor",
    "history": "device.history",
    "config": "device.config_report",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit code: 0 done, 1 it found a fault, 2 wrong use."""
    # Started with a closed output (`>&-`): its number must not fall to the store.
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    # A name that the terminal can't write must not end a command with a traceback.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    args = parser().parse_args(argv)
    try:
        _settle_paths(args, os.environ)
        code = _command(args.command)(args)
        sys.stdout.flush()
        return code
    except UserError as error:
        print(f"{NAME}: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Who reads us has seen enough.
        _say_no_more()
        return BROKEN_PIPE
    except OSError as error:
        # Of a file that is opened or removed the system tells the name, of a stream that is written it doesn't.
        if error.filename is not None or error.errno not in _CANNOT_WRITE:
            raise
        _say_no_more()
        print(f"{NAME}: the output can't be written: {error.strerror}: make room there", file=sys.stderr)
        return FAULT_FOUND


def _say_no_more() -> None:
    # Nothing may be flushed into a closed pipe or a full card at exit either.
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nowhere() -> TextIO:
    return open(os.devnull, "w")  # open until the process ends, as the stream it stands for


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    # What is imported stays: the collector need not look through it, neither on the way nor later.
    gc.disable()
    try:
        command: Callable[[argparse.Namespace], int] = import_module(COMMANDS[name]).command
    finally:
        gc.freeze()
        gc.enable()
    return command


def default_store(name: str, environ: Mapping[str, str]) -> Path:
    """Where a store is kept: systemd's state directory, else the user's."""
    state = environ.get("STATE_DIRECTORY", "").split(":")[0]
    if state:
        return Path(state) / name
    home = environ.get("XDG_STATE_HOME", "")
    # The XDG specification says that a relative path there is invalid and to be left aside.
    if home.startswith("/"):
        return Path(home) / NAME / name
    try:
        return Path.home() / ".local" / "state" / NAME / name
    except RuntimeError:
        raise UserError("this user has no home directory to keep matches in: give --store FILE") from None


def _settle_paths(args: argparse.Namespace, environ: Mapping[str, str]) -> None:
    # Absolute at once: importing lgpio changes the working directory.
    for key, value in vars(args).items():
        if isinstance(value, Path):
            setattr(args, key, value.absolute())
    args.overrides = {"pins.pin_factory": args.pins} if getattr(args, "pins", None) else {}
    args.store_given = args.store is not None
    asks = args.command in ("history", "config", "doctor")
    if args.store_given and not asks:
        _judge_given(args.store)
    if args.store_given or args.command == "rehearse":
        return
    if asks and not environ.get("STATE_DIRECTORY") and os.path.exists(SERVICE_STORE):
        args.store = SERVICE_STORE
    else:
        args.store = default_store(SIMULATOR_STORE if args.command == "simulate" else BOX_STORE, environ).absolute()


def _judge_given(store: Path) -> None:
    from device import store_given

    # A unit of one's own may name another place for the box's store: by its name it counts as the box's own, so no
    # damage keeps that service from starting. Its folder must be there all the same: a mount that is late would
    # otherwise find the matches under it. A link's own name is nobody's proof.
    real = Path(os.path.realpath(store))
    if real.name in (BOX_STORE, SIMULATOR_STORE):
        store_given.check_folder(real.parent)
    else:
        store_given.check(store)


class _OneLine(argparse.ArgumentParser):
    """Says what is wrong in one line, as every other error is said; argparse itself adds its usage."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        self.exit(WRONG_USE, f"{NAME}: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """All commands and their arguments."""
    top = _OneLine(NAME, description="A small box for the middle of the table on Ubongo night.")
    top.add_argument("--version", action="version", version=f"{NAME} {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, help_: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=help_, description=f"{help_[0].upper()}{help_[1:]}.")

    run = command("run", "be the box: buttons, lamps, buzzer, display")
    _takes_config(run)
    _takes_store(run)
    run.add_argument("--pins", choices=("auto", "lgpio", "gpiod", "mock"), help="how to reach the pins")

    simulate = command("simulate", "play the same box in a browser")
    _takes_config(simulate)
    _takes_store(simulate)
    simulate.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    simulate.add_argument("--port", type=_port, default=8765, help="port to listen on (default: %(default)s)")
    simulate.add_argument("--open", action="store_true", help="open the page in the browser")
    simulate.add_argument("--seed", type=int, metavar="N", help="fix die and box draws")

    rehearse = command("rehearse", "play a script of button edges in virtual time and print what happened")
    rehearse.add_argument("script", metavar="SCRIPT", help="the script, or - for standard input")
    _takes_config(rehearse, fallback=False)
    _takes_store(rehearse)
    rehearse.add_argument("--seed", type=int, metavar="N", help="fix die and box draws")
    rehearse.add_argument("--frames", type=Path, metavar="DIR", help="write each picture shown as a PNG")
    rehearse.add_argument("--lamps", action="store_true", help="add the lamps to the transcript")

    doctor = command("doctor", "check whether this box is wired and set up right")
    _takes_config(doctor)
    _takes_store(doctor)
    doctor.add_argument("--parts", action="store_true", help="try display, lamps, buttons and buzzer one by one")
    doctor.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    history = command("history", "list past matches, players' figures or records")
    _takes_store(history)
    what = history.add_mutually_exclusive_group()
    what.add_argument("--players", action="store_true", help="each player's figures by edition")
    what.add_argument("--records", action="store_true", help="the bests: alone, points, fastest solve")
    form = history.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--csv", action="store_true", help="as CSV, one line a player")
    history.add_argument(
        "--limit", type=_count, metavar="N", help="only the newest N matches (0: all; default: 20 in the table)"
    )

    config = command("config", "print every effective setting and where it comes from")
    _takes_config(config)
    _takes_store(config)
    config.add_argument("--json", action="store_true", help="as one JSON object")
    return top


def _takes_config(parser: argparse.ArgumentParser, fallback: bool = True) -> None:
    without = "/etc/ubongo-box.toml if it exists" if fallback else "none"
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"config file (default: {without})")


def _takes_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", type=Path, metavar="FILE", help="where matches and settings are kept")


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 (any free one) to 65535, not {text!r:.40}")
    return int(text)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"a number from 0, not {text!r:.40}")
    return int(text)
