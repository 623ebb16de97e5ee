"""``inklings world``: link folders of pages, look at them, find and read what they say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.messages import wrong_usage
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.cli.typed_text import edited, file_text, new_draft
from inklings_desktop.cli.world.change_commands import add_change_commands
from inklings_desktop.cli.world.world_documents import (
    axes_document,
    axes_lines,
    block_document,
    change_document,
    hit_document,
    hit_lines,
    look_document,
    look_lines,
    page_document,
    rules_document,
)
from inklings_desktop.cli.world.world_options import (
    ChangesOptions,
    FolderOptions,
    LinkOptions,
    OutlineOptions,
    PageOptions,
    RescanOptions,
    RulesOptions,
    SearchPagesOptions,
    ShowPageOptions,
    Switch,
)
from inklings_desktop.domain.errors import NotFoundError, StoppedError
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.world.finding import WorldQuery
from inklings_desktop.domain.world.pages import BlockKind, FolderRules, LinkKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

    from inklings_desktop.cli.options import LongOptions
    from inklings_desktop.domain.world.pages import Block, FolderLook, PageChange
    from inklings_desktop.usecases.bundle import Inklings

_STEPS = {"read": "reading pages"}
_NO_FOLDER = "No folder is linked. Link one with: inklings world link FOLDER"


def world_group() -> typer.Typer:
    """Every command about pages."""
    pages = group("world", "Pages of your world: folders that are linked, and only ever read.")
    command(pages, "link", LinkOptions, link)
    command(pages, "unlink", FolderOptions, unlink)
    command(pages, "list", CommonOptions, list_folders)
    command(pages, "rescan", RescanOptions, rescan)
    command(pages, "rebuild", RescanOptions, rebuild)
    command(pages, "rules", RulesOptions, rules)
    command(pages, "search", SearchPagesOptions, search)
    command(pages, "show", ShowPageOptions, show)
    command(pages, "outline", OutlineOptions, outline)
    command(pages, "changes", ChangesOptions, changes)
    command(pages, "links", PageOptions, links)
    command(pages, "explain", PageOptions, explain)
    add_change_commands(pages)
    return pages


def link(inklings: Inklings, options: LinkOptions) -> Answer:
    """Link a folder of pages to the workspace and read it; no file in it is ever changed."""
    workspace = required_workspace(inklings)
    folder = inklings.world.link(workspace.id, options.folder, name=options.name, kind=options.kind)
    _look(inklings, options, folder.id)
    (look,) = [one for one in inklings.world.folders(workspace.id) if one.folder.id == folder.id]
    said = [f"Linked {one_line(folder.name)}.", *look_lines(look)]
    return Answer({"folder": look_document(look)}, said)


def unlink(inklings: Inklings, options: FolderOptions) -> Answer:
    """Forget a linked folder; its files are untouched, and memories that come from it stay."""
    workspace = required_workspace(inklings)
    inklings.world.unlink(workspace.id, options.name)
    said = f"Unlinked {one_line(options.name)}. Its files are untouched."
    return Answer({"unlinked": options.name}, [said])


def list_folders(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List the linked folders, and how each was last looked at."""
    looks = inklings.world.folders(required_workspace(inklings).id)
    lines = [line for look in looks for line in look_lines(look)]
    return Answer({"folders": [look_document(one) for one in looks]}, lines or [_NO_FOLDER])


def rescan(inklings: Inklings, options: RescanOptions) -> Answer:
    """Read what changed since the last look, in one folder or in all; Ctrl+C keeps what is read."""
    found = _look(inklings, options, options.name)
    return Answer({"changes": [change_document(one) for one in found]}, _told(found))


def rebuild(inklings: Inklings, options: RescanOptions) -> Answer:
    """Rebuild the index of all pages from the files."""
    if options.name:
        raise wrong_usage("All folders share one index; it is rebuilt as a whole.")
    workspace = required_workspace(inklings)
    with shown_progress(options, _STEPS) as progress:
        inklings.world.rebuild(
            workspace.id,
            report=lambda done, total: progress.report("read", done, total),
            goes_on=lambda: not progress.is_cancelled(),
        )
        progress.require_wanted()
    looks = inklings.world.folders(workspace.id)
    n_pages = sum(one.n_pages for one in looks)
    said = [f"Rebuilt from {counted(n_pages, 'page')}."]
    return Answer({"folders": [look_document(one) for one in looks]}, said)


