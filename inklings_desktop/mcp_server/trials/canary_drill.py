"""The canary drill: plant, ask by every door as the client, report; every use case that reads."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec

from inklings_desktop.domain.access.canary import Allowed, DrillDoor, DrillReport
from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.entries.named_entry import EntryRef
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, MemoryState
from inklings_desktop.domain.memories.text_replacement import ReplacementWish
from inklings_desktop.domain.memory import MemoryDraft, MemoryRef, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.domain.world.finding import WorldQuery
from inklings_desktop.mcp_server.trials.canary_planting import NOTE_KEY, SOUGHT, plant
from inklings_desktop.mcp_server.trials.canary_protocol import (
    Answer,
    Asking,
    ProtocolQuestions,
    Question,
    server_of,
)
from inklings_desktop.mcp_server.trials.rehearsal import scratch_folder
from inklings_desktop.usecases.knowledge.values import FactQuery, FactSearch
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.scrubbing.scrub_asking import ScrubPlace
from inklings_desktop.usecases.search.read_memories import SHORT_ID
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.transfer.exporting import ExportRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.access.clients import Client
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress

    Opener = Callable[[Path, str | None], AbstractContextManager[Inklings]]
    """Opens a data root; a workspace id binds it, as a server is bound."""
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inklings_desktop.domain.access.canary import Canary
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.mcp_server.trials.canary_planting import Planted, PlantedWorld
    from inklings_desktop.usecases.bundle import Inklings

P = ParamSpec("P")

MANY = 100
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_MEMORY_LIMIT = 1_000
_RATES = DecayConfig()


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
        inklings: The drill's data root, as the author asks it.
        mine: The same as the client asks it.
        planted: What lies there.
        folder: Where an export may be written.
    """

    inklings: Inklings
    mine: Inklings
    planted: Planted
    folder: Path

    def __iter__(self) -> Iterator[Question]:
        for world in (self.planted.home, self.planted.elsewhere):
            yield from self._of_world(world)
            yield from self._of_rooms(world)
            for scope in world.scopes:
                yield from self._of_scope(scope)
        yield from self._of_scope(ScopeKey.account())
        for ref, memory in self.planted.memories:
            yield from self._of_memory(ref, memory)
        for entry, canary in self.planted.entries:
            yield from self._of_entry(entry, canary)
        for proposal in self.planted.proposals:
            yield self._plain("show_proposal", self.mine.proposals.show, proposal)
        yield from self._of_the_author()

    def _plain(
        self, name: str, verb: Callable[P, object], *args: P.args, **kwargs: P.kwargs
    ) -> Question:
        """One question by the name of its use case."""
        return Question(name, lambda _key: answered(verb, *args, **kwargs))

    def _keyed(
        self, name: str, verb: Callable[[str], object], key: str, canary: Canary
    ) -> Question:
        """One question for a key, by the name of its use case; the marker behind it is this."""
        return Question(name, lambda one: answered(verb, one), key, canary)

    def _of_world(self, world: PlantedWorld) -> Iterator[Question]:
        mine = self.mine
        yield self._plain("list_workspaces", mine.places.workspaces)
        for key in (world.id, world.workspace.name):
            yield self._keyed("find_workspace", mine.workspaces.find, key, world.canary)
        yield self._plain("list_channels", mine.places.channels, world.id, include_archived=True)
        yield self._plain(
            "list_open_channels", mine.places.open_channels, world.id, include_archived=True
        )
        yield self._plain(
            "list_conversations", mine.places.conversations, world.id, include_archived=True
        )
        yield self._plain("list_silent_conversations", mine.conversations.list_silent, world.id)
        yield self._plain("count_memories", mine.listing.count, world.id)
        yield self._plain("list_entries", mine.entries.list, world.id)
        yield self._plain("standing_slice", mine.entries.standing_slice, world.id)
        yield self._plain("list_proposals", mine.proposals.list, world.id)
        for query in (SOUGHT, "after:2000"):
            yield self._plain("search_open", mine.search.find_open, world.id, query, limit=MANY)
        yield self._plain("recent_changes", mine.search.recent_changes, world.id, _LONG_AGO)
        for request in (
            OrientationRequest(world.id, None, SOUGHT, 200_000),
            OrientationRequest(world.id, None, "", 200_000, frozenset(Tier)),
        ):
            yield self._plain("orient", mine.orientation.orient, request)
            yield self._plain("preview_orientation", mine.orientation.preview, request)

    def _of_rooms(self, world: PlantedWorld) -> Iterator[Question]:
        mine = self.mine
        for channel in world.channels:
            get_channel = partial(mine.channels.get, world.id)
            yield self._keyed("get_channel", get_channel, channel.id, channel.canary)
            yield self._plain(
                "list_conversations", mine.places.conversations, world.id, channel=channel.id
            )
        by_key: tuple[tuple[str, Callable[[str, str], object]], ...] = (
            ("get_conversation", mine.conversations.get),
            ("hear_conversation", mine.conversations.hear),
            ("proposed_summary", mine.conversations.proposed_summary),
            ("list_messages", mine.messages.list),
        )
        for room in world.conversations:
            for key in room.canary.traces[1:]:
                for name, verb in by_key:
                    yield self._keyed(name, partial(verb, world.id), key, room.canary)
                read_note = partial(mine.notes.read, world.id, key=NOTE_KEY)
                yield self._keyed("read_note", read_note, key, room.canary)
                yield self._plain("get_message", mine.messages.get, world.id, key, "none")
                yield self._plain("list_days", mine.messages.days, world.id, key)
                yield self._plain("list_allowances", mine.messages.allowances, world.id, key)
                request = OrientationRequest(world.id, key, SOUGHT, 200_000)
                yield self._plain("orient", mine.orientation.orient, request)
                yield self._plain("preview_orientation", mine.orientation.preview, request)
            yield self._plain(
                "list_notes", mine.notes.list, [ScopeKey.conversation(world.id, room.id)]
            )

    def _of_scope(self, scope: ScopeKey) -> Iterator[Question]:
        mine = self.mine
        for mode in SearchMode:
            found = SearchRequest(SOUGHT, mode, _MEMORY_LIMIT)
            yield self._plain("search_memories", mine.search.find, [scope], found)
            yield self._plain("search_set_aside", mine.search.find_set_aside, [scope], found)
            for query in (SOUGHT, ""):
                yield self._plain(
                    "read_memories", mine.search.read, scope, query=query, mode=mode, limit=MANY
                )
        for sort in MemorySort:
            for state in MemoryState:
                where = MemoryFilter(state=state)
                yield self._plain(
                    "browse_memories", mine.listing.browse, [scope], where=where, sort=sort
                )
        yield self._plain("list_facets", mine.listing.facets, [scope])
        yield self._plain("list_likely_duplicates", mine.search.likely_duplicates, [scope])
        yield self._plain("preview_consolidation", mine.consolidation.preview, scope)
        yield self._plain("list_exports", mine.transfer.list_exports, scope)
        yield self._plain("find_known", mine.memories.find_known, MemoryDraft(scope, SOUGHT))
        for scrub in ScrubMode:
            yield self._plain("preview_scrub", mine.scrub.preview, scope, scrub)
            if scope.workspace_id is not None:
                has_room = scope.tier in {Tier.CHANNEL, Tier.CONVERSATION}
                room = scope.key if has_room else None
                place = ScrubPlace(scope.workspace_id, scope.tier, room)
                yield self._plain("count_scrub", mine.scrub.count, place, scrub)

    def _of_memory(self, ref: MemoryRef, canary: Canary) -> Iterator[Question]:
        mine, scope = self.mine, ref.scope
        request = SearchRequest(SOUGHT, limit=1)

        by_key: tuple[tuple[str, Callable[[str], Answer]], ...] = (
            ("show_memory", lambda key: answered(mine.listing.show, MemoryRef(scope, key))),
            ("get_memories", lambda key: answered(mine.search.get, self.planted.home.id, [key])),
            (
                "explain_missing",
                lambda key: answered(mine.search.explain_missing, [scope], request, key),
            ),
            ("past_versions", lambda key: answered(mine.past.versions, self.planted.home.id, key)),
            ("show_fact", lambda key: answered(mine.facts.show, MemoryRef(scope, key))),
            ("fact_chain", lambda key: answered(mine.facts.chain, MemoryRef(scope, key))),
            ("show_policy", lambda key: answered(mine.policies.show, MemoryRef(scope, key))),
            ("locate_memory", lambda key: answered(mine.listing.locate, key, scope.workspace_id)),
        )
        for name, ask in by_key:
            yield Question(name, ask, ref.id, canary)
        name_memory = partial(mine.search.name, scope)
        yield self._keyed("name_memory", name_memory, ref.id[:SHORT_ID], canary)
        yield self._plain("show_lineage", mine.consolidation.lineage, ref)
        yield self._plain("find_typing", mine.drafts.find_typing, ref)
        yield self._plain("show_family", mine.consolidation.family, ref)
        yield self._plain("show_memories", mine.listing.show_all, [ref])
        yield self._plain(
            "preview_replacement",
            mine.memories.preview_replacement,
            [ref],
            ReplacementWish("canary", "gull"),
        )

    def _of_entry(self, entry: NamedEntry, canary: Canary) -> Iterator[Question]:
        mine, tier = self.mine, entry.tier
        place = entry.workspace_id or self.planted.home.id

        by_key: tuple[tuple[str, Callable[[str], Answer], str], ...] = (
            (
                "show_entry",
                lambda key: answered(mine.entries.show, EntryRef(tier, entry.workspace_id, key)),
                entry.id,
            ),
            ("find_entry", lambda key: answered(mine.entries.find, place, key, tier), entry.name),
        )
        for name, ask, wanted in by_key:
            yield Question(name, ask, wanted, canary)
        for number in (1, 2):
            yield self._plain("show_revision", mine.entries.show_revision, entry.ref, number)

    def _of_the_author(self) -> Iterator[Question]:
        """What is the author's alone, asked for all the same."""
        planted, mine = self.planted, self.mine
        of_a_file: tuple[tuple[str, Callable[[str | None], object]], ...] = (
            ("list_events", mine.log.list),
            ("event_facets", mine.log.facets),
            ("list_deleted_entries", mine.entries.list_deleted),
            ("find_drafts", mine.drafts.find),
            ("find_typings", mine.drafts.find_typings),
            ("list_imports", mine.transfer.list_imports),
            ("list_golden_questions", mine.golden.list),
            ("ask_golden_questions", mine.golden.ask),
            ("watch_golden_questions", mine.golden.watch),
            ("list_runs", mine.consolidation.list_runs),
            ("list_consolidations", mine.consolidation.list),
            ("look_at_tasks", mine.tasks.look),
            ("list_backups", mine.keeping.list_backups),
            ("examine_place", mine.keeping.examine_place),
            ("stamp_place", mine.keeping.stamp_place),
        )
        for file in (planted.home.id, planted.elsewhere.id, None):
            for name, ask in of_a_file:
                yield self._plain(name, ask, file)
            yield self._plain("compare_backup", mine.keeping.compare_backup, "none")
            yield self._plain("show_event", mine.log.show, file, 1)
            events = self.inklings.log.list(file)
            yield self._plain("describe_events", mine.log.describe, file, events)
            yield self._plain("show_run", mine.consolidation.show_run, file, "none")
            yield self._plain("find_run", mine.consolidation.find_run, "none", file)
            yield self._plain("find_written", mine.memories.find_written, "weaver", file)
            yield self._export("export_readable", mine.keeping.export_readable, file)
        of_a_workspace: tuple[tuple[str, Callable[[str], object]], ...] = (
            ("tier_overview", mine.search.tiers),
            ("worth_a_look", mine.search.worth_a_look),
            ("list_saved_filters", mine.search.filters),
            ("talk_heads", mine.messages.heads),
            ("preview_workspace_deletion", mine.workspaces.preview_deletion),
            ("when_to_look", mine.world.when_to_look),
            ("linked_folders", mine.world.folders),
            ("world_outline", mine.world.outline),
            ("world_changes", mine.world.changes),
            ("active_page", mine.world.active_page),
            ("list_retcons", mine.derivations.retcons),
            ("contradictions", mine.derivations.contradictions),
            ("list_domains", mine.domains.list),
            ("list_roles", mine.domains.roles),
            ("show_grants", mine.domains.matrix),
            ("list_disagreements", mine.facts.disagreements),
            ("list_policies", mine.policies.list),
            ("read_working_memory", mine.working_memories.read),
            ("keeps_working_memory", mine.working_memories.keeps),
            ("list_working_memories", mine.working_memories.list),
            ("past_events", mine.past.events),
            ("list_activities", mine.activities.list),
            ("list_skills", mine.skills.list),
            ("count_skill_runs", mine.skill_runs.uses),
            ("look_at_activities", mine.activities.due),
        )
        for world in (planted.home, planted.elsewhere):
            for name, ask_of in of_a_workspace:
                yield self._plain(name, ask_of, world.id)
            yield self._plain("rehearse_golden_questions", mine.golden.rehearse, world.id, _RATES)
            every = FactQuery(with_superseded=True)
            yield self._plain("list_facts", mine.facts.list, world.id, every)
            asked = FactSearch(SOUGHT, history=True)
            yield self._plain("search_facts", mine.facts.search, world.id, asked)
            yield self._plain("world_search", mine.world.search, world.id, WorldQuery(SOUGHT))
            of_page = partial(mine.world.page, world.id)
            yield self._keyed("world_page", of_page, world.page.id, world.page.canary)
            for name, ask_one in (
                ("show_retcon", mine.derivations.retcon),
                ("derived_counts", mine.derivations.counts),
                ("derived_from_page", mine.derivations.from_page),
                ("source_standing", mine.derivations.standing),
                ("page_versions", mine.page_proposals.versions),
                ("show_activity", mine.activities.get),
                ("list_activity_runs", mine.activities.runs),
            ):
                yield self._plain(name, ask_one, world.id, "none")
            yield self._plain("rehearse_rates", mine.orientation.rehearse_rates, world.id, _RATES)
            yield self._export("export_markdown", mine.transfer.export_markdown, world.id)
            for request in (
                ExportRequest(scopes=world.scopes[:1]),
                ExportRequest(workspaces=(world.id,)),
                ExportRequest(),
            ):
                yield self._export("export_memory", mine.transfer.export, request)
        of_all: tuple[tuple[str, Callable[[], object]], ...] = (
            ("survey_workspaces", mine.workspaces.survey),
            ("list_clients", mine.clients.list),
            ("list_scrub_requests", mine.scrub.requests),
            ("pending_scrubs", mine.scrub.pending),
            ("verify_logs", mine.log.verify),
            ("find_lost_writes", mine.log.find_lost_writes),
            ("check_data", mine.keeping.check_data),
            ("show_models", mine.models.show),
        )
        for name, ask_all in of_all:
            yield self._plain(name, ask_all)
        yield self._plain("show_client", mine.clients.show, mine.caller.name)
        yield self._plain(
            "describe_connection",
            mine.clients.describe_connection,
            mine.caller.name,
            planted.home.id,
            ClientProgram.GENERIC,
        )
        yield self._plain("show_client_token", mine.clients.show_token, mine.caller.name)
        yield self._plain("view_as", mine.view_as, mine.caller.name, planted.home.id)

    def _export(self, name: str, verb: Callable[[Any, Path], object], what: Any) -> Question:
        path = self.folder / "asked-for"

        def ask(_key: str) -> Answer:
            answer = answered(verb, what, path)
            written = path.read_text("utf-8") if path.is_file() else ""
            path.unlink(missing_ok=True)
            return Answer(answer.text + written, answer.is_refused)

        return Question(name, ask)


