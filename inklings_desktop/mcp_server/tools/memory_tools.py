"""Tools for memories: read, list, put, update, forget, orient."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from inklings_desktop.domain.access.access import Action, KeptRequest
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, cursor_of, token_of
from inklings_desktop.domain.memory import (
    DEFAULT_IMPORTANCE,
    OWN_SOURCE,
    Curator,
    Derivation,
    Lifetime,
    MemoryDraft,
    MemoryPatch,
    MemoryRef,
    Tier,
)
from inklings_desktop.domain.rooms.orientation import DEFAULT_BUDGET_TOKENS, WHOLE, Part
from inklings_desktop.domain.search.explanation import NextStep
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.domain.world.derivations import NO_SOURCES
from inklings_desktop.mcp_server.session import (
    ClientSession,
    Repeatable,
    RequestFailedError,
    RequestKey,
    Tools,
)
from inklings_desktop.mcp_server.words.answers import (
    UNTRUSTED,
    UNTRUSTED_SHORT,
    hit_answer,
    memory_answer,
    orientation_answer,
    short_answer,
    written_answer,
)
from inklings_desktop.mcp_server.words.policy import TIERS, WRITING
from inklings_desktop.mcp_server.words.shapes import (
    Forgotten,
    Found,
    Gotten,
    Hit,
    Oriented,
    Outcomes,
    Page,
    Written,
)
from inklings_desktop.mcp_server.words.sizes import number_of
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.memories.values import Known
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.read_memories import (
    MAX_GOTTEN,
    MAX_READ,
    SHORT_ID,
    ReadMemory,
    ReadResult,
)
from inklings_desktop.usecases.search.search_open import OpenHits

TierName = Annotated[
    Literal["conversation", "channel", "workspace", "account"],
    Field(description="The level of memory; exactly one per call."),
]
Scope = Annotated[
    str | None,
    Field(
        description="Id or ref code of the conversation, or name or id of the channel."
        " Leave it out for the workspace and account tiers."
    ),
]
MemoryId = Annotated[str, Field(description="Id of the memory, or its first 8 characters.")]
LifetimeName = Literal["long_term", "short_term", "conversation"]
Detail = Annotated[
    Literal["compact", "full"],
    Field(description="full: every field, at five times the cost."),
]
FoundOnly = Annotated[bool, Field(description="Only what matches; nothing marked ~.")]
NextPage = Annotated[str, Field(description="The word next of the page before; else empty.")]
Check = Annotated[
    Literal["none", "derivable"] | None,
    Field(
        description="derivable: what a wider tier or a named entry already says is not stored,"
        " and answered with known."
    ),
]
Insist = Annotated[bool, Field(description="Ask the author where a page says it already.")]
Importance = Field(description="0 to 1.", json_schema_extra={"minimum": 0, "maximum": 1})
"""The bounds stand in the schema alone: our own sentence says what is wrong."""


class Patch(BaseModel):
    """What to change; what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    content: str | None = None
    importance: Annotated[float | None, Importance] = None
    lifetime: LifetimeName | None = None
    tags: list[str] | None = None


class NewMemory(BaseModel):
    """One of several memories to keep; its fields are the arguments of ``memory_put``."""

    model_config = ConfigDict(extra="forbid")

    tier: TierName
    content: str
    scope: str | None = None
    importance: Annotated[float, Importance] = DEFAULT_IMPORTANCE
    lifetime: LifetimeName | None = None
    tags: list[str] | None = None
    source: str = OWN_SOURCE[Curator.AGENT]
    conversation: str | None = None
    private: bool = False
    derived_from: list[str] | None = None
    replaces: str | None = None
    insist: bool = False


ROOMS = frozenset({Tier.CONVERSATION, Tier.CHANNEL})
MAX_PUT = 50
"""Memories put in one call; each counts as one write."""
STORED, FAILED, KNOWN = "stored", "failed", "known"
BY_WORDS_ALONE = "Found by words alone: the model that compares meaning is not ready."
NOTHING_MATCHED = "Nothing matches."
FILLERS = "A line with ~ does not match; it is only the nearest, and does not count as read."
_NEXT_STEPS = {
    NextStep.OTHER_WORDS: "other words",
    NextStep.WIDER_PLACE: "memory_search for every tier",
    NextStep.FEWER_FILTERS: "fewer operators",
}


