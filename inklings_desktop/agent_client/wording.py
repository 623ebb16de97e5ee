"""Has the World Agent's model word a text, in a process that ends with the answer."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from datetime import date
from typing import TYPE_CHECKING

from inklings_desktop.agent_client.launching import own_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORDING = ("--complete", "merge")
SECONDS = 60.0
MOST_A_DAY = 100
"""Texts that are asked for in one day by one process; what is spent has a ceiling besides."""


class AgentWording:
    """The ``Wording`` of this installation's agent."""

    def __init__(
        self,
        command: Callable[[str | None], list[str] | None],
        today: Callable[[], date] = date.today,
    ) -> None:
        """Start nothing yet.

        Args:
            command: Starts the agent on a workspace; None where it is not installed.
            today: Tells the day.
        """
        self._command, self._today = command, today
        self._lock = threading.Lock()
        self._day, self._texts = today(), dict[tuple[str | None, ...], str]()

    def worded(self, workspace_id: str | None, texts: Sequence[str]) -> str | None:
        with self._lock:
            if self._day != self._today():
                self._day = self._today()
                self._texts.clear()
            key = (workspace_id, *texts)
            if key not in self._texts and len(self._texts) < MOST_A_DAY:
                text = self._asked(workspace_id, texts)
                if text is None:
                    return None
                self._texts[key] = text
            return self._texts.get(key)

    def _asked(self, workspace_id: str | None, texts: Sequence[str]) -> str | None:
        command = self._command(workspace_id)
        if command is None or workspace_id is None:  # what it costs is kept in a workspace
            return None
        try:
            done = subprocess.run(  # noqa: S603 - our own program, without a shell
                [*command, *WORDING],
                input=json.dumps({"texts": list(texts)}),
                capture_output=True,
                check=True,
                encoding="utf-8",
                env=own_environment(os.environ),
                timeout=SECONDS,
            )
            text = json.loads(done.stdout)["text"]
        except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
            return None  # it is merged without a model then
        return text.strip() or None if isinstance(text, str) else None
