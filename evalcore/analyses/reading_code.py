"""Python that reads a data set as it was opened: the first lines of every exported script."""

from collections.abc import Mapping

from evalcore.readers import DataSet, Roles, Unloaded, files_of, samples
from evalcore.readers.formats import FORMATS

__all__: list[str] = []


def reading_code(source_id: str, dataset: DataSet, detected: Roles | None) -> str:
    """Python that reads a data set into ``data``, with the roles that were chosen instead of those detected."""
    file = dataset.unshaped
    is_table = any(file.name.lower().endswith(form.endings) for form in FORMATS)
    pictures = dataset.kind == "masks" and not is_table
    if source_id in samples():
        lines = ["from evalcore.readers.samples import read_sample", "", f"data = read_sample({source_id!r})"]
    elif file.unloaded is not None:
        lines = _reaching(file, file.unloaded)
    elif pictures and not file.name.endswith(".zip"):
        lines = ["from pathlib import Path", "", "from evalcore.readers import read_masks", ""]
        lines += ["# Put the actual and the predicted masks, or a zip of each, into two folders beside this script."]
        lines += ["sides = [list(Path(folder).iterdir()) for folder in ('actual', 'predicted')]"]
        lines += ["data = read_masks(*({path.name: path.read_bytes() for path in side} for side in sides))"]
    elif files := (file.name,) if pictures else files_of(file):
        lines = ["from pathlib import Path", "", "from evalcore.readers import read_files", ""]
        lines += [f"files = {files!r}", "data = read_files({name: Path(name).read_bytes() for name in files})"]
    elif file.joined:
        lines = _joining(file)
    else:
        given = file.lines.origin.arguments() if file.lines.origin else {}
        lines = ["from evalcore.readers import read_table", "", f"data = {_reading(file.name, given)}"]
    if faces := file.face_files:
        lines = ["from pathlib import Path", "", "from evalcore.readers import add_faces", "", *lines]
        lines.append(f"data = add_faces(data, {{name: Path(name).read_bytes() for name in {faces!r}}})")
    if dataset.shape.steps:
        lines.append(f"data = data.shaped({dataset.shape.to_text()!r})")
    text = dataset.roles.to_text()
    if detected is not None and text != detected.to_text():
        lines.append(f"data = data.with_roles({text!r})")
    return "\n".join(lines)


def _reaching(file: DataSet, unloaded: Unloaded) -> list[str]:
    """Python that opens a table which is not loaded, and reads its first rows or counts all."""
    if unloaded.judged:
        return _ranking(file, unloaded)
    address = file.name if unloaded.way == "upload" else unloaded.address
    if unloaded.way == "connection":
        lines = [*_connecting(address, "first_rows, summary_dataset"), f"stored = tables.open({unloaded.table!r})"]
    else:
        lines = ["from evalcore.engines import first_rows, open_stored, summary_dataset", ""]
        lines += [f"stored = {_opening(address, unloaded.table)}"]
    lines.append("data = first_rows(stored)")
    if unloaded.is_counted:
        counted = f"{unloaded.system!r}, stored.name" if unloaded.system else "name=stored.name"
        lines.append(f"data = summary_dataset(stored.frame, data.with_roles({unloaded.roles!r}).roles, {counted})")
    return lines


def _ranking(file: DataSet, unloaded: Unloaded) -> list[str]:
    """Python that opens runs and judgments which are not loaded, and ranks and joins them."""
    arguments = {"name": file.name, **unloaded.judged}
    places = (unloaded.address, unloaded.table), (arguments.pop("address"), arguments.pop("table", None))
    if unloaded.way == "connection":
        lines = _connecting(unloaded.address, "ranked_dataset")
        run, judged = (f"tables.open({table!r})" for _, table in places)
    else:
        lines = ["from evalcore.engines import open_stored, ranked_dataset", ""]
        run, judged = (_opening(*place) for place in places)
    given = ", ".join(f"{word}={value!r}" for word, value in arguments.items())
    return [*lines, f"run = {run}", f"judged = {judged}", f"data = ranked_dataset(run, judged, {given})"]


def _connecting(name: str, imports: str) -> list[str]:
    """Python that has the tables of a connection of Streamlit's secrets."""
    return [
        *("import tomllib", "from pathlib import Path", "", f"from evalcore.engines import connected, {imports}", ""),
        "# The connection is the one of Streamlit's secrets: put such a file beside this script.",
        'secrets = tomllib.loads(Path(".streamlit/secrets.toml").read_text(encoding="utf-8"))',
        f'tables = connected(secrets["connections"][{name!r}], {name!r}).tables()',
    ]


def _opening(address: str, table: str | None) -> str:
    """The call that opens a file, a folder or a table of a database which is not loaded."""
    return f"open_stored({address!r}{'' if table is None else f', {table!r}'})"


def _joining(dataset: DataSet) -> list[str]:
    """Python that reads and joins files as a user did: some at first, and perhaps more later."""
    lines = ["from evalcore.readers import join_tables, read_table", ""]
    for number, stage in enumerate(dataset.joined):
        given = {name: {word: value for file, word, value in dataset.joined_with if file == name} for name, _ in stage}
        tables = [_reading(name, options) for name, options in given.items()]
        keys = dict(stage if number else stage[1:])
        lines.append(f"data = join_tables([{', '.join(['data'] * bool(number) + tables)}], {keys!r})")
    return lines


def _reading(name: str, given: Mapping[str, object]) -> str:
    """The call that reads a file with the arguments given."""
    return f"read_table({', '.join([repr(name), *(f'{word}={value!r}' for word, value in given.items())])})"
