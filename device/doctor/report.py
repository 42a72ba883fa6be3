"""What a check found and how it is said. No check lives here."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from enum import StrEnum

from device.errors import FAULT_FOUND


class Status(StrEnum):
    """What came of a check."""

    OK = "ok"
    FAULT = "fault"
    UNTESTED = "not tested"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: its name, what came of it, what was seen and, where something is wrong, what to do."""

    check: str
    status: Status
    seen: str
    do: str = ""


def ok(check: str, seen: str) -> Finding:
    """All is well."""
    return Finding(check, Status.OK, seen)


def fault(check: str, seen: str, do: str) -> Finding:
    """Something is wrong, and `do` mends it."""
    return Finding(check, Status.FAULT, seen, do)


def untested(check: str, why: str, do: str = "") -> Finding:
    """It could not be seen from here."""
    return Finding(check, Status.UNTESTED, why, do)


class Report:
    """Prints findings as they come, one line each; with `as_json` one object at the end."""

    def __init__(self, as_json: bool = False) -> None:
        self._as_json = as_json
        self.findings: list[Finding] = []

    def add(self, *findings: Finding) -> None:
        """Take these up."""
        self.findings.extend(findings)
        if not self._as_json:
            for one in findings:
                print(line(one), flush=True)

    def close(self) -> int:
        """The end of the report; gives the exit code."""
        faults = sum(one.status is Status.FAULT for one in self.findings)
        if self._as_json:
            rows = [asdict(one) for one in self.findings]
            json.dump({"faults": faults, "checks": rows}, sys.stdout, indent=2, ensure_ascii=False)
            print()
        else:
            skipped = sum(one.status is Status.UNTESTED for one in self.findings)
            print(
                f"{len(self.findings)} checks: {faults or 'no'} fault{'' if faults == 1 else 's'}, {skipped} not tested"
            )
        return FAULT_FOUND if faults else 0


def line(one: Finding) -> str:
    """A finding on one line."""
    text = f"{one.status:<10}  {one.check:<12}  {one.seen}"
    return " ".join(f"{text}: {one.do}".split("\n")) if one.do else text
