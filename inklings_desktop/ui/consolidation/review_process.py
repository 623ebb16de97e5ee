"""Leads through the review of one consolidation: plan, decisions, run, result."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.consolidation.reads import expected_texts, looked_at, opened, run_since
from inklings_desktop.ui.consolidation.review_dialog import ReviewDialog
from inklings_desktop.ui.consolidation.review_state import (
    ReviewState,
    ReviewStep,
    WorkProgress,
    carried_over,
    chosen,
    outline,
    written,
)
from inklings_desktop.ui.consolidation.runs_process import UndoingProcess
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.destinations import ToRuns
from inklings_desktop.ui.kit.page.process import reports_to
from inklings_desktop.ui.kit.words.consolidation_words import (
    changed_notice,
    problem_notice,
    rivals_notice,
    stopped_notice,
)
from inklings_desktop.ui.kit.words.word_marks import GroupMarks
from inklings_desktop.usecases.consolidation.consolidation_plans import fitted

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from inklings_desktop.ui.consolidation.reads import Opened, Reviewed
    from inklings_desktop.ui.consolidation.review_state import Choice, ReviewItem
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.ports.progress import Progress

TRIGGER = "review"
_ASK_SECONDS = 0.25
_WORKING = frozenset({ReviewStep.PLANNING, ReviewStep.APPLYING})


class ReviewProcess(UndoingProcess[ReviewState, ReviewDialog]):
    """One review from the first look to the result.

    Until ``apply`` nothing is changed; closing before that changes nothing either.
    """

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, ReviewState(), parent)
        self._asking = Latest(context.background)
        self._marking = Latest(context.background)
        self._expecting = Latest(context.background)
        self._marked: ReviewItem | None = None
        self._expected: tuple[str, ...] = ()

    # -- the dialog -----------------------------------------------------------------------

    @Slot(object)
    def open(self, scope: ScopeKey) -> None:
        """Plan a scope key and show what a run would do; nothing while one is open."""
        if self.dialog is not None:
            return
        settings = self.inklings.settings
        dialog = ReviewDialog(self.context.theme, settings.decay, settings.cap, self.context.window)
        dialog.room.scope_chosen.connect(self.choose_room)
        dialog.work_foot.stop.clicked.connect(self._on_stop_clicked)
        dialog.plan.list.row_chosen.connect(self.look_at)
        dialog.plan.pane.choice_made.connect(self.decide)
        dialog.plan.pane.group.text_written.connect(self.write)
        dialog.plan.agree.toggled.connect(self.agree)
        dialog.plan.unlisted.toggled.connect(self.keep_unlisted)
        dialog.plan_foot.close_it.clicked.connect(self.leave)
        dialog.plan_foot.apply.clicked.connect(self.starts(self.apply))
        dialog.outcome_foot.undo.clicked.connect(self.starts(self.ask_undo))
        dialog.outcome_foot.history.clicked.connect(self._on_history_clicked)
        dialog.outcome_foot.done.clicked.connect(self.leave)
        self.spawn(self.read_plan(scope))
        self.show_dialog(dialog)

    @Slot()
    def leave(self) -> None:
        """Close; a run is stopped first, and a text that somebody typed is asked for."""
        self.spawn(self._leave())

    async def _leave(self) -> None:
        if self.dialog is None:
            return
        if self.state.step is ReviewStep.APPLYING:
            self.stop()  # it shows how it ended
        elif await self._may_drop_texts(tr("Leave the review?")):
            self.close()

    async def _may_drop_texts(self, question: str) -> bool:
        """Whether nobody wrote a merged text, or the person lets go of it."""
        return not self.state.has_typed or await self.ask(
            question,
            tr("Your merged texts are lost. The memories do not change."),
            yes=tr("Leave, drop the texts"),
            no=tr("Stay"),
            is_destructive=True,
        )

    def ended(self) -> None:
        """Nobody looks any more; planning that is under way is dropped."""
        self._begin()
        for one in (self._asking, self._marking, self._expecting):
            one.cancel()
        self._expected = ()
        self.state = ReviewState()

    def show(self, state: ReviewState) -> None:
        """Show another state, and find out what it wants to say besides."""
        super().show(state)
        self._mark()
        self._expect()

    @Slot()
    def _on_stop_clicked(self) -> None:
        is_planning = self.state.plan is None
        self.stop()
        if is_planning:
            self.close()

    @Slot()
    def _on_history_clicked(self) -> None:
        scope = self.state.scope
        self.close()
        if scope is not None:
            self.context.go(ToRuns(scope.tier))

    # -- the plan -----------------------------------------------------------------------

    async def read_plan(self, scope: ScopeKey) -> None:
        """Plan one scope key and show what a run would do; nothing is written."""
        stop = self._begin()
        self._asking.cancel()
        self._expected = ()
        rooms = self.state.rooms
        self.show(ReviewState(scope=scope, rooms=rooms, place=self.state.place if rooms else ""))
        try:
            found = await self.background.read(opened, self.inklings, scope, self._progress())
        except StoppedError:
            return  # whoever stopped it closes the dialog
        except asyncio.CancelledError:
            stop.set()  # the window closes: comparing ends between two blocks
            raise
        except InklingsError as error:
            if stop is self._stop:
                self.change(step=ReviewStep.PLAN, notice=problem_notice(error))
            return
        if stop is self._stop:
            self._show_opened(found)

    @Slot(object)
    def choose_room(self, channel_id: str | None) -> None:
        """Look at another channel's plan."""
        scope = self.state.scope
        if channel_id and scope is not None and scope.workspace_id and channel_id != scope.key:
            self.spawn(self._read_other(ScopeKey.channel(scope.workspace_id, channel_id)))

    async def _read_other(self, scope: ScopeKey) -> None:
        if await self._may_drop_texts(tr("Leave this channel\u2019s plan?")):
            await self.read_plan(scope)
        else:
            self.show(self.state)  # the picker goes back to the channel on show

    @Slot(str)
    def look_at(self, key: str) -> None:
        """Show one item of the plan, or one golden question."""
        if key != self.state.current:
            self.change(current=key)

    @Slot(str, object)
    def decide(self, key: str, choice: Choice) -> None:
        """A word on one item."""
        if self.state.step is not ReviewStep.PLAN:
            return
        state, n_moved = chosen(self.state, key, choice)
        if state is not self.state:
            self._take(replace(state, notice=rivals_notice(n_moved) if n_moved else None))

    @Slot(str, object)
    def write(self, key: str, text: str | None) -> None:
        """The merged text of one group as the person wants it; None for the proposed one."""
        if self.state.step is ReviewStep.PLAN:
            self._take(written(self.state, key, text))

    @Slot(bool)
    def agree(self, agreed: bool) -> None:  # noqa: FBT001 - a signal's payload
        """The person agrees to a large run, or not any more."""
        if agreed != self.state.agreed:
            self.change(agreed=agreed)

    @Slot(bool)
    def keep_unlisted(self, kept: bool) -> None:  # noqa: FBT001 - a signal's payload
        """The person keeps both of every pair that is not listed, or not any more."""
        if kept != self.state.keeps_unlisted:
            self.change(keeps_unlisted=kept)

    # -- the run ------------------------------------------------------------------------

    async def apply(self) -> None:
        """Carry out what was decided; if the memory changed meanwhile, show the new plan first."""
        state, plan, scope = self.state, self.state.plan, self.state.scope
        if not state.can_apply or plan is None or scope is None:
            return
        self._asking.cancel()
        stop = self._begin()
        decisions, inklings = state.decisions, self.inklings
        self.show(replace(state, step=ReviewStep.APPLYING, progress=WorkProgress(), notice=None))
        progress = self._progress()
        begun_at = inklings.clock()
        try:
            found = await self.background.read(looked_at, inklings, scope, progress)
            if outline(fitted(found.plan, decisions)) != outline(fitted(plan, decisions)):
                self._show_changed(found)
                return
            run = await self.background.write(
                inklings.consolidation.run,
                scope,
                decisions=decisions,
                allow_large=state.agreed,
                trigger=TRIGGER,
                progress=progress,
            )
        except StoppedError:
            ended = await self.background.read(run_since, inklings, scope, begun_at)
            if ended is None:
                self.show(replace(state, is_stopping=False, notice=stopped_notice()))
                return
            run = ended
        except asyncio.CancelledError:
            stop.set()  # the window closes: the group under way is the last one
            raise
        except InklingsError as error:
            self.show(replace(state, is_stopping=False, notice=problem_notice(error)))
            return
        self.change(step=ReviewStep.RESULT, run=run, is_stopping=False)
        self.changed.emit(run)
        self._asking.run(self._ask_after())

    def stop(self) -> None:
        """Stop planning at once, or a run after the group under way."""
        self._stop.set()
        if self.state.step is ReviewStep.APPLYING and not self.state.is_stopping:
            self.change(is_stopping=True)

    async def undo(self) -> None:
        state, run = self.state, self.state.run
        if state.step is not ReviewStep.RESULT or run is None or state.undone is not None:
            return
        self._begin()
        try:
            undone = await self.taken_back(run, self._progress())
        except InklingsError as error:
            self.change(notice=problem_notice(error))
            return
        self.change(undone=undone, notice=None)
        self.changed.emit(undone.run)
        self._asking.run(self._ask_after())

    # -- inside -------------------------------------------------------------------------

    def _begin(self) -> threading.Event:
        """What stops the next thing; what was under way is not waited for any more."""
        self._stop.set()
        self._stop = threading.Event()
        return self._stop

    def _progress(self) -> Progress:
        stop = self._stop

        def show(step: str, done: int, total: int) -> None:
            if stop is self._stop and self.state.step in _WORKING:
                self.change(progress=WorkProgress(step, done, total))

        return reports_to(show, stop.is_set)

    def _mark(self) -> None:
        """Find the words that differ in the group on show, unless that is under way or done."""
        item, marks = self.state.item(self.state.current), self.state.marks
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
        marks = await self.background.read(
            GroupMarks.of, item.key, [one.content for one in item.members], item.merged_text
        )
        self.change(marks=marks)

    def _expect(self) -> None:
        """Read what the memories say that golden questions expect, once for each plan."""
        scope, golden = self.state.scope, self.state.golden
        if self.dialog is None or scope is None or golden is None:
            return
        asked = [one.question for one in golden.before]
        ids = tuple(id_ for one in asked for id_ in (*one.must, *one.must_not))
        if ids and ids != self._expected:
            self._expected = ids
            self._expecting.run(self._read_expected(scope, ids))

    async def _read_expected(self, scope: ScopeKey, ids: tuple[str, ...]) -> None:
        try:
            texts = await self.background.read(expected_texts, self.inklings, scope, ids)
        except InklingsError:
            return  # the rows show ids instead
        self.change(texts=texts)

    def _take(self, state: ReviewState) -> None:
        """Show other decisions and ask the golden questions anew."""
        self.show(state)
        self._ask()

    def _show_opened(self, found: Opened) -> None:
        reviewed = found.reviewed
        self._take(
            replace(
                self.state,
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

    def _show_changed(self, found: Reviewed) -> None:
        """Another plan than the one on show: the words that still fit are kept."""
        items = carried_over(found.items, self.state.items)
        state = replace(
            self.state,
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
        if self.state.plan is not None:
            self.state = replace(self.state, is_asking=True)
            self._asking.run(self._asked())

    async def _asked(self) -> None:
        """How the golden questions would fare; decisions in quick succession are asked once."""
        if self.state.golden is not None:
            await asyncio.sleep(_ASK_SECONDS)
        plan = self.state.fitted
        if plan is None:
            return
        try:
            golden = await self.background.read(self.inklings.golden.under_plan, plan)
        except InklingsError as error:
            self.change(is_asking=False, notice=problem_notice(error))
            return
        self.change(golden=golden, is_asking=False)

    async def _ask_after(self) -> None:
        """How the golden questions fare now that the run is over: it asked them itself."""
        scope, golden = self.state.scope, self.state.golden
        if scope is None or golden is None:
            return
        try:
            records = await self.background.read(
                self.inklings.golden.records, scope.workspace_id, scope
            )
        except InklingsError:
            return  # what was found before stays on show
        if all(one.question.id in records for one in golden.before):
            after = tuple(records[one.question.id].answer for one in golden.before)
            self.change(golden=replace(golden, after=after))
