"""The twelve scenarios of the design, as an agent lives them: through the use cases and through
the protocol, with the embedding model and without it."""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.entries.proposals import ProposalRef, ProposalState
from inklings_desktop.domain.errors import ForeignDatabaseError, InklingsError, NotFoundError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memory import MemoryDraft, MemoryRef, ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder, select_embedder
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.ports.store import Embedder
from tests.end2end.agent_doors import AgentsDoor, RefusedError
from tests.end2end.stage import LOOM, RESEARCHER, STRANGER, WRITER, Stage, workspace_of
from tests.support.builders import prune_unasked
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.support.wide import mostly_wide

pytestmark = pytest.mark.end2end

SCENARIOS = {
    "memory-storage",
    "memory-retrieval",
    "relevance-decay",
    "account-across-workspaces",
    "workspace-no-leak",
    "conversation-cleared",
    "short-term-survives",
    "agent-private",
    "scratchpad",
    "survives-restart",
    "empty-workspace",
    "repository-scoping",
}
DOORS = ("usecases", "protocol")
MODELS = ("with-model", "without-model")
# Each door and each kind of search; what an agent has is the protocol and a model.
EVERY_DAY = {("with-model", "protocol"), ("without-model", "usecases")}
DRAGONS = "The dragons of this world breathe salt, not fire."
ARC = "Nerys gives up her sense of direction to pay the toll at Wend Gate."

FILLERS = (
    "The quay of Wend is paved with mud bricks.",
    "Der Turm von Wend hat vierzig Stufen.",
    "La marée monte deux fois par jour.",
    "橋は東にある。",
)
BY_WORD = {
    "memory-retrieval": (
        "My main character's name is Elarindë.",
        "What do you know about my main character?",
    ),
    "short-term-survives": (
        "I have a writing session scheduled for next week.",
        "Do you remember anything about my schedule?",
    ),
    "survives-restart": (
        "The protagonist's backstory is that she was a scholar who lost her memory.",
        "What do you know about the protagonist's backstory?",
    ),
}
"""What the page has remembered, and its own question for it."""
ELSEWHERE = {
    "workspace-no-leak": (
        "The villain's name is Malachar.",
        "Do you know anything about a villain named Malachar?",
    ),
    "empty-workspace": ("This world is about dragons.", "What do you know about this workspace?"),
    "repository-scoping": (
        "The world map is kept in the 'Maps' page.",
        "Where is the world map?",
    ),
}
"""What the page has remembered in workspace A, and what it asks in workspace B."""


def texts_in(inklings: Inklings, scope: ScopeKey) -> list[str]:
    """What the person sees in a scope."""
    page = inklings.listing.browse([scope])
    return [entry.content for entry in page.entries]


@pytest.fixture(scope="module")
def model() -> Embedder:
    """The model that ships, loaded once."""
    from pathlib import Path

    return select_embedder(models_dir=Path("no-such-folder"))


@pytest.fixture(
    params=mostly_wide(
        ((way,) for way in product(MODELS, DOORS)),
        every_day=lambda case: case[0] in EVERY_DAY,
        ids=lambda case: "-".join(case[0]),
    )
)
def stage(request: pytest.FixtureRequest, tmp_path: Path, model: Embedder) -> Iterator[Stage]:
    search, through = request.param
    embedder = model if search == "with-model" else NullEmbedder("none")
    made = Stage(tmp_path / "root", through, embedder)
    with made.stack:
        yield made


@pytest.mark.requirement("memory-storage")
def test_memory_storage(stage: Stage) -> None:
    window = stage.open(workspace_of(stage.a))
    heard: list[MemoryChanges] = []
    window.feed.subscribe(heard.append)
    assert texts_in(window, ScopeKey.workspace(workspace_of(window))) == []
    account_before = texts_in(stage.a, ScopeKey.account())
    memory_id = stage.agent(stage.a).put(Tier.WORKSPACE, DRAGONS, lifetime="long_term")
    stored = stage.memory(stage.a, memory_id)
    assert (stored.content, stored.curator.value, stored.access_count) == (DRAGONS, "agent", 0)
    assert texts_in(stage.a, ScopeKey.account()) == account_before
    watch = Stopwatch()
    while not any(memory_id in changes.added for changes in heard):
        assert watch.seconds < 1.0 * SLOWNESS, "not in the open window within a second"
        time.sleep(0.02)


