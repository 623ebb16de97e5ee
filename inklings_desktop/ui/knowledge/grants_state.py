"""What the tab of house rules and grants shows, as finished words; it knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.rights import RightBadge, RightTone
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inklings_desktop.domain.knowledge.domains import Domain
    from inklings_desktop.usecases.knowledge.values import GrantCell, GrantMatrix

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
    """

    badge: RightBadge
    permission: Permission
    is_own: bool
    told: str
    effect: str = ""


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
    return GridCell(badge, given, cell.is_own, told, effect)


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
