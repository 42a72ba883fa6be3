"""Evenings kept as scripts: NAME.script (its config in its own `#!config` lines) and NAME.jsonl, what comes of it.

UBONGO_REGENERATE=1 writes every transcript anew and then fails, so that it can't be left on. Nothing is judged here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from device.prepare import table_settings
from device.rehearse import effective_of, rehearse
from device.script import read_script
from device.store import Store

EVENINGS = Path(__file__).parent / "evenings"
SEED = 1
REGENERATE = "UBONGO_REGENERATE"

One = dict[str, Any]
Said = Sequence[One]


def names() -> list[str]:
    """Every evening that is kept."""
    return sorted(path.stem for path in EVENINGS.glob("*.script"))


def text_of(name: str) -> str:
    """The script itself."""
    return (EVENINGS / f"{name}.script").read_text("utf-8")


def play(text: str, store: Store | None = None, seed: int | None = SEED, lamps: bool = True) -> list[One]:
    """What comes of a script."""
    script = read_script(text, "script")
    settings = table_settings(effective_of(script, "script", {} if store is None else store.settings()))
    return rehearse(script, settings, store=store, seed=seed, lamps=lamps)


def written(said: Said) -> str:
    """A transcript as it is kept: one object a line."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in said)


def compare(name: str, said: Said) -> None:
    """The whole transcript is the kept one."""
    kept = EVENINGS / f"{name}.jsonl"
    if os.environ.get(REGENERATE):
        kept.write_text(written(said), "utf-8")
        pytest.fail(f"{kept.name} is written anew: read what changed, then run without {REGENERATE}")
    assert written(said).splitlines() == kept.read_text("utf-8").splitlines()


def of(said: Said, *whats: str) -> list[One]:
    """Only the objects of these kinds."""
    return [one for one in said if one["what"] in whats]


def fields(said: Said, what: str, *keys: str) -> list[Any]:
    """Of each object of one kind these fields, as tuples, or as they are if it is but one."""
    found = [tuple(one.get(key) for key in keys) for one in of(said, what)]
    return [one[0] for one in found] if len(keys) == 1 else found


def times(said: Said, what: str, **wanted: object) -> list[float]:
    """When this was said."""
    return [one["t"] for one in of(said, what) if wanted.items() <= one.items()]


def story(said: Said) -> list[One]:
    """What happened to the match, with neither times nor scenes, lamps, sounds."""
    quiet = ("scene", "lamps", "sound", "resumed", "notice")
    return [{key: value for key, value in one.items() if key != "t"} for one in said if one["what"] not in quiet]


def cuts(text: str) -> list[float]:
    """When the power goes."""
    return [step.at for step in read_script(text, "script").steps if step.verb == "cut"]
