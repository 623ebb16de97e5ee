"""A data root in which every table of both kinds of file holds rows, at least two where it may."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memories.memory_typing import MemoryTyping
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings

AT = 1_790_000_000_000
"""Milliseconds since 1970 of what is put in by hand."""
CLIENTS = ("heron", "loom")
FILES = ("account", "workspace")
"""The kinds of file, each named as its widest tier."""
SOUND = "Herons keep accounts."
"""A memory of both."""

_BY_HAND = {
    "duplicate_pairs": "(?tier, ?key, 'one-?n', 'two', x'0102030405060708', x'0102030405060708',"
    " 0.9, 'waiting')",
    "exports": "(?n, 'out-?n.json', ?at, 'workspace', 2)",
    "imports": "(?n, 'import-?n', ?at, 1, 0, 0)",
    "import_steps": "('import-1', 'added', 'target-?n', 1, '{}')",
    "leases": "('lease-?n', 'holder', ?at, ?at)",
    "run_steps": "('run-?n', 'one', 'promoted', 1, NULL)",
    "task_runs": "(?n, 'run-?n', 'consolidation', ?tier, ?key, 'person', 'finished', ?at, ?at,"
    " '{\"merged\": 1}', '')",
    "task_states": "('consolidation', ?tier, '?n', ?at, ?at, ?at, 1, 1, 'none')",
    "request_keys": "('loom', 'key-?n', 'memory_put',"
    " '0000000000000000000000000000000000000000000000000000000000000000', '[]', ?at)",
    "messages": "(?n, 'message-?n', (SELECT id FROM conversations LIMIT 1), ?n, 'turn', 'user',"
    " 'complete', '[]', 'loom', 'person', NULL, ?at, NULL, 1)",
    "runs": "('run-?n', 'talk', NULL, 'orchestrator', NULL, 'finished', 'persist', ?at, ?at, NULL,"
    " NULL, 0, 0, 0, NULL, NULL, 0, '')",
    "run_checkpoints": "('talk', '', 'point-?n', NULL, 1, x'7b7d', x'7b7d')",
    "run_writes": "('talk', '', 'point-?n', 'task', 0, 'turn', x'7b7d')",
    "run_compactions": "('talk', ?n, ?n, '{}', 'digest', 'mechanical', NULL, ?at)",
    "run_traces": "('run-?n', 1, 'act', 'tool', '{}', NULL, ?at)",
    "permission_rules": "('talk', 'memory_put', '?n', 'allow', ?at)",
    "client_calls": "(?n, 'loom', ?at, 'memory_search', 'workspace', '', 'entries', 1, '', 5, 0)",
    "conversation_participants": "((SELECT id FROM conversations LIMIT 1), 'client-?n', ?at, ?at)",
    "coming_vectors": "(?n, 'next', 1, x'0000803F')",
    "memory_vectors": "(?n, 'none', 1, x'0000803F')",
    "memory_tokens": "(?n, 'none', zeroblob(64))",
    "tag_tokens": "('tag-?n', 'none', zeroblob(64))",
    "notes": "(?n, (SELECT id FROM conversations WHERE sequence = ?n), 'tide-?n',"
    " '{\"high\": true}', ?at, ?at)",
    "proposals": "(?n, 'proposal-?n', 'named_body', ?tier, ?key,"
    " (SELECT id FROM named_entries LIMIT 1), 'TIDES', 1, '{\"body\": \"The tides.\"}', 'More.',"
    " 'loom', 'pending', '', ?at, NULL, 1)",
    "saved_filters": "(?n, 'filter-?n', ?tier, '', 'Sea ?n', 'sea ?n', 'sea', 'hybrid', 'newest',"
    " '{}', ?at)",
    "world_folders": "('folder-?n', 'Isles ?n', 'isles ?n', 'vault', '/isles', 'here',"
    ' \'{"ignore": [], "axes": {}, "folders": {}}\', 0, ?at, 1)',
    "derivations": "(?n, 0, 'block', 'block-?n', 'folder-1', 'Tides.md', 'Ebb', '',"
    " x'0000000000000000000000000000000?n', 'changed', x'', NULL)",
    "derivation_bases": "(x'0000000000000000000000000000000?n', 'The tide.')",
    "retcons": "('retcon-?n', 'folder-1', 'Tides.md', 'block-?n', 'changed',"
    " x'0000000000000000000000000000000?n', 'The flood.', ?at, 'open', NULL, '', '', 1)",
    "page_versions": "('version-?n', 'folder-1', 'Tides.md', x'0000000000000000000000000000000?n',"
    " 9, ?at, 'proposal-?n', x'789c03')",
    "facts": "(?n, 'tides/?n', 0.9, NULL, NULL)",
    "policies": "(?n, 'editor', 0)",
    "domains": "('domain-?n', 'Canon ?n', 'canon ?n', '', 0, 'Ada', 'person', ?at, NULL, 1)",
    "roles": "('editor-?n', ?at, 1)",
    "role_grants": "('editor-?n', 'domain-?n', 'read')",
    "agent_working_memory": "('loom', 'part-?n', 'The tide.', 2, ?at, 1)",
    "agent_working_memory_versions": "('loom', 'part-?n', 1, 'The ebb.', ?at)",
    "client_roles": "('loom', 'sea', 'editor-?n', 0)",
    "skills": "('skill-?n', 'tides-?n', 'Tides', 'Counts tides.', '[]', 'user', 2, 1, NULL, '{}',"
    " NULL, NULL, 'Ada', ?at, ?at, NULL, NULL, 1)",
    "skill_artifacts": "('skill-?n', 0, 'approach', 'SKILL.md', 'Count them.', '[]')",
    "skill_versions": "('skill-?n', 1, '{}', 'Ada', ?at)",
    "skill_execution_traces": "('trace-?n', 'tides-?n', 2, 0, 'run-?n', 'passed', '[]', '', '', 5,"
    " NULL, NULL, NULL, ?at)",
    "scheduled_activities": "('activity-?n', 'Digest ?n', 'digest ?n', 'What is new?',"
    " (SELECT id FROM channels LIMIT 1), 'world-agent', '{\"daily\": \"08:00\"}', 'UTC', 1, '{}',"
    " 'Ada', ?at, NULL, NULL, '', 0, 1)",
    "scrub_requests": "(?n, 'request-?n', 'loom', '', 'account', 'account', 'full',"
    " '0000000000000000000000000000000000000000000000000000000000000000', 1, ?at, ?at, 'expired',"
    " ?at, NULL, 1)",
}
"""Rows that only long work leaves behind; ``?n`` is 1 and 2."""


class FullWorld(NamedTuple):
    """The data root.

    Attributes:
        root: Where it is.
        workspace_id: Its only workspace.
    """

    root: Path
    workspace_id: str

    def path(self, kind: str) -> Path:
        """The file of the account or of the workspace."""
        if kind == "account":
            return self.root / "agents.db"
        return self.root / "workspaces" / self.workspace_id / "agents.db"


def make_full_world(root: Path) -> FullWorld:
    """Make it."""
    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        workspace_id = inklings.workspaces.create("Saltglass").id
        _fill(inklings, ScopeKey.account(), None)
        _fill(inklings, ScopeKey.workspace(workspace_id), workspace_id)
        _fill_rooms(inklings, workspace_id)
        _let_clients_in(inklings, workspace_id)
    world = FullWorld(root, workspace_id)
    for kind in FILES:
        tier, key = (kind, kind if kind == "account" else workspace_id)
        with raw(world.path(kind)) as connection:
            known = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
            for table, values in _BY_HAND.items():
                for number in ("1", "2") if table in known else ():
                    row = values.replace("?tier", f"'{tier}'").replace("?key", f"'{key}'")
                    row = row.replace("?n", number).replace("?at", str(AT))
                    connection.execute(f"INSERT INTO {table} VALUES {row}")  # noqa: S608 - constants
    return world


def _fill(inklings: Inklings, scope: ScopeKey, workspace_id: str | None) -> None:
    tier = scope.tier
    bad, _ = (
        inklings.memories.put(MemoryDraft(scope, text, tags=("sea",)))
        for text in ("Gulls keep accounts.", SOUND)
    )
    inklings.memories.update(bad.ref, MemoryPatch(content="Gulls keep count."), expected_version=1)
    inklings.drafts.keep_typing(
        MemoryTyping(scope, bad.id, 2, "Gulls", 0.5, bad.lifetime, ("sea",), bad.created_at)
    )
    entries = [
        inklings.entries.create(tier, workspace_id, name, "The tide.")
        for name in ("TIDES", "WINDS")
    ]
    for one in entries:
        inklings.drafts.keep(one.ref, "The tide turns.", 1)
    inklings.golden.save(scope, "Who counts?", must=(bad.id,))
    inklings.golden.save(scope, "Who keeps accounts?", must=(bad.id,))
    inklings.golden.ask(workspace_id)


def _fill_rooms(inklings: Inklings, workspace_id: str) -> None:
    channel = inklings.channels.create(workspace_id, "harbour")
    talks = [
        inklings.conversations.start(workspace_id, channel=channel.id, title=title)
        for title in ("Ebb", "Flood")
    ]
    for talk in talks:
        scope = ScopeKey.conversation(workspace_id, talk.id)
        inklings.memories.put(MemoryDraft(scope, f"Of {talk.title}."))
    inklings.memories.put(MemoryDraft(ScopeKey.channel(workspace_id, channel.id), "Ships."))


def _let_clients_in(inklings: Inklings, workspace_id: str) -> None:
    rights = [Right(Tier.WORKSPACE, workspace_id, one) for one in (Action.READ, Action.WRITE)]
    for name in CLIENTS:
        inklings.clients.grant(name, rights)
