"""What the Conversation page costs the window: nothing before it is first shown, little after.

A real window in a process of its own, without a display, over a workspace in which the World Agent
is let in. Its memory on the Memory page, everything settled, is compared with its memory once the
Conversation page stands, its agent runs in a process of its own, and a question was answered there.
A start, up to the first rows, is compared with that of a window that has no such page.

    python -m benchmarks.agent_window [--memories 1000] [--runs 5] [--json]
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.agent_start import compiled_anew
from benchmarks.agent_talk import CLIENT, host_of, wait_until_gone
from benchmarks.cold_start import OURS, cpu_seconds
from benchmarks.made_worlds import make_world
from benchmarks.measuring import Report, Row, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights

QUESTION = "Who keeps the harbour glass at night?"
PAGE_BOUND_MB = 12.0
WINDOW_SECONDS = 120
WITHOUT_PAGE = """
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE
from inklings_desktop.ui.window import register
every = register.page_specs()
register.page_specs = lambda: tuple(one for one in every if one.id != CONVERSATION_PAGE)
"""
WINDOW = """
import asyncio, json, os, sys, traceback
from pathlib import Path
from inklings_desktop.bootstrap import run_window
from inklings_desktop.ui.app.plain_imports import import_plainly
import_plainly()  # where the program itself does it
from inklings_desktop.ui.app import application as app
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE
root, conversation, question, settled = Path(sys.argv[1]), *sys.argv[2:4], float(sys.argv[4])
OWN = ("inklings_desktop.ui.conversation", "inklings_desktop.agent", "inklings_desktop.acp_wire",
       "acp", "pydantic", "langgraph", "langchain_core", "mcp")

def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

async def until(holds):
    while not holds():
        await asyncio.sleep(0.02)

def failed(watching):
    traceback.print_exception(watching.exception())
    os._exit(1)

class Watched(app.MainWindow):
    async def attach(self, background, inklings):
        await super().attach(background, inklings)
        self.watching = asyncio.ensure_future(self.watched())
        self.watching.add_done_callback(failed)

    async def watched(self):
        await asyncio.sleep(settled)
        early = sorted(one for one in sys.modules if one.startswith(OWN))
        before = resident()
        self.show_page(CONVERSATION_PAGE)
        await until(lambda: self.opened.conversation is not None)
        page = self.opened.conversation
        await until(lambda: page.content is not None and page.content.talk is not None)
        await until(lambda: page.host.now is not None and page.host.now.is_ready)
        over = []
        page.host.now.turn_over.connect(over.append)
        page.host.now.talk.prompt(conversation, [{"kind": "text", "text": question}])
        await until(lambda: over)
        await asyncio.sleep(settled)
        turn = page.said.turns[-1]
        told = {"before": before, "after": resident(), "early": early, "state": turn.state,
                "answer": sum(len(getattr(one, "text", "")) for one in turn.blocks)}
        print(json.dumps(told), flush=True)
        page.close()
        os._exit(0)

app.MainWindow = Watched
run_window(root)
os._exit(1)
"""


def measure(
    n_memories: int, n_runs: int, settled_seconds: float = 3.0, *, is_smoke: bool = False
) -> Report:
    """Both figures over a workspace of this size.

    Args:
        n_memories: In the workspace.
        n_runs: Windows that are opened for each figure.
        settled_seconds: How long a window is left alone before its memory is looked at.
        is_smoke: Whether nobody reads the figures: no start is thrown away then, and nothing is
            compiled anew.

    Raises:
        RuntimeError: The agent did not answer.
    """
    settings = {"memories": n_memories, "runs": n_runs, "settled": settled_seconds}
    report = Report("agent_window", settings=settings)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        conversation = let_in(root, make_world(root, n_memories, with_vectors=False).id)
        (root / "settings.toml").write_text("[agent]\nprestart = false\n", encoding="utf-8")
        grown: list[float] = []
        early: set[str] = set()
        for _ in range(n_runs):
            told = watched(root, conversation, settled_seconds)
            grown.append(told["after"] - told["before"])
            early.update(told["early"])
        report.rows.append(
            Row(
                "memory of the window, Conversation page and agent more (bare is the bound)",
                statistics.median(grown), PAGE_BOUND_MB, "MB", "<= 1", n_runs,
                f"on the Memory page {told['before']:.0f} MB; most {max(grown):.1f} MB",
            )
        )  # fmt: skip
        report.settings["modules of it before it is shown"] = sorted(early)
        report.rows.append(starts(root, n_runs, is_smoke=is_smoke))
    report.settings["load_average"] = [round(one, 2) for one in os.getloadavg()]
    return report


def let_in(root: Path, workspace: str) -> str:
    """Id of a conversation into which the World Agent is let."""
    with open_inklings(root, embed_writes=False) as inklings:
        rights = preset_rights(ClientKind.WORLD_AGENT, workspace)
        inklings.clients.grant(CLIENT, rights, kind=ClientKind.WORLD_AGENT)
        room = inklings.conversations.start(workspace)
        inklings.conversations.invite(workspace, room.id, CLIENT)
        return room.id


def watched(root: Path, conversation: str, settled_seconds: float) -> dict[str, Any]:
    """What one window says of itself; it and all that it started have ended afterwards."""
    told = subprocess.run(
        [sys.executable, "-c", WINDOW, str(root), conversation, QUESTION, str(settled_seconds)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        timeout=WINDOW_SECONDS,
        encoding="utf-8",
        check=False,
    )
    if (host := host_of(root)) is not None:
        os.kill(host, signal.SIGKILL)
        wait_until_gone(host)
    if told.returncode:
        raise RuntimeError(f"a window failed: {told.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(told.stdout)
    if found["state"] != "complete" or not found["answer"]:
        raise RuntimeError(f"no answer in the window: {found}")
    return found


def starts(root: Path, n_runs: int, *, is_smoke: bool = False) -> Row:
    """A start up to the first rows, with the page and without it."""
    ways = {"ours": OURS, "bare": WITHOUT_PAGE + OURS}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    with compiled_anew(is_smoke=is_smoke) as bytecode:
        for round_ in range(is_smoke, n_runs + 1):
            for name, program in ways.items():
                spent = cpu_seconds([program, str(root), "rows"], bytecode)
                if round_:  # the first round fills the disk's cache and compiles the modules
                    seconds[name].append(spent)
    ours, bare = (statistics.median(seconds[name]) for name in ("ours", "bare"))
    label = "start of a window to its first rows (bare has no Conversation page)"
    return Row(label, ours, bare, "s CPU", "<= 1.05", n_runs)


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, memories=1_000, runs=5).parse_args()
    measure(chosen.memories, chosen.runs).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
