"""No statement of the play path grows with the number of past matches: SQLite is asked how it would run each."""

from __future__ import annotations

import pytest

from device import past, store_file, store_rows

STATEMENTS = {**store_rows.SQL, **past.SQL}
# These read a whole table that stays as small as one match, the box's settings or the family's names.
SMALL = {"events": "event", "settings": "setting", "tallies": "tally", "records": "record"}


@pytest.mark.parametrize("name", [name for name in STATEMENTS if not name.startswith("no ")])
def test_nothing_is_scanned_but_small_tables(name: str) -> None:
    db = store_file.open_memory()
    statement = STATEMENTS[name]
    rows = db.execute(f"EXPLAIN QUERY PLAN {statement}", [0] * statement.count("?")).fetchall()
    plan = [row[3] for row in rows]
    allowed = {f"SCAN {SMALL[name]}"} if name in SMALL else set()
    scans = {step for step in plan if "SCAN" in step and step != "SCAN CONSTANT ROW"}
    sorts = {step for step in plan if "TEMP B-TREE" in step}
    if name == "next match":
        # max() of the key is the last entry of its tree, which the planner calls a search.
        assert plan == ["SEARCH match"]
    assert (scans, sorts) == (allowed, set())