def rules(inklings: Inklings, options: RulesOptions) -> Answer:
    """Show what is ignored in a folder and what your words mean, or change it."""
    workspace = required_workspace(inklings)
    look = _folder(inklings, options.name)
    before = json.dumps(rules_document(look.folder.rules), ensure_ascii=False, indent=2)
    text = None if options.file is None else file_text(options.file)
    if options.edit:
        draft = new_draft(before)
        try:
            text = edited(draft, before)
        finally:
            draft.unlink(missing_ok=True)
    folder = look.folder
    if text is not None:
        folder = inklings.world.set_rules(workspace.id, folder.id, _rules_from(text))
    if options.proposals is not None:
        allowed = options.proposals is Switch.ON
        folder = inklings.world.take_proposals(workspace.id, folder.id, allowed=allowed)
    document = rules_document(folder.rules)
    shown = json.dumps(document, ensure_ascii=False, indent=2)
    proposals = "may" if folder.takes_proposals else "may not"
    lines = [*map(visible, shown.splitlines()), f"Agents {proposals} propose changes."]
    return Answer({"rules": document, "takes_proposals": folder.takes_proposals}, lines)


def search(inklings: Inklings, options: SearchPagesOptions) -> Answer:
    """Find passages of pages; memories are never among them."""
    query = WorldQuery(
        options.query,
        options.folder,
        options.limit,
        options.mode.value,
        options.lifecycle,
        tuple(options.tags or ()),
    )
    answer = inklings.world.search(required_workspace(inklings).id, query)
    lines = [line for hit in answer.hits for line in hit_lines(hit)]
    notes = ["A folder is not there just now; it may say something else by now."]
    document = {
        "hits": [hit_document(one) for one in answer.hits],
        **row_of(answer, "share_compared stale=is_stale"),
    }
    nothing = ["No page says that."]
    if not lines and not inklings.world.has_pages(required_workspace(inklings).id):
        nothing = [_NO_FOLDER]
    return Answer(document, lines or nothing, notes * answer.is_stale)


def show(inklings: Inklings, options: ShowPageOptions) -> Answer:
    """Show a page, or what is below one of its headings."""
    workspace = required_workspace(inklings)
    whole = inklings.world.page(workspace.id, options.page)
    blocks = _below(whole.blocks, options.heading)
    axes = inklings.world.axes(workspace.id, whole.page)
    document = {
        "page": page_document(whole.page),
        "axes": axes_document(axes),
        "blocks": [block_document(one) for one in blocks],
    }
    lines = [f"{visible(whole.page.path)}, {one_line(axes.lifecycle.value)}"]
    if whole.page.front_problem is not None:
        lines.append(f"Its front matter is not understood from line {whole.page.front_problem} on.")
    lines += [line for block in blocks for line in ("", *visible(block.text).splitlines())]
    return Answer(document, lines)


def outline(inklings: Inklings, options: OutlineOptions) -> Answer:
    """List pages by their path."""
    found = inklings.world.outline(
        required_workspace(inklings).id,
        folder=options.folder,
        under=options.under,
        limit=options.limit,
        after=options.after,
    )
    rows = [[one.path, one.title, "" if one.state == "read" else one.state] for one in found]
    is_more = len(found) == options.limit
    lines = table(rows) or ["No pages here."]
    if is_more:
        lines.append(f"More: add --after {found[-1].path!r}")
    document = {"pages": [page_document(one) for one in found]}
    return Answer(document | {"next": found[-1].path if is_more else None}, lines)


def changes(inklings: Inklings, options: ChangesOptions) -> Answer:
    """List what was noticed of pages, the oldest first."""
    workspace = required_workspace(inklings)
    found = inklings.world.changes(workspace.id, options.since, options.limit)
    return Answer({"changes": [change_document(one) for one in found]}, _told(found))


