"""An agent made with the protocol's own library, as a process: what is said to it says what to do.

Its turns are kept in a file, so that a later process can tell them again.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from acp import run_agent
from acp.schema import (
    AgentCapabilities,
    AgentMessageChunk,
    Implementation,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PermissionOption,
    PromptCapabilities,
    PromptResponse,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionInfoUpdate,
    SessionResumeCapabilities,
    TextContentBlock,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
    UserMessageChunk,
)

SESSION = "11111111-2222-4333-8444-555555555555"


class ScriptedAgent:
    """Says, asks, waits, dies."""

    def __init__(self, state: Path) -> None:
        """Keep turns in this file."""
        self._state = state
        self._stop = asyncio.Event()
        self._client: Any = None
        self._session = SESSION

    def on_connect(self, conn: Any) -> None:
        self._client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> InitializeResponse:
        return InitializeResponse(
            protocol_version=protocol_version,
            agent_capabilities=AgentCapabilities(
                load_session=True,
                prompt_capabilities=PromptCapabilities(embedded_context=True),
                session_capabilities=SessionCapabilities(resume=SessionResumeCapabilities()),
            ),
            agent_info=Implementation(name="scripted", version="1"),
            field_meta={"inklings": {"version": "0.1.0", "records": True, "mechanical": True}},
        )

    async def new_session(self, cwd: str, **_: Any) -> NewSessionResponse:
        assert Path(cwd).is_absolute()
        return NewSessionResponse(session_id=SESSION, field_meta={"inklings": {"ref_code": "C1"}})

    async def load_session(self, session_id: str, **_: Any) -> LoadSessionResponse:
        self._session = session_id
        for turn in self._turns():
            await self._tell(UserMessageChunk, "user_message_chunk", turn["said"], turn["id"])
            if turn["answer"] is not None:
                await self._say(turn["answer"], turn["id"])
                await self._info(turn["id"], {"ended": {"state": "complete", "ms": 5}})
        return LoadSessionResponse(field_meta=self._unfinished())

    async def resume_session(self, session_id: str, **_: Any) -> ResumeSessionResponse:
        self._session = session_id
        return ResumeSessionResponse(field_meta=self._unfinished())

    async def set_session_mode(self, **_: Any) -> None: ...

    async def close_session(self, session_id: str, **_: Any) -> None: ...

    async def cancel(self, session_id: str, **_: Any) -> None:
        self._stop.set()
        self._state.with_suffix(".stopped").touch()

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"method": method} | params

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None: ...

    async def prompt(self, prompt: list[Any], **_: Any) -> PromptResponse:
        self._stop.clear()
        said = prompt[0].text
        turns = self._turns()
        if said == "/continue":
            turn, said = turns[-1], "say again"
        else:
            turn = {"id": f"t{len(turns) + 1}-0000abcd", "said": said, "answer": None}
            turns.append(turn)
            self._state.write_text(json.dumps(turns))
        reason, answer = await self._answer(said, turn["id"])
        turn["answer"] = answer
        self._state.write_text(json.dumps(turns))
        meta = {"inklings": {"turn": turn["id"], "ms": 7}}
        return PromptResponse(stop_reason=reason, field_meta=meta)

    async def _answer(self, said: str, turn: str) -> tuple[Any, str]:
        word, *rest = said.split()
        match word:
            case "say":
                for number, one in enumerate(rest):
                    await self._say(f"{one} ", turn, seq=number + 1)
                return "end_turn", "".join(f"{one} " for one in rest)
            case "rest":
                await self._info(turn, {"state": "idle"})
                return "end_turn", ""
            case "flood":
                for number in range(int(rest[0])):
                    await self._say("word ", turn, seq=number + 1)
                return "end_turn", "many"
            case "die":
                await self._say("I was about to ", turn, seq=1)
                sys.stderr.write("something broke\n")
                await asyncio.sleep(0.2)
                os._exit(7)
            case "wait":
                await self._say("thinking ", turn, seq=1)
                await self._stop.wait()
                return "cancelled", "thinking "
            case "ignore":
                await asyncio.sleep(600)
                return "end_turn", ""
            case "forget":
                return "end_turn", await self._forget(turn, rest[1:] if rest[0] == "each" else [])
            case _:
                return "end_turn", ""

    async def _forget(self, turn: str, each: list[str]) -> str:
        start = ToolCallStart(
            session_update="tool_call", tool_call_id="c1", title="Forget it", kind="delete",
            status="pending", field_meta={"inklings": {"turn": turn, "seq": 1}},
        )  # fmt: skip
        await self._client.session_update(self._session, start)
        options = [
            PermissionOption(option_id="once", name="Allow", kind="allow_once"),
            PermissionOption(option_id="deny", name="No", kind="reject_once"),
        ]
        call = ToolCallUpdate(tool_call_id="c1", title="Forget the harbour?", kind="delete")
        asked: dict[str, Any] = {
            "turn": turn, "effect": "One memory is put away.", "before": "The harbour",
        }  # fmt: skip
        if each:
            asked["choices"] = [{"id": one.lower(), "title": "", "before": one} for one in each]
        answer = await self._client.request_permission(
            session_id=self._session, tool_call=call, options=options,
            inklings=asked,
        )  # fmt: skip
        outcome = answer.outcome
        chosen = outcome.option_id if outcome.outcome == "selected" else "cancelled"
        of = " ".join(((answer.field_meta or {}).get("inklings") or {}).get("chosen") or ())
        touched = [{"id": "m1", "tier": "workspace", "how": "forgotten", "undo": True}]
        meta = {"turn": turn, "seq": 2, "touched": touched if chosen == "once" else []}
        if chosen != "once":
            meta["status"] = "refused"
        done = ToolCallProgress(
            session_update="tool_call_update", tool_call_id="c1",
            status="completed" if chosen == "once" else "failed", field_meta={"inklings": meta},
        )  # fmt: skip
        await self._client.session_update(self._session, done)
        said = f"You chose {chosen} of {of}." if each else f"You chose {chosen}."
        await self._say(said, turn, seq=3)
        return said

    async def _say(self, text: str, turn: str, seq: int | None = None) -> None:
        await self._tell(AgentMessageChunk, "agent_message_chunk", text, turn, seq)

    async def _tell(
        self, shape: Any, kind: str, text: str, turn: str, seq: int | None = None
    ) -> None:
        own: dict[str, Any] = {"turn": turn, "produced_by": "mechanical"}
        if seq is not None:
            own["seq"] = seq
        content = TextContentBlock(type="text", text=text)
        update = shape(session_update=kind, content=content, field_meta={"inklings": own})
        await self._client.session_update(self._session, update)

    async def _info(self, turn: str, own: dict[str, Any]) -> None:
        meta = {"inklings": own | {"turn": turn}}
        update = SessionInfoUpdate(session_update="session_info_update", field_meta=meta)
        await self._client.session_update(self._session, update)

    def _turns(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        if self._state.exists():
            found = json.loads(self._state.read_text())
        return found

    def _unfinished(self) -> dict[str, Any]:
        turns = self._turns()
        if not turns or turns[-1]["answer"] is not None:
            return {}
        return {"inklings": {"unfinished": {"turn": turns[-1]["id"], "node": "plan"}}}


if __name__ == "__main__":
    asyncio.run(run_agent(ScriptedAgent(Path(sys.argv[1])), use_unstable_protocol=True))  # type: ignore[arg-type]  # as much of it as is used
