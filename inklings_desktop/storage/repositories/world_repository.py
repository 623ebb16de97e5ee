"""What a workspace's file knows of the author's pages and cannot make again from them."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    and_,
    bindparam,
    case,
    delete,
    distinct,
    exists,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.sqlite import insert as insert_or
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.world.derivations import (
    DerivationKind,
    KeptVersion,
    PageDerivation,
    Retcon,
    RetconState,
    SourceState,
)
from inklings_desktop.domain.world.pages import FolderKind, FolderRules, WorldFolder
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
    sensible,
)
from inklings_desktop.storage.schema.tables import memories
from inklings_desktop.storage.schema.world_schema import (
    derivation_bases,
    derivations,
    page_versions,
    retcons,
    world_folders,
)
from inklings_desktop.storage.search.conditions import among, is_active

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Row

    from inklings_desktop.storage.rows.transaction import Transaction

VERSIONS_A_PAGE = 20
VERSION_BYTES = 64 * 1024 * 1024
"""Bytes that the kept versions of a workspace may take, as they are stored."""

_NO_RULES = FolderRules()
_FOLDERS = select(world_folders).order_by(world_folders.c.name_key)
_DERIVATIONS = (
    select(derivations, memories.c.id.label("memory_id"))
    .join(memories, memories.c.sequence == derivations.c.memory_sequence)
    .order_by(derivations.c.memory_sequence, derivations.c.place)
)
_OF = _DERIVATIONS.where(among(memories.c.id, "wanted"))
_ON = _DERIVATIONS.where(
    derivations.c.folder_id == bindparam("folder"), derivations.c.path == bindparam("page")
)
_POINTS = derivations.c.kind.in_([DerivationKind.BLOCK.value, DerivationKind.PAGE.value])
_IS_UNANSWERED = derivations.c.state.in_([SourceState.CHANGED.value, SourceState.GONE.value])
_CHANGED = _DERIVATIONS.where(_IS_UNANSWERED, is_active)
_COUNTS = (
    select(
        derivations.c.path,
        func.count(distinct(derivations.c.memory_sequence)),
        func.count(distinct(case((_IS_UNANSWERED, derivations.c.memory_sequence)))),
    )
    .join(memories, memories.c.sequence == derivations.c.memory_sequence)
    .where(derivations.c.folder_id == bindparam("folder"), _POINTS, is_active)
    .group_by(derivations.c.path)
)
_TO_PAGES = _DERIVATIONS.where(_POINTS, derivations.c.state != SourceState.UNKNOWN.value)
_IS_KNOWN = and_(_POINTS, derivations.c.state != SourceState.UNKNOWN.value)
_OF_THIS = derivations.c.memory_sequence == memories.c.sequence
_UNRESOLVED = (
    select(memories.c.id)
    .where(memories.c.derived_from != "[]", is_active)
    .where(or_(~exists().where(_OF_THIS), exists().where(_OF_THIS, ~_IS_KNOWN)))
    .order_by(memories.c.sequence)
)
_CULL = delete(derivation_bases).where(
    derivation_bases.c.digest.not_in(
        union_all(select(derivations.c.base_digest), select(retcons.c.base_digest))
    )
)
_KEPT = select(
    *[one for one in page_versions.c if one.name != "bytes"]
).order_by(page_versions.c.at.desc(), page_versions.c.id)  # fmt: skip
_STORED = func.length(page_versions.c.bytes)
_NEWEST = (page_versions.c.at.desc(), page_versions.c.id)
_RANKED = select(
    page_versions.c.id,
    func.row_number()
    .over(partition_by=(page_versions.c.folder_id, page_versions.c.path), order_by=_NEWEST)
    .label("place"),
    func.sum(_STORED).over(order_by=_NEWEST).label("total"),
).subquery()
_TRIM = delete(page_versions).where(
    page_versions.c.id.in_(
        select(_RANKED.c.id).where(
            or_(_RANKED.c.place > VERSIONS_A_PAGE, _RANKED.c.total > VERSION_BYTES)
        )
    )
)


class SqliteWorldRepository:
    """The ``WorldRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def folders(self) -> tuple[WorldFolder, ...]:
        return tuple(sensible(self._connection.execute(_FOLDERS), _folder_of))

    def save_folder(self, folder: WorldFolder) -> None:
        rules = folder.rules
        values = {
            **columns_of(folder, "id name kind path installation takes_proposals added_at"),
            "name_key": name_key(folder.name),
            "rules": json.dumps(
                {
                    "ignore": list(rules.ignore),
                    "axes": {axis: dict(words) for axis, words in rules.axes.items()},
                    "folders": {path: dict(axes) for path, axes in rules.folders.items()},
                },
                ensure_ascii=False,
            ),
            "changed_seq": self._transaction.change_seq,
        }
        put = insert_or(world_folders)
        self._transaction.rooms_changed()
        try:
            self._connection.execute(
                put.on_conflict_do_update(index_elements=["id"], set_=values), values
            )
        except IntegrityError as error:
            raise ConflictError("world_folder", folder.name) from error

    def remove_folder(self, folder_id: str) -> None:
        self._transaction.take_number()
        self._transaction.rooms_changed()
        execute = self._connection.execute
        execute(
            update(derivations)
            .where(derivations.c.folder_id == folder_id)
            .values(state=SourceState.UNKNOWN.value)
        )
        of_it = retcons.c.folder_id == folder_id
        execute(delete(retcons).where(of_it, retcons.c.state == RetconState.OPEN.value))
        execute(delete(world_folders).where(world_folders.c.id == folder_id))
        execute(_CULL)

    def put_derivations(
        self, memory_id: str, derived: Sequence[PageDerivation], bases: Mapping[bytes, str]
    ) -> None:
        execute, stamp = self._connection.execute, self._transaction.change_seq
        found = execute(
            update(memories)
            .where(memories.c.id == memory_id)
            .values(changed_seq=stamp)
            .returning(memories.c.sequence, memories.c.tier, memories.c.scope_key)
        ).one_or_none()
        if found is None:
            raise NotFoundError("memory", memory_id)
        left = delete(derivations).where(derivations.c.memory_sequence == found.sequence)
        before = set(execute(left.returning(derivations.c.base_digest)).scalars())
        names = "place kind target_id folder_id path heading own_id base_digest state seen_digest"
        rows = [
            {**columns_of(one, f"{names} changed_at"), "memory_sequence": found.sequence}
            for one in derived
        ]
        if rows:
            execute(insert(derivations), rows)
        texts = [{"digest": digest, "text": text} for digest, text in bases.items()]
        if texts:
            execute(insert_or(derivation_bases).on_conflict_do_nothing(), texts)
        if before - {one.base_digest for one in derived}:
            execute(_CULL)
        scope = self._transaction.scope(found.tier, found.scope_key)
        self._transaction.updated(scope, [memory_id])

    def derivations_of(self, memory_ids: Collection[str]) -> tuple[PageDerivation, ...]:
        return self._derived(_OF, wanted=json.dumps(list(memory_ids))) if memory_ids else ()

    def derivations_on(self, folder_id: str, path: str) -> tuple[PageDerivation, ...]:
        return self._derived(_ON, folder=folder_id, page=path)

    def derivations_to_pages(self) -> tuple[PageDerivation, ...]:
        return self._derived(_TO_PAGES)

    def derivations_changed(self) -> tuple[PageDerivation, ...]:
        return self._derived(_CHANGED)

    def unresolved(self) -> tuple[str, ...]:
        return tuple(self._connection.execute(_UNRESOLVED).scalars())

    def counts_by_page(self, folder_id: str) -> Mapping[str, tuple[int, int]]:
        rows = self._connection.execute(_COUNTS, {"folder": folder_id})
        return {path: (n, n_changed) for path, n, n_changed in rows}

    def base(self, digest: bytes) -> str:
        wanted = select(derivation_bases.c.text).where(derivation_bases.c.digest == digest)
        return self._connection.execute(wanted).scalar_one_or_none() or ""

    def retcons(self, states: Collection[RetconState]) -> tuple[Retcon, ...]:
        words = [one.value for one in states]
        newest = (retcons.c.found_at.desc(), retcons.c.id)
        wanted = select(retcons).where(retcons.c.state.in_(words)).order_by(*newest)
        return tuple(sensible(self._connection.execute(wanted), _retcon_of))

    def retcon(self, retcon_id: str) -> Retcon:
        wanted = select(retcons).where(retcons.c.id == retcon_id)
        row = self._connection.execute(wanted).one_or_none()
        if row is None:
            raise NotFoundError("retcon", retcon_id)
        return _retcon_of(row)

    def save_retcon(self, retcon: Retcon) -> None:
        names = "id folder_id path block_id what base_digest now_text found_at state decided_at"
        values = {
            **columns_of(retcon, f"{names} decided_by run_id"),
            "changed_seq": self._transaction.change_seq,
        }
        put = insert_or(retcons)
        self._connection.execute(
            put.on_conflict_do_update(index_elements=["id"], set_=values), values
        )

    def keep_version(self, version: KeptVersion, data: bytes) -> None:
        self._transaction.take_number()
        values = columns_of(version, "id folder_id path digest size at proposal_id")
        self._connection.execute(insert(page_versions), values | {"bytes": zlib.compress(data)})
        self._connection.execute(_TRIM)

    def versions(self, folder_id: str = "", path: str = "") -> tuple[KeptVersion, ...]:
        wanted = _KEPT
        for column, value in ((page_versions.c.folder_id, folder_id), (page_versions.c.path, path)):
            wanted = wanted.where(column == value) if value else wanted
        return tuple(sensible(self._connection.execute(wanted), _version_of))

    def version_bytes(self, version_id: str) -> bytes:
        wanted = select(page_versions.c.bytes).where(page_versions.c.id == version_id)
        packed = self._connection.execute(wanted).scalar_one_or_none()
        if packed is None:
            raise NotFoundError("page_version", version_id)
        return zlib.decompress(packed)

    def _derived(self, statement: Any, **values: str) -> tuple[PageDerivation, ...]:
        return tuple(sensible(self._connection.execute(statement, values), _derivation_of))


