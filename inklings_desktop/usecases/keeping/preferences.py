"""What a person has set: changed by name, noticed when the file is edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.settings import Settings
    from inklings_desktop.settings_file import Problem, Value
    from inklings_desktop.usecases.ports.store import ChangePublisher, SettingsFile


@dataclass(frozen=True, slots=True)
class SaveSettings:
    """Writes settings; they hold for whatever is done next, in every program at this data root."""

    settings: SettingsFile
    publisher: ChangePublisher

    def __call__(self, caller: Caller, values: Mapping[str, Value]) -> Settings:
        """Write them and say so to whoever listens; the answer is all that holds now.

        Args:
            caller: The person.
            values: By their place in the file, ``background.faded``; None takes one out, so that
                its default holds.

        Raises:
            ScopeDeniedError: The caller is an agent or the clock.
            OutsideFileError: The file cannot be written.
            InvalidValueError: The file is no TOML; it is left alone.
        """
        authorize_person(caller, Action.WRITE, Tier.ACCOUNT)
        before = self.settings()
        self.settings.save(values)
        return _published(caller, before, self.settings(), self.publisher)


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    """Says when the file reads otherwise than somebody last saw it."""

    settings: SettingsFile
    publisher: ChangePublisher

    def __call__(self, caller: Caller, seen: Settings) -> Settings:
        """Tell whoever listens of what is set otherwise; the answer is what holds now.

        Args:
            caller: Whoever looked.
            seen: What held when it looked last.
        """
        return _published(caller, seen, self.settings(), self.publisher)


@dataclass(frozen=True, slots=True)
class ListProblems:
    """What in the settings file cannot be used."""

    settings: SettingsFile

    def __call__(self, _caller: Caller) -> tuple[Problem, ...]:
        """Each by its key and line; the defaults hold in their place."""
        return self.settings.problems()


def _published(
    caller: Caller, before: Settings, after: Settings, publisher: ChangePublisher
) -> Settings:
    if after != before:
        publisher.publish(
            MemoryChanges(
                None,
                settings=True,
                reload=after.decay != before.decay,  # every list is ranked by it
                initiator=caller.name,
            )
        )
    return after
