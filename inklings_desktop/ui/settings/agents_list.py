"""The agents that one can talk with: how each is started, whether it works, and other ones."""

from __future__ import annotations

import os
import re
import shlex
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.agent_client import presets
from inklings_desktop.agent_client.greeting import Greeting, greet
from inklings_desktop.agent_client.launching import empty_folder, leave_folder
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.session import SIGN_IN_NEEDED
from inklings_desktop.agent_settings import MAX_NAME, MAX_TITLE, Preset
from inklings_desktop.ui.kit.dialogs.ask import ask, ask_line
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.kit.page.parts import across, below, link, mark, more, plate, sized, words
from inklings_desktop.ui.kit.words.agent_states import greeting_state, state_words
from inklings_desktop.ui.settings.frame import card, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.ui.settings.frame import Group
    from inklings_desktop.usecases.bundle import Inklings

    Agents = tuple[tuple[Agent, ...], frozenset[str]]

PLACE: Final = "agent.presets"
_MOST_COMMAND = 2_000
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_GOOD, _NEUTRAL = ("check-circle", "accent"), ("", "inkFaint")
_WARNING, _BAD = ("warning", "ochre"), ("warning-circle", "madder")
_PROGRAM, _ICON, _HEAD = "terminal-window", 20, 26


def agents_of(inklings: Inklings) -> Agents:
    """Agents of other makers that are set or found here, and the names of all clients that came.

    Raises:
        InklingsError: The clients cannot be read.
    """
    others = presets.agents(inklings.settings.agent.presets, inklings.data_dir)
    return tuple(others), frozenset(one.client.name for one in inklings.clients.list(calls=1))


