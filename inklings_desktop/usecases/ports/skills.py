"""What the use cases need of skills: their rows in a file, and their folders on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.skills.skill import Contents, KeptSkill, Skill, SkillVersion
    from inklings_desktop.domain.skills.traces import SkillTrace


class Switch(NamedTuple):
    """What a file notes of a skill that ships with the program.

    Attributes:
        enabled: Whether an agent may choose it.
        last_used_at: When one did last; None for never.
    """

    enabled: bool
    last_used_at: datetime | None


class FoundFolder(NamedTuple):
    """The folder of a skill as it was found.

    Attributes:
        name: Its own name; None for an archive whose files lie in no folder.
        files: Bytes by place.
        left_out: Places of what is none of the skill's.
    """

    name: str | None
    files: Mapping[str, bytes]
    left_out: tuple[str, ...]


class SkillRepository(Protocol):
    """The skills of one file, and what came of their runs."""

    def every(self) -> tuple[Skill, ...]:
        """All of them by name; those of the program are not among them."""
        ...

    def named(self, name: str) -> Skill:
        """One of them.

        Raises:
            NotFoundError: There is none of this name.
        """
        ...

    def save(self, skill: Skill) -> None:
        """Add one, or put it in the place of its version before, which is kept.

        Raises:
            ConflictError: Its version does not follow that which is there, or its name is taken.
        """
        ...

    def mark(self, skill: Skill) -> None:
        """Note whether it may be chosen, was seen and when it was used; no version of its own."""
        ...

    def versions(self, skill_id: str) -> tuple[SkillVersion, ...]:
        """Earlier states of one, the newest first."""
        ...

    def remove(self, name: str) -> KeptSkill:
        """Take one away with its earlier states, and hand it back.

        Raises:
            NotFoundError: There is none of this name.
        """
        ...

    def put_back(self, kept: KeptSkill) -> None:
        """Store one exactly as it was taken away.

        Raises:
            ConflictError: Its name was taken meanwhile.
        """
        ...

    def switches(self) -> Mapping[str, Switch]:
        """What is noted of the skills of the program, by name."""
        ...

    def put_switch(self, name: str, switch: Switch, now: datetime) -> None:
        """Note it of one of them."""
        ...

    def add_trace(self, trace: SkillTrace) -> None:
        """Keep what came of a run, in place of one with its id; of a skill 500 stay."""
        ...

    def traces(self, name: str, limit: int) -> tuple[SkillTrace, ...]:
        """What came of the runs of one, the newest first."""
        ...

    def uses(self) -> Mapping[str, int]:
        """How many runs are kept of each."""
        ...


class SkillFolders(Protocol):
    """Folders and archives of skills on disk, and the heads of their files."""

    def read(self, place: Path) -> FoundFolder:
        """What lies in a folder or a zip archive.

        Raises:
            InvalidValueError: There is more, or something else, than a skill may have.
            OutsideFileError: It cannot be read.
        """
        ...

    def write(self, name: str, files: Mapping[str, str], into: Path, *, packed: bool) -> Path:
        """Make a folder of this name, or an archive with it, and say where; whole or not at all.

        Raises:
            ConflictError: There is one already.
            OutsideFileError: It cannot be written.
        """
        ...

    def catalogue(self, place: Path) -> tuple[Path, ...]:
        """Folders of skills below a folder, at most 500, by name.

        Raises:
            OutsideFileError: It cannot be read.
        """
        ...

    def head(self, text: str) -> Mapping[str, object]:
        """What the head of a SKILL.md says.

        Raises:
            InvalidValueError: It has none, or one that cannot be understood.
        """
        ...

    def with_head(self, text: str, key: str, value: object) -> str:
        """The same text with one line of its head said anew; everything else as it is."""
        ...

    def shipped(self) -> tuple[Contents, ...]:
        """The skills that come with the program."""
        ...
