"""The agents that one can talk with: how each is started, whether it works, and other ones."""

from __future__ import annotations

import os
import re
import shlex
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.agent_client import presets
from inklings_desktop.agent_client.greeting import Greeting, greet
from inklings_desktop.agent_client.launching import (
    empty_folder,
    leave_folder,
)
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.session import SIGN_IN_NEEDED
from inklings_desktop.agent_settings import MAX_NAME, MAX_TITLE, Preset
from inklings_desktop.ui.kit.dialogs.ask import answered, ask, begin_asking
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.parts import across, below, hairline, link, mark, words
from inklings_desktop.ui.kit.words.agent_states import greeting_state, state_words
from inklings_desktop.ui.settings.frame import card

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.usecases.bundle import Inklings

PLACE: Final = "agent.presets"
_MOST_COMMAND = 2_000
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_GOOD = ("check-circle", "accent")
_NEUTRAL = ("", "inkFaint")
_WARNING = ("warning", "ochre")
_BAD = ("warning-circle", "madder")


def agents_of(inklings: Inklings) -> tuple[Agent, ...]:
    """The agents of other makers that are set or found on this machine; runs on a reader."""
    return tuple(presets.agents(inklings.settings.agent.presets, inklings.data_dir))


class AgentsList:
    """The section *Agents* of a group, which is said again when something here changes."""

    def __init__(self, context: Context, read_again: Callable[[], None]) -> None:
        """Nothing was tried yet.

        Args:
            context: What every page is given.
            read_again: Lets the group look again, and say its cards.
        """
        self._context, self._read_again = context, read_again
        self._greetings: dict[str, Greeting] = {}
        self._testing: set[str] = set()

    def card(self, others: Sequence[Agent], *, has_ours: bool) -> Part:
        """The World Agent, every other, and a way to add one."""
        ours = (_GOOD, presets.READY) if has_ours else (_NEUTRAL, presets.NOT_FOUND)
        built_in = words(tr("built in, speaks for this workspace"), way="plain")
        first = _line(tr("World Agent"), built_in, (*ours[0], state_words(ours[1]), ""))
        every = (first, *map(self._row, others))
        lines = (part for one in every for part in (one, hairline()))
        add = link(tr("Add an agent\u2026"), self._add, name="addAgent", stores=True)
        return card(tr("Agents"), below(*lines, spacing=0), across(add, STRETCH))

    def _row(self, one: Agent) -> Part:
        """One agent: its name, its command, how it is, what can be done with it."""
        acts: list[Part] = []
        if one.state == presets.READY and one.id not in self._testing:
            acts.append(self._act(one, tr("Test"), partial(self.test, one)))
        elif one.state == presets.FOUND:
            acts.append(self._act(one, tr("Use it\u2026"), partial(self._edit, one)))
        acts.append(self._act(one, tr("Edit command\u2026"), partial(self._edit, one)))
        if one.id in {own.id for own in self._context.inklings.settings.agent.presets}:
            acts.append(self._act(one, tr("Remove\u2026"), partial(self._remove, one)))
        command = words(shlex.join(one.started), way="elided")
        return _line(one.title, command, self._state(one), *acts)

    def _act(self, one: Agent, text: str, run: Callable[[], object]) -> Part:
        spoken = text.rstrip("\u2026")
        return link(text, run, spoken=f"{spoken}: {one.title}", stores=True)

    def _state(self, one: Agent) -> tuple[str, str, str, str]:
        """Icon, role, words and tool tip of how an agent is."""
        greeting = self._greetings.get(one.id)
        if one.id in self._testing:
            return "arrows-clockwise", "inkSoft", tr("testing"), ""
        if greeting is None or one.state != presets.READY:
            marks = {presets.READY: _GOOD, presets.FOUND: _GOOD, presets.NOT_FOUND: _NEUTRAL}
            return (*marks.get(one.state, _WARNING), state_words(one.state), one.program)
        state = greeting_state(greeting)
        if greeting.problem is None:
            return (*_GOOD, state, greeting.facts.version if greeting.facts is not None else "")
        if greeting.problem.word == SIGN_IN_NEEDED:
            ways = greeting.facts.sign_in if greeting.facts is not None else ()
            return (*_WARNING, state, "\n".join([greeting.problem.detail, *ways]))
        return (*_BAD, state, "\n".join(greeting.last_lines))

    # -- what the person does -------------------------------------------------------------------

    def test(self, one: Agent) -> None:
        """Greet an agent; it is handed no memory."""
        if one.command is not None and one.id not in self._testing:
            self._testing.add(one.id)
            self._read_again()
            self._context.background.spawn(self._test(one, one.command))

    async def _test(self, one: Agent, command: list[str]) -> None:
        stop, folder = threading.Event(), Path(empty_folder())
        variables = presets.environment(os.environ, one.preset)
        start = partial(PlainProcess, command, variables, folder)
        try:
            self._greetings[one.id] = await self._context.background.read(
                greet, start, str(folder), is_stopped=stop.is_set
            )
        finally:
            stop.set()  # cancelling only stops the wait
            leave_folder(folder)
            self._testing.discard(one.id)
        self._read_again()

    def _edit(self, one: Agent) -> None:
        title = tr("Command of {agent}").format(agent=one.title)
        self._begin(self._asked(title, shlex.join(one.started), one.preset))

    def _add(self) -> None:
        self._begin(self._asked(tr("Add an agent"), "", None))

    async def _asked(self, title: str, text: str, preset: Preset | None) -> None:
        """Ask for a command until it can be started; what is typed is agreed to with it."""
        refusal = ""
        said = tr("The program by its whole path or its name, then its arguments.")
        if preset is not None and preset.env:
            said += " " + tr("It is given {names}.").format(names=", ".join(preset.env))
        while True:
            field = Field(
                ("agentDialog", "agentCommand", "keepAgent"),
                tr("Command"),
                tr("Program and arguments"),
                text,
                longest=_MOST_COMMAND,
                width=560,
            )
            dialog = TextDialog(
                self._context.window, title, said, field, yes=tr("Keep"), no=tr("Cancel"),
                on_enter=True,
            )  # fmt: skip
            if refusal:
                dialog.refuse(refusal)
            if not await answered(dialog):
                return
            text = dialog.typed.strip()
            found = self._typed(text, preset)
            if isinstance(found, presets.Agent):
                await self._put(found)
                return
            refusal = found

    def _typed(self, text: str, preset: Preset | None) -> Agent | str:
        """The agent that a command starts, or why there is none."""
        try:
            command = tuple(shlex.split(text, posix=os.name != "nt"))
        except ValueError:
            return tr("A quotation mark is missing.")
        if not command:
            return tr("Name a program.")
        if preset is None:
            name = Path(command[0]).stem
            id_ = _NO_NAME.sub("-", name).strip("-")[:MAX_NAME]
            if not id_:
                return tr("Name a program.")
            preset = Preset(id_, name[:MAX_TITLE], command, (), id_)
        changed = Preset(preset.id, preset.title, command, preset.env, preset.client)
        inklings = self._context.inklings
        found = presets.located(changed, inklings.data_dir)
        if found.state not in {presets.READY, presets.FOUND}:
            return tr("Not started: {why}.").format(why=state_words(found.state))
        others = [one for one in inklings.settings.agent.presets if one.id != preset.id]
        known = presets.agents((*others, found.confirmed().preset), inklings.data_dir)
        if all(one.id != preset.id or one.program != found.program for one in known):
            return tr("Another agent has this name.")
        return found.confirmed()

    def _remove(self, one: Agent) -> None:
        self._begin(self._removed(one))

    async def _removed(self, one: Agent) -> None:
        title = tr("Remove {agent}?").format(agent=one.title)
        told = tr("Its program and what it wrote stay. You can add it again.")
        yes, no = tr("Remove"), tr("Keep it")
        if await ask(self._context.window, title, told, yes=yes, no=no, is_destructive=True):
            preferences = self._context.inklings.preferences
            await self._context.background.write(preferences.remove_row, PLACE, one.id)
            self._greetings.pop(one.id, None)
            self._read_again()

    async def _put(self, one: Agent) -> None:
        put_row = self._context.inklings.preferences.put_row
        await self._context.background.write(put_row, PLACE, one.row())
        self._greetings.pop(one.id, None)
        self._read_again()
        self.test(one)

    def _begin(self, action: Coroutine[Any, Any, None]) -> None:
        begin_asking(self._context.background, action, self._context.window)


def _line(title: str, told: Part, state: tuple[str, str, str, str], *acts: Part) -> Part:
    icon, role, said, tip = state
    return across(
        below(words(title, "fact", way="plain"), told, spacing=1),
        STRETCH,
        mark(icon, role, said, toolTip=plain_tool_tip(tip)),
        *acts,
        spacing=12,
        margins=(0, 6, 0, 6),
    )
