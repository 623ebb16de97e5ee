"""What a person has set: changed by name, noticed when the file is edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import Tier
from inklings_desktop.usecases.parts import Asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.settings import Settings
    from inklings_desktop.settings_file import Problem, Row, Value


class Preferences(Asked):
    """What a person has set."""

    def save(self, values: Mapping[str, Value]) -> Settings:
        """Writes settings and says so to whoever listens; the answer is all that holds now.

        Args:
            values: By their place in the file, ``background.faded``; None takes one out, so that
                its default holds.

        Raises:
            ScopeDeniedError: The caller is an agent or the clock.
            OutsideFileError: The file cannot be written.
            InvalidValueError: The file is no TOML; it is left alone.
        """
        authorize_person(self.caller, Action.WRITE, Tier.ACCOUNT)
        before = self.parts.settings()
        self.parts.settings.save(values)
        return self._published(before)

    def put_row(self, place: str, row: Row) -> Settings:
        """Writes a row of a list, in the place of the one with its id; raises what ``save`` raises.

        Args:
            place: The list, ``agent.presets``.
            row: Its keys, ``id`` among them.
        """
        authorize_person(self.caller, Action.WRITE, Tier.ACCOUNT)
        before = self.parts.settings()
        self.parts.settings.put_row(place, row)
        return self._published(before)

    def remove_row(self, place: str, id_: str) -> Settings:
        """Takes the row with an id out of a list; raises what ``save`` raises."""
        authorize_person(self.caller, Action.WRITE, Tier.ACCOUNT)
        before = self.parts.settings()
        self.parts.settings.remove_row(place, id_)
        return self._published(before)

    def notice(self, seen: Settings) -> Settings:
        """Tells whoever listens when the file reads otherwise; the answer is what holds now.

        Args:
            seen: What held when it looked last.
        """
        return self._published(seen)

    def problems(self) -> tuple[Problem, ...]:
        """What in the file cannot be used, by key and line; the defaults hold in its place."""
        return self.parts.settings.problems()

    def _published(self, before: Settings) -> Settings:
        after = self.parts.settings()
        if after != before:
            is_reranked = after.decay != before.decay  # every list is ranked by it
            self.parts.feed.publish(
                MemoryChanges(None, settings=True, reload=is_reranked, initiator=self.caller.name)
            )
        return after
