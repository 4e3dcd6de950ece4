"""What other programs write: cells of workbooks; lists of values, tensors, JSON, and vectors of probabilities."""

import json
import pickle
import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import IO, Any

from evalcore.readers.child.tasks import Refusal

EXPORTS = {
    "spans": "marks stretches of texts, such as names of people, as annotation tools export them. Evalcore compares "
    'labels row by row: write one row per token with the columns "token", "true_label" and "predicted_label", or one '
    "row per text with the labels of both sides, and open that.",
    "boxes": "marks boxes or outlines in pictures, as annotation tools and detectors export them. Evalcore compares "
    "labels and masks. For classes: match the boxes of both sides (for example at an IoU of 0.5 or more) and write one "
    'row per box with the columns "true_label", "predicted_label" and "score". For areas: open the actual and the '
    "predicted masks as pictures.",
}
"""Why a file of annotations is refused, and what to make of it."""

# Fields in which an answer of Elasticsearch describes itself.
_OF_ANSWERS = frozenset(
    "took timed_out terminated_early num_reduce_phases status hits responses details metric_score unrated_docs "
    "_shards _scroll_id pit_id _clusters".split()
)

_OFFSETS = ({"start", "end"}, {"start_offset", "end_offset"})
_BOXES = ("rectanglelabels", "polygonlabels", "keypointlabels", "brushlabels", "ellipselabels")


def records_of(content: Any) -> list[dict[str, Any]] | None:
    """Convert an export to rows; None if the file is no export.

    Raises Refusal if it marks stretches of texts or boxes in pictures, which are no rows.

    >>> records_of({"hits": {"hits": [{"_id": "d7", "_score": 2.5}]}})
    [{'query': '1', '_id': 'd7', '_score': 2.5}]
    >>> task = {"data": {"text": "Fine."}, "annotations": [{"result": [{"value": {"choices": ["good"]}}]}]}
    >>> records_of([task])
    [{'data': {'text': 'Fine.'}, 'human_label': 'good'}]
    """
    if hits := [record for query, answer in _answers(content) for record in _hits(query, answer)]:
        return hits
    if isinstance(content, dict):
        boxes = isinstance(content.get("images"), list) and isinstance(content.get("annotations"), list)
        if boxes and "categories" in content:
            raise Refusal("export", "boxes")
        return None
    if not isinstance(content, list) or not content:
        return None
    if all(isinstance(one, list) and len(one) == 2 and _marks_texts(one[1]) for one in content):
        raise Refusal("export", "spans")
    if not all(isinstance(one, dict) for one in content):
        return None
    if any("bbox" in one and "category_id" in one for one in content[:1]):
        raise Refusal("export", "boxes")
    if all(isinstance(one.get("annotations"), list) and isinstance(one.get("data"), dict) for one in content):
        return [_labelled_task(one) for one in content]
    is_answered = all(one.get("answer") in ("accept", "reject", "ignore") and "_task_hash" in one for one in content)
    if is_answered and all(isinstance(one.get("label"), str) or "options" in one for one in content):
        return list(map(_answered, content))
    if any(map(_marks_texts, content)) and not any("pred" in key or key == "score" for one in content for key in one):
        raise Refusal("export", "spans")
    return None