@pytest.mark.requirement("memory-retrieval")
def test_memory_retrieval(stage: Stage) -> None:
    agent = stage.agent(stage.a)
    first = agent.start()
    memory_id = agent.put(
        Tier.WORKSPACE, "Elarind\u00eb keeps the lighthouse at the northern point."
    )
    stage.embed()
    agent.end(first)
    agent.start()
    stage.clock.advance(hours=2)
    assert agent.read(Tier.WORKSPACE, "Who keeps the lighthouse?")[0].startswith("Elarind")
    read = stage.memory(stage.a, memory_id)
    assert (read.access_count, read.accessed_at) == (1, stage.clock())
    assert agent.read(Tier.WORKSPACE, "Elarinde")[0].startswith("Elarind")


@pytest.mark.requirement("relevance-decay")
def test_relevance_decay(stage: Stage) -> None:
    agent, scope = stage.agent(stage.a), ScopeKey.workspace(workspace_of(stage.a))
    note = agent.put(
        Tier.WORKSPACE, "Check the spelling of quay.", lifetime="short_term", importance=0.1
    )
    arc = agent.put(Tier.WORKSPACE, ARC, lifetime="long_term", importance=0.9)
    for number in range(3):
        agent.put(Tier.WORKSPACE, f"Filler number {number} about harbour taxes.", importance=0.6)
    stage.embed()
    active_before = len(texts_in(stage.a, scope))
    now = stage.clock.advance(days=21)
    faded = relevance_of(stage.memory(stage.a, note), stage.a.settings.decay, now)
    assert faded == pytest.approx(0.0080, abs=5e-5)
    stage.a.consolidation.run(scope)
    assert not stage.memory(stage.a, note).is_forgotten, "it waits for the author's word"
    prune_unasked(stage.root)
    pruning = stage.open(workspace_of(stage.a))
    pruning.consolidation.run(scope)
    forgotten = stage.memory(stage.a, note)
    assert forgotten.is_forgotten
    assert forgotten.run_id is not None
    assert len(texts_in(stage.a, scope)) == active_before - 1
    told = agent.orient(agent.start(), "What should the next chapter be about?")
    assert ARC in told
    assert not stage.memory(stage.a, arc).is_forgotten
    stage.a.memories.restore([forgotten.ref])
    assert not stage.memory(stage.a, note).is_forgotten


@pytest.mark.requirement("account-across-workspaces")
@pytest.mark.parametrize("granted", [False, True])
def test_account_across_workspaces(stage: Stage, *, granted: bool) -> None:
    taste = "Prefers dark themes in every story."
    if granted:
        right = Right(Tier.ACCOUNT, None, Action.WRITE)
        stage.a.clients.grant(LOOM, [right])
    memory_id = stage.agent(stage.a).put(Tier.ACCOUNT, taste)
    if not granted:
        assert memory_id == ""
        (waiting,) = stage.a.proposals.list(None, states=[ProposalState.PENDING])
        stage.a.proposals.accept(ProposalRef(None, waiting.id))
    stage.embed()
    there = stage.agent(stage.b)
    assert taste in there.orient(there.start(), "Which themes does the author like?")
    assert texts_in(stage.a, ScopeKey.account()) == [taste]
    for inklings in (stage.a, stage.b):
        assert taste not in texts_in(inklings, ScopeKey.workspace(workspace_of(inklings)))
    with pytest.raises(RefusedError):
        stage.agent(stage.b, STRANGER).read(Tier.ACCOUNT, "dark themes")
    with pytest.raises(RefusedError):
        stage.agent(stage.b, STRANGER).put(Tier.ACCOUNT, "Likes light themes.")


@pytest.mark.requirement("workspace-no-leak")
def test_workspace_no_leak(stage: Stage) -> None:
    here, there = stage.agent(stage.a), stage.agent(stage.b)
    room = here.start()
    malachar = here.put(Tier.WORKSPACE, "Malachar rules the city of glass.")
    here.put(Tier.CONVERSATION, "Malachar was mentioned in passing.", scope=room)
    channel = stage.a.places.channels(workspace_of(stage.a))[0].id
    here.put(Tier.CHANNEL, "Malachar is talked of in this channel.", scope=channel)
    stage.embed()
    own = there.start()
    own_channel = stage.b.places.channels(workspace_of(stage.b))[0].id
    for tier, scope in (
        (Tier.CONVERSATION, own),
        (Tier.CHANNEL, own_channel),
        (Tier.WORKSPACE, None),
    ):
        assert there.read(tier, "Malachar city of glass", scope=scope) == []
    assert "Malachar" not in there.orient(own, "Malachar")
    answers = set()
    for memory_id in (malachar, "00000000-0000-4000-8000-000000000000"):
        with pytest.raises(RefusedError) as caught:
            there.forget(Tier.WORKSPACE, memory_id)
        answers.add(str(caught.value))
    assert len(answers) == 1
    assert here.read(Tier.WORKSPACE, "Malachar") == ["Malachar rules the city of glass."]


