"""Links from the name of a measure to its entry on the page of measures."""

from collections.abc import Mapping
from urllib.parse import urlencode

from evalcore.registry import MetricDef

__all__ = ["entry_link", "measure_markdown", "with_parameters"]

_ENTRY = "measures?measure="


def entry_link(key: str) -> str:
    """The address of the entry of a measure, a term or a message, as a link on any page.

    >>> entry_link("recall")
    'measures?measure=recall'
    """
    return f"{_ENTRY}{key}"


def measure_markdown(measure: MetricDef, name: str = "") -> str:
    """The name of a measure, or another that it goes by, in bold, as a link to its entry.

    >>> from evalcore import find
    >>> measure_markdown(find("PPV"))
    '[**Precision**](measures?measure=precision)'
    """
    return f"[**{name or measure.name}**]({entry_link(measure.key)})"


def with_parameters(text: str, parameters: Mapping[str, str]) -> str:
    """HTML or Markdown whose links to entries carry what is open.

    >>> with_parameters("[**Recall**](measures?measure=recall)", {"data": "a b", "measure": "AP"})
    '[**Recall**](measures?data=a+b&measure=recall)'
    """
    carried = {name: value for name, value in parameters.items() if name != "measure"}
    return text.replace(_ENTRY, f"measures?{urlencode(carried)}&measure=") if carried else text
