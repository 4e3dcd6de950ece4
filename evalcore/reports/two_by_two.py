"""The 2×2 table of a report: four counts in the colours of the outcomes, with the rates at its sides."""

from evalcore.classification import ConfusionCounts
from evalcore.registry import METRICS
from evalcore.wording import count_text, escaped, one_line, value_text


def two_by_two(counts: ConfusionCounts, positive: str, negative: str) -> str:
    """Four counts of shape () as a table of HTML, the actual classes in its columns.

    >>> "<td class=tp><b>20</b>" in two_by_two(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820), "ill", "<b>well</b>")
    True
    """
    names = [escaped(one_line(name, 30)) for name in (positive, negative)]

    def cell(key: str) -> str:
        return f"<td class={key}><b>{count_text(float(getattr(counts, key)))}</b><small>{key.upper()}</small></td>"

    def rate(key: str) -> str:
        measure = METRICS[key]
        return f"<td class=rate><small>{measure.short}</small>{value_text(measure, float(measure(counts)))}</td>"

    return (
        '<div class="table"><table class="frame"><thead><tr><th></th>'
        f"{''.join(f'<th>actual {name}</th>' for name in names)}<th></th></tr></thead><tbody>"
        f"<tr><th>says {names[0]}</th>{cell('tp')}{cell('fp')}{rate('precision')}</tr>"
        f"<tr><th>says {names[1]}</th>{cell('fn')}{cell('tn')}{rate('negative_predictive_value')}</tr>"
        f"<tr><th></th>{rate('recall')}{rate('specificity')}{rate('accuracy')}</tr></tbody></table></div>"
    )
