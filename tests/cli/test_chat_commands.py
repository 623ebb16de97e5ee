"""``inklings chat``, with an agent that does what is said to it."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.agent_client import launching
from inklings_desktop.cli.agents.chat_terminal import ChatTerminal
from tests.architecture.contract_report import REPOSITORY
from tests.cli.console import Console
from tests.support.stopwatch import HANG_SECONDS, until
from tests.support.wide import mostly_wide

GRANT = ("mcp", "grant", "world-agent", "--as", "world-agent")


@pytest.fixture
def scripted(world: Console, tmp_path: Path) -> Console:
    """A console whose agent does what is said to it, and which was let in."""

    def command(_data_dir: Path, _workspace: str) -> list[str]:
        module = "tests.support.scripted_agent"
        return [sys.executable, "-m", module, str(tmp_path / "turns.json")]

    world.document(*GRANT)
    return replace(world, program=replace(world.program, agent_command=command))


def test_one_message_and_its_answer(scripted: Console) -> None:
    said = scripted("chat", "--message", "say The harbour hums")
    assert (said.status, said.out, said.err) == (0, "The harbour hums \n", "")


def test_a_message_comes_from_standard_input_as_well(scripted: Console) -> None:
    said = scripted("chat", "--message", "-", stdin=b"say Hello\n")
    assert (said.status, said.out) == (0, "Hello \n")


@pytest.mark.parametrize("size", [1, 7, 200])
def test_a_link_to_a_memory_is_short_in_whatever_pieces_it_comes(
    capsys: pytest.CaptureFixture[str], size: int
) -> None:
    memory = "0b4d7e90-0000-4000-8000-000000000001"
    text = f"Noted [open](memory:workspace/{memory}) [1] [a](b) and [the rest\n[x"
    terminal = ChatTerminal(as_json=False)
    with terminal.turn():
        for at in range(0, len(text), size):
            terminal.write(text[at : at + size])
    said = capsys.readouterr().out
    assert said == "Noted open [0b4d7e90] [1] [a](b) and [the rest\n[x\n"


@pytest.mark.parametrize("size", [1, 2, 7, 200])
@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("*Based on an earlier entry*", "Based on an earlier entry"),
        ("so **very *much* of** it, ***all*** of it", "so very much of it, all of it"),
        ("* one\n* *two*\n2 * 3 * 4 is *n", "* one\n* two\n2 * 3 * 4 is *n"),
        ("`*p*` is code, \\*this\\* is none", "`*p*` is code, *this* is none"),
        ("\\| C:\\new `\\*` 1\\. \\\\", "| C:\\new `\\*` 1. \\"),
        ("```c\n*p*\n```\n*p*", "```c\n*p*\n```\np"),
        (f"*{'far ' * 300}", f"*{'far ' * 300}"),
    ],
)
def test_stars_of_emphasis_are_left_out_in_whatever_pieces_they_come(
    capsys: pytest.CaptureFixture[str], text: str, printed: str, size: int
) -> None:
    terminal = ChatTerminal(as_json=False)
    with terminal.turn():
        for at in range(0, len(text), size):
            terminal.write(text[at : at + size])
    assert capsys.readouterr().out == f"{printed}\n"


SEVERAL = b"forget each Bell Harbour Tower\n"


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        (b"1 3\n", "once of bell tower"),
        (b"2\n", "once of harbour"),
        (b"1, 2 and 3\n", "once of bell harbour tower"),
        (b"4\n0\ny 1\nn2\n3\n", "once of tower"),
        (b"y\n", "once of "),
        (b"n\n", "deny of "),
    ],
)
def test_numbers_allow_some_of_several_and_nothing_else_does(
    scripted: Console, typed: bytes, chosen: str
) -> None:
    said = scripted("chat", stdin=SEVERAL + typed + b"say Over\n", typed=True)
    assert f"You chose {chosen}." in said.out
    assert said.out.rstrip().endswith("Over")
    assert "  1 2  allow only these numbers\n" in said.err


def test_a_number_is_no_answer_to_a_question_about_one(scripted: Console) -> None:
    said = scripted("chat", stdin=b"forget it\n1\ny\n", typed=True)
    assert "You chose once." in said.out
    assert "these numbers" not in said.err


def test_every_line_is_a_message(scripted: Console) -> None:
    said = scripted("chat", stdin=b"say One\n\n  say Two  \n")
    assert (said.status, said.out, said.err) == (0, "One \nTwo \n", "")


def test_list_that_a_line_announces_is_one_message_in_a_pipe(scripted: Console) -> None:
    piped = b"say Remember:\n\nOne\n- Two\n\nsay Three\nsay Four:\n"
    assert scripted("chat", stdin=piped).out == "Remember: One - Two \nThree \nFour: \n"


def test_end_in_a_script_keeps_what_it_would_and_says_which(world: Console) -> None:
    world.document(*GRANT)
    piped = b"Hello there.\nWe decided that Nerys dies in chapter nine.\n/end\n"
    said = world("chat", stdin=piped)
    assert said.status == 0, said.err
    assert "The conversation is over.\n\nKept in its channel:\n- \u201cWe decided that" in said.out
    kept = world.document("memory", "list", "--tier", "channel")["memories"]
    assert [one["content"] for one in kept] == ["We decided that Nerys dies in chapter nine."]


def test_a_script_reads_one_document_a_turn(scripted: Console) -> None:
    found = scripted.document("chat", "--message", "say Hello")
    (begun,) = scripted.document("conversation", "list")["conversations"]
    assert found["conversation"] == {key: begun[key] for key in ("id", "ref_code")}
    turn = found["turn"]
    assert set(turn) == {
        "id", "role", "speaker", "at", "state", "text", "blocks", "touched", "milliseconds",
        "produced_by",
    }  # fmt: skip
    assert (turn["state"], turn["text"], turn["speaker"]) == ("complete", "Hello ", "world-agent")
    assert turn["blocks"] == [{"kind": "text", "text": "Hello ", "quotes": []}]
    said = scripted("chat", "--json", stdin=b"say One\nsay Two\n")
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["turn"]["text"] for line in lines] == ["One ", "Two "]


def test_nobody_at_the_terminal_refuses(scripted: Console) -> None:
    said = scripted("chat", "--message", "forget it")
    assert said.status == 0
    assert said.err == "Refused, as nobody can be asked: One memory is put away.\n"
    assert "[refused] Forget it" in said.out
    assert "Denied: One memory is put away." in said.out
    assert said.out.endswith("You chose deny.\n")


def test_the_person_is_asked_in_our_words_first(scripted: Console) -> None:
    said = scripted("chat", stdin=b"forget it\nwhat?\ny\n", typed=True)
    asked = said.err[said.err.index("One memory") :].splitlines()
    assert asked[:5] == [
        "One memory is put away.",
        "It calls this: Forget the harbour?",
        "  - The harbour",
        "  y  allow once",
        "  n  deny",
    ]
    assert said.err.count("y/n: ") == 2
    assert "Allowed once: One memory is put away." in said.out
    assert "  forgotten  workspace  m1\n  /undo undoes it\n" in said.out


def test_the_end_of_what_is_typed_is_no_consent(scripted: Console) -> None:
    said = scripted("chat", stdin=b"forget it\n", typed=True)
    assert "You chose deny." in said.out


def test_a_turn_whose_agent_dies_is_kept_and_goes_on(scripted: Console) -> None:
    said = scripted("chat", "--message", "die now")
    assert said.status == 3
    assert said.out.startswith("I was about to \nThe agent ended unexpectedly.")
    again = scripted("chat", "--conversation", _started(scripted), "--message", "/continue")
    assert (again.status, again.out) == (0, "again \n")


def test_a_script_is_told_why_a_turn_failed(scripted: Console) -> None:
    said = scripted("chat", "--json", "--message", "die now")
    assert said.status == 3
    assert said.document["turn"]["state"] == "interrupted"
    assert said.err.startswith("The agent ended unexpectedly. Your message is kept.")


def _started(console: Console) -> str:
    conversation = console.document("conversation", "start")["conversation"]
    return str(conversation["id"])


def test_the_world_agent_itself_remembers_and_is_asked_again(world: Console) -> None:
    world.document(*GRANT)
    said = world("chat", stdin=b"Remember that the harbour glass hums.\nWhat hums?\n")
    assert said.status == 0, said.err
    (memory,) = world.document("memory", "list", "--tier", "workspace")["memories"]
    assert memory["content"] == "The harbour glass hums."
    kept, recalled = said.out.split("/undo undoes it\n")
    assert f"[{memory['id'][:8]}]" in kept
    assert "\u201cThe harbour glass hums.\u201d" in recalled
    assert recalled.endswith("  read 1\n")


KILLED = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"


def test_message_is_kept_before_the_agent_is_started_and_answered_later(world: Console) -> None:
    world.document(*GRANT)
    root = ["--data-dir", str(world.data_dir)]
    said = "Remember that the harbour glass hums."
    killed = subprocess.run(
        [sys.executable, "-c", DYING_CHAT, KILLED, *root, "chat", "--message", said],
        cwd=REPOSITORY,
        capture_output=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert world.document("memory", "list", "--tier", "workspace")["memories"] == []
    again = world("chat", "--message", "/continue")
    assert (again.status, "The harbour glass hums." in again.out) == (0, True), again.err
    (memory,) = world.document("memory", "list", "--tier", "workspace")["memories"]
    assert memory["content"] == "The harbour glass hums."
    nothing = world("chat", "--message", "/continue")
    assert (nothing.status, nothing.out) == (0, "Nothing is waiting to be continued.\n")


def test_message_that_is_too_long_is_refused_before_anything_is_started(scripted: Console) -> None:
    long = f"say {'word ' * 60_000}"
    said = scripted("chat", "--message", "-", stdin=long.encode())
    assert (said.status, said.out) == (1, "")
    assert said.err == "A message can have at most 256 KiB. This one was not sent.\n"


def test_an_archived_conversation_is_not_opened(scripted: Console) -> None:
    key = _started(scripted)
    scripted.document("conversation", "archive", key, "--force")
    said = scripted("chat", "--conversation", key, "--message", "say Hello")
    assert (said.status, said.err) == (1, "This conversation is archived. Start a new one.\n")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("--agent", "gemini"), 1, "There is no agent “gemini”. There are: world-agent, "),
        (("--message", " "), 2, "A message needs at least one word.\n"),
        (("--channel", "nowhere"), 1, "There is no channel “nowhere” here."),
        (("--conversation", "nowhere"), 1, "There is no conversation “nowhere” here."),
        (("--conversation", "x", "--channel", "y"), 2, "--channel belongs to a new conversation"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    scripted: Console, arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    said = scripted("chat", *arguments)
    assert said.status == status
    assert said.err.startswith(sentence)


def test_an_agent_that_was_not_let_in_is_not_started(world: Console) -> None:
    said = world("chat", "--message", "Hello")
    assert said.status == 1
    assert said.err == (
        "You have not let the World Agent in yet. Let it in with: inklings --workspace"
        " 'Field notes' mcp grant world-agent --as world-agent\n"
    )


def test_without_its_libraries_it_says_how_to_get_them(scripted: Console) -> None:
    program = replace(scripted.program, agent_command=lambda _data_dir, _workspace: None)
    said = replace(scripted, program=program)("chat", "--message", "Hello")
    assert said.status == 3
    assert said.err == (
        'The World Agent is not installed. Install it with: pip install "inklings-desktop[agent]"\n'
    )
    assert launching.INSTALLING in said.err


def test_an_agent_that_ends_at_once_says_its_last_words(scripted: Console) -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('no \\x1b[2J licence')"]
    program = replace(scripted.program, agent_command=lambda _data_dir, _workspace: command)
    said = replace(scripted, program=program)("chat", "--message", "Hello")
    assert (said.status, said.out) == (3, "")
    assert said.err == "The agent could not be started.\n  no \\x1b[2J licence\n"


def test_there_is_nothing_to_talk_about_where_no_data_is(console: Console) -> None:
    said = console("chat", "--message", "Hello")
    assert said.status == 3
    assert not console.data_dir.exists()


DYING_CHAT = """
import sys
from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window, serve_agent
from inklings_desktop.cli.app import run
from inklings_desktop.cli.program import Program
command = [sys.executable, "-c", sys.argv[1]]
program = Program(
    open_inklings, run_window, make_sample_world, serve_agent, lambda _root, _workspace: command
)
sys.exit(run(sys.argv[2:], program))
"""
CHAT = """
import sys
from pathlib import Path
from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window, serve_agent
from inklings_desktop.cli.app import run
from inklings_desktop.cli.program import Program
command = [sys.executable, "-m", "tests.support.scripted_agent", sys.argv[1]]
program = Program(
    open_inklings, run_window, make_sample_world, serve_agent, lambda _root, _workspace: command
)
sys.exit(run(sys.argv[2:], program))
"""


@pytest.mark.parametrize(
    ("message", "n_signals"),
    mostly_wide((("wait for ever", 1), ("ignore me", 2)), every_day=lambda case: case[1] == 2),
)
def test_ctrl_c_stops_the_turn_and_a_second_one_leaves(
    scripted: Console, tmp_path: Path, message: str, n_signals: int
) -> None:
    root = ["--data-dir", str(scripted.data_dir)]
    line = [sys.executable, "-c", CHAT, str(tmp_path / "turns.json"), *root]
    with subprocess.Popen(
        [*line, "chat"],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"say begun\n{message}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline() == b"begun \n"
        kept = tmp_path / "turns.json"
        asyncio.run(until(lambda: message in kept.read_text()))
        process.send_signal(signal.SIGINT)
        if n_signals > 1:
            asyncio.run(until(kept.with_suffix(".stopped").exists))
            process.send_signal(signal.SIGINT)
        process.stdin.close()
        process.stdin = None
        out, err = process.communicate(timeout=HANG_SECONDS)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert out.strip() in {b"", b"thinking"}
