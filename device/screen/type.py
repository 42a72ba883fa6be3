"""Fonts: text in, a bitmap of it out. Knows where accents go and what stands in for a letter nobody drew.

Nothing here places text on a picture: see page.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image

from device.plain import dataclass
from device.screen.bitmaps import HERE, from_rows

# Letters without a Unicode decomposition that no font need draw.
_LIKE = {
    "\u2010": "-", "\u2011": "-", "\u2012": "\N{EN DASH}", "\N{ACUTE ACCENT}": "\N{RIGHT SINGLE QUOTATION MARK}",
    "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T", "ĸ": "k", "ŋ": "n", "Ŋ": "N", "\N{LATIN SMALL LETTER LONG S}": "s",
}  # fmt: skip
_DOTLESS = {"i": "\N{LATIN SMALL LETTER DOTLESS I}", "j": "ȷ"}
_SPACES = " \u00a0\u2009\u202f"
_BOX = "\ufffd"
_BELOW = frozenset("\u0326\u0327\u0328\u0323\u0331")
_RIGHT = frozenset("\u0328")


@dataclass(frozen=True, slots=True)
class _Glyph:
    """Ink and the row, counted from the top of the capitals, at which it begins (negative: above them)."""

    ink: Image.Image
    top: int

    @property
    def width(self) -> int:
        return self.ink.width


class Font:
    """One drawn font. Heights are in pixels: `cap` of the capitals, `above` and `below` kept for accents and tails."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        # What the file says, and what of it was wanted so far: an evening needs a part of each font only.
        self._rows: dict[str, tuple[list[str], int]] = {}
        self._glyphs: dict[str, _Glyph] = {}
        self._metrics = {"cap": 0, "above": 0, "below": 0, "space": 0, "gap": 1}
        self._read(path)
        self.cap = self._metrics["cap"]
        self.above = self._metrics["above"]
        self.below = self._metrics["below"]
        # Pictures of texts, and their widths, are kept: the same few are wanted frame after frame.
        self.label = lru_cache(maxsize=1024)(self._label)
        self.width = lru_cache(maxsize=4096)(self._width)

    def _read(self, path: Path) -> None:
        character, top, rows = "", 0, list[str]()
        for line in [*path.read_text("utf-8").splitlines(), "glyph"]:
            words = line.split()
            if words[:1] == ["glyph"]:
                if character:
                    self._rows[character] = (rows, top)
                if len(words) > 1:
                    code = words[1]
                    character = chr(int(code[2:], 16)) if code.startswith("U+") else code
                    top, rows = int(words[2]) if len(words) > 2 else 0, []
            elif character and line[:1] in ("#", "."):
                rows.append(line)
            elif len(words) == 2 and words[0] in self._metrics:
                self._metrics[words[0]] = int(words[1])

    def draws(self, character: str) -> bool:
        """Whether the character comes out as itself or as a near relation, not as the box of an unknown one."""
        return character in _SPACES or self._glyph(character) is not self._glyph(_BOX)

    def _glyph(self, character: str) -> _Glyph:
        known = self._glyphs.get(character)
        if known is None:
            drawn = self._rows.get(character)
            known = self._compose(character) if drawn is None else _Glyph(from_rows(drawn[0]), drawn[1])
            self._glyphs[character] = known
        return known

    def _compose(self, character: str) -> _Glyph:
        if character in _LIKE and _LIKE[character] in self._rows:
            return self._glyph(_LIKE[character])
        parts = unicodedata.normalize("NFKD", character)
        base, marks = parts[:1], [mark for mark in parts[1:] if unicodedata.combining(mark)]
        if base == character or base not in self._rows:
            return self._glyph(_BOX)
        above = any(mark not in _BELOW for mark in marks)
        glyph = self._glyph(_DOTLESS.get(base, base) if above else base)
        for mark in marks:
            # A mark nobody drew is left out: a bare letter reads better than a box.
            if mark in self._rows:
                glyph = self._put(glyph, self._glyph(mark).ink, mark)
        return glyph

    def _put(self, base: _Glyph, mark: Image.Image, name: str) -> _Glyph:
        if name in _BELOW:
            row = self.cap
            column = base.width - mark.width if name in _RIGHT else (base.width - mark.width + 1) // 2
        else:
            row = max(base.top - 1 - mark.height, -self.above)
            column = (base.width - mark.width) // 2 if base.width > 2 else (base.width - mark.width + 1) // 2
        left = min(0, column)
        top, bottom = min(base.top, row), max(base.top + base.ink.height, row + mark.height)
        ink = Image.new("1", (max(base.width, column + mark.width) - left, bottom - top))
        ink.paste(base.ink, (-left, base.top - top))
        ink.paste(255, (column - left, row - top), mark)
        return _Glyph(ink, top)

    @property
    def height(self) -> int:
        """Rows of a label: accents above, capitals, tails below."""
        return self.above + self.cap + self.below

    def _width(self, text: str) -> int:
        """How many pixels wide the text is."""
        wide = 0
        for character in unicodedata.normalize("NFC", text):
            wide += (
                self._metrics["space"] if character in _SPACES else self._glyph(character).width + self._metrics["gap"]
            )
        return max(wide - self._metrics["gap"] * (text[-1:] not in _SPACES), 0)

    def _label(self, text: str) -> Image.Image:
        """The text as a picture, its row `above` the top of the capitals. It is shared: never draw on it."""
        picture = Image.new("1", (max(self.width(text), 1), self.height))
        column = 0
        for character in unicodedata.normalize("NFC", text):
            if character in _SPACES:
                column += self._metrics["space"]
                continue
            glyph = self._glyph(character)
            picture.paste(glyph.ink, (column, self.above + glyph.top))
            column += glyph.width + self._metrics["gap"]
        return picture


@cache
def font(name: str) -> Font:
    """The font drawn in fonts/`name`.txt, read once. Raises FileNotFoundError."""
    return Font(HERE / "fonts" / f"{name}.txt")
