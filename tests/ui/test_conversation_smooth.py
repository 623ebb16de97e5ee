"""An agent that floods, and texts made to do harm: the page goes on, and fetches nothing."""

from __future__ import annotations

import select
import socket
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from inklings_desktop.acp_wire import words
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.ui.talk_bench import TalkBench, silent_agent, talk
from tests.ui.widgets.hostile_documents import hostile_documents

pytestmark = pytest.mark.usefixtures("qapp")

N_CHUNKS = 2_000
TICK_MS = 10
MOST_LATE_SECONDS = 0.016
MOST_SECONDS = 0.3 * SLOWNESS


def test_page_stays_smooth(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        late: list[float] = []
        watch = Stopwatch()
        timer = QTimer()
        timer.setInterval(TICK_MS)

        def tick() -> None:
            nonlocal watch
            late.append(max(0.0, watch.seconds - TICK_MS / 1000))
            watch = Stopwatch()

        timer.timeout.connect(tick)
        timer.start()  # before anything comes: of a quick machine the end alone would be looked at
        await bench.say(f"flood {N_CHUNKS}")
        await bench.until(lambda: bench.page.said.is_running and bool(bench.last_words()))
        await bench.answered()
        timer.stop()
        assert bench.last_words().count("word") == N_CHUNKS
        late.sort()
        assert len(late) > 5
        assert late[int(len(late) * 0.95)] <= MOST_LATE_SECONDS * SLOWNESS

    talk(tmp_path, act)


def test_render_hostile(tmp_path: Path) -> None:
    picture, secret = tmp_path / "picture.png", tmp_path / "secret.txt"
    secret.write_text("the harbour has a second gate", "utf-8")

    async def act(bench: TalkBench) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            documents = hostile_documents(picture, secret, listening.getsockname()[1])
            for number, (name, text) in enumerate(documents.items()):
                watch = Stopwatch()
                bench.page.said.begin([{"kind": "text", "text": name}])
                turn = {"turn": f"t{number}-0a0a0a0a"}
                update = {
                    "sessionUpdate": words.AGENT_CHUNK,
                    "content": {"type": "text", "text": text},
                    "_meta": {words.OWN: turn},
                }
                bench.page.said.apply(update)
                bench.page.draw()
                bench.page.said.finish(words.END_TURN, turn["turn"], 1)
                bench.page.draw()
                bench.view.thread_view.grab()
                assert watch.seconds < MOST_SECONDS, name
                assert "second gate" not in bench.last_words(), name
            assert not select.select([listening], [], [], 0.2)[0]

    talk(tmp_path, act, launch=silent_agent)
