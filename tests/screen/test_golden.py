"""Every scene as a picture somebody has looked at, compared pixel by pixel.

After a change that is meant: UBONGO_REGENERATE=1 pytest tests/screen/test_golden.py, look at what changed, commit it.
A run that rewrites fails, so that the switch can't be left on.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from device.screen.draw import draw
from device.screen.samples import samples
from device.screen.texts import LANGUAGES
from device.table.scenes import Show

GOLDEN = Path(__file__).parent / "golden"
REGENERATE = os.environ.get("UBONGO_REGENERATE") == "1"
CASES = {f"{name}.{language}": show for language in LANGUAGES for name, show in samples(language).items()}


@pytest.mark.parametrize(("name", "show"), [pytest.param(name, show, id=name) for name, show in CASES.items()])
def test_scene_is_its_golden_picture(name: str, show: Show) -> None:
    path = GOLDEN / f"{name}.png"
    picture = draw(show, strict=True)
    if REGENERATE:
        GOLDEN.mkdir(exist_ok=True)
        if not path.exists() or _differ(picture, path):
            picture.save(path, optimize=True)
        pytest.fail(f"wrote {path.name}: look at it, then run without UBONGO_REGENERATE")
    assert path.exists(), f"no golden picture {path.name}: regenerate"
    assert not _differ(picture, path), f"{path.name} looks different now: look, then mend or regenerate"


def test_no_golden_picture_is_left_over() -> None:
    left_over = {path.stem for path in GOLDEN.glob("*.png")} - CASES.keys()
    if REGENERATE:
        for name in left_over:
            (GOLDEN / f"{name}.png").unlink()
        pytest.fail(f"removed {sorted(left_over)}: run without UBONGO_REGENERATE")
    assert left_over == set()


def _differ(picture: Image.Image, path: Path) -> bool:
    with Image.open(path) as golden:
        same = golden.size == picture.size
        return not same or ImageChops.logical_xor(picture, golden.convert("1")).getbbox() is not None