def _answers(content: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each answer of a search engine with the name of its query, or its number."""
    if isinstance(content, dict):
        if isinstance(content.get("responses"), list):
            content = content["responses"]
        elif isinstance(content.get("details"), dict):  # of its evaluation of rankings
            content = content["details"]
        elif isinstance(content.get("hits"), dict):
            content = [content]
    named = content.items() if isinstance(content, dict) else enumerate(content, 1) if isinstance(content, list) else ()
    for query, answer in named:
        if isinstance(answer, dict):
            yield str(query), answer


def _hits(query: str, answer: dict[str, Any]) -> list[dict[str, Any]]:
    """List a record per hit, with the fields beside the hits, such as the text of the query."""
    hits = answer["hits"].get("hits") if isinstance(answer.get("hits"), dict) else answer.get("hits")
    if not isinstance(hits, list) or not all(isinstance(hit, dict) for hit in hits):
        return []
    if not all(isinstance(own := hit.get("hit", hit), dict) and "_id" in own for hit in hits):
        return []
    beside = {key: value for key, value in answer.items() if key not in _OF_ANSWERS}
    beside = {key: value for key, value in beside.items() if isinstance(value, (str, int))} or {"query": query}
    records = []
    for place, hit in enumerate(hits, 1):
        record = {**beside, **hit.get("hit", {}), **{key: value for key, value in hit.items() if key != "hit"}}
        # Sorted by a field, hits have no score: their order is the ranking.
        records.append(record if record.get("_score") is not None else {**record, "rank": place})
    return records


def _marks_texts(record: Any) -> bool:
    """Whether a record marks stretches of its text, as Doccano, Prodigy and spaCy write them."""
    if not isinstance(record, dict):
        return False
    for key in ("label", "labels", "entities", "spans"):
        marks = record.get(key)
        if isinstance(marks, list) and marks:
            first = marks[0]
            if isinstance(first, dict) and any(offsets <= first.keys() for offsets in _OFFSETS):
                return True
            if isinstance(first, list) and len(first) == 3 and isinstance(first[2], str):
                return all(isinstance(place, int) for place in first[:2])
    return False


def _labelled_task(task: dict[str, Any]) -> dict[str, Any]:
    """Convert a task of Label Studio to a row with people's choices and models' predictions."""
    record = {key: value for key, value in task.items() if key in ("id", "data", "meta")}
    people = [one for one in task["annotations"] if isinstance(one, dict) and not one.get("was_cancelled")]
    people.sort(key=lambda one: not one.get("ground_truth"))
    models = task.get("predictions")
    models = [one for one in models if isinstance(one, dict)] if isinstance(models, list) else []
    for word, sides in (("human_label", people), ("prediction", models)):
        for place, side in enumerate(sides, 1):
            version = side.get("model_version") if len(models) > 1 and side in models else None
            end = f" {version or place}" if version or place > 1 else ""
            record |= {f"{word}{asked}{end}": chosen for asked, chosen in _choices(side.get("result"))}
            if word == "prediction" and isinstance(side.get("score"), float):
                record[f"confidence{end}"] = side["score"]
    return record


def _choices(results: Any) -> Iterator[tuple[str, Any]]:
    """Return the chosen labels, under the name of the question if there are several."""
    values: dict[str, Any] = {}
    for result in results if isinstance(results, list) else ():
        value = result.get("value") if isinstance(result, dict) else None
        if not isinstance(value, dict):
            continue
        if value.keys() & {*_BOXES}:
            raise Refusal("export", "boxes")
        if "labels" in value and "start" in value:
            raise Refusal("export", "spans")
        if (chosen := value.get("choices", value.get("rating", value.get("number")))) is not None:
            values[str(result.get("from_name", ""))] = _only(chosen)
    for asked, chosen in values.items():
        yield f" {asked}" if len(values) > 1 else "", chosen


def _only(chosen: Any) -> Any:
    """Return the choice itself if there is only one, else the list."""
    return chosen[0] if isinstance(chosen, list) and len(chosen) == 1 else chosen


def _answered(record: dict[str, Any]) -> dict[str, Any]:
    """A record of Prodigy: whether a person accepts a label with its score, or which options the person chose."""
    own = {key: value for key, value in record.items() if not key.startswith("_") and key not in ("answer", "options")}
    if isinstance(own.get("meta"), dict) and "score" in own:
        own["meta"] = {key: value for key, value in own["meta"].items() if key != "score"}  # the same, rounded
    if isinstance(record.get("options"), list):
        accepted = own.pop("accept", None) if record["answer"] == "accept" else None
        return {**own, "human_label": _only(accepted)}
    return {**own, "actual": None if record["answer"] == "ignore" else record["answer"]}


MOST_PARTS = 500  # classes of one cell; a longer list is an embedding
_NEAR_ONE, _LONGEST = 0.02, 1 << 16
_LABELS, _SCORES = ("label", "class", "name"), ("score", "probability", "prob", "confidence")
_NUMPY = re.compile(r"\b(?:np|numpy)\.\w+\(([^()]*)\)|\b(?:array|DenseVector)\((\[[^\]]*\])[^)]*\)")
_SPARSE = re.compile(r"(?:SparseVector)?\((\d+),\s*\[([^\]]*)\],\s*\[([^\]]*)\]\)")


def class_numbers(cell: Any) -> tuple[dict[str, float], bool] | None:
    """The number of each class in a cell, and whether the cell names the classes, which are else counted from 0.

    >>> class_numbers([{"label": "ill", "score": 0.9}, {"label": "well", "score": 0.1}])
    ({'ill': 0.9, 'well': 0.1}, True)
    >>> class_numbers({"type": 0, "size": 3, "indices": [0, 2], "values": [0.25, 0.75]})
    ({'0': 0.25, '1': 0.0, '2': 0.75}, False)
    """
    if isinstance(cell, list) and len(cell) == 1 and isinstance(cell[0], list):
        cell = cell[0]
    if isinstance(cell, dict) and isinstance(cell.get("values"), list):
        cell = _dense(cell)
    if isinstance(cell, (list, tuple)) and cell and len(cell) <= MOST_PARTS:
        if all(isinstance(one, dict) for one in cell):
            return _labelled(cell)
        if all(map(_is_number, cell)):
            return {str(place): float(number) for place, number in enumerate(cell)}, False
    if isinstance(cell, dict) and 1 < len(cell) <= MOST_PARTS and all(map(_is_number, cell.values())):
        return {str(name): float(number) for name, number in cell.items()}, True
    return None


def are_probabilities(numbers: Mapping[str, float]) -> bool:
    """Whether at least two numbers add up to 1, up to rounding.

    >>> are_probabilities({"a": 0.33, "b": 0.33, "c": 0.33}), are_probabilities({"a": 3.0, "b": -2.0})
    (True, False)
    """
    values = numbers.values()
    return len(values) > 1 and min(values) >= 0 and abs(sum(values) - 1) <= _NEAR_ONE


def is_vector(cell: Any) -> bool:
    """Whether a cell holds labels with their scores, or probabilities of classes."""
    read = class_numbers(cell)
    return read is not None and (are_probabilities(read[0]) or (isinstance(cell, list) and read[1]))


def parsed_cell(text: str) -> Any:
    """Parse a cell printed by JSON, Python, NumPy or Spark; None if it is no list or object.

    >>> parsed_cell("[0.1 0.9]"), parsed_cell("(3,[0],[1.0])"), parsed_cell("[{'label': 'a', 'score': 1.0}]")
    ([0.1, 0.9], [1.0, 0.0, 0.0], [{'label': 'a', 'score': 1.0}])
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if sparse := _SPARSE.fullmatch(text):
        size, places, values = int(sparse[1]), *(sparse[part].split(",") for part in (2, 3))
        try:
            return _dense({"size": size, "indices": [int(i) for i in places], "values": [float(v) for v in values]})
        except ValueError:
            return None
    text = _NUMPY.sub(lambda match: match[1] or match[2] or "", text)
    if text[:1] not in ("[", "{"):
        return None
    for form in (text, text.replace("'", '"')):
        try:
            return json.loads(form)
        except (ValueError, RecursionError):
            continue
    try:
        return [float(number) for number in text.strip("[]").split()]
    except ValueError:
        pass
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def parsed_cells(cells: Sequence[str | None]) -> list[Any]:
    """`parsed_cell` of many cells: at once where all are written as the first one is, which is ten times faster.

    >>> parsed_cells(["[1. 0.]", None, "[0.5 0.5]"])
    [[1.0, 0.0], None, [0.5, 0.5]]
    """
    first = next((cell for cell in cells if cell is not None), "")
    for write in _WRITINGS:
        try:
            if parsed_cell(first) != json.loads(write(first)):
                continue
            read = json.loads(f"[{','.join('null' if cell is None else write(cell) for cell in cells)}]")
        except (ValueError, RecursionError):
            continue
        if len(read) == len(cells):
            return read
    return [None if cell is None else parsed_cell(cell) for cell in cells]


_BARE_POINT = re.compile(r"\.(?=,|$)")
_WRITINGS: tuple[Callable[[str], str], ...] = (
    str,  # as JSON has it
    lambda text: text.replace("'", '"'),  # as Python prints texts
    # as NumPy prints numbers
    lambda text: f"[{_BARE_POINT.sub('.0', ','.join(text.strip().strip('[]').split()))}]",
)


def _dense(cell: Mapping[str, Any]) -> list[Any] | None:
    """The numbers of a vector of Spark, with the zeros that a sparse one leaves out."""
    values, places, size = cell["values"], cell.get("indices"), cell.get("size")
    if not places and cell.get("type") != 0:
        return values
    if not isinstance(size, int) or not 0 < size <= MOST_PARTS or len(places or ()) != len(values):
        return None
    dense = [0.0] * size
    for place, value in zip(places or (), values, strict=True):
        if not isinstance(place, int) or not 0 <= place < size:
            return None
        dense[place] = value
    return dense


def _labelled(cell: Any) -> tuple[dict[str, float], bool] | None:
    """A list of labels, each with its score."""
    names = [next((one[key] for key in _LABELS if key in one), None) for one in cell]
    scores = [next((one[key] for key in _SCORES if key in one), None) for one in cell]
    if None in names or not all(map(_is_number, scores)) or len({*map(str, names)}) < len(names):
        return None
    return {str(name): float(score) for name, score in zip(names, scores, strict=True)}, True  # type: ignore[arg-type]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


MOST_SHEETS = 200

# Reading takes a few millionths of a second per cell, with those of the empty rectangle around them.
MOST_CELLS = 8_000_000
_MOST_MERGED = 100_000


def workbook_cells(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The titles of the sheets with a table and the most columns of any; then of each sheet its rows and columns."""
    from python_calamine import CalamineWorkbook, SheetTypeEnum

    try:
        book = CalamineWorkbook.from_filelike(file)
        titles = [sheet.name for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
    except Exception as error:
        protected = any(word in str(error).lower() for word in ("password", "encrypt"))
        raise Refusal("password" if protected else "damaged") from error
    if len(titles) > MOST_SHEETS:
        raise Refusal("sheets")
    tables: dict[str, tuple[list[int], list[list[Any]]]] = {}
    widest, total = 0, 0
    for title in titles:
        sheet = book.get_sheet_by_name(title)
        if (total := total + sheet.height * sheet.width) > MOST_CELLS:
            raise Refusal("damaged")
        rows, start = sheet.to_python(), sheet.start or (0, 0)
        _fill_merged(rows, start, sheet.merged_cell_ranges or [])
        numbers, columns = _filled(rows, start[0])
        widest = max(widest, len(columns))
        if len(numbers) > 1 and len(columns) > 1:
            tables[title] = numbers, columns
    pickle.dump((list(tables), widest), answer, protocol=pickle.HIGHEST_PROTOCOL)
    for table in tables.values():
        pickle.dump(table, answer, protocol=pickle.HIGHEST_PROTOCOL)


def _fill_merged(rows: list[list[Any]], start: tuple[int, int], merged: list[Any]) -> None:
    for (top, left), (bottom, right) in merged[:_MOST_MERGED]:
        if top < bottom and top >= start[0] and left >= start[1]:  # a title over several columns stays one cell
            value = rows[top - start[0]][left - start[1]]
            for row in rows[top - start[0] : bottom - start[0] + 1]:
                row[left - start[1] : right - start[1] + 1] = [value] * len(row[left - start[1] : right - start[1] + 1])


def _filled(rows: list[list[Any]], first: int) -> tuple[list[int], list[list[Any]]]:
    """The numbers of the rows that are not empty, and the cells of the columns that are not empty."""
    numbers = [number for number, row in enumerate(rows) if any(map(is_full, row))]
    columns = zip(*(rows[number] for number in numbers), strict=True)
    filled = [list(map(_plain, column)) for column in columns if any(map(is_full, column))]
    return [first + number for number in numbers], filled


def is_full(cell: Any) -> bool:
    """Whether a cell is not empty."""
    return bool(cell.strip()) if isinstance(cell, str) else cell == cell and cell is not None


def _plain(cell: Any) -> Any:
    """A whole number as one, and a day as the moment at which it begins."""
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() else cell
    if isinstance(cell, date) and not isinstance(cell, datetime):
        return datetime(cell.year, cell.month, cell.day)
    return cell
