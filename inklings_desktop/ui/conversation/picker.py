"""Who answers from the next turn on, with what model, and what that agent lets one set."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QListWidgetItem, QMenu

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.acp_wire.parts import own_of
from inklings_desktop.acp_wire.shapes import dict_of, line_of, list_of, number_of
from inklings_desktop.agent_client import presets
from inklings_desktop.agent_settings import MAX_COST, PROCESSES, route_of, sent_to
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.conversation.facts import hand_over
from inklings_desktop.ui.conversation.popovers import MemoryList
from inklings_desktop.ui.conversation.spending import (
    DAY,
    MICRO,
    TURN,
    BudgetPopover,
    is_free,
    spending_of,
)
from inklings_desktop.ui.conversation.words import agent_name
from inklings_desktop.ui.kit.controls.buttons import LinkButton, MenuButton
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.page.destinations import ToSettings
from inklings_desktop.ui.kit.words.agent_states import problem_state, state_words
from inklings_desktop.ui.kit.words.money import money

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.session import Problem
    from inklings_desktop.agent_client.talk import Talk
    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.ui.conversation.facts import ConversationContent
    from inklings_desktop.ui.conversation.hosting import Hosting
    from inklings_desktop.ui.conversation.spending import Spending
    from inklings_desktop.ui.conversation.view import ConversationView
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.page import Page

MODE = ":mode"
"""Id of the option that an agent's modes are told as."""
_WIDTH, _ROW = 300, 30
_MOST_SHOWN = 9
_MOST_VALUES = 500


@dataclass(frozen=True, slots=True)
class OptionValue:
    """A value that an option can have.

    Attributes:
        id: The agent's.
        name: In the agent's words.
        group: Name of those that it stands among; empty for none.
        told: What is said of it beside its name: what a model costs, as a rule.
        is_local: Whether it is a model that answers on this machine.
    """

    id: str
    name: str
    group: str = ""
    told: str = ""
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """Something that an agent lets one set for a conversation.

    Attributes:
        id: The agent's; ``MODE`` for its modes.
        name: In the agent's words.
        now: The value that is set.
        values: As the agent offers them.
        is_model: Whether it says which model answers.
    """

    id: str
    name: str
    now: str
    values: tuple[OptionValue, ...]
    is_model: bool = False


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
        values = tuple(map(_value, modes))
        now = line_of(said.modes.get("currentModeId"), 200)
        found.insert(0, OptionChoice(MODE, tr("Mode"), now, values))
    return tuple(found)


def _option(told: dict[str, Any]) -> OptionChoice | None:
    """One option of the protocol; None for a kind that is not a choice."""
    if told.get("type") != "select":
        return None
    values: list[OptionValue] = []
    for one in map(dict_of, list_of(told.get("options"))):
        inner, group = one.get("options"), line_of(one.get("name"), 60)
        if isinstance(inner, list):
            values += (_value(dict_of(each), group) for each in inner)
        else:
            values.append(_value(one))
    name, now = line_of(told.get("name"), 60), line_of(told.get("currentValue"), 200)
    is_model = wire.MODEL in {told.get("id"), told.get("category")}
    id_, values = line_of(told.get("id"), 200), values[:_MOST_VALUES]
    return OptionChoice(id_, name, now, tuple(values), is_model)


def _value(told: Mapping[str, Any], group: str = "") -> OptionValue:
    """A value of an option, or a mode; of a model, our own agent tells what a turn costs."""
    id_, own = line_of(told.get("value") or told.get("id"), 200), own_of(told)
    name, said = line_of(told.get("name"), 80), [line_of(told.get("description"), 120)]
    is_local, price = own.get("local") is True, number_of(own.get("turn_micro"))
    if id_ == wire.MECHANICAL:
        name = tr("No model")
    if own or id_ == wire.MECHANICAL:
        said = [tr("as no worse one is set")] if own.get("stands_in") is True else []
        if is_local or price == 0 or not own:
            said.append(tr("free"))
        elif price is not None:
            said.append(tr("about {cost} a turn").format(cost=money(price)))
    return OptionValue(id_, name, group, ", ".join(filter(None, said)), is_local)


