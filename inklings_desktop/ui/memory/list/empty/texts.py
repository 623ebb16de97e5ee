"""Why a list shows nothing, and how to begin: the words of every empty state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.look.translation import counted, tr, tr_as
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction
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


def empty_text(content: ListContent, here: Surroundings, place: Place) -> EmptyText:
    """The words for a list without rows."""
    if place.tier in here.closed:
        return EmptyText(
            tr("Nothing of this tier is shown to this client"),
            tr("It may not know what is here. You can change that under Access."),
            drawn=False,
        )
    if content.emptiness is Emptiness.NO_MATCH:
        return _no_match(content)
    if here.is_looking:
        return EmptyText(tr("This client finds nothing here"), tr("It may read here."), drawn=False)
    talk = EmptyAction(
        "talk",
        tr("Talk to it"),
        tr("Built in, works offline."),
        "planet",
        "Ctrl T",
        stores=True,
    )
    write = EmptyAction(
        "write",
        tr("Write a memory"),
        tr("A preference, a rule, a name to get right."),
        "pen-nib",
        "Ctrl N",
        stores=True,
    )
    bring_in = EmptyAction(
        "import",
        tr_as("to bring in", "Import"),
        tr("Notes, lorebooks, chats. You see everything first."),
        "download-simple",
        "Ctrl Shift I",
        stores=True,
    )
    inked = tuple(ring for tier, ring in _RINGS.items() if here.count(Place(tier)))
    n_forgotten = content.facets.forgotten
    title, text = _all_forgotten(n_forgotten) if n_forgotten else _nothing_here(here, place)
    actions = [_forgotten_card()] if n_forgotten else []
    actions += [_code_card()] if here.talk_at(place) is not None else []
    is_new = place.tier is Tier.WORKSPACE and not n_forgotten
    actions += [talk] if place.tier is not Tier.CONVERSATION and not n_forgotten else []
    actions += [write] if here.writing_scope(place) is not None else []
    actions += [_connect_card(), bring_in] if is_new else []
    return EmptyText(title, text, tuple(actions), inked)


def _no_match(content: ListContent) -> EmptyText:
    clear = EmptyAction("clear", tr("Clear filters"), tr("Show everything here."), "funnel")
    request = content.request
    if not (request.is_search or request.with_memories or request.with_notes):
        return EmptyText(
            tr("Nothing fits these filters"),
            tr("Memories and working notes are both hidden."),
            (clear,),
            drawn=False,
        )
    if not (request.is_search or request.with_memories):
        return EmptyText(tr("The agent has no notes open"), "", (clear,), drawn=False)
    if not request.is_search:
        return EmptyText(
            tr("Nothing fits these filters"),
            tr("Other memories are here; the filters hide them."),
            (clear,),
            drawn=False,
        )
    everywhere = EmptyAction(
        "everywhere",
        tr("Search all tiers"),
        tr("Results by tier."),
        "magnifying-glass",
    )
    hint = tr("Try fewer words, or search by meaning.")
    if content.answered_by is SearchMode.HYBRID:
        hint = tr("Try fewer or other words.")
    elif request.mode is SearchMode.HYBRID:
        hint = tr("Only these exact words were looked for.")
    return EmptyText(
        tr("Nothing matches \u201c{text}\u201d").format(text=_short(request.sought)),
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
        tr("Everything here is forgotten"),
        counted(
            n_forgotten,
            "1 memory is forgotten. No agent finds it; you can restore it.",
            "{n} memories are forgotten. No agent finds them; you can restore them.",
        ),
    )


def _forgotten_card() -> EmptyAction:
    return EmptyAction(
        "forgotten",
        tr("Show what is forgotten"),
        tr("Look through it and restore what you miss."),
        "eraser",
    )


def _connect_card() -> EmptyAction:
    return EmptyAction(
        "connect",
        tr("Connect an agent"),
        tr("Claude, Cursor and others; you decide what they may do."),
        "plugs-connected",
        stores=True,
    )


def _code_card() -> EmptyAction:
    return EmptyAction(
        "code",
        tr("Copy code for the agent"),
        tr("Paste it to your agent, and it can join in."),
        "copy",
    )


def _nothing_here(here: Surroundings, place: Place) -> tuple[str, str]:
    match place.tier:
        case Tier.CONVERSATION:
            return (
                tr("This conversation has not kept anything")
                if place.room
                else tr("No conversation has kept anything"),
                tr("Working memory appears here while the agent works."),
            )
        case Tier.CHANNEL:
            channel = here.channel(place.room) if place.room else None
            return (
                tr("Nothing shared in #{name} yet").format(name=channel.name)
                if channel
                else tr("Nothing shared in any channel yet"),
                tr("Memories land here when they matter to more than one conversation."),
            )
        case Tier.ACCOUNT:
            return (
                tr("Nothing is known about you"),
                tr(
                    "Your own preferences belong here and apply in every world. Facts about a "
                    "world don\u2019t."
                ),
            )
        case Tier.WORKSPACE:
            return tr("Nothing is remembered here yet"), _new_workspace(here)


def _new_workspace(here: Surroundings) -> str:
    text = tr(
        "{name} is new. Tell the agent what to remember, or write the first memory yourself."
    ).format(name=here.workspace.name)
    if here.conversations:  # whoever talked here may have cleared it
        text = tr("Tell the agent what to remember, or write a memory yourself.")
    n_account = here.count(Place(Tier.ACCOUNT))
    if n_account:
        apply = counted(
            n_account,
            "Your 1 account memory already applies.",
            "Your {n} account memories already apply.",
        )
        return f"{text} {apply}"
    return text
