"""The Memory group: tries rates on what is there, and saves them when asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from inklings_desktop.domain.memories.decay import DecayPreset
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.page.destinations import ToGolden
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.settings.memory.state import Rates, values_of
from inklings_desktop.ui.settings.memory.view import MemorySettingsView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.domain.rooms.rehearsal import Rehearsal
    from inklings_desktop.settings import Settings
    from inklings_desktop.ui.kit.page.context import Context

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


class MemoryGroup(Page[MemorySettings]):
    """Rates are tried until they are saved; all else holds at once.

    Attributes:
        rates: What holds, and what is tried; None before the first answer.
    """

    watches = About.SETTINGS
    view: MemorySettingsView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, MemorySettingsView(context.theme, parent))
        self.rates: Rates | None = None
        self._rehearsing = Latest(context.background)
        self._soon = timer(self, self._on_soon, _REHEARSE_AFTER_MS)
        view = self.view
        view.rates.rate_wanted.connect(self._on_rate_wanted)
        view.preset.choice_changed.connect(self._on_preset_chosen)
        view.save.clicked.connect(self.save)
        view.save_key.activated.connect(self.save)
        view.reset.clicked.connect(
            lambda: self._on_preset_chosen(DecayPreset.REFERENCE.name.lower())
        )
        view.rehearsal.golden_wanted.connect(lambda: context.go(ToGolden()))
        view.tidying.switch.wanted.connect(lambda on: self._set("background.consolidate", value=on))
        view.tidying.faded.choice_changed.connect(
            lambda mode: self._set("background.faded", value=str(mode))
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
        self.rates = Rates(saved, saved) if self.rates is None else self.rates.now_saved(saved)
        self.view.tidying.show_config(content.settings.background, content.alike_above)
        self._show_rates()

    def key_hints(self) -> tuple[KeyHint, ...]:
        return (
            KeyHint(("[", "]"), tr("rate down, up")),
            KeyHint(("Ctrl S",), tr("save rates")),
        )

    @Slot()
    def save(self) -> None:
        """Save the rates that are tried."""
        if self.rates is not None and self.rates.is_changed:
            self.spawn(self._save(self.rates))

    async def _save(self, rates: Rates) -> None:
        if await self.change(self.inklings.preferences.save, values_of(rates.wanted)):
            self.rates = Rates(rates.wanted, rates.wanted)
            self._show_rates()
            self.context.tell(tr("Rates saved"))
            # Golden questions say from now on how they fare under the new rates.
            await self.background.write(self.inklings.golden.watch, self.workspace_id)

    def _try(self, rates: Rates) -> None:
        self.rates = rates
        self._show_rates()

    def _show_rates(self) -> None:
        if self.rates is None:
            return
        self.view.show_rates(self.rates)
        if self.rates.is_changed:
            self.view.rehearsal.show_rehearsing()
            self._soon.start()
            return
        self._soon.stop()
        self._rehearsing.cancel()
        self.view.rehearsal.show_nothing()
        if self.content is not None:
            self.view.show_shifts(self.content.rehearsal)

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
        self.view.show_shifts(found)
        self.view.rehearsal.show_rehearsal(found)
        golden = await self.background.read(
            inklings.golden.rehearse, self.workspace_id, rates.wanted
        )
        self.view.show_golden(golden)

    @Slot(object, float)
    def _on_rate_wanted(self, tier: Tier, rate: float) -> None:
        if self.rates is not None:
            self._try(self.rates.moved(tier, rate))

    @Slot(str)
    def _on_preset_chosen(self, name: str) -> None:
        if self.rates is not None:
            self._try(self.rates.with_preset(name))

    def _set(self, place: str, *, value: str | bool) -> None:
        self.spawn(self.change(self.inklings.preferences.save, {place: value}))
