from __future__ import annotations

import math
import os
import stat
from pathlib import Path

import pytest

from inklings_desktop.domain.background.cadence import BackgroundConfig, Cadence, PruneMode
from inklings_desktop.domain.errors import InvalidValueError, OutsideFileError
from inklings_desktop.domain.memories.decay import DecayPreset
from inklings_desktop.domain.memory import Tier
from inklings_desktop.settings import (
    FILE_NAME,
    Appearance,
    Settings,
    load_settings,
)
from inklings_desktop.settings_file import (
    LiveSettings,
    Problem,
    appearance_values,
    save_values,
)

DARK = Appearance("dark", "compact", 1.2)
LOOK = appearance_values(DARK)


def write(folder: Path, text: str) -> Path:
    path = folder / FILE_NAME
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return path


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()
    assert load_settings(tmp_path / "missing") == Settings()
    assert Settings().cap == 10_000
    assert Settings().decay == DecayPreset.REFERENCE.value


def test_every_value_is_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        [person]
        display_name = " Ada "
        [appearance]
        theme = "dark"
        density = "compact"
        text_scale = 1.2
        [decay]
        preset = "slow"
        channel = 0.5
        [memory]
        cap = 500
        [future]
        unknown = true
        """,
    )
    settings = load_settings(tmp_path)
    assert settings.display_name == settings.person_name == "Ada"
    assert settings.appearance == DARK
    assert settings.cap == 500
    rates = [settings.decay.rate(tier) for tier in Tier]
    assert rates == [0.99, 0.5, 0.998, 0.999]
    assert settings.problems == ()


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("[appearance]\ntheme = 'neon'", ("appearance.theme",)),
        ("[appearance]\ntheme = 3", ("appearance.theme",)),
        ("[appearance]\ndensity = 'tight'", ("appearance.density",)),
        ("[appearance]\ntext_scale = 9.0", ("appearance.text_scale",)),
        ("[appearance]\ntext_scale = nan", ("appearance.text_scale",)),
        ("[appearance]\ntext_scale = true", ("appearance.text_scale",)),
        ("[decay]\npreset = 'fast'", ("decay.preset",)),
        ("[decay]\nchannel = 0", ("decay.channel",)),
        ("[decay]\nchannel = 1.01", ("decay.channel",)),
        ("[decay]\naccount = '0.9'", ("decay.account",)),
        ("[decay]\nworkspace = inf", ("decay.workspace",)),
        ("[memory]\ncap = 0", ("memory.cap",)),
        ("[memory]\ncap = 1000001", ("memory.cap",)),
        ("[memory]\ncap = 10.5", ("memory.cap",)),
        ("[memory]\ncap = true", ("memory.cap",)),
        ("[person]\ndisplay_name = 5", ("person.display_name",)),
        ('[person]\ndisplay_name = "a\\nb"', ("person.display_name",)),
        (f"[person]\ndisplay_name = '{'x' * 121}'", ("person.display_name",)),
        ("person = 1\nappearance = 2\ndecay = 3\nmemory = 4",
         ("person", "appearance", "memory", "decay")),
        ("not toml at all [", (FILE_NAME,)),
        ("\udcff", (FILE_NAME,)),
        ("a = " + "[" * 5000, (FILE_NAME,)),
        ("[memory]\ncap = " + "1" * 5000, (FILE_NAME,)),
    ],
    ids=lambda value: None if isinstance(value, tuple) else value[:30].encode("ascii", "replace"),
)  # fmt: skip
def test_a_value_that_cannot_be_used_is_named_and_replaced(
    tmp_path: Path, text: str, problems: tuple[str, ...]
) -> None:
    write(tmp_path, text)
    settings = load_settings(tmp_path)
    assert settings == Settings(problems=problems)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    assert load_settings(tmp_path).problems == (FILE_NAME,)


def test_a_byte_order_mark_and_other_line_ends_do_no_harm(tmp_path: Path) -> None:
    write(tmp_path, '\ufeff[appearance]\r\ntheme = "dark"\r\n')
    assert load_settings(tmp_path).appearance.theme == "dark"
    save_values(tmp_path, LOOK)
    assert load_settings(tmp_path).appearance == DARK
    assert b'theme = "dark"\r\n' in (tmp_path / FILE_NAME).read_bytes()


def test_the_first_save_writes_a_file_that_explains_itself(tmp_path: Path) -> None:
    save_values(tmp_path, LOOK)
    text = (tmp_path / FILE_NAME).read_text(encoding="utf-8")
    assert text.count("#") > 5
    assert load_settings(tmp_path) == Settings(appearance=DARK)


def test_comments_and_unknown_keys_survive_a_save(tmp_path: Path) -> None:
    before = (
        "# mine\n"
        "[appearance] # look\n"
        'theme = "light" # by day\n'
        "font = 'Alegreya'\n"
        "\n"
        "[future]\n"
        "key = 1 # keep\n"
    )
    write(tmp_path, before)
    save_values(tmp_path, LOOK)
    after = (tmp_path / FILE_NAME).read_text(encoding="utf-8")
    for kept in ("# mine", "# look", "# by day", "font = 'Alegreya'", "key = 1 # keep"):
        assert kept in after
    assert load_settings(tmp_path).appearance == DARK
    save_values(tmp_path, LOOK)
    assert (tmp_path / FILE_NAME).read_text(encoding="utf-8") == after


@pytest.mark.parametrize(
    "text",
    ["theme = [", "appearance = 3", "\udcff", "a = " + "[" * 5000],
    ids=["unclosed", "no table", "no text", "deep"],
)
def test_a_file_that_is_no_settings_is_left_alone(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    before = path.read_bytes()
    with pytest.raises(InvalidValueError) as caught:
        save_values(tmp_path, LOOK)
    assert (caught.value.field, caught.value.rule) == ("settings", "toml")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_saved_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    save_values(tmp_path, LOOK)
    assert list(tmp_path.iterdir()) == [tmp_path / FILE_NAME]
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_a_folder_that_is_not_there_is_an_error_of_the_environment(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        save_values(tmp_path / "missing", LOOK)


def test_a_person_without_a_name_is_the_system_user(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, "inkwell")
    assert Settings().person_name == "inkwell"
    assert Settings(display_name="Ada").person_name == "Ada"


def test_the_bounds_of_a_text_size_are_included(tmp_path: Path) -> None:
    for scale in (0.9, 1, 1.4):
        write(tmp_path, f"[appearance]\ntext_scale = {scale}")
        assert math.isclose(load_settings(tmp_path).appearance.text_scale, scale)
        assert load_settings(tmp_path).problems == ()


def test_background_work_is_set_in_tables_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(
        """
