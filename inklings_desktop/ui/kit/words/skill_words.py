"""What is wrong with a skill, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from inklings_desktop.domain.errors import InvalidValueError


def skill_rule(error: InvalidValueError) -> str | None:
    """The sentence for a value of a skill's that cannot be used; None for any other value."""
    said = {
        ("skill_name", "format"): tr(
            "A skill is named by 1 to 64 small letters and digits, with single hyphens between."
        ),
        ("skill_name", "folder"): tr("The skill must be called as its folder, {name}."),
        ("skill_description", "empty"): tr("The head of SKILL.md needs a description."),
        ("skill_description", "too_long"): tr("The description has at most {name} characters."),
        ("skill_head", "form"): tr("The head of SKILL.md cannot be read at line {name}."),
        ("skill_files", "no_main"): tr("The folder has no {name}."),
        ("skill_files", "too_many"): tr("A skill has at most {name} files."),
        ("skill_files", "too_long"): tr("The files of a skill have at most 256 KiB together."),
        ("skill_files", "file_too_long"): tr("{name} is longer than 64 KiB."),
        ("skill_files", "no_text"): tr("{name} is not text in UTF-8."),
        ("skill_files", "link"): tr("{name} is a link. A skill has none."),
        ("skill_files", "place"): tr("{name} is not a place inside the folder of a skill."),
        ("skill_files", "clash"): tr("On some systems {name} is the same as another file."),
        ("skill_files", "marker"): tr("A line of {name} looks like the beginning of a file."),
        ("skill", "read_only"): tr("This skill was brought in. Copy it, and change the copy."),
        ("skill", "not_seen"): tr("Look through its files first."),
        ("skills", "too_many"): tr("There are {name} skills already. Delete some first."),
        ("artifact_kind", "unknown"): tr("What {name} is for is none of the five kinds."),
        ("assertion", "form"): tr("Assertion {name} cannot be read."),
        ("assertion", "unknown"): tr("Assertion {name} asks for a check that is not known."),
        ("assertion", "value"): tr("Assertion {name} has a value that cannot be used."),
        ("assertion", "no_such_file"): tr("An assertion is about {name}, which is not there."),
        ("pattern", "form"): tr("The pattern of an assertion cannot be checked safely."),
        ("pattern", "too_long"): tr("The pattern of an assertion is too long."),
    }.get((error.field, error.rule))
    return None if said is None else said.format(name=error.limit)
