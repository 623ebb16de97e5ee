"""The welcome in the place of the pages: leads from an empty data root to a first world."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.domain.entries.named_entry import VOICE, EntryRef
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import checked_name
from inklings_desktop.ui.access.connection import ConnectionProcess
from inklings_desktop.ui.kit.dialogs.ask import ask, ask_name, begin_asking
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.welcome.state import (
    OWN,
    SAMPLE,
    WelcomeState,
    WelcomeStep,
    agent_rows,
    step_hints,
    voice_text,
)
from inklings_desktop.ui.window.last_time import expect_import

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from typing import Any

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.welcome.state import AgentRow
    from inklings_desktop.ui.welcome.view import WelcomeView
    from inklings_desktop.ui.window.status import WindowStatusBar
    from inklings_desktop.usecases.bundle import Inklings


class WindowWelcome(QObject):
    """Keeps what was answered, and makes the world once it has a name and was told to go on.

    Attributes:
        view: What is on show.
        state: What it shows.
        done: Set once there is a world to open.
        paths: The files that are to be brought in once the world is open; empty for none.
        talks: Whether the person wants to talk to the built-in agent once the world is open.
        sets_up: Whether the person wants to set up a model or another agent then.
    """

    def __init__(
        self,
        context: Context,
        view: WelcomeView,
        status: WindowStatusBar,
        *,
        open_sample: Callable[[], None],
        parent: QObject,
    ) -> None:
        """Show nothing yet.

        Args:
            view: Stands in the place of the pages.
            status: Explains the keys.
            open_sample: Leaves for the sample world.
        """
        super().__init__(parent)
        self._context, self._status, self._open_sample = context, status, open_sample
        self._background, self._inklings = context.background, context.inklings
        settings = self._inklings.settings
        self.state = WelcomeState(
            author=settings.display_name,
            login=settings.system_name,
        )
        self.done, self._leaving = asyncio.Event(), asyncio.Lock()
        self.paths: tuple[Path, ...] = ()
        self.talks = self.sets_up = False
        self._connection = ConnectionProcess(context, self)
        self.view = view
        spawn = self._background.spawn
        view.door_chosen.connect(self._on_door_chosen)
        view.answered.connect(self._on_answered)
        view.agent_wanted.connect(self._on_agent_wanted)
        view.author_left.connect(lambda: spawn(self._keep_author()))
        view.back_wanted.connect(self._on_back_wanted)
        view.doors_wanted.connect(lambda: self.show(replace(self.state, step=WelcomeStep.DOORS)))
        view.skipped.connect(lambda: spawn(self._leave_voice(keeps=False)))
        view.kept.connect(self._on_keep_wanted)
        context.hear(self._on_changes, About.CLIENTS)

    async def first_world(self, closed: asyncio.Event) -> bool:
        """Whether there is a world to open now; False when the window is left instead."""
        self.view.stand()
        self.show(self.state)
        waits = [asyncio.ensure_future(one.wait()) for one in (self.done, closed)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for waiting in waits:
            waiting.cancel()
        if not closed.is_set():
            self.view.leave()
        return self.done.is_set()

    def show(self, state: WelcomeState) -> None:
        """Show another state."""
        self.state = state
        self.view.show_state(state)
        self._status.show_welcome(step_hints(state.step), has_world=bool(state.world_id))

    async def _make_world(self, name: str) -> Workspace:
        """The world under this name; made now, or named anew if it is there.

        Raises:
            InklingsError: It cannot be made.
        """
        known, workspaces = self.state.world_id, self._inklings.workspaces
        made: Workspace = await (
            self._background.write(workspaces.rename, known, name)
            if known
            else self._background.write(workspaces.create, name)
        )
        self.show(replace(self.state, name=made.name, world_id=made.id))
        return made

    # -- from step to step ----------------------------------------------------------------

    async def _ask_name(self) -> None:
        name = await ask_name(
            self._context.window,
            tr("What is your world called?"),
            tr("A working title will do; you can rename it whenever you like."),
            yes=tr("Continue"),
            use=_checked,
            name=self.state.name,
        )
        if name is not None:
            self.show(replace(self.state, name=name, step=WelcomeStep.VOICE))

    async def _bring(self) -> None:
        """Ask for files; the world that they come into is called like the first."""
        from inklings_desktop.ui.transfer.import_dialog import asked_import_paths

        paths = await asked_import_paths(self._context.window, folder=False)
        if not paths:
            return
        if not self.state.world_id:
            expect_import(self._inklings.data_dir, is_open=True)
            await self._make_world(self.state.name or _name_for(paths[0]))
        self.paths = paths
        self.done.set()

    def _begin(self, asking: Coroutine[Any, Any, None]) -> None:
        begin_asking(self._background, asking, self._context.window)

    async def _leave_voice(self, *, keeps: bool) -> None:
        async with self._leaving:
            if self.state.step is not WelcomeStep.VOICE:
                return  # pressed twice
            world = await self._make_world(self.state.name)
            if keeps:
                text = voice_text(self.state.answers)
                await self._background.write(_save_voice, self._inklings, world.id, text)
            self.show(replace(self.state, step=WelcomeStep.AGENT))
        await self._look_for_agents()

    async def _keep_author(self) -> None:
        """Keep the name that the person goes by; one that cannot be used is left out, and said."""
        name = self.view.author()
        if name == self.state.author:
            return
        try:
            name = checked_name(name) if name else ""
        except InvalidValueError as error:
            self._context.refuse(error)
            self.show(self.state)
            return
        self.show(replace(self.state, author=name))
        await self._background.write(
            self._inklings.preferences.save, {"person.display_name": name or None}
        )

    async def _leave(self, *, talks: bool = False, sets_up: bool = False) -> None:
        """Open the world; let the built-in agent in first if the person wants to talk to it."""
        from inklings_desktop.ui.conversation.facts import let_agent_in

        await self._keep_author()
        if talks:
            await self._background.write(let_agent_in, self._inklings, self.state.world_id)
        self.talks, self.sets_up = talks, sets_up
        self.done.set()

    async def _tell_how(self, row: AgentRow) -> None:
        """Say how a program gets here that was not found; look for it again afterwards."""
        wants_lines = await ask(
            self._context.window,
            tr("{name} was not found").format(name=row.name),
            tr(
                "Install it, start it once and come back: it is connected with one button then. "
                "If it is installed somewhere else, you can add the lines to its settings yourself."
            ),
            yes=tr("Show the lines\u2026"),
            no=tr("Not now"),
        )
        if wants_lines:
            self._connection.open(self.state.world_id, None, row.program)
        await self._look_for_agents()

    async def _look_for_agents(self) -> None:
        """Look through this machine, now that the result is on show."""
        rows = await self._background.read(_agents, self._inklings)
        if not self.done.is_set():
            self.show(replace(self.state, agents=rows))

    @Slot(str)
    def _on_door_chosen(self, key: str) -> None:
        if key == SAMPLE:
            self._open_sample()
        elif key != OWN:
            self._begin(self._bring())
        elif self.state.name:  # somebody came back: answers stay, and so does the name
            self.show(replace(self.state, step=WelcomeStep.VOICE))
        else:
            self._begin(self._ask_name())

    @Slot()
    def _on_back_wanted(self) -> None:
        if self.state.step is WelcomeStep.AGENT:
            self.show(replace(self.state, step=WelcomeStep.VOICE))
        else:
            self._begin(self._ask_name())

    @Slot()
    def _on_keep_wanted(self) -> None:
        if self.state.step is WelcomeStep.AGENT:
            self._background.spawn(self._leave())
        else:
            self._background.spawn(self._leave_voice(keeps=True))

    @Slot(object)
    def _on_agent_wanted(self, row: AgentRow) -> None:
        if row.is_built_in:
            self._background.spawn(self._leave(talks=True))
        elif row.is_set_up:
            self._background.spawn(self._leave(sets_up=True))
        elif row.is_found is False:
            self._begin(self._tell_how(row))
        else:
            self._connection.open(self.state.world_id, None, row.program)

    @Slot(str, str)
    def _on_answered(self, question: str, answer: str) -> None:
        answers = replace(self.state.answers, **{question: answer})
        self.show(replace(self.state, answers=answers, newest=question))

    @Slot(object)
    def _on_changes(self, changes: MemoryChanges) -> None:
        if changes.clients and self.state.step is WelcomeStep.AGENT:
            self._background.spawn(self._look_for_agents())


async def _checked(name: str) -> str:
    """The name, if a world can be called so.

    Raises:
        InvalidValueError: None can.
    """
    return checked_name(name)


def _save_voice(inklings: Inklings, workspace_id: str, text: str) -> None:
    """Write the VOICE of a world, as its author."""
    before = inklings.entries.find(workspace_id, VOICE, tier=Tier.WORKSPACE)
    ref = EntryRef(Tier.WORKSPACE, workspace_id, before.id)
    inklings.entries.save(ref, text, expected_version=before.version)


def _agents(inklings: Inklings) -> tuple[AgentRow, ...]:
    """Ways to connect an agent or a model; programs are looked for, and nothing is asked."""
    from inklings_desktop.agent_client import presets

    let_in = (
        one.client.name
        for one in inklings.clients.list()
        if one.client.kind is not ClientKind.UNKNOWN
    )
    known = presets.agents(inklings.settings.agent.presets, inklings.data_dir)
    guests = [one.title for one in known if one.state in {presets.READY, presets.FOUND}]
    return agent_rows(
        inklings.clients.find_programs(),
        frozenset(let_in),
        tuple(guests),
        has_ollama=shutil.which("ollama") is not None,
    )


def _name_for(path: Path) -> str:
    """What a world that comes out of a file is called until its author says otherwise."""
    from inklings_desktop.domain.transfer.document import FILE_SUFFIX

    try:
        return checked_name(path.name.removesuffix(FILE_SUFFIX).removesuffix(path.suffix))
    except InvalidValueError:
        return tr("My world")
