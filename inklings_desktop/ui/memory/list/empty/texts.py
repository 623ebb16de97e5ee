"""Why a list shows nothing, and how to begin: the words of every empty state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction
from inklings_desktop.ui.kit.words.entry_facts import counted
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.content import Emptiness

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.memory.list.content import ListContent

_LONGEST_SOUGHT = 60
_RINGS = {Tier.CONVERSATION: 0, Tier.CHANNEL: 1, Tier.WORKSPACE: 2, Tier.ACCOUNT: 3}


@dataclass(frozen=True, slots=True)
class EmptyText:
    """What an empty page says.

    Attributes:
        title: One short sentence without a full stop.
        text: What happens next.
        actions: Cards to begin with.
        inked: Rings that already hold something, from 0 at the centre.
        drawn: Whether the drawing shows.
    """

    title: str
    text: str
    actions: tuple[EmptyAction, ...] = ()
    inked: tuple[int, ...] = ()
    drawn: bool = True


def empty_text(
    content: ListContent,
    here: Surroundings,
    place: Place,
    *,
    offers_sample: bool,
) -> EmptyText:
    """The words for a list without rows."""
    if place.tier in here.closed:
        return EmptyText(
            _tr("Nothing of this tier is shown to this client"),
            _tr("It is told neither what is here nor how much. Grant it under Access."),
            drawn=False,
        )
    if content.emptiness is Emptiness.NO_MATCH:
        return _no_match(content)
    if here.is_looking:
        return EmptyText(
            _tr("This client finds nothing here"), _tr("It may read here."), drawn=False
        )
    write = EmptyAction(
        "write",
        _tr("Write a memory"),
        _tr("A preference, a rule, a name to get right."),
        "pen-nib",
        "Ctrl N",
        stores=True,
    )
    sample = EmptyAction(
        "sample",
        _tr("Open the sample world"),
        _tr("The Saltglass Cartographers, in its own folder."),
        "book-open",
        stores=True,
    )
    bring_in = EmptyAction(
        "import",
        _tr("Import"),
        _tr("A JSON export, with a preview before anything changes."),
        "download-simple",
        "Ctrl Shift I",
        stores=True,
    )
    inked = tuple(ring for tier, ring in _RINGS.items() if here.count(Place(tier)))
    n_forgotten = content.facets.forgotten
    title, text = _all_forgotten(n_forgotten) if n_forgotten else _nothing_here(here, place)
    actions = [_forgotten_card()] if n_forgotten else []
    actions += [write] if here.writing_scope(place) is not None else []
    if place.tier is Tier.WORKSPACE and not n_forgotten:
        actions += [bring_in, sample] if offers_sample else [bring_in]
    return EmptyText(title, text, tuple(actions), inked)


def _no_match(content: ListContent) -> EmptyText:
    clear = EmptyAction(
        "clear", _tr("Clear filters"), _tr("Show everything in this place again."), "funnel"
    )
    request = content.request
    if not (request.is_search or request.with_memories or request.with_notes):
        return EmptyText(
            _tr("Nothing fits these filters"),
            _tr("Working notes and what was learned are both hidden."),
            (clear,),
            drawn=False,
        )
    if not (request.is_search or request.with_memories):
        return EmptyText(_tr("The agent has no notes open"), "", (clear,), drawn=False)
    if not request.is_search:
        return EmptyText(
            _tr("Nothing fits these filters"),
            _tr("Other memories are here; the filters hide them."),
            (clear,),
            drawn=False,
        )
    everywhere = EmptyAction(
        "everywhere",
        _tr("Search all tiers"),
        _tr("Each tier as a list of its own."),
        "magnifying-glass",
    )
    hint = _tr("Try fewer words, or switch to Hybrid.")
    if content.answered_by is SearchMode.HYBRID:
        hint = _tr("Try fewer or other words.")
    elif request.mode is SearchMode.HYBRID:
        hint = _tr("Keyword search looks for these exact words.")
    return EmptyText(
        _tr("Nothing matches \u201c{text}\u201d").format(text=_short(request.sought)),
        hint,
        (clear,) if request.elsewhere else (clear, everywhere),
        drawn=False,
    )


def _short(sought: str) -> str:
    """What was looked for, as much of it as a heading holds."""
    line = " ".join(sought.split())
    return line if len(line) <= _LONGEST_SOUGHT else f"{line[: _LONGEST_SOUGHT - 1].rstrip()}\u2026"


def _all_forgotten(n_forgotten: int) -> tuple[str, str]:
    return (
        _tr("Nothing is remembered here any more"),
        counted(
            n_forgotten,
            _tr("1 memory is forgotten. No agent finds it; you can bring it back."),
            _tr("{n} memories are forgotten. No agent finds them; you can bring them back."),
        ),
    )


def _forgotten_card() -> EmptyAction:
    return EmptyAction(
        "forgotten",
        _tr("Show what is forgotten"),
        _tr("Look through it and restore what you miss."),
        "eraser",
    )


def _nothing_here(here: Surroundings, place: Place) -> tuple[str, str]:
    match place.tier:
        case Tier.CONVERSATION:
            return (
                _tr("This conversation has not kept anything")
                if place.room
                else _tr("No conversation has kept anything"),
                _tr("Working memory appears here while the agent works."),
            )
        case Tier.CHANNEL:
            channel = here.channel(place.room) if place.room else None
            return (
                _tr("Nothing shared in #{name} yet").format(name=channel.name)
                if channel
                else _tr("Nothing shared in any channel yet"),
                _tr("Memories land here when they matter to more than one conversation."),
            )
        case Tier.ACCOUNT:
            return (
                _tr("Nothing is known about you"),
                _tr(
                    "Preferences that should follow you everywhere belong here. World content "
                    "never does."
                ),
            )
        case Tier.WORKSPACE:
            return _tr("Nothing is remembered here yet"), _new_workspace(here)


def _new_workspace(here: Surroundings) -> str:
    text = _tr(
        "{name} is new. The agent will add memories as you talk, or you can write the first one "
        "yourself."
    ).format(name=here.workspace.name)
    n_account = here.count(Place(Tier.ACCOUNT))
    if n_account == 1:
        return f"{text} {_tr('Your 1 account memory already applies.')}"
    if n_account:
        count = QLocale().toString(n_account)
        return f"{text} " + _tr("Your {n} account memories already apply.").format(n=count)
    return text


def _tr(text: str) -> str:
    return QCoreApplication.translate("empty", text)
