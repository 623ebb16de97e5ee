"""One thing an agent asks the author to accept: what it would change, and the decision."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.activities import draft_of
from inklings_desktop.domain.entries.named_entry import EntryRef, NamedEntry
from inklings_desktop.domain.entries.proposals import (
    ABOUT_NAMED,
    ABOUT_PAGES,
    Proposal,
    ProposalKind,
    ProposalRef,
    shrinks_much,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN
from inklings_desktop.domain.memory import ForgottenAs, Lifetime, MemoryEntry, MemoryRef, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.skills.folder import together
from inklings_desktop.domain.skills.skill import Skill
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.domain.world.page_proposal import AcceptedPage, PageComparison
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.context import refuse, said
from inklings_desktop.ui.kit.words.entry_facts import day_label, proposal_reason, proposal_title
from inklings_desktop.ui.kit.words.memory_facts import (
    curator_label,
    exact_time,
    importance_figure,
    lifetime_label,
    name_of_writer,
    secret_names,
    spoken_age,
)
from inklings_desktop.ui.kit.words.schedule_words import when_words
from inklings_desktop.ui.markdown.diff_view import Comparison
from inklings_desktop.usecases.memories.values import Reversion

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A step of the window's undo: the proposal waits again, and what it changed is as it was.

    Attributes:
        text: What was done, as the menu names it.
        ref: The proposal.
        entry: The named entry that was written, with its version before and after; None for a
            memory. It was new where the version before is 0.
        reversions: How its memories go back.
        page: The page as it was written; None for anything else.
        activity: Id of the activity that was made; empty for anything else.
        skill: The name of the skill that was written, and its version before, 0 for a new one.
    """

    text: str
    ref: ProposalRef
    entry: tuple[EntryRef, int, int] | None = None
    reversions: tuple[Reversion, ...] = ()
    icon: str = "check"
    can_repeat: bool = False
    page: AcceptedPage | None = None
    activity: str = ""
    skill: tuple[str, int] | None = None

    def take_back(self, inklings: Inklings) -> str:
        """Undo it; called on a writer.

        Raises:
            ConflictError: Somebody changed it since; nothing was changed.
            NotFoundError: It is gone; nothing was changed.
        """
        if self.page is not None:
            inklings.page_proposals.undo(self.page)
            return ""
        if self.activity:
            inklings.activities.delete(self.ref.workspace_id or "", self.activity)
        if self.reversions:
            inklings.memories.revert(self.reversions)
        if self.entry is not None:
            ref, before, after = self.entry
            if before:
                inklings.entries.restore_revision(ref, before, expected_version=after)
            else:
                inklings.entries.delete(ref, expected_version=after)
        if self.skill is not None:
            name, earlier = self.skill
            if earlier:
                inklings.skills.revert(self.ref.workspace_id, name, earlier)
            else:
                inklings.skills.delete(self.ref.workspace_id, name)
        inklings.proposals.ask_again(self.ref)
        return ""

    def do_again(self, inklings: Inklings) -> str:  # noqa: ARG002 - a port
        """Refuse: the proposal waits in the Inbox again, to be accepted there.

        Raises:
            ConflictError: Always.
        """
        raise ConflictError("proposal", self.ref.id)


def accepted(
    inklings: Inklings,
    target: NamedEntry | MemoryEntry | Skill | None,
    accept: Callable[[], Proposal],
    text: str,
) -> tuple[Proposal, Acceptance]:
    """Accept a proposal and remember how to undo that; called on a writer.

    Args:
        target: What it is about, as it was just seen; None where it asks for something new.
        accept: Does it.
        text: What was done, as the menu names it.

    Raises:
        InklingsError: It could not be accepted.
    """
    done = accept()
    if done.kind in ABOUT_NAMED:
        ref = EntryRef(done.tier, done.workspace_id, done.target_id)
        before = target.version if target is not None else 0
        after = inklings.entries.show(ref).entry.version
        return done, Acceptance(text, done.ref, (ref, before, after))
    if done.kind is ProposalKind.ACTIVITY:
        return done, Acceptance(text, done.ref, activity=done.target_id)
    if done.kind is ProposalKind.SKILL:
        earlier = target.version if target is not None else 0
        return done, Acceptance(text, done.ref, skill=(done.target_name, earlier))
    moved = []
    for id_ in dict.fromkeys((target.id if target is not None else done.target_id, done.target_id)):
        now = inklings.listing.show(MemoryRef(done.scope, id_)).entry
        if target is not None and id_ == target.id:
            was = target.version
        elif now.created_at == done.decided_at:
            was = NOT_WRITTEN
        else:
            continue  # it said so before: that it was confirmed stays
        forgotten_as = ForgottenAs(now.forgotten_reason, now.successor_id)
        moved.append(Reversion(now.ref, now.version, was, forgotten_as))
    return done, Acceptance(text, done.ref, reversions=tuple(moved))


