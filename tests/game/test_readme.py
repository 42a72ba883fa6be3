"""The README's table of games says what the edition files say. UBONGO_REGENERATE=1 writes it anew (and fails)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from device.game.editions import Edition, available

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = (
    "<!-- games: tests/game/test_readme.py holds this table against the edition files -->\n",
    "<!-- /games -->\n",
)
HEAD = (
    "| edition | players | what starts the glass | glass | rounds | chooser | reward | second chance "
    "| a tie for first |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)
STARTS = {
    "roll": "the roll",
    "ready": "the roller's second press",
    "press": "the start player's press",
    "first-claim": "the first claim",
    "none": "nothing: the first to solve ends the round",
}
REWARDS = {
    "track": "round track and bag",
    "cards": "cards",
    "ladder": "the first of n draws n gems, the next n − 1 …",
}
TIES = {"playoff": "played off", "shared": "shared"}


def row(edition: Edition) -> str:
    """The table's line of this edition."""
    low, high = edition.players
    glass = "–"
    if edition.seconds is not None:
        a, b = edition.seconds
        unit = "counts" if edition.counts else "s"
        glass = f"{a} {unit}" if a == b else f"{a} {unit} (A), {b} (B)"
    chooser = {"die": f"die of {len(edition.symbols)}", "chips": "a chip each", "none": "–"}.get(
        edition.chooser, f"4 stacks of {edition.cards}"
    )
    if edition.chooser == "stacks" and edition.cards_for_two != edition.cards:
        chooser += f" ({edition.cards_for_two} with two)"
    reward = REWARDS.get(edition.reward) or (
        f"a win each, {edition.target} win" if edition.reward == "wins" else f"{edition.take} gems taken openly"
    )
    cells = (
        f"{edition.name} (`{edition.id}`)",
        f"{low}" if low == high else f"{low}–{high}",
        STARTS[edition.start],
        glass,
        str(edition.rounds or "until a stack is used up"),
        chooser,
        reward,
        "yes" if edition.second_chance else "–",
        TIES[edition.ties],
    )
    return "| " + " | ".join(cells) + " |\n"


def test_the_table_of_games_says_what_the_edition_files_say() -> None:
    text = README.read_text("utf-8")
    before, rest = text.split(BEGIN)
    table, after = rest.split(END)
    wanted = HEAD + "".join(row(edition) for edition in available())
    if os.environ.get("UBONGO_REGENERATE"):
        README.write_text(before + BEGIN + wanted + END + after, "utf-8")
        pytest.fail("the README's table of games was written anew: look at it, then run without UBONGO_REGENERATE")
    assert table == wanted
