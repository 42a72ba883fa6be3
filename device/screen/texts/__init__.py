"""The words on the screen, one TOML file a language; a translator edits the file and needs nothing else.

Only looks words up. What is shown where, and whether it fits, is the scenes' business.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES: tuple[str, ...] = ("en", "fr", "de")


class Words(Mapping[str, str]):
    """The texts of one language by dotted key ("race.solved"). A key that isn't there raises KeyError."""

    def __init__(self, language: str, table: Mapping[str, Any]) -> None:
        self.language = language
        self._texts = dict(_flat(table, ""))
        self.decimal = self._texts["decimal"]
        self._singular = self._texts["singular"].split()

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def say(self, key: str, **parts: object) -> str:
        """The text of `key` with its {parts} filled in. Raises KeyError for a missing key or part."""
        return self[key].format_map(parts)

    def count(self, key: str, number: int) -> str:
        """The text of `key.one` or `key.more` with its {number}, by this language's grammar."""
        return self.say(f"{key}.{'one' if str(number) in self._singular else 'more'}", number=number)

    def known(self, group: str, name: str) -> str:
        """The text of `group.name`, or `name` itself, with a capital, if it is somebody's home-made word."""
        key = f"{group}.{name}"
        return self[key] if key in self else name[:1].upper() + name[1:]

    def seconds(self, seconds: float) -> str:
        """A time as players say it: "23.4", from ten minutes on "16:40"; with this language's decimal mark."""
        if seconds >= 600:
            return clock(int(seconds))
        return f"{seconds:.1f}".replace(".", self.decimal)


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            text = str(value)
            # French writes a space before these marks, and no line may end at it.
            for mark in "!?:;%»":
                text = text.replace(f" {mark}", f"\u00a0{mark}")
            yield prefix + key, text


def clock(seconds: int) -> str:
    """Whole seconds as minutes and seconds: "0:42", "12:05"."""
    return f"{seconds // 60}:{seconds % 60:02}"


@cache
def catalogue(language: str) -> Words:
    """The catalogue of a language ("en", "fr", "de"), read once. KeyError for a language there is no file of."""
    if language not in LANGUAGES:
        raise KeyError(language)
    path = Path(__file__).parent / f"{language}.toml"
    return Words(language, tomllib.loads(path.read_text("utf-8")))
