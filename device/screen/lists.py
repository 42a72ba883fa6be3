"""The scenes one leafs through: menu, settings, rules, history, goals of playing alone. Four keys at the bottom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

from device.game.players import Player
from device.screen.evening import heading
from device.screen.page import BOTTOM, WIDTH, Page, wrap
from device.screen.texts import Words, catalogue
from device.screen.type import font
from device.table.scenes import AloneGoal, History, Menu, Row, Rules, Settings

_PITCH = 10
_LINES = 4


def _window(count: int, cursor: int, rows: int) -> range:
    """Which rows of a long list are shown, so that the cursor has company on both sides."""
    first = min(max(cursor - rows // 2, 0), max(count - rows, 0))
    return range(first, min(first + rows, count))


def _rows(page: Page, top: int, rows: Sequence[tuple[str, str]], cursor: int, shown: int, room: int = WIDTH) -> None:
    """Rows of text and value, the cursor's inverted, a bar at the right telling which part of the list it is."""
    window = _window(len(rows), cursor, shown)
    longer = len(rows) > shown
    right = room - 4 if longer else room
    for place, number in enumerate(window):
        label, value = rows[number]
        y = top + place * _PITCH
        chosen = number == cursor
        if chosen:
            page.pill(0, y - 2, right, 11)
        wide = page.text(right - 3, y, page.short(value, 76), "small narrow", ">", 76, lit=not chosen)
        page.text(3, y, label, "small narrow", "<", right - wide - 10, lit=not chosen)
    if longer:
        height = shown * _PITCH
        page.rule_down(WIDTH - 2, top - 2, height)
        page.fill(WIDTH - 3, top - 2 + height * window.start // len(rows), 3, max(height * shown // len(rows), 4))


def menu(page: Page, scene: Menu) -> None:
    """What can be done in the middle of a game; what would do nothing now stands in brackets."""
    rows = []
    for item in scene.items:
        text = page.words[f"menu.{item.key}"]
        rows.append((text if item.enabled else f"({text})", ""))
    # A menu has no line to spare, but its lines are short: the corner mark stands at their right.
    page.corner = (WIDTH - 12, 3)
    _rows(page, 2, rows, scene.cursor, 5, WIDTH - 10)
    page.keys("up", "down", "choose" if scene.items[scene.cursor].enabled else "", "close")


def settings(page: Page, scene: Settings) -> None:
    """Every setting and its value; below, when a change of the chosen one counts."""
    _rows(page, 2, [_setting(page, row) for row in scene.rows], scene.cursor, 4)
    page.corner = (WIDTH - 7, 44)
    page.line(44, page.words[f"settings.when-{scene.rows[scene.cursor].when}"], "small narrow")
    page.keys("up", "down", "next", "close")


def _setting(page: Page, row: Row) -> tuple[str, str]:
    words = page.words
    group, _, player = row.key.partition(".")
    label = words[f"settings.{group}"]
    if player:
        name, _ = page.named(Player(player), 50, "small narrow")
        label = words.say(f"settings.{group}", name=name)
    return label, _value(words, group, row.value)


def _value(words: Words, group: str, value: str) -> str:
    if group == "levels":
        return words.known("levels", value) if value else words["values.none"]
    if group in ("glass_seconds", "handicap"):
        if value in ("", "0", "own"):
            return words["values.own" if group == "glass_seconds" else "values.none"]
        return words.say("values.seconds", number=value)
    if group == "edition":
        return value
    key = f"values.{group}.{value}" if group != "sound" else f"values.{value}"
    return words.get(key, value)


def pages(topic: str, language: str) -> int:
    """How many pages the answer to `topic` takes in `language`. KeyError for a topic or language there isn't."""
    return len(rules_pages(topic, language))


def rules_pages(topic: str, language: str) -> list[list[str]]:
    """The answer to `topic`, broken into pages and these into lines. KeyError as in `pages`.

    A page ends with a sentence, so that each can be read by itself; only one too long for a page goes over two.
    """
    done: list[list[str]] = []
    text = ""
    for sentence in re.split(r"(?<=\.) ", catalogue(language)[f"rules.{topic}.answer"]):
        longer = f"{text} {sentence}" if text else sentence
        if done and len(lines := wrap(longer, WIDTH)) <= _LINES:
            text, done[-1] = longer, lines
            continue
        text, lines = sentence, wrap(sentence, WIDTH)
        # All of its pages about as full: a last one of a word or two looks like a mistake.
        each = ceil(len(lines) / ceil(len(lines) / _LINES))
        done += [lines[at : at + each] for at in range(0, len(lines), each)]
    return done


def rules(page: Page, scene: Rules) -> None:
    """One page of an answer under its question."""
    number = f"{scene.page + 1}/{scene.pages}" if scene.pages > 1 else ""
    taken = page.text(WIDTH - 12, 4, number, "narrow", ">")
    heading(page, page.words[f"rules.{scene.topic}.question"], WIDTH - 12 - taken - 3 * bool(number))
    lines = rules_pages(scene.topic, page.words.language)[scene.page]
    for row, text in enumerate(lines):
        page.text(0, 17 + 9 * row, text, "small", "<")
    page.keys("back", "next", "skip", "close")


def history(page: Page, scene: History) -> None:
    """Past evenings, records, or how a player has done: up to four rows of a label and a figure."""
    words = page.words
    title = words[f"history.{scene.title}"]
    if scene.heading:
        room = WIDTH - 12
        beside = room - font("narrow").width(title) - 4
        # A date needs no "past evenings" beside it; that the match was given up is told whatever it costs.
        if scene.title == "unfinished" or font("narrow").width(scene.heading) <= beside:
            page.text(room, 4, title, "narrow", ">", 60)
            room = beside
        heading(page, page.short(scene.heading, room), room)
    else:
        heading(page, title)
    for row, (label, value) in enumerate(scene.rows):
        y = 17 + 9 * row
        wide = page.text(WIDTH, y, page.short(_figure(words, label, value), 84), "small narrow", ">", 84)
        room = WIDTH - wide - 4
        page.text(0, y, page.short(_label(words, label), room), "small narrow", "<", room)
    page.keys("back", "next", "", "close")
    if scene.pages > 1:
        page.text(79, BOTTOM, f"{scene.page + 1}/{scene.pages}", "narrow", "^")


def _label(words: Words, label: str) -> str:
    """A figure's key, a goal ("minutes 5"), a colour, or a name, in words."""
    kind, _, number = label.partition(" ")
    if kind in ("minutes", "tasks") and number.isdecimal():
        return words.say(f"goals.{kind}", number=int(number))
    return words.get(f"statistics.{label}", words.get(f"colours.{label}", label))


def _figure(words: Words, label: str, value: str) -> str:
    return f"{words.seconds(float(value))} s" if label in ("fastest", "mean") else value


def alone_goal(page: Page, scene: AloneGoal) -> None:
    """Choosing what to play for alone, with the best so far."""
    heading(page, page.words.say("alone.title", name=page.name(scene.player)))
    rows = []
    for goal, best in zip(scene.goals, scene.bests, strict=True):
        rows.append((page.words.say(f"goals.{goal.kind}", number=goal.number), best))
    _rows(page, 16, rows, scene.cursor, 4)
    page.keys("up", "down", "choose", "close")
