"""One memory's facts as a person reads them: ages, figures, labels, spoken descriptions.

Pure functions; the words are translatable, the figures are the same in every language.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from inklings_desktop.domain.access.secrets import SecretKind, secrets_in
from inklings_desktop.domain.memories.attention import AttentionKind
from inklings_desktop.domain.memories.decay import DecayConfig, half_life_hours
from inklings_desktop.domain.memories.listing import RelevanceBand, band_of
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, Tier
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.memory_marks import figure_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, timedelta


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
        return _tr("<1 min")
    if seconds < _HOUR:
        return _tr("{n} min").format(n=int(seconds // _MINUTE))
    if seconds < _DAY:
        return _tr("{n} h").format(n=int(seconds // _HOUR))
    if seconds < _MAX_DAYS * _DAY:
        return _tr("{n} d").format(n=int(seconds // _DAY))
    if seconds < _YEAR:
        return _tr("{n} mo").format(n=int(seconds // _MONTH))
    return _tr("{n} y").format(n=f"{int(seconds / _YEAR * 10) / 10:.1f}")


def spoken_age(delta: timedelta) -> str:
    """The same stretch of time in whole words, for screen readers: ``25 days``."""
    seconds = delta.total_seconds()
    if seconds < _MINUTE:
        return _tr("less than a minute")
    if seconds < _HOUR:
        return _counted(int(seconds // _MINUTE), _tr("1 minute"), _tr("{n} minutes"))
    if seconds < _DAY:
        return _counted(int(seconds // _HOUR), _tr("1 hour"), _tr("{n} hours"))
    if seconds < _MAX_DAYS * _DAY:
        return _counted(int(seconds // _DAY), _tr("1 day"), _tr("{n} days"))
    if seconds < _YEAR:
        return _counted(int(seconds // _MONTH), _tr("1 month"), _tr("{n} months"))
    return _tr("{n} years").format(n=f"{int(seconds / _YEAR * 10) / 10:.1f}")


def exact_time(at: datetime) -> str:
    """An instant on the wall clock of this machine, as ``14 Mar 2026, 10:36``.

    The name of the month is the system locale's.
    """
    local = on_the_wall(at)
    month = QLocale().standaloneMonthName(local.month, QLocale.FormatType.ShortFormat)
    return f"{local.day} {month} {local.year}, {local:%H:%M}"


def relevance_figure(relevance: float) -> str:
    """A relevance in two decimals; ``<0.01`` and ``9.99+`` beyond the ends."""
    return figure_of(relevance)


def importance_figure(importance: float) -> str:
    """An importance in two decimals."""
    return f"{importance:.2f}"


def band_label(band: RelevanceBand) -> str:
    """The name of a relevance band."""
    return {
        RelevanceBand.VIVID: _tr("Vivid"),
        RelevanceBand.STEADY: _tr("Steady"),
        RelevanceBand.FADING: _tr("Fading"),
        RelevanceBand.NEARLY_GONE: _tr("Nearly gone"),
    }[band]


def tier_title(tier: Tier) -> str:
    """The name of a tier, as on its tab."""
    return {
        Tier.CONVERSATION: _tr("Conversation"),
        Tier.CHANNEL: _tr("Channel"),
        Tier.WORKSPACE: _tr("Workspace"),
        Tier.ACCOUNT: _tr("Account"),
    }[tier]


def memory_title(tier: Tier) -> str:
    """What a memory of a tier is called."""
    return {
        Tier.CONVERSATION: _tr("Conversation memory"),
        Tier.CHANNEL: _tr("Channel memory"),
        Tier.WORKSPACE: _tr("Workspace memory"),
        Tier.ACCOUNT: _tr("Account memory"),
    }[tier]


def new_memory_title(tier: Tier) -> str:
    """What a memory of a tier is called before it is first saved."""
    return {
        Tier.CONVERSATION: _tr("New conversation memory"),
        Tier.CHANNEL: _tr("New channel memory"),
        Tier.WORKSPACE: _tr("New workspace memory"),
        Tier.ACCOUNT: _tr("New account memory"),
    }[tier]


def lifetime_label(lifetime: Lifetime) -> str:
    """A lifetime as a row or switch shows it."""
    return {
        Lifetime.SHORT_TERM: _tr("Short-term"),
        Lifetime.LONG_TERM: _tr("Long-term"),
        Lifetime.CONVERSATION: _tr("This conversation"),
    }[lifetime]


def curator_label(curator: Curator) -> str:
    """Who vouches for a memory."""
    return {
        Curator.AUTHOR: _tr("Author"),
        Curator.AGENT: _tr("Agent"),
        Curator.IMPORT: _tr("Import"),
    }[curator]


def writer_label(entry: MemoryEntry) -> str:
    """Who wrote a memory: a client's name, else the curator in a word."""
    return name_of_writer(entry.by)


def name_of_writer(by: str) -> str:
    """A writer as ``MemoryEntry.by`` names it, for a person."""
    return curator_label(Curator(by)) if by in set(Curator) else by


