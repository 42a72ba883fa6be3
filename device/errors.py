"""The one kind of error a person is meant to read. Everything else that is raised is a defect of ours."""

from __future__ import annotations

FAULT_FOUND, WRONG_USE = 1, 2
"""Exit codes of the commands."""


class UserError(Exception):
    """One line: what is wrong, where (file, key, line, pin), and what to do.

    `code` is the exit status of the command that meets it: 2 for wrong use (the default), 1 for a fault found.
    """

    def __init__(self, message: str, code: int = WRONG_USE) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code
