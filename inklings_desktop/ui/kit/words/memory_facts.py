"""One memory's facts as a person reads them: ages, figures, labels, spoken descriptions.

Pure functions; the words are translatable, the figures are the same in every language.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.memories.decay import AttentionKind, DecayConfig, half_life_hours
from inklings_desktop.domain.memories.listing import RelevanceBand, band_of
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, MemoryKind, Tier
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.memory_marks import figure_of
from inklings_desktop.ui.kit.look.translation import counted, decimal, lowered, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, timedelta

    from inklings_desktop.domain.access.secrets import SecretKind


_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_MONTH, _YEAR = 30.44 * _DAY, 365.25 * _DAY
_MAX_DAYS = 60


def relative_age(delta: timedelta) -> str:
    """A stretch of time in one figure: ``6 min``, ``5 h``, ``13 d``, ``7 mo``, ``1.2 y``.

    Rounded down, so that nothing looks older than it is; less than a minute (or a clock that
    ran backwards) is ``<1 min``.
    """
    seconds = delta.total_seconds()
    if seconds < _MINUTE:
        return tr("<1 min")
    if seconds < _HOUR:
        return tr("{n} min").format(n=int(seconds // _MINUTE))
    if seconds < _DAY:
        return tr("{n} h").format(n=int(seconds // _HOUR))
    if seconds < _MAX_DAYS * _DAY:
        return tr("{n} d").format(n=int(seconds // _DAY))
    if seconds < _YEAR:
        return tr("{n} mo").format(n=int(seconds // _MONTH))
    return tr("{years} y").format(years=_years(seconds))


def spoken_age(delta: timedelta) -> str:
    """The same stretch of time in whole words, for screen readers: ``25 days``."""
    seconds = delta.total_seconds()
    if seconds < _MINUTE:
        return tr("less than a minute")
    if seconds < _HOUR:
        return counted(int(seconds // _MINUTE), "1 minute", "{n} minutes")
    if seconds < _DAY:
        return counted(int(seconds // _HOUR), "1 hour", "{n} hours")
    if seconds < _MAX_DAYS * _DAY:
        return counted(int(seconds // _DAY), "1 day", "{n} days")
    if seconds < _YEAR:
        return counted(int(seconds // _MONTH), "1 month", "{n} months")
    return tr("{years} years").format(years=_years(seconds))


def _years(seconds: float) -> str:
    return QLocale().toString(int(seconds / _YEAR * 10) / 10, "f", 1)


def exact_time(at: datetime) -> str:
    """An instant on the wall clock of this machine, as ``14 Mar 2026, 10:36``.

    The name of the month is the system locale's.
    """
    local = on_the_wall(at)
    month = QLocale().standaloneMonthName(local.month, QLocale.FormatType.ShortFormat)
    return tr("{day} {month} {year}, {time}").format(
        day=local.day, month=month, year=local.year, time=f"{local:%H:%M}"
    )


def relevance_figure(relevance: float) -> str:
    """A relevance in two decimals; ``<0.01`` and ``9.99+`` beyond the ends."""
    return figure_of(relevance)


def importance_figure(importance: float) -> str:
    """An importance in two decimals."""
    return decimal(importance, 2)


def band_label(band: RelevanceBand) -> str:
    """The name of a relevance band."""
    return {
        RelevanceBand.VIVID: tr("Vivid"),
        RelevanceBand.STEADY: tr("Steady"),
        RelevanceBand.FADING: tr("Fading"),
        RelevanceBand.NEARLY_GONE: tr("Nearly gone"),
    }[band]


def tier_title(tier: Tier) -> str:
    """The name of a tier, as on its tab."""
    return {
        Tier.CONVERSATION: tr("Conversation"),
        Tier.CHANNEL: tr("Channel"),
        Tier.WORKSPACE: tr("Workspace"),
        Tier.ACCOUNT: tr("Account"),
    }[tier]


def memory_title(tier: Tier) -> str:
    """What a memory of a tier is called."""
    return {
        Tier.CONVERSATION: tr("Conversation memory"),
        Tier.CHANNEL: tr("Channel memory"),
        Tier.WORKSPACE: tr("Workspace memory"),
        Tier.ACCOUNT: tr("Account memory"),
    }[tier]


def new_memory_title(tier: Tier) -> str:
    """What a memory of a tier is called before it is first saved."""
    return {
        Tier.CONVERSATION: tr("New conversation memory"),
        Tier.CHANNEL: tr("New channel memory"),
        Tier.WORKSPACE: tr("New workspace memory"),
        Tier.ACCOUNT: tr("New account memory"),
    }[tier]


def lifetime_label(lifetime: Lifetime) -> str:
    """A lifetime as a row or switch shows it."""
    return {
        Lifetime.SHORT_TERM: tr("Short-term"),
        Lifetime.LONG_TERM: tr("Long-term"),
        Lifetime.CONVERSATION: tr("This conversation"),
    }[lifetime]


def curator_label(curator: Curator) -> str:
    """Who vouches for a memory."""
    return {
        Curator.AUTHOR: tr("Author"),
        Curator.AGENT: tr("Agent"),
        Curator.IMPORT: tr("Import"),
    }[curator]


KIND_ICONS: Mapping[MemoryKind, str] = {
    MemoryKind.NOTE: "",
    MemoryKind.FACT: "tree-structure",
    MemoryKind.POLICY: "scales",
}


def kind_label(kind: MemoryKind) -> str:
    """What a memory is besides a note; empty for one."""
    return {MemoryKind.FACT: tr("Fact"), MemoryKind.POLICY: tr("House rule")}.get(kind, "")


def kind_plural(kind: MemoryKind) -> str:
    """Memories of a kind, as a filter names them."""
    return {
        MemoryKind.NOTE: tr("Notes"),
        MemoryKind.FACT: tr("Facts"),
        MemoryKind.POLICY: tr("House rules"),
    }[kind]


def writer_label(entry: MemoryEntry) -> str:
    """Who wrote a memory: a client's name, else the curator in a word."""
    return name_of_writer(entry.by)