@pytest.mark.requirement("conversation-cleared")
def test_conversation_cleared(stage: Stage) -> None:
    agent = stage.agent(stage.a)
    first = agent.start()
    memory_id = agent.put(Tier.CONVERSATION, "The toll was counted twice.", scope=first)
    agent.write_note(first, "pages", 3)
    stage.embed()
    assert agent.read(Tier.CONVERSATION, "toll", scope=first) == ["The toll was counted twice."]
    assert agent.read_note(first, "pages") == 3
    agent.end(first)
    second = agent.start()
    channel = stage.a.places.channels(workspace_of(stage.a))[0].id
    for tier, scope in (
        (Tier.CONVERSATION, first),
        (Tier.CONVERSATION, second),
        (Tier.CHANNEL, channel),
        (Tier.WORKSPACE, None),
        (Tier.ACCOUNT, None),
    ):
        assert agent.read(tier, "toll counted", scope=scope) == []
    assert "counted twice" not in agent.orient(second, "toll counted")
    forgotten = stage.memory(stage.a, memory_id)
    assert forgotten.forgotten_reason == "conversation_closed"
    with pytest.raises(RefusedError):
        agent.read_note(second, "pages")
    kept = stage.a.notes.read(workspace_of(stage.a), first, "pages")
    assert kept.value_json == "3"


@pytest.mark.requirement("short-term-survives")
def test_short_term_survives(stage: Stage) -> None:
    agent, scope = stage.agent(stage.a), ScopeKey.workspace(workspace_of(stage.a))
    first = agent.start()
    memory_id = agent.put(
        Tier.WORKSPACE, "The writing schedule is three mornings a week.", lifetime="short_term"
    )
    stage.embed()
    agent.end(first)
    stage.clock.advance(days=3)
    agent.start()
    assert agent.read(Tier.WORKSPACE, "schedule") == [
        "The writing schedule is three mornings a week."
    ]
    read, decay = stage.memory(stage.a, memory_id), stage.a.settings.decay
    assert read.access_count == 1
    assert relevance_of(read, decay, stage.clock()) == pytest.approx(0.847, abs=5e-4)
    stage.clock.advance(hours=72)
    assert relevance_of(read, decay, stage.clock()) == pytest.approx(0.590, abs=5e-4)
    stage.a.consolidation.run(scope)
    assert not stage.memory(stage.a, memory_id).is_forgotten


@pytest.mark.requirement("agent-private")
def test_agent_private(stage: Stage) -> None:
    researcher, writer = stage.agent(stage.a, RESEARCHER), stage.agent(stage.a, WRITER)
    private = researcher.put(Tier.WORKSPACE, "Glass melts at the old kiln.", private=True)
    researcher.put(Tier.WORKSPACE, "Glass is cold in this book.")
    stage.embed()
    assert writer.read(Tier.WORKSPACE, "glass") == ["Glass is cold in this book."]
    told = writer.orient(writer.start(), "glass kiln")
    assert "cold in this book" in told
    assert "old kiln" not in told
    answers = set()
    for memory_id in (private, "00000000-0000-4000-8000-000000000000"):
        with pytest.raises(RefusedError) as caught:
            writer.forget(Tier.WORKSPACE, memory_id)
        answers.add(str(caught.value))
    assert len(answers) == 1
    assert "Glass melts at the old kiln." in researcher.read(Tier.WORKSPACE, "kiln")
    shown = stage.memory(stage.a, private)
    assert shown.agent_id == RESEARCHER


@pytest.mark.requirement("scratchpad")
def test_scratchpad(stage: Stage) -> None:
    agent = stage.agent(stage.a)
    room, other = agent.start(), stage.agent(stage.a, WRITER).start()
    agent.write_note(room, "pages", 3)
    assert agent.read_note(room, "pages") == 3
    agent.write_note(room, "pages", 5)
    assert agent.read_note(room, "pages") == 5
    with pytest.raises(RefusedError):
        agent.read_note(other, "pages")
    with pytest.raises(RefusedError):
        stage.agent(stage.a, WRITER).read_note(room, "pages")
    workspace_id = workspace_of(stage.a)
    (note,) = stage.a.notes.list([ScopeKey.conversation(workspace_id, room)])
    assert (note.key, note.value_json) == ("pages", "5")
    with pytest.raises(InklingsError):
        stage.a.notes.write(workspace_id, room, "pages", 7)


