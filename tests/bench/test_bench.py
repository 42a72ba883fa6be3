"""The bench must not rot: every part of it runs, at tiny sizes, and the README takes its table. Nothing is timed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import placed
from tests.bench.callgrind import available, instructions
from tests.bench.results import TITLES, Row, Sample, table

ROOT = Path(__file__).parents[2]


def test_a_quick_run_fills_the_whole_table() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--quick"], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("| **")] == [
        f"| **{item} {title}** | | | | | |" for item, title in TITLES.items()
    ]
    rows = [line.split(" | ") for line in lines if line.startswith("| ") and not line.startswith("| **")]
    assert {len(row) for row in rows} == {6}
    # Every goal has a verdict, and nothing else has one.
    for row in rows[1:]:
        assert (row[5].rstrip(" |") != "") <= (row[4] != ""), row


@pytest.mark.parametrize(
    ("readme", "expected"),
    [
        pytest.param("a\n<!-- bench -->\n\nb", "a\n<!-- bench -->\nT\n<!-- /bench -->\n\nb", id="for the first time"),
        pytest.param(
            "a\n<!-- bench -->\nold\n<!-- /bench -->\nb", "a\n<!-- bench -->\nT\n<!-- /bench -->\nb", id="again"
        ),
    ],
)
def test_the_readme_takes_the_table(readme: str, expected: str) -> None:
    assert placed(readme, "T\n") == expected


def test_a_readme_without_the_mark_is_left_alone() -> None:
    with pytest.raises(SystemExit, match="no <!-- bench -->"):
        placed("a", "T\n")


def test_verdicts_come_from_figures_alone() -> None:
    rows = [Row(1, "x", "1", goal="≤ 2", met=True), Row(1, "y", "3", goal="≤ 2", met=False), Row(1, "z", "4")]
    text = table(rows, 1.0)
    assert [line.rsplit("|", 2)[1].strip() for line in text.splitlines() if line[:4] in ("| x ", "| y ", "| z ")] == [
        "met",
        "**not met**",
        "",
    ]
    assert "1 of 2 goals met" in text


def test_percentiles_are_values_that_were_seen() -> None:
    sample = Sample.of(range(100, 0, -1))
    assert (sample.median, sample.percentile(99), sample.most) == (50.5, 99, 100)
    assert Sample.of([0.001]).tail() == "p50 1.00 · p99 1.00 · max 1.00 ms"


@pytest.mark.skipif(not available(), reason="needs valgrind")
def test_instructions_are_counted_between_marks() -> None:
    loop = "import os\nfor n in 10, 10000, 100:\n os.getsid(0)\n for _ in range(n): pass\nos.getsid(0)"
    counted = instructions(["-c", loop])
    assert counted is not None
    _, few, many, some, _ = counted
    assert few < some < many