def drill(opener: Opener, client: Client, workspace_id: str, progress: Progress) -> DrillReport:
    """What came of a drill in a folder of its own, which is gone afterwards.

    Raises:
        StoppedError: The person stopped it.
        StorageError: There is no room for a store.
    """
    with scratch_folder("inklings-drill-") as folder:
        rights = client.rights_in(workspace_id) | client.rights_in(None)
        allowed = Allowed(client.kind, rights)
        root = folder / "data"
        progress.report("plant", 0, 0)
        with opener(root, None) as inklings:
            planted = plant(inklings, client, workspace_id, progress)
            for file in (planted.home.id, planted.elsewhere.id, None):
                inklings.tasks.backfill(file)
                progress.require_wanted()
            has_meaning = inklings.embedder.is_available
        canaries = planted.canaries
        with opener(root, planted.home.id) as inklings, ExitStack() as closing:
            caller = inklings.clients.admit(client.name, planted.home.id)
            inside = Asking(DrillDoor.USE_CASES, allowed, canaries, progress)
            mine = inklings.as_caller(caller)
            questions: list[tuple[Asking, Question]] = [
                (inside, one) for one in UseCaseQuestions(inklings, mine, planted, folder)
            ]
            outside = Asking(DrillDoor.PROTOCOL, allowed, canaries, progress)
            asked = ProtocolQuestions(partial(server_of, inklings, client.name), planted)
            closing.callback(asked.close)
            questions += [(outside, one) for one in asked]
            _put(questions, progress)
        heard = inside.heard | outside.heard
        return DrillReport(
            client.name,
            tuple(canaries),
            sum(allowed.may_hear(one) for one in canaries),
            (*inside.results(), *outside.results()),
            tuple(one for one in canaries if allowed.has_to_hear(one) and one not in heard),
            has_meaning,
        )


def _put(questions: Iterable[tuple[Asking, Question]], progress: Progress) -> None:
    every = list(questions)
    for number, (asking, question) in enumerate(every):
        progress.report(question.path, number, len(every))
        asking.put(question)
    progress.report("done", len(every), len(every))
