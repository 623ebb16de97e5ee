"""One thing an agent asks the author to accept: what it would change, and the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.entries.named_entry import EntryRef
from inklings_desktop.domain.entries.proposals import ProposalKind
from inklings_desktop.domain.errors import InklingsError, NotFoundError
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.ui.entries.messages import entry_message
from inklings_desktop.ui.entries.proposal.state import seen, view_of
from inklings_desktop.ui.kit.ops.background import Latest

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.entries.proposal.state import ProposalView, SeenProposal, Target
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class ProposalPresenter(QObject):
    """Shows one proposal at a time and carries out the decision; knows no widgets.

    What the person accepts is what was on show: if the target changed meanwhile, nothing is done
    and the proposal is shown anew.

    Signals:
        view_changed: The ``ProposalView`` to show.
        accepted: The ``Proposal``, once what it asks for was done.
        rejected: The ``Proposal``, once it was declined.
        message_raised: A ``Message`` for the person.
    """

    view_changed = Signal(object)
    accepted = Signal(object)
    rejected = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._looking = Latest(background)
        self._found: SeenProposal | None = None
        self._is_deciding = False

    @property
    def view(self) -> ProposalView:
        """What is to be shown now."""
        return view_of(self._found, self._inklings.clock(), is_deciding=self._is_deciding)

    @property
    def proposal(self) -> Proposal | None:
        """The proposal that is shown."""
        return self._found.proposal if self._found else None

    def show_nothing(self) -> None:
        """Show no proposal."""
        self._looking.cancel()
        self._found = None
        self.view_changed.emit(self.view)

    async def open(self, ref: ProposalRef) -> None:
        """Show a proposal beside what it is about; any later request overtakes this one."""
        self._looking.run(self._look(ref))
        await self._looking.settled()

    async def accept(self, body: str | None = None) -> bool:
        """Do what is asked for; whether it was done.

        Args:
            body: The author's own wording instead of the proposed one.
        """
        found = self._found
        if found is None or found.is_gone:
            return False
        version = found.target.version if found.target is not None else None

        def decide(inklings: Inklings) -> Proposal:
            return inklings.accept_proposal(
                inklings.caller, found.proposal.ref, body=body, expected_version=version
            )

        decided = await self._decide(found, decide)
        if decided is not None:
            self.accepted.emit(decided)
        return decided is not None

    async def reject(self, note: str = "") -> bool:
        """Decline, with a note that the agent can read; whether that was done."""
        found = self._found
        if found is None:
            return False

        def decide(inklings: Inklings) -> Proposal:
            return inklings.reject_proposal(inklings.caller, found.proposal.ref, note)

        decided = await self._decide(found, decide)
        if decided is not None:
            self.rejected.emit(decided)
        return decided is not None

    async def on_changes(self, changes: MemoryChanges) -> None:
        """Look again if a commit touched the proposal or what it is about."""
        found = self._found
        if found is None or self._is_deciding:
            return
        proposal = found.proposal
        if changes.workspace_id != proposal.workspace_id:
            return
        touched = changes.entries.union(changes.updated, changes.forgotten)
        if changes.reload or changes.proposals or proposal.target_id in touched:
            await self.open(proposal.ref)

    async def _decide(
        self, found: SeenProposal, decide: Callable[[Inklings], Proposal]
    ) -> Proposal | None:
        if self._is_deciding:
            return None
        self._is_deciding = True
        self.view_changed.emit(self.view)
        decided = None
        try:
            decided = await self._background.write(decide, self._inklings)
        except InklingsError as error:
            self.message_raised.emit(entry_message(error))
        finally:
            self._is_deciding = False
        if self._found is found:
            if decided is None:
                await self.open(found.proposal.ref)
            else:
                self.show_nothing()
        return decided

    async def _look(self, ref: ProposalRef) -> None:
        found = None
        try:
            found = await self._background.read(_answer, self._inklings, ref)
        except NotFoundError:
            pass
        except InklingsError as error:
            self.message_raised.emit(entry_message(error))
            return
        if found is not None and not found.proposal.is_undecided:
            found = None
        self._found = found
        self.view_changed.emit(self.view)


def _answer(inklings: Inklings, ref: ProposalRef) -> SeenProposal:
    """A proposal and what it is about; runs on a reader.

    Raises:
        NotFoundError: There is no such proposal.
    """
    proposal = inklings.show_proposal(inklings.caller, ref)
    try:
        target = _target(inklings, proposal)
    except NotFoundError:
        return seen(proposal, None, is_gone=True)
    return seen(proposal, target, is_gone=False)


def _target(inklings: Inklings, proposal: Proposal) -> Target:
    """What would change; None for what is new.

    Raises:
        NotFoundError: It is not there any more.
    """
    match proposal.kind:
        case ProposalKind.MEMORY_NEW | ProposalKind.NAMED_NEW:
            return None
        case ProposalKind.NAMED_BODY:
            ref = EntryRef(proposal.tier, proposal.workspace_id, proposal.target_id)
            entry = inklings.show_entry(inklings.caller, ref).entry
            if entry.is_deleted:
                raise NotFoundError("named_entry", entry.id)
            return entry
        case ProposalKind.MEMORY_EDIT | ProposalKind.MEMORY_FORGET | ProposalKind.MEMORY_REPLACE:
            memory_ref = MemoryRef(proposal.scope, proposal.target_id)
            memory = inklings.show_memory(inklings.caller, memory_ref).entry
            if memory.is_forgotten:
                raise NotFoundError("memory", memory.id)
            return memory
