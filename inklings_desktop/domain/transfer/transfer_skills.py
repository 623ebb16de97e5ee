"""What an export holds of skills: their files, word for word, and where each comes from.

They come in as if somebody else had written them: switched off until the author has looked at them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.skills.folder import checked_files, contents_of
from inklings_desktop.domain.skills.skill import Origin, Skill

if TYPE_CHECKING:
    from inklings_desktop.domain.transfer.transfer_fields import Fields

_MAX_PROVENANCE = 200


def skill_row(skill: Skill) -> dict[str, Any]:
    """A skill without its earlier states, and without what came of its runs."""
    files = [{"path": one.path, "text": one.body} for one in skill.contents.artifacts]
    return {
        **row_of(skill, "id name origin version forked_from changed_by created_at edited_at"),
        "front_matter": dict(skill.contents.front_matter),
        "files": files,
    }


def skill_of(fields: Fields, workspace_id: str | None, unknown: set[str]) -> Skill:
    """A skill as it comes in.

    Raises:
        ImportRefusedError: This program does not write such a row.
    """
    files: dict[str, bytes] = {}
    for one in fields.objects("files"):
        path = one.text("path")
        if path in files:
            raise one.wrong("path", "repeated")
        files[path] = one.text("text").encode()
        unknown |= one.unknown("skill_file")
    head = fields.raw("front_matter")
    try:
        contents = contents_of(checked_files(files), head if isinstance(head, dict) else {})
    except InvalidValueError as error:
        raise fields.wrong(error.field, error.rule) from None
    if fields.text("name") != contents.name:
        raise fields.wrong("name", "foreign")
    fields.raw("origin")  # whoever's it was, it is not this author's before they looked at it
    found = Skill(
        fields.id(),
        workspace_id,
        contents,
        Origin.COMMUNITY,
        fields.count("version", least=1),
        False,
        fields.text("changed_by", "", limit=_MAX_PROVENANCE),
        fields.time("created_at"),
        fields.time("edited_at"),
        fields.text("forked_from", "", limit=_MAX_PROVENANCE),
        contents.digest,
    )
    unknown |= fields.unknown("skill")
    return found
