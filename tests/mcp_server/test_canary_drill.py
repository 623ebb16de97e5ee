"""The canary drill: it passes over the program as it is, and fails where a path is made leaky."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from types import MethodType
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.access.canary import (
    Allowed,
    CanaryState,
    DrillDoor,
    DrillReport,
    PathResult,
)
from inklings_desktop.domain.access.clients import Client, ClientKind, Right, preset_rights
from inklings_desktop.domain.errors import NotFoundError, ScopeDeniedError, StoppedError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.mcp_server.trials import canary_drill, canary_protocol
from inklings_desktop.mcp_server.trials.canary_drill import drill
from inklings_desktop.mcp_server.trials.canary_protocol import Question
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.parts import Parts
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from inklings_desktop.usecases.ports.store import Store
from inklings_desktop.usecases.search.search import Search
from tests.cli.test_bad_input import snapshot
from tests.support.fake_embedder import FakeEmbedder
from tests.support.stand_ins import stood_in, use_case_of, verbs_of

pytestmark = pytest.mark.end2end


@pytest.fixture(autouse=True)
def drills_are_held_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drill's store lies where those of tests do."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


WORKSPACE = "11111111-1111-4111-8111-111111111111"
CHANNEL = "22222222-2222-4222-8222-222222222222"
EXTERNAL = preset_rights(ClientKind.EXTERNAL, WORKSPACE)
READS = {
    "account only": frozenset({Right(Tier.ACCOUNT, None, Action.READ)}),
    "one channel": frozenset(
        {
            Right(Tier.CHANNEL, WORKSPACE, Action.READ, CHANNEL),
            Right(Tier.WORKSPACE, WORKSPACE, Action.WRITE),
        }
    ),
    "everything": frozenset(
        Right(tier, None if tier is Tier.ACCOUNT else WORKSPACE, action)
        for tier in Tier
        for action in Action
        if action is not Action.MANAGE
        and (tier is Tier.WORKSPACE or action not in {Action.WORLD_READ, Action.WORLD_PROPOSE})
    ),
}

Change = "Callable[[Inklings], Inklings]"


def as_it_is(inklings: Inklings) -> Inklings:
    return inklings


def a_client(rights: frozenset[Right] = EXTERNAL, kind: ClientKind = ClientKind.EXTERNAL) -> Client:
    return Client("Manuscript Studio", kind, datetime.now(UTC), rights)


def drilled(
    client: Client,
    change: Callable[[Inklings], Inklings] = as_it_is,
    progress: Progress = UNHEARD,
    *,
    paths: frozenset[str] = frozenset(),
) -> DrillReport:
    """A drill over the program, or over one of which something was changed.

    Args:
        client: Whose rights it has.
        change: What is changed.
        progress: Hears of it.
        paths: The paths that are asked, where a leak of these is to be found; all if none is named.
    """
    put = canary_drill._put

    def put_some(questions: Iterable[tuple[Any, Question]], heard: Progress) -> None:
        put([one for one in questions if not paths or one[1].path in paths], heard)

    @contextmanager
    def opened(root: Path, workspace: str | None) -> Iterator[Inklings]:
        with open_inklings(
            root, workspace=workspace, embedder=FakeEmbedder(), embed_writes=False
        ) as inklings:
            yield change(inklings)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canary_drill, "_put", put_some)
        return drill(opened, client, WORKSPACE, progress)


class Noting:
    """A use case that says which one it is."""

    def __init__(self, path: str, real: Any) -> None:
        self.path = path
        self._real = real

    def __call__(self, caller: Caller, *asked: Any, **named: Any) -> Any:
        return self._real(caller, *asked, **named)


@cache
def noted() -> tuple[DrillReport, set[str], set[str]]:
    """The drill of an external client over the program as it is; all use cases, and those asked."""
    known: set[str] = set()
    asked: set[str] = set()
    answered = canary_drill.answered

    def change(inklings: Inklings) -> Inklings:
        verbs = dict(verbs_of(inklings))
        known.update(verbs)
        noting = {
            path: Noting(path, use_case_of(one))
            for path, one in verbs.items()
            if isinstance(one, partial | MethodType)
        }
        return stood_in(inklings, use_cases=noting)

    def hearing(verb: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(verb, partial):
            asked.add(verb.func.path)  # type: ignore[attr-defined]  # a Noting
        return answered(verb, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canary_drill, "answered", hearing)
        return drilled(a_client(), change), known, asked


def plain() -> DrillReport:
    return noted()[0]


def leaky(report: DrillReport) -> dict[str, PathResult]:
    return {one.path: one for one in report.crossed}


# Every day: more, less and nothing, below.
@pytest.mark.wide
@pytest.mark.parametrize("rights", READS)
def test_nothing_crosses_to_a_client_whatever_it_was_granted(rights: str) -> None:
    report = drilled(a_client(READS[rights]))
    assert leaky(report) == {}
    assert report.unheard == ()
    assert report.is_passed
    assert report.n_open > 0


def test_nothing_crosses_to_a_client_with_the_usual_rights() -> None:
    report = plain()
    assert leaky(report) == {}
    assert report.is_passed
    assert report.has_meaning
    assert {one.state for one in report.canaries} == set(CanaryState)


def test_the_author_s_own_agent_hears_more_and_nothing_crosses() -> None:
    own = preset_rights(ClientKind.WORLD_AGENT, WORKSPACE)
    report = drilled(a_client(own, ClientKind.WORLD_AGENT))
    assert leaky(report) == {}
    assert report.is_passed
    assert report.n_open > plain().n_open
    assert report.unheard == ()  # pages, too


def test_every_use_case_is_asked_or_is_known_to_read_nothing() -> None:
    report, known, asked = noted()
    assert "view_as" in {one.path for one in report.paths}
    new = "a new use case: ask it in canary_drill, or note below that it reads nothing"
    assert known - asked == NOT_READING, new


def test_every_tool_and_resource_that_reads_is_asked() -> None:
    from inklings_desktop.mcp_server import server
    from inklings_desktop.mcp_server.prompts import URIS

    asked = {one.path for one in plain().paths if one.door is DrillDoor.PROTOCOL}
    reading = {name for name, listing in server._LISTINGS.items() if listing.reads}
    assert reading <= asked
    assert {f"resource:{name}" for name in URIS} <= asked
    assert {f"prompt:{name}" for name in server._PROMPTS} <= asked


def test_no_question_is_lost_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is answered with "too often" was not asked."""
    said: list[str] = []

    def kept(result: Any) -> str:
        said.append(canary_json(result))
        return said[-1]

    canary_json = canary_protocol._json
    monkeypatch.setattr(canary_protocol, "_json", kept)
    report = drilled(a_client(frozenset()))
    assert report.is_passed
    assert report.n_open == 0
    assert len(said) > 150
    assert [one for one in said if "within a minute" in one] == []


