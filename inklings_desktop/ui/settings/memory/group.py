"""The Memory group: tries rates on what is there, and saves them when asked to."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout

from inklings_desktop.domain.background.cadence import PruneMode
from inklings_desktop.domain.background.consolidation import (
    GUARD_MIN,
    GUARD_SHARE,
    PROMOTE_READS,
    PROMOTE_RELEVANCE,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import KeyHintButton
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.translation import decimal, tr, tr_as
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToGolden
from inklings_desktop.ui.kit.page.parts import across, button, choice, plate, words
from inklings_desktop.ui.settings.frame import BESIDE, Group, card
from inklings_desktop.ui.settings.memory.cards import Rehearsed, Shown, rates_card, rehearsal_card
from inklings_desktop.ui.settings.memory.decay_chart import DecayChart, DecayLegend
from inklings_desktop.ui.settings.memory.state import (
    CUSTOM,
    Rates,
    preset_of,
    rate_of,
    step_of,
    values_of,
)

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.rooms.rehearsal import Rehearsal, TierShift
    from inklings_desktop.settings import Settings
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part

_REFERENCE = "reference"
_TWO_COLUMNS_FROM, _ALL_COLUMNS_FROM, _LEGEND_BESIDE_FROM = 900, 860, 720
_GAP = 14
_REHEARSE_AFTER_MS = 200


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """What is shown.

    Attributes:
        settings: All that holds.
        rehearsal: How far each tier has faded under the rates that hold.
        alike_above: From which likeness on the search model takes two for alike; None where it
            does not say.
    """

    settings: Settings
    rehearsal: Rehearsal
    alike_above: float | None


class MemoryGroup(Group[MemorySettings]):
    """Rates are tried until they are saved; all else holds at once.

    Attributes:
        rates: What holds, and what is tried; None before the first answer.
        rehearsed: What is known of those that are tried.
    """

    watches = About.SETTINGS
    rates: Rates | None = None
    rehearsed = Rehearsed()
    _shifts: tuple[TierShift, ...] = ()
    _room = (True, True, True)

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._rehearsing = Latest(context.background)
        self._soon = timer(self, self._on_soon, _REHEARSE_AFTER_MS)
        self.view.resized.connect(self._on_resized)
        for keys, pressed in (
            ("Ctrl+S", self.save_rates),
            ("[", partial(self._nudge, -1)),
            ("]", partial(self._nudge, 1)),
        ):
            QShortcut(QKeySequence(keys), self.view).activated.connect(pressed)

    def heading(self) -> tuple[str, str]:
        return (
            tr("Memory"),
            tr("How quickly an unread memory sinks in the results. Fading never deletes anything."),
        )

    def read_content(self) -> MemorySettings:
        """Ask what is set, and how far each tier has faded; runs on a reader.

        Raises:
            InklingsError: It cannot be read.
        """
        settings = self.inklings.settings
        rehearse = self.inklings.orientation.rehearse_rates
        alike_above = self.inklings.embedder.calibration.merged
        return MemorySettings(settings, rehearse(self.workspace_id, settings.decay), alike_above)

    def show_content(self, content: MemorySettings) -> None:
        saved = content.settings.decay
        self.content = content
        self._try(Rates(saved, saved) if self.rates is None else self.rates.now_saved(saved))

    def said(self, content: MemorySettings | None) -> tuple[Part, ...]:
        saved = self.inklings.settings.decay
        rates = self.rates or Rates(saved, saved)
        fits, fits_legend, fits_columns = self._room
        golden = self.rehearsed.golden
        save = tr("Save anyway") if golden is not None and golden.would_break else tr("Save rates")
        note = tr(
            "Rates take effect at once and change no text. Golden questions are asked "
            "again after saving."
        )
        return (
            plate(
                across(
                    words(tr("Importance 1.0, never read again"), way="plain", place=(1,)),
                    part(DecayLegend, LOOK),
                    spacing=6,
                    direction=_way(across=fits_legend),
                ),
                part(DecayChart, LOOK, rates=rates),
                box=vbox,
                kind="card",
                margins=(16, 12, 16, 6),
                spacing=8,
            ),
            rates_card(
                rates,
                {one.tier: one for one in self._shifts},
                self.try_rate,
                narrow=not fits_columns,
            ),
            across(
                rehearsal_card(self.rehearsed, self._list, self._on_more, place=(3,)),
                self._tidying(content, place=(2,)),
                spacing=_GAP,
                direction=_way(across=fits),
            ),
            across(
                words(note, place=(1,)),
                button(
                    tr("Back to reference"),
                    lambda: self._try_preset(_REFERENCE),
                    name="ratesReset",
                    enabled=self.rates is not None and preset_of(rates.wanted) != _REFERENCE,
                ),
                part(
                    KeyHintButton,
                    LOOK,
                    tr("Save rates"),
                    tr("Ctrl S"),
                    name="ratesSave",
                    text=save,
                    spoken=save,
                    enabled=rates.is_changed,
                    clicked=self.save_rates,
                ),
                spacing=10,
            ),
        )

    def beside(self) -> Part:
        preset = choice(
            tr("Preset"),
            Segment(_REFERENCE, tr_as("the usual rates", "Reference")),
            Segment("slow", tr("Slow")),
            Segment(CUSTOM, tr("Custom"), tooltip=tr("Rates of your own")),
            name="preset",
            now=_REFERENCE if self.rates is None else preset_of(self.rates.wanted),
            wanted=self._try_preset,
        )
        return plate(words(tr("Preset"), way="plain"), preset, spacing=12, place=BESIDE)

    def _tidying(self, content: MemorySettings | None, **said: Any) -> Part:
        """A switch for all of it, what becomes of what faded, and the rules that hold."""
        listed = tr("They are listed in the plan of a consolidation, for you to decide")
        if content is None or content.alike_above is None:
            alike = tr(
                "Duplicates are merged. This search model can\u2019t tell similar ones; "
                "they are not listed."
            )
        else:
            alike = tr(
                "Duplicates are merged. Similar ones, above {likeness}, are listed for you."
            ).format(likeness=decimal(content.alike_above, 2))
        return card(
            tr("Tidying up"),
            words(tr("Short-term memories that have faded almost to nothing:")),
            self.setting(
                "faded",
                Segment(PruneMode.KEEP, tr("Keep")),
                Segment(PruneMode.REVIEW, tr("List for me"), tooltip=listed),
                Segment(
                    PruneMode.PRUNE, tr("Prune"), tooltip=tr("Forgotten; you can restore them")
                ),
            ),
            words(alike),
            words(
                tr(
                    "A short-term memory becomes long-term above {relevance} and after more "
                    "than {reads} reads."
                ).format(relevance=decimal(PROMOTE_RELEVANCE, 2), reads=PROMOTE_READS)
            ),
            words(
                tr(
                    "It asks before forgetting more than {share} % of {least} memories or more."
                ).format(share=round(GUARD_SHARE * 100), least=GUARD_MIN)
            ),
            beside=(self.setting("tidying", is_alone=True),),
            **said,
        )

    def key_hints(self) -> tuple[KeyHint, ...]:
        return (KeyHint(("[", "]"), tr("rate down, up")), KeyHint(("Ctrl S",), tr("save rates")))

    @Slot()
    def save_rates(self) -> None:
        """Save the rates that are tried."""
        if self.rates is not None and self.rates.is_changed:
            self.spawn(self._save_rates(self.rates))

    async def _save_rates(self, rates: Rates) -> None:
        if await self.change(self.inklings.preferences.save, values_of(rates.wanted)):
            self._try(Rates(rates.wanted, rates.wanted))
            self.context.tell(tr("Rates saved"))
            # Golden questions say from now on how they fare under the new rates.
            await self.background.write(self.inklings.golden.watch, self.workspace_id)

    def try_rate(self, tier: Tier, rate: float) -> None:
        """Try another rate for a tier."""
        if self.rates is not None:
            self._try(self.rates.moved(tier, rate))

    def _try_preset(self, name: str) -> None:
        if self.rates is not None:
            self._try(self.rates.with_preset(name))

    def _nudge(self, step: int) -> None:
        name = getattr(self.view.focusWidget(), "objectName", str)()
        for tier in Tier:
            if self.rates and name in {f"rate{tier.capitalize()}", f"field{tier.capitalize()}"}:
                self.try_rate(tier, rate_of(step_of(self.rates.wanted.rate(tier)) + step))

    def _try(self, rates: Rates) -> None:
        self.rates = rates
        if rates.is_changed:
            self._rehearse_again(is_changed=True)
            self._soon.start()
            return
        self._soon.stop()
        self._rehearsing.cancel()
        if self.content is not None:
            self._shifts = self.content.rehearsal.tiers
        self._rehearse_again(is_changed=False, found=None, golden=None)

    def _rehearse_again(self, **known: Any) -> None:
        self.rehearsed = replace(self.rehearsed, **known)
        self.say_again()

    @Slot()
    def _on_soon(self) -> None:
        if self.rates is not None and self.rates.is_changed:
            self._rehearsing.run(self._rehearse(self.rates))

    async def _rehearse(self, rates: Rates) -> None:
        inklings, here = self.inklings, self.context.here()
        rooms = here.open_conversations if here is not None else ()
        found = await self.background.read(
            inklings.orientation.rehearse_rates,
            self.workspace_id,
            rates.wanted,
            rooms[0].id if rooms else None,
        )
        self._shifts = found.tiers
        self._rehearse_again(found=found)
        golden = await self.background.read(
            inklings.golden.rehearse, self.workspace_id, rates.wanted
        )
        self._rehearse_again(golden=golden)

    def _list(self, shown: str) -> None:
        self._rehearse_again(shown=Shown(shown))

    def _on_more(self) -> None:
        if self.rehearsed.lacks_golden:
            self.context.go(ToGolden())
        else:
            self._rehearse_again(shows_all=not self.rehearsed.shows_all)

    @Slot()
    def _on_resized(self) -> None:
        fits = self.view.is_wider_than
        room = (fits(_TWO_COLUMNS_FROM), fits(_LEGEND_BESIDE_FROM), fits(_ALL_COLUMNS_FROM))
        if room != self._room:
            self._room = room
            self.say_again()


def _way(*, across: bool) -> QBoxLayout.Direction:
    return QBoxLayout.Direction.LeftToRight if across else QBoxLayout.Direction.TopToBottom