class Choosing:
    """Lets one choose who answers in the conversation on show, and what that may cost."""

    def __init__(
        self,
        page: Page[ConversationContent],
        view: ConversationView,
        host: Hosting,
        here: Callable[[], str],
    ) -> None:
        """Choose nothing yet.

        Args:
            page: Knows what is stored of the conversation.
            view: Of the page.
            host: Has the agents' processes.
            here: Id of the conversation on show.
        """
        self._page, self._view, self._host, self._here = page, view, host, here

    @property
    def _said(self) -> ThreadState:
        return self._host.said_in(self._here())

    @property
    def _talk(self) -> Talk:
        return self._host.talking_in(self._here()).talk

    @property
    def _agent(self) -> Agent | None:
        return self._page.content.agent if self._page.content else None

    @property
    def has_model(self) -> bool:
        """Whether a model is behind the World Agent here; the conversation knows it best."""
        if self._said.has_model is not None:
            return self._said.has_model
        if (facts := self._talk.facts) is not None:
            return not facts.is_mechanical
        return bool(sent_to(self._page.inklings.settings.agent))

    def who(self) -> tuple[str, str, str]:
        """Icon, name and short name of who answers: a model may stand for its agent."""
        agent = self._agent
        title = agent_name() if agent is None else agent.title
        if agent is None and not self.has_model:
            return "gear-fine", tr("No model"), tr("No model")
        model = _model_of(offered(self._said))
        if agent is None and not model:
            route = route_of(self._page.inklings.settings.agent, PROCESSES[0])
            model = route.model.partition("/")[2]
        both = tr("{agent}, {model}").format(agent=title, model=model) if model else title
        icon = "planet" if agent is None else "terminal-window"
        return icon, both, model or title

    def cost(self) -> tuple[Spending | None, str]:
        """What is spent here, or else a remark; of another's agent nothing is known."""
        if self._agent is not None:
            return None, ""
        if not self.has_model or is_free(self._said):
            return None, tr("free")
        return spending_of(self._said, self._page.inklings.settings.agent), ""

    def open_budget(self) -> None:
        """Show what was spent, and let the ceilings be changed."""
        page, (spending, _) = self._page, self.cost()
        if spending is None:
            return
        popover = BudgetPopover(page.context.theme, spending, self._view)
        save = page.inklings.preferences.save
        popover.ceiling_wanted.connect(
            lambda place, most: page.spawn(page.change(save, {place: most}))
        )
        popover.closed.connect(popover.deleteLater)
        popover.popup_below(self._view.composer.cost)

    def offer(self) -> None:
        """Offer the agents that may answer from the next turn on."""
        page, content = self._page, self._page.content
        if content is None or content.talk is None:
            return
        client = wire.WORLD_AGENT if content.agent is None else content.agent.client
        has_ours = self._host.talking.is_installed
        choices = agent_choices(content.agents, self._host.problems, has_ours=has_ours)
        theme, options = page.context.theme, offered(self._said)
        popover = AgentPopover(theme, choices, client, options, self._view)
        popover.chosen.connect(lambda chosen: page.spawn(self.hand_over(chosen)))
        popover.set_wanted.connect(self._set)
        popover.settings_wanted.connect(lambda: page.context.go(ToSettings("agents")))
        popover.closed.connect(popover.deleteLater)
        popover.popup_below(self._view.composer.who)

    async def hand_over(self, client: str) -> None:
        """Let another agent answer from here on, and say so in the conversation."""
        page, content = self._page, self._page.content
        if content is None or content.talk is None:
            return
        if self._said.is_running:
            page.context.tell(tr("Another agent can answer once this turn has ended"))
            return
        titles = {one.client: one.title for one in content.agents}
        before = wire.WORLD_AGENT if content.agent is None else content.agent.client
        if client != before:
            title = titles.get(client, client)
            here = (page.inklings, page.workspace_id, content.talk.id)
            await page.change(hand_over, *here, client, title)
        self._view.focus_composer()

    def go_on_without(self) -> None:
        """Let no model answer from here on, and what was said last be answered so."""
        again = partial(self._talk.retry, self._here())
        self._answer_with(wire.MODEL, wire.MECHANICAL, "", again)

    async def raise_ceiling(self, told: Mapping[str, Any]) -> None:
        """Double the ceiling that ended a turn, as its problem tells it; then ask it again."""
        place, here = DAY if told.get("of") == "day" else TURN, self._here()
        most = min(2 * (number_of(told.get("ceiling")) or 0) / MICRO, MAX_COST)
        if await self._page.change(self._page.inklings.preferences.save, {place: most}):
            self._host.talking_in(here).talk.retry(here)

    def _set(self, option: str, value: str) -> None:
        one = {one.id: one for one in offered(self._said)}.get(option)
        if option == MODE:
            self._talk.set_mode(self._here(), value)
        elif one is not None and one.is_model and value != one.now:
            self._answer_with(option, value, _name_of(one, value))
        else:
            self._talk.set_option(self._here(), option, value)

    def _answer_with(
        self, option: str, value: str, name: str, then: Callable[[], None] | None = None
    ) -> None:
        """Let a model answer from the next turn on, and say so in the conversation."""
        page, here = self._page, self._here()
        if self._said.is_running:
            page.context.tell(tr("Another model can answer once this turn has ended"))
            return
        client = wire.WORLD_AGENT if self._agent is None else self._agent.client
        where = page.inklings, page.workspace_id, here

        async def said_so() -> None:
            await page.change(hand_over, *where, client, name, value)
            if then is not None:
                then()

        self._talk.set_option(here, option, value, lambda: page.spawn(said_so()))


