"""The groups of settings and what can be set in each, as data: page and palette are made from it.

A group is a line here and a class that is imported when it is first shown. The class is a ``Group``
(``ui/settings/frame.py``), made as ``Class(context, parent)``, like every page and tab: it says its
cards. The Settings page scrolls it, opens it on the workspace, and gives its key hints to the
status bar.

A setting is a line in ``SETTINGS`` (``settings.py``: its place in the file, its kind and bounds,
where it lies), which the file is read by and its faults are told by; and a line here: what it is
called and found by. ``Group.setting`` makes its control from the two. The id is the control's
``objectName``: no more is needed for ``context.go(ToSettings(group, setting))`` to lead to it.
"""

from __future__ import annotations

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import once_a_language, tr

AGENTS = "agents"
MEMORY = "memory"
SEARCH_MODEL = "model"
BACKGROUND = "background"
APPEARANCE = "appearance"
PRIVACY = "privacy"
KEYBOARD = "keyboard"


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One thing that can be set, as somebody looks for it.

    Attributes:
        id: Names its control, within its group.
        name: What it is called.
        words: Other words that it may be looked for by.
        place: Its place in the settings file; empty for what is no single setting.
        spoken: What its control is called where that is another word.
        is_found: Whether the palette leads to it.
    """

    id: str
    name: str
    words: str = ""
    place: str = ""
    spoken: str = ""
    is_found: bool = True


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """All that is known of a group before it is built.

    Attributes:
        id: Names it.
        title: What stands in the list.
        icon: Name of its icon.
        target: Its class as ``module:Class``.
        settings: What can be set there, from top to bottom.
    """

    id: str
    title: str
    icon: str
    target: str
    settings: tuple[SettingSpec, ...] = ()


@once_a_language
def group_specs() -> tuple[GroupSpec, ...]:
    """Every group, in the order of the list."""
    here = "inklings_desktop.ui.settings."
    look, work = f"{here}appearance:AppearanceGroup", f"{here}background:BackgroundGroup"
    model, data = f"{here}search_model:SearchModelGroup", f"{here}backups.group:BackupsGroup"
    memory, privacy = f"{here}memory.group:MemoryGroup", f"{here}privacy:PrivacyGroup"
    keys, agents = f"{here}keyboard:KeyboardGroup", f"{here}agents:AgentsGroup"
    return (
        GroupSpec(AGENTS, tr("Agents and models"), "robot", agents, _agents()),
        GroupSpec(APPEARANCE, tr("Appearance"), "sun", look, _appearance()),
        GroupSpec(MEMORY, tr("Memory"), "trend-down", memory, _memory()),
        GroupSpec(SEARCH_MODEL, tr("Search model"), "intersect", model, _search_model()),
        GroupSpec(BACKGROUND, tr("Background work"), "arrows-clockwise", work, _background()),
        GroupSpec("data", tr("Backups and data"), "hard-drives", data, _data()),
        GroupSpec(PRIVACY, tr("Privacy"), "lock-simple", privacy, _privacy()),
        GroupSpec(KEYBOARD, tr("Keyboard"), "keyboard", keys),
    )


def _agents() -> tuple[SettingSpec, ...]:
    cost = tr("money, limit, budget, cost")
    works = {
        "orchestrator": tr("Model for conversation"),
        "researcher": tr("Model of the Researcher"),
        "worker": tr("Model of the Worker"),
        "composer": tr("Model of the Skill Composer"),
        "gate": tr("Model for choosing memories"),
        "compact": tr("Model for long conversations"),
        "summary": tr("Model for summaries"),
        "title": tr("Model for titles"),
        "merge": tr("Model for tidying up"),
        "judge": tr("Model for checking skills"),
    }
    return (
        SettingSpec("addAgent", tr("Add an agent"), tr("Claude Code, Codex, Gemini CLI")),
        SettingSpec("addProvider", tr("Add a provider"), tr("key, sign in, models")),
        SettingSpec("turnCost", tr("Ask before a turn costs more than"), cost, "agent.turn_cost"),
        SettingSpec("dailyCost", tr("Ask before a day costs more than"), cost, "agent.daily_cost"),
        *(
            SettingSpec(
                f"route:{one}", name, tr("frontier, fast, cheap, off"), f"agent.routing.{one}"
            )
            for one, name in works.items()
        ),
        SettingSpec("writePolicy", tr("New memories of the World Agent"), "", "agent.write_policy"),
    )


def _appearance() -> tuple[SettingSpec, ...]:
    languages = tr("English, German, Deutsch, French, Fran\u00e7ais")
    spelling = tr("dictionary, typos, language")
    as_i_type = tr("Check spelling as I type")
    return (
        SettingSpec("theme", tr("Theme"), tr("dark, light, colours"), "appearance.theme"),
        SettingSpec(
            "density", tr("Rows"), tr("density, compact, comfortable"), "appearance.density"
        ),
        SettingSpec(
            "textSize", tr("Text size"), tr("zoom, larger, smaller, font"), "appearance.text_scale"
        ),
        SettingSpec("language", tr("Language"), languages, "appearance.language"),
        SettingSpec(
            "reduceMotion", tr("Reduce motion"), tr("animation"), "appearance.reduce_motion"
        ),
        SettingSpec(
            "checkSpelling", tr("Check spelling"), spelling, "appearance.check_spelling", as_i_type
        ),
        SettingSpec("sendKey", tr("Messages"), "", "appearance.send_key", is_found=False),
    )


def _memory() -> tuple[SettingSpec, ...]:
    tidying, faded = tr("consolidation, merge"), tr("prune, keep, review, forget")
    below = tr("Short-term memories below 0.01")
    return (
        SettingSpec("preset", tr("How fast memories fade"), tr("decay, slow, reference")),
        SettingSpec("rateConversation", tr("Conversation memories fade")),
        SettingSpec("rateChannel", tr("Channel, kept each hour"), tr("fading")),
        SettingSpec("rateWorkspace", tr("Workspace, kept each hour"), tr("fading")),
        SettingSpec("rateAccount", tr("Account, kept each hour"), tr("fading")),
        SettingSpec("rehearsed", tr("Rehearse other rates"), tr("golden questions")),
        SettingSpec("tidying", tr("Tidy up automatically"), tidying, "background.consolidate"),
        SettingSpec("faded", tr("Faded memories"), faded, "background.faded", below),
    )


def _search_model() -> tuple[SettingSpec, ...]:
    words = tr("Compare word by word as well")
    return (
        SettingSpec("modelFolder", tr("Bring in a search model"), tr("embedding, install")),
        SettingSpec("modelArchive", tr("Bring in an archive of a model"), tr("zip")),
        SettingSpec("wordByWord", words, place="embedding.word_by_word", is_found=False),
    )


def _data() -> tuple[SettingSpec, ...]:
    return (
        SettingSpec("backups", tr("Backups"), tr("restore, compare, safety copy")),
        SettingSpec("backUpNow", tr("Back up now"), tr("copy, save")),
        SettingSpec("restoreFromFile", tr("Restore from a file"), tr("import a backup")),
        SettingSpec("checkNow", tr("Check now"), tr("health, damage, where it lives")),
    )


def _privacy() -> tuple[SettingSpec, ...]:
    name, spoken = tr("Your name in histories"), tr("Your name in histories and events")
    writes = tr("Writes of a program within a minute")
    most = tr("Most writes of a program within a minute")
    return (
        SettingSpec("displayName", name, tr("author, person"), "person.display_name", spoken),
        SettingSpec("writesPerMinute", writes, "", "agents.writes_per_minute", most),
    )


def _background() -> tuple[SettingSpec, ...]:
    tiers = {"channel": tr("Channel"), "workspace": tr("Workspace"), "account": tr("Account")}
    triggers = (
        ("new_entries", "NewEntries", tr("consolidated after so many new memories")),
        ("idle_minutes", "IdleMinutes", tr("consolidated after minutes without you")),
        ("every_hours", "EveryHours", tr("consolidated at least every so many hours")),
    )
    heads, backfill = trigger_heads(), tr("Minutes between checks for memories to prepare")
    prepare, vectors = tr("Prepare memories for search"), tr("backfill, vectors")
    forget = tr("Forget what a closed conversation leaves behind")
    rest, idle = tr("Silent conversations rest after"), tr("abandoned, idle")
    quiet = tr("Quiet days before you are asked to close a conversation")
    reword = tr("Let the model word merged texts")
    stay = tr("Keep running in the background")
    return (
        SettingSpec("backfillMinutes", prepare, vectors, "background.backfill_minutes", backfill),
        SettingSpec("forgetAtClose", forget, place="background.forget_at_close"),
        SettingSpec("silentDays", rest, idle, "background.silent_days", quiet),
        *(
            SettingSpec(
                f"{tier}{id_}",
                f"{name}: {words}",
                place=f"background.{tier}.{key}",
                spoken=f"{name}, {heads[key]}",
            )
            for tier, name in tiers.items()
            for key, id_, words in triggers
        ),
        SettingSpec("wordMerges", reword, place="background.word_merges"),
        SettingSpec("keepRunning", stay, place="background.keep_running", is_found=False),
    )


def trigger_heads() -> dict[str, str]:
    """What brings a consolidation, as a column is headed, by the key in the settings file."""
    return {
        "new_entries": tr("New memories"),
        "idle_minutes": tr("Minutes without you"),
        "every_hours": tr("At least every (hours)"),
    }


def setting_of(id_: str) -> SettingSpec:
    """What is known of a setting."""
    return next(one for group in group_specs() for one in group.settings if one.id == id_)


def group_of(group_id: str) -> GroupSpec | None:
    """What is known of a group; None for a stranger's id."""
    return next((one for one in group_specs() if one.id == group_id), None)
