"""Skills of one file, their earlier states, and what came of their runs."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.skills.folder import contents_of
from inklings_desktop.domain.skills.skill import KeptSkill, Origin, Skill, SkillVersion
from inklings_desktop.domain.skills.traces import MAX_TRACES, SkillTrace, TraceOutcome
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
    sensible,
    to_ms,
    to_ms_or_none,
    words_json,
)
from inklings_desktop.storage.schema.skill_schema import (
    skill_artifacts,
    skill_execution_traces,
    skill_versions,
    skills,
)
from inklings_desktop.usecases.ports.skills import Switch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Row

    from inklings_desktop.storage.rows.transaction import Transaction

_SYSTEM = Origin.SYSTEM.value
_OWN = select(skills).where(skills.c.origin != _SYSTEM).order_by(skills.c.name)
_FILES = (
    select(skill_artifacts)
    .where(skill_artifacts.c.skill_id == bindparam("wanted"))
    .order_by(skill_artifacts.c.position)
)
_EVERY_FILE = select(
    skill_artifacts.c.skill_id, skill_artifacts.c.path, skill_artifacts.c.body
).order_by(skill_artifacts.c.skill_id, skill_artifacts.c.position)
_TRACES = (
    select(skill_execution_traces)
    .where(skill_execution_traces.c.skill == bindparam("wanted"))
    .order_by(skill_execution_traces.c.at.desc(), skill_execution_traces.c.id)
)


class SqliteSkillRepository:
    """The ``SkillRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def every(self) -> tuple[Skill, ...]:
        files: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for id_, path, body in self._connection.execute(_EVERY_FILE):
            files[id_][path] = body
        rows = self._connection.execute(_OWN).fetchall()
        return tuple(sensible(rows, lambda row: self._with_files(row, files[row.id])))

    def named(self, name: str) -> Skill:
        row = self._connection.execute(_OWN.where(skills.c.name == name)).one_or_none()
        if row is None:
            raise NotFoundError("skill", name)
        return self._skill_of(row)

    def save(self, skill: Skill) -> None:
        before = self._before(skill)
        if skill.version != (1 if before is None else before.version + 1):
            expected = None if before is None else before.version
            raise ConflictError("skill", skill.name, skill.version - 1, expected)
        if before is not None:
            kept = SkillVersion(
                before.version, before.contents.files, before.changed_by, before.edited_at
            )
            self._connection.execute(insert(skill_versions), _version_values(before.id, kept))
        self._put(skill)

    def mark(self, skill: Skill) -> None:
        self._transaction.rooms_changed()
        values = {
            "enabled": int(skill.enabled),
            "seen_at": to_ms_or_none(skill.seen_at),
            "last_used_at": to_ms_or_none(skill.last_used_at),
            "changed_seq": self._transaction.change_seq,
        }
        self._connection.execute(update(skills).where(skills.c.id == skill.id).values(values))

    def versions(self, skill_id: str) -> tuple[SkillVersion, ...]:
        table = skill_versions.c
        wanted = select(skill_versions).where(table.skill_id == skill_id)
        rows = self._connection.execute(wanted.order_by(table.version.desc())).fetchall()
        return tuple(sensible(rows, _version_of))

    def remove(self, name: str) -> KeptSkill:
        found = self.named(name)
        kept = KeptSkill(found, self.versions(found.id))
        self._transaction.take_number()
        self._transaction.rooms_changed()
        # Row by row: where references are not kept, nothing would go along.
        for table in (skill_artifacts, skill_versions):
            self._connection.execute(delete(table).where(table.c.skill_id == found.id))
        self._connection.execute(delete(skills).where(skills.c.id == found.id))
        return kept

    def put_back(self, kept: KeptSkill) -> None:
        if self._before(kept.skill) is not None:
            raise ConflictError("skill", kept.skill.name)
        self._put(kept.skill)
        for one in kept.versions:
            self._connection.execute(insert(skill_versions), _version_values(kept.skill.id, one))

    def switches(self) -> Mapping[str, Switch]:
        wanted = select(skills).where(skills.c.origin == _SYSTEM)
        return {
            row.name: Switch(bool(row.enabled), from_ms_or_none(row.last_used_at))
            for row in self._connection.execute(wanted)
        }

    def put_switch(self, name: str, switch: Switch, now: datetime) -> None:
        at = to_ms(now)
        changing = {
            "enabled": int(switch.enabled),
            "last_used_at": to_ms_or_none(switch.last_used_at),
            "changed_seq": self._transaction.change_seq,
        }
        values = changing | {
            "id": name,
            "name": name,
            "title": "",
            "description": "",
            "tags": "[]",
            "origin": _SYSTEM,
            "version": 1,
            "front_matter": "{}",
            "changed_by": "",
            "created_at": at,
            "edited_at": at,
            "seen_at": at,
        }
        self._transaction.rooms_changed()
        put = insert_or(skills).on_conflict_do_update(index_elements=["name"], set_=changing)
        self._connection.execute(put, values)

    def add_trace(self, trace: SkillTrace) -> None:
        self._transaction.take_number()
        self._transaction.rooms_changed()
        table = skill_execution_traces.c
        values = columns_of(
            trace,
            "id skill version position run_id outcome input=given output ms fuel tokens"
            " cost_micro at",
        )
        values["assertions"] = json.dumps(list(trace.assertions), ensure_ascii=False)
        self._connection.execute(insert(skill_execution_traces).prefix_with("OR REPLACE"), values)
        newest = (
            select(table.id)
            .where(table.skill == trace.skill)
            .order_by(table.at.desc(), table.id)
            .limit(MAX_TRACES)
        )
        self._connection.execute(
            delete(skill_execution_traces).where(
                table.skill == trace.skill, table.id.not_in(newest)
            )
        )

    def traces(self, name: str, limit: int) -> tuple[SkillTrace, ...]:
        rows = self._connection.execute(_TRACES.limit(limit), {"wanted": name}).fetchall()
        return tuple(sensible(rows, _trace_of))

    def uses(self) -> Mapping[str, int]:
        table = skill_execution_traces.c
        wanted = select(table.skill, func.count()).group_by(table.skill)
        return {row[0]: row[1] for row in self._connection.execute(wanted)}

    def _before(self, skill: Skill) -> Skill | None:
        row = self._connection.execute(_OWN.where(skills.c.id == skill.id)).one_or_none()
        return None if row is None else self._skill_of(row)

    def _put(self, skill: Skill) -> None:
        """Store a skill with its files, in place of what its id has."""
        self._transaction.rooms_changed()
        run = self._connection.execute
        # A skill of the author's hides that of the program, so nothing is left to switch.
        run(delete(skills).where(skills.c.name == skill.name, skills.c.origin == _SYSTEM))
        run(delete(skill_artifacts).where(skill_artifacts.c.skill_id == skill.id))
        contents = skill.contents
        values = {
            **columns_of(
                skill,
                "id name title=contents.title description=contents.description origin version"
                " enabled changed_by created_at edited_at",
            ),
            "tags": words_json(contents.tags),
            "input_schema": _dumped(contents.input_schema),
            "front_matter": _dumped(contents.front_matter),
            "forked_from": skill.forked_from or None,
            "source_hash": skill.source_hash or None,
            "seen_at": to_ms_or_none(skill.seen_at),
            "last_used_at": to_ms_or_none(skill.last_used_at),
            "changed_seq": self._transaction.change_seq,
        }
        put = insert_or(skills).on_conflict_do_update(index_elements=["id"], set_=values)
        try:
            run(put, values)
        except IntegrityError as error:
            raise ConflictError("skill", skill.name) from error
        for position, one in enumerate(contents.artifacts):
            row = {
                "skill_id": skill.id,
                "position": position,
                **columns_of(one, "kind path body"),
                "assertions": json.dumps([check.payload() for check in one.assertions]),
            }
            run(insert(skill_artifacts), row)

    def _skill_of(self, row: Row[*tuple[Any, ...]]) -> Skill:
        files = self._connection.execute(_FILES, {"wanted": row.id}).fetchall()
        return self._with_files(row, {one.path: one.body for one in files})

    def _with_files(self, row: Row[*tuple[Any, ...]], files: Mapping[str, str]) -> Skill:
        return replace(_skill_of(row, files), workspace_id=self._transaction.workspace_id)


