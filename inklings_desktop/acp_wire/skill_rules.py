"""What is wrong with a skill, as sentences for the terminal and for a model that words one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.errors import InvalidValueError

SKILL_RULES = {
    ("skill_name", "format"): (
        "A skill is named by 1 to {limit} small letters and digits, with single hyphens between."
    ),
    ("skill_name", "folder"): "The skill and its folder need the same name: {limit}.",
    ("skill_description", "empty"): "The head of SKILL.md needs a description.",
    ("skill_description", "too_long"): "The description has at most {limit} characters.",
    ("skill_head", "form"): (
        "The head of SKILL.md cannot be read at line {limit}. "
        "It begins and ends with a line of ---."
    ),
    ("skill_files", "no_main"): "There is no {limit} in it.",
    ("skill_files", "too_many"): "A skill has at most {limit} files.",
    ("skill_files", "too_long"): "The files of a skill have at most {kib} KiB together.",
    ("skill_files", "file_too_long"): "{limit} is longer than 64 KiB.",
    ("skill_files", "no_text"): "{limit} is not text in UTF-8.",
    ("skill_files", "link"): "{limit} is a link. A skill can't have links.",
    ("skill_files", "place"): "{limit} can't be the name of a file in a skill.",
    ("skill_files", "clash"): "On some systems {limit} would be the same file as another one.",
    ("skill_files", "marker"): "A line of {limit} looks like the beginning of a file.",
    ("skill", "read_only"): (
        "This skill is not one of your own. Copy it with inklings skill fork, and change the copy."
    ),
    ("skill", "not_seen"): "Look at it first: inklings skill show NAME.",
    ("skills", "too_many"): "There are {limit} skills already. Delete some first.",
    ("artifact", "unknown"): "The skill has no file {limit}.",
    ("artifact_kind", "unknown"): "What {limit} is for is none of the five kinds.",
    ("assertion", "form"): "The assertions cannot be understood: see number {limit}.",
    ("assertion", "unknown"): "Nobody knows how to check assertion number {limit}.",
    ("assertion", "value"): "Assertion number {limit} has a value that it cannot have.",
    ("assertion", "no_such_file"): "An assertion is about {limit}, which the skill has not.",
    ("pattern", "form"): "The pattern of an assertion can't be checked safely.",
    ("pattern", "too_long"): "The pattern of an assertion is too long.",
}


def skill_sentence(error: InvalidValueError) -> str:
    """What is wrong, in a sentence; of a rule that nobody has words for, its name."""
    told = SKILL_RULES.get((error.field, error.rule))
    if told is None:
        return f"{error.field}: {error.rule}"
    kib = int(error.limit) // 1024 if isinstance(error.limit, int | float) else ""
    return told.format(limit=error.limit, kib=kib)