@of_sensible_rows
def _folder_of(row: Row[*tuple[Any, ...]]) -> WorldFolder:
    try:
        found = json.loads(row.rules)
        rules = FolderRules(tuple(found["ignore"]), found["axes"], found["folders"])
    except (KeyError, TypeError, ValueError):
        rules = _NO_RULES  # damage did it: the folder is still the author's
    return WorldFolder(
        row.id,
        row.name,
        FolderKind(row.kind),
        row.path,
        row.installation,
        rules,
        bool(row.takes_proposals),
        from_ms(row.added_at),
    )


@of_sensible_rows
def _derivation_of(row: Row[*tuple[Any, ...]]) -> PageDerivation:
    return PageDerivation(
        row.memory_id,
        row.place,
        DerivationKind(row.kind),
        row.target_id,
        row.folder_id,
        row.path,
        row.heading,
        row.own_id,
        row.base_digest,
        SourceState(row.state),
        row.seen_digest,
        from_ms_or_none(row.changed_at),
    )


@of_sensible_rows
def _retcon_of(row: Row[*tuple[Any, ...]]) -> Retcon:
    return Retcon(
        row.id,
        row.folder_id,
        row.path,
        row.block_id,
        row.what,
        row.base_digest,
        row.now_text,
        from_ms(row.found_at),
        RetconState(row.state),
        from_ms_or_none(row.decided_at),
        row.decided_by,
        row.run_id,
    )


@of_sensible_rows
def _version_of(row: Row[*tuple[Any, ...]]) -> KeptVersion:
    return KeptVersion(
        row.id, row.folder_id, row.path, row.digest, row.size, from_ms(row.at), row.proposal_id
    )
