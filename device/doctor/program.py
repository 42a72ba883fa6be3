"""The program on this computer: its config, its store, its service, what went wrong last."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from device import store_file, store_rows
from device.config import Config, Effective, load
from device.doctor.machine import Machine
from device.doctor.report import Finding, fault, ok, untested
from device.errors import UserError

LEAST_FREE = 50 * 2**20
"""Bytes. A whole evening's store is a few hundred KiB; a card this full has other troubles soon."""


def effective(machine: Machine) -> Effective:
    """The config as the service would see it. UserError as from load."""
    settings = {}
    if store_file.is_there(machine.store):
        try:
            settings = store_file.reading(machine.store, store_rows.load).settings
        except UserError:
            settings = {}
    return load(machine.config_path, settings=settings)


def config_check(machine: Machine) -> tuple[Finding, Config]:
    """The config file; and the config, or the defaults where it is wrong."""
    try:
        found = effective(machine)
    except UserError as error:
        return fault("config", str(error), "the other checks go by the defaults"), Config()
    if found.warnings:
        return fault("config", "; ".join(found.warnings), "set it again in the box's menu, settings"), found.config
    return ok("config", str(found.path) if found.path else "no file: all defaults"), found.config


def checks(machine: Machine, config: Config) -> Iterator[Finding]:
    """All of the rest."""
    yield store(machine)
    yield space(machine)
    yield service(machine, config)
    yield last_error(machine)


def store(machine: Machine) -> Finding:
    """Whether the store can be read here and written by whoever runs the box."""
    path = machine.store
    folder = path.parent
    # os.path's question never raises, whatever the path is.
    if not os.path.isdir(folder):
        return untested("store", f"{path}: not there yet", "it is made when the box first runs")
    if fault_text := _unwritable(machine, folder) or (store_file.is_there(path) and _unwritable(machine, path)) or "":
        return fault(
            "store", f"{fault_text}: matches are played but not kept", "run deploy.sh again, or put in another card"
        )
    if not store_file.is_there(path):
        return ok("store", f"{path}: empty until the first match")
    try:
        kept = store_file.reading(path, store_rows.load)
    except UserError as error:
        return fault(
            "store",
            str(error),
            "the box sets its own one aside at its next start; any other file: choose another --store",
        )
    return ok("store", f"{path}: {'a match waits to be resumed' if kept.head is not None else 'readable and writable'}")


def _unwritable(machine: Machine, path: Path) -> str:
    """Why the box could not write there, or nothing."""
    try:
        status = path.stat()
        if os.statvfs(path).f_flag & os.ST_RDONLY:
            return f"{path} lies on a card that is read-only"
    except OSError as error:
        return f"{path} can't be looked at ({error.strerror})"
    uid = machine.service_uid()
    if uid is not None and path.is_relative_to("/var/lib"):
        # Another user than us: its rights are read off the file.
        if status.st_uid != uid or not status.st_mode & stat.S_IWUSR:
            return f"{path} is not the service's to write"
        return ""
    return "" if os.access(path, os.W_OK) else f"{path} can't be written by user {machine.user()}"


def space(machine: Machine) -> Finding:
    """Free space where the store lies."""
    folder = next((p for p in (machine.store.parent, *machine.store.parents) if os.path.isdir(p)), Path("/"))
    status = os.statvfs(folder)
    free = status.f_bavail * status.f_frsize
    text = f"{free / 2**20:.0f} MiB free in {folder}"
    if free < LEAST_FREE:
        return fault("space", text, "delete something: sudo apt-get clean, sudo journalctl --vacuum-size=20M")
    return ok("space", text)


def service(machine: Machine, config: Config) -> Finding:
    """The service, by systemd's word."""
    state = machine.service()
    if state is None or state.get("LoadState") != "loaded":
        return untested("service", "not installed on this computer", "deploy.sh installs it")
    active, restarts = state.get("ActiveState", ""), state.get("NRestarts", "0")
    text = f"{active} ({state.get('SubState', '')}), {restarts} restarts"
    if active == "active":
        if state.get("UnitFileState") not in ("enabled", "linked"):
            return fault("service", f"{text}, but does not start at power-on", "sudo systemctl enable ubongo-box")
        lacking = missing_groups(state, config.display.interface)
        if lacking:
            return fault("service", f"{text}, but without group {', '.join(lacking)}", "run deploy.sh again")
        return ok("service", text)
    if active == "inactive":
        return fault("service", text, "sudo systemctl start ubongo-box")
    return fault("service", text, "its own words: journalctl -u ubongo-box -n 20")


def missing_groups(state: dict[str, str], interface: str) -> list[str]:
    """Groups that the service needs for this display and does not have."""
    has = state.get("SupplementaryGroups", "").split()
    return [group for group in ("gpio", interface) if group not in has]


def last_error(machine: Machine) -> Finding:
    """The last unexpected error that the box lived through; the journal forgets it at a reboot."""
    if not store_file.is_there(machine.store):
        return ok("last error", "none: nothing was played yet")
    try:
        error = store_file.reading(machine.store, store_rows.load).error
    except UserError:
        return untested("last error", "the store can't be read")
    if error is None:
        return ok("last error", "none")
    when, text = error
    return ok("last error", f"{when}: {text.strip().splitlines()[-1]} (the box lived through it; please report it)")