def _model_of(options: Sequence[OptionChoice]) -> str:
    """Name of the model that answers, as far as its agent tells; empty for not told."""
    for one in options:
        if one.is_model:
            return _name_of(one, one.now)
    return ""


def _name_of(option: OptionChoice, value: str) -> str:
    """Name of a value; the agent's own word for one that it does not offer."""
    return next((one.name for one in option.values if one.id == value), value)


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
            _mark(item, is_it=client == chosen)
        self.list.setCurrentRow(list(agents).index(chosen))
        self._take(self.list)
        self.list.entered.connect(self._on_entered)
        self.models: MemoryList | None = None
        self.menus: dict[str, QMenu] = {}
        self.options: dict[str, MenuButton] = {}
        for one in options:
            if one.is_model:
                self.models = self._model_list(theme, one)
            else:
                self.options[one.id] = self._button(theme, one)
        settings = LinkButton(tr("Settings\u2026"), self)
        settings.clicked.connect(self._on_settings_wanted)
        self.body.addLayout(hbox(None, settings, STRETCH))

    def _take(self, rows: MemoryList) -> None:
        """Put a list below what is there, as high as its rows up to a bound."""
        height = min(rows.count(), _MOST_SHOWN) * self._theme.scaled(_ROW) + 4
        rows.setFixedSize(self._theme.scaled(_WIDTH), height)
        self.body.addWidget(rows)

    def _model_list(self, theme: Theme, option: OptionChoice) -> MemoryList:
        """The models below the names of their providers, those of this machine with a mark."""
        self.body.addWidget(plain_label(option.name, "label", self))
        rows = MemoryList(theme, option.name, self)
        rows.setFont(theme.font("body"))
        here, group = QIcon(theme.pixmap("desktop", "inkSoft", 16)), ""
        for one in option.values:
            if one.group != group:
                group = one.group
                title = rows.add("", group, None)
                title.setIcon(QIcon())
                title.setFlags(Qt.ItemFlag.NoItemFlags)
                title.setFont(theme.font("label"))
            words = " \u00b7 ".join(filter(None, (one.name, one.told)))
            spoken = tr("on this machine") if one.is_local else ""
            item = rows.add("", words, one.id, spoken)
            if one.is_local:
                item.setIcon(here)
            item.setToolTip(plain_tool_tip(words))
            _mark(item, is_it=one.id == option.now)
            if one.id == option.now:
                rows.setCurrentItem(item)
        rows.entered.connect(partial(self._on_model_entered, option.id))
        self._take(rows)
        return rows

    def _button(self, theme: Theme, option: OptionChoice) -> MenuButton:
        """A line with what is set, which opens what else there is."""
        button = MenuButton(theme, self)
        shown = _name_of(option, option.now)
        button.setText(shown)
        button.setAccessibleName(f"{option.name}: {shown}")
        menu = self.menus[option.id] = QMenu(button)
        for one in option.values:
            chosen = partial(self._set, option.id, one.id)
            act = menu.addAction(one.name.replace("&", "&&"), chosen)
            act.setCheckable(True)
            act.setChecked(one.id == option.now)
        button.clicked.connect(lambda: menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
        name = plain_label(option.name, "caption", self)
        self.body.addLayout(hbox(None, name, STRETCH, button))
        return button

    def _on_model_entered(self, option: str, value: str | None) -> None:
        if value is not None:  # the name of a provider is none
            self._set(option, value)

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


def _mark(item: QListWidgetItem, *, is_it: bool) -> None:
    """Show whether a row is the one that is chosen."""
    item.setCheckState(Qt.CheckState.Checked if is_it else Qt.CheckState.Unchecked)
    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable)
