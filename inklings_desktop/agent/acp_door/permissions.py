"""Questions that only the person answers, asked through the client; no answer is no."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.acp_door.updates import Client
    from inklings_desktop.agent.graph.turn import Stop

WITHDRAWN = "withdrawn"
"""The answer to a question that was not answered before the turn was stopped."""
OPTIONS = (
    {"optionId": words.OPTION_ONCE, "name": "Allow", "kind": words.ALLOW_ONCE},
    {
        "optionId": words.OPTION_ALWAYS,
        "name": "Allow in this conversation",
        "kind": words.ALLOW_ALWAYS,
    },
    {"optionId": words.OPTION_DENY, "name": "Do not allow", "kind": words.REJECT_ONCE},
    {"optionId": words.OPTION_LATER, "name": "Decide later", "kind": words.REJECT_ONCE},
)
_OF_END = frozenset({words.OPTION_ONCE, words.OPTION_DENY})
_ALLOWING = frozenset({words.OPTION_ONCE, words.OPTION_ALWAYS})
_IDS = frozenset(str(one["optionId"]) for one in OPTIONS)
_OF_SEVERAL = _IDS - {words.OPTION_ALWAYS}


class Permissions:
    """Asks about the calls of one session."""

    def __init__(self, client: Client, session_id: str) -> None:
        self._client = client
        self._session_id = session_id

    async def ask(
        self, turn: str, questions: Sequence[Mapping[str, Any]], stop: Stop
    ) -> dict[str, str]:
        """The option that was chosen for each call, by its id.

        All are asked at once. What is stopped before it is answered is withdrawn. Of a question
        about several calls those are allowed that the client names; all where it names none.
        """
        answers = await asyncio.gather(*(self._ask(turn, one, stop) for one in questions))
        return {
            str(call["id"]): option
            if picked is None or option not in _ALLOWING or call["id"] in picked
            else words.OPTION_DENY
            for question, (option, picked) in zip(questions, answers, strict=True)
            for call in question.get(words.CHOICES) or (question,)
        }

    async def _ask(
        self, turn: str, question: Mapping[str, Any], stop: Stop
    ) -> tuple[str, list[Any] | None]:
        own = {
            key: question[key]
            for key in (
                words.WHY,
                words.TOUCHED,
                words.BEFORE,
                words.AFTER,
                words.TIER,
                words.TOOL,
                words.CHOICES,
            )
            if question.get(key) is not None
        }
        offered = _IDS if not question.get(words.CHOICES) else _OF_SEVERAL
        if question.get("tool") == words.COMMAND_END_TOOL:
            offered = _OF_END
        params = {
            "sessionId": self._session_id,
            "toolCall": {
                "toolCallId": f"{turn}:{question['id']}",
                "title": question["title"],
                "kind": question["tool_kind"],
                "status": "pending",
                "rawInput": question["input"],
            },
            "options": [dict(one) for one in OPTIONS if one["optionId"] in offered],
            "_meta": {
                words.OWN: own | {words.TURN: turn, words.EFFECT: question.get("effect", "")}
            },
        }
        try:
            answer = await stop.unless(self._client.ask(words.REQUEST_PERMISSION, params))
        except ConnectionError:
            # Nobody is there any more: the question rests with its turn, and is asked again.
            await stop.wait()
            return WITHDRAWN, None
        except Exception:  # noqa: BLE001 - whatever a client answers with instead is no consent
            return words.OPTION_DENY, None
        return (WITHDRAWN, None) if answer is None else (_chosen(answer), _picked(answer))


def _picked(answer: Any) -> list[Any] | None:
    """The calls that the client named; None where it named none."""
    meta = answer.get("_meta") if isinstance(answer, dict) else None
    own = meta.get(words.OWN) if isinstance(meta, dict) else None
    picked = own.get(words.CHOSEN) if isinstance(own, dict) else None
    return picked if isinstance(picked, list) else None


def _chosen(answer: Any) -> str:
    outcome = answer.get("outcome") if isinstance(answer, dict) else None
    if not isinstance(outcome, dict):
        return words.OPTION_DENY
    if outcome.get("outcome") != "selected":
        return WITHDRAWN
    chosen = outcome.get("optionId")
    return chosen if chosen in _IDS else words.OPTION_DENY