class AgentsList:
    """The section *Agents* of a group, which is said again when something here changes."""

    def __init__(self, group: Group[Any]) -> None:
        """Nothing was tried yet."""
        self._group = group
        self._greetings: dict[str, Greeting] = {}
        self._testing: set[str] = set()

    def card(self, known: Agents, *, has_ours: bool, **said: Any) -> Part:
        """The World Agent, those that are here, what works without a model, then the rest."""
        others, clients = known
        mark_, state = (_GOOD, presets.READY) if has_ours else (_NEUTRAL, presets.NOT_FOUND)
        gone = [one for one in others if one.state == presets.NOT_FOUND]
        rows = (
            self._row(
                ("planet", tr("World Agent"), tr("built in, speaks for this workspace"), ""),
                (*mark_, state_words(state), ""),
                self._rights(WORLD_AGENT, clients),
            ),
            *(self._other(one, clients) for one in others if one not in gone),
            self._row(
                ("gear-fine", tr("Without a model"), tr("built in, lookups and notes only"), ""),
                (*_GOOD, tr("always ready"), ""),
                (),
            ),
            *(self._other(one, clients) for one in gone),
        )
        heads = (tr("Name and command"), tr("State"), "")
        listed = table(heads, *rows, least=(0, 138, 0))
        level = plate(dress=sized(fixedHeight=_HEAD))  # with the head beside it and its button
        return card(tr("Agents"), listed, STRETCH, beside=(level,), **said)

    def _other(self, one: Agent, clients: frozenset[str]) -> tuple[Part | None, ...]:
        program, *arguments = one.started
        said = (one.title, shlex.join((Path(program).name, *arguments)), shlex.join(one.started))
        edit, asks, to_do = partial(self.edit, one), self._group.asks, []
        offers: list[Offer] = [(tr("Edit command\u2026"), edit), *self._rights(one.client, clients)]
        if one.state == presets.READY and one.id not in self._testing:
            offers.insert(0, (tr("Test"), partial(self.test, one)))
        elif one.state == presets.FOUND:
            spoken = tr("Use it: {agent}").format(agent=one.title)
            to_do = [link(tr("Use it\u2026"), edit, spoken=spoken, stores=True)]
        if one.id in {own.id for own in self._group.inklings.settings.agent.presets}:
            offers.append((tr("Remove\u2026"), lambda: asks(self._removed(one))))
        return self._row((_PROGRAM, *said), self._state(one), offers, *to_do)

    def _row(
        self,
        said: tuple[str, str, str, str],
        state: tuple[str, str, str, str],
        offers: Sequence[Offer],
        *to_do: Part,
    ) -> tuple[Part | None, ...]:
        """What it is, how it is with what is to be done about that, and what can be done."""
        icon, title, told, whole = said
        sign, role, how, tip = state
        style = "mono" if icon == _PROGRAM else "meta"
        name = words(title, "bodyStrong", way="elided")
        line = plate(words(told, style, way="elided"), toolTip=plain_tool_tip(whole))
        spoken = tr("More about {agent}").format(agent=title)
        return (
            across(
                part(IconMark, LOOK, icon, "inkSoft", _ICON),
                below(STRETCH, name, line, STRETCH, spacing=0, place=(1,)),
                spacing=12,
            ),
            across(mark(sign, role, how, toolTip=plain_tool_tip(tip)), *to_do, STRETCH, spacing=8),
            more(spoken, lambda: offers, name=f"more:{title}", stores=True) if offers else None,
        )

    def _rights(self, client: str, clients: frozenset[str]) -> list[Offer]:
        rights = partial(self._group.context.go, ToTab("access", client))
        return [(tr("Rights\u2026"), rights)] if client in clients else []

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

    def edit(self, one: Agent | None = None) -> None:
        """Ask for the command of an agent, or of another one."""
        self._group.asks(self._asked(one))

    def test(self, one: Agent) -> None:
        """Greet an agent; it is handed no memory."""
        if one.command is not None and one.id not in self._testing:
            self._testing.add(one.id)
            self._group.read_again()
            self._group.spawn(self._test(one, one.command))

    async def _test(self, one: Agent, command: list[str]) -> None:
        stop, folder = threading.Event(), Path(empty_folder())
        variables = presets.environment(os.environ, one.preset)
        start = partial(PlainProcess, command, variables, folder)
        try:
            self._greetings[one.id] = await self._group.background.read(
                greet, start, str(folder), is_stopped=stop.is_set
            )
        finally:
            stop.set()  # cancelling only stops the wait
            leave_folder(folder)
            self._testing.discard(one.id)
        self._group.read_again()

    async def _asked(self, one: Agent | None) -> None:
        """Ask for a command until it can be started; what is typed is agreed to with it."""
        title, text, preset = tr("Add an agent"), "", None
        if one is not None:
            title = tr("Command of {agent}").format(agent=one.title)
            text, preset = shlex.join(one.started), one.preset
        said = tr("The program by its whole path or its name, then its arguments.")
        if preset is not None and preset.env:
            said += " " + tr("It is given {names}.").format(names=", ".join(preset.env))
        names = ("agentDialog", "agentCommand", "keepAgent")
        label, hint = tr("Command"), tr("Program and arguments")
        field = Field(names, label, hint, text, longest=_MOST_COMMAND, width=560)

        async def use(typed: str) -> str:
            found = self._typed(typed, preset)
            if isinstance(found, str):
                return found
            self._greetings.pop(found.id, None)
            put_row = self._group.inklings.preferences.put_row
            if await self._group.change(put_row, PLACE, found.row()):
                self.test(found)
            return ""

        await ask_line(self._group.context.window, title, said, field, yes=tr("Keep"), use=use)

    def _typed(self, text: str, preset: Preset | None) -> Agent | str:
        """The agent that a command starts, or why there is none."""
        try:
            command = tuple(shlex.split(text, posix=os.name != "nt"))
        except ValueError:
            return tr("A quotation mark is missing.")
        name = Path(command[0]).stem if command else ""
        id_ = _NO_NAME.sub("-", name).strip("-")[:MAX_NAME]
        if not command or not (preset or id_):
            return tr("Name a program.")
        preset = preset or Preset(id_, name[:MAX_TITLE], (), (), id_)
        inklings = self._group.inklings
        found = presets.located(replace(preset, command=command), inklings.data_dir)
        if found.state not in {presets.READY, presets.FOUND}:
            return tr("Not started: {why}.").format(why=state_words(found.state))
        others = [one for one in inklings.settings.agent.presets if one.id != preset.id]
        known = presets.agents((*others, found.confirmed().preset), inklings.data_dir)
        if all(one.id != preset.id or one.program != found.program for one in known):
            return tr("Another agent has this name.")
        return found.confirmed()

    async def _removed(self, one: Agent) -> None:
        title = tr("Remove {agent}?").format(agent=one.title)
        told = tr("Its program and what it wrote stay. You can add it again.")
        yes, no = tr("Remove"), tr("Keep it")
        if await ask(self._group.context.window, title, told, yes=yes, no=no, is_destructive=True):
            self._greetings.pop(one.id, None)
            await self._group.change(self._group.inklings.preferences.remove_row, PLACE, one.id)
