"""Who answers from the next turn on, and what that agent lets one set: the list and its choices."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QMenu

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.acp_wire.shapes import dict_of, line_of, list_of
from inklings_desktop.agent_client import presets
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.conversation.popovers import MemoryList
from inklings_desktop.ui.conversation.words import agent_name
from inklings_desktop.ui.kit.controls.buttons import LinkButton, MenuButton
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.words.agent_states import problem_state, state_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.session import Problem
    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.ui.kit.look.theme import Theme

MODE = ":mode"
"""Id of the option that an agent's modes are told as."""
_WIDTH, _ROW = 300, 30
_MOST_SHOWN = 9
_MOST_VALUES = 100


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """Something that an agent lets one set for a conversation.

    Attributes:
        id: The agent's; ``MODE`` for its modes.
        name: In the agent's words.
        now: The value that is set.
        values: Each value with its name, as the agent offers them.
    """

    id: str
    name: str
    now: str
    values: tuple[tuple[str, str], ...]


def agent_choices(
    agents: Sequence[Agent], problems: dict[str, Problem], *, has_ours: bool
) -> dict[str, str]:
    """What the list says of the World Agent, then of every other, by their client.

    Args:
        agents: The others.
        problems: What went wrong with those that were started, by their client.
        has_ours: Whether the World Agent is installed.
    """
    ours = presets.READY if has_ours else presets.NOT_FOUND
    found = {wire.WORLD_AGENT: (agent_name(), state_words(ours))}
    found |= {one.client: (one.title, state_words(one.state)) for one in agents}
    found |= {id_: (found[id_][0], problem_state(one)) for id_, one in problems.items()}
    return {id_: f"{title}  \u00b7  {state}" for id_, (title, state) in found.items()}


def offered(said: ThreadState) -> tuple[OptionChoice, ...]:
    """What can be set for a conversation; modes that an option tells as well are told once."""
    found = [one for one in map(_option, said.config_options) if one is not None]
    categories = {one.get("category") for one in said.config_options}
    modes = [dict_of(one) for one in list_of(said.modes.get("availableModes"))[:_MOST_VALUES]]
    if modes and "mode" not in categories:
        values = tuple((line_of(one.get("id"), 200), line_of(one.get("name"), 80)) for one in modes)
        now = line_of(said.modes.get("currentModeId"), 200)
        found.insert(0, OptionChoice(MODE, tr("Mode"), now, values))
    return tuple(found)


def _option(told: dict[str, Any]) -> OptionChoice | None:
    """One option of the protocol; None for a kind that is not a choice."""
    if told.get("type") != "select":
        return None
    flat: list[dict[str, Any]] = []
    for one in map(dict_of, list_of(told.get("options"))):
        inner = one.get("options")
        flat += map(dict_of, inner) if isinstance(inner, list) else [one]
    values = tuple(
        (line_of(one.get("value"), 200), line_of(one.get("name"), 80))
        for one in flat[:_MOST_VALUES]
    )
    name, now = line_of(told.get("name"), 60), line_of(told.get("currentValue"), 200)
    return OptionChoice(line_of(told.get("id"), 200), name, now, values)


class AgentPopover(Popover):
    """Agents with their state; below, what the one that answers lets one set.

    Signals:
        chosen: The client of the agent that is to answer.
        set_wanted: Id of an option, and the value that it is to have.
        settings_wanted: Where agents are added.
    """

    chosen = Signal(str)
    set_wanted = Signal(str, str)
    settings_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        agents: Mapping[str, str],
        chosen: str,
        options: Sequence[OptionChoice],
        parent: QWidget,
    ) -> None:
        super().__init__(theme, tr("Who answers from the next turn"), parent)
        self.list = MemoryList(theme, tr("Agents"), self)
        self.list.setFont(theme.font("body"))
        self.list.setIconSize(QSize(0, 0))
        for client, told in agents.items():
            item = self.list.add("", told, client)
            is_it = client == chosen
            item.setCheckState(Qt.CheckState.Checked if is_it else Qt.CheckState.Unchecked)
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable)
        self.list.setCurrentRow(list(agents).index(chosen))
        height = min(len(agents), _MOST_SHOWN) * theme.scaled(_ROW) + 4
        self.list.setFixedSize(theme.scaled(_WIDTH), height)
        self.list.entered.connect(self._on_entered)
        self.body.addWidget(self.list)
        self.menus: dict[str, QMenu] = {}
        self.options = {one.id: self._button(theme, one) for one in options}
        settings = LinkButton(tr("Settings\u2026"), self)
        settings.clicked.connect(self._on_settings_wanted)
        self.body.addLayout(hbox(None, settings, STRETCH))

    def _button(self, theme: Theme, option: OptionChoice) -> MenuButton:
        """A line with what is set, which opens what else there is."""
        button = MenuButton(theme, self)
        names = dict(option.values)
        shown = names.get(option.now) or option.now
        button.setText(shown)
        button.setAccessibleName(f"{option.name}: {shown}")
        menu = self.menus[option.id] = QMenu(button)
        for value, words in option.values:
            act = menu.addAction(words.replace("&", "&&"), partial(self._set, option.id, value))
            act.setCheckable(True)
            act.setChecked(value == option.now)
        button.clicked.connect(lambda: menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
        name = plain_label(option.name, "caption", self)
        self.body.addLayout(hbox(None, name, STRETCH, button))
        return button

    def _set(self, option: str, value: str) -> None:
        self.close()
        self.set_wanted.emit(option, value)

    @Slot(object)
    def _on_entered(self, client: object) -> None:
        self.close()
        self.chosen.emit(str(client))

    @Slot()
    def _on_settings_wanted(self) -> None:
        self.close()
        self.settings_wanted.emit()
