"""The open data set: which one the address names, with the roles and the system chosen for it."""

from collections.abc import Callable, Collection
from contextlib import suppress
from functools import lru_cache
from typing import TypeVar

import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import STATES, DataSet, Entry, ReadProblem, Roles, Sample, opening_steps, read_sample, samples
from pages.widgets.session import address
from pages.widgets.session.visitor import has_key, owner, workspace

_OPENED_HERE, _ANSWER = "opened here", "opened answer"
_LOADED: set[str] = set()  # the ids of the uploads that are cached


def opened() -> Source | None:
    """The open data set, or None where the address names none or one that cannot be opened."""
    if not (data := address.text("data")):
        address.refuse("data")
        return None
    if data in _LOADED and not workspace().holds(data):  # deleted meanwhile, perhaps by another server of the folder
        forget(data)
    # A run asks many times, and much is looked up for an answer, which stays until `let_go`.
    judged, asked = address.judged("data", "shape", "roles", "system")
    answer = st.session_state.get(_ANSWER)
    if answer is None or answer[0] is not judged or answer[1] != asked:
        answer = st.session_state[_ANSWER] = judged, asked, _find(data)
    return answer[2]


def let_go() -> None:
    """Keep no table for a visitor between two runs; what draws the mark at the end of a run calls it."""
    st.session_state.pop(_ANSWER, None)


def _find(data: str) -> Source | None:
    try:
        shape, roles = address.text("shape"), address.text("roles")
        dataset, detected_roles, title, as_in_file = _with_roles(data, shape, roles)
        if as_in_file:
            address.refuse("shape")
        if dataset.roles == detected_roles:
            address.refuse("roles")
        system = address.choice("system", dataset.systems, dataset.first_system)
        current = _source(data, title, shape, roles, system, detected_roles)
    except ReadProblem:
        return None
    if not current.has_labels:  # left from the same table with its labels open
        address.refuse("thresholds", "with")
    if data not in samples():
        opened_here().add(data)
    return current


def other_source(data: str) -> Source:
    """Another data set than the open one, to be compared with it, as it was last shaped. May raise ReadProblem."""
    settings = samples()[data].settings if data in samples() else {}
    shape = settings.get("shape") or (None if data in samples() else workspace().shape(data) or None)
    dataset, _, title, _ = _with_roles(data, shape, None)
    return _source(data, title, shape, None, dataset.first_system, dataset.roles)


def _source(data: str, title: str, shape: str | None, roles: str | None, system: str | None, detected: Roles) -> Source:
    shown, tally = (look(data, shape, roles, system) for look in (_with_class, _tally))
    return Source(data, title, shown, system, *tally, detected)


def open_linked(data: str | None) -> None:
    """Give the visitor access to the second upload of a link: an id grants the right to look at its data."""
    if data is not None and data not in samples() and workspace().holds(data):
        opened_here().add(data)


def visible_uploads(kinds: Collection[str] = ()) -> list[Entry]:
    """The stored uploads, of these kinds if named, that the visitor may see: their own, and those opened by a link."""
    everything, visitor, here = has_key(), owner(), opened_here()
    entries = [one for one in workspace().list() if everything or one.owner == visitor or one.id in here]
    return [one for one in entries if not kinds or one.kind in kinds]


def why_closed() -> str | None:
    """Why the data set that the address names is not open; None where it names none."""
    if not (data := address.text("data")):
        return None
    if workspace().holds(data):
        return "The data set of this address is damaged: its stored file cannot be read. Open its file again."
    return "The data set of this address is not here any more: it was deleted, or the link is from another server."


def open_data(data: str) -> None:
    """Open a data set by its id, as it was detected; a sample with the settings of its source. Good as a callback."""
    address.put("data", data)
    address.put("roles", None)  # those of the same data, which is opened anew
    if data not in samples() and (shape := workspace().shape(data)):
        address.put("shape", shape)
    for name, value in samples()[data].settings.items() if data in samples() else ():
        address.put(name, value)
    address.put("shape", opening_steps(entry(data).findings))


def sample_setting(name: str, default: str) -> str:
    """What a setting is at first: of a sample, as its source has it; so that a link to the sample alone shows that."""
    data = address.text("data")
    return samples()[data].settings.get(name, default) if data in samples() else default


def store(dataset: DataSet, file: bytes = b"") -> None:
    """Keep a data set that was just read from a file, and open it. Raises ReadProblem where it cannot be kept."""
    open_kept(keep(dataset, file), dataset)


