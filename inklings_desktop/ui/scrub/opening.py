"""Joins the scrub dialog with its presenter; the Control plane opens it, and nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.dialogs.asking import begin_asking
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.scrub.dialog import ScrubDialog
from inklings_desktop.ui.scrub.presenter import ScrubPresenter

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.domain.scrub.manifest import ScrubOutcome
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.scrub.state import ScrubState
    from inklings_desktop.usecases.bundle import Inklings


_AGAIN_MS = 1_000


class ScrubDesk(QObject):
    """Opens the dialog, one at a time, and carries its wishes to the presenter.

    Signals:
        event_wanted: Workspace id (None: the account) and number of an event to show in the log.
        running_changed: Whether background work has to wait.
        executed: A ``ScrubOutcome``, once the removal was committed.
        message_raised: A ``Message``, when the dialog cannot even be opened.
        copy_wanted: The ``ScopeKey`` of which a copy is to be saved first.
    """

    event_wanted = Signal(object, int)
    running_changed = Signal(bool)
    executed = Signal(object)
    message_raised = Signal(object)
    copy_wanted = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        theme: Theme,
        window: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._theme = theme
        self._window = window
        self._is_opening = False
        self._unfinished: dict[tuple[str | None, int], ScrubOutcome] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_AGAIN_MS)
        self._later.timeout.connect(self._on_later_timeout)
        self.dialog: ScrubDialog | None = None
        self.presenter = ScrubPresenter(background, inklings, self)
        self.presenter.state_changed.connect(self._on_state_changed)
        self.presenter.running_changed.connect(self.running_changed)
        self.presenter.executed.connect(self._on_executed)

    def open(self, workspace_id: str, tier: Tier | None = None) -> None:
        """Show the dialog on its first step, with a tier chosen; nothing while one is open."""
        if self.dialog is None and not self._is_opening:
            self._is_opening = True
            self._begin(self.presenter.open(workspace_id, tier))

    def open_request(self, request: ScrubRequest, workspace_id: str) -> None:
        """Show the dialog on what an agent asks for; nothing while one is open.

        Args:
            request: The request.
            workspace_id: The workspace it is about; any for the account tier.
        """
        if self.dialog is None and not self._is_opening:
            self._is_opening = True
            self._begin(self.presenter.open_request(request, workspace_id))

    @Slot()
    def check_request(self) -> None:
        """What agents ask for has changed somewhere: the request on show may have ended."""
        if self.dialog is not None:
            self._spawn(self.presenter.check_request())

    async def _open_on(self, beginning: Coroutine[Any, Any, None]) -> None:
        try:
            await beginning
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        finally:
            self._is_opening = False
        dialog = self.dialog = ScrubDialog(self._theme, self._window)
        dialog.leave_requested.connect(self._on_leave_requested)
        dialog.back_requested.connect(self.presenter.back)
        dialog.count_requested.connect(self._on_count_requested)
        dialog.confirm_requested.connect(self._on_confirm_requested)
        dialog.execute_requested.connect(self._on_execute_requested)
        dialog.event_requested.connect(self._on_event_requested)
        dialog.copy_requested.connect(self._on_copy_requested)
        dialog.decline_requested.connect(self._on_decline_requested)
        dialog.scope.tier_chosen.connect(self.presenter.choose_tier)
        dialog.scope.room_chosen.connect(self.presenter.choose_room)
        dialog.scope.mode_chosen.connect(self.presenter.choose_mode)
        dialog.confirm.phrase_typed.connect(self.presenter.type_phrase)
        dialog.confirm.paste_refused.connect(self.presenter.refuse_paste)
        dialog.confirm.read_changed.connect(self._on_read_changed)
        dialog.show_state(self.presenter.state)
        dialog.show_over_window()

    def _begin(self, beginning: Coroutine[Any, Any, None]) -> None:
        """Keys from now on are not for the page below, nor for a dialog that nobody has read."""
        begin_asking(self._background, self._open_on(beginning), self._window)

    def _spawn(self, action: Coroutine[Any, Any, object]) -> None:
        self._background.spawn(action)

    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.let_go()
        self.presenter.close()

    @Slot(object)
    def _on_state_changed(self, state: ScrubState) -> None:
        if self.dialog is not None:
            self.dialog.show_state(state)

    @Slot(object)
    def _on_executed(self, outcome: ScrubOutcome) -> None:
        if not outcome.is_finished:
            self._unfinished[_key(outcome)] = outcome
            self._later.start()
        self.executed.emit(outcome)

    @Slot()
    def _on_later_timeout(self) -> None:
        self._spawn(self._follow_up())

    async def _follow_up(self) -> None:
        """Look whether what is pending is proved by now, until it is; the dialog may be gone."""
        for key, outcome in tuple(self._unfinished.items()):
            now = await self.presenter.follow_up(outcome)
            if now.is_finished:
                del self._unfinished[key]
            else:
                self._unfinished[key] = now
        if self._unfinished:
            self._later.start()

    @Slot()
    def _on_leave_requested(self) -> None:
        if self.presenter.may_close():
            self._close()

    @Slot()
    def _on_count_requested(self) -> None:
        self._spawn(self.presenter.count())

    @Slot()
    def _on_confirm_requested(self) -> None:
        self._spawn(self.presenter.go_on())

    @Slot()
    def _on_execute_requested(self) -> None:
        self._spawn(self.presenter.execute())

    @Slot(bool)
    def _on_read_changed(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.presenter.tick(has_read=on)

    @Slot()
    def _on_decline_requested(self) -> None:
        self._spawn(self._decline())

    async def _decline(self) -> None:
        if await self.presenter.decline():
            self._close()

    @Slot()
    def _on_copy_requested(self) -> None:
        scope = self.presenter.state.scope
        if scope is not None:
            self.copy_wanted.emit(scope)

    @Slot()
    def _on_event_requested(self) -> None:
        outcome = self.presenter.state.outcome
        if outcome is not None:
            self._close()
            self.event_wanted.emit(outcome.manifest.scope.workspace_id, outcome.event_number)


def _key(outcome: ScrubOutcome) -> tuple[str | None, int]:
    """Numbers of events are counted per file."""
    return outcome.manifest.scope.workspace_id, outcome.event_number
