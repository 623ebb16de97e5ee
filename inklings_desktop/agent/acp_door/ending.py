"""The end of a conversation: what it would keep is shown before, and what it kept is said after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.acp_door.sentences import quoted, spoken, tell
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.domain.rooms.conversation import SUMMARY_NOTE
from inklings_desktop.domain.words.summary import summary_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent.acp_door.sessions import Session
    from inklings_desktop.agent.graph.turn import Stop

NOTHING = "none"
_TIER = "channel"


class Ending:
    """Ends one conversation."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._own = {"conversation": session.id}

    async def by_command(self, chosen: str, stop: Stop) -> None:
        """End it as ``/end`` wants: what would be kept is asked about, unless it was chosen.

        Args:
            chosen: What stands after the command: ``none``, numbers of lines, or what to keep.
            stop: Stops the question.
        """
        lines = await self.proposed()
        if numbers := _numbers(chosen, len(lines)):
            lines = tuple(lines[number - 1] for number in numbers)
        elif chosen:
            lines = () if chosen.casefold() == NOTHING else (chosen,)
        elif lines and not await self._is_allowed(lines, stop):
            await self._say("not_ended")
            return
        done = await self.ended("\n".join(lines))
        if done["was_over"]:
            await self._say("was_over")
            return
        said = [self._spoken("ended" if done["kept"] else "ended_bare")]
        if done["held"]:
            said.append(spoken("held", self._session.language, n=str(done["held"])))
        if done["known"]:
            listed = [f"- {quoted(one)}" for one in done["known"]]
            said.append("\n".join([self._spoken("known"), *listed]))
        kept = [{**one, "tier": _TIER, "excerpt": one["content"]} for one in done["kept"]]
        await tell(self._session, (self._spoken("kept"), kept), first="\n\n".join(said))

    async def proposed(self) -> tuple[str, ...]:
        """The lines that it would keep."""
        asked = self._own | {"key": SUMMARY_NOTE}
        note = await self._session.door().call(RECORDS, "note_read", asked)
        return () if note.is_error else summary_points(str(note.answer["note"]["value"] or ""))

    async def ended(self, summary: str | None = None) -> dict[str, Any]:
        """End it, and keep these lines; None keeps what it would keep unasked.

        What was kept, what had been kept before, and what waits for the author is told.
        """
        wanted = "\n".join(await self.proposed()) if summary is None else summary
        asked = self._own | {"summary": wanted}
        done = await self._session.door().sure(RECORDS, words.COMMAND_END_TOOL, asked)
        self._session.is_resting = True
        state = done["conversation"]["state"]
        await self._session.updates.info({words.STATE: state})
        return {
            words.STATE: state,
            "held": done.get("held_for_review", 0),
            "kept": list(done.get("kept") or ()),
            "known": list(done.get("known") or ()),
            "was_over": "kept" not in done,
        }

    async def _is_allowed(self, lines: Sequence[str], stop: Stop) -> bool:
        numbered = "\n".join(f"{number}. {one}" for number, one in enumerate(lines, 1))
        question = {
            "id": "end",
            "tool": words.COMMAND_END_TOOL,
            "title": self._spoken("end_asked"),
            "tool_kind": "edit",
            "input": {"summary": "\n".join(lines)},
            words.EFFECT: self._spoken("end_asked"),
            words.AFTER: numbered,
            words.TIER: _TIER,
        }
        answers = await self._session.permissions.ask("", [question], stop)
        return answers["end"] in {words.OPTION_ONCE, words.OPTION_LATER}

    def _spoken(self, name: str) -> str:
        return spoken(name, self._session.language)

    async def _say(self, name: str) -> None:
        await self._session.updates.say(self._spoken(name))


def _numbers(chosen: str, most: int) -> list[int]:
    """Numbers of lines, where nothing else is named."""
    parts = chosen.replace(",", " ").split()
    if not all(one.isdecimal() and 1 <= int(one) <= most for one in parts):
        return []
    return [int(one) for one in parts]
