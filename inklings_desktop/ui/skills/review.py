"""Leads the review of a skill: tries both versions, takes or leaves each file, and decides."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.process import Process
from inklings_desktop.ui.kit.words.skill_words import skill_rule
from inklings_desktop.ui.skills.dry_run import given_of, run_code
from inklings_desktop.ui.skills.review_dialog import ReviewDialog
from inklings_desktop.ui.skills.review_state import (
    ReviewState,
    chosen_of,
    discarded,
    read_review,
    tried,
    used,
)
from inklings_desktop.ui.skills.state import why_no_composer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.entries.proposals import ProposalRef
    from inklings_desktop.ui.kit.ops.done import Done
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.skills.dry_run import CodeRun


class ReviewProcess(Process[ReviewState | None, ReviewDialog]):
    """Nothing of a skill is in use before it is decided here or in the Inbox."""

    def __init__(
        self,
        context: Context,
        tell: Callable[[Done], None],
        mend: Callable[[str, str, Mapping[str, str]], Coroutine[Any, Any, None]],
        parent: QObject,
    ) -> None:
        """Show nothing yet.

        Args:
            tell: Says what was decided, and offers to undo it.
            mend: Begins a conversation about a skill: its name, its title and its files.
        """
        super().__init__(context, None, parent)
        self._tell, self._mend = tell, mend
        self._trying = Latest(context.background)

    async def open(self, ref: ProposalRef) -> None:
        """Show what is asked for beside what is there; a refusal is said."""
        if self.dialog is not None:
            return
        review = await said(self.context, self.background.read(read_review, self.inklings, ref))
        if review is None or self.dialog is not None:
            return
        current, given = next(iter(review.states)), review.given
        reason = why_no_composer(self.inklings)
        self.state = ReviewState(review, current, given, review.after, no_composer=reason)
        dialog = ReviewDialog(self.context.theme, self.context.window)
        dialog.file_chosen.connect(lambda path: self.change(current=path))
        dialog.text_wanted.connect(lambda new: self.change(shows_new=new))
        dialog.taken.connect(self.take)
        dialog.given_changed.connect(lambda text: self.change(given=text))
        dialog.run_wanted.connect(self.try_both)
        dialog.use_wanted.connect(lambda: self.spawn(self._use()))
        dialog.discard_wanted.connect(lambda: self.spawn(self._discard()))
        dialog.mend_wanted.connect(lambda: self.spawn(self._go_on()))
        self.show_dialog(dialog)
        if given:
            self.try_both()

    def take(self, on: bool) -> None:  # noqa: FBT001 - a value that is said
        """Take what becomes of the file on show, or leave it; what holds is tried again."""
        state = self._shown
        left = state.left - {state.current} if on else state.left | {state.current}
        chosen, problem = None, ""
        try:
            chosen = chosen_of(self.inklings, state.review, left)
        except InvalidValueError as error:
            problem = skill_rule(error) or tr("So it is no skill.")
        self.change(left=left, chosen=chosen, problem=problem, trial=None)
        if chosen is not None and (state.trial is not None or state.is_running):
            self.try_both()

    def try_both(self) -> None:
        """Run the code of both versions on the input; a run under way is dropped."""
        self._trying.run(self._try_both())

    def ended(self) -> None:
        self._trying.cancel()

    async def _try_both(self) -> None:
        state = self._shown
        if not state.code_path or not state.given.strip():
            self.change(is_running=False)
            return
        self.change(is_running=True, trial=None)
        before, after = await asyncio.gather(
            self._ran(state.review.text_before(state.code_path), state.given),
            self._ran(state.chosen.files[state.code_path] if state.chosen else "", state.given),
        )
        self.change(is_running=False, trial=tried(state, before, after))

    async def _ran(self, text: str, given: str) -> CodeRun | None:
        if not text:
            return None
        here = self.inklings.data_dir, self._shown.review.proposal.workspace_id or ""
        return await run_code(*here, text, given_of(given), threading.Event())

    async def _use(self) -> None:
        state = self._shown
        text = tr("{name} is in use now").format(name=state.review.after.title)
        await self._decide(partial(used, self.inklings, state, text))

    async def _discard(self) -> None:
        text = tr("Discarded. Nothing was changed.")
        await self._decide(partial(discarded, self.inklings, self._shown, text))

    async def _decide(self, call: Callable[[], Done]) -> None:
        self.change(is_deciding=True)
        step = await said(self.context, self.background.write(call))
        self.close()  # what stands in its way is another by now: it is read anew
        if step is not None:
            self._tell(step)

    async def _go_on(self) -> None:
        """Leave it undecided, and talk about it."""
        review = self._shown.review
        self.close()
        await self._mend(review.after.name, review.after.title, review.after.files)

    @property
    def _shown(self) -> ReviewState:
        assert self.state is not None
        return self.state