def keep(dataset: DataSet, file: bytes = b"") -> str:
    """Keep a data set that was just read from a file; its id. Raises ReadProblem where it cannot be kept."""
    return workspace().save(dataset, owner(), file)


def open_kept(data: str, dataset: DataSet) -> None:
    """Open a data set that was just kept, without reading it back."""
    entry(data, dataset)
    open_data(data)


def forget(data: str) -> None:
    """Drop everything cached of a data set that was deleted, and of the others with it, which are read again."""
    opened_here().discard(data)
    let_go()
    _clear()


def forget_deleted() -> None:
    """The same for all that were deleted elsewhere, good outside of a session."""
    with suppress(OSError):  # a folder that cannot be read for a moment has deleted nothing
        if not all(map(workspace().holds, list(_LOADED))):
            _clear()


def opened_here() -> set[str]:
    """The ids of the uploads that were opened in this session, by an upload or a link."""
    return st.session_state.setdefault(_OPENED_HERE, set())


def title_of(data: str) -> str:
    """What to call a data set: the title of a sample, the file name of an upload."""
    return samples()[data].title if data in samples() else entry(data).name


def samples_of(kinds: Collection[str]) -> list[Sample]:
    """The samples of these kinds to start with, in the order of the catalogue."""
    return [sample for sample in samples().values() if sample.kind in kinds and sample.offered]


# A frame is up to hundreds of megabytes: few are kept, for all sessions together, and none is ever hashed.
@st.cache_resource(max_entries=8, show_spinner=False)
def entry(data: str, _read: DataSet | None = None) -> DataSet:
    """The data set as it was read, before any choice of roles. Raises ReadProblem where there is none of this id."""
    if data in samples():
        return read_sample(data)
    dataset = workspace().load(data) if _read is None else _read
    _LOADED.add(data)
    return dataset


def keep_shape(data: str, shape: str) -> None:
    """Keep the shape of an upload, which its owner will open it in."""
    if data not in samples():
        workspace().keep_shape(data, shape, None if has_key() else owner())


@st.cache_resource(max_entries=8, show_spinner="Applying your changes to the table …")
def shaped(data: str, shape: str | None) -> tuple[DataSet, str | None]:
    """The data set in the shape of a link, else as its file was read; and why the shape cannot be used, if so."""
    dataset = entry(data)
    try:
        return dataset if shape is None else dataset.shaped(shape), None
    except ReadProblem as problem:  # a link may be cut or edited
        return dataset, str(problem)


# Each run asks for the next two many times, and Streamlit's cache takes longer to find what it holds than a dict.
@lru_cache(maxsize=16)
def _with_roles(data: str, shape: str | None, roles: str | None) -> tuple[DataSet, Roles, str, bool]:
    """The table, its detected roles and title, and whether it has the shape of its file: one look for many a run."""
    dataset = detected = shaped(data, shape)[0]
    if roles is not None:
        with suppress(ReadProblem):
            dataset = detected.with_roles(roles)
    return dataset, detected.roles, detected.shape.title or title_of(data), detected is entry(data)


@lru_cache(maxsize=16)
def _with_class(data: str, shape: str | None, roles: str | None, system: str | None) -> DataSet:
    return _with_roles(data, shape, roles)[0].with_class_of(system)


@lru_cache(maxsize=256)
def _tally(data: str, shape: str | None, roles: str | None, system: str | None) -> tuple[int, int | None]:
    return _with_class(data, shape, roles, system).tally(system)


def _clear() -> None:
    _LOADED.clear()
    STATES.clear()
    _with_roles.cache_clear()
    _with_class.cache_clear()
    _tally.cache_clear()
    st.cache_data.clear()
    st.cache_resource.clear()


Result = TypeVar("Result")


def cache(make: Callable[..., Result], most: int, spinner: str | bool = False) -> Callable[..., Result]:
    """A function that takes a key, of all that its result depends on, before arguments too large to be compared."""

    def made(key: object, _arguments: tuple) -> Result:
        return make(*_arguments)

    # Streamlit tells caches apart by the name and the text of their function; lambdas may share a name and a line.
    code = make.__code__
    made.__module__, made.__qualname__ = make.__module__, f"{make.__qualname__} {code.co_firstlineno} {code.co_names}"
    cached = st.cache_resource(max_entries=most, show_spinner=spinner)(made)
    # Named arguments, since Streamlit looks up the name of any other at each call.
    return lambda key, *arguments: cached(key=key, _arguments=arguments)
