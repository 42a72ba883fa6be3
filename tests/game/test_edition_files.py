"""Wrong and hostile edition files: one line each, with the file, the key and what would be right."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.errors import UserError
from device.game.editions import available, load, parse

GOOD = """
id = "own"
name = "Our own"
players = [1, 4]
rounds = 9
goals = ["5 tasks"]
[chooser]
kind = "die"
symbols = ["1", "2"]
[glass]
start = "roll"
seconds = 60
[reward]
kind = "track"
bag = { ruby = 10, sapphire = 10, emerald = 10, amber = 10 }
"""

STACKS = """
id = "own"
name = "Our own"
players = [1, 4]
[chooser]
kind = "stacks"
cards = 8
[glass]
start = "first-claim"
seconds = [20, 30]
[reward]
kind = "cards"
"""


def said(text: str) -> str:
    with pytest.raises(UserError) as error:
        parse(text, "own.toml")
    message = str(error.value)
    assert "\n" not in message
    return message


def test_the_good_ones_are_good() -> None:
    assert (parse(GOOD, "x").id, parse(STACKS, "x").id) == ("own", "own")


CHOOSERS = "must be one of die, none, chips, stacks"
NUMBERS = "must be two whole numbers from"

# (what is replaced in the good file, by what, the complaint after "own.toml: ")
WRONG = [
    ('id = "own"\n', "", "id: must be a text"),
    ('id = "own"', "id = 5", "id: must be a text, not 5"),
    ('id = "own"', 'id = ""', "id: must be a text, not ''"),
    ('id = "own"', 'id = "Own"', "id: name of an edition is lower-case letters, digits and dashes, not 'Own'"),
    ('id = "own"', 'id = "../x"', "id: name of an edition is lower-case letters, digits and dashes, not '../x'"),
    ('id = "own"', 'id = "---"', "id: name of an edition is lower-case letters, digits and dashes, not '---'"),
    ('id = "own"', 'id = "été"', "id: name of an edition is lower-case letters, digits and dashes, not 'été'"),
    ('name = "Our own"', "name = []", "name: must be a text, not []"),
    ('name = "Our own"', 'name = " "', "name: must be a text, not ' '"),
    ('name = "Our own"', 'name = "a\\nb"', "name: must be a text, not 'a\\nb'"),
    ('name = "Our own"', 'name = "\\u001b[2J"', "name: must be a text, not '\\x1b[2J'"),
    ("players = [1, 4]", "", "players: must be the fewest and the most players, as [1, 4]"),
    ("players = [1, 4]", "players = [3, 2]", "players: must be the fewest and the most players, as [1, 4]"),
    ("players = [1, 4]", "players = [0, 4]", f"players: {NUMBERS} 1 to 4, not [0, 4]"),
    ("players = [1, 4]", "players = [1, 5]", f"players: {NUMBERS} 1 to 4, not [1, 5]"),
    ("players = [1, 4]", "players = [1]", f"players: {NUMBERS} 1 to 4, not [1]"),
    ("players = [1, 4]", "players = 4", f"players: {NUMBERS} 1 to 4, not 4"),
    ("players = [1, 4]", "players = [true, 4]", f"players: {NUMBERS} 1 to 4, not [True, 4]"),
    ("rounds = 9\n", "", "rounds: must be 9 with the round track: it holds nine pairs"),
    ("rounds = 9\n", "rounds = 8\n", "rounds: must be 9 with the round track: it holds nine pairs"),
    ("rounds = 9\n", "rounds = 0\n", "rounds: must be a whole number from 1 to 99, not 0"),
    ("rounds = 9\n", "rounds = 9.0\n", "rounds: must be a whole number from 1 to 99, not 9.0"),
    ("rounds = 9\n", "rounds = true\n", "rounds: must be a whole number from 1 to 99, not True"),
    ("rounds = 9\n", 'rounds = "9"\n', "rounds: must be a whole number from 1 to 99, not '9'"),
    ("rounds = 9\n", "round = 9\n", "rounds: must be 9 with the round track: it holds nine pairs"),
    ("rounds = 9\n", "rounds = 9\nround = 9\n", "round: is no key of an edition"),
    ("rounds = 9\n", "rounds = 9\nsides = 1\n", "sides: must be true or false, not 1"),
    ("rounds = 9\n", 'rounds = 9\nfirst = "eldest"\n', "first: must be one of youngest, anyone, not 'eldest'"),
    ("rounds = 9\n", 'rounds = 9\nfirst = "anyone"\n', 'passes: must be "anyone" if first is, and only then'),
    (
        "rounds = 9\n",
        'rounds = 9\npasses = "right"\n',
        "passes: must be one of left, left-of-first, anyone, not 'right'",
    ),
    ("rounds = 9\n", 'rounds = 9\nties = "coin"\n', "ties: must be one of playoff, shared, not 'coin'"),
    (
        "rounds = 9\n",
        'rounds = 9\nfirst = "anyone"\npasses = "anyone"\n',
        'first: "anyone" is for games with one task for all (chooser "none")',
    ),
    ('["5 tasks"]', '"5 tasks"', "goals: must be a list of texts of up to 16 letters"),
    ('["5 tasks"]', '["5 hours"]', 'goals: must be texts like "10 minutes" or "5 tasks", not \'5 hours\''),
    ('["5 tasks"]', '["0 tasks"]', 'goals: must be texts like "10 minutes" or "5 tasks", not \'0 tasks\''),
    ('["5 tasks"]', '["-5 tasks"]', 'goals: must be texts like "10 minutes" or "5 tasks", not \'-5 tasks\''),
    ('[chooser]\nkind = "die"', '[chooser]\nkind = "dice"', f"chooser.kind: {CHOOSERS}, not 'dice'"),
    ('[chooser]\nkind = "die"', "[chooser]", f"chooser.kind: {CHOOSERS}"),
    ("[chooser]", "[choser]", f"chooser.kind: {CHOOSERS}"),
    ('symbols = ["1", "2"]', "", "chooser.symbols: must list what can come up, for a die or chips only"),
    ('symbols = ["1", "2"]', "symbols = []", "chooser.symbols: must list what can come up, for a die or chips only"),
    ('symbols = ["1", "2"]', "symbols = [1, 2]", "chooser.symbols: must be a list of texts of up to 16 letters"),
    ('["1", "2"]', '["1", ""]', "chooser.symbols: must be a list of texts of up to 16 letters"),
    ('["1", "2"]', '["1", "\\t"]', "chooser.symbols: must be a list of texts of up to 16 letters"),
    ('["1", "2"]', '["a rather long symbol"]', "chooser.symbols: must be a list of texts of up to 16 letters"),
    ('kind = "die"', 'kind = "none"', "chooser.symbols: must list what can come up, for a die or chips only"),
    ('kind = "die"', 'kind = "chips"', "chooser.symbols: must be at least 4 chips, one a player"),
    ('kind = "die"', 'kind = "die"\ncards = 8', 'chooser.cards: is only for the chooser "stacks"'),
    ('kind = "die"', 'kind = "die"\ncards_for_two = 8', 'chooser.cards_for_two: is only for the chooser "stacks"'),
    ('start = "roll"', 'start = "go"', "glass.start: must be one of roll, ready, press, first-claim, none, not 'go'"),
    ('start = "roll"', 'start = "press"', 'glass.start: "press" is for games without a die or chips: use "ready"'),
    ('start = "roll"', 'start = "none"', 'glass.seconds: must be left out if start is "none", and be there otherwise'),
    ("seconds = 60", "", 'glass.seconds: must be left out if start is "none", and be there otherwise'),
    ("seconds = 60", "seconds = 4", f"glass.seconds: {NUMBERS} 5 to 600, not 4"),
    ("seconds = 60", "seconds = [60, 601]", f"glass.seconds: {NUMBERS} 5 to 600, not [60, 601]"),
    ("seconds = 60", 'seconds = "60"', f"glass.seconds: {NUMBERS} 5 to 600, not '60'"),
    ("seconds = 60", 'seconds = 60\ncounts = "yes"', "glass.counts: must be true or false, not 'yes'"),
    ("seconds = 60", "seconds = 60\nlength = 60", "glass.length: is no key of an edition"),
    (
        'start = "roll"',
        'start = "first-claim"\nsecond_chance = true',
        'glass.second_chance: cannot be with start = "first-claim"',
    ),
    ('kind = "track"', 'kind = "gold"', "reward.kind: must be one of track, cards, wins, ladder, take, not 'gold'"),
    ('kind = "track"', 'kind = "cards"', 'reward.kind: "cards" and the chooser "stacks" belong together'),
    ('kind = "track"', 'kind = "wins"', 'reward.target: must be there for the reward "wins", and only there'),
    (
        'kind = "track"',
        'kind = "track"\ntarget = 5',
        'reward.target: must be there for the reward "wins", and only there',
    ),
    ('kind = "track"', 'kind = "track"\ntake = 2', 'reward.take: is only for the reward "take"'),
    ('kind = "track"', 'kind = "track"\ntwo_tasks_from = 2', 'reward.two_tasks_from: is only for the reward "wins"'),
    ('kind = "track"', 'kind = "take"\nno_luck = true', 'reward.no_luck: is only for the reward "track"'),
    ('kind = "track"', 'kind = "wins"\ntarget = 5', 'reward.bag: is only for the rewards "track", "ladder" and "take"'),
    ("ruby = 10", "ruby = -1", "reward.bag.ruby: must be a whole number from 0 to 99, not -1"),
    ("ruby = 10", "diamond = 10", "reward.bag.diamond: is no key of an edition"),
    ("ruby = 10", "ruby = 5", "reward.bag: must hold at least 36 gems for this many rounds"),
    ("bag = {", "bag = 40 #", "reward.bag: must be a table of its own: [bag]"),
    (
        'kind = "track"\nbag = { ruby = 10',
        'kind = "track"\nno_luck = true\nbag = { ruby = 8',
        "reward.bag: must hold at least 9 of each kind for the variant without luck",
    ),
]


@pytest.mark.parametrize(("old", "new", "complaint"), [pytest.param(*case, id=case[2][:60]) for case in WRONG])
def test_a_wrong_file(old: str, new: str, complaint: str) -> None:
    assert GOOD.count(old) == 1
    assert said(GOOD.replace(old, new)) == f"own.toml: {complaint}"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("cards = 8", "", "chooser.cards: must be the number of cards in each stack"),
        ("cards = 8", "cards = 0", "chooser.cards: must be a whole number from 1 to 99, not 0"),
        ('start = "first-claim"', 'start = "roll"', 'glass.start: "roll" needs a die or chips'),
        ('start = "first-claim"', 'start = "ready"', 'glass.start: "ready" needs a die or chips'),
        ("players = [1, 4]", "players = [1, 4]\nrounds = 9", "rounds: must be at most 8: the stacks hold no more"),
        (
            'kind = "stacks"\ncards = 8',
            'kind = "none"',
            'reward.kind: "cards" and the chooser "stacks" belong together',
        ),
        (
            'kind = "cards"',
            'kind = "wins"\ntarget = 5',
            'reward.kind: "cards" and the chooser "stacks" belong together',
        ),
        (
            'kind = "stacks"\ncards = 8\n[glass]\nstart = "first-claim"\nseconds = [20, 30]\n[reward]\nkind = "cards"',
            'kind = "none"\n[glass]\nstart = "none"\n[reward]\nkind = "wins"\ntarget = 3',
            "rounds: must be there: only a game of stacks can end by itself",
        ),
    ],
)
def test_a_wrong_file_of_stacks(old: str, new: str, complaint: str) -> None:
    assert STACKS.count(old) == 1
    assert said(STACKS.replace(old, new)) == f"own.toml: {complaint}"


@pytest.mark.parametrize(
    ("players", "bag"),
    [
        pytest.param(2, 27, id="two draw three a round"),
        pytest.param(3, 54, id="three six"),
        pytest.param(4, 90, id="ten"),
    ],
)
def test_the_ladder_needs_the_gems_its_players_can_draw(players: int, bag: int) -> None:
    ladder = re.sub(r'"track"\nbag.*', f'"ladder"\nbag = {{ ruby = {bag} }}', GOOD)
    ladder = ladder.replace("[1, 4]", f"[1, {players}]")
    assert len(parse(ladder, "x").bag) == bag
    short = ladder.replace(f"ruby = {bag}", f"ruby = {bag - 1}")
    assert said(short) == f"own.toml: reward.bag: must hold at least {bag} gems for this many rounds"


DEEP = "own.toml: is no edition: its brackets are nested far too deep"
LONG = "own.toml: line 1 is longer than 1000 characters"


@pytest.mark.parametrize(
    ("text", "start"),
    [
        pytest.param("", "own.toml: id: must be a text", id="empty"),
        pytest.param("id = ", "own.toml: is not TOML: ", id="half a line"),
        pytest.param("\0", "own.toml: is not TOML: ", id="a zero byte"),
        pytest.param("<html>", "own.toml: is not TOML: ", id="a web page"),
        pytest.param('id = "a"\nid = "b"', "own.toml: is not TOML: ", id="a key twice"),
        pytest.param("rounds = " + "9" * 5000, LONG, id="a number of 5,000 digits"),
        pytest.param("rounds" + ".a" * 30000 + " = 9", LONG, id="tables 30,000 deep"),
        pytest.param("x = " + "[\n" * 20000, DEEP, id="20,000 brackets"),
        pytest.param("x = " + "[{a=\n" * 9000, "own.toml: is not TOML: ", id="9,000 braces"),
        pytest.param(
            GOOD.replace("rounds = 9", "rounds = 0x" + "f" * 980),
            "own.toml: rounds: must be a whole number from 1 to 99, not 1",
            id="a number of a thousand digits",
        ),
        pytest.param(
            GOOD.replace("rounds = 9", "rounds = " + (f"{{{'.'.join('a' * 400)}=[\n" * 20) + "]}" * 20),
            "own.toml: rounds: must be a whole number from 1 to 99, not what stands there",
            id="tables 8,000 deep",
        ),
        pytest.param(
            GOOD.replace('id = "own"', f'id = "{"x" * 900}"'),
            f"own.toml: id: name of an edition is lower-case letters, digits and dashes, not '{'x' * 39}",
            id="a long id",
        ),
        pytest.param(
            GOOD.replace("rounds = 9", f"rounds = 9\n{'k' * 900} = 1"),
            f"own.toml: '{'k' * 39}: is no key of an edition",
            id="a long key",
        ),
        pytest.param(
            GOOD.replace("rounds = 9", 'rounds = 9\n"\\u001b[2J\\n" = 1'),
            "own.toml: '\\x1b[2J\\n': is no key of an edition",
            id="a key that would clear the terminal",
        ),
    ],
)
def test_hostile_text_gets_one_short_line(text: str, start: str) -> None:
    message = said(text)
    assert message.startswith(start)
    assert len(message) < 200
    assert message.isprintable()


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from([GOOD, STACKS]),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 30), st.text(max_size=8)), max_size=4),
)
@example(GOOD, [])
def test_whatever_is_cut_out_or_put_in_it_is_an_edition_or_one_line(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    for at, cut, put in edits:
        text = text[:at] + put + text[at + cut :]
    with suppress(UserError):
        parse(text, "own.toml")
        return
    message = said(text)
    assert message.startswith("own.toml: ")
    assert message.isprintable()


def refused(folder: Path, name: str = "own") -> str:
    with pytest.raises(UserError) as error:
        load(name, folder)
    assert name in [one.id for one in available()] or name not in [one.id for one in available(folder)]
    return str(error.value)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(GOOD.encode("utf-16"))
    assert refused(tmp_path) == f"{path}: is not UTF-8 text: save it as UTF-8"
    path.write_bytes(b"\xff\xfe\x00" * 99)
    assert refused(tmp_path) == f"{path}: is not UTF-8 text: save it as UTF-8"


def test_a_file_that_is_far_too_large(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    with path.open("wb") as file:
        file.truncate(2**33)
    assert refused(tmp_path) == f"{path}: is larger than 64 KiB: an edition is a page of text"


@pytest.mark.parametrize("kind", ["folder", "pipe", "link to itself", "link to a device", "link to nowhere"])
def test_what_is_no_file_is_not_opened(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "own.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
        assert stat.S_ISFIFO(path.stat().st_mode)
    else:
        path.symlink_to({"link to itself": path, "link to a device": Path("/dev/zero")}.get(kind, tmp_path / "gone"))
    assert refused(tmp_path) == f"{path}: is no ordinary file: an edition is a TOML file"


def test_a_file_called_otherwise_than_its_id(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(GOOD, "utf-8")
    assert refused(tmp_path, "ours") == f"{path}: id: must be 'ours', as the file is called, not 'own'"


@pytest.mark.parametrize("name", ["", "..", "../own", "/etc/passwd", "own.toml", "OWN", "a" * 300, "a\0b", "own\n"])
def test_a_name_that_could_be_no_file_of_ours(tmp_path: Path, name: str) -> None:
    (tmp_path / "own.toml").write_text(GOOD, "utf-8")
    message = refused(tmp_path / "inside", name)
    assert message.startswith("edition: ")
    assert "is not known: one of classic, lines, " in message
    assert message.isprintable()


def test_a_name_that_is_missing_says_where_it_was_looked_for(tmp_path: Path) -> None:
    assert refused(tmp_path).endswith(f", duel, junior, mini, trigo, pawns, or a file own.toml in {tmp_path}")
