"""What happens to memories that are alike or have faded, and when somebody is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.background.cadence import PruneMode
from inklings_desktop.domain.background.consolidation import (
    GUARD_MIN,
    GUARD_SHARE,
    PROMOTE_READS,
    PROMOTE_RELEVANCE,
)
from inklings_desktop.domain.likeness.near_duplicates import MERGE_COSINE
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.toggles import Switch
from inklings_desktop.ui.kit.look.translation import decimal, tr
from inklings_desktop.ui.kit.marks.labels import wrapped_label
from inklings_desktop.ui.settings.frame import Card

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.background.cadence import BackgroundConfig
    from inklings_desktop.ui.kit.look.theme import Theme


class TidyingCard(Card):
    """A switch for all of it, what becomes of what faded, and the rules that hold.

    Attributes:
        switch: Whether anything is tidied up unasked.
        faded: What becomes of short-term memories that have all but faded.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, tr("Tidying up"), parent)
        self.switch = Switch(theme, tr("Tidy up by itself"), self)
        self.switch.setObjectName("tidying")
        self.head.addWidget(self.switch)
        self.faded = SegmentedSwitch(
            theme,
            (
                Segment(PruneMode.KEEP, tr("Keep")),
                Segment(
                    PruneMode.REVIEW,
                    tr("List for me"),
                    tooltip=tr("They stand in the plan of a consolidation, to be decided"),
                ),
                Segment(
                    PruneMode.PRUNE,
                    tr("Prune"),
                    tooltip=tr("Forgotten, never destroyed; restorable until scrubbed"),
                ),
            ),
            tr("Short-term memories below 0.01"),
            parent=self,
        )
        self.faded.setObjectName("faded")
        self.add(
            wrapped_label(tr("Short-term memories whose relevance is below 0.01:"), "meta", self),
            self.faded,
        )
        for sentence in (
            tr(
                "Two that say the same are merged. Two that are only alike, above {likeness}, are"
                " listed for you."
            ).format(likeness=decimal(MERGE_COSINE, 2)),
            tr(
                "A short-term memory becomes long-term above a relevance of {relevance} and more"
                " than {reads} reads."
            ).format(relevance=decimal(PROMOTE_RELEVANCE, 2), reads=PROMOTE_READS),
            tr(
                "More than {share} % of a place with {least} memories or more are never forgotten"
                " at once without asking you."
            ).format(share=round(GUARD_SHARE * 100), least=GUARD_MIN),
        ):
            self.add(wrapped_label(sentence, "meta", self))

    def show_config(self, config: BackgroundConfig) -> None:
        """Show what is set."""
        self.switch.show_on(on=config.consolidates)
        self.faded.show_choice(config.prune)
