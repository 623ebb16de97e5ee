"""Questions of an agent: whether something may be done, and what each answer means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import bounded, dict_of, line_of, list_of, text_of
from inklings_desktop.agent_client.rows import AskBlock, Choice, Option, touched_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent_client.link import Reply
    from inklings_desktop.agent_client.thread_state import ThreadState

ALLOWED_ONCE: Final = "allowed_once"
ALLOWED_ALWAYS: Final = "allowed_always"
ALLOWED_LONGER: Final = "allowed_longer"
"""Allowed by an option of another's agent, which alone knows for how long."""
DENIED: Final = "denied"
WITHDRAWN: Final = "withdrawn"
LATER: Final = "later"

MAX_OPTIONS: Final = 10
MAX_CHOICES: Final = 100
_REJECTING = (words.REJECT_ONCE, words.REJECT_ALWAYS)
_OUTCOMES = {
    words.ALLOW_ONCE: ALLOWED_ONCE,
    words.ALLOW_ALWAYS: ALLOWED_ALWAYS,
    words.REJECT_ONCE: DENIED,
    words.REJECT_ALWAYS: DENIED,
}


def question(params: Mapping[str, Any], id_: str, *, is_ours: bool) -> AskBlock:
    """A request for permission as a block.

    Only our own agent's word is taken for what will happen: what another one says stays its title,
    beside our own words for the kind of call.
    """
    call = dict_of(params.get("toolCall"))
    own = parts.own_of(params) if is_ours else {}
    options = (
        Option(
            text_of(one.get("optionId"), 200),
            line_of(one.get("name"), 80),
            line_of(one.get("kind"), 40),
        )
        for one in list_of(params.get("options"))[:MAX_OPTIONS]
        if isinstance(one, dict)
    )
    before, after = own.get(words.BEFORE), own.get(words.AFTER)
    return AskBlock(
        id_,
        line_of(call.get("title")),
        line_of(call.get("toolCallId"), 200),
        line_of(own.get(words.EFFECT)),
        text_of(before) if isinstance(before, str) else None,
        text_of(after) if isinstance(after, str) else None,
        tuple(one for one in options if one.id),
        "",
        line_of(own.get(words.WHY), 60),
        line_of(own.get(words.TOOL), 200),
        line_of(call.get("kind"), 40) or "other",
        bounded(call.get("rawInput")),
        touched_of(own.get(words.TOUCHED)),
        tuple(
            Choice(line_of(one.get("id"), 200), _words_of(one))
            for one in list_of(own.get(words.CHOICES))[:MAX_CHOICES]
            if isinstance(one, dict)
        ),
    )


def _words_of(choice: Mapping[str, Any]) -> str:
    """The memory that a choice is about, as it is and as it would be; else its title."""
    told = (text_of(choice.get(key)) for key in (words.BEFORE, words.AFTER))
    return "\n\u2192 ".join(one for one in told if one) or line_of(choice.get("title"))


def rejecting(ask: AskBlock) -> Option | None:
    """What Escape answers: the first option that rejects; None if the agent offers none."""
    return next((one for one in ask.options if one.kind in _REJECTING), None)


def outcome_of(ask: AskBlock, option_id: str) -> str:
    """How the question ends with this option; an option that nobody offered withdraws it."""
    kind = next((one.kind for one in ask.options if one.id == option_id), None)
    if kind is not None and option_id == words.OPTION_LATER:
        return LATER
    if kind == words.ALLOW_ALWAYS and not ask.effect:
        return ALLOWED_LONGER
    return WITHDRAWN if kind is None else _OUTCOMES.get(kind, DENIED)


def selected(option_id: str, chosen: Sequence[str] | None = None) -> dict[str, Any]:
    """The answer that picks an option, for the chosen ones alone where some are named."""
    own = {} if chosen is None else {"_meta": {words.OWN: {words.CHOSEN: list(chosen)}}}
    return {"outcome": {"outcome": "selected", "optionId": option_id}} | own


def cancelled() -> dict[str, Any]:
    """The answer to a question that nobody will answer."""
    return {"outcome": {"outcome": "cancelled"}}


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
