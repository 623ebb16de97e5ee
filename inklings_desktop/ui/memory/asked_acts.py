"""Acts on memories that ask before anything is done, and what is checked out of view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.memory_values import MAX_REASON_CHARACTERS
from inklings_desktop.domain.scrub.manifest import ChosenScope
from inklings_desktop.ui.kit.dialogs.ask import answered, ask
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.page.destinations import ToScrubChosen
from inklings_desktop.ui.kit.words.places import Place, Surroundings
from inklings_desktop.ui.memory.acts.chosen import id_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence

    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.acts.chosen import Chosen
    from inklings_desktop.ui.memory.acts.memory_actions import MemoryActions
    from inklings_desktop.ui.memory.acts.replacing import TypedReplacement
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.list.selection import SelectionPresenter
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
    from inklings_desktop.ui.memory.view import MemoryView


ASK_FROM = 25
"""Forgetting so many at once is asked for first."""


class AskedActs(QObject):
    """Asks, and carries out what was agreed to; what was typed in vain is offered again."""

    def __init__(
        self,
        context: Context,
        *,
        actions: MemoryActions,
        selection: SelectionPresenter,
        subject: InspectorPresenter,
        unseen: UnseenChoice,
        page: MemoryView,
        may_leave: Callable[[], Awaitable[bool]],
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            actions: Carries acts out, one undo step each.
            selection: What is checked.
            unseen: What is checked and out of view.
            page: Shows the list; dialogs lie over its window.
            may_leave: Whether the inspector may show something else; asks if text would be lost.
        """
        super().__init__(parent)
        self._context = context
        self._actions, self._selection, self._subject = actions, selection, subject
        self._unseen, self._page, self._may_leave = unseen, page, may_leave
        self._typed_reason = ""
        self._typed_replacement: TypedReplacement | None = None

    def drop_typed(self) -> None:
        """Let go of what was typed into a dialog and came to nothing."""
        self._typed_reason, self._typed_replacement = "", None

    def move_on(self, leaving: Collection[str]) -> None:
        """Stand beside the rows that are about to leave."""
        self._page.motion.expect_leaving(leaving)
        self._page.list_cursor.select_beside(leaving)

    async def forget(self, targets: Sequence[Chosen], reason: str = "") -> bool:
        """Forget what is active of these; many, and those out of view, are asked for first."""
        active = [one for one in targets if not one.is_forgotten]
        n_hidden = len(self._selection.hidden.ids.intersection(map(id_of, active)))
        is_asked = len(active) >= ASK_FROM or n_hidden > 0
        if not active or (is_asked and not await self._is_sure(len(active), n_hidden)):
            return False
        return await self.forget_agreed(active, reason)

    async def forget_agreed(
        self,
        active: Sequence[Chosen],
        reason: str,
        goes_on: Callable[[int], bool] | None = None,
    ) -> bool:
        """Forget what was agreed to; list and inspector make way for it.

        Args:
            active: Memories that are not forgotten yet.
            reason: As ``MemoryActions.forget`` has it.
            goes_on: As ``MemoryActions.forget`` has it.
        """
        ids = set(map(id_of, active))
        shown = self._subject.current_ref
        if shown is not None and shown.id in ids and not await self._may_leave():
            return False
        self.move_on(ids)
        is_done = await self._actions.forget(active, reason, goes_on)
        if is_done:
            self._selection.clear()
        return is_done

    async def _is_sure(self, count: int, n_hidden: int) -> bool:
        return await ask(
            self._page.window(),
            counted(
                count,
                "Forget this memory?",
                "Forget {n} memories?",
            ),
            self._unseen.warning(n_hidden)
            + tr("You can undo this until you close the window, and the event log keeps the list."),
            yes=tr("Forget {count}").format(count=grouped(count)),
            no=tr("Keep them"),
            is_destructive=True,
        )

    async def forget_because(self, targets: Sequence[Chosen]) -> None:
        """Ask for the reason first."""
        from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog

        active = [one for one in targets if not one.is_forgotten]
        if not active:
            return
        dialog = TextDialog(
            self._page.window(),
            counted(
                len(active),
                "Forget this memory",
                "Forget {n} memories",
            ),
            tr("The reason is shown with the forgotten memory. No agent reads it."),
            Field(
                ("reasonDialog", "reasonField", "reasonForget"),
                tr("Reason"),
                tr("Reason, if you like"),
                self._typed_reason,
                longest=MAX_REASON_CHARACTERS,
            ),
            yes=tr("Forget"),
            no=tr("Keep"),
            kind="danger",
        )
        is_wanted = await answered(dialog)
        reason = self._typed_reason = " ".join(dialog.typed.split())
        if is_wanted and await self.forget(active, reason):
            self._typed_reason = ""

    async def replace(self, targets: Sequence[Chosen]) -> None:
        """Search and replace, with every change shown before it is made."""
        from inklings_desktop.ui.memory.acts.replace_dialog import ReplaceDialog
        from inklings_desktop.ui.memory.acts.replacing import ReplacePresenter

        if not await self._may_leave():
            return
        refs = [one.ref for one in targets if not one.is_forgotten]
        if not refs:
            return
        dialog = ReplaceDialog(self._page.theme, len(refs), self._page.window())
        # Of nobody: what is being read when the dialog goes with its page is still handed over.
        planning = ReplacePresenter(self._context, refs)
        planning.preview_changed.connect(dialog.show_preview)
        planning.difference_found.connect(dialog.show_difference)
        dialog.looked_at.connect(planning.look_at)
        dialog.wish_changed.connect(lambda: planning.wish(dialog.typed))
        if self._typed_replacement is not None:
            dialog.begin_with(self._typed_replacement)
        try:
            is_wanted = await answered(dialog)
        finally:
            planning.close()
        self._typed_replacement = dialog.typed
        changes = planning.chosen(dialog.chosen_ids) if is_wanted else ()
        if changes and await self._actions.replace(changes, dialog.typed.sought):
            self._typed_replacement = None

    async def scrub(self, targets: Sequence[Chosen]) -> None:
        """Go to the one dialog that scrubs: these go for good, once that is confirmed there."""
        if await self._may_leave():
            file = targets[0].ref.scope.workspace_id
            self._context.go(ToScrubChosen(ChosenScope.of(file, map(id_of, targets))))

    async def copy_to(self, one: Chosen, here: Surroundings) -> None:
        """Copy to a place that the person chooses."""
        from inklings_desktop.ui.kit.dialogs.copy_dialog import CopyDialog, CopyTarget

        if one.is_forgotten:
            return
        rooms = {talk.id: talk.title for talk in here.open_conversations}
        rooms |= {channel.id: f"#{channel.name}" for channel in here.channels}
        targets = [
            CopyTarget(scope, rooms.get(scope.key, ""))
            for tier in Tier
            for scope in here.scopes(Place(tier))
            if scope != one.ref.scope
        ]
        dialog = CopyDialog(self._page.theme, one.ref.scope, targets, self._page.window())
        if await answered(dialog) and dialog.target is not None:
            await self._actions.copy(one.ref, dialog.target)