def accepted_page(
    inklings: Inklings, ref: ProposalRef, text: str | None, seen: bytes | None
) -> tuple[Proposal, Acceptance]:
    """Accept a change of a page and remember how to undo that; called on a writer.

    Args:
        text: The author's own wording; None for the proposed one.
        seen: Digest of the page that the author compared; None for a new one.

    Raises:
        InklingsError: It could not be accepted.
    """
    page = inklings.page_proposals.accept(ref, text=text, seen=seen)
    return page.proposal, Acceptance(tr("Accepted a proposal"), ref, page=page)


Target = NamedEntry | MemoryEntry | PageComparison | Skill | None


@dataclass(frozen=True, slots=True)
class ChangedValue:
    """One value of a memory that would change; ``before`` is empty where there was none."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SeenProposal:
    """A proposal with what it is about, as both were read together.

    Attributes:
        proposal: What is asked for.
        target: What would change; None for what is new, and where it is gone.
        is_gone: Whether what would change is not there any more.
        comparison: The text before and after; None where no text would change.
    """

    proposal: Proposal
    target: Target
    is_gone: bool
    comparison: Comparison | None

    @property
    def is_overtaken(self) -> bool:
        """Whether what would change has moved on since this was proposed."""
        if isinstance(self.target, PageComparison):
            return self.target.is_overtaken
        base = self.proposal.base_version
        return self.target is not None and base is not None and self.target.version != base


@dataclass(frozen=True, slots=True)
class ProposalView:
    """Everything the pane shows.

    Attributes:
        ref: The proposal; None while nothing is shown.
        title: What it is about.
        tier: Whose mark stands beside the title.
        wish: What the agent wants, in a sentence.
        client: Who asks.
        asked: When, as ``2 hours ago``.
        asked_exact: When exactly.
        reason: Why, in the agent's words; may be empty.
        warnings: What to be careful about, most pressing first.
        comparison: The text before and after, line by line.
        text: The text of a memory that would be forgotten; empty else.
        values: What else would change.
        proposed: The proposed text, where it can be edited before accepting.
        opens_editor: Whether that happens elsewhere: in the editor of the named entry, or where
            skills are reviewed.
        accept_label: What the button says.
        edit_label: What that says which leads into a wording of one's own, or to the review.
        can_accept: Whether accepting can work.
        can_reject: Whether it waits for a decision, and none is under way.
    """

    ref: ProposalRef | None = None
    title: str = ""
    tier: Tier | None = None
    wish: str = ""
    client: str = ""
    asked: str = ""
    asked_exact: str = ""
    reason: str = ""
    warnings: tuple[str, ...] = ()
    comparison: Comparison | None = None
    text: str = ""
    values: tuple[ChangedValue, ...] = ()
    proposed: str = ""
    opens_editor: bool = False
    accept_label: str = ""
    edit_label: str = ""
    can_accept: bool = False
    can_reject: bool = False


def seen(proposal: Proposal, target: Target, *, is_gone: bool) -> SeenProposal:
    """A proposal with its texts compared; takes time with long texts."""
    comparison = None
    if proposal.text and not is_gone:
        before = _text_of(target)
        older = tr("Current text") if target is not None else tr("Nothing yet")
        comparison = Comparison(older, tr("Proposed text"), diff_lines(before, proposal.text))
    elif proposal.kind is ProposalKind.NAMED_BODY and not is_gone:
        comparison = Comparison(
            tr("Current text"), tr("Proposed: no text"), diff_lines(_text_of(target), "")
        )
    return SeenProposal(proposal, target, is_gone, comparison)


def view_of(found: SeenProposal | None, now: datetime, *, is_deciding: bool) -> ProposalView:
    """What the pane shows of a proposal."""
    if found is None:
        return ProposalView()
    proposal = found.proposal
    is_body = proposal.kind is ProposalKind.NAMED_BODY
    is_forget = proposal.kind is ProposalKind.MEMORY_FORGET
    return ProposalView(
        ref=proposal.ref,
        title=proposal_title(proposal),
        tier=proposal.tier,
        wish=_wish(proposal),
        client=name_of_writer(proposal.client),
        asked=tr("{age} ago").format(age=spoken_age(now - proposal.created_at)),
        asked_exact=exact_time(proposal.created_at),
        reason=proposal_reason(proposal),
        warnings=tuple(_warnings(found)),
        comparison=found.comparison,
        text=_text_of(found.target) if is_forget else "",
        values=_values(proposal, found.target),
        proposed=proposal.text,
        opens_editor=is_body or proposal.kind is ProposalKind.SKILL,
        accept_label=tr("Forget it") if is_forget else tr("Accept"),
        edit_label=tr("Review\u2026")
        if proposal.kind is ProposalKind.SKILL
        else tr("Edit, then accept"),
        can_accept=not (found.is_gone or is_deciding),
        can_reject=not is_deciding,
    )


def _text_of(target: Target) -> str:
    match target:
        case NamedEntry():
            return target.body
        case MemoryEntry():
            return target.content
        case PageComparison():
            return target.old_text
        case Skill():
            return together(target.contents.files)
        case None:
            return ""


def _wish(proposal: Proposal) -> str:
    return {
        ProposalKind.NAMED_BODY: tr("wants to change {name}"),
        ProposalKind.NAMED_NEW: tr("wants to add {name}, which agents would read at every turn"),
        ProposalKind.MEMORY_NEW: tr("wants to remember something about you")
        if proposal.tier is Tier.ACCOUNT
        else tr("wants to remember something new"),
        ProposalKind.MEMORY_EDIT: tr("wants to change a memory")
        if proposal.secrets
        else tr("wants to change a memory that only you may change"),
        ProposalKind.MEMORY_FORGET: tr("wants to forget a memory that only you may forget"),
        ProposalKind.MEMORY_REPLACE: tr("wants to replace a memory"),
        ProposalKind.PAGE_NEW: tr("wants to write a new page, {name}"),
        ProposalKind.PAGE_EDIT: tr("wants to change {name}"),
        ProposalKind.PAGE_MOVE: tr("wants to move {name}"),
        ProposalKind.ACTIVITY: tr("wants to be asked {name} at its time"),
        ProposalKind.SKILL: tr("wants to change the skill {name}")
        if proposal.target_id
        else tr("wants to add the skill {name}, by which agents may work"),
    }[proposal.kind].format(name=proposal.target_name)


def _when(proposal: Proposal) -> str:
    try:
        return when_words(draft_of(proposal.payload).schedule)
    except InvalidValueError:  # another program wrote it
        return ""


def _warnings(found: SeenProposal) -> list[str]:
    proposal, target = found.proposal, found.target
    if found.is_gone and proposal.kind in ABOUT_PAGES:
        return [tr("The page is gone. You can only reject this.")]
    if found.is_gone and proposal.kind is ProposalKind.SKILL:
        return [tr("The skill is gone. You can only reject this.")]
    if found.is_gone:
        return [tr("The memory is gone. You can only reject this.")]
    warnings = []
    if proposal.secrets:
        warnings.append(
            tr(
                "This looks like {kinds}. If you accept it, agents with access here can read it."
            ).format(kinds=secret_names(proposal.secrets))
        )
    if proposal.forgotten_at is not None:
        warnings.append(
            tr("You put this away on {date}. Accept it to remember it again.").format(
                date=day_label(proposal.forgotten_at)
            )
        )
    if proposal.world_names:
        warnings.append(
            tr("Only pages of a world know {names}; your account goes to every world.").format(
                names=", ".join(proposal.world_names)
            )
        )
    if found.is_overtaken:
        warnings.append(
            tr(
                "{name} was changed after this was proposed. You see the difference to "
                "today\u2019s text."
            ).format(name=proposal.target_name or tr("This memory"))
        )
    before = _text_of(target)
    if found.comparison is not None and shrinks_much(before, proposal.text):
        warnings.append(
            tr(
                "The proposed text is much shorter than what it replaces: {after} instead of "
                "{before}."
            ).format(after=_length(proposal.text), before=grouped(len(before)))
        )
    return warnings


def _length(text: str) -> str:
    return counted(len(text), "1 character", "{n} characters")


def _values(proposal: Proposal, target: Target) -> tuple[ChangedValue, ...]:
    """Importance, lifetime and tags as they are and would be; who vouches for a memory now."""
    if proposal.kind in ABOUT_NAMED or proposal.kind is ProposalKind.SKILL:
        return ()
    if isinstance(target, PageComparison):
        wish = target.wish
        return (ChangedValue(tr("Path"), wish.path, wish.to),) if wish.to else ()
    if proposal.kind is ProposalKind.ACTIVITY:
        return (ChangedValue(tr("When"), "", _when(proposal)),)
    now = target if isinstance(target, MemoryEntry) else None
    found = []
    if now is not None:
        label = curator_label(now.curator)
        found.append(ChangedValue(tr("Written by"), "", label))
    payload = proposal.payload
    importance, lifetime, tags = (payload.get(key) for key in ("importance", "lifetime", "tags"))
    if isinstance(importance, int | float):
        before = importance_figure(now.importance) if now else ""
        found.append(ChangedValue(tr("Importance"), before, importance_figure(importance)))
    if isinstance(lifetime, str):
        before = lifetime_label(now.lifetime) if now else ""
        found.append(ChangedValue(tr("Lifetime"), before, lifetime_label(Lifetime(lifetime))))
    if isinstance(tags, list | tuple) and (tags or now):
        before = (", ".join(now.tags) or tr("none")) if now else ""
        after = ", ".join(map(str, tags)) or tr("none")
        found.append(ChangedValue(tr("Tags"), before, after))
    return tuple(found)


class ProposalDeciding:
    """Shows one proposal at a time and carries out the decision; knows no widgets.

    What the person accepts is what was on show: if the target changed meanwhile, nothing is done
    and the proposal is shown anew.

    Attributes:
        is_deciding: Whether a decision is under way.
    """

    def __init__(
        self,
        context: Context,
        *,
        show: Callable[[ProposalView], None],
        decided: Callable[[Proposal, Acceptance | None], None],
    ) -> None:
        """Show nothing yet.

        Args:
            show: Shows what is to be seen of the proposal, whenever that is something else.
            decided: Told of what was just accepted or rejected, and how an acceptance is undone.
        """
        self._context = context
        self._inklings = context.inklings
        self._show, self._decided = show, decided
        self._looking = Latest(context.background)
        self._found: SeenProposal | None = None
        self.is_deciding = False

    @property
    def view(self) -> ProposalView:
        """What is to be shown now."""
        return view_of(self._found, self._inklings.clock(), is_deciding=self.is_deciding)

    @property
    def proposal(self) -> Proposal | None:
        """The proposal that is shown."""
        return self._found.proposal if self._found else None

    def show_nothing(self) -> None:
        """Show no proposal."""
        self._looking.cancel()
        self._found = None
        self._show(self.view)

    async def open(self, ref: ProposalRef) -> None:
        """Show a proposal beside what it is about; any later request overtakes this one."""
        self._looking.run(self._look(ref))
        await self._looking.settled()

    async def accept(self, body: str | None = None) -> bool:
        """Do what is asked for; whether it was done.

        Args:
            body: The author's own wording instead of the proposed one.
        """
        found, inklings = self._found, self._inklings
        if found is None or found.is_gone:
            return False
        target, ref = found.target, found.proposal.ref
        if isinstance(target, PageComparison) or found.proposal.kind in ABOUT_PAGES:
            seen_page = target.seen if isinstance(target, PageComparison) else None
            return await self._decide(found, partial(accepted_page, inklings, ref, body, seen_page))
        version = target.version if target is not None else None
        do = partial(inklings.proposals.accept, ref, body=body, expected_version=version)
        text = tr("Accepted a proposal")
        return await self._decide(found, partial(accepted, inklings, target, do, text))

    async def reject(self, note: str = "") -> bool:
        """Decline, with a note that the agent can read; whether that was done."""
        found, inklings = self._found, self._inklings
        if found is None:
            return False
        reject, ref = inklings.proposals.reject, found.proposal.ref
        return await self._decide(found, lambda: (reject(ref, note), None))

    async def on_changes(self, changes: MemoryChanges) -> None:
        """Look again if a commit touched the proposal or what it is about."""
        found = self._found
        if found is None or self.is_deciding:
            return
        proposal = found.proposal
        if changes.workspace_id != proposal.workspace_id:
            return
        touched = changes.entries.union(changes.updated, changes.forgotten)
        if changes.reload or changes.proposals or proposal.target_id in touched:
            await self.open(proposal.ref)

    async def _decide(
        self, found: SeenProposal, decide: Callable[[], tuple[Proposal, Acceptance | None]]
    ) -> bool:
        if self.is_deciding:
            return False
        self.is_deciding = True
        self._show(self.view)
        try:
            decided = await said(self._context, self._context.background.write(decide))
        finally:
            self.is_deciding = False
        if decided is not None:
            self._decided(*decided)
        if self._found is found:
            if decided is None:
                await self.open(found.proposal.ref)
            else:
                self.show_nothing()
        return decided is not None

    async def _look(self, ref: ProposalRef) -> None:
        found = None
        try:
            found = await self._context.background.read(_answer, self._inklings, ref)
        except NotFoundError:
            pass
        except InklingsError as error:
            refuse(self._context, error)
            return
        if found is not None and not found.proposal.is_undecided:
            found = None
        self._found = found
        self._show(self.view)


def _answer(inklings: Inklings, ref: ProposalRef) -> SeenProposal:
    """A proposal and what it is about; runs on a reader.

    Raises:
        NotFoundError: There is no such proposal.
    """
    proposal = inklings.proposals.show(ref)
    try:
        target = target_of(inklings, proposal)
    except NotFoundError:
        return seen(proposal, None, is_gone=True)
    return seen(proposal, target, is_gone=False)


def target_of(inklings: Inklings, proposal: Proposal) -> Target:
    """What would change; None for what is new.

    Raises:
        NotFoundError: It is not there any more.
    """
    match proposal.kind:
        case ProposalKind.MEMORY_NEW | ProposalKind.NAMED_NEW:
            return None
        case ProposalKind.PAGE_NEW | ProposalKind.ACTIVITY:
            return None
        case ProposalKind.SKILL:
            is_new, here = not proposal.target_id, proposal.workspace_id
            return None if is_new else inklings.skills.show(here, proposal.target_name, "workspace")
        case ProposalKind.PAGE_EDIT | ProposalKind.PAGE_MOVE:
            page = inklings.page_proposals.compare(proposal.ref)
            if page.is_gone:
                raise NotFoundError("page", page.wish.path)
            return page
        case ProposalKind.NAMED_BODY:
            ref = EntryRef(proposal.tier, proposal.workspace_id, proposal.target_id)
            entry = inklings.entries.show(ref).entry
            if entry.is_deleted:
                raise NotFoundError("named_entry", entry.id)
            return entry
        case ProposalKind.MEMORY_EDIT | ProposalKind.MEMORY_FORGET | ProposalKind.MEMORY_REPLACE:
            memory_ref = MemoryRef(proposal.scope, proposal.target_id)
            memory = inklings.listing.show(memory_ref).entry
            if memory.is_forgotten:
                raise NotFoundError("memory", memory.id)
            return memory