_WRITER = """
import os, signal, sys
from pathlib import Path
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import Lifetime, MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
root, workspace, client = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
with open_inklings(root, workspace=workspace, embedder=NullEmbedder("none")) as inklings:
    agent = inklings.clients.admit(client, workspace)
    inklings.as_caller(agent).memories.put(MemoryDraft(
        ScopeKey.workspace(workspace), sys.argv[4], lifetime=Lifetime.LONG_TERM))
    print("stored", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.requirement("survives-restart")
def test_survives_restart(stage: Stage) -> None:
    backstory = "Nerys grew up on the mud stairs below the toll house."
    workspace_id = workspace_of(stage.a)
    killed = subprocess.run(
        [sys.executable, "-c", _WRITER, str(stage.root), workspace_id, LOOM, backstory],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert killed.stdout == "stored\n", killed.stderr
    assert killed.returncode < 0
    reopened = stage.open(workspace_id)
    stage.embed()
    agent = stage.agent(reopened)
    room = agent.start()
    assert agent.read(Tier.WORKSPACE, "Where did Nerys grow up?") == [backstory]
    assert agent.read(Tier.CONVERSATION, "Nerys", scope=room) == []


@pytest.mark.requirement("empty-workspace")
def test_empty_workspace(stage: Stage) -> None:
    here = stage.agent(stage.a)
    for number in range(5):
        here.put(Tier.WORKSPACE, f"Fact number {number} of the first world.")
    stage.embed()
    there, workspace_id = stage.agent(stage.b), workspace_of(stage.b)
    room = there.start()
    channel = stage.b.places.channels(workspace_id)[0].id
    counts = stage.b.listing.count(workspace_id)
    for scope in (
        ScopeKey.conversation(workspace_id, room),
        ScopeKey.channel(workspace_id, channel),
        ScopeKey.workspace(workspace_id),
    ):
        assert counts.of(scope) == 0
        key = None if scope.tier is Tier.WORKSPACE else scope.key
        assert there.read(scope.tier, "first world", scope=key) == []
        assert there.read(scope.tier, "", scope=key) == []
        assert texts_in(stage.b, scope) == []
    assert "first world" not in there.orient(room, "first world")
    stage.b.memories.put(MemoryDraft(ScopeKey.account(), "The author likes tea."))
    assert "The author likes tea." in there.orient(room, "tea")
    assert "likes tea" not in stage.agent(stage.b, STRANGER).orient(None, "tea")


@pytest.mark.requirement("repository-scoping")
def test_repository_scoping(stage: Stage) -> None:
    text = "The map of the drowned quarter hangs upside down."
    memory_id = stage.agent(stage.a).put(Tier.WORKSPACE, text, lifetime="long_term")
    stage.embed()
    a, b = workspace_of(stage.a), workspace_of(stage.b)
    assert texts_in(stage.b, ScopeKey.workspace(b)) == []
    assert stage.agent(stage.b).read(Tier.WORKSPACE, "map of the drowned quarter") == []
    for scope in (ScopeKey.workspace(b), ScopeKey.account()):
        with pytest.raises(NotFoundError):
            stage.b.listing.show(MemoryRef(scope, memory_id))
    with pytest.raises(RefusedError):
        stage.agent(stage.b, STRANGER).put(Tier.WORKSPACE, "A foreign hand.")
    folder = stage.root / "workspaces"
    stage.stack.close()  # the WAL is folded back, so that the bytes are all in one file
    stored = b"".join(path.read_bytes() for path in (folder / b).iterdir() if path.is_file())
    assert text.encode() not in stored
    shutil.copyfile(folder / a / "agents.db", folder / b / "agents.db")
    with (
        pytest.raises(ForeignDatabaseError),
        open_inklings(stage.root, workspace=b, embedder=NullEmbedder("none")) as inklings,
    ):
        inklings.listing.browse([ScopeKey.workspace(b)])


def remembered(agent: AgentsDoor, *texts: str) -> None:
    for text in (*FILLERS, *texts):
        agent.put(Tier.WORKSPACE, text)


def shown(scenario: str, *values: str) -> ParameterSet:
    return pytest.param(*values, id=scenario, marks=pytest.mark.requirement(scenario))


@pytest.mark.parametrize(("text", "question"), [shown(one, *BY_WORD[one]) for one in BY_WORD])
def test_the_pages_own_question_finds_what_the_page_has_remembered(
    stage: Stage, text: str, question: str
) -> None:
    agent = stage.agent(stage.a)
    remembered(agent, text)
    stage.embed()
    assert agent.read(Tier.WORKSPACE, question)[0] == text
    assert text in agent.orient(agent.start(), question)


@pytest.mark.requirement("relevance-decay")
def test_the_weighty_theme_is_told_to_who_asks_about_the_workspace(stage: Stage) -> None:
    """The question shares no word with what it is answered with."""
    agent = stage.agent(stage.a)
    arc = "Core theme: redemption arc for the protagonist."
    remembered(agent)
    agent.put(Tier.WORKSPACE, arc, importance=0.9, lifetime="long_term")
    stage.embed()
    question = "What do you remember about this workspace?"
    assert arc in agent.read(Tier.WORKSPACE, question)
    assert arc in agent.orient(agent.start(), question)
    purpose = "This workspace is used for my fantasy novel project about dragons."
    agent.put(Tier.WORKSPACE, purpose)
    stage.embed()
    assert purpose in agent.read(Tier.WORKSPACE, question)
    assert arc in agent.orient(agent.start(), question)


@pytest.mark.requirement("account-across-workspaces")
def test_a_preference_of_the_account_is_told_in_another_workspace(stage: Stage) -> None:
    stage.a.clients.grant(LOOM, [Right(Tier.ACCOUNT, None, Action.WRITE)])
    here, there = stage.agent(stage.a), stage.agent(stage.b)
    taste, question = (
        "I always prefer dark themes in my writing.",
        "What do you know about my preferences?",
    )
    here.put(Tier.ACCOUNT, "Call me by my first name.")
    here.put(Tier.ACCOUNT, taste)
    stage.embed()
    assert there.read(Tier.ACCOUNT, question)[0] == taste
    assert taste in there.orient(there.start(), question)


@pytest.mark.requirement("agent-private")
def test_the_research_done_so_far_is_told_to_the_researcher_alone(stage: Stage) -> None:
    """The question shares a word with who remembered it, none with what was remembered."""
    researcher, writer = stage.agent(stage.a, RESEARCHER), stage.agent(stage.a, WRITER)
    done = "I have already investigated the historical context for Chapter 5."
    remembered(writer)
    researcher.put(Tier.WORKSPACE, done, private=True)
    stage.embed()
    question = "What research has been done so far?"
    assert researcher.read(Tier.WORKSPACE, question)[0] == done
    assert done in researcher.orient(researcher.start(), question)
    assert done not in writer.read(Tier.WORKSPACE, question)
    assert done not in writer.orient(writer.start(), question)


@pytest.mark.parametrize(("text", "question"), [shown(one, *ELSEWHERE[one]) for one in ELSEWHERE])
def test_another_workspace_answers_with_nothing(stage: Stage, text: str, question: str) -> None:
    here, there = stage.agent(stage.a), stage.agent(stage.b)
    remembered(here, text)
    stage.embed()
    assert there.read(Tier.WORKSPACE, question) == []
    remembered(there)
    stage.embed()
    assert set(there.read(Tier.WORKSPACE, question)) <= set(FILLERS)
    assert text not in there.orient(there.start(), question)


@pytest.mark.requirement("conversation-cleared")
def test_what_was_kept_for_a_conversation_is_not_told_in_the_next_one(stage: Stage) -> None:
    agent = stage.agent(stage.a)
    remembered(agent)
    first = agent.start()
    plan, question = "I want to discuss chapters 1-3 today.", "What chapters did I want to discuss?"
    agent.put(Tier.CONVERSATION, plan, scope=first)
    agent.write_note(first, "pages edited today", 3)
    stage.embed()
    assert agent.read(Tier.CONVERSATION, question, scope=first) == [plan]
    pages = agent.read_note(first, "pages edited today")
    assert isinstance(pages, int)
    agent.write_note(first, "pages edited today", pages + 2)
    assert agent.read_note(first, "pages edited today") == 5
    agent.end(first)
    second = agent.start()
    assert agent.read(Tier.CONVERSATION, question, scope=second) == []
    assert set(agent.read(Tier.WORKSPACE, question)) <= set(FILLERS)
    assert plan not in agent.orient(second, question)


def test_every_scenario_has_its_test_at_both_doors_with_and_without_the_model(
    request: pytest.FixtureRequest,
) -> None:
    """Whatever a run selects: each id has a test, and each such test takes the stage."""
    module = request.node.getparent(pytest.Module).obj
    shown = {
        mark.args[0]: "stage" in inspect.signature(test).parameters
        for name, test in vars(module).items()
        if name.startswith("test_")
        for mark in getattr(test, "pytestmark", ())
        if mark.name == "requirement"
    }
    assert shown == dict.fromkeys(SCENARIOS, True)
