"""Garbage and deleted data sets: the server collects when nobody waits, and servers of one folder agree."""

import asyncio
import gc
import weakref
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import streamlit as st

from pages.widgets.session import server as housekeeping
from pages.widgets.session.current_dataset import entry, forget_deleted
from pages.widgets.session.visitor import workspace
from tests.browser.server import serving
from tests.client import run, visiting
from tests.pages.uploads import stored

ROWS = "actual,score\n" + "".join(f"{('ill', 'well')[row % 3 > 0]},{row / 50}\n" for row in range(50))


class Node:
    """Something that only the collector can free."""

    def __init__(self) -> None:
        self.ring = self


def test_streamlit_does_not_collect_after_every_run() -> None:
    assert st.get_option("runner.postScriptGC") is False


def test_a_rest_collects_what_was_frozen_and_freezes_what_lives() -> None:
    node = Node()
    gone = weakref.ref(node)
    gc.freeze()
    del node
    gc.collect()
    assert gone() is not None
    housekeeping.rest()
    assert gone() is None
    assert gc.get_freeze_count() > len(gc.get_objects())


def test_it_rests_when_it_has_been_quiet_and_where_it_never_is(monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy spell, some quiet looks, and a spell that lasts longer than it may.
    counts = iter([0, 50, 100, *[101] * 30, *range(150, 150 + 50 * 130, 50)])
    now, rests = [-1], []

    async def look(_: float) -> None:
        now[0] += 1

    def collections() -> list[dict[str, int]]:
        return [{"collections": next(counts)}]

    monkeypatch.setattr(asyncio, "sleep", look)
    monkeypatch.setattr(gc, "get_stats", collections)
    monkeypatch.setattr(housekeeping, "rest", lambda: rests.append(now[0]))
    with pytest.raises((StopIteration, RuntimeError)):
        run(housekeeping.keep_house())
    assert rests == [8, 28, 32 + housekeeping.BUSY]


def test_a_data_set_deleted_elsewhere_leaves_the_caches() -> None:
    forget_deleted()  # what other tests have left
    data = stored("actual,score\nill,0.9\nwell,0.2\n")
    gone = weakref.ref(entry(data))
    forget_deleted()
    assert gone() is not None
    workspace().delete(data)
    forget_deleted()
    gc.collect()
    assert gone() is None


def test_two_servers_share_a_folder(tmp_path: Path) -> None:
    """Uploaded on one and opened on the other; deleted on one, and gone on the other."""
    folders = tmp_path / "first", tmp_path / "second"
    for folder in folders:
        folder.mkdir()
    shared = str(tmp_path / "workspace")

    async def visit(one: str, other: str) -> None:
        async with visiting(one) as here, visiting(other) as there:
            await here.open("data")
            await here.upload("upload data", {"mine.csv": ROWS.encode()})
            await there.open("threshold", here.query)
            assert there.shows("mine.csv")
            there.widget("threshold_view")
            await here.click(f"delete {parse_qs(here.query)['data'][0]}")
            await there.open("threshold", there.query)
            assert there.shows("not here any more")
            with pytest.raises(LookupError):
                there.widget("threshold_view")

    with serving(folders[0], EVALCORE_WORKSPACE=shared) as one, serving(folders[1], EVALCORE_WORKSPACE=shared) as other:
        run(visit(one, other))
