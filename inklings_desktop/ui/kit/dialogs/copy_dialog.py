"""Asks into which tier a memory is copied; the memory itself stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.ask_dialog import MARGINS, SmallDialog
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.kit.look.theme import Theme

_WIDTH = 480
_LIST_MOST, _LIST_LEAST, _ROW_HEIGHT = 178, 94, 28
_AIR = 16


@dataclass(frozen=True, slots=True)
class CopyTarget:
    """One place that a memory can be copied to.

    Attributes:
        scope: Where it would go.
        name: Of the conversation or channel; empty for the other tiers.
    """

    scope: ScopeKey
    name: str = ""


class CopyDialog(SmallDialog):
    """A tier, a room where the tier has rooms, and what the copy would be."""

    def __init__(
        self, theme: Theme, source: ScopeKey, targets: Sequence[CopyTarget], parent: QWidget
    ) -> None:
        """Build the dialog.

        Args:
            source: Where the memory is.
            targets: Where it can go; at least one.
        """
        title = tr("Copy to another tier")
        super().__init__(parent, title, "", name="copyDialog", width=_WIDTH)
        self._source = source
        self._row_height = theme.scaled(_ROW_HEIGHT)
        self._most_height = parent.window().height() - 2 * _AIR
        self._targets = tuple(targets)
        open_tiers = [tier for tier in Tier if any(one.scope.tier is tier for one in targets)]
        self.tiers = SegmentedSwitch(
            theme,
            [Segment(tier.value, tier_title(tier)) for tier in open_tiers],
            tr("Tier of the copy"),
            height=32,
            parent=self,
        )
        self.tiers.setObjectName("copyTier")
        self.tiers.choice_changed.connect(self._on_tier_chosen)
        self.rooms = named(QListWidget(self), "copyRooms")
        self.rooms.setAccessibleName(tr("Conversation or channel of the copy"))
        self.rooms.setProperty("popup", "true")
        self.rooms.setMinimumHeight(theme.scaled(_LIST_LEAST))
        self.rooms.setMaximumHeight(theme.scaled(_LIST_MOST))
        self.mark = named(QLabel(self), "copyWarning")
        self.mark.setPixmap(theme.pixmap("warning", "ochre", 18, ratio=self.devicePixelRatioF()))
        self.mark.setAccessibleName(tr("Warning"))
        self.words.setObjectName("copyWords")
        self.words.setMinimumWidth(_WIDTH - 2 * MARGINS[0] - theme.icon_px(18) - 10)
        cancel = self.button(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.confirm = self.button(tr("Copy"), "copyConfirm", kind="primary", on_enter=True)
        self.confirm.clicked.connect(self.accept)
        buttons = hbox(None, STRETCH, cancel, self.confirm, spacing=10)
        layout = vbox(self, margins=MARGINS, spacing=12)
        fill(layout, self.heading, (self.tiers, 0, Qt.AlignmentFlag.AlignLeft), self.rooms)
        words = hbox(None, (self.mark, 0, Qt.AlignmentFlag.AlignTop), (self.words, 1), spacing=10)
        fill(layout, words, 4, buttons)
        self._on_tier_chosen()

    @property
    def target(self) -> ScopeKey | None:
        """Where the copy goes; None while a room is still to be chosen."""
        here = self._of_tier()
        if not self.rooms.isVisibleTo(self):
            return here[0].scope
        place = self.rooms.currentRow()
        return here[place].scope if 0 <= place < len(here) else None

    def _of_tier(self) -> list[CopyTarget]:
        tier = Tier(self.tiers.choice())
        return [one for one in self._targets if one.scope.tier is tier]

    @Slot()
    def _on_tier_chosen(self) -> None:
        here = self._of_tier()
        tier = here[0].scope.tier
        self.rooms.clear()
        for one in here:
            item = QListWidgetItem(one.name, self.rooms)
            item.setSizeHint(QSize(0, self._row_height))
        has_rooms = tier in {Tier.CONVERSATION, Tier.CHANNEL}
        self.rooms.setVisible(has_rooms)
        self.rooms.setCurrentRow(0 if has_rooms else -1)
        self.words.setText(self._words_for(here[0].scope))
        self.mark.setVisible(tier is Tier.ACCOUNT)
        self._fit()

    def _fit(self) -> None:
        """As high as its words want; where the window is low the list gives way, not they."""
        layout = self.layout()
        if layout is None:
            return
        layout.activate()
        width = max(self.width(), layout.minimumSize().width())
        least = layout.minimumHeightForWidth(width)
        wanted = min(layout.totalHeightForWidth(width), self._most_height)
        self.setMinimumHeight(0)
        self.resize(width, max(least, wanted))
        self.setMinimumHeight(least)

    def _words_for(self, target: ScopeKey) -> str:
        if target.tier is Tier.ACCOUNT and self._source.tier is not Tier.ACCOUNT:
            return tr(
                "The account is shared by all your workspaces: keep what belongs to one "
                "world in that world. The copy is a separate memory without a link."
            )
        if target.workspace_id != self._source.workspace_id:
            return tr("The copy is a separate memory without a link.")
        if target.tier is Tier.CONVERSATION:
            return tr(
                "The copy is a separate memory that links back to this one. It is "
                "forgotten when the conversation closes."
            )
        return tr("The copy is a separate memory that links back to this one.")
