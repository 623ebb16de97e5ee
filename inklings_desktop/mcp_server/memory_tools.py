"""Tools for memories: read, put, update, forget, orient."""

from typing import Annotated, Any, Literal

from pydantic import Field

from inklings_desktop.domain.access import Action
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import (
    DEFAULT_IMPORTANCE,
    Derivation,
    Lifetime,
    MemoryDraft,
    MemoryPatch,
    MemoryRef,
    Tier,
)
from inklings_desktop.domain.orientation import DEFAULT_BUDGET_TOKENS
from inklings_desktop.domain.query_text import SearchMode
from inklings_desktop.mcp_server.answers import (
    UNTRUSTED,
    hit_answer,
    orientation_answer,
    written_answer,
)
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.usecases.orient import OrientationRequest
from inklings_desktop.usecases.read_memories import MAX_READ

TierName = Annotated[
    Literal["conversation", "channel", "workspace", "account"],
    Field(description="The level of memory; exactly one per call."),
]
Scope = Annotated[
    str | None,
    Field(
        description="Id or ref code of the conversation, or id or name of the channel."
        " Leave it away for the workspace and account tiers."
    ),
]
MemoryId = Annotated[str, Field(description="Id of the memory, as memory_read gave it.")]
LifetimeName = Literal["long_term", "short_term", "conversation"]
Patch = Annotated[
    dict[str, Any],
    Field(description="Any of content, importance (0 to 1), lifetime, tags (list of text)."),
]

BY_WORDS_ALONE = "Found by words alone: the model that compares meaning is not ready."
NOTHING_MATCHED = (
    "Nothing in this scope matches the query; any hits are what matters most here instead, and"
    " were not counted as read."
)
_PATCHED = ("content", "importance", "lifetime", "tags")