[embedding]
model = "tiny-768"
word_by_word = false
[background]
backfill_minutes = 0
forget_at_close = false
faded = "review"
[background.channel]
new_entries = 5
idle_minutes = 2.5
every_hours = 0
""",
        encoding="utf-8",
    )
    settings = load_settings(tmp_path)
    background = settings.background
    assert settings.problems == ()
    assert (settings.model_id, settings.word_by_word) == ("tiny-768", False)
    assert (background.backfill_minutes, background.forget_at_close) == (0, False)
    assert background.prune is PruneMode.REVIEW
    assert background.channel == Cadence(5, 2.5, 0)
    assert background.workspace == BackgroundConfig().workspace


def test_background_values_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(
        """
[embedding]
model = 3
word_by_word = "yes"
[background]
backfill_minutes = -1
forget_at_close = "no"
faded = "burn"
workspace = 4
[background.account]
new_entries = "many"
""",
        encoding="utf-8",
    )
    settings = load_settings(tmp_path)
    assert settings.background == BackgroundConfig()
    assert (settings.model_id, settings.word_by_word) == ("", True)
    assert set(settings.problems) == {
        "embedding.model",
        "embedding.word_by_word",
        "background.backfill_minutes",
        "background.forget_at_close",
        "background.faded",
        "background.workspace",
        "background.account.new_entries",
    }


def test_choosing_a_model_leaves_the_rest_of_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\n[memory]\ncap = 7\n", encoding="utf-8")
    save_values(tmp_path, {"embedding.model": "tiny-768"})
    settings = load_settings(tmp_path)
    assert (settings.model_id, settings.cap) == ("tiny-768", 7)
    assert path.read_text(encoding="utf-8").startswith("# mine\n[memory]\ncap = 7\n")


def test_keeping_the_program_running_is_off_until_it_is_chosen(tmp_path: Path) -> None:
    assert not load_settings(tmp_path).keep_running
    path = tmp_path / "settings.toml"
    path.write_text("# mine\n[background]\nbackfill_minutes = 5\n", encoding="utf-8")
    save_values(tmp_path, {"background.keep_running": True})
    settings = load_settings(tmp_path)
    assert settings.keep_running
    assert settings.background.backfill_minutes == 5
    assert path.read_text(encoding="utf-8").startswith("# mine\n[background]\n")
    path.write_text('[background]\nkeep_running = "often"\n', encoding="utf-8")
    assert load_settings(tmp_path).problems == ("background.keep_running",)
    assert not load_settings(tmp_path).keep_running


def test_the_agent_begins_in_an_idle_window_until_that_is_switched_off(tmp_path: Path) -> None:
    assert load_settings(tmp_path).starts_agent
    save_values(tmp_path, {"agent.prestart": False})
    assert not load_settings(tmp_path).starts_agent
    write(tmp_path, '[agent]\nprestart = "soon"\n')
    assert load_settings(tmp_path).problems == ("agent.prestart",)
    assert load_settings(tmp_path).starts_agent
    write(tmp_path, "agent = 1\n")
    assert load_settings(tmp_path).problems == ("agent",)


def test_a_hand_edit_holds_from_the_next_question_on(tmp_path: Path) -> None:
    live = LiveSettings(tmp_path)
    assert live().cap == 10_000
    write(tmp_path, "[memory]\ncap = 7\n")
    assert live().cap == 7
    (tmp_path / FILE_NAME).unlink()
    assert live().cap == 10_000


def test_what_held_goes_on_while_the_file_is_half_written(tmp_path: Path) -> None:
    write(tmp_path, "[memory]\ncap = 7\n")
    live = LiveSettings(tmp_path)
    write(tmp_path, "[memory\ncap = 8\n")
    assert (live().cap, live().problems) == (7, (FILE_NAME,))
    write(tmp_path, "[memory]\ncap = 8\n")
    assert (live().cap, live().problems) == (8, ())


def test_a_value_in_a_table_of_a_table_is_written_and_taken_out(tmp_path: Path) -> None:
    write(tmp_path, "[background.channel] # rooms\nnew_entries = 3\nidle_minutes = 4\n")
    live = LiveSettings(tmp_path)
    live.save({"background.channel.new_entries": 5, "background.account.every_hours": 2.5})
    assert live().background.channel.new_entries == 5
    assert live().background.channel.idle_minutes == 4
    assert live().background.account.every_hours == 2.5
    live.save({"background.channel.idle_minutes": None, "background.channel.no_such_key": None})
    assert live().background.channel.idle_minutes == BackgroundConfig().channel.idle_minutes
    assert "# rooms" in (tmp_path / FILE_NAME).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# mine\n\n[memory]\ncap = 0\n", Problem("memory.cap", 4)),
        ("[background]\n\n[background.channel]\nnew_entries = -1", Problem(
            "background.channel.new_entries", 4)),
        ("background.channel.new_entries = -1", Problem("background.channel.new_entries", 1)),
        ("decay = 3", Problem("decay", 1)),
        ("[memory]\ncap = 7\n[memory\n", Problem(FILE_NAME, 3)),
        ("[memory]\r\ncap = 7\r\nx = \r\n", Problem(FILE_NAME, 3)),
        ("memory = {cap = 0}", Problem("memory.cap", 0)),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_said_by_line(tmp_path: Path, text: str, problem: Problem) -> None:
    write(tmp_path, text)
    assert LiveSettings(tmp_path).problems() == (problem,)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    live = LiveSettings(tmp_path / "missing")
    with pytest.raises(OutsideFileError) as caught:
        live.save(LOOK)
    assert caught.value.path == tmp_path / "missing" / FILE_NAME


def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(tmp_path / "settings.toml")
    assert load_settings(tmp_path).problems == ("settings.toml",)
