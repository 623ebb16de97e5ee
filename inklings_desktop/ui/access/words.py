"""Clients, their rights and their requests in words; pure functions, run off the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import (
    SCRUB_ACTIONS,
    WORLD_ACTIONS,
    Client,
    ClientCall,
    ClientKind,
    Right,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.access.state import (
    CallRow,
    ClientDetail,
    ClientRow,
    RightSwitch,
)
from inklings_desktop.ui.kit.look.rights import RightBadge, RightTone
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import age_label, exact_time, spoken_age, tier_title

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.usecases.access.clients import ClientWithActivity
    from inklings_desktop.usecases.memories.values import Written


_ICONS = {
    ClientKind.WORLD_AGENT: "planet",
    ClientKind.EXTERNAL: "puzzle-piece",
    ClientKind.UNKNOWN: "puzzle-piece",
}
_OFFERED = (
    (
        Tier.WORKSPACE,
        (Action.READ, Action.WRITE, Action.PROPOSE, Action.WORLD_READ, Action.WORLD_PROPOSE),
    ),
    (Tier.ACCOUNT, (Action.READ, Action.PROPOSE, Action.WRITE)),
    (Tier.CHANNEL, (Action.READ, Action.WRITE)),
    (Tier.CONVERSATION, (Action.READ, Action.WRITE)),
)
_SCRUBS = (Action.SCRUB_PREVIEW, Action.SCRUB_KEEP_NAMED, Action.SCRUB_FULL)


def client_row(
    found: ClientWithActivity, workspace_id: str, channels: Sequence[Channel], now: datetime
) -> ClientRow:
    """A client for the matrix, as it stands to one workspace and the account."""
    client, at = found.client, found.activity.last_call_at
    badges = tuple(tier_badge(client, tier, workspace_id, channels) for tier in Tier)
    kind = kind_label(client.kind)
    seen = tr("never") if at is None else age_label(at, now)
    told = [client.name, kind]
    told += [f"{tier_title(tier)}: {badge.text}" for tier, badge in zip(Tier, badges, strict=True)]
    told.append(
        tr("never seen")
        if at is None
        else tr("last seen {age} ago").format(age=spoken_age(now - at))
    )
    return ClientRow(client.name, kind, _ICONS[client.kind], badges, seen, ", ".join(told))


def kind_label(kind: ClientKind) -> str:
    """What the author takes a client for."""
    return {
        ClientKind.WORLD_AGENT: tr("my World Agent"),
        ClientKind.EXTERNAL: tr("MCP client"),
        ClientKind.UNKNOWN: tr("not let in yet"),
    }[kind]


def tier_badge(
    client: Client, tier: Tier, workspace_id: str, channels: Sequence[Channel]
) -> RightBadge:
    """What a client may do in one tier, in two or three words."""
    rights = [
        one
        for one in client.rights_in(None if tier is Tier.ACCOUNT else workspace_id)
        if one.tier is tier
    ]
    actions = {one.action for one in rights if one.channel_id is None}
    # Where everybody reads by taking part, saying "read" alone would promise too much.
    by_room = tier in {Tier.CONVERSATION, Tier.CHANNEL} and client.kind is ClientKind.EXTERNAL
    words = [
        word
        for action, word in (
            (Action.READ, tr("read")),
            (Action.WRITE, tr("write")),
            (Action.PROPOSE, tr("propose")),
        )
        if action in actions and not (action is Action.PROPOSE and Action.WRITE in actions)
    ]
    if actions & WORLD_ACTIONS:
        words.append(tr("propose pages") if Action.WORLD_PROPOSE in actions else tr("pages"))
    if actions & SCRUB_ACTIONS:
        words.append(tr("scrub"))
    own = {one.channel_id for one in rights if one.channel_id is not None}
    if own:
        words = [_channel_badge(rights, own, channels), *([tr("if taking part")] if words else [])]
    elif by_room and words == [tr("read")]:
        return RightBadge(tr("if taking part"), RightTone.ROOM)
    elif by_room and words:
        words[-1] = tr("{right} if taking part").format(right=words[-1])
    if not words:
        return RightBadge(tr("none"), RightTone.NONE)
    writes = any(one.action is Action.WRITE or one.action in SCRUB_ACTIONS for one in rights)
    return RightBadge(", ".join(words), RightTone.WRITE if writes else RightTone.READ)


def _channel_badge(rights: Sequence[Right], own: set[str], channels: Sequence[Channel]) -> str:
    names = [f"#{one.name}" for one in channels if one.id in own] or [tr("a channel")]
    writes = any(one.action is Action.WRITE and one.channel_id for one in rights)
    verb = tr("read, write") if writes else tr("read")
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return f"{verb} {names[0]}{more}"


def client_detail(
    found: ClientWithActivity, workspace_id: str, channels: Sequence[Channel], now: datetime
) -> ClientDetail:
    """A client whole: its switches, what it asked for, what went wrong."""
    client, activity = found.client, found.activity
    own = {one.channel_id for one in client.rights if one.channel_id is not None}
    others = {one.workspace_id for one in client.rights} - {None, workspace_id}
    at, failed_at = activity.last_call_at, activity.last_error_at
    return ClientDetail(
        name=client.name,
        kind=client.kind,
        icon=_ICONS[client.kind],
        switches=_switches(client, workspace_id, channels),
        channels=tuple(
            (one.id, one.name) for one in channels if one.id not in own and one.archived_at is None
        ),
        elsewhere=counted(
            len(others),
            "It has rights in 1 other workspace too.",
            "It has rights in {n} other workspaces too.",
        )
        if others
        else "",
        has_rights=bool(client.rights),
        calls=tuple(call_row(one, now) for one in activity.calls),
        last_call=tr("This program has not connected yet.")
        if at is None
        else tr("It asked last {age}.").format(age=age_label(at, now)),
        last_error=""
        if failed_at is None
        else tr("Its last error: {what}, {age}.").format(
            what=error_words(activity.last_error), age=age_label(failed_at, now)
        ),
    )


def _switches(
    client: Client, workspace_id: str, channels: Sequence[Channel]
) -> tuple[RightSwitch, ...]:
    rows = []
    for tier, actions in _OFFERED:
        rows += [_switch(client, tier, action, workspace_id) for action in actions]
        if tier is Tier.CHANNEL:
            rows += _channel_switches(client, workspace_id, channels)
    for tier, _ in _OFFERED:
        rows += [_switch(client, tier, action, workspace_id) for action in _SCRUBS]
    return tuple(rows)


def _switch(client: Client, tier: Tier, action: Action, workspace_id: str) -> RightSwitch:
    right = Right(tier, None if tier is Tier.ACCOUNT else workspace_id, action)
    return RightSwitch(
        key=f"{tier.value}:{action.value}",
        tier=tier,
        title=tr("{tier}, {right}").format(tier=tier_title(tier), right=_right_name(action)),
        note=_note(client.kind, tier, action),
        right=right,
        is_on=right in client.rights,
        is_scrub=action in SCRUB_ACTIONS,
    )


def _channel_switches(
    client: Client, workspace_id: str, channels: Sequence[Channel]
) -> list[RightSwitch]:
    """Read and write of every channel that was opened by itself."""
    names = {one.id: one.name for one in channels}
    own = {one.channel_id for one in client.rights_in(workspace_id) if one.channel_id is not None}
    rows = []
    for channel_id in sorted(own, key=lambda one: names.get(one, "")):
        name = names.get(channel_id, tr("a channel"))
        for action in (Action.READ, Action.WRITE):
            right = Right(Tier.CHANNEL, workspace_id, action, channel_id)
            rows.append(
                RightSwitch(
                    key=f"channel:{channel_id}:{action.value}",
                    tier=Tier.CHANNEL,
                    title=tr("#{name}, {right}").format(name=name, right=_right_name(action)),
                    note=tr("This channel, whether it takes part or not."),
                    right=right,
                    is_on=right in client.rights,
                )
            )
    return rows


def _right_name(action: Action) -> str:
    return {
        Action.READ: tr("read"),
        Action.WRITE: tr("write"),
        Action.PROPOSE: tr("propose"),
        Action.SCRUB_PREVIEW: tr("count a scrub"),
        Action.SCRUB_KEEP_NAMED: tr("scrub, named entries stay"),
        Action.SCRUB_FULL: tr("scrub everything"),
        Action.WORLD_READ: tr("read pages"),
        Action.WORLD_PROPOSE: tr("propose pages"),
    }[action]


def _note(kind: ClientKind, tier: Tier, action: Action) -> str:
    if action is Action.SCRUB_PREVIEW:
        return tr("Hears how many would go, never which.")
    if action in SCRUB_ACTIONS:
        return tr("Only asks: a window shows it, and you type the phrase.")
    everywhere = kind is ClientKind.WORLD_AGENT
    return {
        (Tier.WORKSPACE, Action.READ): tr("Can ask for workspace memories and named entries."),
        (Tier.WORKSPACE, Action.WRITE): tr("Writes are stamped with this client\u2019s name."),
        (Tier.WORKSPACE, Action.PROPOSE): tr("May ask you to change VOICE and companions."),
        (Tier.WORKSPACE, Action.WORLD_READ): tr("Searches and reads the folders of your world."),
        (Tier.WORKSPACE, Action.WORLD_PROPOSE): tr(
            "Asks you to change a page, in folders that take proposals."
        ),
        (Tier.ACCOUNT, Action.READ): tr("Account memory is closed to clients unless you open it."),
        (Tier.ACCOUNT, Action.PROPOSE): tr("What it wants to remember about you, you decide."),
        (Tier.ACCOUNT, Action.WRITE): tr("Writes about you at once, without asking."),
        (Tier.CHANNEL, Action.READ): tr("In every channel.")
        if everywhere
        else tr("Where it takes part in a conversation of the channel."),
        (Tier.CHANNEL, Action.WRITE): tr("In every channel.")
        if everywhere
        else tr("Where it takes part in a conversation of the channel."),
        (Tier.CONVERSATION, Action.READ): tr("The conversations it takes part in, no others."),
        (Tier.CONVERSATION, Action.WRITE): tr("The conversations it takes part in, no others."),
    }[(tier, action)]


def call_row(call: ClientCall, now: datetime) -> CallRow:
    """One request for the table."""
    is_refused = call.answer in {"refused", "failed"}
    answer = {
        "entries": counted(call.n_entries, "1 entry", "{n} entries"),
        "stored": tr("stored"),
        "held": tr("waits for you"),
        "refused": tr("refused"),
        "done": tr("done"),
    }.get(call.answer, error_words(call.error))
    age = age_label(call.at, now)
    tier = [] if call.tier is None else [tier_title(call.tier)]
    return CallRow(
        age=age,
        exact=exact_time(call.at),
        tool=call.tool,
        tier=call.tier,
        answer=answer,
        is_refused=is_refused,
        told=", ".join([call.tool, *tier, answer, age]),
    )


def error_words(word: str) -> str:
    """A stable word for what went wrong, as a person reads it."""
    words = {
        "scope_denied": tr("refused"),
        "not_let_in": tr("not let in yet"),
        "not_found": tr("not found"),
        "conflict": tr("changed since"),
        "invalid_value": tr("wrong arguments"),
        "over_limit": tr("over the limit"),
        "no_window": tr("no window open"),
        "changed_meanwhile": tr("changed since"),
        "overtaken": tr("changed since"),
        "ambiguous": tr("wrong arguments"),
        "folder_missing": tr("not found"),
        "not_writable": tr("refused"),
        "too_long": tr("over the limit"),
        "illegal_transition": tr("not possible now"),
        "cap_reached": tr("full"),
        "no_model": tr("no model"),
        "storage": tr("storage"),
    }
    return words.get(word, tr("failed"))


def question(name: str, count: int) -> str:
    """What is asked."""
    return counted(
        count, "Forget 1 memory that {name} wrote?", "Forget {n} memories that {name} wrote?"
    ).format(name=name)


def what_follows(name: str, written: Written) -> str:
    """What goes, what stays and how it comes back, a paragraph each; at least one memory goes."""
    goes = tr("Everything {name} wrote in this workspace and in your account.").format(name=name)
    if written.n_pinned:
        pinned = counted(written.n_pinned, "One is pinned.", "{n} are pinned.")
        goes = f"{goes} {pinned}"
    back = tr("You can undo this until you close the window, and the event log keeps the list.")
    return "\n\n".join([goes, *_kept(written), back])


def why_nothing(name: str, written: Written) -> str:
    """That there is nothing to forget, and what of it stays."""
    nothing = tr("{name} wrote nothing that could be forgotten here.").format(name=name)
    return " ".join([nothing, *_kept(written)])


def _kept(written: Written) -> list[str]:
    """What stays, in one sentence; none where that is nothing."""
    parts = []
    if n := written.n_rewritten:
        parts.append(counted(n, "1 that you rewrote", "{n} that you rewrote"))
    if n := written.n_locked:
        parts.append(counted(n, "1 that you locked", "{n} that you locked"))
    return [tr("Kept: {what}.").format(what=", ".join(parts))] if parts else []
