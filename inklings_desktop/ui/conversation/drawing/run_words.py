"""What is said of somebody who was sent for something; it knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent_client.run_rows import DONE, FAILED, LIMIT, RUNNING, STOPPED
from inklings_desktop.ui.conversation.words import model_title, took
from inklings_desktop.ui.kit.look.translation import counted, grouped, lowered, quoted, tr
from inklings_desktop.ui.kit.words.money import money

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.agent_client.run_rows import Run, RunStep

WORKER, COMPOSER = "worker", "composer"
_ICONS = {"researcher": "magnifying-glass", WORKER: "hammer", COMPOSER: "toolbox"}
_STEP_ICONS = {
    "memory": "stack",
    "world": "file-text",
    "page": "file-text",
    "note": "notepad",
    "named": "bookmark-simple",
    "event": "list-checks",
    "run": "code",
    "skill": "toolbox",
    "validate": "list-checks",
    "dry": "code",
}


def role_icon(role: str) -> str:
    """The sign of a role."""
    return _ICONS.get(role, "user")


def role_words(role: str) -> str:
    """The name of a role."""
    return {
        "researcher": tr("Researcher"),
        WORKER: tr("Worker"),
        COMPOSER: tr("Skill Composer"),
    }.get(role, role)


def state_look(run: Run) -> tuple[str, str, str]:
    """Icon, role of its colour and word of how far one is."""
    if run.is_running and run.of:
        told = tr("{n} of {all}").format(n=grouped(min(run.done, run.of)), all=grouped(run.of))
        return "arrows-clockwise", "inkSoft", told
    if run.is_incomplete and run.state == DONE:
        return "warning-circle", "ochre", tr("incomplete")
    return {
        RUNNING: ("arrows-clockwise", "accent", tr("at work")),
        DONE: ("check-circle", "accent", tr("done")),
        STOPPED: ("stop-circle", "inkSoft", tr("stopped")),
        LIMIT: ("warning-circle", "ochre", tr("ended early")),
        FAILED: ("warning-circle", "madder", tr("failed")),
    }[run.state]


def may_words(run: Run) -> str:
    """What it may do, in one line."""
    if run.role == COMPOSER:
        return tr("proposes only")
    if run.role != WORKER:
        return tr("reads only")
    names = dict.fromkeys(right_words(one.tool, one.tier) for one in run.may)
    return tr("may write: {what}").format(what=", ".join((tr("its own notes"), *names)))


def right_words(tool: str, tier: str) -> str:
    """One thing that it may write, in a few words."""
    tiers = {
        "conversation": tr("memories of this conversation"),
        "channel": tr("memories of this channel"),
        "workspace": tr("memories of this world"),
    }
    proposed = {
        "named_entry_propose": tr("proposals for named entries"),
        "world_propose": tr("proposals for pages"),
    }
    return proposed.get(tool) or tiers.get(tier, tool)


def did_words(run: Run) -> str:
    """What it did so far, counted; empty for nothing."""
    counts = (
        (run.n_pages, counted(run.n_pages, "1 page", "{n} pages")),
        (run.n_memories, counted(run.n_memories, "1 memory", "{n} memories")),
        (run.n_findings, counted(run.n_findings, "1 finding", "{n} findings")),
    )
    return ", ".join(words for n, words in counts if n)


def line_words(run: Run, ms: int | None) -> str:
    """The second line of its row: what it may do, what it did, time and cost.

    Who worded a skill says first what came of it.
    """
    spent = [took(ms)] if ms else []
    if run.cost_micro:
        spent.append(tr("about {money}").format(money=money(run.cost_micro, run.currency)))
    came = next(iter(came_words(run)), may_words(run)).rstrip(".")
    parts = (came, did_words(run), ", ".join(spent))
    return "; ".join(one for one in parts if one)


def came_words(run: Run) -> list[str]:
    """What came of the work of who worded a skill, by sentences; the first says it in short."""
    if run.role != COMPOSER or not run.summary:
        return []
    *told, last = run.summary.split(". ")
    return [*(f"{one}." for one in told), last]


def remarks(run: Run) -> Iterator[str]:
    """What has to be known of how it went, a sentence each."""
    yield from came_words(run)
    if run.is_resumed:
        yield tr("The program ended under it. It went on where it was; nothing was done twice.")
    if run.state == STOPPED:
        yield counted(run.n_findings, "Stopped; 1 finding kept", "Stopped; {n} findings kept")
    elif run.state == LIMIT:
        yield tr("It used up what it was given; what it had found is kept.")
    elif run.problem == "needs_model" and not run.summary:
        yield tr("Nobody can do this without a model.")
    elif run.problem and run.problem != "needs_model":
        yield tr("Its model failed: {word}").format(word=run.problem)
    if run.overlay:
        yield tr("Role laid over it: {text}").format(text=run.overlay)
    for one in run.open_questions:
        yield tr("Open: {text}").format(text=one)


def step_icon(step: RunStep) -> str:
    """The sign of something that it did."""
    if step.status == "refused":
        return "prohibit"
    if step.tool in {"world_search", "memory_search"}:
        return "magnifying-glass"
    return _STEP_ICONS.get(step.tool.partition("_")[0], "circle")


def step_words(step: RunStep) -> tuple[str, str]:
    """Something that it did, and how much came of it."""
    about = quoted(step.about[:80]) if step.about else ""
    key = step.about.rpartition("/")[2]
    tiers = {
        "conversation": tr("conversation"),
        "channel": tr("channel"),
        "workspace": tr("workspace"),
        "account": tr("account"),
    }
    done = {
        "memory_read": tr("read {tier} memories: {about}"),
        "memory_search": tr("searched memories for {about}"),
        "memory_get": tr("read memories by their ids"),
        "memory_history": tr("read the versions of a memory"),
        "memory_put": tr("kept a memory: {about}"),
        "memory_update": tr("changed a memory"),
        "memory_forget": tr("forgot a memory"),
        "world_search": tr("searched pages for {about}"),
        "world_read": tr("opened {about}"),
        "world_outline": tr("listed pages"),
        "world_changes": tr("looked at changes of pages"),
        "event_list": tr("read the event log"),
        "note_write": tr("kept the note {key}"),
        "note_read": tr("read the note {key}"),
        "note_list": tr("listed notes"),
        "run_script": tr("ran a script"),
        "skill_search": tr("looked for skills: {about}"),
        "skill_read": tr("read the skill {about}"),
        "validate_skill": tr("checked a draft"),
        "dry_run_skill": tr("tried a file of it: {about}"),
        "skill_propose": tr("proposed the skill"),
    }.get(step.tool, step.tool.replace("_", " "))
    words = done.format(about=about, tier=tiers.get(step.tier, ""), key=key)
    if step.status in {"refused", "failed"}:
        word = tr("refused") if step.status == "refused" else tr("failed")
        return " ".join(words.split()).rstrip(" :"), word
    return " ".join(words.split()).rstrip(" :"), grouped(step.n)


def spoken_run(run: Run, ms: int | None) -> str:
    """A run as a screen reader hears it."""
    told = (role_words(run.role), run.goal, state_look(run)[2], line_words(run, ms))
    return ", ".join(one for one in told if one)


def counted_runs(runs: list[Run]) -> str:
    """How many were sent, and how many are done: the state of a turn that waits for them."""
    n_done = sum(not one.is_running for one in runs)
    told = counted(len(runs), "1 run", "{n} runs")
    done = tr("{n} done").format(n=grouped(n_done))
    return tr("{runs}, {done}").format(runs=told, done=lowered(done, is_noun=False))


def model_words(run: Run) -> str:
    """What answered for it."""
    return model_title(run.model) if run.model else tr("none: it read and compared by rules")


def copied_findings(run: Run) -> str:
    """What it found, as text."""
    lines = [f"{role_words(run.role)}: {run.goal}"]
    if run.summary:
        lines += ["", run.summary]
    lines += ["", *(f"- {one.place}: {one.text}" for one in run.findings)]
    return "\n".join(lines).strip()
