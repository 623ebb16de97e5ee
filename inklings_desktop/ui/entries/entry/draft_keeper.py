"""Keeps unsaved typing in named entries on the disk, and lets go of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InklingsError, InvalidValueError, NotFoundError
from inklings_desktop.ui.entries.messages import entry_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.entries.entry.subject import OpenEntry
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.usecases.bundle import Inklings


class EntryDraftKeeper:
    """Stores what stands in the editor of an entry; a failing disk is told of once."""

    def __init__(
        self, background: Background, inklings: Inklings, tell: Callable[[Message], None]
    ) -> None:
        """Know where to.

        Args:
            background: Runs what takes long.
            inklings: The opened data root.
            tell: Hears what went wrong.
        """
        self._background = background
        self._inklings = inklings
        self._tell = tell
        self._fails = False

    async def keep(self, shown: OpenEntry) -> InvalidValueError | None:
        """Keep the text of the editor; why it cannot be kept at all, or nothing."""
        shown.has_draft = True
        try:
            await self._background.write(
                self._inklings.keep_draft,
                self._inklings.caller,
                shown.entry.ref,
                shown.text,
                shown.base_version,
            )
        except InvalidValueError as error:
            return error
        except NotFoundError:
            return None  # the entry is gone, and that is said
        except InklingsError as error:
            if not self._fails:
                self._fails = True
                self._tell(entry_message(error))
            return None
        self._fails = False
        return None

    async def drop(self, shown: OpenEntry) -> bool:
        """Let go of what is kept of an entry; whether anything was, as far as is known here."""
        if not shown.has_draft:
            return False
        shown.has_draft = False
        try:
            await self._background.write(
                self._inklings.drop_draft, self._inklings.caller, shown.entry.ref
            )
        except InklingsError as error:
            self._tell(entry_message(error))
        return True
