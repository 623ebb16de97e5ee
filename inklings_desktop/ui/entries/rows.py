"""The rows of the named entries list, ready to be shown: headings, entries and proposals."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntryHeading:
    """A line above a group of rows; ``inked`` rings in the colour of ``role`` stand before it.

    ``inked`` is 0 above proposals, which have an icon instead.
    """

    id: str
    text: str
    inked: int = 0
    role: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One named entry as the list shows it; every text is final.

    ``version`` changes whenever the entry does. ``state_label`` takes the place of the age where
    something is to be known first, such as a draft that was not saved; it is ochre when
    ``is_urgent``.
    """

    id: str
    version: int
    name: str
    heading: str
    age_label: str
    length_label: str
    accessible_description: str
    is_built_in: bool = False
    n_proposals: int = 0
    state_label: str = ""
    is_urgent: bool = False
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One proposal as the list shows it.

    ``words`` are the agent's reason, or else the text it proposes. ``state_label`` is set when
    the target has moved on since.
    """

    id: str
    title: str
    words: str
    by_label: str
    kind_label: str
    accessible_description: str
    state_label: str = ""
    tooltip: str = ""


EntryListRow = EntryHeading | EntryRow | ProposalRow
