"""What the sweep does while system calls fail: every way to make, change, keep and read a memory.

Each act is prepared on a sound disk, which gives the deed that is done on a failing one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window, serve_agent
from inklings_desktop.cli.app import run
from inklings_desktop.cli.messages import failure_of
from inklings_desktop.cli.program import Program
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.settings_file import save_values
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from tests.end2end.agent_doors import UseCaseDoor
from tests.support.damaging import damage_root

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.bundle import Inklings

AGENT = "loom"
WORLD = "Field notes"


@dataclass(frozen=True, slots=True)
class Said:
    """How a deed ended.

    Attributes:
        kind: What went wrong, a word of ``cli.messages``; empty when nothing did.
        words: What a person reads of it; the JSON document of a command that went well.
    """

    kind: str
    words: str


Deed = Callable[[], Said]


@dataclass(frozen=True, slots=True)
class Place:
    """One copy of the data root, a folder for exports beside it, and the ways in."""

    folder: Path

    @property
    def root(self) -> Path:
        """The data root."""
        return self.folder / "root"

    def command(self, *arguments: str) -> Deed:
        """One command line, still to be run."""
        return lambda: self._run(*arguments)

    def answer(self, *arguments: str) -> Any:
        """The document of a command that must succeed."""
        said = self._run(*arguments)
        assert not said.kind, (arguments, said)
        return json.loads(said.words)

    @contextmanager
    def agent(self) -> Iterator[UseCaseDoor]:
        """An agent that was let in."""
        with self.opened() as inklings:
            assert inklings.workspace is not None
            yield UseCaseDoor(inklings, inklings.workspace.id, AGENT)

    @contextmanager
    def opened(self) -> Iterator[Inklings]:
        """The use cases, as a window would have them but for its background work."""
        with open_inklings(
            self.root, workspace=WORLD, embedder=NullEmbedder("none"), embed_writes=False
        ) as inklings:
            yield inklings

    def as_agent(self, deed: Callable[[Inklings, Caller, str], object]) -> Deed:
        """What an agent does, still to be done."""

        def done() -> Said:
            try:
                with self.agent() as door:
                    deed(door.inklings, door.caller(), door.workspace_id)
            except InklingsError as error:
                failure = failure_of(error)
                return Said(failure.kind, failure.message)
            return Said("", "")

        return done

    def _run(self, *arguments: str) -> Said:
        program = Program(
            lambda data_dir, *, workspace, require_account=True: open_inklings(
                data_dir,
                workspace=workspace,
                embedder=NullEmbedder("none"),
                embed_writes=False,
                require_account=require_account,
            ),
            run_window,
            make_sample_world,
            serve_agent,
        )
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = run(["--data-dir", str(self.root), *arguments, "--json"], program)
        document = json.loads(out.getvalue())
        if status == 0 or "error" not in document:
            return Said("", out.getvalue())
        return Said(document["error"]["kind"], err.getvalue())

    def memory(self, number: int = 0) -> str:
        """Id of a memory of the workspace tier."""
        listed = self.answer("memory", "list", "--tier", "workspace", "--workspace", WORLD)
        return str(listed["memories"][number]["id"])

    def conversation(self) -> str:
        """Id of the conversation there is."""
        listed = self.answer("conversation", "list", "--workspace", WORLD)
        return str(listed["conversations"][0]["id"])

    def proposal(self) -> str:
        """Id of the proposal that waits."""
        return str(self.answer("entry", "proposals", "--workspace", WORLD)["proposals"][0]["id"])

    def database(self) -> Path:
        """The workspace's database."""
        (workspace,) = self.answer("workspace", "list")["workspaces"]
        return self.root / "workspaces" / str(workspace["id"]) / DATABASE_NAME


def furnish(folder: Path) -> Place:
    """A data root with a little of everything, an export and a backup of an earlier state."""
    place = Place(folder)
    place.answer("workspace", "create", WORLD)
    place.answer("mcp", "grant", AGENT, "--as", "world-agent", "--workspace", WORLD)
    for text in ("The harbour glass hums at low tide", "Nerys lies about the bells"):
        place.answer("memory", "add", text, "--tier", "workspace")
    place.answer("memory", "add", "Ada likes plain words", "--tier", "account")
    place.answer("export", str(folder / "world.json"), "--all")
    place.answer("backup", "create")
    place.answer("memory", "edit", place.memory(), "--content", "The bells are of harbour glass")
    place.answer("entry", "new", "PLACES")
    with place.agent() as door:
        conversation = door.start()
        door.put(Tier.CONVERSATION, "Wend Gate is shut", scope=conversation)
        door.write_note(conversation, "step", 1)
        voice = "VOICE"
        door.inklings.as_caller(door.caller()).proposals.propose(
            door.workspace_id, voice, "Plain.", "It reads better.", Tier.WORKSPACE
        )
    return place


@dataclass(frozen=True, slots=True)
class Act:
    """Something that is done while calls fail.

    Attributes:
        name: What it is called in the table.
        prepare: Makes it ready on a sound disk; what it returns is done on a failing one.
        is_new: Whether it begins with no data root at all.
        reads: Whether it only reads, so that a full disk must not keep anybody from it.
        steps: Whether it is done file by file, so that some may be as before, others as after.
        is_broken: Whether it begins with a damaged or lost database.
    """

    name: str
    prepare: Callable[[Place], Deed]
    is_new: bool = False
    reads: bool = False
    steps: bool = False
    is_broken: bool = False


def _command(*arguments: str) -> Callable[[Place], Deed]:
    return lambda place: place.command(*arguments)


