"""An agent that deepagents makes, over ACP; run by an interpreter that has it.

What is said to it says what its model wants: ``remember TEXT`` puts a memory, which it asks about
first, ``look TEXT`` reads; the answer is what the tool said. Its memory tools are those of the
servers that its client hands it.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

if TYPE_CHECKING:
    from collections.abc import Sequence

TOOLS = {"remember": ("memory_put", "content"), "look": ("memory_read", "query")}


class ObedientModel(BaseChatModel):
    """Calls the tool that the last words of a person name, and says what it answered."""

    @property
    def _llm_type(self) -> str:
        return "obedient"

    def bind_tools(self, tools: Sequence[Any], **_kwargs: Any) -> ObedientModel:
        return self

    def _generate(self, messages: list[BaseMessage], *_stop: Any, **_kwargs: Any) -> ChatResult:
        last = messages[-1]
        answer = AIMessage(last.text)
        if isinstance(last, HumanMessage):
            word, _, rest = last.text.partition(" ")
            tool, argument = TOOLS[word]
            told = {"tier": "workspace", argument: rest}
            answer = AIMessage(
                "", tool_calls=[{"name": tool, "args": told, "id": f"c{len(messages)}"}]
            )
        else:
            assert isinstance(last, ToolMessage)
        return ChatResult(generations=[ChatGeneration(message=answer)])


async def serve() -> None:
    """Answer one client until it leaves."""
    tools: list[Any] = []
    memory = import_module("langgraph.checkpoint.memory").MemorySaver()

    def agent(_context: object) -> Any:
        return import_module("deepagents").create_deep_agent(
            ObedientModel(), tools=tools, interrupt_on={"memory_put": True}, checkpointer=memory
        )

    server = import_module("deepagents_acp.server").AgentServerACP(agent)
    begin = server.new_session

    async def new_session(cwd: str, *_: Any, mcp_servers: Sequence[Any] = (), **more: Any) -> Any:
        connections = {
            one.name: {
                "transport": "stdio",
                "command": one.command,
                "args": one.args,
                "env": {each.name: each.value for each in one.env},
            }
            for one in mcp_servers
        }
        adapters = import_module("langchain_mcp_adapters.client")
        tools[:] = await adapters.MultiServerMCPClient(connections).get_tools()
        return await begin(cwd, mcp_servers=list(mcp_servers), **more)

    server.new_session = new_session
    await import_module("acp").run_agent(server)


if __name__ == "__main__":
    asyncio.run(serve())
