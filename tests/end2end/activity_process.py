"""Carries an activity out, says so once the agent is at work, and waits to be killed.

``python -m tests.end2end.activity_process ROOT WORKSPACE ACTIVITY COMMAND``
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from inklings_desktop.agent_client.headless import HeadlessAgent
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.ports.progress import Progress
from tests.support.stand_ins import with_agent


def main(root: str, workspace: str, activity: str, command: str) -> None:
    """Run it, and say ``at work`` once a tool was called."""

    def report(_step: str, _done: int, _total: int) -> None:
        sys.stdout.write("at work\n")
        sys.stdout.flush()

    opening = open_inklings(
        Path(root), workspace=workspace, embedder=NullEmbedder("none"), embed_writes=False
    )
    with opening as opened:
        inklings = with_agent(opened, HeadlessAgent(lambda _: json.loads(command)))
        inklings.activities.run(workspace, activity, progress=Progress(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
