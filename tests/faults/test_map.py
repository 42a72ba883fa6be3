"""The map of faults in __init__.py leads to tests that exist, and leaves none of this directory out."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import tests.faults

TESTS = Path(__file__).parents[1]
MAP = tests.faults.__doc__ or ""
_TEST = re.compile(r"    (?P<file>\w+/\w+\.py)::(?P<name>test_\w+)")
_HARDWARE = re.compile(r"    hardware: (?P<words>.+)")


def rows() -> dict[str, list[str]]:
    """Each fault, and the lines below it."""
    found: dict[str, list[str]] = {}
    for line in MAP.splitlines():
        if line.startswith("- "):
            found[line[2:]] = []
        elif line.startswith("    "):
            found[list(found)[-1]].append(line)
    return found


@cache
def named_in(file: str) -> frozenset[str]:
    """The names of the tests in this file, without importing it."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    names = (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return frozenset(name for name in names if name.startswith("test_"))


@pytest.mark.parametrize(("fault", "lines"), [pytest.param(*row, id=row[0]) for row in rows().items()])
def test_each_fault_is_stood_by_tests_that_exist(fault: str, lines: list[str]) -> None:
    assert lines, f"{fault}: nothing stands it"
    for line in lines:
        if words := _HARDWARE.fullmatch(line):
            assert f"- [ ] {words['words']}" in (TESTS.parent / "hardware/README.md").read_text(encoding="utf-8")
        else:
            test = _TEST.fullmatch(line)
            assert test, f"{line!r} is neither a test nor a check on hardware"
            assert test["name"] in named_in(test["file"])


def test_no_fault_tried_here_is_missing_from_the_map() -> None:
    here = sorted(path.name for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__))
    tried = {f"faults/{file}::{name}" for file in here for name in named_in(f"faults/{file}")}
    assert tried - {line.strip() for lines in rows().values() for line in lines} == set()
