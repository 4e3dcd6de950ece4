import ast
from pathlib import Path

import pandas as pd

from evalcore import readers
from evalcore.analyses import Source
from evalcore.readers import CONCERNS, DataSet, Workspace
from evalcore.readers.dataset import datasets

READERS = Path(readers.__file__).parent
FOLDERS = (READERS, READERS.parent / "engines")
PAGES = Path(__file__).parents[3] / "pages"


def nodes() -> list[ast.AST]:
    files = [file for folder in FOLDERS for file in folder.rglob("*.py")]
    return [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]


def codes_in_use() -> set[str]:
    calls = nodes()
    given = [word.value for node in calls if isinstance(node, ast.Call) for word in node.keywords if word.arg == "code"]
    either = [
        part for value in given for part in ([value.body, value.orelse] if isinstance(value, ast.IfExp) else [value])
    ]
    return {part.value for part in either if isinstance(part, ast.Constant)}


def test_every_code_says_which_pages_it_concerns():
    assert codes_in_use() == set(CONCERNS)


def test_every_finding_has_a_code():
    made = [node for node in nodes() if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding"]
    without = [node for node in made if "code" not in {word.arg for word in node.keywords}]
    assert len(made) > 50
    assert [ast.unparse(node) for node in without if "part.get('code'" not in ast.unparse(node)] == []


def test_a_finding_concerns_pages_that_exist():
    pages = {page for pages in CONCERNS.values() for page in pages}
    assert all((PAGES / f"{page}.py").exists() for page in pages)


def spelt() -> DataSet:
    frame = pd.DataFrame({"actual": ["Yes", "yes", "no", "no"] * 3, "a": [0.5] * 12, "b": [0.4, 0.1, 0.3, 0.2] * 3})
    return DataSet.of(frame).with_roles("actual~actual~~score~a~b~~positive~yes")


def test_a_page_repeats_the_warnings_that_change_its_numbers():
    a, b = (Source.of(spelt(), system) for system in "ab")
    assert a.warning_count
    on_curves = a.warning_lines("classify/curves", most=9)
    assert any("differ only in case" in line for line in on_curves)
    assert any("are equal" in line for line in on_curves)
    assert all(line.count("[What it means](measures?measure=message-") == 1 for line in on_curves)
    assert not any("are equal" in line for line in b.warning_lines("classify/curves", most=9))
    assert any("are equal" in line for line in b.warning_lines("classify/compare", most=9))
    assert not a.warning_lines("start/data")


def test_of_many_warnings_a_page_repeats_the_first_and_counts_the_rest():
    lines = Source.of(spelt(), "a").warning_lines("classify/curves", most=1)
    assert len(lines) == 1
    assert "more warning" in lines[0]


def test_a_warning_that_only_the_filter_causes_says_so_and_no_filter_turns_the_matrix():
    frame = pd.DataFrame({"truth": list("aabbcc") * 9, "pred": list("aabbca") * 9, "n": range(54)})
    frame.loc[0, "pred"] = None
    data = DataSet.of(frame).with_roles("actual~truth~~predicted~pred")
    filtered = Source.of(data.shaped("rename~n~place~~only~truth~a~~range~place~0~*"))
    of_code = {one.code: one for one in filtered.findings}
    assert of_code["one class"].sentence.startswith('Only in the filtered rows: Column "truth" holds only one class')
    assert (of_code["one class"].by_filter, of_code["missing"].by_filter) == (True, False)
    assert any(line.startswith("Only in the filtered rows") for line in filtered.warning_lines("classify/classes"))
    two = Source.of(data.shaped("leave~truth~c"))
    assert [one.actual_in_rows for one in (Source.of(data), two, filtered)] == [True, True, True]
    assert two.dataset.first_page == "classify/classes"
    merged = Source.of(data.shaped("merge~truth,pred~c~b~~leave~pred~x"))
    assert not merged.actual_in_rows
    assert not any(one.by_filter for one in (*Source.of(data).findings, *merged.findings))


def test_guessed_roles_are_guessed_under_a_filter_too():
    frame = pd.DataFrame(
        {"a": [0, 1, 1] * 20, "b": [1, 0] * 30, "x": range(60), "region": ["north", "south", "east"] * 20}
    )
    data = DataSet.of(frame)
    guesses = lambda data: [one for one in Source.of(data).findings if one.code == "guessed truth"]  # noqa: E731
    assert guesses(data.shaped("range~x~9~*")) == guesses(data) != []
    assert guesses(data.shaped("range~x~9~*").with_roles("actual~b~~score~x~~positive~1")) == []


def test_stored_findings_keep_their_codes_and_older_ones_load_without(tmp_path, monkeypatch):
    workspace, data = Workspace(tmp_path, 10**9), spelt()
    assert [one.code for one in workspace.load(workspace.save(data)).findings] == [one.code for one in data.findings]
    without = lambda one: {key: value for key, value in vars(one).items() if key != "code"}  # noqa: E731
    monkeypatch.setattr(datasets, "asdict", lambda one: without(one) if hasattr(one, "sentence") else vars(one))
    assert {one.code for one in workspace.load(workspace.save(data)).findings} == {""}
