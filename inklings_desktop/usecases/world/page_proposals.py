"""Changes of pages that somebody asks for, and what pages said before."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace as but
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.entries.proposals import (
    Proposal,
    ProposalKind,
    ProposalRef,
    ProposalState,
    checked_note,
    checked_proposal_reason,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    OutsideFileError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.world.derivations import KeptVersion
from inklings_desktop.domain.world.page_proposal import (
    AcceptedPage,
    PageComparison,
    PageWish,
    checked_page_text,
    wish_of,
    with_blocks_replaced,
    with_text_added,
)
from inklings_desktop.domain.world.pages import FolderKind, PageState
from inklings_desktop.domain.world.path_rules import checked_new_path, path_key, title_of_name
from inklings_desktop.usecases.entries.proposals import note_overtaken, undecided
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.holding import Asking
from inklings_desktop.usecases.steps.recording import record_proposal, record_room
from inklings_desktop.usecases.steps.sources import folder_called

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.domain.world.pages import Page, WorldFolder
    from inklings_desktop.usecases.ports.world import PageWriter, WorldIndex


class PageProposals(Asked):
    """What agents would change of the author's pages, and what pages said before."""

    def propose(
        self,
        workspace_id: str,
        *,
        page: str = "",
        folder: str = "",
        path: str = "",
        text: str | Sequence[tuple[str, str]] | None = None,
        to: str = "",
        reason: str,
        memory: str = "",
    ) -> Proposal:
        """Asks the author to change a page, to make one, or to give one another path.

        Args:
            page: Id, path or title of a page that is there; empty for a new one.
            folder: Name or id of the folder of a new page; empty where only one is linked.
            path: Of a new page, below the folder.
            text: What the page is to say, whole; or for some of its blocks their ids and what
                they are to say.
            to: Or the path that the page is to move to.
            reason: Why.
            memory: Id of the memory that the text comes from.

        Raises:
            ScopeDeniedError: The caller may not propose pages here.
            NotFoundError: There is no such page or folder.
            ConflictError: A new page would take the path of another, or several have this title.
            InvalidValueError: The folder takes no proposals, or text, path or reason cannot be
                kept, or nothing would change.
        """
        scope = ScopeKey.workspace(workspace_id)
        with self.attempt("page.propose", Tier.WORKSPACE, workspace_id):
            authorize(self.caller, Action.WORLD_PROPOSE, scope)
        why = checked_proposal_reason(reason)
        if page:
            kind, wish = self._change_of(workspace_id, page, text, to)
        else:
            kind, wish = self._new_page(workspace_id, folder, path, text)
        return self._ask(scope, kind, but(wish, memory=memory), why)

    def promote(
        self, ref: MemoryRef, *, folder: str, path: str, heading: str = "", reason: str
    ) -> Proposal:
        """Asks that a memory becomes text of a page, as the author; the memory stays.

        Args:
            path: Of the page, which is made where it is not there.
            heading: Under which it is added; empty for the end of the page.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such memory or folder.
            InvalidValueError: The folder or the page cannot be written.
        """
        scope = ref.scope
        self.require_person("page.promote", scope.tier, scope.workspace_id, (ref.id,))
        if scope.workspace_id is None:
            raise InvalidValueError("memory", "account")
        here = scope.workspace_id
        with self.store.read(here) as view:
            content = view.memories.get(ref, None).content
        found = self._taking(self._folder(here, folder))
        pages = self._index(here).named(path)
        known = next((one for one in pages if (one.folder_id, one.path) == (found.id, path)), None)
        if known is not None:
            old, base = self._writer.text_of(found, path)
            wish = PageWish(found.id, path, known.title, base)
            kind, text = ProposalKind.PAGE_EDIT, with_text_added(old, heading, content)
        else:
            kind, wish = self._new_page(here, folder, path, "")
            text = with_text_added(f"# {title_of_name(path)}", heading, content)
        wish = but(wish, text=checked_page_text(text), memory=ref.id)
        return self._ask(ScopeKey.workspace(here), kind, wish, checked_proposal_reason(reason))

    def compare(self, ref: ProposalRef) -> PageComparison:
        """A proposal beside the page as it is now; for the person.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such proposal.
            InvalidValueError: It is about something else.
        """
        here = self._require_here(ref)
        with self.store.read(here) as view:
            proposal = view.proposals.get(ref.id)
            wish = wish_of(proposal)
            folder = next((one for one in view.world.folders() if one.id == wish.folder), None)
        old, seen, is_gone = "", b"", folder is None
        if folder is not None and proposal.kind is not ProposalKind.PAGE_NEW:
            try:
                old, seen = self._writer.text_of(folder, wish.path)
            except (NotFoundError, InvalidValueError):
                is_gone = True
        linked: tuple[str, ...] = ()
        if wish.to and not is_gone:
            pages = [
                one for one in self._index(here).named(wish.path) if one.folder_id == wish.folder
            ]
            for one in pages[:1]:
                linked = tuple(page.path for page in self._index(here).page(one.id).linked_from)
        return PageComparison(
            proposal=proposal,
            wish=wish,
            folder=folder,
            old_text=old,
            new_text=old if wish.to else wish.text,
            seen=seen,
            is_overtaken=not is_gone and seen != wish.base,
            is_gone=is_gone,
            linked_from=linked,
        )

    def accept(
        self,
        ref: ProposalRef,
        *,
        text: str | None = None,
        seen: bytes | None = None,
        note: str = "",
    ) -> AcceptedPage:
        """Writes into the page what was asked for, as the author, and keeps what it said.

        If the page has changed since, the proposal becomes *overtaken* and nothing else happens;
        the author may accept it still, naming the page just seen.

        Args:
            text: The author's own wording instead of the proposed one.
            seen: Digest of the page that the author compared; None means that it was made against.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such proposal, or its page or folder is gone.
            ConflictError: It was decided before, or the page has changed, or is there already.
            InvalidValueError: The page cannot be written, or the text or note cannot be kept.
            OutsideFileError: The disk refuses; the change is kept in the proposal.
        """
        here = self._require_here(ref)
        answer, now = checked_note(note), self.clock()
        with self.store.read(here) as view:
            proposal = view.proposals.get(ref.id)
        wish = wish_of(proposal)
        if not proposal.is_undecided:
            raise ConflictError("proposal", ref.id)
        folder = self._folder(here, wish.folder)
        said = wish.text if text is None else checked_page_text(text)
        base = wish.base if seen is None else seen
        try:
            made = self._written(here, folder, proposal, but(wish, text=said, base=base))
        except ConflictError:
            with self.writing(here) as unit:
                note_overtaken(unit, self.caller, undecided(unit, ref), now)
            raise
        self._tidy(here, folder, wish.path, made)
        with self.writing(here) as unit:
            accepted = unit.proposals.decide(
                undecided(unit, ref).id, ProposalState.ACCEPTED, note=answer, decided_at=now
            )
            record_proposal(unit, self.caller, EventKind.PROPOSAL_DECIDED, accepted, now)
            scope = ScopeKey.workspace(here)
            record_room(unit, self.caller, EventKind.PAGE_CHANGED, scope, now, {accepted.kind: 1})
            unit.commit()
        return AcceptedPage(accepted, made)

    def undo(self, accepted: AcceptedPage) -> Proposal:
        """Takes an accepted change back while the page is as it made it; it is asked again then.

        Raises:
            ScopeDeniedError: The caller is not the person.
            ConflictError: The page has changed since.
            NotFoundError: What it said is not kept any more, or its folder is not linked.
            OutsideFileError: The disk refuses.
        """
        proposal = accepted.proposal
        here, wish = self._require_here(proposal.ref), wish_of(proposal)
        folder = self._folder(here, wish.folder)
        if proposal.kind is ProposalKind.PAGE_NEW:
            self._writer.remove_made(folder, wish.path, accepted.made)
        elif proposal.kind is ProposalKind.PAGE_MOVE:
            self._writer.move(folder, wish.to, wish.path, accepted.made)
        else:
            with self.store.read(here) as view:
                kept = [
                    one
                    for one in view.world.versions(wish.folder, wish.path)
                    if one.proposal_id == proposal.id
                ]
                if not kept:
                    raise NotFoundError("page_version", proposal.id)
                data = view.world.version_bytes(kept[-1].id)
            self._writer.set_back(folder, wish.path, accepted.made, data)
        with self.writing(here) as unit:
            again = but(
                proposal,
                id=self.new_id(),
                state=ProposalState.PENDING,
                note="",
                decided_at=None,
            )
            unit.proposals.add(again)
            now = self.clock()
            record_proposal(unit, self.caller, EventKind.PROPOSAL_MADE, again, now)
            record_room(unit, self.caller, EventKind.PAGE_RESTORED, ScopeKey.workspace(here), now)
            unit.commit()
        return again

    def versions(self, workspace_id: str, page: str = "") -> tuple[KeptVersion, ...]:
        """What pages said before accepted proposals changed them, the latest first.

        Args:
            page: Path of one page; empty for all.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        self.require_person("page.versions", Tier.WORKSPACE, workspace_id)
        with self.store.read(workspace_id) as view:
            kept = view.world.versions()
        return tuple(one for one in kept if page in {"", one.path})

    def restore(self, workspace_id: str, version_id: str) -> None:
        """Lets a page say again what a kept version says; what it says now is kept.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such version, or its page or folder is gone.
            ConflictError: The page was saved in this very moment.
            OutsideFileError: The disk refuses.
        """
        self.require_person("page.restore", Tier.WORKSPACE, workspace_id)
        with self.store.read(workspace_id) as view:
            kept = next((one for one in view.world.versions() if one.id == version_id), None)
            if kept is None:
                raise NotFoundError("page_version", version_id)
            data = view.world.version_bytes(version_id)
        folder = self._folder(workspace_id, kept.folder_id)
        _, now = self._writer.text_of(folder, kept.path)
        keep = self._keeping(workspace_id, folder, kept.path, kept.proposal_id)
        self._writer.set_back(folder, kept.path, now, data, keep)
        with self.writing(workspace_id) as unit:
            scope = ScopeKey.workspace(workspace_id)
            record_room(unit, self.caller, EventKind.PAGE_RESTORED, scope, self.clock())
            unit.commit()

    @property
    def _writer(self) -> PageWriter:
        return self.adapters.page_writer

    def _index(self, workspace_id: str) -> WorldIndex:
        return self.adapters.world_indexes.of(workspace_id)

    def _require_here(self, ref: ProposalRef) -> str:
        if ref.workspace_id is None:
            raise InvalidValueError("proposal", "not_a_page")
        self.require_person("page.decide", Tier.WORKSPACE, ref.workspace_id, (ref.id,))
        return ref.workspace_id

    def _folder(self, workspace_id: str, key: str) -> WorldFolder:
        with self.store.read(workspace_id) as view:
            folders = view.world.folders()
        # Where one is linked alone it need not be named.
        return folders[0] if not key and len(folders) == 1 else folder_called(folders, key)

    def _change_of(
        self, workspace_id: str, key: str, text: str | Sequence[tuple[str, str]] | None, to: str
    ) -> tuple[ProposalKind, PageWish]:
        page = self._page(workspace_id, key)
        folder = self._taking(self._folder(workspace_id, page.folder_id))
        old, base = self._writer.text_of(folder, page.path)
        wish = PageWish(folder.id, page.path, page.title, base)
        if bool(to) == (text is not None):
            raise InvalidValueError("text", "one_of")
        if to:
            new = checked_new_path(to)
            self._require_free(workspace_id, folder, new)
            return ProposalKind.PAGE_MOVE, but(wish, to=new)
        if text is not None and not isinstance(text, str):
            if page.digest != base:
                raise ConflictError("page_text", page.path)
            blocks = self._index(workspace_id).page(page.id).blocks
            text = with_blocks_replaced(old, blocks, text)
        new = checked_page_text(text)
        if new == old:
            raise InvalidValueError("text", "unchanged")
        return ProposalKind.PAGE_EDIT, but(wish, text=new)

    def _new_page(
        self, workspace_id: str, folder: str, path: str, text: object
    ) -> tuple[ProposalKind, PageWish]:
        found, new = self._taking(self._folder(workspace_id, folder)), checked_new_path(path)
        self._require_free(workspace_id, found, new)
        return ProposalKind.PAGE_NEW, PageWish(found.id, new, text=checked_page_text(text))

    def _page(self, workspace_id: str, key: str) -> Page:
        pages = self._index(workspace_id).named(key)
        if not pages:
            raise NotFoundError("page", key)
        if len(pages) > 1:
            raise InvalidValueError("page", "ambiguous", ", ".join(one.path for one in pages))
        if pages[0].state is not PageState.READ or pages[0].encoding == "guessed":
            raise InvalidValueError("page", "encoding")
        return pages[0]

    def _taking(self, folder: WorldFolder) -> WorldFolder:
        """The folder, if agents may propose in it; whose program asks for it, never."""
        if folder.kind is FolderKind.NOVELWRITER:
            raise InvalidValueError("folder", "novelwriter")
        if self.caller.is_agent and not folder.takes_proposals:
            raise InvalidValueError("folder", "takes_no_proposals")
        return folder

    def _require_free(self, workspace_id: str, folder: WorldFolder, path: str) -> None:
        wanted = path_key(path)
        pages = self._index(workspace_id).named(path)
        if any(one.folder_id == folder.id and path_key(one.path) == wanted for one in pages):
            raise ConflictError("page", path)

    def _ask(self, scope: ScopeKey, kind: ProposalKind, wish: PageWish, reason: str) -> Proposal:
        with self.writing(scope.workspace_id) as unit:
            asking = Asking(unit, self.caller, self.new_id, self.clock())
            proposal = asking.for_page(kind, scope, wish, reason)
            unit.commit()
        return proposal

    def _written(
        self, workspace_id: str, folder: WorldFolder, proposal: Proposal, wish: PageWish
    ) -> bytes:
        """Does what was asked for; the digest that the page has then."""
        match proposal.kind:
            case ProposalKind.PAGE_NEW:
                return self._writer.create(folder, wish.path, wish.text)
            case ProposalKind.PAGE_MOVE:
                self._writer.move(folder, wish.path, wish.to, wish.base)
                return wish.base
            case _:
                keep = self._keeping(workspace_id, folder, wish.path, proposal.id)
                return self._writer.change(folder, wish.path, wish.base, wish.text, keep)

    def _tidy(self, workspace_id: str, folder: WorldFolder, path: str, made: bytes) -> None:
        """Take away what a killed program left there, where its text is kept as well."""
        with self.store.read(workspace_id) as view:
            kept = {one.digest for one in view.world.versions(folder.id)}
        with suppress(OutsideFileError):  # the page is written, and that is what was asked for
            self._writer.tidy(folder, path, kept | {made})

    def _keeping(
        self, workspace_id: str, folder: WorldFolder, path: str, proposal_id: str
    ) -> Callable[[bytes], None]:
        """Keeps what a page said, before anything is changed."""

        def keep(data: bytes) -> None:
            version = KeptVersion(
                self.new_id(), folder.id, path, self._writer.digest(data), len(data),
                self.clock(), proposal_id,
            )  # fmt: skip
            with self.writing(workspace_id) as unit:
                unit.world.keep_version(version, data)
                unit.commit()

        return keep
