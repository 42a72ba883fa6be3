"""The contact sheet: it can be read back, and its size follows its languages and its scale."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from device.screen.sheet import main


def test_the_sheet_of_all_languages_has_three_columns(tmp_path: Path) -> None:
    out = tmp_path / "all.png"
    assert main([str(out), "--language", "all", "--scale", "1"]) == 0
    with Image.open(out) as picture:
        assert picture.width == 3 * (128 + 6) + 6


def test_scale_makes_it_larger(tmp_path: Path) -> None:
    sizes = []
    for scale in ("1", "2"):
        assert main([str(tmp_path / "one.png"), "--scale", scale]) == 0
        with Image.open(tmp_path / "one.png") as picture:
            sizes.append(picture.size)
    assert sizes[1][0] - sizes[0][0] == 4 * 128


def test_a_sheet_that_can_t_be_written_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "nowhere" / "sheet.png")])
    assert "can't write" in capsys.readouterr().err
