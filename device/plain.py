"""Data classes that start quickly: the standard `dataclass(slots=True)`, frozen or not, made another way.

On Python 3.11 the standard one writes up to six functions of every class as text and compiles them, and a hundred
such classes were a third of what the box's start costs. Here only __init__ is compiled, at the first use; the rest
are functions as any other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, slots: bool, frozen: bool = False) -> Callable[[type], type]:
        """See dataclasses.dataclass; `slots` stands there for the reader and must be True."""
        if not slots:
            raise TypeError("without slots there is the standard dataclass")
        return partial(_made, frozen=frozen)


def _made(cls: type[Any], frozen: bool) -> type[Any]:
    made: type[Any] = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    compared = _values_of([field.name for field in fields if field.compare])
    names, shown = [field.name for field in fields], [field.name for field in fields if field.repr]

    def __eq__(self: Any, other: object) -> bool:
        # As the standard one: never equal to another class, whatever it holds.
        return bool(compared(self) == compared(other)) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(compared(self))

    def __repr__(self: Any) -> str:
        return f"{made.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    def __getstate__(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: Sequence[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        # The first of its kind: many a scene comes late in the evening or never.
        made.__init__ = _init(made, fields, frozen)
        made.__init__(self, *values, **named)

    methods: list[Callable[..., Any]] = [__init__, __eq__, __repr__]
    if frozen:
        methods += [__hash__, __getstate__, __setstate__, _setattr, _delattr]
    else:
        # As Python does for a class that has an __eq__ of its own.
        setattr(made, "__hash__", None)  # noqa: B010
    for method in methods:
        setattr(made, method.__name__, method)
    return made


def _setattr(_self: Any, name: str, _value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(_self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_setattr.__name__, _delattr.__name__ = "__setattr__", "__delattr__"


def _values_of(names: list[str]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda _: ()


def _init(made: type[Any], fields: Sequence[dataclasses.Field[Any]], frozen: bool) -> Any:
    """The one function that must know the names of its arguments."""
    missing = dataclasses.MISSING
    known: dict[str, Any] = {"_set": object.__setattr__, "_missing": missing}
    takes, does = [], []
    for field in fields:
        name = value = field.name
        if field.default is not missing:
            known[f"_{name}"] = field.default
            takes.append(f"{name}=_{name}")
        elif field.default_factory is not missing:
            known[f"_{name}"] = field.default_factory
            takes.append(f"{name}=_missing")
            value = f"_{name}() if {name} is _missing else {name}"
        else:
            takes.append(name)
        does.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        does.append("self.__post_init__()")
    exec(f"def __init__(self, {', '.join(takes)}): {'; '.join(does) or 'pass'}", known)
    return known["__init__"]
