"""Scripts as text: every verb, every bad line with its complaint, and whatever else may lie in a file."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.errors import WRONG_USE, UserError
from device.script import AFTER, Step, load_script, read_script
from tests.rehearsal.scripts import fields, play

BAD = [
    pytest.param(
        "press 1", "a line begins with a time, as 12.5 or +0.5, a number of seconds, not 'press'", id="no time"
    ),
    pytest.param("1", "has a time but no verb", id="no verb"),
    pytest.param("1 push 1", "'push' is no verb: press, hold, down, up, cut, clock, fault", id="no such verb"),
    pytest.param("1 PRESS 1", "'PRESS' is no verb", id="a verb in capitals"),
    pytest.param("1 press", "press is followed by 1 to 2 words, not by 0", id="no button"),
    pytest.param("1 press 1 2 3", "press is followed by 1 to 2 words, not by 3", id="too much"),
    pytest.param("1 press 0", "a button is 1, 2, 3 or 4, not '0'", id="button 0"),
    pytest.param("1 press 5", "a button is 1, 2, 3 or 4, not '5'", id="button 5"),
    pytest.param("1 press red", "a button is 1, 2, 3 or 4, not 'red'", id="a colour"),
    pytest.param("1 press ²", "a button is 1, 2, 3 or 4, not '²'", id="a digit of another kind"),
    pytest.param("1 press 1 x", "a press lasts a number of seconds, not 'x'", id="press lasts x"),
    pytest.param("1 press 1 -1", "a press lasts a number of seconds, not '-1'", id="press lasts -1"),
    pytest.param("1 press 1 nan", "a press lasts a number of seconds, not 'nan'", id="press lasts nan"),
    pytest.param("1 press 1 1e10", "lasts until more than a year after the start", id="press lasts for ever"),
    pytest.param("1 hold", "hold is followed by 1 to 4 words, not by 0", id="hold nothing"),
    pytest.param("1 hold 1 2 1", "names a button twice", id="hold one twice"),
    pytest.param("1 hold 1,2", "a button is 1, 2, 3 or 4, not '1,2'", id="hold with a comma"),
    pytest.param("1 down", "down is followed by one word, not by 0", id="down nothing"),
    pytest.param("1 up 1 2", "up is followed by one word, not by 2", id="up two"),
    pytest.param("1 cut now", "cut is followed by nothing, not by 1", id="cut now"),
    pytest.param("1 clock", "clock is followed by one word, not by 0", id="clock nothing"),
    pytest.param("1 clock inf", "the clock jumps by a number of seconds, not 'inf'", id="clock inf"),
    pytest.param("1 clock 1e400", "the clock jumps by a number of seconds, not '1e400'", id="clock 1e400"),
    pytest.param("1 fault oled", "fault is followed by 2 words, not by 1", id="fault without on"),
    pytest.param("1 fault usb on", "'usb' cannot fail: one of oled, store", id="fault of nothing"),
    pytest.param("1 fault oled yes", "a fault is on or off, not 'yes'", id="fault yes"),
    pytest.param("1 end 2", "end is followed by nothing, not by 1", id="end 2"),
    pytest.param("-1 press 1", "a line begins with a time, as 12.5 or +0.5, a number", id="before the start"),
    pytest.param("+-1 press 1", "not '+-1'", id="plus minus"),
    pytest.param("++1 press 1", "not '++1'", id="plus plus"),
    pytest.param("nan press 1", "not 'nan'", id="nan"),
    pytest.param("inf press 1", "not 'inf'", id="inf"),
    pytest.param("1e400 press 1", "not '1e400'", id="1e400"),
    pytest.param("1_0 press 1", "not '1_0'", id="underscore"),
    pytest.param("1,5 press 1", "not '1,5'", id="decimal comma"),
    pytest.param("٣ press 1", "not '٣'", id="digits of another script"),
    pytest.param("4e7 press 1", "lies more than a year after the start", id="in two years"),
    pytest.param("0x10 press 1", "not '0x10'", id="hexadecimal"),
]


@pytest.mark.parametrize(("line", "complaint"), BAD)
def test_a_bad_line_is_named_with_its_number(line: str, complaint: str) -> None:
    with pytest.raises(UserError) as error:
        read_script(f"# a comment\n0.5 press 1\n\n{line}\n9 press 2\n", "evening.txt")
    text = str(error.value)
    assert text.startswith("evening.txt:4: ")
    assert complaint in text
    assert (error.value.code, len(text.splitlines())) == (WRONG_USE, 1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("2 press 1\n1 press 2", "s:2: 1 s is before the line before (2 s)", id="back in time"),
        pytest.param("2 end\n3 press 2", "s:2: comes after `end`", id="after the end"),
        pytest.param("1 press 1\r\n2 press\r\n", "s:2: press is", id="lines that end as on Windows"),
        pytest.param("1 press 1\r2 press\r", "s:2: press is", id="lines that end as on an old Mac"),
        # An editor counts neither of these as the end of a line.
        pytest.param("# a\x0bb\u2028c\n2 press", "s:2: press is", id="stranger ends of lines"),
    ],
)
def test_lines_are_counted_as_an_editor_counts_them(text: str, complaint: str) -> None:
    with pytest.raises(UserError, match=re.escape(complaint)):
        read_script(text, "s")


def test_every_verb_becomes_steps_in_the_order_of_time() -> None:
    script = read_script(
        """#!/usr/bin/env -S ubongo-box rehearse
