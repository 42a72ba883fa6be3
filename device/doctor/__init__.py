"""`ubongo-box doctor`: is this box wired and set up right? Looks, and with --parts tries; repairs nothing.

The checks stand in three rooms: computer, wires, program. Each is a small function of a Machine.
"""

from __future__ import annotations

import argparse

from device.doctor import computer, program, wires
from device.doctor.machine import Machine
from device.doctor.report import Finding, Report
from device.errors import UserError


def examine(machine: Machine) -> list[Finding]:
    """All checks that need nobody's hands, in the order in which faults are best mended."""
    said, config = program.config_check(machine)
    return [*computer.checks(machine), said, *wires.checks(machine, config), *program.checks(machine, config)]


def command(args: argparse.Namespace) -> int:
    """Print one line a check: 0 without a fault, 1 with one. UserError if --parts is asked for while pins are held."""
    machine = Machine(config_path=args.config, store=args.store)
    report = Report(args.json)
    if args.parts:
        if args.json:
            raise UserError("--parts asks and waits for presses, so it does not go with --json")
        # Late: it brings gpiozero and luma along, which a mere look does not need.
        from device.doctor.try_parts import examine as try_parts

        for finding in try_parts(machine, program.effective(machine).config, input, print):
            report.add(finding)
    else:
        report.add(*examine(machine))
    return report.close()
