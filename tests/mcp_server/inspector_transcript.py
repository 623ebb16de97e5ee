"""What the MCP Inspector sees at the agent's door, written down as a Markdown page.

    python -m tests.mcp_server.inspector_transcript > docs/inspector_transcript.md

Needs npx and the packages of ``packaging/npm-packages.txt``. Makes a data root of its own.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mcp_server.agent_door import LOOM, STRANGER, agent_door
from tests.mcp_server.inspector import Inspector, call, pinned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.mcp_server.inspector import Said

BELL = "The bell of Wend is never rung at noon."
CRACKED = "The bell of Wend is cracked and never rung again."
KEYS = "The key is AKIA" + "IOSFODNN7EXAMPLE."
QUESTIONS: tuple[tuple[str, str, list[str]], ...] = (
    ("The author's own agent lists its tools.", LOOM, ["--method", "tools/list", "--strict"]),
    ("A client that was let in to read lists its tools.", STRANGER, ["--method", "tools/list"]),
    ("What can be read by its address.", LOOM, ["--method", "resources/templates/list"]),
    (
        "Remember something.",
        LOOM,
        call("memory_put", tier="workspace", content=BELL, importance=0.8, tags=["bell"]),
    ),
    (
        "Say the same again: nothing is added.",
        LOOM,
        call("memory_put", tier="workspace", content=BELL.upper()),
    ),
    (
        "Replace it by what is true now: the old one is forgotten and both are linked.",
        LOOM,
        call("memory_put", tier="workspace", content=CRACKED, replaces="ID-1"),
    ),
    (
        "Something else, which is corrected into what is there already.",
        LOOM,
        call("memory_put", tier="workspace", content="The bell of Wend was cast in one night."),
    ),
    (
        "The correction.",
        LOOM,
        call(
            "memory_update",
            tier="workspace",
            id="ID-4",
            patch={"content": f"\u201c{CRACKED}\u201d"},
            expected_version=1,
        ),
    ),
    (
        "What looks like a key waits for the author.",
        LOOM,
        call("memory_put", tier="workspace", content=KEYS),
    ),
    (
        "Find it again: framed as a candidate, with the ids of what says the same beside it.",
        LOOM,
        call("memory_read", tier="workspace", query="when is the bell rung?", limit=3),
    ),
    (
        "The document that a turn begins with.",
        LOOM,
        call("memory_orient", query="bell", tiers=["workspace"]),
    ),
    ("Which channels are open, and for what.", LOOM, call("channel_list", archived="false")),
    (
        "A channel that is not there is answered with the names of those that are.",
        LOOM,
        call("memory_read", tier="channel", scope="#genral", query="bell"),
    ),
    (
        "Go through a scope, newest first.",
        LOOM,
        call("memory_list", tier="workspace", limit=1),
    ),
    ("The prompts that a person can pick.", LOOM, ["--method", "prompts/list"]),
    (
        "A prompt: whether something has to be kept, beside what is known about it.",
        LOOM,
        [
            *("--method", "prompts/get", "--prompt-name", "remember"),
            *("--prompt-args", "what=The bell of Wend is cracked."),
        ],
    ),
    (
        "The account tier is closed to a stranger.",
        STRANGER,
        call("memory_read", tier="account", query="bell"),
    ),
    (
        "A limit is named when it is passed.",
        LOOM,
        call("memory_read", tier="workspace", query="bell", limit=101),
    ),
    ("A wrong argument is named, never repeated.", LOOM, call("memory_read", tier="palace")),
)


def pages(inspector: Inspector, root: Path, workspace: str) -> Iterator[str]:
    """The page, part by part."""
    program = " ".join(inspector.packages)
    yield "# The MCP Inspector at the agent's door\n"
    yield (
        "Written by `python -m tests.mcp_server.inspector_transcript`: the command line of the MCP"
        f" Inspector ({program}) starts `inklings mcp serve` over stdio once per question. The"
        " data root is a fresh one; ids and times differ from run to run.\n"
    )
    stored: list[str] = []
    for title, client, wording in QUESTIONS:
        question = [_with_ids(one, stored) for one in wording]
        said = inspector.ask_stdio(root, workspace, client, *question)
        if "memory_put" in question and '"memory"' in said.out:
            stored.append(said.document["structuredContent"]["memory"]["id"])
        asked = " ".join(json.dumps(one) if " " in one else one for one in question)
        yield f"## {title}\n"
        yield f"```console\n$ mcp-inspector --cli inklings mcp serve --client {client} {asked}"
        yield f"{answer_of(said, question)}\n```\n"
        if said.err.strip():
            yield f"On standard error, with exit status {said.status}:\n"
            yield f"```\n{said.err.strip()}\n```\n"


def _with_ids(argument: str, stored: list[str]) -> str:
    """An argument with the id of the n-th stored memory in the place of ``ID-n``."""
    for number, memory_id in enumerate(stored, 1):
        argument = argument.replace(f"ID-{number}", memory_id)
    return argument


def answer_of(said: Said, question: list[str]) -> str:
    """Its standard output; of a list of tools one line each, without the schemas."""
    if "tools/list" not in question or not said.out.strip():
        return said.out.strip()
    lines = [
        f"{tool['name']:30}{tool['title']:28}{hints(tool['annotations'])}"
        for tool in said.document["tools"]
    ]
    return "\n".join(lines)


def hints(annotations: dict[str, bool]) -> str:
    """The annotations that are set, as words."""
    words = {"readOnlyHint": "reads", "destructiveHint": "removes", "idempotentHint": "repeatable"}
    return ", ".join(word for key, word in words.items() if annotations.get(key))


def main() -> None:
    """Print the page."""
    inspector = Inspector(pinned()[-1])
    if not inspector.is_there():
        sys.exit("npx cannot run the inspector here: " + " ".join(inspector.packages))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        with agent_door(root) as door:
            workspace = door.workspace.id
        for part in pages(inspector, root, workspace):
            sys.stdout.write(part + "\n")


if __name__ == "__main__":
    main()