def reads_label(n_reads: int) -> str:
    """How often agents read it: ``2 reads``."""
    return _counted(n_reads, _tr("1 read"), _tr("{n} reads"))


def reads_rule() -> str:
    """What counts as a read, in one sentence."""
    return _tr(
        "A read is a hit of an agent\u2019s search, or a place in what its turn began with that "
        "the message of the turn asked for; what you look at counts nothing."
    )


def forgotten_reason_label(reason: str | None) -> str:
    """Why a memory was forgotten, as a short phrase; empty when nobody said."""
    known = {
        "cap": _tr("to make room for a newer one"),
        "conversation_closed": _tr("because its conversation closed"),
        "consolidated": _tr("it lives on in a merged memory"),
        "pruned": _tr("it had faded below 0.01"),
        "replaced": _tr("a newer memory took its place"),
        "undone": _tr("the run that wrote it was taken back"),
    }
    return known.get(reason or "", reason or "")


def accessible_description(entry: MemoryEntry, relevance: float, now: datetime) -> str:
    """Everything a row shows beside its text, in the order a screen reader should say it."""
    parts = [writer_label(entry), entry.source]
    if entry.agent_id:
        parts.append(_tr("private to agent {name}").format(name=entry.agent_id))
    parts += [
        lifetime_label(entry.lifetime).lower(),
        _tr("relevance {figure} {band}").format(
            figure=relevance_figure(relevance), band=band_label(band_of(relevance)).lower()
        ),
        _tr("importance {figure}").format(figure=importance_figure(entry.importance)),
        _counted(entry.access_count, _tr("read 1 time"), _tr("read {n} times"))
        if entry.access_count
        else _tr("never read"),
        _tr("{age} old").format(age=spoken_age(now - entry.created_at)),
    ]
    if entry.tags:
        parts.append(_tr("tags {tags}").format(tags=" ".join(entry.tags)))
    if entry.embedding_model is None:
        parts.append(_tr("no embedding"))
    if entry.pinned:
        parts.append(_tr("pinned"))
    if entry.paused:
        parts.append(_tr("paused"))
    if entry.is_unreadable:
        parts.append(_tr("damaged text"))
    if entry.forgotten_at is not None:
        age = spoken_age(now - entry.forgotten_at)
        parts.append(_tr("forgotten {age} ago").format(age=age))
    return spelled_out(", ".join(parts))


def _counted(n: int, one: str, many: str) -> str:
    return one if n == 1 else many.format(n=QLocale().toString(n))


def age_label(at: datetime, now: datetime) -> str:
    """How long ago: ``6 d ago``."""
    return _tr("{age} ago").format(age=relative_age(now - at))


_HOURS_PER_DAY = 24
_HOURS_PER_YEAR = 8766


def fading_line(tier: Tier, decay: DecayConfig) -> str:
    """What is true of a whole tier at the rates in force, as a sentence."""
    hours = half_life_hours(decay.rate(tier))
    if math.isinf(hours):
        if tier is Tier.CONVERSATION:
            return _tr("Nothing fades here until the conversation closes.")
        return _tr("Nothing fades here.")
    if hours < 2 * _HOURS_PER_DAY:
        return _tr("Half-life here is {hours} hours.").format(hours=f"{hours:.1f}")
    if hours < 2 * _HOURS_PER_YEAR:
        return _tr("Half-life here is {days} days.").format(days=f"{hours / _HOURS_PER_DAY:.1f}")
    return _tr("Half-life here is {years} years.").format(years=f"{hours / _HOURS_PER_YEAR:.1f}")


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
        AttentionKind.UNREADABLE: _tr("Cannot be read"),
        AttentionKind.BELOW_THRESHOLD: _tr("Below 0.01"),
        AttentionKind.WAITING_FOR_EMBEDDING: _tr("Waiting for an embedding"),
        AttentionKind.NEVER_READ: _tr("Never read"),
        AttentionKind.READY_TO_PROMOTE: _tr("Ready for long-term"),
    }[kind]


def attention_icon(kind: AttentionKind) -> str:
    """The mark of such a list."""
    return ATTENTION_MARKS[kind][0]


def secret_names(kinds: Sequence[SecretKind]) -> str:
    """Kinds of secrets in words: ``an API key, a password``."""
    words = {
        SecretKind.PRIVATE_KEY: _tr("a private key"),
        SecretKind.ACCESS_TOKEN: _tr("an access token"),
        SecretKind.API_KEY: _tr("an API key"),
        SecretKind.PASSWORD: _tr("a password"),
    }
    return ", ".join(words[kind] for kind in kinds)


def author_caution(text: str) -> str:
    """What the author should know of a text just saved; empty for ordinary prose.

    Takes a tenth of a second for the longest texts: call it off the UI thread.
    """
    kinds = secrets_in(text)
    if not kinds:
        return ""
    return _tr(
        "Saved as you typed it. It looks like {kinds}: every agent that may read here reads it."
    ).format(kinds=secret_names(kinds))


def _tr(text: str) -> str:
    return QCoreApplication.translate("memory_facts", text)
