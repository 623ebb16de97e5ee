"""Domains, roles, what facts and rules have besides their memories, and what agents keep."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert as insert_or
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.knowledge.domains import (
    BUILT_IN_ROLES,
    ClientRole,
    Domain,
    Gate,
    Permission,
    Role,
)
from inklings_desktop.domain.knowledge.facts import (
    SUPERSEDED,
    Ending,
    FactDetails,
    PolicyDetails,
    StoryInterval,
    topic_key,
)
from inklings_desktop.domain.knowledge.working_memory import MAX_VERSIONS, WorkingMemory
from inklings_desktop.domain.memory import MemoryAction, MemoryKind, Tier
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.storage.engine.prepared import Prepared
from inklings_desktop.storage.rows.memories import (
    columns_of,
    entry_of,
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
    sensible,
    to_ms,
)
from inklings_desktop.storage.rows.memory_selects import SELECT_ENTRY
from inklings_desktop.storage.schema.knowledge_schema import (
    agent_working_memory,
    agent_working_memory_versions,
    client_roles,
    domains,
    facts,
    policies,
    role_grants,
    roles,
)
from inklings_desktop.storage.schema.tables import memories, memory_versions
from inklings_desktop.storage.search.conditions import among, in_order, is_active

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Delete, Row, Table

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.storage.rows.transaction import Transaction

_RETRIEVABLE = and_(is_active, memories.c.paused == 0)
_DOMAIN = select(
    domains.c.id,
    domains.c.name,
    domains.c.description,
    domains.c.closed,
    domains.c.created_by,
    domains.c.created_kind,
    domains.c.created_at,
    domains.c.archived_at,
)
_DOMAINS = Prepared(_DOMAIN.order_by(domains.c.name_key))
_GATES = Prepared(
    select(
        domains.c.id,
        domains.c.name,
        domains.c.closed,
        domains.c.archived_at.is_not(None),
        role_grants.c.role,
        role_grants.c.permission,
    ).outerjoin(role_grants, role_grants.c.domain_id == domains.c.id)
)
_KEPT = select(agent_working_memory).order_by(
    agent_working_memory.c.agent, agent_working_memory.c.part
)
# By the bare column SQLite would begin with the memories, of which there are many more.
_of_policy = memories.c.sequence == policies.c.memory_sequence + literal_column("0")
_REQUIRED = Prepared(
    select(memories.c.domain_id, policies.c.required_role)
    .select_from(policies.join(memories, _of_policy))
    .where(_RETRIEVABLE, policies.c.required_role != "")
)
_POLICIES = SELECT_ENTRY.join(policies, _of_policy).where(is_active).order_by(in_order)
_HAS_POLICIES = Prepared(select(policies.c.memory_sequence).limit(1))
_ALWAYS = _POLICIES.where(policies.c.always == 1)
_OF_TOPIC = (
    SELECT_ENTRY.join(facts, facts.c.memory_sequence == memories.c.sequence)
    .where(
        facts.c.topic_key == bindparam("topic"),
        memories.c.domain_id == bindparam("domain"),
        _RETRIEVABLE,
    )
    .order_by(memories.c.sequence)
)
_OF_CONVERSATIONS = (
    SELECT_ENTRY.where(
        memories.c.kind == MemoryKind.NOTE.value,
        memories.c.agent_id.is_(None),
        or_(
            memories.c.tier == Tier.CONVERSATION.value,
            memories.c.source_conversation.is_not(None),
        ),
        func.length(memories.c.content) <= bindparam("longest"),
        _RETRIEVABLE,
    )
    .order_by(memories.c.sequence.desc())
    .limit(bindparam("limit"))
)
_of_topic, _named = facts.alias(), memories.alias()
_CROWDED = (
    select(memories.c.domain_id, facts.c.topic_key)
    .join(facts, facts.c.memory_sequence == memories.c.sequence)
    .where(_RETRIEVABLE, memories.c.domain_id.is_not(None))
    .group_by(memories.c.domain_id, facts.c.topic_key)
    .having(func.count() > 1)
)
_CROWDED_AMONG = Prepared(
    _CROWDED.where(
        facts.c.topic_key.in_(
            select(_of_topic.c.topic_key)
            .join(_named, _named.c.sequence == _of_topic.c.memory_sequence)
            .where(among(_named.c.id, "wanted"))
        )
    )
)
_FACTS_OF = Prepared(
    select(memories.c.id, facts.c.confidence, facts.c.story_from, facts.c.story_until)
    .join(facts, facts.c.memory_sequence == memories.c.sequence)
    .where(among(memories.c.id, "wanted"))
)
_POLICIES_OF = (
    select(memories.c.id, policies)
    .join(policies, policies.c.memory_sequence == memories.c.sequence)
    .where(among(memories.c.id, "wanted"))
)
_CHAIN = """
WITH RECURSIVE
later(id, successor_id) AS (
    SELECT id, successor_id FROM memories WHERE id = :id AND kind = 'fact'
    UNION SELECT m.id, m.successor_id FROM memories m JOIN later ON m.id = later.successor_id
),
whole(id) AS (
    SELECT id FROM later
    UNION SELECT m.id FROM memories m JOIN whole ON m.successor_id = whole.id
    WHERE m.forgotten_reason = :reason AND m.kind = 'fact'
)
SELECT id FROM whole
"""
_ENDINGS = (
    select(
        memory_versions.c.memory_id,
        memory_versions.c.changed_at,
        memory_versions.c.changed_by,
        memory_versions.c.extra,
    )
    .where(
        among(memory_versions.c.memory_id, "wanted"),
        memory_versions.c.action == MemoryAction.FORGOTTEN.value,
    )
    # What an undo forgot again has no reason of its own: the last one that was given counts.
    .order_by(
        func.json_type(memory_versions.c.extra, "$.reason").is_not(None), memory_versions.c.version
    )
)
_HEAD = """
WITH RECURSIVE later(id, successor_id, sequence) AS (
    SELECT id, successor_id, sequence FROM memories WHERE id = :id AND kind = 'fact'
    UNION ALL SELECT m.id, m.successor_id, m.sequence FROM memories m
    JOIN later ON m.id = later.successor_id AND m.sequence > later.sequence
    WHERE m.kind = 'fact'
)
SELECT id FROM later ORDER BY sequence DESC LIMIT 1
"""
_BEHIND = """
WITH RECURSIVE behind(head, id) AS (
    SELECT value, value FROM json_each(:wanted)
    UNION SELECT behind.head, m.id FROM memories m JOIN behind ON m.successor_id = behind.id
    WHERE m.forgotten_reason = :reason AND m.kind = 'fact'
)
SELECT head, count(*) - 1 FROM behind GROUP BY head HAVING count(*) > 1
"""


class SqliteKnowledgeRepository:
    """The ``KnowledgeRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def domains(self) -> tuple[Domain, ...]:
        return tuple(sensible(_DOMAINS.rows(self._connection), _domain_of))

    def domain(self, key: str) -> Domain:
        is_it = or_(domains.c.id == key, domains.c.name_key == name_key(key))
        row = self._connection.execute(_DOMAIN.where(is_it).limit(1)).one_or_none()
        if row is None:
            raise NotFoundError("domain", key)
        return _domain_of(row)

    def save_domain(self, domain: Domain) -> None:
        values = {
            **columns_of(domain, "id name description created_by created_kind created_at"),
            "closed": int(domain.is_closed),
            "archived_at": None if domain.archived_at is None else to_ms(domain.archived_at),
            "name_key": name_key(domain.name),
            "changed_seq": self._transaction.change_seq,
        }
        put = insert_or(domains).on_conflict_do_update(index_elements=["id"], set_=values)
        self._transaction.rooms_changed()
        try:
            self._connection.execute(put, values)
        except IntegrityError as error:
            raise ConflictError("domain", domain.name) from error

    def drop_domain(self, domain_id: str) -> bool:
        in_it = select(memories.c.id).where(memories.c.domain_id == domain_id)
        return self._dropped(delete(domains).where(domains.c.id == domain_id, ~exists(in_it)))

    def roles(self) -> tuple[Role, ...]:
        found = self._connection.execute(select(roles).order_by(roles.c.name))
        own = (Role(row.name, from_ms(row.created_at)) for row in found)
        return (*map(Role, BUILT_IN_ROLES), *own)

    def save_role(self, role: Role) -> None:
        if role.created_at is None:
            return
        self._transaction.rooms_changed()
        self._connection.execute(
            insert_or(roles).on_conflict_do_nothing(),
            {
                "name": role.name,
                "created_at": to_ms(role.created_at),
                "changed_seq": self._transaction.change_seq,
            },
        )

    def drop_role(self, name: str) -> bool:
        naming = select(policies.c.required_role).where(policies.c.required_role == name)
        if not self._dropped(delete(roles).where(roles.c.name == name, ~exists(naming))):
            return False
        self._connection.execute(delete(role_grants).where(role_grants.c.role == name))
        return True

    def _dropped(self, statement: Delete) -> bool:
        self._transaction.take_number()
        self._transaction.rooms_changed()
        return bool(self._connection.execute(statement).rowcount)

    def grants(self) -> Mapping[tuple[str, str], Permission]:
        return {
            (role, domain): Permission(word)
            for role, domain, word in self._connection.execute(select(role_grants))
        }

    def put_grant(self, role: str, domain_id: str, permission: Permission | None) -> None:
        self._transaction.take_number()
        self._transaction.rooms_changed()
        values = {"role": role, "domain_id": domain_id}
        if permission is None:
            of_it = (role_grants.c.role == role, role_grants.c.domain_id == domain_id)
            self._connection.execute(delete(role_grants).where(*of_it))
            return
        values["permission"] = permission.value
        put = insert_or(role_grants)
        self._connection.execute(
            put.on_conflict_do_update(index_elements=["role", "domain_id"], set_=values), values
        )

    def gates(self, roles: Collection[str]) -> Mapping[str, Gate]:
        rows = _GATES.rows(self._connection)
        if not rows:
            return {}
        required: defaultdict[str, set[str]] = defaultdict(set)
        for domain_id, role in _REQUIRED.rows(self._connection):
            required[domain_id].add(role)
        barred = {domain_id: frozenset(wanted) for domain_id, wanted in required.items()}
        usual = {row[0]: Permission.NONE if row[2] else Permission.READ for row in rows}
        archived = frozenset(row[0] for row in rows if row[3])
        names = {row[0]: row[1] for row in rows}
        given = {role: dict(usual) for role in roles}
        for domain_id, _, _, _, role, word in rows:
            if role in given:
                given[role][domain_id] = Permission(word)
        return {role: Gate(role, each, barred, archived, names) for role, each in given.items()}

    def put_details(self, memory_id: str, details: FactDetails | PolicyDetails) -> None:
        found = self._connection.execute(
            update(memories)
            .where(memories.c.id == memory_id)
            .values(changed_seq=self._transaction.change_seq)
            .returning(memories.c.sequence, memories.c.tier, memories.c.scope_key, memories.c.topic)
        ).one_or_none()
        if found is None:
            raise NotFoundError("memory", memory_id)
        if isinstance(details, FactDetails):
            table: Table = facts
            values: dict[str, Any] = {
                "topic_key": topic_key(found.topic),
                "confidence": details.confidence,
                "story_from": details.story.first,
                "story_until": details.story.until,
            }
        else:
            table = policies
            values = columns_of(details, "required_role always")
        values["memory_sequence"] = found.sequence
        put = insert_or(table)
        self._connection.execute(
            put.on_conflict_do_update(index_elements=["memory_sequence"], set_=values), values
        )
        scope = self._transaction.scope(found.tier, found.scope_key)
        self._transaction.updated(scope, [memory_id])

    def facts_of(self, memory_ids: Collection[str]) -> Mapping[str, FactDetails]:
        wanted = {"wanted": json.dumps(list(memory_ids))}
        rows = _FACTS_OF.rows(self._connection, wanted) if memory_ids else ()
        return dict(sensible(rows, _fact_of))

    def policies_of(self, memory_ids: Collection[str]) -> Mapping[str, PolicyDetails]:
        rows = self._wanted(_POLICIES_OF, memory_ids)
        return {row.id: PolicyDetails(row.required_role, bool(row.always)) for row in rows}

    def notes_of_conversations(self, limit: int, longest: int) -> tuple[MemoryEntry, ...]:
        values = {"limit": limit, "longest": longest}
        return self._entries(_OF_CONVERSATIONS, values)[::-1]

    def of_topic(self, domain_id: str, topic: str) -> tuple[MemoryEntry, ...]:
        return self._entries(_OF_TOPIC, {"topic": topic_key(topic), "domain": domain_id})

    def crowded_topics(
        self, memory_ids: Collection[str] | None = None
    ) -> tuple[tuple[str, str], ...]:
        if memory_ids is None:
            return tuple((row[0], row[1]) for row in self._connection.execute(_CROWDED))
        wanted = {"wanted": json.dumps(list(memory_ids))}
        return tuple(_CROWDED_AMONG.rows(self._connection, wanted)) if memory_ids else ()

    def policies(self, *, always: bool = False) -> tuple[MemoryEntry, ...]:
        return self._entries(_ALWAYS if always else _POLICIES, {})

    def has_policies(self) -> bool:
        return bool(_HAS_POLICIES.rows(self._connection))

    def counts(self) -> Mapping[tuple[str, MemoryKind], int]:
        wanted = (
            select(memories.c.domain_id, memories.c.kind, func.count())
            .where(memories.c.domain_id.is_not(None), is_active)
            .group_by(memories.c.domain_id, memories.c.kind)
        )
        rows = self._connection.execute(wanted)
        return {(domain, MemoryKind(kind)): n for domain, kind, n in rows}

    def replaced_by(self, memory_ids: Collection[str]) -> Mapping[str, int]:
        values = {"wanted": json.dumps(list(memory_ids)), "reason": SUPERSEDED}
        found = self._connection.exec_driver_sql(_BEHIND, values) if memory_ids else ()
        return {row[0]: row[1] for row in found}

    def endings(self, memory_ids: Collection[str]) -> Mapping[str, Ending]:
        rows = self._wanted(_ENDINGS, memory_ids)
        return {row.memory_id: _ending_of(row) for row in rows}

    def head(self, memory_id: str) -> str:
        found = self._connection.exec_driver_sql(_HEAD, {"id": memory_id}).scalar()
        return memory_id if found is None else str(found)

    def chain(self, memory_id: str) -> tuple[MemoryEntry, ...]:
        found = self._connection.exec_driver_sql(_CHAIN, {"id": memory_id, "reason": SUPERSEDED})
        ids = json.dumps([row[0] for row in found])
        wanted = SELECT_ENTRY.where(among(memories.c.id, "wanted")).order_by(memories.c.sequence)
        entries = self._entries(wanted, {"wanted": ids})
        if not entries:
            raise NotFoundError("memory", memory_id)
        return entries

    def working_memory(self, agent: str, part: str) -> WorkingMemory | None:
        wanted = _KEPT.where(
            agent_working_memory.c.agent == agent, agent_working_memory.c.part == part
        )
        row = self._connection.execute(wanted).one_or_none()
        return None if row is None else _kept_of(row)

    def working_memories(self) -> tuple[WorkingMemory, ...]:
        return tuple(sensible(self._connection.execute(_KEPT), _kept_of))

    def save_working_memory(self, kept: WorkingMemory) -> None:
        before = self.working_memory(kept.agent, kept.part)
        expected = 1 if before is None else before.version + 1
        if kept.version != expected:
            raise ConflictError("working_memory", kept.agent, kept.version - 1, expected - 1)
        values = {
            **columns_of(kept, "agent part body version updated_at"),
            "changed_seq": self._transaction.change_seq,
        }
        self._transaction.rooms_changed()
        if before is not None:
            names = "agent part body version updated_at"
            self._connection.execute(
                insert(agent_working_memory_versions), columns_of(before, names)
            )
        put = insert_or(agent_working_memory)
        self._connection.execute(
            put.on_conflict_do_update(index_elements=["agent", "part"], set_=values), values
        )
        table = agent_working_memory_versions.c
        self._connection.execute(
            delete(agent_working_memory_versions).where(
                table.agent == kept.agent,
                table.part == kept.part,
                table.version < kept.version - MAX_VERSIONS,
            )
        )

    def working_memory_versions(self, agent: str, part: str) -> tuple[WorkingMemory, ...]:
        table = agent_working_memory_versions.c
        wanted = (
            select(agent_working_memory_versions)
            .where(table.agent == agent, table.part == part)
            .order_by(table.version.desc())
        )
        return tuple(sensible(self._connection.execute(wanted), _kept_of))

    def client_roles(
        self, workspace_id: str | None = None, client: str | None = None
    ) -> tuple[ClientRole, ...]:
        wanted = select(client_roles).order_by(*client_roles.c)
        for column, value in (
            (client_roles.c.workspace_id, workspace_id),
            (client_roles.c.client, client),
        ):
            wanted = wanted if value is None else wanted.where(column == value)
        return tuple(
            ClientRole(row.client, row.workspace_id, row.role, bool(row.is_default))
            for row in self._connection.execute(wanted)
        )

    def put_client_roles(
        self, client: str, workspace_id: str, roles: Collection[ClientRole]
    ) -> None:
        of_it = (client_roles.c.client == client, client_roles.c.workspace_id == workspace_id)
        self._transaction.take_number()
        self._transaction.clients_changed()
        self._connection.execute(delete(client_roles).where(*of_it))
        if roles:
            rows = [columns_of(one, "client workspace_id role is_default") for one in roles]
            self._connection.execute(insert(client_roles), rows)

    def _wanted(self, statement: Any, ids: Collection[str]) -> Any:
        if not ids:
            return ()
        return self._connection.execute(statement, {"wanted": json.dumps(list(ids))})

    def _entries(self, statement: Any, values: Mapping[str, Any]) -> tuple[MemoryEntry, ...]:
        rows = self._connection.execute(statement, values)
        return tuple(entry_of(row, self._transaction.workspace_id) for row in rows)


@of_sensible_rows
def _domain_of(row: Sequence[Any]) -> Domain:
    domain_id, name, description, closed, by, kind, made, archived = row
    return Domain(
        domain_id,
        name,
        description,
        bool(closed),
        by,
        kind,
        from_ms(made),
        from_ms_or_none(archived),
    )


@of_sensible_rows
def _fact_of(row: Sequence[Any]) -> tuple[str, FactDetails]:
    memory_id, confidence, first, until = row
    return memory_id, FactDetails(confidence, StoryInterval(first, until))


@of_sensible_rows
def _kept_of(row: Row[*tuple[Any, ...]]) -> WorkingMemory:
    return WorkingMemory(row.agent, row.part, row.body, row.version, from_ms(row.updated_at))


def _ending_of(row: Row[*tuple[Any, ...]]) -> Ending:
    why = json.loads(row.extra).get("reason", "")
    return Ending(from_ms(row.changed_at), row.changed_by, str(why))
