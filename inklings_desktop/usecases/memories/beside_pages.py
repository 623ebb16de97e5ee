"""What the pages of a world have to say to a text that is about to be remembered."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.usecases.steps.repeats import is_sent_to_pages, repeat_of
from inklings_desktop.usecases.steps.sources import Sources, sources_of

if TYPE_CHECKING:
    from inklings_desktop.domain.errors import DerivableError
    from inklings_desktop.domain.memory import Derivation, ScopeKey
    from inklings_desktop.usecases.parts import Asked


def sources_for(asked: Asked, file: str | None, named: tuple[Derivation, ...]) -> Sources:
    """What references mean in the pages; where these cannot be read, the next look tells."""
    if not named:
        return Sources()
    try:
        return sources_of(asked.caller, asked.pages_of(file), file, named)
    except StorageError:
        return Sources(references=named)


def repeat_for(asked: Asked, scope: ScopeKey, text: str | None) -> DerivableError | None:
    """Which page says a text already, where an agent would store it."""
    if text is None or not is_sent_to_pages(asked.caller, scope):
        return None
    if not asked.parts.settings().refuses_repeats:
        return None
    with suppress(StorageError):  # an index that cannot be read keeps nobody from writing
        index = asked.pages_of(scope.workspace_id)
        return None if index is None else repeat_of(index, text)
    return None
