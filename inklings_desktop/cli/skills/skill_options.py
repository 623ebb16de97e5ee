"""The options of the commands about skills, one frozen class per set.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from enum import StrEnum
from pathlib import Path

import typer

from inklings_desktop.cli.options import CommonOptions, argument, flag, option
from inklings_desktop.data_root import named_folder
from inklings_desktop.domain.plain_data import dataclass


class Level(StrEnum):
    """Where a skill is kept."""

    WORKSPACE = "workspace"
    ACCOUNT = "account"
    PROGRAM = "program"


def _place(text: str) -> Path:
    if not text:
        raise typer.BadParameter("it has no name")
    return named_folder(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSkillsOptions(CommonOptions):
    """Which skills."""

    query: str = option("--query", "Only those that bear on this, the best first.", "", metavar="Q")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillOptions(CommonOptions):
    """One skill."""

    name: str = argument("NAME")
    level: Level | None = option("--level", "Of which level, where several have one of this name.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowSkillOptions(SkillOptions):
    """One skill, or one of its files."""

    file: str = option("--file", "Show this file whole.", "", metavar="PATH")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedOptions(CommonOptions):
    """Where a skill is put, or taken from."""

    account: bool = flag("--account", "In the account, for every workspace.")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSkillOptions(PlacedOptions):
    """A skill that is kept in the workspace or the account."""

    name: str = argument("NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkOptions(PlacedOptions):
    """A skill to copy."""

    name: str = argument("NAME")
    level: Level | None = option("--level", "Of which level, where several have one of this name.")
    new_name: str = option("--as", "Name of the copy.", "", metavar="NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSkillOptions(OwnSkillOptions):
    """What a skill becomes."""

    source: Path | None = option(
        "--from",
        "Take this folder or zip instead of opening an editor.",
        metavar="DIR",
        parser=_place,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BringInOptions(PlacedOptions):
    """What is brought in."""

    place: Path = argument("DIR", "A skill's folder, or a zip of it.", parser=_place)
    preview: bool = flag("--preview", "Only say what would come in.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOutOptions(SkillOptions):
    """What is written out, and where to."""

    into: Path = argument("DIR", "The folder in which the skill's own is made.", parser=_place)
    packed: bool = flag("--zip", "Write a zip instead of a folder.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueOptions(PlacedOptions):
    """A folder of skills, or a Git checkout of them."""

    place: Path = argument("DIR", "A folder with skills in it.", parser=_place)
    bring: bool = flag("--bring", "Bring in every new one, and update those that changed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsOptions(OwnSkillOptions):
    """Earlier states of a skill."""

    restore: int | None = option("--restore", "Make this version the newest.", metavar="N")


@dataclass(frozen=True, slots=True, kw_only=True)
class TracesOptions(CommonOptions):
    """What came of runs."""

    name: str = argument("NAME")
    lines: bool = flag("--lines", "JSON lines that a program can learn from.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(SkillOptions):
    """What a skill is tried on."""

    given: str = option(
        "--input", "What it is given: JSON of its inputs, or a text.", "", metavar="JSON"
    )
    output: str = option(
        "--output", "Check this answer against its assertions.", "", metavar="TEXT"
    )
    file: str = option("--file", "The file that the answer is of.", "", metavar="PATH")
