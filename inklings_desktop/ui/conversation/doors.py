"""The ways to a model or another agent that an empty conversation offers: what is here already."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.agent_client.presets import FOUND, READY
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import LinkButton, PushButton
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import IconMark, plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.ui.kit.look.theme import Theme

OLLAMA: Final = "ollama"
"""Id of the provider that is looked for on this machine."""
MODEL, AGENT, SETTINGS = "model", "agent", "settings"
"""What a door does: a model thinks from now on, an agent answers here, or one sets up either."""


@dataclass(frozen=True, slots=True)
class DoorWords:
    """What a door shows.

    Attributes:
        icon: Above its title.
        title: Of the card.
        text: What was found, and what it takes.
        verb: On its button.
        act: ``model``, ``agent`` or ``settings``.
        value: Id of the model, or the client of the agent; empty for the settings.
        is_free: Whether it costs and sends nothing.
    """

    icon: str
    title: str
    text: str
    verb: str
    act: str
    value: str = ""
    is_free: bool = False


def doors(models: Sequence[str] | None, agents: Sequence[Agent]) -> tuple[DoorWords, ...]:
    """The doors to what was found, and the one for a key; none where nothing was found.

    Args:
        models: Names of the models that Ollama has here; None where it does not run.
        agents: The agents that can be named, found or not.
    """
    here = sorted((one for one in agents if one.state in {READY, FOUND}), key=_is_unconfirmed)
    if models is None and not here:
        return ()
    found = []
    if models is not None:
        found.append(_of_ollama([one for one in models if not one.endswith("cloud")]))
    found.append(
        DoorWords(
            "key",
            tr("A key of your own"),
            tr("Anthropic, OpenAI, xAI or OpenRouter. It is kept in the system\u2019s keyring."),
            tr("Add a key\u2026"),
            SETTINGS,
        )
    )
    if here:
        first, names = here[0], ", ".join(one.title for one in here)
        found.append(
            DoorWords(
                "terminal-window",
                tr("An agent you already use"),
                tr("Found: {names}. It keeps its own sign-in.").format(names=names),
                tr("Connect {agent}").format(agent=first.title),
                AGENT if first.state == READY else SETTINGS,
                first.client if first.state == READY else "",
            )
        )
    return tuple(found)


def _is_unconfirmed(agent: Agent) -> bool:
    return agent.state != READY


def _of_ollama(models: Sequence[str]) -> DoorWords:
    """Its door; it is free only with a model that answers on this machine."""
    title = tr("Ollama, on this machine")
    if not models:
        text = tr("Found, without a model. Load one there first.")
        return DoorWords("desktop", title, text, tr("Open settings"), SETTINGS)
    text = counted(
        len(models),
        "Found, with a model. It is free, and nothing is sent anywhere.",
        "Found, with {n} models. It is free, and nothing is sent anywhere.",
    )
    verb = tr("Use {model}").format(model=models[0])
    return DoorWords("desktop", title, text, verb, MODEL, f"{OLLAMA}/{models[0]}", is_free=True)


class Doors(QWidget):
    """The doors side by side; with none, only the way to the settings.

    Signals:
        wanted: What a door does, and with which model or client.
    """

    wanted = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[DoorWords, ...] | None = None
        self.buttons: list[PushButton] = []
        title = plain_label(tr("Connect a model or an agent"), "metaStrong", self)
        self._text = plain_label("", "meta", self)
        self._text.setWordWrap(True)
        self.settings = LinkButton(tr("Agents and models"), self)
        self.settings.clicked.connect(partial(self.wanted.emit, SETTINGS, ""))
        column = vbox(self, margins=(0, 10, 0, 0), spacing=10)
        fill(column, hbox(None, title, (self._text, 1), self.settings, spacing=10))
        self._row = hbox(None, spacing=12)
        column.addLayout(self._row)
        self.show_doors(())

    def show_doors(self, shown: tuple[DoorWords, ...]) -> None:
        """Show these in the place of those before."""
        if shown == self._shown:
            return
        self._shown = shown
        text = tr("Any one of these. Your memory stays here; only the turn is sent.")
        self._text.setText(text if shown else tr("Nothing was found on this machine yet."))
        while (item := self._row.takeAt(0)) is not None:
            if (card := item.widget()) is not None:
                card.hide()
                card.deleteLater()
        self.buttons = []
        before: QWidget = self.settings
        for one in shown:
            self._row.addWidget(self._card(one), 1)
        for button in self.buttons:
            QWidget.setTabOrder(before, button)
            before = button

    def _card(self, door: DoorWords) -> QFrame:
        card = QFrame(self)
        card.setProperty("card", "true")
        text = plain_label(door.text, "meta", card)
        text.setWordWrap(True)
        kind = "primary" if door.is_free else "plain"
        button = PushButton(self._theme, door.verb, kind=kind, parent=card)
        button.setAccessibleDescription(f"{door.title}. {door.text}")
        button.clicked.connect(partial(self.wanted.emit, door.act, door.value))
        self.buttons.append(button)
        inner = vbox(card, margins=16, spacing=6)
        fill(inner, IconMark(self._theme, door.icon, "accent", 20, card))
        fill(inner, plain_label(door.title, "bodyStrong", card), text, STRETCH, 4)
        fill(inner, hbox(None, button, STRETCH))
        return card
