"""Where the files of this folder are read: here, because starting a child takes longer than reading any of them."""

from collections.abc import Iterator

import pytest

from evalcore.readers.files import columnar

BY_CHILDREN = ("test_fuzz", "test_json_and_arrow", "test_large_files", "test_limits", "test_other_systems")
"""Their files could do harm, or what they test is the children themselves, who read Arrow's formats without NumPy."""


@pytest.fixture(scope="module", autouse=True)
def read_here(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columnar, "is_child", request.path.stem not in BY_CHILDREN)
        yield
