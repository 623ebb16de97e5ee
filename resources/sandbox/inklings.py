"""What a script can ask of the author's memory and pages: module ``inklings`` in the sandbox.

All of it reads, but note_write. What is not granted, or not there, raises RefusedError.
"""

# ruff: noqa: F821 - call and RefusedError are put in by the host


def memory_read(tier="workspace", query="", limit=20, **more):
    """The memories of one tier that match best; each match counts as read."""
    return _ask("memory_read", tier=tier, query=query, limit=limit, **more)["hits"]


def memory_list(tier="workspace", cursor="", limit=50, **more):
    """A page of every memory of one tier, newest first, and the cursor of the next; else None."""
    page = _ask("memory_list", tier=tier, next=cursor, limit=limit, detail="full", **more)
    return page["memories"], page.get("next")


def every_memory():
    """Every memory that may be read here: of the workspace, the account and each channel."""
    for tier, scope in _places():
        cursor = ""
        while cursor is not None:
            try:
                found, cursor = memory_list(tier, cursor, scope=scope)
            except RefusedError:  # this one is not granted
                break
            yield from found


def memory_versions(memory_id):
    """What a memory said before it was changed, and until when, oldest first."""
    return _ask("memory_history", id=memory_id)["versions"][::-1]


def fact_search(query, **more):
    """Facts that match, those that were replaced since included."""
    return _ask("fact_search", query=query, history=True, **more)["facts"]


def page(name, **more):
    """One of the author's pages: id, title, path and links, and the text of each of its blocks."""
    whole = answer = _ask("world_read", page=name, limit=32_000, **more)
    while answer.get("next"):
        answer = _ask("world_read", page=name, limit=32_000, offset=answer["next"], **more)
        whole["blocks"] += answer["blocks"]
    return whole


def every_page(folder=""):
    """The id, title and path of each of the author's pages, by path."""
    cursor = ""
    while cursor is not None:
        answer = _ask("world_outline", folder=folder, next=cursor, limit=500)
        yield from answer["pages"]
        cursor = answer.get("next")


def page_search(query, limit=10, **more):
    """Places in the author's pages that match, best first."""
    return _ask("world_search", query=query, limit=limit, **more)["passages"]


def page_changes(since):
    """Which pages were added, edited, moved or removed since then, oldest first."""
    cursor = ""
    while cursor is not None:
        answer = _ask("world_changes", since=since, next=cursor, limit=200)
        yield from answer["changes"]
        cursor = answer.get("next")


def note_read(key):
    """A working note of the conversation that this runs for."""
    return _ask("note_read", key=key)


def note_write(key, value):
    """Keep a working note in the conversation that this runs for."""
    return _ask("note_write", key=key, value=value)


def progress(text, share=None):
    """Tell the person what is being done, and which share of it is done."""
    call("progress", text=text, share=share)


def _places():
    yield from (("workspace", None), ("account", None))
    try:
        channels = _ask("channel_list")["channels"]
    except RefusedError:
        return
    for one in channels:
        yield "channel", one["id"]


def _ask(tool, **arguments):
    given = {name: value for name, value in arguments.items() if value is not None}
    return call("ask", tool=tool, arguments=given)
