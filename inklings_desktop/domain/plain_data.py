"""Dataclasses whose methods are made when they are first needed.

The window declares some four hundred dataclasses before its first rows, and most of them are
never made until much later. The standard decorator writes and compiles up to six methods for each
at once, which was a third of a start. This one gives the same fields and the same behaviour: it
compares, hashes and shows by functions that all share, and compiles ``__init__`` with the first
object of a class; where there are many fields, one that sets them several times as fast.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Generic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from dataclasses import dataclass

    Fields = Sequence[dataclasses.Field[Any]]


FEWEST_OPENED = 6
"""Fields from which it pays to let an object be set while it is made."""


def _made(
    cls: type,
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
    order: bool = False,
) -> type:
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # else the library makes one, and reads Python's grammar for it
    own = cls.__dict__
    has_hash = own.get("__hash__") is not None
    # Frozen for the library only where it insists: it would compile two methods that refuse.
    inherits = any(map(dataclasses.is_dataclass, cls.__mro__[1:]))
    made: type = dataclasses.dataclass(
        init=False,
        repr=False,
        eq=order,
        order=order,
        frozen=frozen and inherits,
        slots=slots,
        kw_only=kw_only,
    )(cls)
    made.__dataclass_params__.frozen = frozen  # type: ignore[attr-defined]  # asked of by heirs
    fields = dataclasses.fields(made)
    methods: dict[str, Any] = {
        "__init__": _init_at_first(made, fields, frozen=frozen),
        "__repr__": _repr_of([one.name for one in fields if one.repr]),
    }
    if eq:
        compared = [one for one in fields if one.compare]
        methods["__eq__"] = _eq_of(_values_of([one.name for one in compared]))
        hashed = [one.name for one in fields if (one.compare if one.hash is None else one.hash)]
        hash_ = _hash_of(_values_of(hashed)) if frozen else None
        if not has_hash:
            made.__hash__ = hash_  # type: ignore[assignment,method-assign]  # None: no hash
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
        if slots:
            methods |= {"__getstate__": _state_of, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _init_at_first(cls: type, fields: Fields, *, frozen: bool) -> Callable[..., None]:
    def init(self: object, *values: object, **named: object) -> None:
        compiled = _compiled_init(cls, fields, frozen=frozen)
        cls.__init__ = compiled  # type: ignore[misc]  # of this very class
        compiled(self, *values, **named)

    return init


def _compiled_init(cls: type, fields: Fields, *, frozen: bool) -> Callable[..., None]:
    is_opened = frozen and len(fields) >= FEWEST_OPENED and "__slots__" in cls.__dict__
    is_opened = is_opened and Generic not in cls.__bases__  # which lets nobody inherit it bare
    names: dict[str, Any] = {"_set": object.__setattr__, "_unset": MISSING, "_frozen": cls}
    parameters: dict[bool, list[str]] = {False: [], True: []}
    lines = []
    for one in fields:
        value = name = one.name
        parameter, known = name, f"_{name}_"
        if one.default_factory is not MISSING:
            names[known] = one.default_factory
            parameter = f"{name}=_unset"
            value = f"{known}() if {name} is _unset else {name}" if one.init else f"{known}()"
        elif one.default is not MISSING:
            names[known] = one.default
            parameter = f"{name}={known}"
            value = name if one.init else known
        elif not one.init:
            continue
        if one.init:
            parameters[bool(one.kw_only)].append(parameter)
        is_plain = is_opened or not frozen
        lines.append(f"self.{name} = {value}" if is_plain else f"_set(self, {name!r}, {value})")
    if is_opened:
        names["_opened"] = _opened(cls)
        heir = "if self.__class__ is not _frozen: raise TypeError('an heir is decorated too')"
        lines = [heir, "_set(self, '__class__', _opened)", *lines, "self.__class__ = _frozen"]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    named = ["*", *parameters[True]] if parameters[True] else []
    head = ", ".join(["self", *parameters[False], *named])
    body = "\n    ".join(lines or ["pass"])
    exec(f"def __init__({head}):\n    {body}\n", names)  # noqa: S102  # names of our own fields
    init: Callable[..., None] = names["__init__"]
    return init


def _opened(cls: type) -> type:
    """A class of the same layout whose objects may be set.

    An object is one of it while it is made: what is frozen is set by a call for each field, which
    takes ten times as long.
    """
    slots = {"__slots__": cls.__dict__["__slots__"], "__setattr__": object.__setattr__}
    return type(cls.__name__, cls.__bases__, slots)


def _values_of(names: Sequence[str]) -> Callable[[object], tuple[Any, ...]]:
    """What a dataclass is compared by."""
    match names:
        case []:
            return lambda _: ()
        case [name]:
            only = attrgetter(name)
            return lambda one: (only(one),)
        case _:
            return attrgetter(*names)


def _eq_of(values: Callable[[object], tuple[Any, ...]]) -> Callable[[object, object], Any]:
    def eq(self: object, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return eq


def _hash_of(values: Callable[[object], tuple[Any, ...]]) -> Callable[[object], int]:
    return lambda self: hash(values(self))


def _repr_of(names: Sequence[str]) -> Callable[[object], str]:
    def repr_(self: object) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return recursive_repr("...")(repr_)


def _refuse_to_set(_self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state_of(self: Any) -> list[object]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _set_state(self: Any, state: Sequence[object]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _decorated(cls: type | None = None, **options: bool) -> Any:
    return _made(cls) if cls is not None else lambda one: _made(one, **options)


if not TYPE_CHECKING:
    dataclass = _decorated  # what it does is the standard library's; a type checker knows that

__all__ = ["dataclass"]
