"""The groups of settings and what can be set in each, as data: page and palette are made from it.

A group is a line here and a class that is imported when it is first shown. The class is a ``Page``
(``ui/kit/page/page.py``) made as ``Class(context, parent)``, like every page and tab; its ``view``
is best a ``GroupFrame`` (``ui/settings/frame.py``), which brings the heading and stacks cards. The
Settings page scrolls it, opens it on the workspace, and gives its key hints to the status bar. Each
setting that is listed here is a widget of the view whose ``objectName`` is the setting's id: no
more is needed for ``context.go(ToSettings(group, setting))`` to bring the keyboard to it.
"""

from __future__ import annotations

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import once_a_language, tr

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
        name: What stands beside it.
        words: Other words that it may be looked for by.
    """

    id: str
    name: str
    words: str = ""


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
    return (
        GroupSpec(
            APPEARANCE,
            tr("Appearance"),
            "sun",
            f"{here}appearance:AppearanceGroup",
            (
                SettingSpec("theme", tr("Theme"), tr("dark, light, colours")),
                SettingSpec("density", tr("Rows"), tr("density, compact, comfortable")),
                SettingSpec("textSize", tr("Text size"), tr("zoom, larger, smaller, font")),
                SettingSpec(
                    "language",
                    tr("Language"),
                    tr("English, German, Deutsch, French, Fran\u00e7ais"),
                ),
                SettingSpec("reduceMotion", tr("Reduce motion"), tr("animation")),
                SettingSpec(
                    "checkSpelling", tr("Check spelling"), tr("dictionary, typos, language")
                ),
            ),
        ),
        GroupSpec(
            MEMORY,
            tr("Memory"),
            "trend-down",
            f"{here}memory.group:MemoryGroup",
            (
                SettingSpec("preset", tr("How fast memories fade"), tr("decay, slow, reference")),
                SettingSpec("rateConversation", tr("Conversation memories fade")),
                SettingSpec("rateChannel", tr("Channel, kept each hour"), tr("fading")),
                SettingSpec("rateWorkspace", tr("Workspace, kept each hour"), tr("fading")),
                SettingSpec("rateAccount", tr("Account, kept each hour"), tr("fading")),
                SettingSpec("rehearsed", tr("Rehearse other rates"), tr("golden questions")),
                SettingSpec("tidying", tr("Tidy up automatically"), tr("consolidation, merge")),
                SettingSpec("faded", tr("Faded memories"), tr("prune, keep, review, forget")),
            ),
        ),
        GroupSpec(
            SEARCH_MODEL,
            tr("Search model"),
            "intersect",
            f"{here}search_model:SearchModelGroup",
            (
                SettingSpec("modelFolder", tr("Bring in a search model"), tr("embedding, install")),
                SettingSpec("modelArchive", tr("Bring in an archive of a model"), tr("zip")),
            ),
        ),
        GroupSpec(
            BACKGROUND,
            tr("Background work"),
            "arrows-clockwise",
            f"{here}background:BackgroundGroup",
            _background(),
        ),
        GroupSpec(
            "data",
            tr("Backups and data"),
            "hard-drives",
            f"{here}backups.group:BackupsGroup",
            (
                SettingSpec("backups", tr("Backups"), tr("restore, compare, safety copy")),
                SettingSpec("backUpNow", tr("Back up now"), tr("copy, save")),
                SettingSpec("restoreFromFile", tr("Restore from a file"), tr("import a backup")),
                SettingSpec("checkNow", tr("Check now"), tr("health, damage, where it lives")),
            ),
        ),
        GroupSpec(
            PRIVACY,
            tr("Privacy"),
            "lock-simple",
            f"{here}privacy:PrivacyGroup",
            (
                SettingSpec("displayName", tr("Your name in histories"), tr("author, person")),
                SettingSpec("writesPerMinute", tr("Writes of a program within a minute")),
            ),
        ),
        GroupSpec(KEYBOARD, tr("Keyboard"), "keyboard", f"{here}keyboard:KeyboardGroup"),
    )


def _background() -> tuple[SettingSpec, ...]:
    tiers = {"channel": tr("Channel"), "workspace": tr("Workspace"), "account": tr("Account")}
    triggers = {
        "NewEntries": tr("consolidated after so many new memories"),
        "IdleMinutes": tr("consolidated after minutes without you"),
        "EveryHours": tr("consolidated at least every so many hours"),
    }
    return (
        SettingSpec("backfillMinutes", tr("Prepare memories for search"), tr("backfill, vectors")),
        SettingSpec("forgetAtClose", tr("Forget what a closed conversation leaves behind")),
        SettingSpec("silentDays", tr("Silent conversations rest after"), tr("abandoned, idle")),
        *(
            SettingSpec(f"{tier}{key}", f"{name}: {words}")
            for tier, name in tiers.items()
            for key, words in triggers.items()
        ),
    )


def group_of(group_id: str) -> GroupSpec | None:
    """What is known of a group; None for a stranger's id."""
    return next((one for one in group_specs() if one.id == group_id), None)
