"""What the four tiers are for: shown while nothing is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.panes.pieces import Notice, PaneScroll
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

_MARK = 26


class RingsPane(PaneScroll):
    """Four rings, each with what it holds, and what memory is not."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        meanings = {
            Tier.CONVERSATION: self.tr(
                "What this one exchange is working on. Cleared or summed up when it closes."
            ),
            Tier.CHANNEL: self.tr("Shared by conversations that belong together. Fades fastest."),
            Tier.WORKSPACE: self.tr(
                "True of this world: conventions, people, preferences. Fades slowly."
            ),
            Tier.ACCOUNT: self.tr(
                "True of you, in every workspace. Fades slowest. Never holds world content."
            ),
        }
        for number, (tier, meaning) in enumerate(meanings.items()):
            if number:
                self.stack.addWidget(rule(self.column))
            self.stack.addWidget(self._ring(tier, meaning))
        notice = Notice(theme, icon="info", role="lapis", ground="lapisSoft", parent=self.column)
        notice.say(
            "",
            self.tr(
                "Memory is not world content. Pages stay the authority; memory only points at them."
            ),
        )
        self.stack.addSpacing(14)
        self.stack.addWidget(notice)
        self.stack.addStretch(1)

    def _ring(self, tier: Tier, meaning: str) -> QWidget:
        inked, role = TIER_MARKS[tier]
        ring = QWidget(self.column)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(plain_label(tier_title(tier), "tab", ring))
        words.addWidget(wrapped_label(meaning, "meta", ring))
        row = QHBoxLayout(ring)
        row.setContentsMargins(0, 12, 0, 12)
        row.setSpacing(12)
        row.addWidget(
            TierMark(self._theme, inked=inked, role=role, edge=_MARK, parent=ring),
            0,
            Qt.AlignmentFlag.AlignTop,
        )
        row.addLayout(words, 1)
        return ring
