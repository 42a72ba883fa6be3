"""Whether a path that was given by hand may be a store: asked before a box locks, renames or makes anything there.

The box's own path is never asked about: what lies there is set aside whatever it is, and a game night begins.
Nothing is written here.
"""

from __future__ import annotations

import errno
import os
import shlex
from pathlib import Path

from device import store_file, store_rows
from device.errors import UserError
from device.store_file import Damaged, Unavailable

_HEADER = 100  # bytes of an SQLite file's header
_FIRST_PAGE = 4096  # bytes; SQLite's default, in which all our CREATE statements have room


def check(path: Path) -> None:
    """UserError if what stands at `path` is no store of this program and never was one; its folder must be there.

    A file that a box would set aside passes only if its loss can be no surprise: it is empty, or bears our
    application id or tables, or a box's lock lies beside it. An ending such as .sqlite proves nothing.
    """
    real = Path(os.path.realpath(path))
    check_folder(real.parent)
    store_file.check_kind(path)
    try:
        size = os.stat(path).st_size
    except FileNotFoundError:
        wal = Path(f"{real}-wal")
        if wal.exists() and not _locked_before(real):
            raise _refusal(wal, "is left of another program's database") from None
        return
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENAMETOOLONG):
            raise UserError(f"{path}: {error.strerror}: choose another --store") from None
        # A card that can't be read just now: the box plays on in memory, and says so.
        return
    try:
        with store_file.translated():
            store_file.judge_header(real)
    except Unavailable:
        return
    except store_file.Newer as newer:
        raise UserError(f"{path} {newer}: update this program, or choose another --store") from None
    except Damaged as damage:
        if size and not _was_ours(real):
            torn = str(damage) == "is torn"
            raise _refusal(path, "is not a store of this program" if torn else str(damage)) from None


def check_folder(folder: Path) -> None:
    """UserError if a store can't be made in `folder` because there is none: a box makes only its own."""
    try:
        os.stat(f"{folder}/.")
    except FileNotFoundError:
        raise UserError(
            f"{folder} is not there: mkdir -p {shlex.quote(str(folder))} if it is meant, or choose another --store"
        ) from None
    except NotADirectoryError:
        raise UserError(f"{folder} is no directory: choose another --store") from None
    except OSError:
        # Not ours to look at, or a card that fails: the box plays on in memory, and says so.
        return


def _refusal(path: Path, what: str) -> UserError:
    return UserError(f"{path} {what}: choose another --store, or move that file away if it may go")


def _was_ours(path: Path) -> bool:
    with open(path, "rb") as file:
        page = file.read(_FIRST_PAGE)
    if store_file.is_marked(page):
        return True
    # The header may be gone and the tables still be there. A text that quotes them has no zero byte.
    tables = b"\0" in page and any(statement.encode() in page for statement in store_rows.SCHEMA)
    # A sound header of another program is no damage of ours, whoever has locked here before.
    others = store_file.is_sqlite(page) and len(page) >= _HEADER
    return tables or (not others and _locked_before(path))


def _locked_before(path: Path) -> bool:
    return store_file.lock_text(path).startswith(store_file.LOCKED_BY)