def links(inklings: Inklings, options: PageOptions) -> Answer:
    """Show what a page names, and which pages name it."""
    whole = inklings.world.page(required_workspace(inklings).id, options.page)
    out = list(dict.fromkeys((one.kind, one.target) for one in whole.links))
    rows = [[f"#{target}" if kind is LinkKind.TAG else target, kind.value] for kind, target in out]
    lines = ["It names:", *table(rows)] if rows else ["It names nothing."]
    named_by = table([[one.path, one.title] for one in whole.linked_from])
    lines += ["Named by:", *named_by] if named_by else ["No page names it."]
    document = {
        "page": page_document(whole.page),
        "links": [row_of(one, "block target kind") for one in whole.links],
        "linked_from": [page_document(one) for one in whole.linked_from],
    }
    return Answer(document, lines)


def explain(inklings: Inklings, options: PageOptions) -> Answer:
    """Say where origin, lifecycle, weight and standing of a page were read."""
    workspace = required_workspace(inklings)
    page = inklings.world.page(workspace.id, options.page).page
    axes = inklings.world.axes(workspace.id, page)
    document = {"page": page_document(page), "axes": axes_document(axes)}
    return Answer(document, axes_lines(axes))


def _look(inklings: Inklings, options: LongOptions, folder: str) -> tuple[PageChange, ...]:
    """Look with progress; a Ctrl+C leaves what was read.

    Raises:
        StoppedError: The person stopped it.
    """
    workspace = required_workspace(inklings)
    with shown_progress(options, _STEPS) as progress:
        found = inklings.world.look(
            workspace.id,
            folder,
            report=lambda done, total: progress.report("read", done, total),
            goes_on=lambda: not progress.is_cancelled(),
        )
        if progress.is_cancelled():
            raise StoppedError
    return found


def _folder(inklings: Inklings, key: str) -> FolderLook:
    looks = inklings.world.folders(required_workspace(inklings).id)
    for one in looks:
        if key == one.folder.id or name_key(key) == name_key(one.folder.name):
            return one
    raise NotFoundError("world_folder", key)


def _told(found: Sequence[PageChange]) -> list[str]:
    rows = [
        [str(one.number), local_time(one.at), one.what.value, one.path, _counts(one)]
        for one in found
    ]
    return table(rows) or ["Nothing changed."]


def _counts(change: PageChange) -> str:
    return ", ".join(f"{n} {what}" for what, n in change.counts.items())


def _below(blocks: Sequence[Block], heading: str) -> Sequence[Block]:
    """What stands below a heading, and it; all without one."""
    if not heading:
        return blocks
    wanted = name_key(heading)
    for place, block in enumerate(blocks):
        title = block.text.strip("# \t\n")
        if block.kind is BlockKind.HEADING and name_key(title) == wanted:
            path = f"{block.heading}/{title}".lstrip("/")
            rest = blocks[place + 1 :]
            inside = [one for one in rest if f"{one.heading}/".startswith(f"{path}/")]
            return [block, *inside]
    raise NotFoundError("heading", heading)


def _rules_from(text: str) -> FolderRules:
    """The rules that a text says.

    Raises:
        CommandFailedError: It does not say them as they are shown.
    """
    try:
        found: dict[str, Any] = json.loads(text)
        known = {name: found.pop(name, kind()) for name, kind in _RULES.items()}
        axes, folders = (_words(known[name]) for name in ("axes", "folders"))
        if found or not all(isinstance(one, str) for one in known["ignore"]):
            raise TypeError  # noqa: TRY301 - told below, like what json says
        return FolderRules(tuple(known["ignore"]), axes, folders)
    except (ValueError, TypeError, AttributeError) as error:
        shape = '{"ignore": ["Drafts/"], "axes": {"lifecycle": {"wip": "draft"}}, "folders": {}}'
        raise wrong_usage(f"The rules are JSON such as {shape} Nothing was changed.") from error


_RULES: dict[str, type[list[Any] | dict[str, Any]]] = {
    "ignore": list,
    "axes": dict,
    "folders": dict,
}


def _words(found: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    if not all(isinstance(one, str) for words in found.values() for one in words.values()):
        raise TypeError
    return {key: dict(words) for key, words in found.items()}
