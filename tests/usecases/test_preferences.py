"""What is set is saved for the person alone, holds at once, and is told to whoever listens."""

from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.memories.changes import MemoryChanges
from tests.support.builders import an_agent
from tests.ui.presenter_bench import a_bench


def test_rates_hold_from_the_next_question_on_and_every_list_hears(tmp_path: Path) -> None:
    heard: list[MemoryChanges] = []
    with a_bench(tmp_path) as bench:
        bench.inklings.feed.subscribe(lambda one: heard.append(one) if one.settings else None)
        saved = bench.inklings.preferences.save({"decay.workspace": 0.999})
        assert saved.decay.workspace == bench.inklings.settings.decay.workspace == 0.999
        assert [(one.settings, one.reload) for one in heard] == [(True, True)]
        bench.inklings.preferences.save({"decay.workspace": 0.999})
        assert len(heard) == 1, "nothing is set otherwise"
        bench.inklings.preferences.save({"background.faded": "keep"})
        assert [(one.settings, one.reload) for one in heard[1:]] == [(True, False)]


def test_a_hand_edit_is_told_once(tmp_path: Path) -> None:
    heard: list[MemoryChanges] = []
    with a_bench(tmp_path) as bench:
        seen = bench.inklings.settings
        bench.inklings.feed.subscribe(lambda one: heard.append(one) if one.settings else None)
        (tmp_path / "settings.toml").write_text("[memory]\ncap = 5\n", encoding="utf-8")
        seen = bench.inklings.preferences.notice(seen)
        assert seen.cap == 5
        bench.inklings.preferences.notice(seen)
        assert [one.settings for one in heard] == [True]


def test_an_agent_sets_nothing(tmp_path: Path) -> None:
    with a_bench(tmp_path) as bench:
        agent = bench.inklings.as_caller(an_agent(bench.workspace.id))
        with pytest.raises(ScopeDeniedError):
            agent.preferences.save({"memory.cap": 5})
        assert not (tmp_path / "settings.toml").exists()


def test_a_broken_file_is_left_alone_and_said_by_line(tmp_path: Path) -> None:
    with a_bench(tmp_path) as bench:
        path = tmp_path / "settings.toml"
        path.write_text("[memory]\ncap = [\n", encoding="utf-8")
        with pytest.raises(InvalidValueError):
            bench.inklings.preferences.save({"memory.cap": 5})
        assert path.read_text(encoding="utf-8") == "[memory]\ncap = [\n"
        assert [one.key for one in bench.inklings.preferences.problems()] == ["settings.toml"]