def limit_field(what: str) -> Any:
    """A limit of memories; the bounds stand in the schema alone."""
    return Field(description=what, json_schema_extra={"minimum": 1, "maximum": MAX_READ})


class MemoryTools(Tools):
    """Memories of one tier."""

    def memory_read(  # noqa: PLR0917 - the arguments are the interface
        self,
        tier: TierName,
        scope: Scope = None,
        query: Annotated[
            str,
            Field(
                description="What to look for, at most 2,000 characters; empty: what matters most."
            ),
        ] = "",
        limit: Annotated[int, limit_field("Most hits wanted.")] = 10,
        mode: Annotated[
            Literal["hybrid", "keyword"], Field(description="By words and meaning, or words alone.")
        ] = "hybrid",
        found_only: FoundOnly = False,  # noqa: FBT002 - the arguments are the interface
        next: NextPage = "",  # noqa: A002 - likewise
        detail: Detail = "compact",
    ) -> Found:
        """Find memories of one tier and scope, best first. Each match counts as read.

        Use it when a question is about something decided before; not for what the orientation of
        this turn has told you. matched: false means that nothing was found.
        """

        def read(mine: Inklings) -> tuple[Found, int]:
            if not 1 <= limit <= MAX_READ:
                raise InvalidValueError("limit", "range", MAX_READ)
            where = self._session.scope(mine, Tier(tier), scope)
            hits: list[Hit] = []

            def fitting(read: Sequence[ReadMemory]) -> int:
                hits[:] = self._session.told(mine.caller, read, in_full=detail == "full")
                return len(hits)

            found = mine.search.read(
                where,
                query=query,
                mode=self._session.mode(SearchMode(mode)),
                limit=limit,
                found_only=found_only,
                n_before=number_of(next),
                fitting=fitting,
            )
            answer: Found = {
                "mode": found.mode.value,
                "note": UNTRUSTED if detail == "full" else UNTRUSTED_SHORT,
                "hits": hits,
            }
            if found.n_next is not None:
                answer["next"] = str(found.n_next)
            by_words = bool(query.strip()) and found.mode.value != mode
            tell_misses(answer, found, by_words=by_words)
            return answer, len(hits)

        return self._session.call("memory_read", read, tier=Tier(tier))

    def memory_list(
        self,
        tier: TierName,
        scope: Scope = None,
        tags: Annotated[
            list[str] | None, Field(description="Only with at least one of these.")
        ] = None,
        limit: Annotated[int, limit_field("Most memories on a page.")] = 20,
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
        detail: Detail = "compact",
    ) -> Page:
        """List every memory of one tier and scope, newest first.

        Use it to look through or tidy up; to answer a question, use memory_read. Nothing counts as
        read.
        """

        def listed(mine: Inklings) -> tuple[Page, int]:
            if not 1 <= limit <= MAX_READ:
                raise InvalidValueError("limit", "range", MAX_READ)
            where = self._session.scope(mine, Tier(tier), scope)
            browse = partial(
                mine.listing.browse,
                [where],
                where=MemoryFilter(tags=frozenset(tags or ())),
                sort=MemorySort.NEWEST,
                after=cursor_of(next, MemorySort.NEWEST) if next else None,
            )
            page, now, room = (
                browse(limit=limit),
                self._session.inklings.clock(),
                self._session.room,
            )
            is_full = detail == "full"
            told_of = mine.derivations.told_of(page.entries)
            every = [
                memory_answer(mine.caller, one, sources)
                if is_full
                else short_answer(mine.caller, one, now, sources)
                for one in page.entries
                for sources in [told_of.get(one.id, NO_SOURCES)]
            ]
            told = room.fitting([room.shortened(one) for one in every])
            if len(told) < len(every):
                page = browse(limit=len(told))
            answer: Page = {
                "note": UNTRUSTED if is_full else UNTRUSTED_SHORT,
                "memories": told,
                "next": token_of(page.next, MemorySort.NEWEST) if page.next else None,
            }
            return answer, len(page.entries)

        return self._session.call("memory_list", listed, tier=Tier(tier))

    def memory_get(
        self,
        ids: Annotated[
            list[str],
            Field(
                description="Ids, or their first 8 characters.",
                json_schema_extra={"minItems": 1, "maxItems": MAX_GOTTEN},
            ),
        ],
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
    ) -> Gotten:
        """Get memories by id from any tier, with all their fields and their whole text.

        Use it for ids that an answer or the author gave; not to search.
        """

        def got(mine: Inklings) -> tuple[Gotten, int]:
            first, begin = (number_of(one) for one in (next or "0.0").partition(".")[::2])
            if next and first >= len(ids):
                raise InvalidValueError("page", "unknown")
            answer: Gotten = {"note": UNTRUSTED, "memories": []}

            def hand_over(found: Sequence[ReadMemory]) -> Sequence[ReadMemory]:
                """Tell what there is room for; a text that goes on was counted as read before."""
                hits = [hit_answer(mine.caller, one) for one in found]
                answer["memories"], ahead = self._session.room.whole(hits, begin)
                there = [one.entry.id for one in found]
                if ahead is not None:
                    number = _place_of(there[ahead[0]], ids)
                    answer["next"] = f"{number}.{ahead[1]}"
                if missing := [one for one in ids[first:] if _place_of(one, there) is None]:
                    answer["missing"] = missing
                return found[1 if begin else 0 : len(answer["memories"])]

            mine.search.get(self._session.workspace_id, ids[first:], hand_over)
            return answer, len(answer["memories"])

        return self._session.call("memory_get", got)

    def memory_put(  # noqa: PLR0913 - the arguments are the interface
        self,
        *,
        tier: Annotated[TierName, Field(description=TIERS)],
        content: Annotated[
            str, Field(description="One short statement, at most 64 KiB. " + WRITING)
        ],
        scope: Scope = None,
        importance: Annotated[float, Importance] = DEFAULT_IMPORTANCE,
        lifetime: Annotated[
            LifetimeName | None,
            Field(
                description="Leave it out for the usual one: long_term in the workspace and"
                " account tiers, short_term in channels."
            ),
        ] = None,
        tags: Annotated[list[str] | None, Field(description="At most 32 short words.")] = None,
        source: Annotated[
            str, Field(description="Which part of the agent wrote it, such as researcher.")
        ] = OWN_SOURCE[Curator.AGENT],
        conversation: Annotated[
            str | None, Field(description="Id or ref code of the conversation it comes from.")
        ] = None,
        private: Annotated[bool, Field(description="For this client alone.")] = False,
        derived_from: Annotated[
            list[str] | None,
            Field(description="Pages it rests on: title, path#heading or block id."),
        ] = None,
        replaces: Annotated[
            str | None,
            Field(
                description="Id of a memory of this tier and scope that is no longer true; it is"
                " forgotten."
            ),
        ] = None,
        check: Check = None,
        insist: Insist = False,
        request_key: RequestKey = None,
        detail: Detail = "compact",
    ) -> Written:
        """Remember something new; a duplicate is confirmed, not stored twice.

        Use it when something was decided that must outlast this exchange; not for what the
        author's pages say. The author decides about keys and passwords, the account tier, and
        replacing what they wrote.
        """
        arguments = {
            "tier": tier, "content": content, "scope": scope, "importance": importance,
            "lifetime": lifetime, "tags": tags, "source": source, "conversation": conversation,
            "private": private, "derived_from": derived_from, "replaces": replaces, "check": check,
            "insist": insist,
        }  # fmt: skip

        def put(mine: Inklings) -> tuple[Written, int]:
            where = self._session.scope(mine, Tier(tier), scope, Action.WRITE)
            spoken_in = None
            if conversation:
                room = mine.conversations.hear(self._session.workspace_id, conversation)
                spoken_in = room.id
            elif where.tier is Tier.CONVERSATION:
                spoken_in = where.key
            draft = MemoryDraft(
                scope=where,
                content=content,
                importance=importance,
                lifetime=None if lifetime is None else Lifetime(lifetime),
                source=source,
                tags=tuple(tags or ()),
                source_conversation=spoken_in,
                derived_from=tuple(Derivation(one) for one in derived_from or ()),
                private_to=mine.caller.name if private else None,
            )
            gone = replaces and mine.search.name(where, replaces).id
            checks = check == "derivable" or (check is None and mine.caller.is_own)
            if checks and not gone and (known := mine.memories.find_known(draft)) is not None:
                return known_answer(mine, known, in_full=detail == "full"), 1
            outcome = mine.memories.put_outcome(draft, replaces=gone, insists=insist)
            answer: Written = {
                "status": KNOWN if checks and outcome.was_known else STORED,
                "memory": written_answer(mine, outcome.memory, in_full=detail == "full"),
            }
            if outcome.was_known:
                answer["already_known"] = True
            if outcome.replaced is not None:
                answer["replaced"] = outcome.replaced.id
            return answer, 1

        # What was held, or was known, is put again: that makes no second one.
        again = written_again(
            self._session,
            EventKind.MEMORY_CREATED,
            Tier(tier),
            scope,
            STORED,
            in_full=detail == "full",
        )
        return self._write("memory_put", put, Tier(tier), Repeatable(request_key, arguments, again))

    def memory_put_many(
        self,
        memories: Annotated[
            list[NewMemory],
            Field(
                description="Each with the fields of memory_put.",
                min_length=1,
                max_length=MAX_PUT,
            ),
        ],
        check: Check = None,
        request_key: RequestKey = None,
    ) -> Outcomes:
        """Remember several things; each has its own outcome, in the same order.

        Use it at the end of a piece of work for what was decided; not to copy pages, or to repeat
        what was stored or held.
        """
        outcomes: list[Written] = []
        for number, one in enumerate(memories):
            key = request_key and f"{request_key}:{number}"
            try:
                outcomes.append(self.memory_put(**one.model_dump(), check=check, request_key=key))
            except RequestFailedError as failed:
                outcomes.append({"status": FAILED, "message": str(failed)})
        if all(one["status"] == FAILED for one in outcomes):
            said = " ".join(dict.fromkeys(one["message"] for one in outcomes))
            raise RequestFailedError(said, "failed")
        return {"outcomes": outcomes}

    def memory_update(  # noqa: PLR0917 - the arguments are the interface
        self,
        tier: TierName,
        id: MemoryId,  # noqa: A002 - the name of the argument is part of the interface
        patch: Patch,
        expected_version: Annotated[
            int, Field(description="The version you read; a newer one is not overwritten.")
        ],
        scope: Scope = None,
        insist: Insist = False,  # noqa: FBT002 - the name of the argument is part of the interface
        request_key: RequestKey = None,
        detail: Detail = "compact",
    ) -> Written:
        """Change one memory. The author decides about what they wrote or locked.

        Use it to correct the wording; when something is no longer true, use memory_put with
        replaces.
        """

        def update(mine: Inklings) -> tuple[Written, int]:
            where = self._session.scope(mine, Tier(tier), scope, Action.WRITE)
            ref = mine.search.name(where, id)
            wanted = MemoryPatch(
                content=patch.content,
                importance=patch.importance,
                lifetime=None if patch.lifetime is None else Lifetime(patch.lifetime),
                tags=None if patch.tags is None else tuple(patch.tags),
            )
            stored = mine.memories.update(
                ref, wanted, expected_version=expected_version, insists=insist
            )
            told = written_answer(mine, stored, in_full=detail == "full")
            return {"status": STORED, "memory": told}, 1

        again = written_again(
            self._session,
            EventKind.MEMORY_EDITED,
            Tier(tier),
            scope,
            STORED,
            in_full=detail == "full",
        )
        arguments = {
            "tier": tier, "id": id, "patch": patch.model_dump(), "version": expected_version,
            "scope": scope, "insist": insist,
        }  # fmt: skip
        return self._write(
            "memory_update", update, Tier(tier), Repeatable(request_key, arguments, again)
        )

    def memory_forget(
        self,
        tier: TierName,
        id: MemoryId,  # noqa: A002 - the name of the argument is part of the interface
        scope: Scope = None,
        reason: Annotated[str, Field(description="Why, in a few words.")] = "",
        request_key: RequestKey = None,
    ) -> Forgotten:
        """Forget one memory; the author can restore it.

        Use it when something is no longer true and nothing replaces it; not to make room.
        """

        def forget(mine: Inklings) -> tuple[Forgotten, int]:
            where = self._session.scope(mine, Tier(tier), scope, Action.WRITE)
            ref = mine.search.name(where, id)
            done = mine.memories.forget([ref], reason=reason)
            return {"status": "forgotten", "forgotten": [one.id for one in done]}, len(done)

        def again(_mine: Inklings, kept: KeptRequest) -> Forgotten | None:
            ids = kept.ids(EventKind.MEMORY_FORGOTTEN.value)
            return {"status": "forgotten", "forgotten": list(ids)} if ids else None

        arguments = {"tier": tier, "id": id, "scope": scope, "reason": reason}
        return self._write(
            "memory_forget", forget, Tier(tier), Repeatable(request_key, arguments, again)
        )

    def memory_orient(  # noqa: PLR0917 - the arguments are the interface
        self,
        conversation: Annotated[
            str | None, Field(description="Id or ref code of this turn's conversation.")
        ] = None,
        query: Annotated[str, Field(description="What this turn is about.")] = "",
        budget_tokens: Annotated[
            int, Field(description="Tokens of four characters.")
        ] = DEFAULT_BUDGET_TOKENS,
        tiers: Annotated[
            list[Literal["conversation", "channel", "workspace", "account"]] | None,
            Field(description="Only these; else all."),
        ] = None,
        role: Annotated[str, Field(description="One of your roles.")] = "",
        at_story: Annotated[int | None, Field(description="Facts of a chapter.")] = None,
        sections: Annotated[
            list[Literal["entries", "role", "rules", "working_memory", "facts", "memories"]] | None,
            Field(description="Only these; else all."),
        ] = None,
        detail: Detail = "compact",
    ) -> Oriented:
        """Get what a turn begins with: entries, house rules, facts, memories.

        Use it once, as a turn begins; then memory_read.
        """

        def orient(mine: Inklings) -> tuple[Oriented, int]:
            if conversation:
                mine.conversations.hear(self._session.workspace_id, conversation)
            wanted = frozenset(map(Tier, tiers or ()))
            if wanted and wanted <= ROOMS and not conversation:
                raise InvalidValueError("conversation", "missing")
            request = OrientationRequest(
                self._session.workspace_id,
                conversation or None,
                query,
                budget_tokens,
                wanted or None,
                self._session.mode(SearchMode.HYBRID),
                role,
                at_story,
                frozenset(map(Part, sections)) if sections else WHOLE,
            )
            document = mine.orientation.orient(request)
            return orientation_answer(document, in_full=detail == "full"), len(document.sent)

        return self._session.call("memory_orient", orient)


