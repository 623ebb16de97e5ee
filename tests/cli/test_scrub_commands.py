"""``inklings scrub`` over a real store: the dry run, the gate, the removal, the proof."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.cli.scrubbing.scrub_commands import scrub
from inklings_desktop.cli.scrubbing.scrub_options import ScrubOptions
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.domain.scrub.manifest import ScrubMode
from tests.cli.console import Console, Said
from tests.support.old_reader import an_old_reader
from tests.support.played_scrub import FakeScrub
from tests.support.sqlite_store import raw

TEXTS = ("The harbour glass hums at low tide", "Nerys lies about the bells", "Wend Gate is shut")
SCRUB = ("scrub", "--tier", "workspace", "--mode", "keep_named")


@pytest.fixture
def filled(world: Console) -> Console:
    """Three memories of the workspace tier, one of them forgotten."""
    for text in TEXTS:
        world("memory", "add", text, "--tier", "workspace")
    listed = world.document("memory", "list", "--tier", "workspace")
    world("memory", "forget", listed["memories"][0]["id"])
    return world


def previewed(console: Console, *arguments: str) -> dict[str, Any]:
    manifest: dict[str, Any] = console.document(*(arguments or SCRUB))["manifest"]
    return manifest


def executed(console: Console, manifest: dict[str, Any], *more: str, phrase: str = "") -> Said:
    said = phrase or manifest["phrase"]
    confirmed = ("--execute", "--token", manifest["token"], "--confirm", said)
    return console(*SCRUB, *confirmed, *more)


def n_memories(console: Console) -> int:
    active = console.document("memory", "list", "--tier", "workspace")["total"]
    gone = console.document("memory", "list", "--tier", "workspace", "--forgotten")["total"]
    return int(active + gone)


def test_without_execute_it_only_looks(filled: Console) -> None:
    said = filled(*SCRUB)
    assert said.status == 0
    assert "3 entries would be removed, 1 kept. Nothing has been removed yet." in said.out
    assert "1 of the memories forgotten before" in said.out
    assert "no managed backup contains any of it" in said.out
    assert "scrub workspace 3" in said.out
    assert "--confirm PHRASE" in said.out
    assert n_memories(filled) == 3


def test_the_document_holds_the_whole_manifest(filled: Console) -> None:
    manifest = previewed(filled)
    assert manifest["phrase"] == "scrub workspace 3"
    assert (manifest["removed"], manifest["forgotten"]) == (3, 1)
    assert manifest["by_kind"] == {"memory": 3}
    assert manifest["by_curator"] == {"author": 3}
    assert manifest["kept"] == ["VOICE"]
    assert manifest["untouched"]["named_entries"] == ["SOUL"]
    assert {one["begins"] for one in manifest["sample"]} == set(TEXTS)
    assert manifest["digest"].startswith(manifest["id"].replace("-", ""))


def test_it_removes_what_was_shown_and_proves_it(filled: Console) -> None:
    manifest = previewed(filled)
    said = executed(filled, manifest, "--json", "--progress")
    assert (said.status, said.err.count('"step": "search"') > 0) == (0, True)
    outcome = said.document["outcome"]
    assert outcome["finished"] is True
    assert outcome["pending"] is None
    assert outcome["manifest"]["digest"] == manifest["digest"]
    assert outcome["verified_event"] == outcome["event"] + 1
    receipt = outcome["receipt"]
    assert (receipt["hits"], receipt["remaining"]) == (0, [])
    assert receipt["files"] > 0
    assert receipt["needles"] > 0
    assert len(receipt["hmac"]) == 64
    assert n_memories(filled) == 0
    assert filled(*SCRUB).out == "Nothing here to remove: workspace tier, Field notes.\n"


def test_the_text_form_names_event_and_proof(filled: Console) -> None:
    said = executed(filled, previewed(filled))
    assert said.status == 0
    assert said.out.startswith("3 entries removed, 1 kept.\n")
    assert "scrub.executed, a permanent record" in said.out
    assert "0 traces" in said.out
    assert "scrub.verified" in said.out


def test_copies_of_the_store_are_named_and_nothing_is_called_verified(filled: Console) -> None:
    (database,) = (filled.data_dir / "workspaces").glob("*/agents.db")
    with raw(database) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    copies = (
        database.parent / "old" / "agents.db",
        database.parent / "agents (conflicted copy).db",
    )
    copies[0].parent.mkdir()
    for copy in copies:
        copy.write_bytes(database.read_bytes())
    checked = filled("check")
    assert checked.status == 1
    assert "old/agents.db is a copy of a database" in checked.out
    assert "agents (conflicted copy).db is a copy of a database" in checked.out
    assert "Delete the copies yourself" in checked.out

    said = executed(filled, previewed(filled))

    assert said.status == 1
    assert "old/agents.db: " in said.out
    assert "agents (conflicted copy).db: " in said.out
    assert "0 traces" not in said.out
    assert "scrub.verified" not in said.out
    assert "Not verified" in said.err
    assert "delete them yourself" in said.err
    assert n_memories(filled) == 0
    for copy in copies:
        copy.unlink()
    assert filled("check").status == 0


def test_exports_that_it_cannot_reach_are_named_before_and_after(
    filled: Console, tmp_path: Path
) -> None:
    path = tmp_path / "kept elsewhere.json"
    assert filled("export", str(path)).status == 0
    named = [{"path": str(path), "memories": 3}]

    shown = filled(*SCRUB)
    document = filled.document(*SCRUB)
    done = executed(filled, document["manifest"], "--json")

    assert "Exports may still contain it and are not cleared" in shown.out
    assert str(path) in shown.out
    for exports in (document["exports"], done.document["exports"]):
        assert [{key: one[key] for key in ("path", "memories")} for one in exports] == named
    assert path.exists()


def test_full_takes_named_entries_too(filled: Console) -> None:
    filled("entry", "edit", "VOICE", "-", stdin=b"Close third.")
    full = ("scrub", "--tier", "workspace", "--mode", "full")
    manifest = previewed(filled, *full)
    assert manifest["by_kind"] == {"memory": 3, "named_entry": 1}
    confirmed = ("--token", manifest["token"], "--confirm", manifest["phrase"])
    assert filled(*full, "--execute", *confirmed).status == 0
    assert filled.document("entry", "show", "VOICE")["entry"]["body"] != "Close third."


@pytest.mark.parametrize("phrase", ["scrub workspace 2", "SCRUB WORKSPACE 3", "yes"])
def test_another_phrase_is_refused(filled: Console, phrase: str) -> None:
    said = executed(filled, previewed(filled), phrase=phrase)
    assert said.status == 1
    assert said.err.startswith("The phrase doesn't match.")
    assert n_memories(filled) == 3


def test_a_token_is_good_for_its_own_scope_and_mode_only(filled: Console) -> None:
    manifest = previewed(filled, "scrub", "--tier", "workspace", "--mode", "full")
    refused = executed(filled, manifest)
    assert (refused.status, "This token is not from a dry run" in refused.err) == (1, True)
    made_up = executed(filled, manifest | {"token": "abc"}, "--json")
    assert (made_up.status, made_up.document["error"]["field"]) == (1, "token")
    assert n_memories(filled) == 3


def test_what_changed_meanwhile_is_shown_anew(filled: Console) -> None:
    manifest = previewed(filled)
    filled("memory", "add", "A fourth one", "--tier", "workspace")
    said = executed(filled, manifest, "--json")
    assert said.status == 1
    assert said.document["error"]["kind"] == "manifest_changed"
    assert said.document["manifest"]["phrase"] == "scrub workspace 4"
    assert "Memory changed since the dry run." in said.err
    assert n_memories(filled) == 4
    assert executed(filled, said.document["manifest"]).status == 0
    assert n_memories(filled) == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--tier", "channel", "--mode", "full"), "--channel"),
        (("--tier", "conversation", "--mode", "full"), "--conversation"),
        (("--tier", "workspace", "--mode", "full", "--channel", "general"), "--channel"),
        (("--tier", "workspace", "--mode", "full", "--conversation", "x"), "--conversation"),
        (("--tier", "workspace"), "--mode"),
        (("--mode", "full"), "--tier"),
        (("--tier", "workspace", "--mode", "full", "--execute"), "--token"),
        (("--tier", "workspace", "--mode", "full", "--confirm", "x"), "--execute"),
        (("--about", "bells", "--mode", "full"), "--mode"),
        (("--about", "!"), "--about"),
    ],
)
def test_half_a_command_is_wrong_usage(
    world: Console, arguments: tuple[str, ...], word: str
) -> None:
    said = world("scrub", *arguments)
    assert said.status == 2
    assert word in said.err


def test_a_conversation_goes_with_its_notes_and_nothing_else(filled: Console) -> None:
    started = filled.document("conversation", "start", "--title", "The toll")["conversation"]
    tier = ("--tier", "conversation", "--conversation", started["ref_code"])
    filled("memory", "add", "She wants the toll doubled", *tier)
    manifest = previewed(filled, "scrub", *tier, "--mode", "keep_named")
    assert (manifest["phrase"], manifest["kept"]) == ("scrub conversation 1", [])
    assert manifest["untouched"]["memories"] == {"workspace": 2}
    confirmed = ("--token", manifest["token"], "--confirm", manifest["phrase"])
    said = filled("scrub", *tier, "--mode", "keep_named", "--execute", *confirmed)
    assert said.status == 0
    assert n_memories(filled) == 3


def test_a_reader_of_an_older_state_keeps_the_purge_pending(
    filled: Console, data_dir: Path
) -> None:
    manifest = previewed(filled)
    (database,) = data_dir.glob("workspaces/*/agents.db")
    with an_old_reader(database):
        said = executed(filled, manifest, "--json")
    assert said.status == 1
    outcome = said.document["outcome"]
    assert (outcome["finished"], outcome["pending"]) == (False, "snapshot")
    assert outcome["receipt"] is None
    assert "Purge pending" in said.err
    assert n_memories(filled) == 0


def test_a_pending_purge_is_never_called_done() -> None:
    """Whatever word it carries: the sentence is there and the status is not 0."""
    fake = FakeScrub(pending="a word of the future")
    options = ScrubOptions(
        tier=Tier.ACCOUNT,
        mode=ScrubMode.KEEP_NAMED,
        execute=True,
        token=fake.preview_token(),
        confirm="scrub account 43",
    )
    answer = scrub(fake.inklings(), options)
    assert answer.status == 1
    assert "it could not be finished" in answer.notes[0]
    assert scrub(replace_pending(fake).inklings(), options).status == 0


def replace_pending(fake: FakeScrub) -> FakeScrub:
    return replace(fake, pending=None)


def test_what_an_agents_runs_left_of_a_conversation_goes_alone(filled: Console) -> None:
    with open_inklings(filled.data_dir, embed_writes=False) as inklings:
        (workspace,) = inklings.places.workspaces()
        talk = inklings.conversations.start(workspace.id, title="Watch").id
        parts = '[{"kind":"tool","id":"1"},{"kind":"text","text":"Two bells."}]'
        draft = MessageDraft(MessageRole.ASSISTANT, parts, "t1")
        inklings.messages.append(workspace.id, talk, draft)
    where = ("scrub", "--tier", "conversation", "--conversation", talk, "--mode", "run_state")
    manifest = previewed(filled, *where)
    assert (manifest["by_kind"], manifest["phrase"]) == ({"message": 1}, "purge run state 1")
    confirmed = ("--execute", "--token", manifest["token"], "--confirm", manifest["phrase"])
    assert filled.document(*where, *confirmed)["outcome"]["finished"] is True
    with open_inklings(filled.data_dir, embed_writes=False) as inklings:
        (message,) = inklings.messages.list(workspace.id, talk)[0]
        assert message.parts_json == '[{"kind":"text","text":"Two bells."}]'
    said = filled("scrub", "--tier", "workspace", "--mode", "run_state")
    assert (said.status, "one conversation; name it" in said.err) == (1, True)


def test_what_is_about_a_subject_goes_alone_forgotten_or_not(filled: Console) -> None:
    channel = ("--tier", "channel", "--channel", "general")
    filled("memory", "add", "The bells ring at noon", *channel)
    filled("memory", "add", "Doorbells are forbidden", *channel)
    about = ("scrub", "--about", "bells")
    said = filled(*about)
    assert "memories about bells" in said.out
    assert [text in said.out for text in (TEXTS[1], "ring at noon", "Doorbells")] == [1, 1, 0]
    assert "--about bells --execute" in said.out
    manifest = previewed(filled, *about)
    assert (manifest["phrase"], len(manifest["chosen"])) == ("scrub chosen 2", 2)
    confirmed = ("--execute", "--token", manifest["token"], "--confirm", manifest["phrase"])
    assert filled.document(*about, *confirmed)["outcome"]["finished"] is True
    assert n_memories(filled) == 2
    assert filled.document("memory", "list", *channel)["total"] == 1
    assert filled(*about).out == "Nothing here to remove: memories about bells.\n"
    shut = previewed(filled, "scrub", "--about", "wend gate")
    assert (shut["removed"], shut["forgotten"]) == (1, 1)
