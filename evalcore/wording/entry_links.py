"""Links from the name of a measure to its entry on the page of measures."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from evalcore.registry import MetricDef, measure_named
from evalcore.wording.escaping import plain

__all__ = ["entry_link", "linked_names", "measure_links", "measure_markdown", "with_parameters"]

_ENTRY = "measures?measure="
_OTHERWISE = ("p", "judged", "map")
"""Names of measures that stand for something else on the screen: p-values, numbers of judged documents, a drawing."""


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


def measure_links(names: Iterable[str], family: str | None = None) -> list[str]:
    """Those names that measures (of rankings, where that is the family) go by, as links to entries, in Markdown.

    >>> measure_links(["system", "recall", "F1", "p"])
    ['[recall](measures?measure=recall)', '[F1](measures?measure=f_beta)']
    >>> measure_links({"AP": "AP"}, "retrieval")
    ['[AP](measures?measure=average_precision_at)']
    """
    named = {name: measure_named(name, family) or measure_named(name) for name in names if name not in _OTHERWISE}
    return [f"[{plain(name)}]({entry_link(measure.key)})" for name, measure in named.items() if measure]


def linked_names(text: str, family: str | None = None) -> str:
    """Markdown in which names of measures in bold letters lead to their entries.

    >>> linked_names("**Precision**: **2** of 3")
    '**[Precision](measures?measure=precision)**: **2** of 3'
    """
    return re.sub(
        r"(?<=\*\*)([^*\[\]]+)(?=\*\*)", lambda name: "".join(measure_links([name[1]], family)) or name[1], text
    )


def with_parameters(text: str, parameters: Mapping[str, str]) -> str:
    """HTML or Markdown whose links to entries carry what is open.

    >>> with_parameters("[**Recall**](measures?measure=recall)", {"data": "a b", "measure": "AP"})
    '[**Recall**](measures?data=a+b&measure=recall)'
    """
    carried = {name: value for name, value in parameters.items() if name != "measure"}
    return text.replace(_ENTRY, f"measures?{urlencode(carried)}&measure=") if carried else text
