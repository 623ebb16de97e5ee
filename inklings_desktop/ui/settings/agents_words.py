"""Providers, models and what they cost, in a person's words; pure functions."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, decimal, tr
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice
from inklings_desktop.ui.kit.words.money import money

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.agent_settings import Route

TESTING, SIGNING_IN = "testing", "signing_in"


@dataclass(frozen=True, slots=True)
class ProviderFacts:
    """A provider as the agent tells of it.

    Attributes:
        address: Where it is spoken to.
        key: Where its key is: ``keyring``, ``environment``, ``process``; empty for none.
        ends: The last characters of the key.
        needs_key: Whether it does not answer without one.
        signs_in: Whether one may sign in instead of typing a key.
        is_local: Whether what it is sent stays on this machine.
        is_own: Whether the person added it by its address.
    """

    id: str
    title: str
    address: str
    key: str
    ends: str
    needs_key: bool
    signs_in: bool
    is_local: bool
    is_own: bool

    @property
    def can_be_asked(self) -> bool:
        """Whether it may answer as it is."""
        return bool(self.key) or not self.needs_key


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of asking a provider for its models.

    Attributes:
        models: Their names, as the provider tells them.
        ms: How long the answer took.
        word: Word of the problem; empty where it answered.
    """

    models: tuple[str, ...] = ()
    ms: int = 0
    word: str = ""


def provider_of(told: Mapping[str, Any]) -> ProviderFacts:
    """The facts that the agent told."""
    return ProviderFacts(**{one.name: told[one.name] for one in fields(ProviderFacts)})


def place_words(provider: ProviderFacts) -> str:
    """Where it is; empty where its name says that."""
    host = provider.address.partition("://")[2].partition("/")[0]
    if provider.is_local:
        return tr("this machine")
    return "" if host == provider.title else host


def way_in(provider: ProviderFacts) -> str:
    """How one comes in, or that there is no way yet."""
    if provider.key:
        told = {
            "environment": tr("key from the environment, ends in {end}"),
            "process": tr("key ends in {end}, until you close the window"),
        }
        known = tr("key ends in {end}, in the keyring")
        return told.get(provider.key, known).format(end=provider.ends)
    if not provider.needs_key:
        return tr("no key needed")
    return tr("reaches most other models") if provider.signs_in else tr("no key")


def state_of(provider: ProviderFacts, tried: Tried | None, doing: str) -> tuple[str, str, str]:
    """How it stands: an icon, the role of its colour, and words."""
    if doing:
        busy = tr("waiting for the browser") if doing == SIGNING_IN else tr("testing\u2026")
        return "arrows-clockwise", "inkSoft", busy
    if tried is None:
        return "", "", tr("not signed in") if provider.signs_in else tr("not used")
    if tried.word == wire.PROVIDER_UNREACHABLE and provider.is_local:
        return "", "", tr("not running")
    if tried.word:
        return "warning-circle", "madder", problem_words(tried.word)
    said = counted(len(tried.models), "1 model", "{n} models")
    if not provider.is_local:
        seconds = decimal(max(tried.ms, 100) / 1000, 1)
        said = tr("answered in {seconds} s").format(seconds=seconds)
    return "check-circle", "accent", said


def problem_words(word: str) -> str:
    """Why a provider could not be used, in two or three words."""
    return {
        wire.NO_KEY: tr("no key"),
        wire.KEY_REFUSED: tr("key refused"),
        wire.NO_CREDIT: tr("no credit left"),
        wire.PROVIDER_UNREACHABLE: tr("did not answer"),
        wire.PROVIDER_BUSY: tr("busy, try again"),
        wire.ADDRESS_REFUSED: tr("address refused"),
        wire.SIGN_IN_FAILED: tr("not signed in"),
        wire.AGENT_GONE: tr("the agent ended"),
    }.get(word, tr("did not work"))


def model_choices(
    providers: Sequence[ProviderFacts], tried: Mapping[str, Tried], now: str
) -> tuple[ScopeChoice, ...]:
    """The models that can be chosen, below the names of their providers; none of them first."""
    choices = [ScopeChoice("", tr("None"))]
    for one in providers:
        if models := tried.get(one.id, Tried()).models:
            choices.append(ScopeChoice(None, one.title, is_title=True))
        detail = tr("on this machine") if one.is_local else ""
        choices += [ScopeChoice(f"{one.id}/{model}", model, detail=detail) for model in models]
    if now and all(one.id != now for one in choices):
        choices.insert(1, ScopeChoice(now, now.partition("/")[2], detail=now.partition("/")[0]))
    return tuple(choices)


def work_words() -> dict[str, tuple[str, str]]:
    """Every kind of work: its name, and what it does."""
    return {
        "orchestrator": (tr("Conversation"), tr("talks with you")),
        "researcher": (tr("Researcher"), tr("reads and compares, and reports what it found")),
        "worker": (tr("Worker"), tr("does one piece of work within what it is handed")),
        "composer": (tr("Skill Composer"), tr("writes skills, which you look at first")),
        "gate": (tr("Choosing memories"), tr("leaves out what does not matter to your message")),
        "compact": (tr("Long conversations"), tr("shortens what was said long ago")),
        "summary": (tr("Summaries"), tr("notes what a conversation came to")),
        "title": (tr("Titles"), tr("names a new conversation")),
        "merge": (tr("Tidying up"), tr("words what merged memories say")),
        "judge": (tr("Checking skills"), tr("says whether an answer does what a skill asks for")),
    }


def class_words() -> dict[str, tuple[str, str]]:
    """Every class of models, the best first: its name, and what it is for."""
    return {
        "frontier": (tr("Frontier"), tr("the best you have")),
        "fast": (tr("Fast"), tr("good, and quick")),
        "cheap": (tr("Cheap"), tr("for small work, many times")),
    }


def model_words(route: Route) -> str:
    """Which model a kind of work gets, after its provider, and in whose place."""
    if not route.model or route.given == route.wanted:
        return route.model or tr("without a model")
    wanted = class_words()[route.wanted][0].lower()
    return tr("{model}, as no {wanted} one is set").format(model=route.model, wanted=wanted)


def spent_on(usage: Iterable[Mapping[str, Any]], process: str) -> str:
    """What a kind of work cost, over all its models; empty for none."""
    found = [one for one in usage if one.get("process") == process]
    if not found:
        return ""
    known = [int(one["cost_micro"]) for one in found if one.get("cost_micro") is not None]
    currency = next((str(one["currency"]) for one in found if one.get("currency")), "")
    calls = counted(sum(int(one["calls"]) for one in found), "once", "{n} times")
    if not known:
        return calls
    cost = money(sum(known), currency) if any(known) else ""
    return tr("{calls}, about {cost}").format(calls=calls, cost=cost) if cost else calls
