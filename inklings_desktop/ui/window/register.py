"""The pages of the window, in their order: a new one is a folder and a line here."""

from __future__ import annotations

from inklings_desktop.ui.kit.look.translation import once_a_language, tr, tr_as
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    CONVERSATION_PAGE,
    ENTRIES_PAGE,
    INBOX_PAGE,
    KNOWLEDGE_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
    SETTINGS_PAGE,
    SKILLS_PAGE,
    WORLD_PAGE,
    PageSpec,
    TabSpec,
)


@once_a_language
def page_specs() -> tuple[PageSpec, ...]:
    """Every page; menus, rail, palette, title bar and status bar are made from them."""
    ui = "inklings_desktop.ui."
    return (
        PageSpec(MEMORY_PAGE, tr("Memory"), "stack", ("Alt+1",), ""),
        PageSpec(
            ENTRIES_PAGE,
            tr("Named entries"),
            "bookmarks",
            ("Alt+2",),
            f"{ui}entries.page:EntriesPage",
        ),
        PageSpec(
            PREVIEW_PAGE,
            tr("Next turn preview"),
            "eye",
            ("Alt+3", "Ctrl+P"),
            f"{ui}turn.page:TurnPage",
            told=tr("What the agent will see at the start of the next turn"),
        ),
        PageSpec(
            WORLD_PAGE,
            tr("World"),
            "book-open-text",
            ("Alt+6",),
            f"{ui}world.page:WorldPage",
            told=tr("Your own pages, and what memory says of them"),
            is_authors=True,
            words=tr("pages, folder, vault, Markdown, link, retcon"),
        ),
        PageSpec(
            KNOWLEDGE_PAGE,
            tr("Knowledge"),
            "tree-structure",
            ("Alt+7",),
            f"{ui}knowledge.page:KnowledgePage",
            told=tr("What is settled about this world, and from what"),
            words=tr("facts, canon, domain, confidence, supersede"),
        ),
        PageSpec(
            SKILLS_PAGE,
            tr("Skills"),
            "toolbox",
            ("Alt+8",),
            f"{ui}skills.page:SkillsPage",
            told=tr("What agents may choose to work by"),
            is_authors=True,
            words=tr("skill, template, script, assertion, trace"),
        ),
        PageSpec(
            INBOX_PAGE,
            tr("Inbox"),
            "tray",
            ("Alt+0",),
            f"{ui}inbox.page:InboxPage",
            told=tr("Proposals, requests and quiet conversations to decide"),
            is_authors=True,
        ),
        PageSpec(
            CONVERSATION_PAGE,
            tr_as("a page", "Conversation"),
            "chat-text",
            ("Alt+9",),
            f"{ui}conversation.page:ConversationPage",
            told=tr("What is said with the World Agent"),
            is_authors=True,
            adds=tr("New conversation"),
            words=tr("talk, chat, end, archive, attach"),
        ),
        PageSpec(
            CONTROL_PAGE,
            tr("Control plane"),
            "gauge",
            ("Alt+4",),
            f"{ui}control.page:ControlPage",
            told=tr("How much is in each tier, the event log, scrubbing"),
            is_authors=True,
            is_below_rooms=True,
            tabs=(
                TabSpec(
                    "schedule",
                    tr("Schedule"),
                    f"{ui}control.schedule_tab:ScheduleTab",
                    tr("activities, appointments, what runs when"),
                ),
                TabSpec(
                    "events",
                    tr("Event log"),
                    f"{ui}events.page:EventsPage",
                    tr("history, what happened, audit"),
                ),
                TabSpec(
                    "access",
                    tr("Access"),
                    f"{ui}access.page:AccessPage",
                    tr("programs, rights, connect, canary drill"),
                ),
            ),
        ),
        PageSpec(
            SETTINGS_PAGE,
            tr("Settings"),
            "gear-six",
            ("Alt+5", "Ctrl+,"),
            f"{ui}settings.page:SettingsPage",
            told=tr("How memories fade, how the window looks, what runs in the background"),
            is_authors=True,
            is_below_rooms=True,
            hint="Ctrl ,",
        ),
    )


def spec_of(page_id: str) -> PageSpec | None:
    """What is known of a page; None for a stranger's id."""
    return next((one for one in page_specs() if one.id == page_id), None)
