"""What is done in the background, and when: vectors, conversations, consolidation, closing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSystemTrayIcon, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.settings import MAX_CAP, MAX_MINUTES, MAX_SILENT_DAYS
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.destinations import ToSettings
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.settings.frame import Card, GroupFrame, NumberField, SwitchRow
from inklings_desktop.ui.settings.groups import MEMORY

if TYPE_CHECKING:
    from inklings_desktop.settings import Settings
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context

_TIERS = (Tier.CHANNEL, Tier.WORKSPACE, Tier.ACCOUNT)
_ROW = 38
TRIGGERS = (
    ("new_entries", "NewEntries", float(MAX_CAP)),
    ("idle_minutes", "IdleMinutes", MAX_MINUTES),
    ("every_hours", "EveryHours", MAX_MINUTES),
)


class BackgroundGroup(Page["Settings"]):
    """Every figure holds from the next look of the clock on."""

    watches = About.SETTINGS
    view: BackgroundView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, BackgroundView(context.theme, parent))
        view = self.view
        for place, field in view.fields.items():
            field.number_wanted.connect(partial(self._save, place))
        for place, row in view.switches.items():
            row.switch.wanted.connect(partial(self._save, place))
        view.tidying.clicked.connect(lambda: context.go(ToSettings(MEMORY, "tidying")))
        can_stay = context.inklings.background is not None
        view.show_closing(shown=can_stay and QSystemTrayIcon.isSystemTrayAvailable())

    def read_content(self) -> Settings:
        return self.inklings.settings

    def show_content(self, content: Settings) -> None:
        self.view.show_settings(content)

    def _save(self, place: str, value: float | bool) -> None:  # noqa: FBT001 - a signal's payload
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        self.spawn(self.change(self.inklings.preferences.save, {place: value}))


class BackgroundView(GroupFrame):
    """Four cards.

    Attributes:
        fields: Numbers by their place in the settings file.
        switches: Switches likewise.
        tidying: Leads to where consolidation is switched off as a whole.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(
            theme,
            tr("Background work"),
            tr("Work done automatically; it pauses while you type."),
            parent,
        )
        self.fields: dict[str, NumberField] = {}
        self.switches: dict[str, SwitchRow] = {}
        self._add_search()
        self._add_conversations()
        self._add_cadences()
        self._closing = self.add_card(tr("When the window closes"))
        self._add_switch(
            self._closing,
            "keep_running",
            "keepRunning",
            tr("Keep running in the background"),
            tr("An icon in the tray opens the window again; agents can keep working."),
        )

    def show_settings(self, settings: Settings) -> None:
        """Show what is set."""
        background = settings.background
        numbers = {
            "background.backfill_minutes": background.backfill_minutes,
            "background.silent_days": background.silent_days,
        }
        cadences = {
            Tier.CHANNEL: background.channel,
            Tier.WORKSPACE: background.workspace,
            Tier.ACCOUNT: background.account,
        }
        for tier, cadence in cadences.items():
            for key, _, _ in TRIGGERS:
                numbers[f"background.{tier.value}.{key}"] = getattr(cadence, key)
        for place, number in numbers.items():
            self.fields[place].show_number(number)
        for place, is_on in (
            ("background.forget_at_close", background.forget_at_close),
            ("background.keep_running", settings.keep_running),
        ):
            self.switches[place].switch.show_on(on=is_on)
        self._off.setVisible(not background.consolidates)

    def show_closing(self, *, shown: bool) -> None:
        """Offer to stay open out of sight, where there is a tray to come back from."""
        self._closing.setVisible(shown)

    def _add_search(self) -> None:
        card = self.add_card(tr("Search by meaning"))
        field = self._add_field(
            "background.backfill_minutes",
            "backfillMinutes",
            tr("Minutes between checks for memories to prepare"),
            MAX_MINUTES,
        )
        card.add_row(
            tr("Look every"),
            field,
            plain_label(tr("minutes, memories are prepared for search; 0 for never"), "meta", card),
        )

    def _add_conversations(self) -> None:
        card = self.add_card(tr("Conversations"))
        self._add_switch(
            card,
            "forget_at_close",
            "forgetAtClose",
            tr("Forget what a closed conversation leaves behind"),
            tr("Its own memories, once it is summed up. You can restore them."),
        )
        field = self._add_field(
            "background.silent_days",
            "silentDays",
            tr("Quiet days before you are asked to close a conversation"),
            MAX_SILENT_DAYS,
        )
        card.add_row(
            tr("Rests after"),
            field,
            plain_label(tr("quiet days, ask to close; 0 for never"), "meta", card),
        )

    def _add_cadences(self) -> None:
        card = self.add_card(tr("When memories are consolidated"))
        self.tidying = LinkButton(tr("Tidying up"), card)
        card.head.addWidget(self.tidying)
        self._off = wrapped_label(
            tr("Tidying up is switched off: nothing here happens automatically."), "ochre", card
        )
        card.add(self._off)
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        heads = (
            tr("Tier"),
            tr("New memories"),
            tr("Minutes without you"),
            tr("At least every (hours)"),
        )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column, head in enumerate(heads):
            label = plain_label(head, "label", card)
            grid.addWidget(label, 0, column, right if column else Qt.AlignmentFlag.AlignLeft)
        for number, tier in enumerate(_TIERS):
            inked, role = TIER_MARKS[tier]
            name = plain_label(_tier_name(tier), "bodyStrong", card)
            mark = TierMark(self.theme, inked=inked, role=role, parent=card)
            grid.addWidget(rule(card), 2 * number + 1, 0, 1, 4)
            grid.addLayout(hbox(None, mark, name, STRETCH, spacing=9), 2 * number + 2, 0)
            for column, (key, id_, most) in enumerate(TRIGGERS, start=1):
                field = self._add_field(
                    f"background.{tier.value}.{key}",
                    f"{tier.value}{id_}",
                    f"{name.text()}, {heads[column]}",
                    most,
                    whole=key == "new_entries",
                )
                grid.addWidget(field, 2 * number + 2, column, right)
            grid.setRowMinimumHeight(2 * number + 2, self.theme.scaled(_ROW))
        card.add(grid)
        note = tr("Whichever comes first; 0 switches one off.")
        card.add(wrapped_label(note, "meta", card))

    def _add_field(
        self, place: str, id_: str, name: str, most: float, *, whole: bool = False
    ) -> NumberField:
        field = named(NumberField(self.theme, name, (0.0, most), self, whole=whole), id_)
        self.fields[place] = field
        return field

    def _add_switch(self, card: Card, key: str, id_: str, name: str, sentence: str) -> None:
        row = SwitchRow(self.theme, name, sentence, card)
        row.switch.setObjectName(id_)
        self.switches[f"background.{key}"] = row
        card.add(row)


def _tier_name(tier: Tier) -> str:
    names = {
        Tier.CHANNEL: tr("Channel"),
        Tier.WORKSPACE: tr("Workspace"),
        Tier.ACCOUNT: tr("Account"),
    }
    return names[tier]
