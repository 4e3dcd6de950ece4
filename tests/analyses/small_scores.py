"""Scores for tests of analyses: of a sample, of any data set, or of a few rows."""

import html
from dataclasses import replace

import pandas as pd

from evalcore.analyses import Scores, Source
from evalcore.readers import DataSet, read_sample, roles_of, samples


def scores_of(data: str | DataSet, system: str | None = None, **roles: object) -> Scores:
    """The scores of a sample or of a data set, with some of its roles changed."""
    dataset = read_sample(data) if isinstance(data, str) else data
    dataset = dataset.with_roles(replace(dataset.roles, **roles)) if roles else dataset
    source = Source.of(dataset, system)
    source = replace(source, id=data, title=samples()[data].title) if isinstance(data, str) else source
    return Scores.of(source, source.system)


def small_table(labels: list[int], scores: list[float], names: tuple[str, str] = ("ill", "well"), **roles) -> DataSet:
    """A table of scores; `weights`, like `groups`, becomes a column of its own."""
    columns = {role: roles.pop(f"{role}s") for role in ("weight", "group") if f"{role}s" in roles}
    frame = pd.DataFrame({"actual": [names[0] if label else names[1] for label in labels], "score": scores} | columns)
    asked = roles_of(actual="actual", score=("score",), positive=names[0], **{role: role for role in columns}, **roles)
    return DataSet.of(frame, "x.csv", roles=asked)


def small_scores(labels: list[int], scores: list[float], names: tuple[str, str] = ("ill", "well"), **roles) -> Scores:
    """The scores of a few rows."""
    return scores_of(small_table(labels, scores, names, **roles))


def one_class(label: int) -> Scores:
    """Two scored rows of one class; the only row of the other class has no score."""
    return small_scores([label, label, 1 - label], [0.2, 0.7, float("nan")])


def plain_text(text: str) -> str:
    """A sentence without bold marks, escapes and narrow blanks."""

    return html.unescape(text).replace("\u202f", "").replace("**", "").replace("\u2060", "")
