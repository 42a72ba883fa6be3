"""The fonts: which letters there are, that accents come out, and what happens to a letter nobody drew."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.screen.bitmaps import from_rows
from device.screen.type import Font, font

TEXT_FONTS = ("small", "narrow", "medium")
ASCII = "".join(chr(code) for code in range(33, 127))
LATIN_1 = "".join(chr(code) for code in range(0xC0, 0x100))
NEEDED = ASCII + LATIN_1.replace("÷", "") + "œŒłŁčřşğđĐőű·–—’‘“”„«»…×−°€½"


@pytest.mark.parametrize("name", TEXT_FONTS)
def test_letters_accents_and_marks_are_drawn(name: str) -> None:
    assert [character for character in NEEDED if not font(name).draws(character)] == []


@pytest.mark.parametrize("name", ["digits", "clock"])
def test_large_digits_are_drawn_and_all_as_wide(name: str) -> None:
    large = font(name)
    assert all(large.draws(character) for character in "0123456789:")
    assert len({large.width(digit) for digit in "0123456789"}) == 1
    assert large.cap >= 20


@pytest.mark.parametrize("name", TEXT_FONTS)
def test_digits_are_all_as_wide_so_that_running_times_stand_still(name: str) -> None:
    assert len({font(name).width(digit) for digit in "0123456789"}) == 1


@pytest.mark.parametrize("name", TEXT_FONTS)
@pytest.mark.parametrize(("plain", "accented"), [("e", "éèêë"), ("a", "àâäåã"), ("U", "ÙÛÜ"), ("c", "ç"), ("i", "îïí")])
def test_an_accent_makes_another_letter(name: str, plain: str, accented: str) -> None:
    pictures = [font(name).label(character).tobytes() for character in plain + accented]
    assert len(set(pictures)) == len(pictures)


def test_accents_are_the_same_however_they_are_typed() -> None:
    assert font("small").label("e\u0301").tobytes() == font("small").label("\u00e9").tobytes()


@pytest.mark.parametrize("name", [*TEXT_FONTS, "digits", "clock"])
def test_an_unknown_character_is_a_box_that_can_be_seen(name: str) -> None:
    assert not font(name).draws("雪")
    box = font(name).label("雪").getbbox()
    assert box is not None
    assert box[3] - box[1] == font(name).cap


@pytest.mark.parametrize("name", TEXT_FONTS)
def test_a_letter_with_a_mark_nobody_drew_stays_a_letter(name: str) -> None:
    assert font(name).label("ạ").tobytes() == font(name).label("a").tobytes()


@settings(deadline=None)
@given(st.text(max_size=20), st.sampled_from(TEXT_FONTS))
def test_any_text_has_a_picture_as_wide_as_said(text: str, name: str) -> None:
    assert font(name).label(text).width == max(font(name).width(text), 1)


def test_no_break_spaces_are_spaces() -> None:
    assert font("small").width("a\u00a0!") == font("small").width("a !")


def test_a_font_is_what_its_file_says(tmp_path: Path) -> None:
    (tmp_path / "tiny.txt").write_text(
        "A remark.\n\ncap 2\nbelow 1\n\nglyph a\n#\n#\nglyph U+FFFD\n##\n##\nglyph b 1\n.#\n##\n"
    )
    tiny = Font(tmp_path / "tiny.txt")
    picture = tiny.label("ab?")
    rows = ["".join("#" if picture.getpixel((x, y)) else "." for x in range(picture.width)) for y in range(3)]
    assert rows == ["#....##", "#..#.##", "..##..."]


def test_a_drawing_says_what_is_wrong_with_it() -> None:
    with pytest.raises(ValueError, match="row 2"):
        from_rows(["#.#", "#o#"])
