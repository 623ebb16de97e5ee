"""What every client may do at the agent's door: the table that the design pages add up to.

Written by hand from the product's rules for callers and the table of tools, and worked out with
sets of words alone: nothing of the program decides here. ``test_scope_matrix`` holds the program
to it, ``write_scope_matrix`` prints it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cell(StrEnum):
    """What becomes of one request."""

    YES = "yes"
    HELD = "held"
    NO = "no"
    HIDDEN = "\u2014"


class Place(StrEnum):
    """Where a request is aimed."""

    OWN = "own"
    """A room that the client takes part in, or a tier that has one scope only."""
    FOREIGN = "foreign"
    """A room that is there, and that the client takes no part in."""
    LEFT = "left"
    """A room whose only conversation with the client in it was put away."""
    UNKNOWN = "unknown"
    """Nothing has this id."""


@dataclass(frozen=True, slots=True)
class Column:
    """A client with its grants.

    Attributes:
        name: As the table shows it.
        rights: ``tier:action`` in this workspace or the account.
        kind: ``external`` or ``world_agent``.
        in_attic: Rights in the one channel that it takes no part in.
        elsewhere: Rights in another workspace.
    """

    name: str
    rights: frozenset[str] = frozenset()
    kind: str = "external"
    in_attic: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Row:
    """A request.

    Attributes:
        tool: The tool, or ``resource`` and its kind.
        about: What it is about.
        needs: All of these rights let it through; alternatives are separated by ``|``.
        asks: All of these let it through to the author; empty for none.
        place: Where it is aimed.
        never: No right lets it through.
    """

    tool: str
    about: str
    needs: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    place: Place = Place.OWN
    never: bool = False

    @property
    def name(self) -> str:
        """As the table shows it."""
        return f"{self.tool}, {self.about}" if self.about else self.tool


TIERS = ("conversation", "channel", "workspace", "account")
SCRUBS = ("scrub:preview", "scrub:keep_named", "scrub:full")
WORLD = ("world:read", "world:propose")
"""Rights to the pages, which the workspace's own tier alone has."""
_IN_WORKSPACE = ("conversation", "channel", "workspace")


def _rights(tiers: tuple[str, ...], *actions: str) -> frozenset[str]:
    return frozenset(f"{tier}:{action}" for tier in tiers for action in actions)


EXTERNAL = _rights(_IN_WORKSPACE, "read")
WORLD_AGENT = _rights(_IN_WORKSPACE, "read", "write", "propose") | {
    "account:read",
    "account:propose",
    "workspace:world:read",
}

COLUMNS = (
    # It is shown the tools that it would be given, and waits for the author with all of them.
    Column("never seen before", EXTERNAL, kind="unknown"),
    Column("external client", EXTERNAL),
    Column("my World Agent", WORLD_AGENT, kind="world_agent"),
    Column("everything revoked"),
    *(
        Column(f"{tier} {action} alone", frozenset({f"{tier}:{action}"}))
        for tier in TIERS
        for action in ("read", "write", "propose", *SCRUBS, *WORLD * (tier == "workspace"))
    ),
    Column("external, elsewhere", elsewhere=EXTERNAL),
    Column(
        "World Agent, elsewhere",
        frozenset({"account:read", "account:propose"}),
        kind="world_agent",
        elsewhere=WORLD_AGENT,
    ),
    Column("reads one channel", in_attic=frozenset({"channel:read"})),
    Column(
        "writes and scrubs one channel",
        in_attic=frozenset({"channel:write", "channel:scrub:preview", "channel:scrub:full"}),
    ),
    Column(
        "everything granted",
        _rights(TIERS, "read", "write", "propose", *SCRUBS) | _rights(("workspace",), *WORLD),
    ),
)

