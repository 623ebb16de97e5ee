"""Who may think with this memory: agents, providers of models, and which work goes to which."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QAbstractButton

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_settings import OFF, PROCESSES, route_of
from inklings_desktop.ui.kit.controls.buttons import MenuButton
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.look.accessibility import order_tabs
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.kit.page.parts import (
    across,
    button,
    flow,
    hairline,
    link,
    opening,
    plate,
    sized,
    turned,
    words,
)
from inklings_desktop.ui.kit.panes.banner import Banner, BannerContent
from inklings_desktop.ui.kit.panes.scope_picker import ModelPicker
from inklings_desktop.ui.settings import agents_words as says
from inklings_desktop.ui.settings.agents_list import AgentsList, agents_of
from inklings_desktop.ui.settings.agents_providers import Providers
from inklings_desktop.ui.settings.frame import BESIDE, Group, card, table
from inklings_desktop.ui.settings.groups import setting_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.settings.agents_list import Agents

_BESIDE_FROM, _GAP, _LEAST = 780, 14, (0, 0, 0, 130, 113)


class AgentsGroup(Group["Agents"]):
    """Settings hold at once; providers are asked about once somebody looks."""

    watches = About.SETTINGS | About.CLIENTS
    _is_wide = False  # two cards have room side by side
    _stops: Sequence[str] = ()

    def __init__(self, context: Context, parent: QWidget) -> None:
        self._agents, self._providers = AgentsList(self), Providers(self)
        super().__init__(context, parent)
        self.view.resized.connect(self._on_resized)

    def heading(self) -> tuple[str, str]:
        lead = tr(
            "Who may think with this memory, and with which model. A turn is sent to the one"
            " you choose and to nobody else."
        )
        return tr("Agents and models"), lead

    def beside(self) -> Part:
        text, add = tr("Add an agent\u2026"), self._agents.edit
        said: dict[str, Any] = {"name": "addAgent", "stores": True, "place": BESIDE}
        return button(text, add, kind="primary", icon="plus", **said)

    def on_shown(self, *, is_shown: bool) -> None:
        super().on_shown(is_shown=is_shown)
        if is_shown:
            self._providers.look()

    def read_content(self) -> Agents:
        return agents_of(self.inklings)

    @Slot()
    def say_again(self) -> None:
        super().say_again()
        stops = [one.objectName() for one in self.view.findChildren(QAbstractButton)]
        if stops != self._stops:  # what comes late is where it is read
            self._stops = stops
            order_tabs(self.view)

    def said(self, content: Agents | None) -> tuple[Part, ...]:
        told = tr("This system has no keyring."), tr("The key is kept until you close the window.")
        unkept = None if self._providers.has_keyring else BannerContent("ochre", *told)
        has_ours = self._providers.absent != wire.AGENT_NOT_INSTALLED
        reach = tr(
            "The World Agent alone reads all four tiers. Every other agent starts with what Access"
            " grants it."
        )
        return (
            part(Banner, LOOK, how={"inset": True}, name="noKeyring", content=unkept),
            turned(
                self._agents.card(content or ((), frozenset()), has_ours=has_ours, place=(1,)),
                self._providers.card(place=(1,)),
                beside=self._is_wide,
                spacing=_GAP,
            ),
            self._routing(),
            across(
                words(reach, way="elided"),
                link(tr("Open Access"), lambda: self.context.go(ToTab("access"))),
                STRETCH,
                spacing=6,
            ),
        )

    def _routing(self) -> Part:
        """The model of each class, the class of each kind of work, and what it may cost."""
        heads = (tr("Work"), tr("What it does"), tr("Wants"), tr("Model"), tr("Last 7 days"))
        policies = (
            Segment("decide", tr("It decides")),
            Segment("ask", tr("It asks first")),
            Segment("never", tr("It writes none")),
        )
        decides = self.setting("writePolicy", *policies)
        cost, policy = tr("Ask before a turn costs more than"), tr("New memories")
        return card(
            tr("Which work goes to which model"),
            flow(*(self._class(id_, *said) for id_, said in says.class_words().items()), gap=28),
            table(heads, *map(self._work, PROCESSES), least=_LEAST, stretch=3, line_px=38),
            hairline(),
            flow(
                plate(words(cost, way="plain"), self.setting("turnCost"), spacing=10),
                plate(words(policy, way="plain"), decides, spacing=10),
                gap=28,
            ),
            beside=(
                words(tr("At most"), way="plain"),
                self.setting("dailyCost"),
                words(tr("a day without asking"), way="elided"),
            ),
        )

    def _class(self, id_: str, name: str, told: str) -> Part:
        now = self.inklings.settings.agent.classes.named(id_)
        picker = part(
            ModelPicker,
            LOOK,
            name=f"class:{id_}",
            spoken=tr("{class_name} model").format(class_name=name),
            offer=(says.model_choices(self._providers.known, self._providers.tried, now), now),
            chosen=partial(self.save, f"agent.classes.{id_}"),
        )
        said = words(name, "metaStrong", way="plain"), words(told, "caption", way="plain")
        return plate(across(*said, STRETCH, spacing=8), picker, box=vbox, spacing=4)

    def _work(self, process: str) -> tuple[Part, ...]:
        wants = {id_: name for id_, (name, _) in says.class_words().items()} | {OFF: tr("Off")}
        route = route_of(self.inklings.settings.agent, process)
        title, does = says.work_words()[process]
        spec, now = setting_of(f"route:{process}"), wants[route.wanted]
        want = opening(
            MenuButton,
            LOOK,
            offers=lambda: ((s, partial(self.save, spec.place, id_)) for id_, s in wants.items()),
            name=spec.id,
            text=now,
            spoken=f"{spec.name}: {now}",
            dress=sized(fixedWidth=104, fixedHeight=28),
        )
        model, style = says.model_words(route), "metaInk" if route.model else "caption"
        return (
            words(title, "bodyStrong", way="plain"),
            words(does, way="elided"),
            want,
            words(model, style, way="elided"),
            words(says.spent_on(self._providers.usage, process), way="elided"),
        )

    @Slot()
    def _on_resized(self) -> None:
        is_wide = self.view.is_wider_than(_BESIDE_FROM)
        if is_wide is not self._is_wide:
            self._is_wide = is_wide
            self.say_again()
