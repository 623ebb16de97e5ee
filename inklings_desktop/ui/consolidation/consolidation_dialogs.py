"""What is opened about consolidation: plans, runs, and golden questions with all their steps."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.background.golden import DEPTH
from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.consolidation.golden_dialog import GoldenDialog
from inklings_desktop.ui.consolidation.golden_state import (
    NEW,
    GoldenDraft,
    GoldenState,
    saved_notice,
    with_expected,
    without,
)
from inklings_desktop.ui.consolidation.reads import (
    asked,
    drafted,
    read_all,
    recorded,
    scope_of_tier,
)
from inklings_desktop.ui.consolidation.review_process import ReviewProcess
from inklings_desktop.ui.consolidation.runs_process import RunsProcess
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.destinations import ToGolden, ToGoldenQuestion, ToPlan, ToRuns
from inklings_desktop.ui.kit.page.process import Process
from inklings_desktop.ui.kit.words.consolidation_words import problem_notice
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.usecases.search.search_memories import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination

_PAUSE_SECONDS = 0.25


class GoldenProcess(Process[GoldenState, GoldenDialog]):
    """The golden questions of one workspace and of the account.

    A draft that is not kept is dropped only after the person said so.

    Signals:
        changed: Other questions may be answered than when the dialog opened; told when it
            closes, or when what it stored last is stored.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, GoldenState(), parent)
        self._reading = Latest(context.background)
        self._asking = Latest(context.background)
        self._finding = Latest(context.background)
        self._storing = asyncio.Lock()
        self._workspace_id = ""
        self._wrong_before: frozenset[str] | None = None

    # -- the dialog -----------------------------------------------------------------------

    def open(self, workspace_id: str, wish: ToGoldenQuestion | None = None) -> None:
        """Show the questions, or begin a new one; nothing while they are on show."""
        if self.dialog is not None:
            return
        self._wrong_before = None
        dialog = GoldenDialog(self.context.theme, self.context.window)
        dialog.list.row_chosen.connect(self._on_row_chosen)
        dialog.new.clicked.connect(lambda: self._then(self.start_new))
        dialog.ask.clicked.connect(self.ask_all)
        dialog.save.clicked.connect(self.starts(self._save))
        dialog.delete.clicked.connect(self.starts(self._delete))
        dialog.finish.clicked.connect(self.leave)
        dialog.form.question.textEdited.connect(self.write)
        dialog.form.finder.textEdited.connect(self._find)
        dialog.form.place_chosen.connect(self.choose_place)
        dialog.form.expected.connect(self.expect)
        dialog.form.removed.connect(self.expect_nothing_of)
        self._reading.run(self._begin(workspace_id, wish))
        self.show_dialog(dialog)

    def show(self, state: GoldenState) -> None:
        if state.is_read and self._wrong_before is None:
            self._wrong_before = state.wrong
        super().show(state)

    @Slot()
    def leave(self) -> None:
        """Close, if the person lets go of the draft."""
        self._then(self.close)

    def ended(self) -> None:
        if self._wrong_before not in {None, self.state.wrong}:
            self.changed.emit()
        for one in (self._reading, self._asking, self._finding):
            one.cancel()
        self.state = GoldenState()

    async def settled(self) -> None:
        """Return once nothing is being asked or looked for."""
        await self._asking.settled()
        await self._finding.settled()

    def _then(self, action: Callable[[], None]) -> None:
        """Do something that drops the draft, if the person lets go of it."""
        self.spawn(self._asked(action))

    async def _asked(self, action: Callable[[], None]) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        if self.state.is_unsaved and not await self.ask(
            tr("Drop your changes to this question?"),
            tr("It is not saved. Other questions stay."),
            yes=tr("Drop the changes"),
            no=tr("Stay"),
            is_destructive=True,
        ):
            dialog.show_state(self.state)  # the list goes back to the question on show
            return
        action()

    @Slot(str)
    def _on_row_chosen(self, question_id: str) -> None:
        if question_id != NEW:
            self._then(partial(self.look_at, question_id))

    async def _delete(self) -> None:
        dialog, draft = self.dialog, self.state.draft
        if dialog is None or draft is None:
            return
        if draft.key == NEW or await self.ask(
            tr("Delete this question?"),
            tr("The memories stay. The question is no longer asked."),
            yes=tr("Delete question"),
            no=tr("Keep it"),
            is_destructive=True,
        ):
            await self.delete()
            self._note_late(dialog)

    async def _save(self) -> None:
        dialog = self.dialog
        await self.save()
        self._note_late(dialog)

    def _note_late(self, dialog: GoldenDialog | None) -> None:
        """Tell of a change that was still being stored when the dialog was closed."""
        if self.dialog is not dialog:
            self.changed.emit()

    # -- what is on show ------------------------------------------------------------------

    async def _begin(self, workspace_id: str, wish: ToGoldenQuestion | None) -> None:
        """Read the questions, ask them all, and look at the first, or at the wished one."""
        self._workspace_id = workspace_id
        self.show(GoldenState())
        try:
            places, questions = await self.background.read(read_all, self.inklings, workspace_id)
            records = await self.background.read(recorded, self.inklings, workspace_id)
        except InklingsError as error:
            self._say(error, is_read=True)
            return
        self.change(is_read=True, places=places, questions=questions, records=records)
        if wish is not None:
            draft = GoldenDraft(NEW, wish.entry.scope, wish.question)
            text = excerpt(wish.entry.content)
            self._edit(with_expected(draft, wish.entry.id, text, must=True), kept=None)
        elif questions and self.state.draft is None:
            # Whoever is quicker than this reading looks at what they have chosen.
            self._finding.run(self._open_kept(questions[0].id))
        self.ask_all()

    @Slot()
    def ask_all(self) -> None:
        """Ask every question now."""
        self.change(is_asking=True)
        self._asking.run(self._ask())

    def look_at(self, question_id: str) -> None:
        """Show one kept question in the fields."""
        if self.state.draft is None or question_id != self.state.draft.key:
            self._finding.run(self._open_kept(question_id))

    def start_new(self) -> None:
        """Show empty fields, for a question in the place of the one on show."""
        draft, places = self.state.draft, self.state.places
        if places:
            scope = draft.scope if draft is not None else places[0].scope
            self._edit(GoldenDraft(NEW, scope), kept=None)

    @Slot(str)
    def write(self, text: str) -> None:
        """The question as it stands in its field."""
        draft = self.state.draft
        if draft is not None and text != draft.text:
            self._redraft(replace(draft, text=text))
            self._find("")

    @Slot(object)
    def choose_place(self, scope: ScopeKey) -> None:
        """Ask a new question elsewhere; only while nothing is expected of its answer."""
        draft = self.state.draft
        if draft is not None and not draft.expected and scope != draft.scope:
            self._redraft(replace(draft, scope=scope))
            self._find(self.state.looked_for)

    @Slot(str, bool)
    def expect(self, memory_id: str, must: bool) -> None:  # noqa: FBT001 - a signal's payload
        """A memory must be found, or must not."""
        draft = self.state.draft
        if draft is None:
            return
        known = dict(self.state.found) | {one.id: one.text for one in draft.expected}
        self._redraft(with_expected(draft, memory_id, known.get(memory_id, ""), must=must))

    @Slot(str)
    def expect_nothing_of(self, memory_id: str) -> None:
        """Nothing is said of a memory any more."""
        if self.state.draft is not None:
            self._redraft(without(self.state.draft, memory_id))

    async def save(self) -> None:
        """Keep the draft; what is wrong with it stands beside the field."""
        async with self._storing:  # a second press finds it kept
            await self._save_draft()

    async def _save_draft(self) -> None:
        draft = self.state.draft
        if not self.state.can_save or draft is None:
            return
        try:
            kept = await self.background.write(
                self.inklings.golden.save,
                draft.scope,
                draft.text,
                must=draft.ids(must=True),
                must_not=draft.ids(must=False),
                question_id=None if draft.key == NEW else draft.key,
            )
        except InvalidValueError as error:
            self.change(problem=error)
            return
        except InklingsError as error:
            self._say(error)
            return
        mine, now = replace(draft, key=kept.id, text=kept.question), self.state.draft
        if now is not None and now.key == draft.key:
            typed_on = mine if now == draft else replace(now, key=kept.id)
            self.change(draft=typed_on, kept=mine, problem=None, notice=saved_notice())
        await self._read_again()
        self.ask_all()

    async def delete(self) -> None:
        """Remove the question on show."""
        draft = self.state.draft
        if draft is None:
            return
        question = next((one for one in self.state.questions if one.id == draft.key), None)
        if question is not None:
            try:
                await self.background.write(self.inklings.golden.delete, question)
            except InklingsError as error:
                self._say(error)
                return
        self.change(draft=None, kept=None, found=(), notice=None)
        await self._read_again()
        if self.state.questions:
            await self._open_kept(self.state.questions[0].id)

    # -- inside -------------------------------------------------------------------------

    def _say(self, error: InklingsError, **values: object) -> None:
        self.change(notice=problem_notice(error), **values)

    def _redraft(self, draft: GoldenDraft) -> None:
        self.change(draft=draft, problem=None, notice=None)

    def _edit(self, draft: GoldenDraft, kept: GoldenDraft | None) -> None:
        self.change(draft=draft, kept=kept, found=(), looked_for="", problem=None, notice=None)
        self._find("")

    @Slot(str)
    def _find(self, text: str) -> None:
        """Find another memory than those that the question finds; those with an empty text."""
        self.change(looked_for=text)
        self._finding.run(self._found(text))

    async def _found(self, text: str) -> None:
        """What the question finds, or what was looked for; typing is waited for."""
        draft = self.state.draft
        query = text or (draft.text if draft is not None else "")
        if draft is None or not query.strip():
            self.change(found=())
            return
        await asyncio.sleep(_PAUSE_SECONDS)
        request = SearchRequest(query, limit=DEPTH, last_word_is_open=bool(text))
        try:
            result = await self.background.read(self.inklings.search.find, [draft.scope], request)
        except InklingsError as error:
            self._say(error)
            return
        hits = tuple((hit.entry.id, excerpt(hit.entry.content)) for hit in result.hits)
        self.change(found=hits)

    async def _open_kept(self, question_id: str) -> None:
        question = next((one for one in self.state.questions if one.id == question_id), None)
        if question is None:
            return
        try:
            draft = await self.background.read(drafted, self.inklings, question)
        except InklingsError as error:
            self._say(error)
            return
        self._edit(draft, kept=draft)

    async def _read_again(self) -> None:
        try:
            places, questions = await self.background.read(
                read_all, self.inklings, self._workspace_id
            )
        except InklingsError as error:
            self._say(error)
            return
        ids = {one.id for one in questions}
        records = {key: one for key, one in self.state.records.items() if key in ids}
        self.change(places=places, questions=questions, records=records)

    async def _ask(self) -> None:
        try:
            records = await self.background.write(asked, self.inklings, self._workspace_id)
        except InklingsError as error:
            self._say(error, is_asking=False)
            return
        self.change(records=records, is_asking=False)


