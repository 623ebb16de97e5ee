"""What the tab of house rules and grants shows, as finished words; it knows no widget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.knowledge.facts import SUPERSEDED
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.rights import RightBadge, RightTone
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import name_of_writer

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.knowledge.domains import Domain
    from inklings_desktop.domain.knowledge.facts import Fact, Observation
    from inklings_desktop.usecases.knowledge.values import GrantCell, GrantMatrix, PolicyView

GIVEN = ""
"""In the place of a permission: what the domain gives anyone."""


@dataclass(frozen=True, slots=True)
class GridColumn:
    """One domain.

    Attributes:
        under: A few words below its name; empty for none.
        tip: The same in a sentence.
        roles: Roles of which house rules let one write; empty where none does.
    """

    id: str
    name: str
    under: str
    tip: str
    roles: tuple[str, ...]
    is_closed: bool
    is_archived: bool


@dataclass(frozen=True, slots=True)
class GridCell:
    """What one role may do in one domain.

    Attributes:
        badge: As it is drawn.
        permission: What it was given, or what the domain gives it.
        is_own: Whether somebody gave it that.
        told: The whole cell in one sentence.
        effect: What stops it from more, in a sentence; empty for nothing.
        n_refused: Writes there that were refused lately.
    """

    badge: RightBadge
    permission: Permission
    is_own: bool
    told: str
    effect: str = ""
    n_refused: int = 0

    @property
    def refused(self) -> str:
        """How many writes were refused, in words; empty for none."""
        told = counted(
            self.n_refused,
            "1 write refused in the last 30 days",
            "{n} writes refused in the last 30 days",
        )
        return told if self.n_refused else ""


@dataclass(frozen=True, slots=True)
class GridRow:
    """One role, the clients that act under it, and a cell for every domain."""

    role: str
    clients: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Roles by domains."""

    columns: tuple[GridColumn, ...] = ()
    rows: tuple[GridRow, ...] = ()


def grid_of(matrix: GrantMatrix) -> Grid:
    """The matrix as it is shown; domains that are archived come last."""
    domains = sorted(matrix.domains, key=lambda one: one.archived_at is not None)
    columns = tuple(_column(one, matrix.required.get(one.id, ())) for one in domains)
    rows = tuple(
        GridRow(
            role.name,
            ", ".join(matrix.clients.get(role.name, ())) or tr("no program yet"),
            tuple(_cell(role.name, one, matrix.cells[role.name, one.id]) for one in columns),
        )
        for role in matrix.roles
    )
    return Grid(columns, rows)


def permission_words() -> dict[Permission, str]:
    """What the permissions are called on a badge."""
    return {
        Permission.NONE: tr("none"),
        Permission.READ: tr("read"),
        Permission.WRITE: tr("read, write"),
    }


def effect_of(permission: Permission) -> str:
    """What follows from a permission, in one sentence."""
    return {
        Permission.NONE: tr("Never learns that this domain exists."),
        Permission.READ: tr("Is told facts and rules here, and changes nothing."),
        Permission.WRITE: tr("May add and replace facts here. Every write is in the log."),
    }[permission]


def any_of(names: Collection[str]) -> str:
    """Names of which one is enough."""
    *others, last = sorted(names)
    return tr("{some} or {last}").format(some=", ".join(others), last=last) if others else last


def _column(domain: Domain, roles: Collection[str]) -> GridColumn:
    under, tip = "", domain.name
    if domain.archived_at is not None:
        under, tip = tr("archived"), tr("Archived: agents may read it, and write nothing more.")
    elif roles:
        only = any_of(roles)
        under = tr("only {roles}").format(roles=only)
        tip = tr("While its house rules are on, only {roles} may write here.").format(roles=only)
    elif domain.is_closed:
        under, tip = tr("closed"), tr("Hidden from roles that you let in nowhere here.")
    is_archived = domain.archived_at is not None
    return GridColumn(
        domain.id, domain.name, under, tip, tuple(sorted(roles)), domain.is_closed, is_archived
    )


def _cell(role: str, domain: GridColumn, cell: GrantCell) -> GridCell:
    given, words = cell.permission, permission_words()
    effect = ""
    if given is Permission.WRITE and domain.is_archived:
        effect = tr("Reads only: the domain is archived.")
    elif given is Permission.WRITE and cell.is_barred:
        effect = tr("Reads only: a house rule lets only {roles} write here.").format(
            roles=any_of(domain.roles)
        )
    told = tr("{role}, {domain}: {permission}").format(
        role=role, domain=domain.name, permission=words[given]
    )
    if not cell.is_own:
        told = f"{told} ({tr('the default')})"
    badge = RightBadge(words[given], _tone(given, is_own=cell.is_own))
    if effect:
        badge = RightBadge(words[Permission.READ], RightTone.BARRED)
        told = f"{told}. {effect}"
    made = GridCell(badge, given, cell.is_own, told, effect, cell.n_refused)
    return replace(made, told=f"{told}. {made.refused}") if made.refused else made


def _tone(given: Permission, *, is_own: bool) -> RightTone:
    if given is Permission.READ and not is_own:
        return RightTone.GIVEN_READ
    return RightTone[given.name]


def column_at(grid: Grid, domain_id: str) -> GridColumn | None:
    """One domain of a grid; None where it is not there any more."""
    return next((one for one in grid.columns if one.id == domain_id), None)


