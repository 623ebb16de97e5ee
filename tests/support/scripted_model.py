"""The agent's program with a model that plays a script: ``python -m … SCRIPT [arguments]``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from inklings_desktop import agent_program
from tests.support.scripted_chat import ScriptedModels

if __name__ == "__main__":
    lines = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    agent_program.main(sys.argv[2:], models=ScriptedModels(lines))