# a comment
1 press 2            # and another
+0.5 press 3 0.25
2 hold 4 1
3.5 down 2
+0 up 2
4 cut
+1e0 clock -94608000
6 fault oled on
6 fault store off
7.25 end
""",
        "s",
    )
    assert script.steps == (
        Step(1.0, "edge", 2, True),
        Step(1.08, "edge", 2, False),
        Step(1.5, "edge", 3, True),
        Step(1.75, "edge", 3, False),
        Step(2.0, "edge", 4, True),
        Step(2.0, "edge", 1, True),
        Step(3.5, "edge", 2, True),
        Step(3.5, "edge", 2, False),
        Step(4.0, "cut"),
        Step(4.5, "edge", 4, False),
        Step(4.5, "edge", 1, False),
        Step(5.0, "clock", seconds=-94608000.0),
        Step(6.0, "fault", part="oled", on=True),
        Step(6.0, "fault", part="store", on=False),
    )
    assert (script.end, script.held) == (7.25, frozenset())


@pytest.mark.parametrize(
    ("text", "end"),
    [
        pytest.param("", AFTER, id="nothing"),
        pytest.param("# nothing but this", AFTER, id="a comment"),
        pytest.param("2 press 1", 2.08 + AFTER, id="after the last release"),
        pytest.param("2 hold 1\n3 press 2", 4.5 + AFTER, id="after a hold that outlasts the last line"),
        pytest.param("2 end", 2.0, id="said"),
    ],
)
def test_a_rehearsal_ends_five_seconds_after_the_last_line_or_where_it_says(text: str, end: float) -> None:
    assert read_script(text, "s").end == end


def test_what_is_down_as_the_power_comes_is_held() -> None:
    script = read_script("0 down 3\n0.0 down 1\n0 press 2\n0 down 4", "s")
    # The fourth goes down at the same time, but after something was pressed.
    assert script.held == {1, 3}
    assert [step.button for step in script.steps if step.on] == [2, 4]


def test_end_stops_in_the_middle_of_a_press() -> None:
    assert fields(play("1 press 1\n2 press 2\n2.05 end"), "joined", "player") == ["red"]


def complaint_of(text: str) -> str | None:
    """What is wrong with it; None: nothing, and its steps are in order and within a year."""
    try:
        script = read_script(text, "s")
    except UserError as error:
        return str(error)
    times = [step.at for step in script.steps]
    assert times == sorted(times)
    assert all(0 <= at <= 366 * 24 * 3600 for at in times)
    return None


@given(st.text())
def test_any_text_is_a_script_or_one_complaint(text: str) -> None:
    complaint = complaint_of(text)
    assert complaint is None or re.fullmatch(r"s:\d+: [^\n]+", complaint)


LINES = st.builds(
    "{} {} {}".format,
    st.sampled_from(["0", "1", "+0", "+1.5", "1e9", "-1", "x"]),
    st.sampled_from(["press", "hold", "down", "up", "cut", "clock", "fault", "end", "deaf", "chance", "jump"]),
    st.lists(st.sampled_from(["1", "2", "5", "0.1", "oled", "on", "-3", "#"]), max_size=4).map(" ".join),
)


@given(st.lists(LINES, max_size=6))
def test_any_lines_are_steps_in_order_or_one_complaint_about_one_of_them(lines: list[str]) -> None:
    complaint = complaint_of("\n".join(lines))
    number = re.match(r"s:(\d+): ", complaint or "")
    assert complaint is None or (number is not None and 1 <= int(number[1]) <= len(lines))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        pytest.param(b"\xff\xfe1 press 1", "is not UTF-8 text: save it as UTF-8", id="not UTF-8"),
        pytest.param(bytes(range(256)), "is not UTF-8 text: save it as UTF-8", id="binary"),
        pytest.param(b"\0" * 100, ":1: a line begins with a time", id="zeros"),
        pytest.param(b"#" * (4 * 1024 * 1024 + 1), "is larger than 4 MiB", id="huge"),
    ],
)
def test_a_file_of_anything_is_one_complaint(tmp_path: Path, data: bytes, complaint: str) -> None:
    path = tmp_path / "s.txt"
    path.write_bytes(data)
    for where, stdin in ((str(path), None), ("-", io.BytesIO(data))):
        with pytest.raises(UserError) as error:
            load_script(where, stdin)
        assert str(error.value).startswith(where)
        assert complaint in str(error.value)


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "s.txt"
    path.write_bytes(b"\xef\xbb\xbf1 press 1\r\n")
    assert load_script(str(path)).steps[0] == Step(1.0, "edge", 1, True)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        pytest.param(".", "is no file: a script is a text file, or - for standard input", id="a directory"),
        pytest.param("nobody.txt", "is no file", id="nothing"),
        pytest.param("a\0b", "is no file", id="a name that can be no file's"),
        pytest.param("/dev/zero", "is no file", id="a device"),
        pytest.param("x" * 5000, "cannot be read: File name too long", id="too long a name"),
    ],
)
def test_what_is_no_file_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, complaint: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=re.escape(complaint)):
        load_script(name)
