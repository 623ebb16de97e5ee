from __future__ import annotations

import ast
import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from dataclasses import dataclass as standard
from typing import Any

import pytest

from inklings_desktop.domain.plain_data import dataclass
from tests.architecture.contract_report import REPOSITORY

PRODUCT = REPOSITORY / "inklings_desktop"


@dataclass(frozen=True, slots=True)
class Tide:
    """A value."""

    name: str
    metres: float = 1.5
    seen: tuple[str, ...] = ()
    note: str = field(default="", compare=False)
    hidden: int = field(default=7, init=False, repr=False)


@dataclass(slots=True)
class Harbour:
    """Something that changes."""

    ships: list[str] = field(default_factory=list)
    tide: Tide | None = None
    is_open: bool = field(default=True, kw_only=True)
    n_made: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.n_made = len(self.ships)


@dataclass(frozen=True, slots=True, order=True)
class Berth:
    """Something with a place in a row."""

    pier: int
    number: int


@dataclass(frozen=True)
class Empty:
    """Nothing, with a name of its own."""

    def __repr__(self) -> str:
        return "empty"

    def __hash__(self) -> int:
        return 3


@dataclass(frozen=True, slots=True)
class Spring(Tide):
    """A value with one more field."""

    moon: str = "full"


@dataclass(frozen=True, slots=True)
class Voyage:
    """A value of so many fields that it is made another way."""

    ship: str
    master: str
    begun: int
    ended: int = 9
    ports: tuple[str, ...] = ()
    cargo: list[str] = field(default_factory=list)
    n_days: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_days", self.ended - self.begun)


class Race(Voyage):
    """An heir that was not decorated."""


@standard(frozen=True, slots=True)
class Neap(Tide):
    """A value that the standard library made of one of ours."""

    days: int = 7


def twin_of(cls: type) -> type:
    """The same class as the standard library makes it."""
    named = {one.name: one.type for one in fields(cls)}
    body: dict[str, Any] = {
        "__annotations__": named,
        "__module__": __name__,
        "__qualname__": cls.__qualname__,
    }
    for one in fields(cls):
        if one.default is not one.default_factory:  # either is given
            kept: Any = {"compare": one.compare, "init": one.init, "repr": one.repr}
            body[one.name] = field(default=one.default, **kept)
    return standard(frozen=True, slots=True)(type(cls.__name__, (), body))


def test_a_value_is_made_shown_compared_and_hashed_as_by_the_standard_library() -> None:
    twin = twin_of(Tide)
    for values, named in (
        (("ebb",), {}),
        (("ebb", 2.0, ("May",)), {"note": "late"}),
        ((), {"name": "flood", "metres": 0.0}),
    ):
        ours, theirs = Tide(*values, **named), twin(*values, **named)
        assert repr(ours) == repr(theirs)
        assert asdict(ours) == asdict(theirs)
        assert hash(ours) == hash(theirs)
        assert ours == Tide(*values, **named)
    assert Tide("ebb") != Tide("flood")
    assert Tide("ebb", note="one") == Tide("ebb", note="another")
    assert Tide("ebb") != twin("ebb")
    assert Tide.__match_args__ == ("name", "metres", "seen", "note")
    assert Tide("ebb").hidden == 7


def test_a_value_refuses_what_it_does_not_know_and_every_change() -> None:
    tide = Tide("ebb")
    with pytest.raises(TypeError):
        Tide()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Tide("ebb", colour="green")  # type: ignore[call-arg]
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        tide.name = "flood"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del tide.name
    assert replace(tide, metres=3.0) == Tide("ebb", 3.0)


def test_a_value_is_copied_and_pickled() -> None:
    tide = Spring("ebb", 2.0, moon="new")
    assert copy.copy(tide) == copy.deepcopy(tide) == pickle.loads(pickle.dumps(tide)) == tide  # noqa: S301  # our own bytes
    assert repr(tide).startswith("Spring(name='ebb', metres=2.0, seen=(), note='', moon='new'")


def test_a_value_of_many_fields_is_as_closed_as_any_other() -> None:
    voyage = Voyage("Merrow", master="Nerys", begun=4)
    assert type(voyage) is Voyage
    assert voyage == copy.copy(voyage) == Voyage("Merrow", "Nerys", 4, 9, (), [])
    assert (voyage.n_days, Voyage("Merrow", "Nerys", 4).cargo is voyage.cargo) == (5, False)
    assert type(replace(voyage, ended=5)) is Voyage
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'ship'"):
        voyage.ship = "Wend"  # type: ignore[misc]
    with pytest.raises(TypeError, match="an heir is decorated too"):
        Race("Merrow", "Nerys", 4)


def test_heirs_of_a_value_are_values() -> None:
    assert Neap("ebb", days=6) == Neap("ebb", days=6) != Neap("ebb")
    for tide in (Neap("ebb"), Spring("ebb")):
        with pytest.raises(FrozenInstanceError):
            tide.name = "flood"  # type: ignore[misc]


def test_what_changes_has_its_own_lists_and_no_hash() -> None:
    one, other = Harbour(), Harbour()
    one.ships.append("Merrow")
    assert other.ships == []
    assert Harbour(["a", "b"], is_open=False).n_made == 2
    assert one != other
    with pytest.raises(TypeError):
        hash(one)


def test_what_is_ordered_and_what_has_methods_of_its_own() -> None:
    assert sorted([Berth(2, 1), Berth(1, 9)]) == [Berth(1, 9), Berth(2, 1)]
    assert len({Berth(1, 1), Berth(1, 1)}) == 1
    assert (repr(Empty()), hash(Empty()), Empty() == Empty()) == ("empty", 3, True)


def test_what_holds_itself_can_be_shown() -> None:
    harbour = Harbour()
    harbour.ships.append(harbour)  # type: ignore[arg-type]
    assert repr(harbour).startswith("Harbour(ships=[...]")


def test_what_a_window_starts_with_declares_its_dataclasses_this_way() -> None:
    """A standard one costs a start a millisecond."""
    standard_ones = {
        str(path.relative_to(PRODUCT))
        for package in ("domain", "usecases", "storage", "embeddings", "scheduler", "ui")
        for path in (PRODUCT / package).rglob("*.py")
        if path.name != "plain_data.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.module == "dataclasses"
        and any(one.name == "dataclass" for one in node.names)
    }
    assert standard_ones == set()
