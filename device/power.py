"""Switching the computer off, asked of logind over the system bus. Nothing else is touched here.

The service has no privileges (sudo cannot work there); a polkit rule lets its user ask for exactly this.
"""

from __future__ import annotations

import os
import subprocess

from device.errors import UserError

_LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
_PATIENCE = 5.0
"""Seconds to wait for logind, which answers at once or not at all."""


def off() -> None:
    """Ask for power off (blocks, up to 5 s); returns once logind has agreed, SIGTERM then follows within moments.

    UserError (code 1) with logind's own words if it refuses or isn't there, as on a computer that is no box.
    """
    # busctl comes with systemd: one call does not need a D-Bus library among the box's dependencies.
    command = ["busctl", "--system", "call", *_LOGIND, "PowerOff", "b", "false"]
    # busctl says READY to any notify socket it inherits; only the service may.
    env = {key: value for key, value in os.environ.items() if key != "NOTIFY_SOCKET"}
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, env=env)
    except FileNotFoundError:
        raise UserError("cannot switch off: no systemd here (busctl is missing); pull the plug", 1) from None
    except subprocess.TimeoutExpired:
        raise UserError(f"cannot switch off: logind did not answer in {_PATIENCE:.0f} s; pull the plug", 1) from None
    if asked.returncode != 0:
        said = asked.stderr.strip().removeprefix("Call failed: ") or f"busctl ended with {asked.returncode}"
        raise UserError(f"cannot switch off: {said} (is the polkit rule in place? run deploy.sh again)", 1)
