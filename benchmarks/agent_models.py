"""What a model costs the World Agent besides its own time: the first token, a stop, the memory.

A provider on this machine answers at once, on both wires. The first token of our wire is compared
with that of the provider's own library and the 15 ms that may be added; a stop while the model
speaks, and the memory of an agent that has loaded one library, with the most that they may take.

    python -m benchmarks.agent_models [--tokens 50] [--stops 20] [--json]
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anthropic
import openai

from benchmarks.agent_start import server
from benchmarks.agent_talk import CLIENT, Conversation, Place, children_of, resident_mb
from benchmarks.measuring import Report, Row, options
from inklings_desktop.agent.providers.anthropic_wire import AnthropicWire
from inklings_desktop.agent.providers.catalogue import CHAT, MESSAGES
from inklings_desktop.agent.providers.openai_wire import OpenAIWire
from inklings_desktop.agent.providers.port import Message, Request, TextDelta
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.settings_file import put_row, save_values
from tests.support.wire_servers import Said, wire_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

QUESTION = "Who keeps the harbour glass at night?"
ANSWER = Said(("Nobody ", "knows ", "who ", "keeps ", "it."))
ENDLESS = Said(("It was ",) * 40, form="held")
LAYER_BOUND_MS, STOP_BOUND_MS, RESIDENT_BOUND_MB = 15.0, 100.0, 240.0
WIRES = {CHAT: OpenAIWire, MESSAGES: AnthropicWire}
BEGINS = {"role": "user", "content": QUESTION}


def measure(n_tokens: int, n_stops: int) -> Report:
    """All figures on both wires.

    Args:
        n_tokens: First tokens of each way.
        n_stops: Turns that are stopped.
    """
    report = Report("agent_models", settings={"tokens": n_tokens, "stops": n_stops})
    for wire in WIRES:
        with wire_server(ANSWER) as served:
            report.rows.append(asyncio.run(first_tokens(wire, served.address, n_tokens)))
            with tempfile.TemporaryDirectory() as folder:
                place = place_in(Path(folder), wire, served.address)
                with server(place.agent, place.bytecode) as process:
                    talk = Conversation(process)
                    talk.begin(place.memory())
                    talk.say(QUESTION)
                    served.answers[:] = [ENDLESS]
                    seen = b'"agent_message_chunk"'
                    stops = [talk.stopped_after(QUESTION, seen) for _ in range(n_stops)]
                    resident = resident_mb(process.pid)
                    relay = resident_mb(children_of(process.pid)[0])
        report.rows += [
            Row(
                f"longest stop of a turn whose model speaks on {wire} (bare is the bound)",
                max(stops), STOP_BOUND_MS, "ms wall", "<= 1", n_stops,
                f"median {statistics.median(stops):.0f} ms",
            ),
            Row(
                f"memory of the agent's process with the library of {wire} (bare is the bound)",
                resident, RESIDENT_BOUND_MB, "MB", "<= 1", note=f"its relay {relay:.0f} MB more",
            ),
        ]  # fmt: skip
    return report


def place_in(root: Path, wire: str, address: str) -> Place:
    """An empty workspace whose conversations alone go to the provider."""
    off = {f"agent.routing.{one}": "off" for one in ("gate", "title", "summary", "compact")}
    save_values(root, {"embedding.model": "none", "agent.classes.frontier": "gull/gull-1"} | off)
    put_row(root, "agent.providers", {"id": "gull", "wire": wire, "base_url": address})
    with open_inklings(root, embed_writes=False) as inklings:
        workspace = inklings.workspaces.create("Wend").id
        rights = preset_rights(ClientKind.WORLD_AGENT, workspace)
        inklings.clients.grant(CLIENT, rights, kind=ClientKind.WORLD_AGENT)
    return Place(root, workspace, None)


async def first_tokens(wire: str, address: str, n_times: int) -> Row:
    """Processor time of this thread until the first piece of text, by our wire and without it."""
    model = WIRES[wire]("gull", "gull-1", address=address)
    request = Request("gull-1", (Message("user", QUESTION),))
    client: Any
    if wire == CHAT:
        client = openai.AsyncOpenAI(api_key="none", base_url=address)
        ask = client.chat.completions.create
    else:
        client = anthropic.AsyncAnthropic(api_key="none", base_url=address)
        ask = client.messages.create

    async def ours() -> AsyncIterator[Any]:
        return model.stream(request)

    async def theirs() -> AsyncIterator[Any]:
        streamed: AsyncIterator[Any] = await ask(
            model="gull-1", messages=[BEGINS], max_tokens=4_096, stream=True
        )
        return streamed

    spent: dict[str, list[float]] = {"ours": [], "theirs": []}
    for _ in range(n_times + 1):  # the first one connects, and imports what is left
        spent["ours"].append(await until_text(ours, lambda one: isinstance(one, TextDelta)))
        spent["theirs"].append(await until_text(theirs, _is_text))
    await client.close()
    mine, bare = (statistics.median(each[1:]) for each in spent.values())
    return Row(
        f"first token on {wire} (bare is its library and {LAYER_BOUND_MS:g} ms)",
        mine, bare + LAYER_BOUND_MS, "ms CPU", "<= 1", n_times, f"{mine - bare:+.1f} ms",
    )  # fmt: skip


async def until_text(
    ask: Callable[[], Awaitable[AsyncIterator[Any]]], is_text: Callable[[Any], bool]
) -> float:
    """Milliseconds of this thread's processor time; what comes after it is read and not counted."""
    begun, spent = time.thread_time(), 0.0
    async for one in await ask():
        if not spent and is_text(one):
            spent = (time.thread_time() - begun) * 1000
    return spent


def _is_text(piece: Any) -> bool:
    choices = getattr(piece, "choices", None)
    return bool(choices[0].delta.content) if choices else piece.type == "content_block_delta"


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, tokens=50, stops=20).parse_args()
    measure(chosen.tokens, chosen.stops).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