class MemoryTools:
    """Plain functions over one session; the names are the names of the tools."""

    def __init__(self, session: ClientSession) -> None:
        """Serve this client."""
        self._session = session

    def memory_read(
        self,
        tier: TierName,
        scope: Scope = None,
        query: Annotated[
            str,
            Field(
                description="What to look for, 2,000 characters of it at most; empty gives what"
                " matters most."
            ),
        ] = "",
        limit: Annotated[int, Field(description="Most hits wanted, 1 to 100.")] = 10,
        mode: Annotated[
            Literal["hybrid", "keyword"], Field(description="By words and meaning, or words alone.")
        ] = "hybrid",
    ) -> dict[str, Any]:
        """Find memories of one tier and scope, best first. Each hit counts as one read.

        Where nothing matches, what matters most in the scope is given with matched: false.
        """

        def read(caller: Any) -> tuple[dict[str, Any], int]:
            if not 1 <= limit <= MAX_READ:
                raise InvalidValueError("limit", "range", MAX_READ)
            where = self._session.scope(caller, Tier(tier), scope)
            asked = self._session.mode(SearchMode(mode))
            found = self._session.inklings.read_memories(
                caller, where, query=query, mode=asked, limit=limit
            )
            hits = [hit_answer(one) for one in found.memories]
            answer: dict[str, Any] = {
                "mode": found.mode.value,
                "note": UNTRUSTED,
                "hits": hits,
            }
            notices = []
            if query.strip() and found.mode.value != mode:
                notices.append(BY_WORDS_ALONE)
            if not found.matched:
                answer["matched"] = False
                notices.append(NOTHING_MATCHED)
            if notices:
                answer["notice"] = " ".join(notices)
            return answer, len(hits)

        return self._session.call("memory_read", read, tier=Tier(tier))

    def memory_put(  # noqa: PLR0913 - the arguments are the interface
        self,
        *,
        tier: TierName,
        content: Annotated[str, Field(description="The text to remember, at most 64 KiB.")],
        scope: Scope = None,
        importance: Annotated[float, Field(description="0 to 1.")] = DEFAULT_IMPORTANCE,
        lifetime: Annotated[
            LifetimeName | None, Field(description="Leave away for the tier's own.")
        ] = None,
        tags: Annotated[list[str] | None, Field(description="At most 32 short words.")] = None,
        source: Annotated[
            str, Field(description="Which part of the agent produced it, for example researcher.")
        ] = "orchestrator",
        conversation: Annotated[
            str | None, Field(description="Conversation it was written in; id or ref code.")
        ] = None,
        private: Annotated[bool, Field(description="For this client alone.")] = False,
        derived_from: Annotated[
            list[str] | None, Field(description="Titles or ids of the pages it derives from.")
        ] = None,
    ) -> dict[str, Any]:
        """Remember something new. Keys wait for the author; so does the account tier."""

        def put(caller: Any) -> tuple[dict[str, Any], int]:
            where = self._session.scope(caller, Tier(tier), scope, Action.WRITE)
            inklings = self._session.inklings
            spoken_in = None
            if conversation:
                room = inklings.get_conversation(caller, self._session.workspace_id, conversation)
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
                private_to=caller.name if private else None,
            )
            stored = inklings.put_memory(caller, draft)
            return {"status": "stored", "memory": written_answer(caller, stored)}, 1

        return self._session.call("memory_put", put, tier=Tier(tier), is_write=True)

    def memory_update(
        self,
        tier: TierName,
        id: MemoryId,  # noqa: A002 - the name of the argument is part of the interface
        patch: Patch,
        expected_version: Annotated[
            int, Field(description="The version that was read; a newer one is not overwritten.")
        ],
        scope: Scope = None,
    ) -> dict[str, Any]:
        """Change one memory. What the author wrote or locked waits for the author."""

        def update(caller: Any) -> tuple[dict[str, Any], int]:
            where = self._session.scope(caller, Tier(tier), scope, Action.WRITE)
            stored = self._session.inklings.update_memory(
                caller, MemoryRef(where, id), _patch(patch), expected_version=expected_version
            )
            return {"status": "stored", "memory": written_answer(caller, stored)}, 1

        return self._session.call("memory_update", update, tier=Tier(tier), is_write=True)

    def memory_forget(
        self,
        tier: TierName,
        id: MemoryId,  # noqa: A002 - the name of the argument is part of the interface
        scope: Scope = None,
        reason: Annotated[str, Field(description="Why, in a few words.")] = "",
    ) -> dict[str, Any]:
        """Mark one memory inactive; the author can bring it back. Nothing is destroyed."""

        def forget(caller: Any) -> tuple[dict[str, Any], int]:
            where = self._session.scope(caller, Tier(tier), scope, Action.WRITE)
            done = self._session.inklings.forget_memories(
                caller, [MemoryRef(where, id)], reason=reason
            )
            return {"status": "forgotten", "forgotten": [one.id for one in done]}, len(done)

        return self._session.call("memory_forget", forget, tier=Tier(tier), is_write=True)

    def memory_orient(
        self,
        conversation: Annotated[
            str | None, Field(description="Conversation of the turn; id or ref code.")
        ] = None,
        query: Annotated[str, Field(description="What the turn asks.")] = "",
        budget_tokens: Annotated[
            int, Field(description="Tokens of four characters.")
        ] = DEFAULT_BUDGET_TOKENS,
        tiers: Annotated[
            list[Literal["conversation", "channel", "workspace", "account"]] | None,
            Field(description="Only these; leave away for every tier that is granted."),
        ] = None,
    ) -> dict[str, Any]:
        """The document to begin a turn with: the author's named entries, then candidates."""

        def orient(caller: Any) -> tuple[dict[str, Any], int]:
            request = OrientationRequest(
                self._session.workspace_id,
                conversation or None,
                query,
                budget_tokens,
                None if tiers is None else frozenset(Tier(one) for one in tiers),
                self._session.mode(SearchMode.HYBRID),
            )
            document = self._session.inklings.orient(caller, request)
            return orientation_answer(document), len(document.sent)

        return self._session.call("memory_orient", orient)


def _patch(values: dict[str, Any]) -> MemoryPatch:
    """The patch; names that it does not have are refused, never dropped.

    Raises:
        InvalidValueError: An unknown name, or a value that cannot be kept.
    """
    unknown = sorted(set(values) - set(_PATCHED))
    if unknown:
        raise InvalidValueError("patch", "unknown_field")
    lifetime = values.get("lifetime")
    if lifetime is not None:
        try:
            lifetime = Lifetime(lifetime)
        except ValueError:
            raise InvalidValueError("lifetime", "unknown") from None
    tags = values.get("tags")
    if tags is not None and not isinstance(tags, list):
        raise InvalidValueError("tags", "type")
    return MemoryPatch(
        content=values.get("content"),
        importance=values.get("importance"),
        lifetime=lifetime,
        tags=None if tags is None else tuple(tags),
    )
