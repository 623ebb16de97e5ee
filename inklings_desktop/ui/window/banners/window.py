"""Says above every page of a window what is wrong with its data, or under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.window.banners.damage import DamageDesk
from inklings_desktop.ui.window.banners.opened_data import BannerDesk

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.panes.banner_slot import BannerSlot
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.window.banners.reopening import WindowReopening
    from inklings_desktop.ui.window.joins.opened import Desks
    from inklings_desktop.usecases.bundle import Inklings


def open_banners(
    background: Background,
    inklings: Inklings,
    desks: Desks,
    *,
    slot: BannerSlot,
    reopening: WindowReopening,
    export: Callable[[], object],
    say: Callable[[Message], None],
) -> tuple[BannerDesk, DamageDesk]:
    """The desks that say it, joined to what their buttons set going.

    Args:
        background: Where the use cases run.
        inklings: The opened data root.
        desks: What is open; they own these two.
        slot: Above every page.
        reopening: Opens the data once more where that helps.
        export: Makes a copy somewhere else.
        say: Says what went wrong.
    """
    banners = BannerDesk(
        background,
        inklings,
        slot,
        desks.tasks,
        is_refused=reopening.is_refused,
        parent=desks,
    )
    banners.reopen_wanted.connect(reopening.reopen)
    banners.export_wanted.connect(export)
    banners.model_wished.connect(reopening.on_model_wished)
    banners.task_wanted.connect(desks.tasks.show_task)
    banners.message_raised.connect(say)
    desks.memory.list.content_changed.connect(banners.model.look)
    desks.context.hear(banners.knocks.on_changes)
    desks.context.hear(banners.purge.on_changes)
    desks.context.hear(banners.silence.on_changes)
    desks.context.hear(banners.losses.on_changes)
    shell = desks.memory.shell
    shell.workspace_switched.connect(banners.silence.show_surroundings)
    shell.workspace_switched.connect(banners.losses.on_workspace_switched)
    shell.surroundings_changed.connect(banners.silence.show_surroundings)
    if shell.surroundings is not None:
        banners.silence.show_surroundings(shell.surroundings)
    damage = DamageDesk(background, inklings, slot, desks, parent=desks)
    damage.message_raised.connect(say)
    return banners, damage
