"""Report: one HTML file that opens from disk and needs no network."""

import tomllib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from operator import attrgetter
from pathlib import Path

from evalcore.analyses import NamedCounts, Scores, Source, comparable_systems
from evalcore.figures import logo
from evalcore.readers import KINDS, DataSet, ReadProblem, counted_rows, kinds_giving
from evalcore.registry import PAGES, name_of_today
from evalcore.reports import parts as html
from evalcore.reports.chapters import CHAPTERS, counts_of
from evalcore.reports.front import Front, card_of, front_of, number_line, rate_text, versions
from evalcore.reports.parts import Chapter, Table, Words, code
from evalcore.reports.settings import ReportSettings
from evalcore.wording import Cell, count_text, escaped, level_text, number_text, one_line, rows_text

__all__ = ["CHAPTERS", "card_text", "chapters_of", "report_html", "write_report"]

_ALL = '<label class="live"><input type="checkbox" id="all">Open all</label><p>Open appendices are printed.</p>'
_HEADS = ("item", "what to tell", "from these data")
Pages = Iterable[str] | None  # by default all that can show the data
_RATES = ("recall", "specificity", "precision", "negative_predictive_value")


@cache
def checklists() -> dict[str, dict]:
    """The lists by key: name, source, and items by number in their order."""
    return tomllib.loads(Path(__file__).with_name("checklists.toml").read_text(encoding="utf-8"))


def has_checklists(source: Source) -> bool:
    """Whether reporting checklists apply: binary cases with a true class and a test or model result."""
    if source.has_labels or source.scored_by == "class":
        return False
    return source.positive is not None or (source.kind == "counts" and not source.dataset.is_matrix)


def checklists_chapter(source: Source, settings: ReportSettings, pages: Collection[str]) -> Chapter:
    """Chapter with both reporting checklists, answered from the data and this report."""
    try:
        named = counts_of(source, settings)
    except (ReadProblem, ValueError):
        named = None
    parts: list = []
    for key, one in checklists().items():
        known = {} if named is None else _answers(key, source, settings, named, pages)
        told = {item: Cell(known.get(item, ""), kind="" if item in known else "blank") for item in one["items"]}
        only = {item: f"{kind} only" for kind in ("development", "evaluation") for item in one.get(kind, ())}
        rows = [[item, Cell(words, aside=only.get(item, "")), told[item]] for item, words in one["items"].items()]
        filled = f"{len(known)} of {len(rows)} entries are answered by these data, some only in part."
        parts.append(Table(f"{one['name']}: {one['about']}", heads=_HEADS, rows=rows))
        parts.append(Words(f"{filled} Items in our own words; the wording that counts is that of {one['source']}."))
    return Chapter("Checklists", "What must a study report, and what do these data answer?", made=parts)


