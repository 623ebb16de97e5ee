"""What the client is told of a session, and the commands and options that it is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from inklings_desktop.acp_wire import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MECHANICAL = "mechanical"
MODEL = "model"
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
    (words.COMMAND_WHY, "Say what the last answer was made from", ""),
    (words.COMMAND_HELP, "Say what it can do", ""),
    (words.COMMAND_MODEL, "Say which model it uses", ""),
)


class Client(Protocol):
    """The other side of the protocol."""

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Tell it something.

        Raises:
            ConnectionError: It is gone.
        """
        ...

    async def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """What it answers.

        Raises:
            ConnectionError: It is gone.
        """
        ...


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
        meta = {words.OWN: dict(own)}
        await self.send({"sessionUpdate": words.SESSION_INFO, **fields, "_meta": meta})

    async def commands(self) -> None:
        """Tell which commands there are."""
        told: list[dict[str, Any]] = []
        for name, description, hint in COMMANDS:
            command: dict[str, Any] = {"name": name, "description": description}
            if hint:
                command["input"] = {"hint": hint}
            told.append(command)
        await self.send({"sessionUpdate": words.COMMANDS, "availableCommands": told})


def config_options(write_policy: str) -> list[dict[str, Any]]:
    """What a client may choose for a session, as it is chosen now."""
    return [
        _select(MODEL, "Model", MODEL, MECHANICAL, [(MECHANICAL, "Without a model", "")]),
        _select(
            WRITE_POLICY,
            "Writing memories",
            None,
            write_policy,
            [(value, name, said) for value, (name, said) in POLICIES.items()],
        ),
    ]


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