@of_sensible_rows
def _skill_of(row: Row[*tuple[Any, ...]], files: Mapping[str, str]) -> Skill:
    return Skill(
        row.id,
        None,
        contents_of(files, json.loads(row.front_matter)),
        Origin(row.origin),
        row.version,
        bool(row.enabled),
        row.changed_by,
        from_ms(row.created_at),
        from_ms(row.edited_at),
        row.forked_from or "",
        row.source_hash or "",
        from_ms_or_none(row.seen_at),
        from_ms_or_none(row.last_used_at),
    )


@of_sensible_rows
def _version_of(row: Row[*tuple[Any, ...]]) -> SkillVersion:
    files = json.loads(row.payload)["files"]
    return SkillVersion(
        row.version, {str(k): str(v) for k, v in files.items()}, row.changed_by, from_ms(row.at)
    )


def _version_values(skill_id: str, one: SkillVersion) -> dict[str, Any]:
    payload = json.dumps({"files": dict(one.files)}, ensure_ascii=False)
    return {"skill_id": skill_id, "payload": payload, **columns_of(one, "version changed_by at")}


@of_sensible_rows
def _trace_of(row: Row[*tuple[Any, ...]]) -> SkillTrace:
    return SkillTrace(
        id=row.id,
        skill=row.skill,
        version=row.version,
        position=row.position,
        run_id=row.run_id,
        outcome=TraceOutcome(row.outcome),
        assertions=tuple(json.loads(row.assertions)),
        ms=row.ms,
        at=from_ms(row.at),
        given=row.input,
        output=row.output,
        fuel=row.fuel,
        tokens=row.tokens,
        cost_micro=row.cost_micro,
    )


def _dumped(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)
