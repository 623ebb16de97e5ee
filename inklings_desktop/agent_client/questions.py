"""The questions of an agent that wait for the person, each with how to answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import dict_of, line_of
from inklings_desktop.agent_client.permissions import (
    WITHDRAWN,
    cancelled,
    outcome_of,
    question,
    selected,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent_client.link import Reply
    from inklings_desktop.agent_client.rows import AskBlock
    from inklings_desktop.agent_client.thread_state import ThreadState


class Questions:
    """Those of one agent, in whichever conversation."""

    def __init__(self, *, is_ours: bool) -> None:
        self._is_ours = is_ours
        self._open: dict[str, tuple[str, ThreadState, Reply]] = {}
        self._n = 0

    def take(
        self, session: str, thread: ThreadState, params: Mapping[str, Any], reply: Reply
    ) -> AskBlock | None:
        """Show a question in its conversation; None for one that offers no answer."""
        own = parts.own_of(params)
        call = line_of(dict_of(params.get("toolCall")).get("toolCallId"), 200)
        self._n += 1
        id_ = line_of(own.get(words.PERMISSION), 200) or f"{call}{parts.ASKED}"
        if id_ in self._open:
            id_ = f"{id_}#{self._n}"
        ask = question(params, id_, is_ours=self._is_ours)
        if not ask.options:
            return None
        self._open[id_] = session, thread, reply
        thread.ask(ask, line_of(own.get(words.TURN), 64))
        return ask

    def answer(
        self, id_: str, option: str | None, chosen: Sequence[str] | None = None
    ) -> str | None:
        """Answer one, for what was chosen or all; None withdraws it. Its conversation, if open."""
        if id_ not in self._open:
            return None
        session, thread, reply = self._open.pop(id_)
        ask = next((one for one in thread.open_questions if one.id == id_), None)
        outcome = WITHDRAWN if ask is None or option is None else outcome_of(ask, option)
        picked = None if outcome == WITHDRAWN else option
        reply.answer(cancelled() if picked is None else selected(picked, chosen))
        thread.answered(id_, outcome)
        return session

    def withdraw(self, session: str | None = None) -> None:
        """Withdraw those of a conversation, or all."""
        wanted = [id_ for id_, one in self._open.items() if session in {None, one[0]}]
        for id_ in wanted:
            self.answer(id_, None)
