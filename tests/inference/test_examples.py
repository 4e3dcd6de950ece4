"""Small examples of inference whose results can be checked by hand or against the literature."""

import doctest

import numpy as np

import evalcore
from evalcore import classification, estimation, inference


def test_small_examples() -> None:
    known = vars(classification) | vars(estimation) | vars(inference) | {"np": np, "find": evalcore.find}
    run = doctest.testfile("examples.md", globs=known, optionflags=doctest.ELLIPSIS, encoding="utf-8")
    assert run.attempted > 100
    assert not run.failed