def _answers(
    key: str, source: Source, settings: ReportSettings, named: NamedCounts, pages: Collection[str]
) -> dict[str, str]:
    """Answers from the data by item, as plain text."""
    counts, data = named.counts, source.dataset
    scores = Scores.of(source) if source.kind in kinds_giving("scored") else None
    total, ill = float(counts.total), float(counts.actual_positives)
    unlabelled = data.left_out(source.system) + source.not_counted if source.kind == "labels" else 0
    missing, positive = scores.left_out if scores else unlabelled, one_line(named.positive, 40)
    used = f"{count_text(total)} {named.unit}: {count_text(ill)} {positive}, {count_text(total - ill)} not"
    estimates = "; ".join(rate_text(name, counts, settings.intervals).lower() for name in _RATES)
    ends = settings.intervals.of_area(scores.scored).ends if scores else ()
    area = f"; {number_line('AUC', number_text, *map(float, ends))}" if ends else ""
    methods = f"{settings.intervals.method_name}; AUC by {source.area_method}"
    intervals = f"{level_text(settings.intervals.level)} intervals ({methods})"
    cells = ", ".join(f"{cell.upper()} {count_text(float(getattr(counts, cell)))}" for cell in ("tp", "fp", "fn", "tn"))
    test = one_line(source.system or "the prediction", 60)
    positives = f"{positive} when the score is"
    rule = f"{positives} {scores.rule} {scores.text(settings.threshold_of(scores))}" if scores else ""
    truth = f"column {one_line(data.roles.get('actual'), 40)}: " if data.roles.get("actual") else ""
    left = f"{rows_text(missing)} without a label or a result left out" if missing else "none in the file"
    shown = {
        ", AUC": scores,
        ", ROC and precision–recall curves": scores and "classify/curves" in pages,
        ", calibration and its diagram": "classify/probabilities" in pages,
        ", net benefit": scores and "classify/threshold" in pages,
    }
    curves = "".join(words for words, there in shown.items() if there)
    group = one_line(data.roles.get("group") or "", 40)
    groups = f"accuracy by {group}: chapter Threshold" if group and scores and "classify/threshold" in pages else ""
    if key == "stard":
        known = {
            "1": f"sensitivity, specificity, predictive values{', AUC' if scores else ''}",
            "10a": f"{test} (how it is made: to be stated)",
            "12a": rule and f"{rule}; fixed beforehand or explored: to be stated",
            "12b": f"{truth}{positive}; fixed beforehand or explored: to be stated",
            "14": intervals,
            "16": left,
            "17": groups and f"{groups}; planned or explored: to be stated",
            "19": f"{used}; left out: {count_text(missing)}",
            "23": cells,
            "24": f"{estimates}{area}",
        }
    else:
        known = {
            "7": data.steps_text and f"steps on the table: {one_line(data.steps_text, 200)}",
            "8a": f"{truth}{positive} (when it is assessed: to be stated)",
            "10": f"{used} (the reason: to be stated)",
            "11": left,
            "12e": f"sensitivity, specificity, predictive values{curves}; {intervals}",
            "15": rule and f"score {test}; {rule}",
            "18f": "how these numbers were made: last chapter of this report",
            "20a": f"{used}; left out: {count_text(missing)}",
            "21": used,
            "23a": f"{estimates}{area}{f'; {groups}' if groups else ''}",
        }
    return {item: text for item, text in known.items() if text}


def chapters_of(source: Source) -> tuple[str, ...]:
    """The pages that a report of a data set can include; those that compare systems need two."""
    compared = {"classify/compare": comparable_systems, "retrieve/compare": attrgetter("systems")}
    alone = {page for page, systems_of in compared.items() if len(systems_of(source)) < 2}
    return tuple(page for page in CHAPTERS if page in KINDS[source.kind].pages and page not in alone)


def report_html(data: DataSet | Source, pages: Pages = None, settings: ReportSettings | None = None) -> str:
    """Report of a data set as HTML, by default with every page that can show it.

    The settings are by default those that a page shows first. Raises ValueError for a page that this kind of data has
    not; `chapters_of` lists those it has.
    """
    source = data if isinstance(data, Source) else Source.of(data)
    chosen = _chosen_pages(source, pages)
    ordered, settings = [page for page in CHAPTERS if page in chosen], settings or ReportSettings()
    chapters, missing, date = dict[str, Chapter](), [], _now()
    for page in ordered:
        try:
            chapters[page] = CHAPTERS[page](source, settings)
        except (ReadProblem, ValueError) as problem:  # what the page would say instead of its numbers
            missing.append([PAGES[page].title, one_line(problem, 600)])
    leading = next((page for page in (source.dataset.first_page, *KINDS[source.kind].pages) if page in chapters), "")
    front = front_of(source, settings, chapters, leading, date)
    if leading:  # its finding stands on the front
        chapters[leading] = replace(chapters[leading], verdict="", made=chapters[leading].parts)
    lists = [checklists_chapter(source, settings, ordered)] if has_checklists(source) else []
    head, tail = _head(source), _tail(source, ordered, settings, missing)
    return document(one_line(source.title, 120), date, front, [*chapters.values(), head, *lists, tail])