def tell_misses(answer: Found, found: ReadResult | OpenHits, *, by_words: bool) -> None:
    """Say in an answer what of it does not match, and what to try then."""
    notices = [BY_WORDS_ALONE] if by_words else []
    if not found.matched:
        answer["matched"] = False
        notices.append(NOTHING_MATCHED)
    if any(one.get("matched") is False for one in answer["hits"]):
        notices.append(FILLERS)
    if steps := [_NEXT_STEPS[one] for one in found.next_steps]:
        notices.append(f"Try {' or '.join(steps)}.")
    if notices:
        answer["notice"] = " ".join((*([answer["notice"]] if "notice" in answer else ()), *notices))


def _place_of(id_: str, ids: Sequence[str]) -> int | None:
    """Where an id stands among others; of either there may be the beginning alone."""
    for number, one in enumerate(ids):
        if id_.startswith(one.lower()) or one.startswith(id_.lower()):
            return number
    return None


def known_answer(mine: Inklings, known: Known, *, in_full: bool) -> Written:
    """What says it already: a memory, or the named entry that has it for a sentence."""
    answer: Written = {"status": KNOWN, "already_known": True}
    if known.memory is not None:
        answer["memory"] = written_answer(mine, known.memory, in_full=in_full)
    if known.entry is not None:
        answer["named_entry"] = known.entry.name
    return answer


def written_again(
    session: ClientSession,
    kind: EventKind,
    tier: Tier,
    scope: str | None,
    status: str,
    *,
    in_full: bool,
) -> Callable[[Inklings, KeptRequest], Written | None]:
    """What answers a write that was carried out before, with the memory as it is now.

    One that is gone meanwhile is told by its id alone.
    """

    def again(mine: Inklings, kept: KeptRequest) -> Written | None:
        ids = kept.ids(kind.value)
        if not ids:
            return None
        where = session.scope(mine, tier, scope)
        try:
            entry = mine.listing.show(MemoryRef(where, ids[0])).entry
        except NotFoundError:
            gone = ids[0] if in_full else ids[0][:SHORT_ID]
            return {"status": status, "memory": {"id": gone, "version": 0, "tier": tier.value}}
        return {"status": status, "memory": written_answer(mine, entry, in_full=in_full)}

    return again
