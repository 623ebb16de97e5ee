"""What was said in a conversation before it was opened here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.memory_door.filters import RECORDS

if TYPE_CHECKING:
    from inklings_desktop.agent.acp_door.sessions import Session

MESSAGES_AT_ONCE = 100


def count_turns(session: Session, messages: list[dict[str, Any]]) -> None:
    """Number the next turn after those that there were."""
    for one in messages:
        number = str(one["turn"]).partition("-")[0].removeprefix("t")
        if number.isdigit():
            session.n_turns = max(session.n_turns, int(number))


async def messages_of(session: Session) -> list[dict[str, Any]]:
    """Everything that was said, oldest first."""
    page: dict[str, Any] = {"conversation": session.id, "limit": MESSAGES_AT_ONCE}
    found: list[dict[str, Any]] = []
    while True:
        answer = await session.door().sure(RECORDS, "message_list", page)
        found = [*answer["messages"], *found]
        if not answer["more"] or not answer["messages"]:
            return found
        page["before"] = answer["messages"][0]["number"]
