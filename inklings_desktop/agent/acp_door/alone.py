"""One turn without a client: nobody can be asked, so every question waits for the author."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.acp_door.routes import Routes


class Nobody:
    """Stands in for a client.

    Attributes:
        text: What was answered so far.
    """

    def __init__(self) -> None:
        self.text = ""

    async def notify(self, _method: str, params: Mapping[str, Any]) -> None:
        """Keep what belongs to the answer."""
        update = params["update"]
        if update["sessionUpdate"] == words.AGENT_CHUNK:
            self.text += update["content"]["text"]

    async def ask(self, _method: str, _params: Mapping[str, Any]) -> Any:
        """That the author decides later."""
        return {"outcome": {"outcome": "selected", "optionId": words.OPTION_LATER}}


async def turn_alone(
    routes: Routes, nobody: Nobody, prompt: str, conversation: str | None
) -> tuple[str, str]:
    """How a turn ended, and what was answered.

    Args:
        routes: Of an agent whose client is ``nobody``.
        nobody: Hears the answer.
        prompt: What is asked.
        conversation: Where; None for a new one.

    Raises:
        RequestError: It could not be carried out.
    """
    place = {"cwd": "/", "mcpServers": []}
    if conversation is None:
        begun = await routes(words.NEW, place, False)
        conversation = str(begun["sessionId"])
    else:
        await routes(words.RESUME, place | {"sessionId": conversation}, False)
    block = {"type": "text", "text": prompt}
    asked = {"sessionId": conversation, "prompt": [block]}
    ended = await routes(words.PROMPT, asked, False)
    return ended["stopReason"], nobody.text
