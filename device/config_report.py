"""The command `config`: every effective value and where it comes from."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from device import config, store_file, store_rows
from device.config_keys import KEYS
from device.config_notes import notes
from device.errors import UserError


def command(args: argparse.Namespace) -> int:
    """Print them for --config and --store; a table, or one JSON object with --json."""
    settings: dict[str, Any] = {}
    warnings = []
    there = store_file.is_there(args.store)
    if there:
        try:
            settings = store_file.reading(args.store, store_rows.load).settings
        except UserError as error:
            warnings.append(f"settings made on the box are unknown: {error}")
    effective = config.load(args.config, settings=settings)
    warnings += effective.warnings
    if args.json:
        print(json.dumps(_as_json(effective, args.store, warnings), indent=2, ensure_ascii=False))
        return 0
    rows = [("key", "value", "from")]
    rows += [(key, _toml(key, effective), effective.sources[key]) for key in KEYS]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for key, value, source in rows:
        print(f"{key:<{widths[0]}}  {value:<{widths[1]}}  {source}")
    print(f"\nconfig file: {effective.path or f'none ({config.DEFAULT_PATH} is read if it exists)'}")
    print(f"store:       {args.store}{'' if there else ' (not there yet)'}")
    for note in notes(effective):
        print(f"note: {note}")
    for warning in warnings:
        print(f"ubongo-box: {warning}", file=sys.stderr)
    return 0


def value(key: str, effective: config.Effective) -> Any:
    """What the key comes to: the edition's own figure where it is left to the edition."""
    own = {
        "glass_seconds": effective.edition.glass_seconds(effective.config.side),
        "glass_start": effective.edition.start,
    }
    found = effective.values[key]
    return own.get(key) if found is None else found


def _toml(key: str, effective: config.Effective) -> str:
    found = value(key, effective)
    if found is None:
        return "-"
    if key == "display.address":
        return f"0x{found:02X}"
    return json.dumps(list(found) if isinstance(found, tuple) else found, ensure_ascii=False)


def _as_json(effective: config.Effective, store: Path, warnings: list[str]) -> dict[str, Any]:
    return {
        "config": None if effective.path is None else str(effective.path),
        "store": str(store),
        "values": {key: {"value": value(key, effective), "from": effective.sources[key]} for key in KEYS},
        "notes": list(notes(effective)),
        "warnings": warnings,
    }