class UnseenChoice(QObject):
    """Shows what is checked and out of view, or lets go of it where the list cannot show it."""

    def __init__(
        self,
        background: Background,
        selection: SelectionPresenter,
        memories: ListPresenter,
        page: MemoryView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._selection = selection
        self._list = memories
        self._page = page
        page.bulk.hidden.clicked.connect(self._on_hidden_requested)

    @property
    def can_show(self) -> bool:
        """Whether the list without search and filters holds every checked memory."""
        scopes = self._list.request.scopes
        return all(one.ref.scope in scopes for one in self._selection.out_of_view)

    def warning(self, n_hidden: int) -> str:
        """What to say before so many are forgotten unseen; empty for none."""
        if not n_hidden:
            return ""
        return counted(
            n_hidden,
            "One is not in the list you see. ",
            "{n} are not in the list you see. ",
        )

    @Slot()
    def _on_hidden_requested(self) -> None:
        hidden = self._selection.out_of_view
        if hidden and self.can_show:
            self._page.clear_filters_requested.emit()
            self._background.spawn(self._reveal(hidden[0].ref.id))
        else:
            self._selection.uncheck_hidden()
            self._page.focus_list()

    async def _reveal(self, memory_id: str) -> None:
        await self._list.settled()
        self._page.list_cursor.select(memory_id)
        self._page.focus_list()
