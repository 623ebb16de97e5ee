"""Leads through a scrub: scope, dry run, confirmation, execution, result."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ChosenScope, ManifestChangedError, ScrubMode
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestEndedError
from inklings_desktop.ui.kit.dialogs.ask import begin_asking
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.destinations import ToEvent
from inklings_desktop.ui.kit.page.process import Process, reports_to
from inklings_desktop.ui.scrub.dialog import ScrubDialog
from inklings_desktop.ui.scrub.notices import (
    broken_off_notice,
    changed_notice,
    problem_notice,
    renewed_notice,
)
from inklings_desktop.ui.scrub.reads import PendingPurges, first_state, proof_from_log, with_counts
from inklings_desktop.ui.scrub.state import (
    TIERS_WITH_NAMES,
    TIERS_WITH_ROOMS,
    ScrubProgress,
    ScrubState,
    ScrubStep,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.manifest import ScrubManifest, ScrubOutcome
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.scrub.state import ScrubCopy


class ScrubProcess(Process[ScrubState, ScrubDialog]):
    """One scrub from the first choice to its result; the Control plane opens it, nothing else.

    Until ``execute`` has begun everything can be left at any moment and nothing was changed.

    Signals:
        running_changed: Whether background work has to wait.
        executed: A ``ScrubOutcome``, once the removal was committed.
        copy_wanted: The ``ScopeKey`` of which a copy is to be saved first.
    """

    running_changed = Signal(bool)
    executed = Signal(object)
    copy_wanted = Signal(object)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, ScrubState(), parent)
        self._is_opening = False
        self._turn = 0
        self._looking = Latest(context.background)
        self._purges = PendingPurges(context.background, self.follow_up, self)

    # -- the dialog -----------------------------------------------------------------------

    def open(self, workspace_id: str, tier: Tier | None = None) -> None:
        """Show the dialog on its first step, with a tier chosen; nothing while one is open."""
        self._open(self.begin(workspace_id, tier))

    def open_given(
        self,
        scope: ScopeKey,
        mode: ScrubMode,
        workspace_id: str,
        request: ScrubRequest | None = None,
    ) -> None:
        """Show the dialog on the count of what was chosen elsewhere; nothing while one is open.

        Args:
            scope: What would be cleared.
            mode: What is spared.
            workspace_id: The workspace it is about; any for the account.
            request: The agent's, if it chose.
        """
        self._open(self.begin_given(scope, mode, workspace_id, request))

    def _open(self, beginning: Coroutine[Any, Any, None]) -> None:
        if self.dialog is not None or self._is_opening:
            beginning.close()
            return
        self._is_opening = True
        # Keys from now on are not for the page below, nor for a dialog that nobody has read.
        begin_asking(self.background, self._opened(beginning), self.context.window)

    async def _opened(self, beginning: Coroutine[Any, Any, None]) -> None:
        try:
            await beginning
        finally:
            self._is_opening = False
        dialog = ScrubDialog(self.context.theme, self.context.window)
        dialog.scope.tier_chosen.connect(self.choose_tier)
        dialog.scope.room_chosen.connect(self.choose_room)
        dialog.scope.mode_chosen.connect(self.choose_mode)
        dialog.scope_foot.count.clicked.connect(self.starts(self.count))
        dialog.manifest_foot.save_copy.clicked.connect(self._on_save_copy_clicked)
        dialog.manifest_foot.back.clicked.connect(self.back)
        dialog.manifest_foot.decline.clicked.connect(self.starts(self.decline))
        dialog.manifest_foot.go_on.clicked.connect(self.starts(self.go_on))
        dialog.confirm.field.textChanged.connect(self.type_phrase)
        dialog.confirm.field.paste_refused.connect(self.refuse_paste)
        dialog.confirm.box.toggled.connect(self.tick)
        dialog.confirm_foot.back.clicked.connect(self.back)
        dialog.confirm_foot.execute.clicked.connect(self.starts(self.execute))
        dialog.outcome_foot.show_event.clicked.connect(self._on_show_event_clicked)
        self.show_dialog(dialog)

    def show(self, state: ScrubState) -> None:
        """Show another state; background work waits while it has to."""
        if state == self.state:
            return
        if state.pauses_background != self.state.pauses_background:
            self.state = state
            self.running_changed.emit(state.pauses_background)
        super().show(state)

    def may_leave(self) -> bool:
        """Whether the dialog may go; while it removes it stays, and says why."""
        if self.state.step is not ScrubStep.RUNNING:
            return True
        self.change(is_close_refused=True)
        return False

    def ended(self) -> None:
        """The dialog is gone: background work may go on."""
        self._looking.cancel()
        self._drop_count()
        self.show(ScrubState())

    @Slot()
    def _on_save_copy_clicked(self) -> None:
        if self.state.scope is not None:
            self.copy_wanted.emit(self.state.scope)

    @Slot()
    def _on_show_event_clicked(self) -> None:
        outcome = self.state.outcome
        if outcome is not None:
            self.close()
            scope = outcome.manifest.scope
            self.context.go(ToEvent(scope.workspace_id, outcome.event_number))

    # -- step 1 -------------------------------------------------------------------------

    async def begin(self, workspace_id: str, tier: Tier | None = None) -> None:
        """Count the tiers of a workspace and choose one of them.

        Raises:
            InklingsError: The workspace cannot be read.
        """
        state = await self.background.read(first_state, self.inklings, workspace_id)
        self.show(replace(state, tier=tier or Tier.WORKSPACE))

    async def begin_given(
        self, scope: ScopeKey, mode: ScrubMode, workspace_id: str, request: ScrubRequest | None
    ) -> None:
        """Begin with what was chosen elsewhere, and counted at once; as ``open_given``.

        Raises:
            InklingsError: The place cannot be read, or is gone.
        """
        inklings, read = self.inklings, self.background.read
        state = await read(first_state, inklings, workspace_id)
        manifest = await read(inklings.scrub.preview, scope, mode)
        if scope.tier in TIERS_WITH_ROOMS:
            state = state.with_room(scope.tier, scope.key)
        chosen = scope if isinstance(scope, ChosenScope) else None
        self.show(replace(state, tier=scope.tier, mode=mode, request=request, chosen=chosen))
        self.show(self.state.counted(manifest))
        await self.check_request()
        await self._find_exports(scope)

    @Slot(object)
    def choose_tier(self, tier: Tier) -> None:
        """Clear this tier."""
        if tier is not self.state.tier:
            # A tier without named entries has nothing to choose between.
            mode = self.state.mode if tier in TIERS_WITH_NAMES else ScrubMode.KEEP_NAMED
            self._drop_count()
            self.change(tier=tier, mode=mode, notice=None, copy=None, exports=())

    @Slot(object, str)
    def choose_room(self, tier: Tier, room_id: str) -> None:
        """Clear this conversation or channel; its tier is chosen with it."""
        state = self.state.with_room(tier, room_id)
        self._drop_count()
        self.choose_tier(tier)
        self.change(choices=state.choices, notice=None, copy=None, exports=())
        self._looking.run(self._count_room(tier, room_id))

    @Slot(object)
    def choose_mode(self, mode: ScrubMode) -> None:
        """Spare named entries, or nothing."""
        if mode is not self.state.mode:
            self._drop_count()
            self.change(mode=mode)

    async def count(self) -> None:
        """Make the dry run and show it; nothing is changed."""
        if not self.state.can_count or self.state.step is not ScrubStep.SCOPE:
            return
        manifest = await self._counted()
        if manifest is not None:
            self.show(self.state.counted(manifest))
            await self._find_exports(manifest.scope)

    async def note_copy(self, copy: ScrubCopy, scope: ScopeKey) -> None:
        """A copy of a scope was saved; it is named until another one is chosen."""
        if self.state.scope == scope:
            self.change(copy=copy)
            await self._find_exports(scope)

    async def _count_room(self, tier: Tier, room_id: str) -> None:
        choice = next(one for one in self.state.choices if one.tier is tier)
        try:
            counted = await self.background.read(
                with_counts, self.inklings, self.state.workspace_id, choice
            )
        except InklingsError as error:
            self.change(notice=problem_notice(error, removing=False))
            return
        choices = tuple(
            counted if one.tier is tier and one.room_id == room_id else one
            for one in self.state.choices
        )
        self.change(choices=choices)

    async def _find_exports(self, scope: ScopeKey) -> None:
        inklings = self.inklings
        try:
            found = await self.background.read(inklings.transfer.list_exports, scope)
        except InklingsError:
            return  # the count stands; what left the program before is only a help
        if self.state.scope == scope:
            self.change(exports=found)

    # -- a request --------------------------------------------------------------------------

    @Slot()
    def on_requests_changed(self) -> None:
        """What agents ask for has changed somewhere: the request on show may have ended."""
        if self.dialog is not None:
            self.spawn(self.check_request())

    async def check_request(self) -> None:
        """Ask whether the request on show still holds; if not, that is said in its place."""
        state, inklings = self.state, self.inklings
        if state.request is None or state.manifest is None or state.step > ScrubStep.CONFIRM:
            return
        try:
            now = await self.background.write(
                inklings.scrub.check_request, state.request.id, state.manifest.digest
            )
        except InklingsError as error:
            self.change(notice=problem_notice(error, removing=False))
            return
        if self.state.request == state.request and self.state.step <= ScrubStep.CONFIRM:
            self.show(self.state.asked(now))

    async def decline(self) -> None:
        """Turn the request on show down; the dialog goes once that was kept."""
        request, inklings = self.state.request, self.inklings
        if request is None:
            return
        try:
            await self.background.write(inklings.scrub.decline, request.id)
        except InklingsError as error:
            self.change(notice=problem_notice(error, removing=False))
        else:
            self.close()

    # -- steps 2 and 3 ------------------------------------------------------------------

    @Slot()
    def back(self) -> None:
        """One step back; what was typed is dropped."""
        step = self.state.step
        if step is ScrubStep.DRY_RUN and self.state.is_given:
            return  # there is nothing to choose
        if step in {ScrubStep.DRY_RUN, ScrubStep.CONFIRM}:
            self._drop_count()
            self.show(self.state.at(ScrubStep(step - 1)))

    async def go_on(self) -> None:
        """From the dry run to the confirmation; an old count is made again first."""
        if self.state.step is not ScrubStep.DRY_RUN or not self.state.can_continue:
            return
        if await self._is_fresh():
            self.show(self.state.at(ScrubStep.CONFIRM))

    @Slot(str)
    def type_phrase(self, text: str) -> None:
        """The phrase as far as it is typed."""
        if text != self.state.typed:
            self.change(typed=text, is_paste_refused=False)

    @Slot()
    def refuse_paste(self) -> None:
        """Something was pasted; it is not taken."""
        self.change(is_paste_refused=True)

    @Slot(bool)
    def tick(self, has_read: bool) -> None:  # noqa: FBT001 - Qt's signal
        """The box was ticked, or not any more."""
        self.change(has_read=has_read)

    async def execute(self) -> None:
        """Remove what was confirmed; if anything differs, show the new count instead."""
        if not self.state.can_execute or not await self._is_fresh():
            return
        state, manifest = self.state, self.state.manifest
        if manifest is None:
            return
        self.change(step=ScrubStep.RUNNING, notice=None, progress=ScrubProgress())
        try:
            outcome = await self.background.write(
                self._execution(manifest),
                token=manifest.token,
                phrase=state.typed.strip(),
                progress=reports_to(self._on_progress),
            )
        except ManifestChangedError as error:
            await self._show_changed(error.manifest)
        except ScrubRequestEndedError as error:
            self.show(self.state.at(ScrubStep.DRY_RUN).asked(error.request))
        except InvalidValueError as error:
            self.change(step=ScrubStep.CONFIRM)
            if error.field == "token":
                await self._renew()
            else:
                self.change(notice=problem_notice(error, removing=True))
        except InklingsError as error:
            self.change(step=ScrubStep.CONFIRM, notice=problem_notice(error, removing=True))
        except Exception:
            self.show(replace(self.state.at(ScrubStep.SCOPE), notice=broken_off_notice()))
            raise
        else:
            self.change(step=ScrubStep.RESULT, outcome=outcome)
            self._purges.note(outcome)
            self.executed.emit(outcome)

    def _execution(self, manifest: ScrubManifest) -> Callable[..., ScrubOutcome]:
        """What removes: the person's own scrub, or the one that an agent asked for."""
        inklings, request = self.inklings, self.state.request
        if request is None:
            return partial(inklings.scrub.execute, manifest.scope, manifest.mode)
        return partial(inklings.scrub.confirm, request.id)

    def _on_progress(self, step: str, done: int, total: int) -> None:
        if self.state.step is ScrubStep.RUNNING:
            self.change(progress=ScrubProgress(step, done, total))

    # -- counts -------------------------------------------------------------------------

    async def _counted(self) -> ScrubManifest | None:
        """A fresh count of what is chosen; None when it failed, or was overtaken."""
        scope, mode, inklings = self.state.scope, self.state.mode, self.inklings
        if scope is None:
            return None
        self._turn += 1
        turn = self._turn
        self.change(is_counting=True, notice=None)
        notice = manifest = None
        try:
            manifest = await self.background.read(inklings.scrub.preview, scope, mode)
        except InklingsError as error:
            notice = problem_notice(error, removing=False)
        finally:
            if turn == self._turn:
                self.change(is_counting=False, notice=notice)
        return manifest if turn == self._turn else None

    def _drop_count(self) -> None:
        """Whatever count is under way is no longer wanted."""
        self._turn += 1
        self.state = replace(self.state, is_counting=False)

    async def _is_fresh(self) -> bool:
        """Whether the count on show may still be confirmed; an old one is made again."""
        manifest = self.state.manifest
        if manifest is None:
            return False
        if self.inklings.clock() < manifest.expires_at:
            return True
        await self._renew()
        return False

    async def _renew(self) -> None:
        """Count again; the person stays where they are unless something changed."""
        before = self.state.manifest
        manifest = await self._counted()
        if manifest is None or before is None:
            return
        if manifest.digest == before.digest:
            self.change(manifest=manifest, notice=renewed_notice())
        else:
            await self._show_changed(manifest)

    async def _show_changed(self, manifest: ScrubManifest) -> None:
        """Another count than the one that was confirmed: said, or what that means for a request."""
        self.show(self.state.counted(manifest))
        if self.state.request is None:
            self.change(notice=changed_notice())
        else:
            await self.check_request()

    # -- afterwards -----------------------------------------------------------------------

    async def follow_up(self, outcome: ScrubOutcome) -> ScrubOutcome:
        """How a pending purge stands now; the dialog shows it, if it still shows this scrub.

        The purge itself is finished in the background; its proof stands in the log.
        """
        try:
            now = await self.background.read(proof_from_log, self.inklings, outcome)
        except InklingsError:
            return outcome
        if self.state.outcome == outcome:
            self.change(outcome=now)
        return now
