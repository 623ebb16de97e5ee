"""Joins the presenter and the pane of one proposal: the decision and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.entries.proposal.presenter import ProposalPresenter
from inklings_desktop.ui.entries.proposal.reject_dialog import RejectDialog
from inklings_desktop.ui.entries.questions import leave_wording_question
from inklings_desktop.ui.kit.dialogs.asking import answered

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.ui.entries.proposal.state import ProposalView
    from inklings_desktop.ui.entries.view import EntriesView
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class ProposalDesk(QObject):
    """One proposal on the Named entries page.

    Signals:
        decided: The ``Proposal`` that was just accepted or rejected.
        edit_requested: The ``Proposal`` whose text is to be opened in the editor of its entry.
        message_raised: A ``Message`` for the person.
    """

    decided = Signal(object)
    edit_requested = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, *, page: EntriesView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._page = page
        self.proposal = ProposalPresenter(background, inklings, self)
        self.proposal.view_changed.connect(self._on_view_changed)
        self.proposal.accepted.connect(self._on_proposal_accepted)
        self.proposal.rejected.connect(self._on_proposal_rejected)
        self.proposal.message_raised.connect(self.message_raised)
        pane = page.proposal
        pane.accept_requested.connect(self._on_accept_requested)
        pane.accept_edited_requested.connect(self._on_accept_edited_requested)
        pane.edit_requested.connect(self._on_edit_requested)
        pane.reject_requested.connect(self._on_reject_requested)

    async def may_leave(self) -> bool:
        """Whether the pane may show something else; asks when that would lose a wording."""
        if self.proposal.proposal is None or not self._page.proposal.is_edited:
            return True
        return bool(await answered(leave_wording_question(self._page.window())))

    def _spawn(self, action: Coroutine[Any, Any, object]) -> None:
        self._background.spawn(action)

    @Slot(object)
    def _on_view_changed(self, view: ProposalView) -> None:
        self._page.show_proposal(view)

    @Slot(object)
    def _on_proposal_accepted(self, proposal: Proposal) -> None:
        self._say(
            self.tr("Accepted. {name} has a new revision.").format(name=proposal.target_name)
            if proposal.target_name
            else self.tr("Accepted. It is done.")
        )
        self.decided.emit(proposal)

    @Slot(object)
    def _on_proposal_rejected(self, proposal: Proposal) -> None:
        self._say(
            self.tr("Rejected. {client} can read your note.").format(client=proposal.client)
            if proposal.note
            else self.tr("Rejected. Nothing was changed.")
        )
        self.decided.emit(proposal)

    @Slot()
    def _on_accept_requested(self) -> None:
        self._spawn(self.proposal.accept())

    @Slot(str)
    def _on_accept_edited_requested(self, wording: str) -> None:
        self._spawn(self.proposal.accept(wording))

    @Slot()
    def _on_edit_requested(self) -> None:
        if self.proposal.proposal is not None:
            self.edit_requested.emit(self.proposal.proposal)

    @Slot()
    def _on_reject_requested(self) -> None:
        self._spawn(self._reject())

    async def _reject(self) -> None:
        view = self.proposal.view
        dialog = RejectDialog(view.title, view.client, self._page.window())
        if await answered(dialog):
            await self.proposal.reject(dialog.note)

    def _say(self, text: str) -> None:
        self._page.toast.show_message(text, icon="check")
