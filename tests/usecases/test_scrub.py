from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.errors import (
    DatabaseFullError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
    StoppedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryPatch, ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import (
    BackupFate,
    BackupHolding,
    ManifestChangedError,
    ScrubManifest,
    ScrubMode,
    ScrubOutcome,
)
from inklings_desktop.domain.scrub.scrub_token import receipt_hash
from inklings_desktop.usecases.ports.progress import Progress
from inklings_desktop.usecases.ports.scrub import Erased
from inklings_desktop.usecases.scrubbing.scrub import (
    ExecuteScrub,
    Manifests,
    PendingScrubs,
    PreviewScrub,
    ResumeScrubs,
)
from tests.support.builders import (
    NOON,
    WORKSPACE_ID,
    a_draft,
    a_memory,
    a_person,
    an_agent,
    the_clock,
)
from tests.support.fake_eraser import NOTHING_LEFT, FakeEraser
from tests.usecases.world import World

ADA = a_person()
KEY = bytes(range(32))
SCOPE = ScopeKey.workspace(WORKSPACE_ID)


class Desk:
    """The use cases of scrub over a world in memory."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.eraser = FakeEraser()
        self.manifests = Manifests(
            world.store, world.directory, self.eraser, world.clock, world.settings, lambda: KEY
        )
        self.execute_scrub = ExecuteScrub(self.manifests, lambda: "ada_at_home")
        self.pending = PendingScrubs(self.manifests)
        self.resume = ResumeScrubs(self.manifests)

    def preview(
        self, scope: ScopeKey = SCOPE, mode: ScrubMode = ScrubMode.FULL, caller: Caller = ADA
    ) -> ScrubManifest:
        return PreviewScrub(self.manifests)(caller, scope, mode)

    def execute(self, manifest: ScrubManifest, **changes: object) -> ScrubOutcome:
        asked = {
            "caller": ADA,
            "scope": manifest.scope,
            "mode": manifest.mode,
            "token": manifest.token,
            "phrase": manifest.phrase,
        } | changes
        return self.execute_scrub(**asked)  # type: ignore[arg-type]  # one value at a time differs


@pytest.fixture
def desk(world: World) -> Desk:
    for text in ("The sea counts.", "The keeper sleeps.", "The lamp burns low."):
        world.asked_by(ADA).memories.put(a_draft(text))
    gone = world.asked_by(ADA).memories.put(a_draft("No longer true."))
    world.asked_by(ADA).memories.forget([gone.ref])
    world.asked_by(ADA).memories.put(a_draft("In the map room.", scope=world_channel(world)))
    world.keep(a_memory("Prefers tea.", scope=ScopeKey.account()))
    return Desk(world)


def world_channel(world: World) -> ScopeKey:
    return ScopeKey.channel(WORKSPACE_ID, world.map_room.id)


def test_a_dry_run_says_what_would_go_and_writes_nothing(desk: Desk, world: World) -> None:
    before = world.everything()
    desk.eraser.holdings = (BackupHolding("20260101.db", NOON, BackupFate.REWRITTEN),)

    manifest = desk.preview(mode=ScrubMode.KEEP_NAMED)

    assert world.everything() == before
    assert desk.eraser.calls == []
    assert manifest.by_kind == (("memory", 4),)
    assert manifest.n_forgotten == 1
    assert manifest.phrase == "scrub workspace 4"
    assert manifest.kept == ("VOICE",)
    assert manifest.untouched.memories == (("channel", 1), ("account", 1))
    assert manifest.untouched.named_entries == ("SOUL",)
    assert manifest.untouched.workspaces == ()
    assert manifest.backups == desk.eraser.holdings
    assert len(manifest.sample) == 4
    assert manifest.expires_at == NOON + timedelta(minutes=5)


def test_an_execution_removes_what_was_shown_and_records_it(desk: Desk, world: World) -> None:
    manifest = desk.preview()

    outcome = desk.execute(manifest)

    assert outcome.is_finished
    assert world.active(SCOPE) == []
    assert world.active(world_channel(world))
    executed, verified = world.events()[-2:]
    assert executed.kind is EventKind.SCRUB_EXECUTED
    assert (executed.tier, executed.scope_key, executed.ids) == ("workspace", WORKSPACE_ID, ())
    assert executed.actor == ADA.name
    assert executed.marks == {
        "mode": "full",
        "manifest": manifest.digest,
        "operator": "ada_at_home",
    }
    assert executed.counts["removed"] == 4
    assert executed.counts["forgotten_before"] == 1
    assert verified.kind is EventKind.SCRUB_VERIFIED
    assert verified.counts["scrub"] == executed.number == outcome.event_number
    assert verified.number == outcome.verified_number
    assert outcome.receipt is not None
    assert verified.marks == {"receipt": outcome.receipt.hmac}
    assert outcome.receipt.hmac == receipt_hash(KEY, executed.number, NOTHING_LEFT)
    assert desk.eraser.calls == ["prepare", "announce", "erase", "settle"]
    assert world.publisher.published[-1].reload or world.publisher.published[-2].reload
    assert desk.pending(ADA) == ()


def test_the_event_says_nothing_of_what_was_removed(desk: Desk, world: World) -> None:
    manifest = desk.preview()
    desk.execute(manifest)

    said = repr(world.events()[-2:])

    assert "sea counts" not in said
    assert all(one.id not in said for one in manifest.sample)


@pytest.mark.parametrize("phrase", ["", "scrub workspace 3", "Scrub workspace 4", "scrub  4"])
def test_another_phrase_removes_nothing(phrase: str, desk: Desk, world: World) -> None:
    with pytest.raises(InvalidValueError) as refused:
        desk.execute(desk.preview(), phrase=phrase)

    assert (refused.value.field, refused.value.rule) == ("confirm", "phrase")
    assert len(world.active(SCOPE)) == 3
    assert EventKind.SCRUB_EXECUTED not in world.kinds()


def test_blanks_around_the_phrase_do_not_matter(desk: Desk) -> None:
    assert desk.execute(desk.preview(), phrase="  scrub workspace 4\n").is_finished


def test_a_token_is_good_for_what_was_previewed_alone(desk: Desk, world: World) -> None:
    manifest = desk.preview()

    for changes in (
        {"mode": ScrubMode.KEEP_NAMED},
        {"scope": world_channel(world)},
        {"caller": a_person("Bob")},
        {"token": ""},
        {"token": "a" * 64},
    ):
        with pytest.raises(InvalidValueError) as refused:
            desk.execute(manifest, **changes)
        assert (refused.value.field, refused.value.rule) == ("token", "unknown")
    assert len(world.active(SCOPE)) == 3


def test_a_token_expires_and_is_used_once(desk: Desk, world: World) -> None:
    manifest = desk.preview()
    world.clock.advance(hours=5 / 60)
    with pytest.raises(InvalidValueError) as refused:
        desk.execute(manifest)
    assert refused.value.rule == "expired"

    fresh = desk.preview()
    assert desk.execute(fresh).is_finished
    with pytest.raises(ManifestChangedError) as changed:
        desk.execute(fresh)
    assert changed.value.manifest.n_removed == 0


def test_whatever_changed_since_removes_nothing_and_shows_the_new_manifest(
    desk: Desk, world: World
) -> None:
    manifest = desk.preview()
    entry = world.active(SCOPE)[0]
    patch = MemoryPatch(content="Changed.")
    desk.eraser.on_prepare = lambda: world.asked_by(ADA).memories.update(
        entry.ref, patch, expected_version=entry.version
    )

    with pytest.raises(ManifestChangedError) as changed:
        desk.execute(manifest)

    assert len(world.active(SCOPE)) == 3
    assert EventKind.SCRUB_EXECUTED not in world.kinds()
    assert "announce" not in desk.eraser.calls
    desk.eraser.on_prepare = None
    assert desk.execute(changed.value.manifest).is_finished


def test_reading_and_time_do_not_spoil_a_dry_run(desk: Desk, world: World) -> None:
    manifest = desk.preview()
    with world.store.write(WORKSPACE_ID, initiator="agent") as unit:
        unit.memories.count_reads([one.id for one in world.active(SCOPE)], NOON)
        unit.commit()
    world.clock.advance(hours=4 / 60)

    assert desk.execute(manifest).is_finished


def test_a_conversation_takes_its_notes_along_and_no_other(desk: Desk, world: World) -> None:
    first, second = world.a_conversation(), world.a_conversation()
    agent = world.an_agent_of(first, second)
    for room in (first, second):
        scope = ScopeKey.conversation(WORKSPACE_ID, room.id)
        world.asked_by(agent).memories.put(a_draft("Said in passing.", scope=scope))
        world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, "plan", "one")
        world.asked_by(agent).notes.write(WORKSPACE_ID, room.id, "next", "two")

    manifest = desk.preview(ScopeKey.conversation(WORKSPACE_ID, first.id))
    assert manifest.by_kind == (("working_note", 2), ("memory", 1))
    assert manifest.by_tier == (("conversation", 3),)
    assert manifest.untouched.named_entries == ("VOICE", "SOUL")
    assert desk.execute(manifest).is_finished

    assert set(world.rows("SELECT conversation_id FROM notes")) == {(second.id,)}
    assert world.active(ScopeKey.conversation(WORKSPACE_ID, second.id))


@pytest.mark.parametrize("tier", [Tier.CONVERSATION, Tier.CHANNEL])
def test_a_room_that_is_not_there_cannot_be_scrubbed(tier: Tier, desk: Desk) -> None:
    with pytest.raises(NotFoundError):
        desk.preview(ScopeKey(tier, WORKSPACE_ID, "nowhere"))


@pytest.mark.parametrize("machine", [an_agent(actions=frozenset(Action)), the_clock()])
def test_only_the_person_scrubs_and_a_machines_attempt_is_recorded(
    machine: Caller, desk: Desk, world: World
) -> None:
    manifest = desk.preview()
    with pytest.raises(ScopeDeniedError):
        desk.preview(caller=machine)
    with pytest.raises(ScopeDeniedError):
        desk.execute(manifest, caller=machine)

    denied = [one for one in world.events(None) if one.kind is EventKind.DENIED]
    assert [list(one.counts) for one in denied] == [["scrub.preview"], ["scrub.execute"]]
    assert len(world.active(SCOPE)) == 3


def test_an_agent_neither_sees_nor_resumes_open_scrubs(desk: Desk) -> None:
    with pytest.raises(ScopeDeniedError):
        desk.pending(an_agent())
    with pytest.raises(ScopeDeniedError):
        desk.resume(an_agent())


def test_a_refusal_of_the_disk_comes_before_any_change(desk: Desk, world: World) -> None:
    desk.eraser.refusal = DatabaseFullError()

    with pytest.raises(DatabaseFullError):
        desk.execute(desk.preview())

    assert len(world.active(SCOPE)) == 3
    assert desk.eraser.calls == ["prepare"]


def test_a_stop_before_the_commit_removes_nothing(desk: Desk, world: World) -> None:
    with pytest.raises(StoppedError):
        desk.execute(desk.preview(), progress=Progress(is_cancelled=lambda: True))

    assert len(world.active(SCOPE)) == 3
    assert EventKind.SCRUB_EXECUTED not in world.kinds()


@pytest.mark.parametrize("why", ["snapshot", "busy", "text"])
def test_what_is_not_proved_is_not_claimed(why: str, desk: Desk, world: World) -> None:
    desk.eraser.answer = Erased(None, why)

    outcome = desk.execute(desk.preview())

    assert (outcome.pending, outcome.receipt, outcome.verified_number) == (why, None, None)
    assert not outcome.is_finished
    assert world.kinds()[-1] is EventKind.SCRUB_EXECUTED
    (scrub,) = desk.pending(ADA)
    assert (scrub.scope, scrub.mode, scrub.n_removed) == (SCOPE, ScrubMode.FULL, 4)
    assert desk.resume.has_work()
    assert desk.resume(the_clock())[0].pending == why

    desk.eraser.answer = Erased(replace(NOTHING_LEFT, rewritten=("a.db",)))
    (resumed,) = desk.resume(the_clock())
    assert resumed.is_finished
    assert resumed.verified_number == world.events()[-1].number
    assert world.events()[-1].actor_kind == "clock"
    assert world.events()[-1].counts["backups_rewritten"] == 1
    assert not desk.resume.has_work()
    assert desk.resume(the_clock()) == ()


def test_every_step_is_heard(desk: Desk) -> None:
    heard: list[str] = []

    desk.execute(desk.preview(), progress=Progress(lambda step, _done, _all: heard.append(step)))

    assert heard == ["count", "remove", "remove", "search", "done"]


def test_an_empty_scope_can_be_scrubbed_and_says_so(desk: Desk, world: World) -> None:
    scope = ScopeKey.channel(WORKSPACE_ID, world.general.id)

    manifest = desk.preview(scope)

    assert manifest.phrase == "scrub channel 0"
    assert manifest.sample == ()
    assert desk.execute(manifest).is_finished
