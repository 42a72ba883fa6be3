"""The catalogues: same entries in every language, each used, all drawable; numbers and times said right."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest

from device.game.editions import available
from device.game.players import Player
from device.screen import draw as drawing
from device.screen.lists import pages, rules_pages
from device.screen.samples import samples
from device.screen.texts import LANGUAGES, Words, catalogue, clock
from device.screen.type import font
from device.table import scenes
from device.table.menu import ITEMS, topics
from device.table.scenes import Show

TOPICS = sorted({key.split(".")[1] for key in catalogue("en") if key.startswith("rules.")})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_entries_with_the_same_parts(language: str) -> None:
    def shape(words: Words) -> dict[str, set[str | None]]:
        return {key: {part for _, part, _, _ in string.Formatter().parse(words[key])} for key in words}

    assert shape(catalogue(language)) == shape(catalogue("en"))


class Watched(Words):
    """A catalogue that remembers what was asked of it."""

    def __init__(self, words: Words) -> None:
        self.asked: set[str] = set()
        self._texts = dict(words)
        self.language, self.decimal, self._singular = words.language, words.decimal, words["singular"].split()

    def __getitem__(self, key: str) -> str:
        self.asked.add(key)
        return super().__getitem__(key)


def test_no_entry_is_unused(monkeypatch: pytest.MonkeyPatch) -> None:
    words = Watched(catalogue("en"))
    words.asked |= {"decimal", "singular"}
    monkeypatch.setattr(drawing, "catalogue", lambda _: words)
    # The samples show each scene; these go through all values that a key of a scene can have.
    long = dict.fromkeys(Player, "WWWWWWWWWW")
    shows = [replace(show, names=names) for show in samples("en").values() for names in (show.names, {}, long)]
    shows += [Show(scene) for scene in _all_values()]
    for show in shows:
        drawing.draw(show, strict=True)
    # An answer is broken into pages once, and read then.
    words.asked |= {f"rules.{topic}.answer" for topic in TOPICS if rules_pages(topic, "en")}
    assert set(words) - words.asked == set()


def _all_values() -> list[scenes.Scene]:
    found: list[scenes.Scene] = []
    rows = [
        *(scenes.Row("side", value) for value in ("A", "B")),
        *(scenes.Row("scoring", value) for value in ("track", "no-luck")),
        *(scenes.Row("bag", value) for value in ("box", "cloth")),
        *(scenes.Row("cards", value) for value in ("all", "first-only")),
        *(scenes.Row("sound", value) for value in ("true", "false")),
        *(scenes.Row("language", value) for value in LANGUAGES),
        *(scenes.Row("glass_seconds", value) for value in ("own", "75")),
        *(scenes.Row("handicap.blue", value) for value in ("0", "15")),
        *(scenes.Row("levels.blue", value) for value in ("green", "yellow", "orange", "red")),
    ]
    found += [scenes.Settings(tuple(rows), cursor) for cursor in range(len(rows))]
    items = tuple(scenes.Item(key) for key in ITEMS)
    found += [scenes.Menu(items, cursor) for cursor in range(len(items))]
    found += [scenes.Rules(topic, 0, pages(topic, "en")) for topic in TOPICS]
    found += [
        scenes.Race(1, 9, symbol, 1, False, None, 0, 1, (), ())
        for symbol in ("shield", "hand", "gazelle", "snake", "elephant", "mask", "red", "blue", "green", "yellow")
    ]
    labels = [key.partition(".")[2] for key in catalogue("en") if key.startswith("statistics.")]
    found += [scenes.History("records", "", ((label, "1"),), 0, 1) for label in labels]
    two = (scenes.Standing(Player.RED, 1, None, (), 1), scenes.Standing(Player.RED, 2, None, (), 2))
    for unit in ("points", "cards", "gems", "wins"):
        found += [scenes.Scores(1, 9, two, (), "next", unit), scenes.Final("", two, unit)]
    for action in ("roll", "reveal", "start", "go", "next"):
        found.append(scenes.Ready(1, 9, (), action, ()))
    chips = dict(zip(Player, ("red", "blue", "green", "yellow"), strict=True))
    found.append(scenes.Ready(1, 9, (), "go", (), None, None, chips))
    found.append(scenes.Alone(Player.RED, scenes.Goal("tasks", 5), "running", 9, 1, 0, 0.0, "4:00"))
    found.append(scenes.AloneGoal(Player.RED, (scenes.Goal("tasks", 5),), 0, ("",)))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_of_every_text_is_drawn(language: str) -> None:
    letters = {letter for text in catalogue(language).values() for letter in text}
    assert [letter for letter in sorted(letters) for name in ("small", "narrow") if not font(name).draws(letter)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_every_page_of_every_answer_fits(topic: str, language: str) -> None:
    count = pages(topic, language)
    assert 1 <= count <= 3
    drawn = {drawing.draw(Show(scenes.Rules(topic, n, count), language), strict=True).tobytes() for n in range(count)}
    assert len(drawn) == count
    told = " ".join(line for page in rules_pages(topic, language) for line in page)
    assert told == catalogue(language)[f"rules.{topic}.answer"]


def test_every_question_of_every_edition_is_answered() -> None:
    asked = {topic for edition in available(None) for topic in topics(edition)}
    assert asked == set(TOPICS)


def test_a_missing_entry_or_language_is_an_error() -> None:
    with pytest.raises(KeyError):
        catalogue("en")["race.nothing"]
    with pytest.raises(KeyError):
        pages("nothing", "en")
    with pytest.raises(KeyError):
        catalogue("tlh")


@pytest.mark.parametrize(
    ("language", "seconds", "said"),
    [("en", 23.44, "23.4"), ("fr", 23.44, "23,4"), ("de", 0.05, "0,1"), ("en", 599.0, "599.0"), ("en", 725.9, "12:05")],
)
def test_times_are_said_with_the_language_s_decimal_mark(language: str, seconds: float, said: str) -> None:
    assert catalogue(language).seconds(seconds) == said


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [("en", 0, "0 cards"), ("en", 1, "1 card"), ("fr", 0, "0 carte"), ("fr", 2, "2 cartes"), ("de", 1, "1 Karte")],
)
def test_numbers_take_the_singular_by_the_language_s_grammar(language: str, number: int, said: str) -> None:
    assert catalogue(language).count("units.cards", number) == said


def test_a_clock_shows_minutes_and_seconds() -> None:
    assert [clock(seconds) for seconds in (0, 42, 725, 6000)] == ["0:00", "0:42", "12:05", "100:00"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_each_page_of_an_answer_can_be_read_by_itself(topic: str, language: str) -> None:
    leaves = rules_pages(topic, language)
    assert [leaf for leaf in leaves if not leaf[-1].endswith(".") or len(leaf) > 4] == []
    # A last page of a word or two looks like a mistake.
    assert len(leaves) == 1 or len(" ".join(leaves[-1])) > 20
