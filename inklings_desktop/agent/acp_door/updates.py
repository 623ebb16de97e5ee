"""What the client is told of a session and asked, and the commands and options it is offered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import info, own_of
from inklings_desktop.agent_settings import TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.graph.turn import Stop

MECHANICAL = "mechanical"
EFFORT = "effort"
EFFORTS = {"default": "As it likes", "low": "Little", "medium": "Some", "high": "Much"}
WRITE_POLICY = "write_policy"
POLICIES = {
    "decide": ("Decide", "Keeps what you said; asks where it is not sure."),
    "ask": ("Ask", "Asks before every memory that it writes."),
    "never": ("Never", "Writes no memory."),
}
COMMANDS: tuple[tuple[str, str, str], ...] = (
    (words.CONTINUE, "Continue what was cut off", ""),
    (words.RETRY, "Answer the last message once more", ""),
    (words.COMMAND_END, "End this conversation", ""),
    (words.COMMAND_UNDO, "Undo what the last answer wrote", ""),
    ("remember", "Remember something", "what to remember"),
    ("forget", "Forget something", "what to forget"),
    (words.COMMAND_AS, "Have one message answered in a role", "a role: the message"),
    (words.COMMAND_WHY, "Say what the last answer was made from", ""),
    (words.COMMAND_HELP, "Say what it can do", ""),
    (words.COMMAND_MODEL, "Say which model it uses", ""),
)

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


class Client(Protocol):
    """The other side of the protocol."""

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Tell it something.

        Raises:
            ConnectionError: It is gone.
        """

    async def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """What it answers.

        Raises:
            ConnectionError: It is gone.
        """


class Updates:
    """Notifications of one session; what a client that is gone is told is lost."""

    def __init__(self, client: Client, session_id: str) -> None:
        self._client = client
        self._session_id = session_id

    async def send(self, update: Mapping[str, Any]) -> None:
        """Tell one update."""
        params = {"sessionId": self._session_id, "update": dict(update)}
        try:
            await self._client.notify(words.UPDATE, params)
        except ConnectionError:
            return

    async def say(self, text: str, quotes: Sequence[Mapping[str, Any]] = ()) -> None:
        """Say something that belongs to no turn."""
        own = {words.PRODUCED_BY: MECHANICAL, words.QUOTES: list(quotes)}
        content = {"type": "text", "text": text}
        await self.send(
            {"sessionUpdate": words.AGENT_CHUNK, "content": content, "_meta": {words.OWN: own}}
        )

    async def info(self, own: Mapping[str, Any], **fields: Any) -> None:
        """Tell something about the session itself."""
        await self.send(info(own, **fields))

    async def commands(self) -> None:
        """Tell which commands there are."""
        told: list[dict[str, Any]] = []
        for name, description, hint in COMMANDS:
            command: dict[str, Any] = {"name": name, "description": description}
            if hint:
                command["input"] = {"hint": hint}
            told.append(command)
        await self.send({"sessionUpdate": words.COMMANDS, "availableCommands": told})


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that may be chosen.

    Attributes:
        id: As ``provider/model``.
        is_local: Whether it answers on this machine.
        turn_micro: About what a turn costs, in millionths of a dollar; None for not known.
        stands_in: Whether it does its work because no worse one is set.
    """

    id: str
    is_local: bool = False
    turn_micro: int | None = None
    stands_in: bool = False

    def option(self) -> dict[str, Any]:
        """It as the protocol names it: in words for every client, in figures for our own."""
        told = ["As no worse one is set"] if self.stands_in else []
        if self.is_local:
            told.append("On this machine, free")
        elif self.turn_micro is not None:
            told.append(f"About ${self.turn_micro / 1_000_000:.2f} a turn")
        own = {"local": self.is_local, "turn_micro": self.turn_micro, "stands_in": self.stands_in}
        option = {"value": self.id, "name": self.id.partition("/")[2], "_meta": {words.OWN: own}}
        return option | ({"description": ". ".join(told)} if told else {})


@dataclass(frozen=True, slots=True)
class Choice:
    """Which models a session may choose from.

    Attributes:
        now: The one that answers, as ``provider/model``, or ``mechanical``.
        models: All of them, without the one of rules alone.
        effort: How much it thinks: one of ``EFFORTS``; None where it cannot be told to.
    """

    now: str = MECHANICAL
    models: tuple[ModelChoice, ...] = ()
    effort: str | None = None


def config_options(write_policy: str, choice: Choice) -> list[dict[str, Any]]:
    """What a client may choose for a session, as it is chosen now."""
    models = _select(words.MODEL, "Model", words.MODEL, choice.now, ())
    options = [models | {"options": _groups(choice.models)}]
    if choice.effort is not None:
        efforts = [(value, name, "") for value, name in EFFORTS.items()]
        options.append(_select(EFFORT, "Thinking", "thought_level", choice.effort, efforts))
    policies = [(value, name, said) for value, (name, said) in POLICIES.items()]
    options.append(_select(WRITE_POLICY, "Writing memories", None, write_policy, policies))
    return options


def _groups(models: Sequence[ModelChoice]) -> list[dict[str, Any]]:
    """No model at all, then the models by their providers."""
    none = {"value": MECHANICAL, "name": "Without a model"}
    groups: dict[str, dict[str, Any]] = {
        MECHANICAL: {"group": MECHANICAL, "name": "Inklings", "options": [none]}
    }
    for one in models:
        id_ = one.id.partition("/")[0]
        group = {"group": id_, "name": TITLES.get(id_, id_), "options": []}
        groups.setdefault(id_, group)["options"].append(one.option())
    return list(groups.values())


def _select(
    id_: str,
    name: str,
    category: str | None,
    current: str,
    options: Sequence[tuple[str, str, str]],
) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        "type": "select",
        "id": id_,
        "name": name,
        "currentValue": current,
        "options": [
            {"value": value, "name": said} | ({"description": more} if more else {})
            for value, said, more in options
        ],
    }
    return chosen | ({"category": category} if category else {})


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
                words.PROCESS,
                words.PARENT,
            )
            if question.get(key) is not None
        }
        offered = _IDS if not question.get(words.CHOICES) else _OF_SEVERAL
        if question.get("tool") in {words.COMMAND_END_TOOL, words.SPEND_TOOL}:
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
    picked = own_of(answer).get(words.CHOSEN) if isinstance(answer, dict) else None
    return picked if isinstance(picked, list) else None


def _chosen(answer: Any) -> str:
    outcome = answer.get("outcome") if isinstance(answer, dict) else None
    if not isinstance(outcome, dict):
        return words.OPTION_DENY
    if outcome.get("outcome") != "selected":
        return WITHDRAWN
    chosen = outcome.get("optionId")
    return chosen if chosen in _IDS else words.OPTION_DENY
