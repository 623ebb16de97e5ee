"""Leads through the review of one consolidation: plan, decisions, run, result."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.ui.consolidation.reads import (
    Opened,
    Reviewed,
    expected_texts,
    looked_at,
    opened,
    run_since,
)
from inklings_desktop.ui.consolidation.review_dialog import ReviewDialog
from inklings_desktop.ui.consolidation.review_state import (
    Choice,
    ReviewItem,
    ReviewState,
    ReviewStep,
    WorkProgress,
    carried_over,
    chosen,
    outline,
    written,
)
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.kit.words.consolidation_words import (
    changed_notice,
    problem_notice,
    rivals_notice,
    stopped_notice,
    undo_question,
)
from inklings_desktop.ui.kit.words.word_marks import GroupMarks
from inklings_desktop.usecases.consolidation.consolidation_plans import fitted
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.usecases.bundle import Inklings


TRIGGER = "review"
_REPORT_SECONDS = 0.1
_ASK_SECONDS = 0.25


class ReviewPresenter(QObject):
    """One review from the first look to the result.

    Until ``apply`` nothing is changed; closing before that changes nothing either.

    Signals:
        state_changed: The ``ReviewState`` to show.
        applied: The ``TaskRun``, once a run ended, stopped ones included.
    """

    state_changed = Signal(object)
    applied = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._asking = Latest(background)
        self._marking = Latest(background)
        self._marked: ReviewItem | None = None
        self._stop = threading.Event()
        self._state = ReviewState()
        self._turn = 0

    @property
    def state(self) -> ReviewState:
        """What is on show."""
        return self._state

    # -- the plan -----------------------------------------------------------------------

    async def open(self, scope: ScopeKey) -> None:
        """Plan one scope key and show what a run would do; nothing is written."""
        self._turn += 1
        turn = self._turn
        self._asking.cancel()
        self._stop = threading.Event()
        rooms = self._state.rooms
        self._show(ReviewState(scope=scope, rooms=rooms, place=self._state.place if rooms else ""))
        try:
            found = await self._background.read(opened, self._inklings, scope, self._progress(turn))
        except StoppedError:
            return  # whoever stopped it closes the dialog
        except asyncio.CancelledError:
            self._stop.set()  # the window closes: comparing ends between two blocks
            raise
        except InklingsError as error:
            if turn == self._turn:
                notice = problem_notice(error)
                self._show(replace(self._state, step=ReviewStep.PLAN, notice=notice))
            return
        if turn == self._turn:
            self._show_opened(found)

    def choose_room(self, channel_id: str) -> None:
        """Look at another channel's plan."""
        scope = self._state.scope
        if scope is None or scope.workspace_id is None or channel_id == scope.key:
            return
        other = type(scope).channel(scope.workspace_id, channel_id)
        self._background.spawn(self.open(other))

    def look_at(self, key: str) -> None:
        """Show one item of the plan, or one golden question."""
        if key != self._state.current:
            self._show(replace(self._state, current=key))

    def decide(self, key: str, choice: Choice) -> None:
        """A word on one item."""
        if self._state.step is not ReviewStep.PLAN:
            return
        state, n_moved = chosen(self._state, key, choice)
        if state is not self._state:
            notice = rivals_notice(n_moved) if n_moved else None
            self._take(replace(state, notice=notice))

    def write(self, key: str, text: str | None) -> None:
        """The merged text of one group as the person wants it; None for the proposed one."""
        if self._state.step is ReviewStep.PLAN:
            self._take(written(self._state, key, text))

    def agree(self, *, agreed: bool) -> None:
        """The person agrees to a large run, or not any more."""
        if agreed != self._state.agreed:
            self._show(replace(self._state, agreed=agreed))

    def keep_unlisted(self, *, kept: bool) -> None:
        """The person keeps both of every pair that is not listed, or not any more."""
        if kept != self._state.keeps_unlisted:
            self._show(replace(self._state, keeps_unlisted=kept))

    # -- the run ------------------------------------------------------------------------

    async def apply(self) -> None:
        """Carry out what was decided; if the memory changed meanwhile, show the new plan first."""
        state, plan, scope = self._state, self._state.plan, self._state.scope
        if not state.can_apply or plan is None or scope is None:
            return
        self._asking.cancel()
        self._stop = threading.Event()
        decisions = state.decisions
        start = WorkProgress("compare")
        self._show(replace(state, step=ReviewStep.APPLYING, progress=start, notice=None))
        progress = self._progress(self._turn)
        inklings = self._inklings
        begun_at = inklings.clock()
        try:
            found = await self._background.read(looked_at, inklings, scope, progress)
            if outline(fitted(found.plan, decisions)) != outline(fitted(plan, decisions)):
                self._show_changed(found)
                return
            run = await self._background.write(
                inklings.run_consolidation,
                inklings.caller,
                scope,
                decisions=decisions,
                allow_large=state.agreed,
                trigger=TRIGGER,
                progress=progress,
            )
        except StoppedError:
            ended = await self._background.read(run_since, inklings, scope, begun_at)
            if ended is None:
                self._show(replace(state, is_stopping=False, notice=stopped_notice()))
                return
            run = ended
        except asyncio.CancelledError:
            self._stop.set()  # the window closes: the group under way is the last one
            raise
        except InklingsError as error:
            self._show(replace(state, is_stopping=False, notice=problem_notice(error)))
            return
        self._show(replace(self._state, step=ReviewStep.RESULT, run=run, is_stopping=False))
        self.applied.emit(run)
        self._asking.run(self._ask_after())

    def stop(self) -> None:
        """Stop planning at once, or a run after the group under way."""
        self._stop.set()
        if self._state.step is ReviewStep.APPLYING and not self._state.is_stopping:
            self._show(replace(self._state, is_stopping=True))

    async def undo(self) -> None:
        """Take the run back that was just made."""
        state, run = self._state, self._state.run
        if state.step is not ReviewStep.RESULT or run is None or state.undone is not None:
            return
        self._stop = threading.Event()
        try:
            undone = await self._background.write(
                self._inklings.undo_consolidation,
                self._inklings.caller,
                run.target.workspace_id,
                run.id,
                progress=self._progress(self._turn),
            )
        except asyncio.CancelledError:
            self._stop.set()  # the window closes: undoing again goes on
            raise
        except InklingsError as error:
            self._show(replace(self._state, notice=problem_notice(error)))
            return
        self._show(replace(self._state, undone=undone, notice=None))
        self.applied.emit(undone.run)
        self._asking.run(self._ask_after())

    # -- leaving ------------------------------------------------------------------------

    def may_close(self) -> bool:
        """Whether the dialog may go at once; a run is stopped first and shows how it ended."""
        if self._state.step is ReviewStep.APPLYING:
            self.stop()
            return False
        return True

    def close(self) -> None:
        """Nobody looks any more; planning that is under way is dropped."""
        self._turn += 1
        self._stop.set()
        self._asking.cancel()
        self._marking.cancel()
        self._state = ReviewState()

    # -- inside -------------------------------------------------------------------------

    def _show(self, state: ReviewState) -> None:
        self._state = state
        self.state_changed.emit(state)
        self._mark()

    def _mark(self) -> None:
        """Find the words that differ in the group on show, unless that is under way or done."""
        item, marks = self._state.item(self._state.current), self._state.marks
        if (
            item is None
            or not item.is_group
            or (marks is not None and marks.fits(item.key, item.merged_text))
        ):
            return
        known = self._marked
        if (
            self._marking.is_running
            and known is not None
            and (known.key, known.merged_text) == (item.key, item.merged_text)
        ):
            return
        self._marked = item
        self._marking.run(
            self._find_marks(item, is_typed=marks is not None and marks.key == item.key)
        )

    async def _find_marks(self, item: ReviewItem, *, is_typed: bool) -> None:
        if is_typed:
            await asyncio.sleep(_ASK_SECONDS)
        marks = await self._background.read(
            GroupMarks.of, item.key, [one.content for one in item.members], item.merged_text
        )
        self._show(replace(self._state, marks=marks))

    def _take(self, state: ReviewState) -> None:
        """Show other decisions and ask the golden questions anew."""
        self._show(state)
        self._ask()

    def _show_opened(self, found: Opened) -> None:
        reviewed = found.reviewed
        self._show(
            replace(
                self._state,
                place=found.place,
                rooms=found.rooms,
                has_model=reviewed.has_model,
                step=ReviewStep.PLAN,
                plan=reviewed.plan,
                items=reviewed.items,
                current=reviewed.items[0].key if reviewed.items else "",
                golden=None,
                notice=None,
            )
        )
        self._ask()

    def _show_changed(self, found: Reviewed) -> None:
        """Another plan than the one on show: the words that still fit are kept."""
        items = carried_over(found.items, self._state.items)
        state = replace(
            self._state,
            step=ReviewStep.PLAN,
            plan=found.plan,
            items=items,
            agreed=False,
            keeps_unlisted=False,
            is_stopping=False,
            notice=changed_notice(),
        )
        if state.item(state.current) is None:
            state = replace(state, current=items[0].key if items else "")
        self._take(state)

    def _ask(self) -> None:
        if self._state.plan is not None:
            self._state = replace(self._state, is_asking=True)
            self._asking.run(self._asked())

    async def _asked(self) -> None:
        """How the golden questions would fare; decisions in quick succession are asked once."""
        if self._state.golden is not None:
            await asyncio.sleep(_ASK_SECONDS)
        plan = self._state.fitted
        if plan is None:
            return
        inklings = self._inklings
        try:
            golden = await self._background.read(
                inklings.ask_golden_questions.under_plan, inklings.caller, plan
            )
        except InklingsError as error:
            self._show(replace(self._state, is_asking=False, notice=problem_notice(error)))
            return
        self._show(replace(self._state, golden=golden, is_asking=False))

    async def _ask_after(self) -> None:
        """How the golden questions fare now that the run is over: it asked them itself."""
        state, scope, inklings = self._state, self._state.scope, self._inklings
        if scope is None or state.golden is None:
            return
        try:
            records = await self._background.read(
                inklings.watch_golden_questions.records,
                inklings.caller,
                scope.workspace_id,
                scope,
            )
        except InklingsError:
            return  # what was found before stays on show
        golden = self._state.golden
        if golden is not None and all(one.question.id in records for one in golden.before):
            after = tuple(records[one.question.id].answer for one in golden.before)
            self._show(replace(self._state, golden=replace(golden, after=after)))

    def _progress(self, turn: int) -> Progress:
        """Takes reports on the working thread and brings them here, at most ten a second."""
        loop = asyncio.get_running_loop()
        stop = self._stop
        last_step, last_time = "", 0.0

        def report(step: str, done: int, total: int) -> None:
            nonlocal last_step, last_time
            now = time.monotonic()
            if step != last_step or done == total or now - last_time >= _REPORT_SECONDS:
                last_step, last_time = step, now
                loop.call_soon_threadsafe(on_progress, WorkProgress(step, done, total))

        on_progress: Callable[[WorkProgress], None] = lambda one: self._on_progress(one, turn)  # noqa: E731
        return Progress(report, stop.is_set)

    def _on_progress(self, progress: WorkProgress, turn: int) -> None:
        if turn == self._turn and self._state.step in {ReviewStep.PLANNING, ReviewStep.APPLYING}:
            self._show(replace(self._state, progress=progress))