_ANY_READ = "|".join(f"{tier}:read" for tier in TIERS)
_ANY_IN_CHANNELS = "|".join(f"channel:{one}" for one in ("read", "write", "propose", *SCRUBS))
_ANY_RIGHT = "|".join(
    f"{tier}:{one}" for tier in TIERS for one in ("read", "write", "propose", *SCRUBS, *WORLD)
)
_EVERYWHERE_AT_ONCE = frozenset(
    (
        "channel_list",
        "memory_search",
        "memory_recent",
        "proposal_list",
        "prompt remember",
        "workspace_overview",
    )
)
LISTED = {
    "memory_read": _ANY_READ,
    "memory_list": _ANY_READ,
    "memory_get": _ANY_READ,
    "memory_search": _ANY_READ,
    "memory_recent": _ANY_READ,
    "memory_put": "|".join((*(f"{tier}:write" for tier in TIERS), "account:propose")),
    "memory_put_many": "|".join((*(f"{tier}:write" for tier in TIERS), "account:propose")),
    "memory_update": "|".join((*(f"{tier}:write" for tier in TIERS), "account:propose")),
    "memory_forget": "|".join((*(f"{tier}:write" for tier in TIERS), "account:propose")),
    "memory_orient": "conversation:read|workspace:read|account:read",
    "named_entry_list": "workspace:read|account:read",
    "named_entry_read": "workspace:read|account:read",
    "named_entry_propose": "workspace:propose|account:propose",
    "proposal_list": _ANY_RIGHT,
    "channel_list": _ANY_IN_CHANNELS,
    "conversation_start": "channel:read",
    "conversation_get": "conversation:read",
    "conversation_list": "conversation:read",
    "conversation_end": "conversation:read",
    "conversation_archive": "conversation:read",
    "note_write": "conversation:read",
    "note_read": "conversation:read",
    "note_list": "conversation:read",
    "note_clear": "conversation:read",
    "conversation_resume": "conversation:read",
    "conversation_rename": "conversation:read",
    "message_append": "conversation:read",
    "message_list": "conversation:read",
    "memory_restore": "|".join((*(f"{tier}:write" for tier in TIERS), "account:propose")),
    "workspace_overview": _ANY_READ,
    "memory_history": _ANY_READ,
    "event_list": "workspace:read",
    "scrub_preview": "|".join(f"{tier}:scrub:preview" for tier in TIERS),
    "scrub_execute": "|".join(
        f"{tier}:{right}" for tier in TIERS for right in ("scrub:keep_named", "scrub:full")
    ),
    "run_state_purge": "conversation:scrub:preview",
    "world_search": "workspace:world:read",
    "world_read": "workspace:world:read",
    "world_outline": "workspace:world:read",
    "world_changes": "workspace:world:read",
    "world_propose": "workspace:world:propose",
    "retcon_list": "workspace:world:read",
    "retcon_keep": "workspace:world:read",
    "fact_search": "workspace:read",
    "fact_put": "workspace:write",
    "fact_supersede": "workspace:write",
    "fact_history": "workspace:read",
    "policy_list": "workspace:read",
    "policy_propose": "workspace:propose",
    "working_memory_read": "workspace:read",
    "working_memory_write": "workspace:read",
    "domain_list": "workspace:read",
    "domain_create": "workspace:write",
    "activity_list": "workspace:read",
    "activity_propose": "workspace:propose",
    "skill_search": "workspace:read",
    "skill_read": "workspace:read",
    "skill_propose": "workspace:propose",
    "skill_trace_append": "workspace:read",
}
"""Any one of these rights puts a tool on the list."""
LISTED_TO_WRITERS = frozenset({"retcon_keep"})
"""Only for who may write in the workspace besides."""
OWN = frozenset({
    "activity_list", "activity_propose",
    "conversation_get", "conversation_archive", "conversation_resume", "conversation_rename",
    "message_append", "message_list", "memory_restore", "note_list", "note_clear",
    "workspace_overview", "run_state_purge", "memory_history", "event_list",
})  # fmt: skip
"""Those of the World Agent's program alone; to others they are not there."""
LISTED_RESOURCES = {
    "named_entry": "workspace:read|account:read",
    "orientation": "conversation:read",
    "facts": "workspace:read",
}
"""Of those with a part to fill in."""
LISTED_PROMPTS = {
    "begin_turn": LISTED["memory_orient"],
    "orient": LISTED["memory_orient"],
    "remember": LISTED["memory_put"],
    "wrap-up": "conversation:read",
}


