"""Tools of the author's own World Agent: what was said, and the conversation it was said in."""

import hashlib
from collections import Counter
from contextlib import suppress
from typing import Annotated, Literal

from pydantic import Field

from inklings_desktop.domain.access.access import KeptRequest
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.messages import (
    MessageDraft,
    MessageRole,
    MessageState,
    ProducedBy,
)
from inklings_desktop.mcp_server.session import Repeatable, RequestKey, Tools
from inklings_desktop.mcp_server.tools.conversation_tools import ConversationKey
from inklings_desktop.mcp_server.tools.memory_tools import (
    STORED,
    MemoryId,
    Scope,
    TierName,
    written_again,
)
from inklings_desktop.mcp_server.words.answers import (
    conversation_answer,
    message_answer,
    written_answer,
)
from inklings_desktop.mcp_server.words.shapes import Named, Overview, Room, Said, Talk, Written
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.rooms.messages import APPENDED, MAX_PAGE

RESTORED = "restored"
_FINGERPRINT_CHARACTERS = 16


class TalkTools(Tools):
    """What the World Agent alone is told of."""

    def conversation_resume(self, conversation: ConversationKey) -> Room:
        """Continue a conversation that was ended; what it forgot stays forgotten."""

        def resume(mine: Inklings) -> tuple[Room, int]:
            room = mine.conversations.resume(self._session.workspace_id, conversation)
            return {"conversation": conversation_answer(room)}, 1

        return self._session.call(
            "conversation_resume", resume, tier=Tier.CONVERSATION, done=STORED
        )

    def conversation_rename(
        self,
        conversation: ConversationKey,
        title: Annotated[str, Field(description="One line, at most 120 characters.")],
    ) -> Room:
        """Give a conversation another title."""

        def rename(mine: Inklings) -> tuple[Room, int]:
            room = mine.conversations.rename(self._session.workspace_id, conversation, title)
            return {"conversation": conversation_answer(room)}, 1

        return self._session.call(
            "conversation_rename", rename, tier=Tier.CONVERSATION, done=STORED
        )

    def message_append(
        self,
        *,
        conversation: ConversationKey,
        role: Literal["user", "assistant", "notice"],
        parts: Annotated[str, Field(description="JSON text of an array of objects with kind.")],
        turn: Annotated[str, Field(description="Name of the turn, at most 64 characters.")],
        state: Literal["complete", "stopped", "failed"] = "complete",
        produced_by: Literal["mechanical", "model", "person"] = "mechanical",
        model: Annotated[str | None, Field(description="The model that made it.")] = None,
        request_key: RequestKey = None,
    ) -> Said:
        """Keep what was said in a conversation; durable when this answers. No memory is written."""
        arguments = {
            "conversation": conversation, "role": role, "parts": parts, "turn": turn,
            "state": state, "produced_by": produced_by, "model": model,
        }  # fmt: skip

        def append(mine: Inklings) -> tuple[Said, int]:
            draft = MessageDraft(
                MessageRole(role),
                parts,
                turn,
                MessageState(state),
                ProducedBy(produced_by),
                model,
            )
            message = mine.messages.append(self._session.workspace_id, conversation, draft)
            return {"message": message_answer(message, in_full=False)}, 1

        def again(mine: Inklings, kept: KeptRequest) -> Said | None:
            (id_,) = kept.ids(APPENDED)
            found = mine.messages.get(self._session.workspace_id, conversation, id_)
            return {"message": message_answer(found, in_full=False)}

        return self._session.call(
            "message_append",
            append,
            tier=Tier.CONVERSATION,
            done=STORED,  # talk is no memory, and never held up by how many were written
            repeatable=Repeatable(request_key, arguments, again),
        )

    def message_list(
        self,
        conversation: ConversationKey,
        before: Annotated[
            int | None, Field(description="Only earlier ones than this number.")
        ] = None,
        limit: Annotated[
            int,
            Field(
                description="Most messages on a page.",
                json_schema_extra={"minimum": 1, "maximum": MAX_PAGE},
            ),
        ] = 50,
    ) -> Talk:
        """What was said in a conversation that this client takes part in, newest last."""

        def listed(mine: Inklings) -> tuple[Talk, int]:
            found, more = mine.messages.list(
                self._session.workspace_id, conversation, before=before, limit=limit
            )
            answers = [message_answer(one, in_full=True) for one in found]
            return {"messages": answers, "more": more}, len(found)

        return self._session.call("message_list", listed, tier=Tier.CONVERSATION)

    def memory_restore(
        self,
        tier: TierName,
        id: MemoryId,  # noqa: A002 - the name of the argument is part of the interface
        scope: Scope = None,
        version: Annotated[int | None, Field(description="The one before its last change.")] = None,
        request_key: RequestKey = None,
    ) -> Written:
        """Restore a memory that this client forgot or changed."""
        arguments = {"tier": tier, "id": id, "scope": scope, "version": version}

        def restore(mine: Inklings) -> tuple[Written, int]:
            where = self._session.scope(mine, Tier(tier), scope)
            ref = mine.search.name(where, id, also_forgotten=True)
            entry = mine.memories.restore_own(ref, version=version)
            told = written_answer(mine, entry, in_full=True)
            return {"status": RESTORED, "memory": told}, 1

        kind = EventKind.MEMORY_RESTORED if version is None else EventKind.MEMORY_EDITED
        again = written_again(self._session, kind, Tier(tier), scope, RESTORED, in_full=True)
        return self._write(
            "memory_restore", restore, Tier(tier), Repeatable(request_key, arguments, again)
        )

    def workspace_overview(self) -> Overview:
        """Which workspace this is, how much each tier holds, and which channels are open."""

        def overview(mine: Inklings) -> tuple[Overview, int]:
            session = self._session
            found = mine.workspaces.find(session.workspace_id)
            held: Counter[str] = Counter()
            for where, n_memories in mine.listing.count(found.id).by_scope.items():
                held[where.tier.value] += n_memories
            channels: list[Named] = []
            with suppress(ScopeDeniedError):
                channels = [
                    {"id": one.channel.id, "name": one.channel.name}
                    for one in mine.places.open_channels(found.id)
                ]
            embedder = session.inklings.embedder
            root = str(session.inklings.data_dir.resolve())
            answer: Overview = {
                "workspace": {"id": found.id, "name": found.name},
                "root": hashlib.sha256(root.encode()).hexdigest()[:_FINGERPRINT_CHARACTERS],
                "counts": dict(held),
                "channels": channels,
                "model": embedder.model_id if embedder.is_available else "",
            }
            with suppress(ScopeDeniedError):
                answer["pages"] = sum(one.n_pages for one in mine.world.folders(found.id))
            return answer, sum(held.values())

        return self._session.call("workspace_overview", overview)
