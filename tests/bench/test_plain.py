"""Data classes made another way must be those of the standard library in all that is seen of them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, field, replace
from typing import Any, ClassVar

import pytest

from device import plain

# One source for both ways of making it.
SOURCE = '''
@dataclass(frozen=True, slots=True)
class Base:
    """Of nothing."""
    kind: ClassVar[str] = "base"

@dataclass(frozen=True, slots=True)
class Thing(Base):
    """Of everything that is used."""
    kind = "thing"
    a: int
    b: str = "b"
    c: Mapping[str, int] = field(default_factory=dict)
    d: tuple[int, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError(self.a)

@dataclass(frozen=True, slots=True)
class One:
    """Of a single value."""
    a: Any

@dataclass(slots=True)
class Loose:
    """That may be changed."""
    a: int = 1
    b: list[int] = field(default_factory=list)
'''


def _made(dataclass: Any) -> dict[str, Any]:
    known: dict[str, Any] = {"ClassVar": ClassVar, "Mapping": Mapping, "Any": Any, "field": field, "__name__": __name__}
    exec(SOURCE, {**known, "dataclass": dataclass}, known)
    return known


STANDARD, OURS = _made(dataclasses.dataclass), _made(plain.dataclass)
# For pickle, which looks classes up by their names.
Thing = OURS["Thing"]
WAYS = [pytest.param(STANDARD, id="standard"), pytest.param(OURS, id="ours")]


@pytest.mark.parametrize("made", WAYS)
def test_what_is_seen_of_it(made: dict[str, Any]) -> None:
    thing, one = made["Thing"], made["One"]
    first = thing(1, c={"x": 2}, d=(3,))
    assert repr(first) == "Thing(a=1, b='b', c={'x': 2})"
    assert repr(made["Base"]()) == "Base()"
    assert first == thing(1, "b", {"x": 2}, (4,)), "d is not compared"
    assert first != thing(2, c={"x": 2})
    assert made["Base"]() == made["Base"]()
    assert one((1,)) != made["Base"](), "never equal to another class"
    assert first.__eq__(object()) is NotImplemented
    assert hash(one((1, 2))) == hash(one((1, 2)))
    assert hash(one(1)) != hash(one(2))
    assert (first.kind, made["Base"].kind) == ("thing", "base")
    assert [f.name for f in dataclasses.fields(first)] == ["a", "b", "c", "d"]
    assert dataclasses.astuple(first) == (1, "b", {"x": 2}, (3,))
    assert dataclasses.asdict(one(1)) == {"a": 1}
    assert replace(first, a=5) == thing(5, c={"x": 2})
    assert copy.deepcopy(first) == first
    assert copy.deepcopy(first).d == (3,)
    assert not hasattr(first, "__dict__")
    assert thing(1).c is not thing(1).c
    match first:
        case thing(a, b):
            assert (a, b) == (1, "b")


@pytest.mark.parametrize("made", WAYS)
def test_what_is_refused(made: dict[str, Any]) -> None:
    thing = made["Thing"]
    first = thing(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
        first.a = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'a'"):
        del first.a
    with pytest.raises(ValueError, match="-1"):
        replace(first, a=-1)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        thing()
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        thing(1, z=2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(made["Loose"]())


@pytest.mark.parametrize("made", WAYS)
def test_one_that_may_be_changed(made: dict[str, Any]) -> None:
    loose = made["Loose"](b=[1])
    loose.a = 7
    assert repr(loose) == "Loose(a=7, b=[1])"
    assert loose == made["Loose"](7, [1])
    assert copy.deepcopy(loose) == loose


def test_it_can_be_pickled() -> None:
    thing = Thing(1, "x", {"y": 2}, (3,))
    again = pickle.loads(pickle.dumps(thing))
    assert (again, again.d) == (thing, (3,))


def test_without_slots_it_is_refused() -> None:
    with pytest.raises(TypeError, match="standard dataclass"):
        plain.dataclass(slots=False)
