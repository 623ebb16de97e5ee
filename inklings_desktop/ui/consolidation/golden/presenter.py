"""Golden questions: list, write, change, delete, ask them all; knows no widgets."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.background.golden import DEPTH
from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.ui.consolidation.golden.calls import asked, drafted, read_all, recorded
from inklings_desktop.ui.consolidation.golden.state import (
    NEW,
    GoldenDraft,
    GoldenState,
    with_expected,
    without,
)
from inklings_desktop.ui.consolidation.golden.words import saved_notice
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.consolidation_words import problem_notice
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.usecases.search.retrieval import SearchRequest

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.consolidation.golden.state import GoldenWish
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

_PAUSE_SECONDS = 0.25


class GoldenPresenter(QObject):
    """The golden questions of one workspace and of the account.

    Showing another question drops an unsaved draft: whoever asks for that looks at
    ``state.is_unsaved`` first and lets the person choose.

    Signals:
        state_changed: The ``GoldenState`` to show.
    """

    state_changed = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._asking = Latest(background)
        self._finding = Latest(background)
        self._workspace_id = ""
        self._state = GoldenState()

    @property
    def state(self) -> GoldenState:
        """What is on show."""
        return self._state

    async def open(self, workspace_id: str, wish: GoldenWish | None = None) -> None:
        """Read the questions, ask them all, and look at the first, or at the wished one."""
        self._workspace_id = workspace_id
        self._show(GoldenState())
        try:
            places, questions = await self._background.read(read_all, self._inklings, workspace_id)
            records = await self._background.read(recorded, self._inklings, workspace_id)
        except InklingsError as error:
            self._show(replace(self._state, is_read=True, notice=problem_notice(error)))
            return
        self._show(
            replace(self._state, is_read=True, places=places, questions=questions, records=records)
        )
        if wish is not None:
            draft = GoldenDraft(NEW, wish.entry.scope, wish.question)
            text = excerpt(wish.entry.content)
            self._edit(with_expected(draft, wish.entry.id, text, must=True), kept=None)
        elif questions and self._state.draft is None:
            # Whoever is quicker than this reading looks at what they have chosen.
            self._finding.run(self._open_kept(questions[0].id))
        self.ask()

    def ask(self) -> None:
        """Ask every question now."""
        self._show(replace(self._state, is_asking=True))
        self._asking.run(self._ask())

    def look_at(self, question_id: str) -> None:
        """Show one kept question in the fields."""
        if self._state.draft is None or question_id != self._state.draft.key:
            self._finding.run(self._open_kept(question_id))

    def start_new(self) -> None:
        """Show empty fields, for a question in the place of the one on show."""
        draft, places = self._state.draft, self._state.places
        if not places:
            return
        scope = draft.scope if draft is not None else places[0].scope
        self._edit(GoldenDraft(NEW, scope), kept=None)

    def write(self, text: str) -> None:
        """The question as it stands in its field."""
        draft = self._state.draft
        if draft is not None and text != draft.text:
            self._change(replace(draft, text=text))
            self._find("")

    def choose_place(self, scope: ScopeKey) -> None:
        """Ask a new question elsewhere; only while nothing is expected of its answer."""
        draft = self._state.draft
        if draft is not None and not draft.expected and scope != draft.scope:
            self._change(replace(draft, scope=scope))
            self._find(self._state.looked_for)

    def look_for(self, text: str) -> None:
        """Find another memory than those that the question finds."""
        self._find(text)

    def expect(self, memory_id: str, *, must: bool) -> None:
        """A memory must be found, or must not."""
        draft = self._state.draft
        if draft is None:
            return
        known = dict(self._state.found) | {one.id: one.text for one in draft.expected}
        self._change(with_expected(draft, memory_id, known.get(memory_id, ""), must=must))

    def expect_nothing_of(self, memory_id: str) -> None:
        """Nothing is said of a memory any more."""
        if self._state.draft is not None:
            self._change(without(self._state.draft, memory_id))

    async def save(self) -> None:
        """Keep the draft; what is wrong with it stands beside the field."""
        state, draft, inklings = self._state, self._state.draft, self._inklings
        if not state.can_save or draft is None:
            return
        try:
            kept = await self._background.write(
                inklings.save_golden_question,
                inklings.caller,
                draft.scope,
                draft.text,
                must=draft.ids(must=True),
                must_not=draft.ids(must=False),
                question_id=None if draft.key == NEW else draft.key,
            )
        except InvalidValueError as error:
            self._show(replace(self._state, problem=error))
            return
        except InklingsError as error:
            self._show(replace(self._state, notice=problem_notice(error)))
            return
        mine = replace(draft, key=kept.id, text=kept.question)
        self._show(replace(self._state, draft=mine, kept=mine, problem=None, notice=saved_notice()))
        await self._read_again()
        self.ask()

    async def delete(self) -> None:
        """Remove the question on show."""
        draft = self._state.draft
        if draft is None:
            return
        question = next((one for one in self._state.questions if one.id == draft.key), None)
        if question is not None:
            try:
                await self._background.write(
                    self._inklings.delete_golden_question, self._inklings.caller, question
                )
            except InklingsError as error:
                self._show(replace(self._state, notice=problem_notice(error)))
                return
        self._show(replace(self._state, draft=None, kept=None, found=(), notice=None))
        await self._read_again()
        if self._state.questions:
            await self._open_kept(self._state.questions[0].id)

    def close(self) -> None:
        """Nobody looks any more."""
        self._asking.cancel()
        self._finding.cancel()
        self._state = GoldenState()

    async def settled(self) -> None:
        """Return once nothing is being asked or looked for."""
        await self._asking.settled()
        await self._finding.settled()

    # -- inside -------------------------------------------------------------------------

    def _show(self, state: GoldenState) -> None:
        self._state = state
        self.state_changed.emit(state)

    def _change(self, draft: GoldenDraft) -> None:
        self._show(replace(self._state, draft=draft, problem=None, notice=None))

    def _edit(self, draft: GoldenDraft, kept: GoldenDraft | None) -> None:
        self._show(
            replace(
                self._state,
                draft=draft,
                kept=kept,
                found=(),
                looked_for="",
                problem=None,
                notice=None,
            )
        )
        self._find("")

    def _find(self, text: str) -> None:
        self._show(replace(self._state, looked_for=text))
        self._finding.run(self._found(text))

    async def _found(self, text: str) -> None:
        """What the question finds, or what was looked for; typing is waited for."""
        draft, inklings = self._state.draft, self._inklings
        query = text or (draft.text if draft is not None else "")
        if draft is None or not query.strip():
            self._show(replace(self._state, found=()))
            return
        await asyncio.sleep(_PAUSE_SECONDS)
        request = SearchRequest(query, limit=DEPTH, last_word_is_open=bool(text))
        try:
            result = await self._background.read(
                inklings.search_memories, inklings.caller, [draft.scope], request
            )
        except InklingsError as error:
            self._show(replace(self._state, notice=problem_notice(error)))
            return
        hits = tuple((hit.entry.id, excerpt(hit.entry.content)) for hit in result.hits)
        self._show(replace(self._state, found=hits))

    async def _open_kept(self, question_id: str) -> None:
        question = next((one for one in self._state.questions if one.id == question_id), None)
        if question is None:
            return
        try:
            draft = await self._background.read(drafted, self._inklings, question)
        except InklingsError as error:
            self._show(replace(self._state, notice=problem_notice(error)))
            return
        self._edit(draft, kept=draft)

    async def _read_again(self) -> None:
        try:
            places, questions = await self._background.read(
                read_all, self._inklings, self._workspace_id
            )
        except InklingsError as error:
            self._show(replace(self._state, notice=problem_notice(error)))
            return
        ids = {one.id for one in questions}
        records = {key: one for key, one in self._state.records.items() if key in ids}
        self._show(replace(self._state, places=places, questions=questions, records=records))

    async def _ask(self) -> None:
        try:
            records = await self._background.write(asked, self._inklings, self._workspace_id)
        except InklingsError as error:
            self._show(replace(self._state, is_asking=False, notice=problem_notice(error)))
            return
        self._show(replace(self._state, records=records, is_asking=False))
