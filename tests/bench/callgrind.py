"""Instructions instead of seconds, where a noisy machine hides what a change costs: callgrind's, of another process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
TIMEOUT = 240.0


def available() -> bool:
    """Whether there is a valgrind."""
    return shutil.which("valgrind") is not None


def instructions(arguments: Sequence[str], environ: Mapping[str, str] = os.environ) -> list[int] | None:
    """Instructions of `python ARGUMENTS` between its calls of getsid; None if they can't be had."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", "--dump-before=getsid", f"--callgrind-out-file={out}"]
        try:
            subprocess.run(
                [*command, sys.executable, *arguments],
                check=True,
                cwd=ROOT,
                env={**environ, "PYTHONHASHSEED": "0"},
                timeout=TIMEOUT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        # Numbered in the order of the dumps; the one without a number is what came after the last.
        numbered = sorted(Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
        return [_total(path) for path in (*numbered, out) if path.is_file()]


def _total(path: Path) -> int:
    for line in path.read_text("utf-8", "replace").splitlines():
        name, _, value = line.partition(":")
        if name == "totals":
            return int(value)
    return 0