class ReviewDesk(QObject):
    """Opens the review, one at a time, and carries its wishes to the presenter.

    Signals:
        applied: A ``TaskRun``, once a run ended or was taken back.
        history_wanted: The ``ScopeKey`` whose runs are wanted.
    """

    applied = Signal(object)
    history_wanted = Signal(object)

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
        self._inklings = inklings
        self._theme = theme
        self._window = window
        self._questions: tuple[str, ...] = ()
        self.dialog: ReviewDialog | None = None
        self.presenter = ReviewPresenter(background, inklings, self)
        self.presenter.state_changed.connect(self._on_state_changed)
        self.presenter.applied.connect(self.applied)

    @Slot(object)
    def open(self, scope: ScopeKey) -> None:
        """Plan a scope key and show what a run would do; nothing while one is open."""
        if self.dialog is not None:
            return
        settings = self._inklings.settings
        dialog = self.dialog = ReviewDialog(self._theme, settings.decay, settings.cap, self._window)
        dialog.leave_requested.connect(self._on_leave_requested)
        dialog.apply_requested.connect(self._on_apply_requested)
        dialog.stop_requested.connect(self._on_stop_requested)
        dialog.undo_requested.connect(self._on_undo_requested)
        dialog.history_requested.connect(self._on_history_requested)
        dialog.room_chosen.connect(self._on_room_chosen)
        dialog.plan.looked_at.connect(self.presenter.look_at)
        dialog.plan.choice_made.connect(self.presenter.decide)
        dialog.plan.text_written.connect(self.presenter.write)
        dialog.plan.agreed_changed.connect(self._on_agreed_changed)
        dialog.plan.unlisted_kept.connect(self._on_unlisted_kept)
        self._spawn(self.presenter.open(scope))
        dialog.show_state(self.presenter.state)
        dialog.show_over_window()

    def _spawn(self, action: Coroutine[Any, Any, object]) -> None:
        self._background.spawn(action)

    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.let_go()
        self._questions = ()
        self.presenter.close()

    async def _leave(self) -> None:
        """Close; a text that somebody typed is asked for first."""
        dialog = self.dialog
        if dialog is None or not self.presenter.may_close():
            return
        if self.presenter.state.has_typed:
            wanted = await ask(
                dialog,
                self.tr("Leave the review?"),
                self.tr(
                    "The merged texts that you wrote are dropped. The memories stay as they are."
                ),
                yes=self.tr("Leave, drop the texts"),
                no=self.tr("Stay"),
            )
            if not wanted:
                return
        self._close()

    async def _undo(self) -> None:
        dialog, run = self.dialog, self.presenter.state.run
        if dialog is None or run is None:
            return
        question, text = undo_question(run)
        wanted = await ask(
            dialog,
            question,
            text,
            yes=self.tr("Undo this run"),
            no=self.tr("Leave it"),
        )
        if wanted:
            await self.presenter.undo()

    async def _read_texts(self, ids: tuple[str, ...]) -> None:
        """What the memories say that golden questions expect."""
        scope = self.presenter.state.scope
        if scope is None:
            return
        try:
            texts = await self._background.read(expected_texts, self._inklings, scope, ids)
        except InklingsError:
            return  # the rows show ids instead
        if self.dialog is not None:
            self.dialog.plan.show_texts(texts)
            self.dialog.show_state(self.presenter.state)

    @Slot(object)
    def _on_state_changed(self, state: ReviewState) -> None:
        if self.dialog is None:
            return
        self.dialog.show_state(state)
        if state.golden is not None:
            answers = [one.question for one in state.golden.before]
            ids = tuple(id_ for one in answers for id_ in (*one.must, *one.must_not))
            if ids and ids != self._questions:
                self._questions = ids
                self._spawn(self._read_texts(ids))

    @Slot()
    def _on_leave_requested(self) -> None:
        self._spawn(self._leave())

    @Slot()
    def _on_apply_requested(self) -> None:
        self._spawn(self.presenter.apply())

    @Slot()
    def _on_stop_requested(self) -> None:
        is_planning = self.presenter.state.plan is None
        self.presenter.stop()
        if is_planning:
            self._close()

    @Slot()
    def _on_undo_requested(self) -> None:
        self._spawn(self._undo())

    @Slot()
    def _on_history_requested(self) -> None:
        scope = self.presenter.state.scope
        self._close()
        if scope is not None:
            self.history_wanted.emit(scope)

    @Slot(str)
    def _on_room_chosen(self, room: str) -> None:
        self.presenter.choose_room(room)

    @Slot(bool)
    def _on_agreed_changed(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.presenter.agree(agreed=on)

    @Slot(bool)
    def _on_unlisted_kept(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.presenter.keep_unlisted(kept=on)
