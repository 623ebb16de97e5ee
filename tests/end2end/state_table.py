"""Which state of the window was designed in which picture, and which pictures show no state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class DesignPictures:
    """The pictures that a state was designed in, without ending; empty where there is none."""

    light: str = ""
    dark: str = ""


DESIGN_OF: Mapping[str, DesignPictures] = {
    "01-memory": DesignPictures("01-memory-light", "01-memory-dark"),
    "01c-conversation-working-notes": DesignPictures("01c-memory-conversation-working-notes"),
    "01d-search-multiselect": DesignPictures("01d-memory-search-multiselect"),
    "02-named-entries": DesignPictures("02-named-entries-light", "02-named-entries-dark"),
    "02c-named-entries-history": DesignPictures("02c-named-entries-history"),
    "03a-scrub-scope": DesignPictures("03a-scrub-scope"),
    "03b-scrub-dry-run": DesignPictures("03b-scrub-dry-run"),
    "03c-scrub-confirm": DesignPictures("03c-scrub-confirm", "03c-scrub-confirm-dark"),
    "03d-scrub-result": DesignPictures("03d-scrub-result"),
    "04a-background-work": DesignPictures("04a-control-plane-tiers"),
    "04b-event-log-record": DesignPictures("04b-control-plane-event-log"),
    "04c-access-clients": DesignPictures("04c-control-plane-access"),
    "06-orientation-preview": DesignPictures("06-orientation-preview"),
    "07a-empty-workspace": DesignPictures("07a-empty-first-run"),
    "07b-no-model": DesignPictures("07b-degraded-no-model"),
    "07c-newer-database": DesignPictures("07c-degraded-newer-database"),
    "07d-read-only": DesignPictures("07d-degraded-read-only"),
    "08-channel-narrow": DesignPictures("08-memory-narrow-1024"),
    "09a-import-preview": DesignPictures("09a-import-preview"),
    "09b-command-palette": DesignPictures("09b-command-palette"),
    "10-component-states": DesignPictures("10-component-states"),
    "12a-conversation": DesignPictures("12a-conversation-light", "12a-conversation-dark"),
    "12a-conversation-error": DesignPictures("12a-conversation-error"),
    "12a-conversation-permission": DesignPictures("12a-conversation-permission"),
    "12b-conversation-runs": DesignPictures("12b-conversation-runs"),
    "12c-conversation-no-model": DesignPictures("12c-conversation-no-provider"),
    "12d-conversation-narrow": DesignPictures("12d-conversation-narrow-1024"),
    "12e-conversation-steps": DesignPictures(
        "12e-conversation-components-light", "12e-conversation-components-dark"
    ),
    "13b-settings-memory": DesignPictures("13b-settings-memory-light", "13b-settings-memory-dark"),
    "13c-settings-appearance": DesignPictures("13c-settings-data-appearance-privacy"),
    "14a-world-pages": DesignPictures("14a-world-pages-light", "14a-world-pages-dark"),
    "14b-world-changed": DesignPictures("14b-retcon-radar-light", "14b-retcon-radar-dark"),
    "14c-world-proposed": DesignPictures("14c-candidate-write"),
    "14d-world-no-folder": DesignPictures("14d-world-no-folder"),
    "15a-knowledge-facts": DesignPictures("15a-knowledge-facts-light", "15a-knowledge-facts-dark"),
    "15b-knowledge-grants": DesignPictures("15b-knowledge-policies-grants"),
    "16a-skills": DesignPictures("16a-skills-light", "16a-skills-dark"),
    "16b-skill-review": DesignPictures("16b-skill-composer-review"),
    "17a-schedule": DesignPictures("17a-schedule-light"),
    "17a-schedule-edit": DesignPictures("17a-schedule-edit"),
    "18a-welcome-doors": DesignPictures("18a-welcome-doors-light", "18a-welcome-doors-dark"),
    "18b-welcome-voice": DesignPictures("18b-welcome-voice"),
    "18c-welcome-agent": DesignPictures("18c-welcome-agent"),
}
"""By name of the state in the tour."""

_REPLACED = "Replaced by 13b-settings-memory and the other groups of the Settings page."
VOID: Mapping[str, str] = {
    "05a-settings-decay": _REPLACED,
    "05b-settings-other": _REPLACED,
    "11-qt-proof-row-delegate": "A proof that rows can be painted, not a state of the window.",
}
"""Pictures that no state is held against, and why."""

N_PICTURES = 57
"""How many pictures were designed."""


def matched() -> set[str]:
    """Every design picture that a state is held against."""
    return {name for one in DESIGN_OF.values() for name in (one.light, one.dark) if name}