def _rooms(tool: str, right: str) -> tuple[Row, ...]:
    """One request per room: of the client's own, of others, of nobody."""
    return tuple(
        Row(tool, f"{place} {tier}", (f"{tier}:{right}",), place=place)
        for tier in ("channel", "conversation")
        for place in Place
        if place is not Place.LEFT or tier == "channel"
    )


def _changes(tool: str) -> tuple[Row, ...]:
    return (
        Row(tool, "workspace", ("workspace:write",)),
        Row(tool, "account", ("account:write",), asks=("account:propose",)),
        *(row for row in _rooms(tool, "write") if row.place is not Place.UNKNOWN),
        Row(tool, "the author's", asks=("workspace:write",)),
        Row(tool, "locked by the author", asks=("workspace:write",)),
        Row(tool, "another client's private", never=True),
        Row(tool, "unknown id", never=True),
    )


def _talks(tool: str) -> tuple[Row, ...]:
    return tuple(
        Row(tool, f"{place} conversation", ("conversation:read",), place=place)
        for place in Place
        if place is not Place.LEFT
    )


ROWS = (
    Row("memory_read", "workspace", ("workspace:read",)),
    Row("memory_read", "workspace, by a query", ("workspace:read",)),
    Row("memory_read", "account", ("account:read",)),
    *_rooms("memory_read", "read"),
    Row("memory_list", "workspace", ("workspace:read",)),
    Row("memory_list", "account", ("account:read",)),
    *_rooms("memory_list", "read"),
    Row("memory_get", "workspace", ("workspace:read",)),
    Row("memory_get", "account", ("account:read",)),
    *(row for row in _rooms("memory_get", "read") if row.place is not Place.UNKNOWN),
    Row("memory_get", "the author's", ("workspace:read",)),
    Row("memory_get", "another client's private", never=True),
    Row("memory_get", "unknown id", never=True),
    Row("memory_search", "", (_ANY_READ,)),
    Row("memory_search", "by a date alone", (_ANY_READ,)),
    Row("memory_recent", "", (_ANY_READ,)),
    Row("memory_put", "workspace", ("workspace:write",)),
    Row("memory_put", "workspace, private", ("workspace:write",)),
    Row("memory_put", "workspace, said in own conversation",
        ("workspace:write", "conversation:read")),
    Row("memory_put", "workspace, said in foreign conversation", never=True),
    Row("memory_put", "workspace, with a key in it", asks=("workspace:write",)),
    Row("memory_put", "account", ("account:write",), asks=("account:propose",)),
    *_rooms("memory_put", "write"),
    Row("memory_put", "workspace, replacing an agent's", ("workspace:write",)),
    Row("memory_put", "workspace, replacing the author's", asks=("workspace:write",)),
    Row("memory_put", "workspace, replacing another client's private", never=True),
    Row("memory_put_many", "workspace", ("workspace:write",)),
    Row("memory_put_many", "account", ("account:write",), asks=("account:propose",)),
    *_rooms("memory_put_many", "write"),
    *_changes("memory_update"),
    *_changes("memory_forget"),
    Row("memory_orient", "", ("workspace:read|account:read",)),
    Row("memory_orient", "workspace only", ("workspace:read",)),
    Row("memory_orient", "account only", ("account:read",)),
    *_talks("memory_orient"),
    Row("named_entry_list", "", ("workspace:read|account:read",)),
    Row("named_entry_list", "workspace", ("workspace:read",)),
    Row("named_entry_list", "account", ("account:read",)),
    Row("named_entry_read", "VOICE", ("workspace:read",)),
    Row("named_entry_read", "SOUL", ("account:read",)),
    Row("named_entry_read", "unknown in workspace", never=True),
    Row("named_entry_read", "unknown in account", never=True),
    Row("named_entry_propose", "VOICE", asks=("workspace:propose",)),
    Row("named_entry_propose", "SOUL", asks=("account:propose",)),
    Row("named_entry_propose", "unknown in account", never=True),
    Row("named_entry_propose", "new in workspace", asks=("workspace:propose",)),
    Row("named_entry_propose", "new in account", asks=("account:propose",)),
    Row("proposal_list", "", (_ANY_RIGHT,)),
    Row("channel_list", "", (_ANY_IN_CHANNELS,)),
    Row("conversation_start", "in general", ("channel:read",)),
    *(row for row in _rooms("conversation_start", "read") if "channel" in row.about),
    *_talks("conversation_get"),
    Row("conversation_list", "", ("conversation:read",)),
    *_talks("note_write"),
    *_talks("note_read"),
    *_talks("note_list"),
    *_talks("note_clear"),
    Row("workspace_overview", "", ("conversation:read|channel:read|workspace:read",)),
    Row("memory_history", "workspace", ("workspace:read",)),
    Row("memory_history", "another client's private", never=True),
    Row("memory_history", "unknown id", never=True),
    Row("event_list", "", ("workspace:read",)),
    *_talks("message_list"),
    *_talks("message_append"),
    *_talks("conversation_resume"),
    *_talks("conversation_rename"),
    # What is there already is answered as it is.
    Row("memory_restore", "workspace", ("workspace:write",)),
    Row("memory_restore", "unknown id", never=True),
    *_talks("conversation_end"),
    Row("conversation_end", "with a summary", ("conversation:read", "channel:write")),
    *_talks("conversation_archive"),
    *(
        Row("scrub_preview", tier, (f"{tier}:scrub:preview",))
        for tier in ("workspace", "account")
    ),
    *_rooms("scrub_preview", "scrub:preview"),
    *(
        row
        for mode in ("keep_named", "full")
        for row in (
            Row("scrub_execute", f"{mode} workspace", asks=(f"workspace:scrub:{mode}",)),
            Row("scrub_execute", f"{mode} account", asks=(f"account:scrub:{mode}",)),
            *(
                Row("scrub_execute", f"{mode} {place} {tier}",
                    asks=(f"{tier}:scrub:{mode}",), place=place)
                for tier in ("channel", "conversation")
                for place in Place
                if place is not Place.LEFT or tier == "channel"
            ),
        )
    ),
    *(
        row
        for place in Place
        if place is not Place.LEFT
        for row in (
            Row("run_state_purge", f"of {place} conversation",
                ("conversation:scrub:preview",), place=place),
            Row("run_state_purge", f"asked for, of {place} conversation",
                asks=("conversation:scrub:preview",), place=place),
        )
    ),
    Row("world_search", "", ("workspace:world:read",)),
    Row("world_read", "own page", ("workspace:world:read",)),
    Row("world_read", "page of another workspace", never=True),
    Row("world_read", "unknown page", never=True),
    Row("world_outline", "", ("workspace:world:read",)),
    Row("world_outline", "folder of another workspace", never=True),
    Row("world_changes", "", ("workspace:world:read",)),
    Row("world_propose", "own page", asks=("workspace:world:propose",)),
    Row("world_propose", "unknown page", never=True),
    Row("retcon_list", "", ("workspace:world:read",)),
    Row("retcon_keep", "of an agent's", ("workspace:world:read", "workspace:write")),
    Row("retcon_keep", "of the author's", never=True),
    Row("retcon_keep", "unknown id", never=True),
    Row("policy_list", "", ("workspace:read",)),
    Row("policy_propose", "in a domain", asks=("workspace:propose",)),
    Row("policy_propose", "in a closed domain", never=True),
    Row("working_memory_read", "", ("workspace:read",)),
    Row("working_memory_write", "", ("workspace:read",)),
    Row("domain_list", "", ("workspace:read",)),
    Row("activity_list", "", ("workspace:read",)),
    Row("activity_propose", "", asks=("workspace:propose",)),
    Row("fact_search", "", ("workspace:read",)),
    Row("fact_history", "of the author's", ("workspace:read",)),
    Row("fact_history", "in a closed domain", never=True),
    Row("fact_history", "unknown id", never=True),
    Row("fact_put", "in a domain", ("workspace:read", "workspace:write")),
    Row("fact_put", "in a closed domain", never=True),
    Row("fact_supersede", "of the author's", asks=("workspace:read", "workspace:write")),
    Row("fact_supersede", "in a closed domain", never=True),
    Row("fact_supersede", "unknown id", never=True),
    Row("domain_create", "", ("workspace:write",)),
    Row("skill_search", "", ("workspace:read",)),
    Row("skill_read", "of the workspace", ("workspace:read",)),
    Row("skill_read", "unknown", never=True),
    Row("skill_propose", "a new one", asks=("workspace:propose",)),
    Row("skill_trace_append", "", ("workspace:read",)),
    Row("resource named", "workspace/VOICE", ("workspace:read",)),
    Row("resource named", "account/SOUL", ("account:read",)),
    Row("resource named", "account/unknown", never=True),
    *(
        Row("resource orientation", f"{place} conversation", ("conversation:read",), place=place)
        for place in Place
        if place is not Place.LEFT
    ),
    Row("resource facts", "of a domain", ("workspace:read",)),
    Row("resource facts", "of a closed domain", never=True),
    Row("resource facts", "of an unknown domain", never=True),
    Row("resource policies", "", ("workspace:read",)),
    Row("prompt begin_turn", "", ("workspace:read|account:read",)),
    Row("prompt orient", "", ("workspace:read|account:read",)),
    *(
        Row("prompt orient", f"{place} conversation", ("conversation:read",), place=place)
        for place in Place
        if place is not Place.LEFT
    ),
    Row("prompt remember", "", (LISTED["memory_put"],)),
    Row("prompt wrap-up", "", ("conversation:read",)),
    Row("memory_read", "conversation that was put away", ("conversation:read",)),
    Row("note_read", "conversation that was put away", ("conversation:read",)),
    Row("memory_read", "channel of another workspace", never=True),
)  # fmt: skip


