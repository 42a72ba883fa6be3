"""`python -m tests.bench`: measures everything, prints the table; `--readme` puts it into README.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench import counts, load, oled, order, quiet, scale, start, virtual
from tests.bench.results import Row, Run, table

PARTS: dict[str, Callable[[Run], list[Row]]] = {
    "oled": oled.measure,
    "load": load.measure,
    "order": order.measure,
    "quiet": quiet.measure,
    "start": start.measure,
    "scale": scale.measure,
    "counts": counts.measure,
}
README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- bench -->", "<!-- /bench -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when everything could be measured, whatever came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=tuple(PARTS), metavar="NAME", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="tiny sizes: shows that the bench works, measures nothing")
    parser.add_argument("--readme", action="store_true", help="put the table into README.md")
    parser.add_argument("--virtual-pi", type=Path, metavar="DIR", help="also on a virtual Raspberry Pi, built in DIR")
    args = parser.parse_args(arguments)
    if args.readme and (args.quick or args.only):
        parser.error("--readme takes the whole table, measured in full")
    began = time.monotonic()
    rows: list[Row] = []
    for name, part in PARTS.items():
        if args.only and name not in args.only:
            continue
        print(f"… {name} ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)
        rows += part(Run(args.quick))
    if args.virtual_pi is not None:
        print(f"… virtual Pi ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)
        rows += virtual.measure(args.virtual_pi.absolute(), Run(args.quick))
    elif not args.only:
        rows += virtual.left_out()
    text = table(sorted(rows, key=lambda row: row.item), time.monotonic() - began, args.quick)
    print(text)
    if args.readme:
        README.write_text(placed(README.read_text("utf-8"), text), "utf-8")
    return 0


def placed(readme: str, text: str) -> str:
    """The README with the table between its marks, the closing one set where it was missing."""
    before, mark, after = readme.partition(BEGIN)
    if not mark:
        raise SystemExit(f"README.md has no {BEGIN}")
    _, closed, rest = after.partition(END)
    return f"{before}{BEGIN}\n{text}{END}{rest if closed else after}"


if __name__ == "__main__":
    sys.exit(main())
