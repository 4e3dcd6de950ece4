"""Links from names of measures in sentences to their entries, which carry what is open."""

from evalcore.registry import RETRIEVAL
from evalcore.wording import linked_mentions, with_parameters

from . import address
from .current_dataset import opened
from .loaded_rankings import RANKED


def with_links(sentence: str) -> str:
    """Markdown of a verdict or a note, in which the first mention of each measure opens its entry."""
    return with_parameters(linked_mentions(sentence, open_family()), address.parameters())


def open_family() -> str | None:
    """The family of measures that a name means first on the open data, where it says so: AP of rankings."""
    current = opened()
    return RETRIEVAL if current is not None and current.kind in RANKED else None
