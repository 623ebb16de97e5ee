"""What a scrub removes of skills, of what came of their runs, and of activities.

Skills and activities go with all of their tier. What came of runs may quote anything, in any form:
all that the file has goes with every scrub; and where another file's memories go, what holds them.
"""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.scrub.manifest import ScrubKind
from inklings_desktop.storage.schema import activity_schema, skill_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_TRACES = skill_schema.skill_execution_traces.name
_ACTIVITIES = activity_schema.scheduled_activities.name
_SKILLS = "FROM skills WHERE :is_full AND origin <> 'system'"
_OF_SKILLS = f"WHERE skill_id IN (SELECT id {_SKILLS})"
_COUNTED = (
    (
        ScrubKind.SKILL,
        _TRACES,
        f"SELECT id, changed_seq, name || ': ' || substr(description, 1, 400) {_SKILLS}",
    ),
    (
        ScrubKind.ACTIVITY,
        _ACTIVITIES,
        (
            "SELECT id, changed_seq, name || ': ' || substr(prompt, 1, 400)"
            f" FROM {_ACTIVITIES} WHERE :is_full"
        ),
    ),
)
_TEXTS = (
    (_TRACES, f"SELECT name, title, description, tags, front_matter, input_schema {_SKILLS}"),
    (_TRACES, f"SELECT path, body, assertions FROM skill_artifacts {_OF_SKILLS}"),
    (_TRACES, f"SELECT payload FROM skill_versions {_OF_SKILLS}"),
    (_TRACES, f"SELECT input, output, assertions FROM {_TRACES}"),
    (_ACTIVITIES, f"SELECT name, prompt FROM {_ACTIVITIES} WHERE :is_full"),
)
_DELETIONS = (
    (_TRACES, f"DELETE FROM skill_artifacts {_OF_SKILLS}"),
    (_TRACES, f"DELETE FROM skill_versions {_OF_SKILLS}"),
    (_TRACES, f"DELETE {_SKILLS}"),
    (_TRACES, f"DELETE FROM {_TRACES}"),
    (_ACTIVITIES, f"DELETE FROM {_ACTIVITIES} WHERE :is_full"),
)


def skills_beside(
    run: Callable[..., Any], parameters: Mapping[str, Any]
) -> Iterator[tuple[ScrubKind, str, int, str]]:
    """Kind, id, version and beginning of the skills and activities that go with their tier.

    Args:
        run: Executes a statement.
        parameters: Whether everything goes.
    """
    for kind, table, statement in _COUNTED:
        if _is_there(run, table):
            for id_, version, begins in run(statement, parameters).fetchall():
                yield kind, id_, version, begins


def skill_texts(run: Callable[..., Any], parameters: Mapping[str, Any]) -> Iterator[Any]:
    """Cursors over what all of it says."""
    for table, statement in _TEXTS:
        if _is_there(run, table):
            yield run(statement, parameters)


def delete_skills(run: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Remove it."""
    for table, statement in _DELETIONS:
        if _is_there(run, table):
            run(statement, parameters)


def quoting_traces(run: Callable[..., Any], holds: Callable[[Any], bool]) -> Iterator[str]:
    """Ids of what came of runs that holds some of what goes from another file."""
    if _is_there(run, _TRACES):
        for id_, *texts in run(f"SELECT id, input, output, assertions FROM {_TRACES}").fetchall():
            if holds([str(text) for text in texts]):
                yield id_


def delete_traces(run: Callable[..., Any], ids: list[str]) -> None:
    """Remove some of it."""
    for id_ in ids:
        run(f"DELETE FROM {_TRACES} WHERE id = :id", {"id": id_})


def _is_there(run: Callable[..., Any], table: str) -> bool:
    """Whether the file has this table: activities are a workspace's, a backup may be older."""
    found = run(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = :name", {"name": table}
    )
    return found.fetchone() is not None