def document(title: str, date: str, front: Front, chapters: Sequence[Chapter]) -> str:
    """Join a front and its appendices into one HTML page with a plain-text title."""
    words, named = escaped(title), {f"c{index}": chapter for index, chapter in enumerate(chapters)}
    links = {"front": "Finding"} | {name: chapter.title for name, chapter in named.items()}
    contents = "".join(f'<li><a href="#{name}">{escaped(link)}</a></li>' for name, link in links.items())
    body = front.html + "".join(chapter.html(name, front.parts) for name, chapter in named.items())
    data = next((chapter.data() for chapter in chapters if chapter.data is not None), None)
    head = f"<header>{logo()}<p><b>{words}</b> {escaped(date)}</p></header>"
    body = f"{head}<nav><ul>{contents}</ul>{_ALL}</nav><main>{body}</main>"
    script = html.report_script(data is not None)
    return html.page(title, f"{title} · Evalcore report", html.report_style(), body, script, data)


def write_report(
    data: DataSet | Source, path: str | Path, pages: Pages = None, settings: ReportSettings | None = None
) -> Path:
    """Write `report_html` to a file, and return its path; in one that ends in .svg, the finding alone as a card.

    Raises ValueError for a name that ends like another format.
    """
    file, card = Path(path), Path(path).suffix.lower() == ".svg"
    if not card and file.suffix.lower() not in ("", ".html", ".htm"):
        raise ValueError(f"{file.name} would hold HTML; name it {file.stem}.html, or {file.stem}.svg for a card.")
    text = (card_text if card else report_html)(data, pages, settings)
    file.write_text(text, encoding="utf-8", errors="xmlcharrefreplace")
    return file


def card_text(data: DataSet | Source, pages: Pages = None, settings: ReportSettings | None = None) -> str:
    """The finding of the page that a report would begin with, as an SVG picture of 1200 × 630 pixels."""
    source, settings = data if isinstance(data, Source) else Source.of(data), settings or ReportSettings()
    chosen = _chosen_pages(source, pages)
    leading = next(page for page in (source.dataset.first_page, *KINDS[source.kind].pages) if page in chosen)
    return card_of(leading, source, settings, CHAPTERS[leading](source, settings))


def _chosen_pages(source: Source, pages: Pages) -> tuple[str, ...]:
    known = chapters_of(source)
    chosen = known if pages is None else tuple(map(name_of_today, pages))
    if unknown := [page for page in chosen if page not in known]:
        raise ValueError(f"A report of this data set has no page {unknown[0]!r}, only {', '.join(known)}.")
    return chosen


def _now() -> str:
    return datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")


def _head(source: Source) -> Chapter:
    """Description of the data and warnings about them."""
    data, kind = source.dataset, KINDS[source.kind]
    rows = [["File", one_line(data.name, 120)], ["Kind", kind.title]]
    for name, value in source.roles.parts.items():  # its columns, or its value
        part = kind.parts.get(name)
        texts = (part.columns(value) if part else []) or [value]
        named = ", ".join(one_line(text, 60) for text in texts[:30]) + (" …" if len(texts) > 30 else "")
        rows.append([name.replace("_", " ").capitalize(), named])
    if data.steps_text:
        rows.append(["Steps", one_line(data.steps_text, 400)])
    rows.append(["Digest of the data", data.digest])
    findings = [[one.level, one_line(one.sentence, 600)] for one in source.findings]
    table = Table("Findings", heads=["level", "finding"], rows=findings)
    parts = [Table.of([], rows), table if findings else Words("Nothing to note about these data.")]
    question = "What are these data, and what should I know before I trust the numbers?"
    return Chapter("Data", question, f"{source.facts}.", parts)


def _tail(source: Source, pages: Sequence[str], settings: ReportSettings, missing: list[list[str]]) -> Chapter:
    """Versions behind the numbers, and Python that recomputes them."""
    system = [["System", one_line(source.system, 120)]] if source.system else []
    rows = [*settings.rows(source), *system, ["Rows", count_text(counted_rows(source.dataset))]]
    parts = [Table("Not in this report", rows=missing)] if missing else []
    parts += [Table("Settings", rows=rows), Table("Versions", rows=[*map(list, versions().items())])]
    made = [*parts, code("Python that makes this report", settings.code(source, pages))]
    return Chapter("How this was made", "With what settings and versions?", made=made)
