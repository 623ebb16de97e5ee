"""Use cases by noun, some or all of which a test plays."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.steps.change_feed import ChangeFeed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import MethodType

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.parts import Asked, Parts
    from inklings_desktop.usecases.ports.activities import ActivityRunner

NOUNS = tuple(name for name, one in vars(Inklings).items() if isinstance(one, cached_property))


@dataclass(frozen=True, kw_only=True, eq=False)
class StoodIn(Inklings):
    """Use cases that are played, whoever asks.

    Attributes:
        verbs: By noun and verb, as ``listing.browse``; called as they are, without the caller.
        use_cases: The same, called with the caller first.
        has_others: Whether all that is not among them is the real one; else it is not there.
    """

    verbs: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    use_cases: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    has_others: bool = True

    def __post_init__(self) -> None:
        if not self.has_others:
            self.__dict__.update({noun: SimpleNamespace() for noun in NOUNS})
        bound = {path: partial(call, self.caller) for path, call in self.use_cases.items()}
        for path, call in (bound | dict(self.verbs)).items():
            noun, verb = path.split(".")
            assert hasattr(getattr(self, noun), verb) == self.has_others, path
            setattr(getattr(self, noun), verb, call)


def stood_in(
    inklings: Inklings,
    verbs: Mapping[str, Callable[..., Any]] | None = None,
    *,
    use_cases: Mapping[str, Callable[..., Any]] | None = None,
) -> Inklings:
    """The same use cases with others in the place of some.

    Args:
        inklings: The real ones.
        verbs: By noun and verb, as ``listing.browse``; called without the caller.
        use_cases: The same, called with the caller first.
    """
    own = {one.name: getattr(inklings, one.name) for one in fields(inklings)}
    own["verbs"] = own.get("verbs", {}) | (verbs or {})
    own["use_cases"] = own.get("use_cases", {}) | (use_cases or {})
    return StoodIn(**own)


def played(
    caller: Caller, parts: Mapping[str, object], use_cases: Mapping[str, Callable[..., Any]]
) -> Inklings:
    """Use cases over no store at all: what is not among these is not there.

    Args:
        caller: Who asks.
        parts: What is read of the parts, such as the clock; a feed that is silent is there.
        use_cases: By noun and verb; called with the caller first.
    """
    known = cast("Parts", SimpleNamespace(feed=ChangeFeed(), **parts))
    return StoodIn(parts=known, caller=caller, use_cases=use_cases, has_others=False)


def use_case_of(verb: Callable[..., Any]) -> Any:
    """What a verb is before it is bound to a caller: it is called with the caller first."""
    if isinstance(verb, partial):
        return verb.func
    noun, name = cast("Asked", cast("MethodType", verb).__self__), verb.__name__

    def use_case(caller: Caller, *args: Any, **named: Any) -> Any:
        return getattr(type(noun)(noun.parts, caller), name)(*args, **named)

    return use_case


def verbs_of(inklings: Inklings) -> Iterator[tuple[str, Any]]:
    """What hangs on every noun, as ``listing.browse``."""
    for noun in NOUNS:
        group = getattr(inklings, noun)
        for verb in _methods(group):
            yield f"{noun}.{verb}", getattr(group, verb)


def _methods(noun: Asked) -> Iterator[str]:
    """The names of a noun's verbs."""
    for name, one in vars(type(noun)).items():
        if isinstance(one, FunctionType) and not name.startswith("_"):
            yield name


def with_agent(inklings: Inklings, agent: ActivityRunner) -> Inklings:
    """The same use cases with another agent that carries activities out."""
    adapters = replace(inklings.parts.adapters(), activities=agent)
    return replace(inklings, parts=replace(inklings.parts, adapters=lambda: adapters))
