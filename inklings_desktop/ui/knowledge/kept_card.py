"""The card of what agents keep between their runs: read, cleared, and given back by undo."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from inklings_desktop.ui.kit.dialogs.ask import answered, ask
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.text_layout import shortened
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.parts import (
    across,
    hairline,
    link,
    mark,
    open_menu,
    plate,
    sized,
    words,
)
from inklings_desktop.ui.kit.words.memory_facts import age_label, name_of_writer
from inklings_desktop.ui.knowledge import acts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.ui.knowledge.acting_tab import ActingTab

_CARD, _CARD_WIDTH = 18, 316
_SHOWN, _MOST_VERSIONS = 240, 10
_WIDTH, _TEXT = 560, 320


class KeptCard:
    """What the card says and does for the tab that it is on."""

    def __init__(self, tab: ActingTab) -> None:
        self._tab = tab

    def said(self, kept: Sequence[WorkingMemory], now: datetime, *, is_narrow: bool) -> Part:
        """The card, as wide as there is room or as designed."""
        size = sized() if is_narrow else sized(fixedWidth=_CARD_WIDTH)
        return card(tr("Working memories"), *self._inside(kept, now), dress=size)

    def _inside(self, kept: Sequence[WorkingMemory], now: datetime) -> tuple[Part, ...]:
        about = tr(
            "One page each agent keeps between runs. No other agent reads it; you may read and"
            " clear it."
        )
        if not kept:
            return (words(about), words(tr("No agent keeps anything now.")))
        items = [one for each in kept for one in self._item(each, now)]
        clear = link(tr("Clear one\u2026"), self._choose, name="clearOne")
        return (words(about), *items, hairline(), across(STRETCH, clear))

    def _item(self, kept: WorkingMemory, now: datetime) -> tuple[Part, ...]:
        n_earlier = min(kept.version - 1, _MOST_VERSIONS)
        size = counted(len(kept.body), "1 character", "{n} characters")
        earlier = counted(n_earlier, "1 earlier text", "{n} earlier texts") if n_earlier else ""
        stale = tr("not changed for 90 days")
        read = partial(self._tab.spawn_of, partial(self._read, kept, now))
        return (
            hairline(),
            across(
                mark("planet", "inkSoft", name_of(kept), "metaStrong", inked=False),
                STRETCH,
                words(age_label(kept.updated_at, now), way="plain"),
                spacing=8,
            ),
            words(shortened(kept.body, _SHOWN), "reading"),
            words(stale, "ochre", visible=kept.is_stale(now)),
            across(
                words(", ".join(filter(None, (size, earlier))), way="plain"),
                STRETCH,
                link(tr("Read\u2026"), read, name=f"read:{kept.agent}:{kept.part}"),
            ),
        )

    def _choose(self) -> None:
        """Ask of whom, where there are several."""
        content = self._tab.content
        found = self._tab.view.findChild(QWidget, "clearOne")
        if content is None or found is None:
            return
        if len(content.kept) == 1:
            self._tab.spawn(self._clear(content.kept[0]))
        else:
            open_menu(self.offers, found)

    def offers(self) -> Iterable[Offer]:
        """Each agent of which something can be cleared."""
        for one in self._tab.content.kept if self._tab.content is not None else ():
            yield name_of(one), partial(self._tab.spawn_of, partial(self._clear, one))

    async def _clear(self, kept: WorkingMemory) -> None:
        tab, name = self._tab, name_of(kept)
        title = tr("Clear what {agent} keeps?").format(agent=name)
        text = tr("It starts its next run without it.")
        yes, no = tr("Clear"), tr("Keep")
        if await ask(tab.view.window(), title, text, yes=yes, no=no, is_destructive=True):
            done = tr("Cleared what {agent} keeps").format(agent=name)
            await tab.do(done, partial(acts.clear, tab.inklings, tab.workspace_id, kept))

    async def _read(self, kept: WorkingMemory, now: datetime) -> None:
        tab = self._tab
        asked = tab.inklings.working_memories.versions
        read = tab.background.read(asked, tab.workspace_id, kept.agent, kept.part)
        earlier = await said(tab.context, read)
        if earlier is not None:
            texts = (kept, *earlier)
            await answered(KeptDialog(tab.context.window, tab.context.theme, texts, now))


class KeptDialog(SmallDialog):
    """One text whole, and those before it; there is nothing to change."""

    def __init__(
        self, parent: QWidget, theme: Theme, texts: Sequence[WorkingMemory], now: datetime
    ) -> None:
        about = tr("The agent writes it for itself. You can only read or clear it.")
        super().__init__(
            parent, name_of(texts[0]), about, name="keptDialog", width=_WIDTH, grows=True
        )
        self._texts = texts
        self.versions = named(QComboBox(self), "keptVersions", tr("Version"))
        for number, one in enumerate(texts):
            age = age_label(one.updated_at, now)
            label = tr("Now, {age}") if number == 0 else tr("Before, {age}")
            self.versions.addItem(label.format(age=age))
        self.versions.setVisible(len(texts) > 1)
        self.text = named(QPlainTextEdit(self), "keptText", tr("Text"))
        self.text.setReadOnly(True)
        self.text.setFont(theme.font("reading"))
        self.text.setFixedHeight(round(_TEXT * self.growth))
        close = self.button(tr("Close"), "keptClose", on_enter=True)
        close.clicked.connect(self.accept)
        self.lay_out(self.versions, self.text, right=(close,))
        self.versions.currentIndexChanged.connect(self._show)
        self._show(0)

    def _show(self, number: int) -> None:
        body = self._texts[number].body
        self.text.setPlainText(body or tr("Empty: it was cleared."))


def card(title: str, *inside: Part, beside: tuple[Part, ...] = (), **said: Any) -> Part:
    """A card of the tab, with a title and perhaps links after it."""
    head = across(words(title, "tab", way="plain"), STRETCH, *beside, spacing=12)
    margins = (_CARD, 14, _CARD, 14)
    return plate(head, *inside, box=vbox, kind="card", margins=margins, spacing=10, **said)


def name_of(kept: WorkingMemory) -> str:
    """Who keeps it, with the part of it that does."""
    agent = name_of_writer(kept.agent)
    return f"{agent} ({kept.part})" if kept.part else agent
