"""What is done in the background, and when: vectors, conversations, consolidation, closing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSystemTrayIcon

from inklings_desktop.domain.memory import Tier
from inklings_desktop.settings import Settings
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToSettings
from inklings_desktop.ui.kit.page.parts import across, grid, hairline, link, words
from inklings_desktop.ui.settings.frame import Group, card, row, rows
from inklings_desktop.ui.settings.groups import MEMORY, trigger_heads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Part

_ROW = 38
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class BackgroundGroup(Group[Settings]):
    """Every figure holds from the next look of the clock on."""

    watches = About.SETTINGS

    def heading(self) -> tuple[str, str]:
        return tr("Background work"), tr("Work done automatically; it pauses while you type.")

    def read_content(self) -> Settings:
        return self.inklings.settings

    def said(self, content: Settings | None) -> tuple[Part, ...]:
        consolidates = content is None or content.background.consolidates
        can_stay = self.inklings.background is not None
        return (
            card(
                tr("Search by meaning"),
                rows(
                    row(
                        tr("Look every"),
                        self.setting("backfillMinutes"),
                        words(
                            tr("minutes, memories are prepared for search; 0 for never"),
                            way="plain",
                        ),
                    )
                ),
            ),
            card(
                tr("Conversations"),
                self.setting(
                    "forgetAtClose",
                    says=tr("Its own memories, once it is summed up. You can restore them."),
                ),
                rows(
                    row(
                        tr("Rests after"),
                        self.setting("silentDays"),
                        words(tr("quiet days, ask to close; 0 for never"), way="plain"),
                    )
                ),
            ),
            card(
                tr("When memories are consolidated"),
                words(
                    tr("Tidying up is switched off: nothing here happens automatically."),
                    "ochre",
                    visible=not consolidates,
                ),
                grid(*self._cadences(), stretch=0, gap=18, dress=_measure),
                words(tr("Whichever comes first; 0 switches one off.")),
                self.setting(
                    "wordMerges",
                    says=tr("Sends the model what agents and imports wrote, never your own words."),
                ),
                beside=(
                    link(tr("Tidying up"), lambda: self.context.go(ToSettings(MEMORY, "tidying"))),
                ),
            ),
            card(
                tr("When the window closes"),
                self.setting(
                    "keepRunning",
                    says=tr("An icon in the tray opens the window again; agents can keep working."),
                ),
                visible=can_stay and QSystemTrayIcon.isSystemTrayAvailable(),
            ),
        )

    def _cadences(self) -> Iterator[Part]:
        heads = trigger_heads()
        for column, head in enumerate((tr("Tier"), *heads.values())):
            side = _RIGHT if column else Qt.AlignmentFlag.AlignLeft
            yield words(head, "label", way="plain", place=(0, column, side))
        names = {
            Tier.CHANNEL: tr("Channel"),
            Tier.WORKSPACE: tr("Workspace"),
            Tier.ACCOUNT: tr("Account"),
        }
        for number, (tier, name) in enumerate(names.items(), start=1):
            inked, role = TIER_MARKS[tier]
            mark = part(TierMark, LOOK, how={"inked": inked, "role": role})
            told = words(name, "bodyStrong", way="plain")
            yield hairline(place=(2 * number - 1, 0, 1, 4))
            yield across(mark, told, STRETCH, spacing=9, place=(2 * number, 0))
            for column, id_ in enumerate(("NewEntries", "IdleMinutes", "EveryHours"), start=1):
                yield self.setting(f"{tier}{id_}", place=(2 * number, column, _RIGHT))


def _measure(made: QGridLayout, theme: Theme) -> None:
    for number in range(2, made.rowCount(), 2):
        made.setRowMinimumHeight(number, theme.scaled(_ROW))
