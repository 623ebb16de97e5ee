"""What a person is asked before something is done to memories; what was typed in vain is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from inklings_desktop.domain.memory import Lifetime, Tier
from inklings_desktop.domain.memory_values import MAX_REASON_CHARACTERS
from inklings_desktop.ui.kit.dialogs.ask import answered, ask
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.places import Place, Surroundings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Collection, Sequence

    from inklings_desktop.domain.world.pages import WorldFolder
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.acts.chosen import Chosen
    from inklings_desktop.usecases.bundle import Inklings

    Agreed = tuple[Sequence[Any], Any] | None
    """What is to be written, and with which value; None for nothing."""

ASK_FROM = 25
"""Forgetting so many at once is asked for first."""


class Asker(Protocol):
    """Whoever asks for an act.

    Attributes:
        context: What every page is given; dialogs lie over its window.
        here: Where memories can be copied to.
        typed: What was typed into a dialog and came to nothing, by its question.
    """

    context: Context
    here: Surroundings | None
    typed: dict[object, Any]

    def may_leave(self) -> Awaitable[bool]:
        """Whether the inspector may show something else; asks if text would be lost."""

    def n_hidden(self, ids: Collection[str]) -> int:
        """How many of these are not in the list that the person sees."""


def other_lifetime(lifetime: Lifetime) -> Lifetime:
    """Short-term for long-term; long-term for the rest."""
    return Lifetime.SHORT_TERM if lifetime is Lifetime.LONG_TERM else Lifetime.LONG_TERM


async def lifetime(_asker: Asker, chosen: Sequence[Chosen]) -> Agreed:
    """Nothing: those that are not all long-term become so."""
    is_long = all(one.lifetime is Lifetime.LONG_TERM for one in chosen)
    return chosen, Lifetime.SHORT_TERM if is_long else Lifetime.LONG_TERM


async def surely(asker: Asker, chosen: Sequence[Chosen], because: str = "") -> Agreed:
    """Whether many, or some that are out of view, should really be forgotten."""
    count, n_hidden = len(chosen), asker.n_hidden([one.ref.id for one in chosen])
    if count < ASK_FROM and not n_hidden:
        return chosen, because
    unseen = counted(
        n_hidden, "One is not in the list you see. ", "{n} are not in the list you see. "
    )
    is_sure = await ask(
        asker.context.window,
        counted(count, "Forget this memory?", "Forget {n} memories?"),
        (unseen if n_hidden else "")
        + tr("You can undo this until you close the window, and the event log keeps the list."),
        yes=tr("Forget {count}").format(count=grouped(count)),
        no=tr("Keep them"),
        is_destructive=True,
    )
    return (chosen, because) if is_sure else None


async def reason(asker: Asker, chosen: Sequence[Chosen]) -> Agreed:
    """Why they are forgotten."""
    from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog

    dialog = TextDialog(
        asker.context.window,
        counted(len(chosen), "Forget this memory", "Forget {n} memories"),
        tr("The reason is shown with the forgotten memory. No agent reads it."),
        Field(
            ("reasonDialog", "reasonField", "reasonForget"),
            tr("Reason"),
            tr("Reason, if you like"),
            asker.typed.get(reason, ""),
            longest=MAX_REASON_CHARACTERS,
        ),
        yes=tr("Forget"),
        no=tr("Keep"),
        kind="danger",
    )
    is_wanted = await answered(dialog)
    typed = asker.typed[reason] = " ".join(dialog.typed.split())
    return await surely(asker, chosen, typed) if is_wanted else None


async def replacement(asker: Asker, chosen: Sequence[Chosen]) -> Agreed:
    """What is looked for and what takes its place, with every change shown before it is made."""
    from inklings_desktop.ui.memory.acts.replace_dialog import ReplaceDialog
    from inklings_desktop.ui.memory.acts.replacing import ReplacePresenter

    if not await asker.may_leave():
        return None
    refs = [one.ref for one in chosen]
    dialog = ReplaceDialog(asker.context.theme, len(refs), asker.context.window)
    # Of nobody: what is being read when the dialog goes with its page is still handed over.
    planning = ReplacePresenter(asker.context, refs)
    planning.preview_changed.connect(dialog.show_preview)
    planning.difference_found.connect(dialog.show_difference)
    dialog.looked_at.connect(planning.look_at)
    dialog.wish_changed.connect(lambda: planning.wish(dialog.typed))
    if (before := asker.typed.get(replacement)) is not None:
        dialog.begin_with(before)
    try:
        is_wanted = await answered(dialog)
    finally:
        planning.close()
    typed = asker.typed[replacement] = dialog.typed
    return (planning.chosen(dialog.chosen_ids), typed.sought) if is_wanted else None


async def scrub(asker: Asker, chosen: Sequence[Chosen]) -> Agreed:
    """Nothing here: the one dialog that scrubs asks, and they go for good from there."""
    from inklings_desktop.domain.scrub.manifest import ChosenScope
    from inklings_desktop.ui.kit.page.destinations import ToScrubChosen

    if await asker.may_leave():
        ids, file = [one.ref.id for one in chosen], chosen[0].ref.scope.workspace_id
        asker.context.go(ToScrubChosen(ChosenScope.of(file, ids)))
    return None


async def target(asker: Asker, chosen: Sequence[Chosen]) -> Agreed:
    """Where the memory is to be copied to."""
    from inklings_desktop.ui.kit.dialogs.copy_dialog import CopyDialog, CopyTarget

    here, scope = asker.here, chosen[0].ref.scope
    if here is None:
        return None
    rooms = {talk.id: talk.title for talk in here.open_conversations}
    rooms |= {channel.id: f"#{channel.name}" for channel in here.channels}
    targets = [
        CopyTarget(other, rooms.get(other.key, ""))
        for tier in Tier
        for other in here.scopes(Place(tier))
        if other != scope
    ]
    dialog = CopyDialog(asker.context.theme, scope, targets, asker.context.window)
    if await answered(dialog) and dialog.target is not None:
        return chosen[:1], dialog.target
    return None


async def source(asker: Asker, chosen: Sequence[Chosen]) -> Agreed:
    """Which page or paragraph they come from."""
    from inklings_desktop.ui.memory.acts.page_dialogs import SourceDialog

    context, here = asker.context, chosen[0].ref.scope.workspace_id
    inklings, read = context.inklings, context.background.read
    if here is None or not await read(_folders_with_pages, inklings, here):
        context.tell(_no_pages())
        return None
    shown = await read(inklings.listing.show, chosen[0].ref)
    dialog = SourceDialog(context, here, shown.entry.content)
    is_wanted = await answered(dialog)
    return (chosen, dialog.chosen) if is_wanted and dialog.chosen is not None else None


async def promotion(asker: Asker, chosen: Sequence[Chosen]) -> Agreed:
    """Which page the memory is to become text of."""
    from inklings_desktop.domain.world.pages import FolderKind
    from inklings_desktop.ui.memory.acts.page_dialogs import PromoteDialog, Target

    context, here = asker.context, chosen[0].ref.scope.workspace_id
    found: list[tuple[WorldFolder, list[str]]] = []
    if here is not None:
        found = await context.background.read(_folders_with_pages, context.inklings, here)
    own = [one for one in found if one[0].kind is not FolderKind.NOVELWRITER]
    if not own:
        context.tell(tr("novelWriter alone writes its pages") if found else _no_pages())
        return None
    dialog = PromoteDialog(context, own, asker.typed.get(promotion, Target()))
    is_wanted = await answered(dialog)
    wanted = asker.typed[promotion] = dialog.target
    return (chosen[:1], wanted) if is_wanted else None


async def fact(asker: Asker, chosen: Sequence[Chosen]) -> Agreed:
    """What the memory is to be as a fact."""
    from inklings_desktop.ui.kit.dialogs.fact_dialog import FactDialog, FactQuestion, TypedFact

    context, ref = asker.context, chosen[0].ref
    inklings, read = context.inklings, context.background.read
    found = await read(inklings.domains.list, ref.scope.workspace_id or "")
    shown = await read(inklings.listing.show, ref)
    names = tuple(one.domain.name for one in found if one.domain.archived_at is None)
    begin = TypedFact(next(iter(names), tr("Canon")), content=shown.entry.content)
    question = FactQuestion(
        tr("Make a fact"),
        tr("The memory stays, and is what the fact was concluded from."),
        tr("Keep"),
        names,
    )
    before, typed = asker.typed.get(fact, (ref, begin))
    dialog = FactDialog(context.window, context.theme, question, typed if before == ref else begin)
    if not await answered(dialog):
        return None
    asker.typed[fact] = ref, dialog.typed
    return chosen[:1], asker.typed[fact][1]


def _no_pages() -> str:
    return tr("Link a folder of pages first: it is done under World")


def _folders_with_pages(inklings: Inklings, here: str) -> list[tuple[WorldFolder, list[str]]]:
    """Linked folders, each with the paths of its first pages; runs on a reader."""
    world = inklings.world
    folders = [one.folder for one in world.folders(here)]
    return [(one, [page.path for page in world.outline(here, folder=one.id)]) for one in folders]