_WORLD_AGENT = "world-agent"
"""The name by which our own agent calls; acp_wire names it too, which no start imports."""


def name_of_writer(by: str) -> str:
    """A writer or client as it is stored, for a person."""
    if by == _WORLD_AGENT:
        return tr("World Agent")
    return curator_label(Curator(by)) if by in set(Curator) else by


def reads_label(n_reads: int) -> str:
    """How often agents read it: ``2 reads``."""
    return counted(n_reads, "1 read", "{n} reads")


def reads_rule() -> str:
    """What counts as a read, in one sentence."""
    return tr(
        "An agent found it by searching, or got it because a message asked for it. Your own "
        "looks do not count."
    )


def forgotten_reason_label(reason: str | None) -> str:
    """Why a memory was forgotten, as a short phrase; empty when nobody said."""
    known = {
        "cap": tr("to make room for a newer one"),
        "conversation_closed": tr("because its conversation closed"),
        "consolidated": tr("it lives on in a merged memory"),
        "pruned": tr("it had faded almost to nothing"),
        "replaced": tr("a newer memory took its place"),
        "undone": tr("the run that wrote it was undone"),
        "superseded": tr("a later fact took its place"),
        "withdrawn": tr("it was withdrawn"),
    }
    return known.get(reason or "", reason or "")