def cell_at(grid: Grid, role: str, domain_id: str) -> GridCell | None:
    """One cell of a grid; None where it is not there any more."""
    places = [number for number, one in enumerate(grid.columns) if one.id == domain_id]
    rows: Sequence[GridRow] = [one for one in grid.rows if one.role == role]
    return rows[0].cells[places[0]] if rows and places else None


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One house rule, as finished words.

    Attributes:
        text: The rule, without line breaks.
        facts: From how many facts it was drawn; empty for none.
        check: That a fact it rests on was replaced; empty where none was.
        by: Who wrote it.
        told: How often agents were told it, or that it is off.
        more: At every turn, or whom alone it lets write; empty for neither.
    """

    id: str
    text: str
    domain: str
    facts: str
    check: str
    by: str
    told: str
    more: str
    is_on: bool

    @property
    def spoken(self) -> str:
        """What is read aloud after the rule."""
        state = tr("on") if self.is_on else tr("off")
        said = (state, self.domain, self.facts, self.check, self.by, self.more)
        told = self.told if self.is_on else ""
        return ", ".join(one for one in (*said, told) if one)


def rule_row(view: PolicyView) -> RuleRow:
    """A house rule as its row shows it."""
    memory, details = view.policy.memory, view.policy.details
    n_facts, n_told = len(view.observations), memory.access_count
    more = [tr("at every turn")] if details.always else []
    if details.required_role:
        only = tr("only {role} writes there")
        more.append(only.format(role=details.required_role))
    told = counted(n_told, "once", "{n} times") if n_told else tr("not yet")
    return RuleRow(
        memory.id,
        " ".join(memory.content.split()),
        view.policy.domain,
        counted(n_facts, "1 fact", "{n} facts") if n_facts else "",
        tr("check facts") if view.rests_on_superseded else "",
        name_of_writer(memory.by),
        told if view.policy.is_active else tr("switched off"),
        ", ".join(more),
        view.policy.is_active,
    )


@dataclass(frozen=True, slots=True)
class TypedRule:
    """What stands in the dialog of a house rule.

    Attributes:
        sources: References of what it rests on.
        required_role: The role that alone may write in its domain; empty for any.
        always: Whether it is told at every turn.
        is_dropped: Whether it is to be forgotten.
    """

    domain: str = ""
    text: str = ""
    sources: tuple[str, ...] = ()
    required_role: str = ""
    always: bool = False
    is_dropped: bool = False


def typed_rule(view: PolicyView) -> TypedRule:
    """A house rule as its dialog begins."""
    memory, details = view.policy.memory, view.policy.details
    sources = tuple(one.target for one in memory.derived_from)
    rule = (view.policy.domain, memory.content, sources)
    return TypedRule(*rule, details.required_role, details.always)


def changed_values(before: TypedRule, after: TypedRule) -> dict[str, object]:
    """What of a rule was changed, by the names that the use case has for it."""
    pairs = {
        "rule": (before.text, after.text),
        "sources": (before.sources, after.sources),
        "required_role": (before.required_role, after.required_role),
        "always": (before.always, after.always),
    }
    return {name: new for name, (old, new) in pairs.items() if old != new}


@dataclass(frozen=True, slots=True)
class Resting:
    """Something that a rule can rest on.

    Attributes:
        reference: A fact's id, or a page.
        note: Where it is, or what became of it.
        is_doubtful: Whether it should be looked at again.
    """

    reference: str
    text: str
    note: str
    is_doubtful: bool = False


def resting_of(view: PolicyView | None, facts: Sequence[Fact]) -> tuple[Resting, ...]:
    """What a rule rests on, then every other fact."""
    own = tuple(map(_resting, view.observations)) if view is not None else ()
    known = {one.reference for one in own}
    others = (
        Resting(one.memory.id, one.memory.content, f"{one.domain}, {one.memory.topic}")
        for one in facts
        if one.memory.id not in known
    )
    return (*own, *others)


def _resting(seen: Observation) -> Resting:
    if seen.memory is None:
        text = seen.standing.page_title if seen.standing is not None else tr("A source")
        note = tr("gone") if seen.is_gone else seen.reference
        return Resting(seen.reference, text, note, seen.is_gone)
    is_replaced = seen.memory.forgotten_reason == SUPERSEDED and seen.memory.is_forgotten
    gone = tr("replaced by a later fact") if is_replaced else tr("forgotten")
    note = gone if seen.is_gone else seen.memory.topic
    return Resting(seen.reference, seen.memory.content, note, seen.is_gone)


@dataclass(frozen=True, slots=True)
class AskedRule:
    """A house rule that an agent asks for.

    Attributes:
        about: Who asks for it, where, and why.
        effect: What it would stop beside what it says; empty for nothing.
    """

    proposal: Proposal
    text: str
    about: str
    effect: str


def asked_rule(proposal: Proposal, domains: Mapping[str, str]) -> AskedRule:
    """A proposal of a rule, with the domains' names by their ids."""
    values = proposal.payload
    domain = domains.get(str(values.get("domain_id")), tr("a domain that is gone"))
    about = tr("{agent} asks for this in {domain}").format(
        agent=name_of_writer(proposal.client), domain=domain
    )
    why = proposal.reason or str(values.get("reason", ""))
    role, effect = values.get("required_role"), ""
    if role:
        effect = tr("While it is on, only {roles} may write in {domain}.")
        effect = effect.format(roles=role, domain=domain)
    return AskedRule(proposal, proposal.text, f"{about}: {why}" if why else about, effect)
