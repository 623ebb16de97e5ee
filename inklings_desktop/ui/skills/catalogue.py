"""Leads the dialog over a folder of skills: reads it, lets some be chosen, and brings them in."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.look.translation import counted
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.ui.kit.page.process import Process
from inklings_desktop.ui.skills.catalogue_dialog import CatalogueDialog
from inklings_desktop.ui.skills.catalogue_state import CAN_COME, CatalogueState
from inklings_desktop.ui.skills.state import brought_in, taken_back

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtCore import QObject

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.skills.state import Brought


class CatalogueProcess(Process[CatalogueState | None, CatalogueDialog]):
    """What has come in when somebody stops it stays; all of it is one step of the undo."""

    patience: ClassVar[float] = 1.0
    """Seconds after which one sees how far it is."""

    def __init__(self, context: Context, tell: Callable[[Done], None], parent: QObject) -> None:
        super().__init__(context, None, parent)
        self._tell = tell
        self._doing = Latest(context.background)
        self._workspace_id = ""
        self._is_stopped = False

    def open(self, workspace_id: str, place: Path) -> None:
        """Show what is in a folder beside what is in a workspace."""
        self._workspace_id, self._is_stopped = workspace_id, False
        self.state = CatalogueState(place)
        dialog = CatalogueDialog(self.context.theme, self.context.window)
        dialog.row_chosen.connect(lambda key: self.change(current=key))
        dialog.row_checked.connect(self.check)
        dialog.all_wanted.connect(self.check_all)
        dialog.bring_wanted.connect(lambda: self._doing.run(self._bring()))
        self.show_dialog(dialog)
        self._doing.run(self._look(place))

    def check(self, key: str) -> None:
        """Choose a skill, or no more."""
        state = self.state
        assert state is not None
        can_come = {str(one.place) for one in state.found or () if one.state in CAN_COME}
        if key in can_come and state.n_done is None:
            self.change(current=key, chosen=state.chosen ^ {key})

    def check_all(self, on: bool) -> None:  # noqa: FBT001 - a box says so
        """Choose all that can come in, or none."""
        found = self.state.found or () if self.state is not None else ()
        every = frozenset(str(one.place) for one in found if one.state in CAN_COME)
        self.change(chosen=every if on else frozenset())

    def may_leave(self) -> bool:
        self._is_stopped = True
        is_under_way = self.state is not None and self.state.n_done is not None
        return not is_under_way  # it ends after the one that is being stored

    def ended(self) -> None:
        self._doing.cancel()

    async def _look(self, place: Path) -> None:
        catalogue = partial(self.inklings.skill_transfer.catalogue, self._workspace_id, place)
        try:
            found = await self.background.read(catalogue)
        except InklingsError:
            self.close()
            raise
        current = str(found[0].place) if found else ""
        self.change(found=found, current=current)
        self.check_all(on=True)

    async def _bring(self) -> None:
        state = self.state
        made: list[Brought] = []
        assert state is not None
        began, here = time.monotonic(), self._workspace_id
        try:
            for number, one in enumerate(state.wanted):
                is_slow = time.monotonic() - began >= self.patience
                self.change(n_done=number, is_slow=is_slow)
                if self._is_stopped:
                    break
                bring = partial(brought_in, self.inklings, here, one.name, one.place)
                made.append(await self.background.write(bring))
        finally:
            if made:
                text = counted(len(made), "Brought in 1 skill", "Brought in {n} skills")
                self._tell(Done(text, partial(taken_back, brought=tuple(made))))
            self.close()
