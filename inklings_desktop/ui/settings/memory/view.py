"""The Memory group as it is drawn: chart, rates, rehearsal, tidying up, and the foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QFrame, QWidget

from inklings_desktop.domain.background.cadence import PruneMode
from inklings_desktop.domain.background.consolidation import (
    GUARD_MIN,
    GUARD_SHARE,
    PROMOTE_READS,
    PROMOTE_RELEVANCE,
)
from inklings_desktop.ui.kit.controls.buttons import KeyHintButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.toggles import Switch
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import hbox, vbox
from inklings_desktop.ui.kit.look.translation import decimal, tr, tr_as
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label
from inklings_desktop.ui.settings.frame import Card, GroupFrame
from inklings_desktop.ui.settings.memory.decay_chart import DecayChart, DecayLegend
from inklings_desktop.ui.settings.memory.rates_card import RatesCard
from inklings_desktop.ui.settings.memory.rehearsal_card import RehearsalCard
from inklings_desktop.ui.settings.memory.state import CUSTOM, preset_of

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.domain.background.cadence import BackgroundConfig
    from inklings_desktop.domain.background.golden import GoldenComparison
    from inklings_desktop.domain.rooms.rehearsal import Rehearsal
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.settings.memory.state import Rates


class TidyingCard(Card):
    """A switch for all of it, what becomes of what faded, and the rules that hold.

    Attributes:
        switch: Whether anything is tidied up unasked.
        faded: What becomes of short-term memories that have all but faded.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, tr("Tidying up"), parent)
        self.switch = named(Switch(theme, tr("Tidy up automatically"), self), "tidying")
        self.head.addWidget(self.switch)
        self.faded = SegmentedSwitch(
            theme,
            (
                Segment(PruneMode.KEEP, tr("Keep")),
                Segment(
                    PruneMode.REVIEW,
                    tr("List for me"),
                    tooltip=tr("They are listed in the plan of a consolidation, for you to decide"),
                ),
                Segment(
                    PruneMode.PRUNE,
                    tr("Prune"),
                    tooltip=tr("Forgotten; you can restore them"),
                ),
            ),
            tr("Short-term memories below 0.01"),
            parent=self,
        )
        self.faded.setObjectName("faded")
        self.add(
            wrapped_label(
                tr("Short-term memories that have faded almost to nothing:"), "meta", self
            ),
            self.faded,
        )
        self._alike = wrapped_label("", "meta", self)
        self.add(self._alike)
        for sentence in (
            tr(
                "A short-term memory becomes long-term above {relevance} and after more "
                "than {reads} reads."
            ).format(relevance=decimal(PROMOTE_RELEVANCE, 2), reads=PROMOTE_READS),
            tr("It asks before forgetting more than {share} % of {least} memories or more.").format(
                share=round(GUARD_SHARE * 100), least=GUARD_MIN
            ),
        ):
            self.add(wrapped_label(sentence, "meta", self))

    def show_config(self, config: BackgroundConfig, alike_above: float | None) -> None:
        """Show what is set, and from which likeness on two memories are alike, if that is known."""
        if alike_above is None:
            words = tr(
                "Duplicates are merged. This search model can\u2019t tell similar ones; "
                "they are not listed."
            )
        else:
            words = tr(
                "Duplicates are merged. Similar ones, above {likeness}, are listed for you."
            ).format(likeness=decimal(alike_above, 2))
        self._alike.setText(words)
        self.switch.show_on(on=config.consolidates)
        self.faded.show_choice(config.prune)


_TWO_COLUMNS_FROM, _ALL_COLUMNS_FROM, _LEGEND_BESIDE_FROM = 900, 860, 720
_GAP = 14


class MemorySettingsView(GroupFrame):
    """All of the group.

    Attributes:
        preset: Reference, slow, custom.
        chart: The curves.
        rates: The table.
        rehearsal: What would change.
        tidying: What is tidied up.
        reset: Back to the reference.
        save: Saves the rates.
        save_key: Its key.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(
            theme,
            tr("Memory"),
            tr("How quickly an unread memory sinks in the results. Fading never deletes anything."),
            parent,
        )
        self.preset = SegmentedSwitch(
            theme,
            (
                Segment("reference", tr_as("the usual rates", "Reference")),
                Segment("slow", tr("Slow")),
                Segment(CUSTOM, tr("Custom"), tooltip=tr("Rates of your own")),
            ),
            tr("Preset"),
            parent=self,
        )
        self.preset.setObjectName("preset")
        beside = QWidget(self)
        hbox(
            beside,
            plain_label(tr("Preset"), "meta", beside),
            self.preset,
            margins=0,
            spacing=12,
        )
        self.add_beside_title(beside)
        self.chart = DecayChart(theme, self)
        plate = QFrame(self)
        plate.setProperty("card", "true")
        legend = DecayLegend(theme, plate)
        what = plain_label(tr("Importance 1.0, never read again"), "meta", plate)
        self._legend = hbox(None, (what, 1), legend, spacing=6)
        vbox(plate, self._legend, self.chart, margins=(16, 12, 16, 6), spacing=8)
        self.rates = RatesCard(theme, self)
        self.rehearsal = RehearsalCard(theme, self)
        self.tidying = TidyingCard(theme, self)
        self._pair = hbox(None, (self.rehearsal, 3), (self.tidying, 2), spacing=_GAP)
        self.reset = named(PushButton(theme, tr("Back to reference"), parent=self), "ratesReset")
        self.save = named(KeyHintButton(theme, tr("Save rates"), tr("Ctrl S"), self), "ratesSave")
        note = tr(
            "Rates take effect at once and change no text. Golden questions are asked "
            "again after saving."
        )
        foot = hbox(None, (wrapped_label(note, "meta", self), 1), self.reset, self.save, spacing=10)
        for part in (plate, self.rates):
            self.cards.addWidget(part)
        self.cards.addLayout(self._pair)
        self.cards.addLayout(foot)
        self.save_key = QShortcut(QKeySequence("Ctrl+S"), self)

    def show_rates(self, rates: Rates) -> None:
        """Show what is tried beside what holds."""
        self.preset.show_choice(preset_of(rates.wanted))
        self.chart.show_rates(rates)
        self.rates.show_rates(rates)
        self.save.setEnabled(rates.is_changed)
        self.reset.setEnabled(preset_of(rates.wanted) != "reference")
        self._name_save(tr("Save rates"))

    def show_shifts(self, rehearsal: Rehearsal) -> None:
        """Show how far each tier has faded, and would have."""
        self.rates.show_gone({one.tier: one for one in rehearsal.tiers})

    def show_golden(self, golden: GoldenComparison) -> None:
        """Show how golden questions would fare; one that would fail warns the button."""
        self.rehearsal.show_golden(golden)
        self._name_save(tr("Save anyway") if golden.would_break else tr("Save rates"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stacks the two lower cards where the page is narrow."""
        super().resizeEvent(event)
        is_wide = self.is_wider_than(_TWO_COLUMNS_FROM)
        self.rates.show_narrow(narrow=not self.is_wider_than(_ALL_COLUMNS_FROM))
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._pair.setDirection(across if is_wide else down)
        self._legend.setDirection(across if self.is_wider_than(_LEGEND_BESIDE_FROM) else down)

    def _name_save(self, words: str) -> None:
        self.save.setText(words)
        self.save.setAccessibleName(words)
        self.save.updateGeometry()
