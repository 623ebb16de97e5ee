"""Leads through a scrub: scope, dry run, confirmation, execution, result; knows no widgets."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ManifestChangedError, ScrubMode
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestEndedError, ScrubRequestState
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.scrub.calls import choices_of, proof_from_log, with_counts
from inklings_desktop.ui.scrub.notices import (
    broken_off_notice,
    changed_notice,
    problem_notice,
    renewed_notice,
)
from inklings_desktop.ui.scrub.state import (
    TIERS_WITH_NAMES,
    TIERS_WITH_ROOMS,
    ScrubCopy,
    ScrubProgress,
    ScrubState,
    ScrubStep,
)
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.manifest import ScrubManifest, ScrubOutcome
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

_REPORT_SECONDS = 0.1


class ScrubPresenter(QObject):
    """One scrub from the first choice to its result.

    Until ``execute`` has begun everything can be left at any moment and nothing was changed.

    Signals:
        state_changed: The ``ScrubState`` to show.
        running_changed: Whether background work has to wait.
        executed: The ``ScrubOutcome``, once the removal was committed.
    """

    state_changed = Signal(object)
    running_changed = Signal(bool)
    executed = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._looking = Latest(background)
        self._state = ScrubState()
        self._turn = 0

    @property
    def state(self) -> ScrubState:
        """What is on show."""
        return self._state

    # -- step 1 -------------------------------------------------------------------------

    async def open(self, workspace_id: str, tier: Tier | None = None) -> None:
        """Begin: count the tiers of a workspace and choose one of them.

        Raises:
            InklingsError: The workspace cannot be read.
        """
        inklings = self._inklings
        workspace = await self._background.read(
            inklings.find_workspace, inklings.caller, workspace_id
        )
        choices = await self._background.read(choices_of, inklings, workspace_id)
        self._show(
            ScrubState(
                workspace_id=workspace_id,
                workspace_name=workspace.name,
                operator=inklings.caller.name,
                choices=choices,
                tier=tier or Tier.WORKSPACE,
            )
        )

    async def open_request(self, request: ScrubRequest, workspace_id: str) -> None:
        """Begin with what an agent asks for: its scope and mode are given, and counted at once.

        Args:
            request: The request.
            workspace_id: The workspace it is about; any for the account tier.

        Raises:
            InklingsError: The place cannot be read, or is gone.
        """
        inklings, background = self._inklings, self._background
        workspace = await background.read(inklings.find_workspace, inklings.caller, workspace_id)
        choices = await background.read(choices_of, inklings, workspace_id)
        manifest = await background.read(
            inklings.preview_scrub, inklings.caller, request.scope, request.mode
        )
        is_room = request.scope.tier in TIERS_WITH_ROOMS
        self._show(
            ScrubState(
                workspace_id=workspace_id,
                workspace_name=workspace.name,
                operator=inklings.caller.name,
                choices=tuple(
                    replace(one, room_id=request.scope.key)
                    if is_room and one.tier is request.scope.tier
                    else one
                    for one in choices
                ),
                tier=request.scope.tier,
                mode=request.mode,
                request=request,
            )
        )
        self._show_manifest(manifest)
        await self.check_request()
        await self._find_exports(request.scope)

    async def check_request(self) -> None:
        """Ask whether the request on show still holds; if not, that is said in its place."""
        state = self._state
        if state.request is None or state.manifest is None or state.step > ScrubStep.CONFIRM:
            return
        inklings = self._inklings
        try:
            now = await self._background.write(
                inklings.check_scrub_request,
                inklings.caller,
                state.request.id,
                state.manifest.digest,
            )
        except InklingsError as error:
            notice = problem_notice(error, removing=False)
            self._show(replace(self._state, notice=notice))
            return
        if self._state.request == state.request and self._state.step <= ScrubStep.CONFIRM:
            self._show_request(now)

    async def decline(self) -> bool:
        """Turn the request on show down; whether that was kept."""
        request, inklings = self._state.request, self._inklings
        if request is None:
            return False
        try:
            await self._background.write(inklings.decline_scrub, inklings.caller, request.id)
        except InklingsError as error:
            notice = problem_notice(error, removing=False)
            self._show(replace(self._state, notice=notice))
            return False
        return True

    def choose_tier(self, tier: Tier) -> None:
        """Clear this tier."""
        if tier is not self._state.tier:
            # A tier without named entries has nothing to choose between.
            self._drop_count()
            self._drop_copy()
            mode = self._state.mode if tier in TIERS_WITH_NAMES else ScrubMode.KEEP_NAMED
            self._show(replace(self._state, tier=tier, mode=mode, notice=None))

    def choose_room(self, tier: Tier, room_id: str) -> None:
        """Clear this conversation or channel; its tier is chosen with it."""
        choices = tuple(
            replace(one, room_id=room_id) if one.tier is tier else one
            for one in self._state.choices
        )
        self._drop_count()
        self._drop_copy()
        self.choose_tier(tier)
        self._show(replace(self._state, choices=choices, notice=None))
        self._looking.run(self._count_room(tier, room_id))

    def choose_mode(self, mode: ScrubMode) -> None:
        """Spare named entries, or nothing."""
        if mode is not self._state.mode:
            self._drop_count()
            self._show(replace(self._state, mode=mode))

    async def count(self) -> None:
        """Make the dry run and show it; nothing is changed."""
        state = self._state
        if not state.can_count or state.step is not ScrubStep.SCOPE:
            return
        manifest = await self._counted()
        if manifest is not None:
            self._show_manifest(manifest)
            await self._find_exports(manifest.scope)

    async def note_copy(self, copy: ScrubCopy, scope: ScopeKey) -> None:
        """A copy of a scope was saved; it is named until another one is chosen."""
        if self._state.scope == scope:
            self._show(replace(self._state, copy=copy))
            await self._find_exports(scope)

    # -- steps 2 and 3 ------------------------------------------------------------------

    def back(self) -> None:
        """One step back; what was typed is dropped."""
        step = self._state.step
        if step is ScrubStep.DRY_RUN and self._state.request is not None:
            return  # scope and mode are the agent's; there is nothing to choose
        if step in {ScrubStep.DRY_RUN, ScrubStep.CONFIRM}:
            self._drop_count()
            self._show(_untyped(replace(self._state, step=ScrubStep(step - 1), notice=None)))

    async def go_on(self) -> None:
        """From the dry run to the confirmation; an old count is made again first."""
        if self._state.step is not ScrubStep.DRY_RUN or not self._state.can_continue:
            return
        if await self._is_fresh():
            self._show(_untyped(replace(self._state, step=ScrubStep.CONFIRM, notice=None)))

    def type_phrase(self, text: str) -> None:
        """The phrase as far as it is typed."""
        if text != self._state.typed:
            self._show(replace(self._state, typed=text, is_paste_refused=False))

    def refuse_paste(self) -> None:
        """Something was pasted; it is not taken."""
        self._show(replace(self._state, is_paste_refused=True))

    def tick(self, *, has_read: bool) -> None:
        """The box was ticked, or not any more."""
        if has_read != self._state.has_read:
            self._show(replace(self._state, has_read=has_read))

    async def execute(self) -> None:
        """Remove what was confirmed; if anything differs, show the new count instead."""
        if not self._state.can_execute or not await self._is_fresh():
            return
        state, manifest = self._state, self._state.manifest
        if manifest is None:
            return
        self._show(replace(state, step=ScrubStep.RUNNING, notice=None, progress=ScrubProgress()))
        try:
            outcome = await self._background.write(
                self._execution(manifest),
                token=manifest.token,
                phrase=state.typed.strip(),
                progress=Progress(self._reporter()),
            )
        except ManifestChangedError as error:
            self._show_manifest(error.manifest)
            if state.request is None:
                self._show(replace(self._state, notice=changed_notice()))
            else:
                await self.check_request()
        except ScrubRequestEndedError as error:
            self._show(_untyped(replace(self._state, step=ScrubStep.DRY_RUN)))
            self._show_request(error.request)
        except InvalidValueError as error:
            self._show(replace(self._state, step=ScrubStep.CONFIRM))
            if error.field == "token":
                await self._renew()
            else:
                notice = problem_notice(error, removing=True)
                self._show(replace(self._state, notice=notice))
        except InklingsError as error:
            notice = problem_notice(error, removing=True)
            self._show(replace(self._state, step=ScrubStep.CONFIRM, notice=notice))
        except Exception:
            notice = broken_off_notice()
            self._show(_untyped(replace(self._state, step=ScrubStep.SCOPE, notice=notice)))
            raise
        else:
            self._show(replace(self._state, step=ScrubStep.RESULT, outcome=outcome))
            self.executed.emit(outcome)

    async def follow_up(self, outcome: ScrubOutcome) -> ScrubOutcome:
        """How a pending purge stands now; the dialog shows it, if it still shows this scrub.

        The purge itself is finished in the background; its proof stands in the log.
        """
        try:
            now = await self._background.read(proof_from_log, self._inklings, outcome)
        except InklingsError:
            return outcome
        if self._state.outcome == outcome:
            self._show(replace(self._state, outcome=now))
        return now

    # -- leaving ------------------------------------------------------------------------

    def may_close(self) -> bool:
        """Whether the dialog may go; while it removes it stays, and says why."""
        if self._state.step is not ScrubStep.RUNNING:
            return True
        if not self._state.is_close_refused:
            self._show(replace(self._state, is_close_refused=True))
        return False

    def close(self) -> None:
        """The dialog is gone: background work may go on."""
        self._looking.cancel()
        self._drop_count()
        self._show(ScrubState())

    # -- inside -------------------------------------------------------------------------

    def _show(self, state: ScrubState) -> None:
        if state == self._state:
            return
        paused_before, self._state = self._state.pauses_background, state
        if state.pauses_background != paused_before:
            self.running_changed.emit(state.pauses_background)
        self.state_changed.emit(state)

    def _execution(self, manifest: ScrubManifest) -> Callable[..., ScrubOutcome]:
        """What removes: the person's own scrub, or the one that an agent asked for."""
        inklings, request = self._inklings, self._state.request
        if request is None:
            return partial(inklings.execute_scrub, inklings.caller, manifest.scope, manifest.mode)
        return partial(inklings.confirm_scrub, inklings.caller, request.id)

    def _show_request(self, request: ScrubRequest) -> None:
        """The request as it stands; one that has ended takes the person back to the count."""
        state = replace(self._state, request=request)
        if request.state is not ScrubRequestState.WAITING:
            state = _untyped(replace(state, step=ScrubStep.DRY_RUN, notice=None))
        self._show(state)

    def _show_manifest(self, manifest: ScrubManifest) -> None:
        shown = replace(
            self._state, step=ScrubStep.DRY_RUN, manifest=manifest, is_counting=False, notice=None
        )
        self._show(_untyped(shown))

    async def _counted(self) -> ScrubManifest | None:
        """A fresh count of what is chosen; None when it failed, or was overtaken."""
        scope, mode = self._state.scope, self._state.mode
        if scope is None:
            return None
        self._turn += 1
        turn = self._turn
        self._show(replace(self._state, is_counting=True, notice=None))
        inklings = self._inklings
        notice = None
        manifest = None
        try:
            manifest = await self._background.read(
                inklings.preview_scrub, inklings.caller, scope, mode
            )
        except InklingsError as error:
            notice = problem_notice(error, removing=False)
        finally:
            if turn == self._turn:
                self._show(replace(self._state, is_counting=False, notice=notice))
        return manifest if turn == self._turn else None

    async def _find_exports(self, scope: ScopeKey) -> None:
        inklings = self._inklings
        try:
            found = await self._background.read(inklings.list_exports, inklings.caller, scope)
        except InklingsError:
            return  # the count stands; what left the program before is only a help
        if self._state.scope == scope:
            self._show(replace(self._state, exports=found))

    def _drop_count(self) -> None:
        """Whatever count is under way is no longer wanted."""
        self._turn += 1
        self._state = replace(self._state, is_counting=False)

    def _drop_copy(self) -> None:
        """Another scope: what was saved was of the one before."""
        self._state = replace(self._state, copy=None, exports=())

    async def _is_fresh(self) -> bool:
        """Whether the count on show may still be confirmed; an old one is made again."""
        manifest = self._state.manifest
        if manifest is None:
            return False
        if self._inklings.clock() < manifest.expires_at:
            return True
        await self._renew()
        return False

    async def _renew(self) -> None:
        """Count again; the person stays where they are unless something changed."""
        before = self._state.manifest
        manifest = await self._counted()
        if manifest is None or before is None:
            return
        if manifest.digest == before.digest:
            self._show(replace(self._state, manifest=manifest, notice=renewed_notice()))
            return
        self._show_manifest(manifest)
        if self._state.request is None:
            self._show(replace(self._state, notice=changed_notice()))
        else:
            await self.check_request()

    async def _count_room(self, tier: Tier, room_id: str) -> None:
        choice = next(one for one in self._state.choices if one.tier is tier)
        try:
            counted = await self._background.read(
                with_counts, self._inklings, self._state.workspace_id, choice
            )
        except InklingsError as error:
            self._show(replace(self._state, notice=problem_notice(error, removing=False)))
            return
        choices = tuple(
            counted if one.tier is tier and one.room_id == room_id else one
            for one in self._state.choices
        )
        self._show(replace(self._state, choices=choices))

    def _reporter(self) -> Callable[[str, int, int], None]:
        """Takes reports on the working thread and brings them here, at most ten a second."""
        loop = asyncio.get_running_loop()
        last_step, last_time = "", 0.0

        def report(step: str, done: int, total: int) -> None:
            nonlocal last_step, last_time
            now = time.monotonic()
            if step != last_step or now - last_time >= _REPORT_SECONDS:
                last_step, last_time = step, now
                loop.call_soon_threadsafe(self._on_progress, ScrubProgress(step, done, total))

        return report

    def _on_progress(self, progress: ScrubProgress) -> None:
        if self._state.step is ScrubStep.RUNNING:
            self._show(replace(self._state, progress=progress))


def _untyped(state: ScrubState) -> ScrubState:
    """The state without phrase and tick: every confirmation begins anew."""
    return replace(state, typed="", is_paste_refused=False, has_read=False)
