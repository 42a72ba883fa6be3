"""The command `history`: past matches, players' figures and records, as a table, JSON or CSV.

Reads the store beside a running box, without its lock; prints while it reads.
"""

from __future__ import annotations

import argparse
import csv
import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, fields
from itertools import islice
from typing import Any

from device import past, store_file
from device.errors import UserError
from device.past import PastMatch, Record, Tally

_WIDEST = 120  # characters of a cell; four names of ten letters and their points are half of it
LISTED = 20  # matches in the table unless --limit says otherwise; JSON and CSV are for programs and give all


def command(args: argparse.Namespace) -> int:
    """Print what --players, --records or neither ask for, from --store."""
    if not store_file.is_there(args.store):
        if args.store_given:
            raise UserError(f"{args.store}: there is no such store: check --store")
        return _nothing(args)
    store_file.reading(args.store, lambda db: _print(db, args))
    return 0


def _nothing(args: argparse.Namespace) -> int:
    if args.json:
        print("[]")
    elif not args.csv:
        print(f"There is nothing yet: {args.store} is not there.")
    return 0


def _print(db: sqlite3.Connection, args: argparse.Namespace) -> None:
    if args.players:
        tallies = past.tallies(db)
        if args.json:
            _print_json({**asdict(t), "rate": t.rate, "mean": t.mean} for t in tallies)
        elif args.csv:
            _print_csv([f.name for f in fields(Tally)], (astuple(tally) for tally in tallies))
        else:
            _print_table(_PLAYERS, _player_rows(tallies))
    elif args.records:
        records = past.records(db)
        if args.json:
            _print_json(asdict(record) for record in records)
        elif args.csv:
            _print_csv([f.name for f in fields(Record)], (astuple(record) for record in records))
        else:
            _print_table(_RECORDS, (_record_row(record) for record in records))
    else:
        everything = args.json or args.csv
        limit = (None if everything else LISTED) if args.limit is None else args.limit or None
        found = past.matches(db, limit)
        if args.json:
            _print_json({"id": match.id, "when": match.when, **match.outcome} for match in found)
        elif args.csv:
            _print_csv(_MATCH_CSV, (row for match in found for row in _match_csv(match)))
        else:
            _print_table(_MATCHES, (_match_row(match) for match in found))


_MATCHES = ("when", "edition", "winner", "points")
_PLAYERS = (
    *("player", "edition", "matches", "wins", "solved", "of", "rate", "firsts", "fastest", "mean", "longest run"),
    *("rubies", "sapphires", "emeralds", "ambers", "alone", "tasks"),
)
_RECORDS = ("edition", "record", "best", "player", "when")
_MATCH_CSV = (
    *("id", "when", "edition", "side", "scoring", "kind", "unfinished", "rounds", "player", "name", "points", "unit"),
    *("rank", "winner", "solved", "races", "fastest", "ruby", "sapphire", "emerald", "amber", "goal", "seconds"),
)


def _match_row(match: PastMatch) -> tuple[str, ...]:
    outcome = match.outcome
    points = ", ".join(f"{name} {score}" for name, score in match.scores)
    if outcome.get("kind") == "alone":
        goal = outcome.get("goal") or {}
        names = ", ".join(match.name(player) for player in outcome.get("players", ()))
        points = f"{names} alone: {outcome.get('solved', 0)} solved in {clock(outcome.get('seconds'))}"
        points += f" (goal: {goal.get('number')} {goal.get('kind')})"
    winner = ", ".join(match.winners)
    if match.unfinished:
        rounds = int(outcome.get("rounds") or 0)
        played = f"{rounds} round{'' if rounds == 1 else 's'}"
        winner = "(unfinished)" if outcome.get("kind") == "alone" else f"(unfinished, {played})"
    elif outcome.get("kind") == "counted":
        points += " (counted)"
    return (_day(match.when), _edition(outcome.get("edition_name") or outcome.get("edition"), outcome), winner, points)