# -- leaks made on purpose ---------------------------------------------------------------------


def test_a_search_that_asks_nobody_is_found_out() -> None:
    """Search without its first line: both doors tell, the protocol through memory_read."""

    class LeakySearch(Search):
        def __init__(self, parts: Parts, caller: Caller) -> None:
            super().__init__(parts, replace(caller, kind=Caller.person("x", caller.door).kind))

    def change(inklings: Inklings) -> Inklings:
        def find(caller: Caller, *asked: Any) -> Any:
            return LeakySearch(inklings.parts, caller).find(*asked)

        def read(caller: Caller, *asked: Any, **named: Any) -> Any:
            return LeakySearch(inklings.parts, caller).read(*asked, **named)

        return stood_in(inklings, use_cases={"search.find": find, "search.read": read})

    report = drilled(a_client(), change, paths=frozenset({"search_memories", "memory_read"}))
    assert not report.is_passed
    found = leaky(report)
    assert set(found) == {"search_memories", "memory_read"}
    assert {one.tier for one in found["search_memories"].crossed} >= {Tier.ACCOUNT, Tier.CHANNEL}
    assert any(one.is_elsewhere for one in found["search_memories"].crossed)


def test_meaning_that_forgets_whose_an_entry_is_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Private entries of others leak through vectors and words alike."""
    monkeypatch.setattr(Caller, "walls", property(lambda _self: None))
    monkeypatch.setattr(Caller, "may_know_of", lambda _self, _entry: True)
    report = drilled(a_client(), paths=frozenset({"search_memories", "memory_read"}))
    states = {one.state for path in report.crossed for one in path.crossed}
    assert CanaryState.PRIVATE_OTHER in states
    assert {one.door for one in report.crossed} == set(DrillDoor)


def test_a_boundary_that_always_says_yes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Caller, "may", lambda _self, _action, _scope: True)
    asked = frozenset({"browse_memories", "show_memory", "memory_read", "read_memories"})
    report = drilled(a_client(), paths=asked)
    assert set(leaky(report)) == asked
    assert not report.is_passed


def test_a_refusal_that_tells_what_is_there_from_what_is_not_is_found_out() -> None:
    class Telling:
        def __init__(self, real: Any, store: Store) -> None:
            self._real, self._store = real, store

        def __call__(self, caller: Caller, workspace_id: str, key: str, *more: Any) -> Any:
            with self._store.read(workspace_id) as view:
                view.conversations.get(key)  # not there: says so, before anybody is asked
            return self._real(caller, workspace_id, key, *more)

    def change(inklings: Inklings) -> Inklings:
        telling = Telling(use_case_of(inklings.conversations.get), inklings.parts.store)
        return stood_in(inklings, use_cases={"conversations.get": telling})

    found = leaky(drilled(a_client(), change, paths=frozenset({"get_conversation"})))
    assert found["get_conversation"].told_apart
    assert not found["get_conversation"].crossed


def test_an_earlier_text_that_is_told_is_found_out() -> None:
    class Historian:
        def __init__(self, real: Any) -> None:
            self._real = real

        def __call__(self, caller: Caller, ref: Any) -> Any:
            self._real(caller, ref)
            person = Caller.person("x", caller.door)
            return self._real(person, ref)

    def change(inklings: Inklings) -> Inklings:
        historian = Historian(use_case_of(inklings.listing.show))
        return stood_in(inklings, use_cases={"listing.show": historian})

    found = leaky(drilled(a_client(), change, paths=frozenset({"show_memory"})))
    assert {one.state for one in found["show_memory"].crossed} == {CanaryState.EARLIER}


def test_an_open_place_that_nobody_hears_of_is_no_proof() -> None:
    """A search that answers nothing at all leaks nothing, and passes nothing."""

    class Mute:
        def __call__(self, caller: Caller, *_: Any, **__: Any) -> Any:
            raise ScopeDeniedError(caller.name, "workspace")

        look = __call__

    def change(inklings: Inklings) -> Inklings:
        if inklings.workspace is None:
            return inklings  # while it is planted
        asked = {path for path, _ in verbs_of(inklings)} - NOT_READING - {"log.list"}
        return stood_in(inklings, use_cases={path: Mute() for path in asked})

    report = drilled(a_client(), change)
    assert leaky(report) == {}
    assert report.unheard
    assert not report.is_passed


# -- around it ---------------------------------------------------------------------------------


def test_the_author_s_store_is_not_touched_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    root = tmp_path / "root"
    with open_inklings(root, embedder=FakeEmbedder(), embed_writes=False) as inklings:
        world = inklings.workspaces.create("Saltglass")
        inklings.clients.grant("Loom", preset_rights(ClientKind.EXTERNAL, world.id))
        before = snapshot(root)
        report = inklings.clients.run_drill("Loom", world.id)
        assert report.is_passed
        assert snapshot(root) == before
        assert list(scratch.iterdir()) == []
        with pytest.raises(NotFoundError):
            inklings.clients.run_drill("nobody", world.id)
        agent = inklings.clients.admit("Loom", world.id)
        with pytest.raises(ScopeDeniedError):
            inklings.as_caller(agent).clients.run_drill("Loom", world.id)


def test_a_person_can_stop_it_and_hears_how_far_it_is(tmp_path: Path) -> None:
    heard: list[tuple[str, int, int]] = []
    progress = Progress(
        lambda step, done, total: heard.append((step, done, total)), lambda: len(heard) > 40
    )
    with pytest.raises(StoppedError):
        drilled(a_client(), progress=progress)
    assert heard[0][0] == "plant"
    assert heard[-1][1] < heard[-1][2]
    assert list(tmp_path.iterdir()) == []


def test_the_rule_of_the_drill_is_its_own() -> None:
    """It must not ask the code that it is to judge."""
    import inspect

    from inklings_desktop.domain.access import canary

    source = inspect.getsource(canary)
    assert "import authorize" not in source
    assert "caller_of" not in source
    assert not any(Allowed(ClientKind.WORLD_AGENT, ()).may_hear(one) for one in plain().canaries)


NOT_READING = {
    "activities.delete",
    "skill_proposals.propose",
    "skill_runs.check",
    "skill_runs.choose",
    "skill_runs.guidance",
    "skill_runs.note",
    "skill_runs.traces",
    "skill_runs.training_set",
    "skill_transfer.bring_in",
    "skill_transfer.catalogue",
    "skill_transfer.export",
    "skill_transfer.preview",
    "skill_transfer.take_back",
    "skills.delete",
    "skills.enable",
    "skills.fork",
    "skills.look_at",
    "skills.restore",
    "skills.revert",
    "skills.save",
    "skills.search",
    "skills.show",
    "skills.understood",
    "skills.versions",
    "activities.edit",
    "activities.make",
    "activities.propose",
    "activities.put_back",
    "activities.run",
    "activities.switch",
    # Writes; what they answer is asked for through the protocol. The rest is the author's alone,
    # what another verb reads as well, or the file of another program.
    *(
        f"world.{verb}"
        for verb in (
            "has_pages",
            "link",
            "unlink",
            "relocate",
            "set_rules",
            "take_proposals",
            "look",
            "tend",
            "rebuild",
            "read_here",
            "axes",
        )
    ),
    *(
        f"derivations.{verb}"
        for verb in (
            "notice",
            "derive",
            "keep",
            "update",
            "forget",
            "undo",
            "decide_contradiction",
            "suggested",
            "told",
            "told_of",
        )
    ),
    *(
        f"facts.{verb}"
        for verb in (
            "put",
            "supersede",
            "take_back",
            "reinstate",
            "edit",
            "settle",
            "from_memory",
        )
    ),
    *(f"could_be_facts.{verb}" for verb in ("list", "make", "dismiss", "ask_again")),
    *(
        f"domains.{verb}"
        for verb in (
            "create",
            "named",
            "rename",
            "archive",
            "set_default",
            "unmake",
            "unmake_role",
            "create_role",
            "grant",
            "assign",
            "unassign",
        )
    ),
    "derivations.undo_contradiction",
    *(f"policies.{verb}" for verb in ("put", "edit", "switch")),
    *(f"working_memories.{verb}" for verb in ("write", "versions", "clear", "restore")),
    *(
        f"page_proposals.{verb}"
        for verb in ("propose", "compare", "accept", "undo", "promote", "restore")
    ),
    *(
        f"keeping.{verb}"
        for verb in (
            "measure_disk",
            "find_open",
            "create_backup",
            "back_up_changes",
            "pin_backup",
            "adopt_backup",
            "delete_backup",
            "set_back",
            "repair_place",
            "restore_backup",
        )
    ),
    *(f"workspaces.{verb}" for verb in ("create", "rename", "delete", "adopt")),
    *(f"channels.{verb}" for verb in ("create", "rename", "archive", "unarchive")),
    *(
        f"conversations.{verb}"
        for verb in (
            "start",
            "rename",
            "idle",
            "end",
            "archive",
            "resume",
            "invite",
            "settle_silent",
            "forget_closed",
        )
    ),
    *(f"notes.{verb}" for verb in ("write", "clear")),
    # Ids of the caller's own writes alone; no agent may branch a conversation.
    *(
        f"messages.{verb}"
        for verb in (
            "append",
            "bookmark",
            "keep_said",
            "keep_answer",
            "mark_read",
            "kept",
            "take_back",
            "branch",
        )
    ),
    *(
        f"memories.{verb}"
        for verb in (
            "put",
            "update",
            "change",
            "forget",
            "restore",
            "restore_own",
            "confirm",
            "mark",
            "edit_each",
            "revert",
            "restore_version",
            "copy",
            "put_outcome",
            "copy_outcome",
        )
    ),
    *(f"entries.{verb}" for verb in ("create", "save", "restore_revision", "delete", "undelete")),
    *(f"drafts.{verb}" for verb in ("keep", "drop", "keep_typing", "drop_typing")),
    *(f"proposals.{verb}" for verb in ("propose", "accept", "reject", "ask_again")),
    *(
        f"scrub.{verb}"
        for verb in (
            "execute",
            "resume",
            "ask",
            "follow",
            "check_request",
            "confirm",
            "decline",
            "attend",
            "has_window",
            "has_work",
        )
    ),
    *(
        f"transfer.{verb}"
        for verb in (
            "preview_import",
            "apply_import",
            "withdraw_import",
            "load_sample_world",
            "load_sample_knowledge",
            "load_sample_pages",
        )
    ),
    *(f"preferences.{verb}" for verb in ("save", "put_row", "remove_row", "notice", "problems")),
    *(
        f"clients.{verb}"
        for verb in (
            "grant",
            "revoke",
            "let_in",
            "remove_token",
            "find_token_owner",
            "admit",
            "note_call",
            "require_allowance",
            "note_refusal",
            "preview_addition",
            "apply_addition",
            "rehearse_connection",
            "describe_server",
            "find_programs",
            "run_drill",
        )
    ),
    *(f"log.{verb}" for verb in ("anchor", "accept_lost_writes")),
    *(f"tasks.{verb}" for verb in ("embed", "backfill")),
    *(f"consolidation.{verb}" for verb in ("run", "undo", "consolidator")),
    *(f"golden.{verb}" for verb in ("save", "delete", "records", "under_plan")),
    *(f"search.{verb}" for verb in ("save_filter", "rename_filter", "delete_filter", "look")),
    *(f"models.{verb}" for verb in ("install", "select", "remove", "offered")),
    *(f"spelling.{verb}" for verb in ("check", "suggest", "learn")),
}