def accessible_description(entry: MemoryEntry, relevance: float, now: datetime) -> str:
    """Everything a row shows beside its text, in the order a screen reader should say it."""
    parts = [*filter(None, [kind_label(entry.kind)]), writer_label(entry), entry.source]
    if entry.agent_id:
        parts.append(tr("private to agent {name}").format(name=entry.agent_id))
    parts += [
        lowered(lifetime_label(entry.lifetime), is_noun=False),
        tr("relevance {figure} {band}").format(
            figure=relevance_figure(relevance),
            band=lowered(band_label(band_of(relevance)), is_noun=False),
        ),
        tr("importance {figure}").format(figure=importance_figure(entry.importance)),
        counted(entry.access_count, "read 1 time", "read {n} times")
        if entry.access_count
        else tr("never read"),
        tr("{age} old").format(age=spoken_age(now - entry.created_at)),
    ]
    if entry.tags:
        parts.append(tr("tags {tags}").format(tags=" ".join(entry.tags)))
    if entry.embedding_model is None:
        parts.append(tr("found by words only"))
    if entry.pinned:
        parts.append(tr("pinned"))
    if entry.paused:
        parts.append(tr("paused"))
    if entry.is_unreadable:
        parts.append(tr("damaged text"))
    if entry.forgotten_at is not None:
        age = spoken_age(now - entry.forgotten_at)
        parts.append(tr("forgotten {age} ago").format(age=age))
    return spelled_out(", ".join(parts))


def age_label(at: datetime, now: datetime) -> str:
    """How long ago: ``6 d ago``."""
    return tr("{age} ago").format(age=relative_age(now - at))


def fading_line(tier: Tier, decay: DecayConfig) -> str:
    """What is true of a whole tier at the rates in force, as a sentence."""
    if math.isfinite(half_life_hours(decay.rate(tier))):
        return tr("Stays findable; unused memories rank lower.")
    if tier is Tier.CONVERSATION:
        return tr("Nothing fades here until the conversation closes.")
    return tr("Nothing fades here.")


ATTENTION_MARKS: Mapping[AttentionKind, tuple[str, str]] = {
    AttentionKind.UNREADABLE: ("warning", "ochre"),
    AttentionKind.BELOW_THRESHOLD: ("hourglass", "inkSoft"),
    AttentionKind.WAITING_FOR_EMBEDDING: ("circle-dashed", "ochre"),
    AttentionKind.NEVER_READ: ("eye-slash", "inkSoft"),
    AttentionKind.READY_TO_PROMOTE: ("arrow-up-right", "accent"),
}
"""Icon of each, and the role of its colour."""


def attention_label(kind: AttentionKind) -> str:
    """A list of things worth a look in two words, for the filter that shows it."""
    return {
        AttentionKind.UNREADABLE: tr("Cannot be read"),
        AttentionKind.BELOW_THRESHOLD: tr("Faded almost to nothing"),
        AttentionKind.WAITING_FOR_EMBEDDING: tr("Found by words only"),
        AttentionKind.NEVER_READ: tr("Never read"),
        AttentionKind.READY_TO_PROMOTE: tr("Ready for long-term"),
    }[kind]


def attention_icon(kind: AttentionKind) -> str:
    """The mark of such a list."""
    return ATTENTION_MARKS[kind][0]


def secret_names(kinds: Sequence[SecretKind]) -> str:
    """Kinds of secrets in words: ``an API key, a password``."""
    from inklings_desktop.domain.access.secrets import SecretKind

    words = {
        SecretKind.PRIVATE_KEY: tr("a private key"),
        SecretKind.ACCESS_TOKEN: tr("an access token"),
        SecretKind.API_KEY: tr("an API key"),
        SecretKind.PASSWORD: tr("a password"),
        SecretKind.CARD_NUMBER: tr("the number of a payment card"),
        SecretKind.BANK_ACCOUNT: tr("the number of a bank account"),
    }
    return ", ".join(words[kind] for kind in kinds)


def author_caution(text: str) -> str:
    """What the author should know of a text just saved; empty for ordinary prose.

    Takes a tenth of a second for the longest texts: call it off the UI thread.
    """
    # Its patterns cost the first page of rows a hundredth, and no row is told by them.
    from inklings_desktop.domain.access.secrets import secrets_in

    kinds = secrets_in(text)
    if not kinds:
        return ""
    return tr(
        "Saved as typed. It looks like {kinds}; every agent with access here can read it."
    ).format(kinds=secret_names(kinds))