def _match_csv(match: PastMatch) -> Iterator[tuple[Any, ...]]:
    outcome = match.outcome
    goal = outcome.get("goal") or {}
    for player in outcome.get("players", ()):
        solves = [s for s in outcome.get("solves", ()) if s["player"] == player]
        times = [s["seconds"] for s in solves if s.get("seconds") is not None]
        ranks = [number for number, tied in enumerate(outcome.get("ranking", ()), 1) if player in tied]
        gems = (outcome.get("gems") or {}).get(player) or {}
        yield (
            *(match.id, match.when, outcome.get("edition"), outcome.get("side"), outcome.get("scoring")),
            *(outcome.get("kind"), int(match.unfinished), outcome.get("rounds"), player, match.name(player)),
            *((outcome.get("scores") or {}).get(player), outcome.get("unit"), ranks[0] if ranks else None),
            *(int(match.name(player) in match.winners), outcome.get("solved", len(solves))),
            *((outcome.get("races") or {}).get(player), min(times, default=None)),
            *(gems.get(kind) for kind in ("ruby", "sapphire", "emerald", "amber")),
            *(f"{goal['number']} {goal['kind']}" if goal else None, outcome.get("seconds")),
        )


def _player_rows(tallies: Sequence[Tally]) -> Iterator[tuple[str, ...]]:
    for whole in past.total(tallies):
        parts = [tally for tally in tallies if tally.name == whole.name]
        # One edition only: the sum would say the same twice.
        for tally in [whole, *parts] if len(parts) > 1 else parts:
            rate = "-" if tally.rate is None else f"{tally.rate:.0%}"
            counts = (tally.matches, tally.wins, tally.solves, tally.races)
            rest = (tally.longest, *tally.gems.values(), tally.alone, tally.tasks)
            yield (
                *(tally.name, tally.edition or "all", *map(str, counts), rate, str(tally.firsts)),
                *(_seconds(tally.fastest), _seconds(tally.mean), *map(str, rest)),
            )


def _record_row(record: Record) -> tuple[str, ...]:
    what, best = {
        "minutes": (f"alone, {record.number} minutes", f"{record.value:.0f} tasks"),
        "tasks": (f"alone, {record.number} tasks", clock(record.value)),
        "solve": ("fastest solve", _seconds(record.value)),
        "score": (f"most in a match ({record.scoring})", f"{record.value:.0f}"),
    }.get(record.what, (record.what, str(record.value)))
    return (_edition(record.edition, {"side": record.side}), what, best, record.name, _day(record.when))


def clock(seconds: float | None) -> str:
    """Seconds as minutes and seconds, "12:05"; "-" for None."""
    return "-" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.1f} s"


def _day(when: str) -> str:
    return when[:16].replace("T", " ")


def _edition(name: Any, outcome: Mapping[str, Any]) -> str:
    return f"{name} {outcome.get('side') or ''}".strip()


def _print_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    rows = iter(rows)
    widths = [_width(title) for title in header]
    first = True
    # By the page: a whole history need not fit into the memory of a Pi Zero to be lined up.
    while page := list(islice(rows, 200)):
        page = [[_plain(cell) for cell in row] for row in page]
        widths = [max(width, *(_width(row[n]) for row in page)) for n, width in enumerate(widths)]
        for row in [list(header), *page] if first else page:
            print(
                "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
            )
        first = False
    if first:
        print("There is nothing yet.")


def _width(text: str) -> int:
    """Columns of a terminal that this takes."""
    if text.isascii():
        return len(text)
    import unicodedata  # seldom needed, and a Pi Zero feels every import

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1 for c in text
    )


def _plain(text: str) -> str:
    # A store that comes from elsewhere must not steer the terminal, nor push all other columns out of sight.
    text = text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)


def _print_json(items: Iterable[Mapping[str, Any]]) -> None:
    before = "["
    for item in items:
        print(f"{before}{json.dumps(item, ensure_ascii=False)}", end="")
        before = ",\n "
    print("]" if before != "[" else "[]")


def _print_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
