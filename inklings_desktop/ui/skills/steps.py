"""What is done to a skill on the write lane, and how each of it is undone; knows no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from typing import TypeAlias

    from inklings_desktop.domain.entries.proposals import ProposalRef
    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.usecases.bundle import Inklings

    Undoing: TypeAlias = Callable[[Inklings], object]
    Brought: TypeAlias = tuple[Skill | None, Skill]


def enabled(inklings: Inklings, *, here: str, name: str, level: str, on: bool) -> None:
    """Let agents choose the skill or not; called on a writer, while its files are on show."""
    if on:
        inklings.skills.look_at(here, name, level)
    inklings.skills.enable(here, name, level, on=on)


def reverted(inklings: Inklings, *, file: str | None, name: str, version: int) -> None:
    """Make the skill as it was in a version; called on a writer."""
    inklings.skills.revert(file, name, version)


def unmade(inklings: Inklings, *, skill: Skill) -> None:
    """Take away what was made, or bring back what it took the place of; called on a writer."""
    if skill.version == 1:
        inklings.skills.delete(skill.workspace_id, skill.name)
    else:
        inklings.skills.revert(skill.workspace_id, skill.name, skill.version - 1)


def brought_in(inklings: Inklings, here: str, name: str, place: Path) -> Brought:
    """Bring a skill in, and say what there was of its name; called on a writer."""
    there = (one for one in inklings.skills.list(here) if one.workspace_id == here)
    before = next((one for one in there if one.name == name), None)
    return before, inklings.skill_transfer.bring_in(here, place)


def taken_back(inklings: Inklings, *, brought: Iterable[Brought]) -> None:
    """Let everything be as it was before it came in; called on a writer."""
    for before, after in brought:
        inklings.skill_transfer.take_back(before, after)


def undecided(inklings: Inklings, *, ref: ProposalRef, made: Skill | None) -> None:
    """Let a proposal wait again, and what came of it be as it was; called on a writer."""
    if made is not None:
        unmade(inklings, skill=made)
    inklings.proposals.ask_again(ref)