class ConsolidationDialogs(QObject):
    """Opens one dialog of a kind at a time over the open workspace.

    Signals:
        changed: Memories were merged, forgotten, promoted or brought back, or golden questions
            are answered otherwise than before.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.review = ReviewProcess(context, self)
        self.runs = RunsProcess(context, self)
        self.golden = GoldenProcess(context, self)
        for one in (self.review, self.runs, self.golden):
            one.changed.connect(self.changed)

    def open(self, where: Destination) -> None:
        """Show a plan, the runs or the golden questions; nothing while they are on show."""
        here = self._context.here()
        workspace_id = here.workspace.id if here is not None else ""
        match where:
            case ToPlan(ScopeKey() as scope):
                self.review.open(scope)
            case ToPlan(Tier() as tier):
                self._context.background.spawn(self._review_tier(workspace_id, tier))
            case ToRuns(tier):
                self.runs.open(workspace_id, tier)
            case ToGolden():
                self.golden.open(workspace_id)
            case ToGoldenQuestion():
                self.golden.open(workspace_id, where)

    async def _review_tier(self, workspace_id: str, tier: Tier) -> None:
        """Show the plan of a tier; of the channels, the one where most waits."""
        context = self._context
        scope = await context.background.read(scope_of_tier, context.inklings, workspace_id, tier)
        if scope is not None:
            self.review.open(scope)