def _about(first: Callable[[Place], str], *arguments: str) -> Callable[[Place], Deed]:
    """A command with ``{}`` for what is looked up in the place."""

    def prepared(place: Place) -> Deed:
        found = first(place)
        return place.command(*(one.replace("{}", found) for one in arguments))

    return prepared


def _edit_entry(place: Place) -> Deed:
    body = place.folder / "voice.md"
    body.write_text("Plain and dry.", encoding="utf-8")
    return place.command("entry", "edit", "VOICE", "--from-file", str(body))


def _note(place: Place) -> Deed:
    conversation = place.conversation()
    return place.as_agent(
        lambda inklings, agent, world: inklings.as_caller(agent).notes.write(
            world, conversation, "where", "harbour"
        )
    )


def _backup(place: Place) -> str:
    return str(place.answer("backup", "list")["backups"][-1]["name"])


def _restore_gone(place: Place) -> Deed:
    name, path = _backup(place), place.database()
    path.unlink()
    return place.command("backup", "restore", name)


def _rebuild(place: Place) -> Deed:
    damage_root(place.database(), "memories_by_importance")
    return place.command("check", "--repair")


def _scrub(place: Place) -> Deed:
    asked = ("scrub", "--tier", "workspace", "--mode", "keep_named")
    shown = place.answer(*asked)["manifest"]
    return place.command(
        *asked, "--execute", "--token", shown["token"], "--confirm", shown["phrase"]
    )


def _settings(place: Place) -> Deed:
    def done() -> Said:
        try:
            save_values(place.root, {"appearance.theme": "dark"})
        except OSError as error:
            return Said({28: "full"}.get(error.errno or 0, "storage"), error.strerror or "")
        except InklingsError as error:
            return Said(failure_of(error).kind, failure_of(error).message)
        return Said("", "")

    return done


def _import_elsewhere(place: Place) -> Deed:
    file = place.folder / "world.json"
    return Place(place.folder / "elsewhere").command("import", str(file))


ACTS = (
    Act("open a new data root", _command("workspace", "list"), is_new=True, steps=True),
    Act(
        "create the first workspace",
        _command("workspace", "create", "Elsewhere"),
        is_new=True,
        steps=True,
    ),
    Act("create a workspace", _command("workspace", "create", "Elsewhere")),
    Act("rename a workspace", _command("workspace", "rename", WORLD, "Elsewhere")),
    Act(
        "delete a workspace",
        _command("workspace", "delete", WORLD, "--confirm", f"delete {WORLD}"),
        steps=True,
    ),
    Act("put", _command("memory", "add", "Tides turn at noon", "--tier", "workspace")),
    Act("put in the account", _command("memory", "add", "Ada is left-handed", "--tier", "account")),
    Act("edit", _about(Place.memory, "memory", "edit", "{}", "--content", "Glass, not bells")),
    Act("restore a version", _about(Place.memory, "memory", "restore-version", "{}", "1")),
    Act("forget", _about(Place.memory, "memory", "forget", "{}")),
    Act("pin", _about(Place.memory, "memory", "pin", "{}")),
    Act("edit a named entry", _edit_entry),
    Act("new named entry", _command("entry", "new", "PEOPLE")),
    Act("delete a named entry", _command("entry", "delete", "PLACES")),
    Act("write a note", _note),
    Act("open a channel", _command("channel", "create", "maps")),
    Act("start a conversation", _command("conversation", "start")),
    Act(
        "end a conversation",
        _about(
            Place.conversation, "conversation", "idle", "{}", "--summary", "The gate stays shut."
        ),
    ),
    Act("accept a proposal", _about(Place.proposal, "entry", "proposals", "--accept", "{}")),
    Act("decline a proposal", _about(Place.proposal, "entry", "proposals", "--reject", "{}")),
    Act("grant rights", _command("mcp", "grant", "scribe", "--as", "external")),
    Act("save settings", _settings),
    Act("consolidate", _command("consolidate"), steps=True),
    Act("back up", _command("backup", "create"), steps=True),
    Act("restore a backup", _about(_backup, "backup", "restore", "{}")),
    Act("restore a lost database", _restore_gone, is_broken=True),
    Act("rebuild a damaged database", _rebuild, is_broken=True),
    Act("scrub", _scrub, steps=True),
    Act(
        "export",
        lambda place: place.command("export", str(place.folder / "new.json"), "--all"),
        steps=True,
    ),
    Act(
        "import again",
        lambda place: place.command(
            "import", str(place.folder / "world.json"), "--on-conflict", "both"
        ),
        steps=True,
    ),
    Act("import into a new data root", _import_elsewhere, steps=True),
    Act("list", _command("memory", "list", "--tier", "workspace"), reads=True),
    Act("search", _command("memory", "search", "bells", "--tier", "workspace"), reads=True),
    Act("show", _about(Place.memory, "memory", "show", "{}"), reads=True),
    Act(
        "orient",
        _about(Place.conversation, "orient", "--conversation", "{}"),
        reads=True,
    ),
    Act("read the log", _command("log"), reads=True),
    Act("check", _command("check"), reads=True),
    Act(
        "read as an agent",
        lambda place: place.as_agent(
            lambda inklings, agent, world: inklings.as_caller(agent).search.read(
                ScopeKey.workspace(world), query="bells"
            )
        ),
        reads=True,
    ),
    Act(
        "orient an agent",
        lambda place: place.as_agent(
            lambda inklings, agent, world: inklings.as_caller(agent).orientation.orient(
                OrientationRequest(world, None, "bells")
            )
        ),
        reads=True,
    ),
)