def is_listed(tool: str, column: Column) -> bool:
    """Whether a client is shown a tool, or a kind of resource."""
    listed = LISTED | {f"resource {name}": rights for name, rights in LISTED_RESOURCES.items()}
    listed |= {f"prompt {name}": rights for name, rights in LISTED_PROMPTS.items()}
    listed["resource named"] = LISTED_RESOURCES["named_entry"]
    listed["resource policies"] = LISTED_RESOURCES["facts"]
    if tool in OWN and column.kind != "world_agent":
        return False
    writes = {f"{tier}:write" for tier in _IN_WORKSPACE}
    if tool in LISTED_TO_WRITERS and not writes & (column.rights | column.in_attic):
        return False
    return bool(frozenset(listed[tool].split("|")) & (column.rights | column.in_attic))


def expected(row: Row, column: Column) -> Cell:
    """What becomes of this request of this client."""
    if row.tool in OWN and column.kind != "world_agent":
        return Cell.HIDDEN
    is_known = column.kind != "unknown"
    if is_known and not row.never and row.place is not Place.UNKNOWN:
        held = _rights_at(row, column)
        if row.needs and _all_of(row.needs, held):
            return Cell.YES
        if row.asks and _all_of(row.asks, held):
            return Cell.HELD
    return Cell.NO if is_listed(row.tool, column) else Cell.HIDDEN


def _rights_at(row: Row, column: Column) -> frozenset[str]:
    """The rights that count where a request is aimed."""
    if row.about == "in general" or row.tool in _EVERYWHERE_AT_ONCE:
        # What looks everywhere finds what is open anywhere.
        # Whoever may read any channel may begin a conversation in the one that everybody has,
        # and whoever was let into any is told which.
        return column.rights | column.in_attic
    if row.place is Place.OWN:
        return column.rights
    if "conversation" in row.about:
        return frozenset()
    # The author's own agent works in every channel, anybody else where it was let in.
    let_in = column.in_attic if row.place is Place.FOREIGN else frozenset()
    return let_in | (column.rights if column.kind == "world_agent" else frozenset())


def _all_of(needed: tuple[str, ...], held: frozenset[str]) -> bool:
    return all(frozenset(one.split("|")) & held for one in needed)
