"""The agent's program with a model that plays a script: ``python -m … SCRIPT [arguments]``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from inklings_desktop import agent_program
from tests.support.fake_model import FakeModel

if __name__ == "__main__":
    lines = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    agent_program.main(sys.argv[2:], planner=FakeModel(lines))
