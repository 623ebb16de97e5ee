"""Every use case that reads, asked as one client: in its own workspace and in another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ParamSpec

from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.entries.named_entry import EntryRef
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, MemoryState
from inklings_desktop.domain.memories.text_replacement import ReplacementWish
from inklings_desktop.domain.memory import MemoryRef, ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.mcp_server.canary_planting import NOTE_KEY, SOUGHT
from inklings_desktop.mcp_server.canary_questions import Answer, Question
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.scrubbing.scrub_asking import ScrubPlace
from inklings_desktop.usecases.search.get_memories import SHORT_ID
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.transfer.exporting import ExportRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.access.canary import Canary
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.mcp_server.canary_planting import Planted, PlantedWorld
    from inklings_desktop.usecases.bundle import Inklings

P = ParamSpec("P")

MANY = 100
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_MEMORY_LIMIT = 1_000


def answered(verb: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> Answer:
    """What a use case answers, or why it does not, as text that can be searched."""
    try:
        return Answer(repr(verb(*args, **kwargs)))
    except InklingsError as error:
        return Answer(repr(error), is_refused=True)


@dataclass(frozen=True, slots=True)
class UseCaseQuestions:
    """The questions of one client.

    Attributes:
        inklings: The drill's data root.
        caller: The client.
        planted: What lies there.
        folder: Where an export may be written.
    """

    inklings: Inklings
    caller: Caller
    planted: Planted
    folder: Path

    def __iter__(self) -> Iterator[Question]:
        """Every question, the plain ones first."""
        for world in (self.planted.home, self.planted.elsewhere):
            yield from self._of_world(world)
            yield from self._of_rooms(world)
            for scope in world.scopes:
                yield from self._of_scope(scope)
        yield from self._of_scope(ScopeKey.account())
        yield from self._of_memories()
        yield from self._of_entries()
        yield from self._of_the_author()

    def _plain(self, name: str, *args: Any, **kwargs: Any) -> Question:
        """One question by the name of its use case."""
        verb = getattr(self.inklings, name)
        return Question(name, lambda _key: answered(verb, self.caller, *args, **kwargs))

    def _of_world(self, world: PlantedWorld) -> Iterator[Question]:
        inklings, me = self.inklings, self.caller
        yield self._plain("list_workspaces")
        for key in (world.id, world.workspace.name):
            yield Question(
                "find_workspace",
                lambda key: answered(inklings.find_workspace, me, key),
                key,
                world.canary,
            )
        yield self._plain("list_channels", world.id, include_archived=True)
        yield self._plain("list_open_channels", world.id, include_archived=True)
        yield self._plain("list_conversations", world.id, include_archived=True)
        yield self._plain("list_silent_conversations", world.id)
        for name in ("count_memories", "list_entries", "standing_slice", "list_proposals"):
            yield self._plain(name, world.id)
        for query in (SOUGHT, "after:2000"):
            yield self._plain("search_open", world.id, query, limit=MANY)
        yield self._plain("recent_changes", world.id, _LONG_AGO)
        for request in (
            OrientationRequest(world.id, None, SOUGHT, 200_000),
            OrientationRequest(world.id, None, "", 200_000, frozenset(Tier)),
        ):
            yield self._plain("orient", request)
            yield self._plain("preview_orientation", request)

    def _of_rooms(self, world: PlantedWorld) -> Iterator[Question]:
        inklings, me = self.inklings, self.caller
        for channel in world.channels:
            yield Question(
                "get_channel",
                lambda key: answered(inklings.get_channel, me, world.id, key),
                channel.id,
                channel.canary,
            )
            yield self._plain("list_conversations", world.id, channel=channel.id)
        for room in world.conversations:
            for key in room.canary.traces[1:]:
                yield Question(
                    "get_conversation",
                    lambda key: answered(inklings.get_conversation, me, world.id, key),
                    key,
                    room.canary,
                )
                yield Question(
                    "hear_conversation",
                    lambda key: answered(inklings.hear_conversation, me, world.id, key),
                    key,
                    room.canary,
                )
                yield Question(
                    "read_note",
                    lambda key: answered(inklings.read_note, me, world.id, key, NOTE_KEY),
                    key,
                    room.canary,
                )
                request = OrientationRequest(world.id, key, SOUGHT, 200_000)
                yield self._plain("orient", request)
                yield self._plain("preview_orientation", request)
            yield self._plain("list_notes", [ScopeKey.conversation(world.id, room.id)])

    def _of_scope(self, scope: ScopeKey) -> Iterator[Question]:
        for mode in SearchMode:
            found = SearchRequest(SOUGHT, mode, _MEMORY_LIMIT)
            yield self._plain("search_memories", [scope], found)
            yield self._plain("search_set_aside", [scope], found)
            for query in (SOUGHT, ""):
                yield self._plain("read_memories", scope, query=query, mode=mode, limit=MANY)
        for sort in MemorySort:
            for state in MemoryState:
                where = MemoryFilter(state=state)
                yield self._plain("browse_memories", [scope], where=where, sort=sort)
        yield self._plain("list_facets", [scope])
        yield self._plain("list_likely_duplicates", [scope])
        yield self._plain("preview_consolidation", scope)
        yield self._plain("list_exports", scope)
        for scrub in ScrubMode:
            yield self._plain("preview_scrub", scope, scrub)
            if scope.workspace_id is not None:
                has_room = scope.tier in {Tier.CHANNEL, Tier.CONVERSATION}
                room = scope.key if has_room else None
                place = ScrubPlace(scope.workspace_id, scope.tier, room)
                yield self._plain("count_scrub", place, scrub)

    def _of_memories(self) -> Iterator[Question]:
        for ref, canary in self.planted.memories:
            yield from self._of_memory(ref, canary)

    def _of_memory(self, ref: MemoryRef, canary: Canary) -> Iterator[Question]:
        inklings, me, scope = self.inklings, self.caller, ref.scope
        request = SearchRequest(SOUGHT, limit=1)

        def shown(key: str) -> Answer:
            return answered(inklings.show_memory, me, MemoryRef(scope, key))

        def missed(key: str) -> Answer:
            return answered(inklings.explain_missing, me, [scope], request, key)

        def located(key: str) -> Answer:
            return answered(inklings.locate_memory, me, key, scope.workspace_id)

        def gotten(key: str) -> Answer:
            return answered(inklings.get_memories, me, self.planted.home.id, [key])

        def named(key: str) -> Answer:
            return answered(inklings.name_memory, me, scope, key)

        yield Question("show_memory", shown, ref.id, canary)
        yield Question("get_memories", gotten, ref.id, canary)
        yield Question("name_memory", named, ref.id[:SHORT_ID], canary)
        yield Question("explain_missing", missed, ref.id, canary)
        yield Question("locate_memory", located, ref.id, canary)
        yield self._plain("show_lineage", ref)
        yield self._plain("show_family", ref)
        yield self._plain("show_memories", [ref])
        yield self._plain("preview_replacement", [ref], ReplacementWish("canary", "gull"))

    def _of_entries(self) -> Iterator[Question]:
        for entry, canary in self.planted.entries:
            yield from self._of_entry(entry, canary)
        for proposal in self.planted.proposals:
            yield self._plain("show_proposal", proposal)

    def _of_entry(self, entry: NamedEntry, canary: Canary) -> Iterator[Question]:
        inklings, me, tier = self.inklings, self.caller, entry.tier
        place = entry.workspace_id or self.planted.home.id

        def shown(key: str) -> Answer:
            return answered(inklings.show_entry, me, EntryRef(tier, entry.workspace_id, key))

        def found(key: str) -> Answer:
            return answered(inklings.find_entry, me, place, key, tier)

        yield Question("show_entry", shown, entry.id, canary)
        yield Question("find_entry", found, entry.name, canary)
        for number in (1, 2):
            yield self._plain("show_revision", entry.ref, number)

    def _of_the_author(self) -> Iterator[Question]:
        """What is the author's alone, asked for all the same."""
        planted, inklings = self.planted, self.inklings
        for file in (planted.home.id, planted.elsewhere.id, None):
            for name in _OF_A_FILE:
                yield self._plain(name, file)
            yield self._plain("show_event", file, 1)
            events = inklings.list_events(inklings.caller, file)
            yield self._plain("describe_events", file, events)
            yield self._plain("show_run", file, "none")
            yield self._plain("find_run", "none", file)
            yield self._plain("find_written", "weaver", file)
            yield self._export("export_readable", file)
        for world in (planted.home, planted.elsewhere):
            for name in _OF_A_WORKSPACE:
                yield self._plain(name, world.id)
            yield self._export("export_markdown", world.id)
            for request in (
                ExportRequest(scopes=world.scopes[:1]),
                ExportRequest(workspaces=(world.id,)),
                ExportRequest(),
            ):
                yield self._export("export_memory", request)
        for name in _OF_ALL:
            yield self._plain(name)
        yield self._plain("show_client", self.caller.name)
        yield self._plain(
            "describe_connection", self.caller.name, planted.home.id, ClientProgram.GENERIC
        )
        yield self._plain("show_client_token", self.caller.name)
        yield self._plain("view_as", self.caller.name, planted.home.id)

    def _export(self, name: str, what: Any) -> Question:
        """A question whose answer is a file."""
        path = self.folder / "asked-for"

        def ask(_key: str) -> Answer:
            verb = getattr(self.inklings, name)
            answer = answered(verb, self.caller, what, path)
            written = path.read_text("utf-8") if path.is_file() else ""
            path.unlink(missing_ok=True)
            return Answer(answer.text + written, answer.is_refused)

        return Question(name, ask)


_OF_A_FILE = (
    "list_events",
    "event_facets",
    "list_deleted_entries",
    "find_drafts",
    "find_typings",
    "list_imports",
    "list_golden_questions",
    "ask_golden_questions",
    "watch_golden_questions",
    "list_runs",
    "list_consolidations",
    "look_at_tasks",
    "list_backups",
    "examine_place",
    "stamp_place",
)
_OF_A_WORKSPACE = (
    "tier_overview",
    "worth_a_look",
    "list_saved_filters",
    "preview_workspace_deletion",
)
_OF_ALL = (
    "survey_workspaces",
    "list_clients",
    "list_scrub_requests",
    "pending_scrubs",
    "verify_logs",
    "find_lost_writes",
    "check_data",
    "show_models",
)
