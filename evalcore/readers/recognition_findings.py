"""What recognized roles rest on, where a user may know better."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalcore.readers import column_names as names
from evalcore.readers.class_readings import class_readings
from evalcore.readers.columns import Columns
from evalcore.readers.kinds.estimates import EstimateRoles
from evalcore.readers.kinds.labels import LabelledRoles, LabelRoles
from evalcore.readers.kinds.rankings import RankingRoles
from evalcore.readers.kinds.scores import ScoreRoles
from evalcore.readers.long_tables import long_findings
from evalcore.readers.problems import Finding, Lines, listed, named
from evalcore.readers.recognition import is_identifier, matched_columns
from evalcore.readers.roles import Roles, RowRoles
from evalcore.readers.weight_columns import weight_findings
from evalcore.wording.numbers import count_text

_TIME = re.compile(
    r"^(?:time|duration|t|futime|tte|followup|survival|follow_up)$"
    r"|(?:survival|follow_?up|os|pfs|dfs|rfs|event)_(?:time|days|months|years)|time_to_"
)
_EVENT = re.compile(r"(?:^|_)(?:event|status|death|died|dead|deceased|relapse|recurrence|progression|censor\w*)(?:$|_)")


def recognition_findings(columns: Columns, roles: Roles, lines: Lines) -> list[Finding]:
    """Findings about roles that were recognized, not chosen."""
    findings: list[Finding] = []
    if roles.kind not in ("counts", "run + judgments"):
        findings += [*long_findings(columns, lines), *class_readings(columns, roles)]
    if isinstance(roles, RankingRoles):
        findings += _rated(columns, roles)
    if isinstance(roles, RowRoles) and roles.kind != "unknown":
        findings += weight_findings(columns, roles.weight)
    if isinstance(roles, LabelledRoles):
        pairs = matched_columns(columns)
        findings += _truths(columns, roles, pairs)
        if isinstance(roles, ScoreRoles) and len(pairs) < 2:
            findings += _censored(columns, roles)
            findings += _left_out_scores(columns, roles, pairs.get(roles.actual, ()))
    if isinstance(roles, EstimateRoles) and not names.is_actual(roles.truth):
        sentence = f"No name says which column holds the true values: {named(roles.truth)} is used, the only other "
        sentence += f"numbers beside {listed(roles.estimate, 3)}. Choose others on the Data page if that is wrong."
        findings.append(Finding("info", sentence, len(columns[roles.truth]), roles.truth, code="guessed truth"))
    if isinstance(roles, LabelRoles):
        findings += _truth(columns, roles)
        findings += _numbers_beside(columns, roles)
    return findings


def _rated(columns: Columns, roles: RankingRoles) -> Iterator[Finding]:
    """Say that a rating was taken for a grade, which it is not where it rates the document whatever the query."""
    if re.search(r"^ratings?$", names.simple(roles.grade)):
        sentence = f"Column {named(roles.grade)} is used as the grade of each document for its query. If it rates the "
        sentence += 'document itself, as stars from customers do, choose another column under "Grade".'
        level = "info" if columns[roles.grade].is_whole else "warning"
        yield Finding(level, sentence, len(columns[roles.grade]), roles.grade, code="guessed truth")


def _censored(columns: Columns, roles: ScoreRoles) -> Iterator[Finding]:
    """Say of an event beside the time until it that rows may have been lost before it."""
    others = (c for c in columns if c.is_number and c.name not in roles.score)
    time = next((c for c in others if _TIME.search(names.simple(c.name))), None)
    if time is not None and _EVENT.search(names.simple(roles.actual)):
        sentence = f"Column {named(time.name)} looks like the time to {named(roles.actual)}. Rows that were followed "
        sentence += "for a shorter time may lack the event for that reason, but count as negative here."
        yield Finding("info", sentence, len(time), time.name, code="censored")


def _left_out_scores(columns: Columns, roles: ScoreRoles, own: tuple[str, ...]) -> Iterator[Finding]:
    """Columns of numbers that are not used: features beside scores, or systems, because there are so many."""
    named_scores = [name for name in roles.score if names.is_score(name) or names.is_predicted(name)]
    used = {*roles.score, *roles.predicted, roles.actual, roles.weight, roles.group}
    others = [c for c in columns if c.name not in used and c.is_quantity and not is_identifier(c)]
    count, one = len(others), len(roles.score) == 1
    if set(roles.score) <= {*own} or (named_scores and not any(names.is_score(c.name) for c in others)):
        if count > 2:
            sentence = f"{listed(roles.score, 3)} {'is' if one else 'are'} used as {'the score' if one else 'scores'} "
            sentence += (
                f"because of the {'name' if one else 'names'}; {count_text(count)} other columns of numbers are not."
            )
            yield Finding("info", sentence, count, roles.score[0], code="unused scores")
        return
    count = sum(names.is_score(c.name) for c in others) if named_scores else count
    if count:
        sentence = f"The first {count_text(len(roles.score))} numeric columns are used as scores; "
        sentence += f"{count_text(count)} more {'is' if count == 1 else 'are'} not. "
        sentence += 'If they are systems too, add them on the Data page under "Score columns (one per system)".'
        yield Finding("warning", sentence, count, code="unused scores")


def _truths(columns: Columns, roles: LabelledRoles, pairs: dict[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Say which of several truths is judged, or which of several columns of two labels was taken for the truth."""
    if len(pairs) > 1 and roles.actual in pairs:
        pair = f"{named(roles.actual)} with {named(pairs[roles.actual][0])}"
        sentence = f"The table holds {count_text(len(pairs))} truths, each with a column named alike, such as {pair}. "
        sentence += f"Only {named(roles.actual)} is measured. To measure another, choose it and its column."
        yield Finding("warning", sentence, len(pairs), roles.actual, code="several truths")
    elif isinstance(roles, ScoreRoles) and not names.is_actual(roles.actual) and roles.actual not in pairs:
        used = {roles.actual, roles.group, roles.weight, *roles.predicted}
        others = [
            c.name for c in columns if c.name not in used and c.is_few and c.distinct == 2 and not is_identifier(c)
        ]
        if others:
            sentence = (
                f"No name says which column holds the true labels: {named(roles.actual)} is used, the first with "
            )
            sentence += f'two values; {listed(others, 3)} could be it too. Choose it under "True label".'
            yield Finding("warning", sentence, len(others), roles.actual, code="guessed truth")


def _truth(columns: Columns, roles: LabelRoles) -> Iterator[Finding]:
    """Say which of several alike columns of labels is the truth, where no name says so."""
    if any(map(names.is_predicted, roles.predicted)) or names.is_actual(roles.actual):
        return
    systems = f"{listed(roles.predicted, 3)} as {'the prediction' if len(roles.predicted) == 1 else 'predictions'}"
    sentence = f"No name says which column holds the true labels: {named(roles.actual)} is used as the truth, "
    sentence += f'{systems}. Choose another under "True label" if that is wrong.'
    yield Finding("info", sentence, len(roles.predicted), roles.actual, code="guessed truth")


def _numbers_beside(columns: Columns, roles: LabelRoles) -> Iterator[Finding]:
    """Say which numbers beside predictions of two labels are no scores: the predictions do not come from them."""
    used = {roles.actual, *roles.predicted, roles.weight, roles.group}
    others = [c.name for c in columns if c.name not in used and c.is_quantity and not is_identifier(c)]
    if columns[roles.actual].distinct == 2 and others:
        one = len(others) == 1
        sentence = f"{listed(others, 3)} {'is' if one else 'are'} not used as {'a score' if one else 'scores'}: no "
        sentence += f"threshold of {'it' if one else 'them'} gives {listed(roles.predicted, 2)}, whose labels are "
        sentence += 'compared. To use a column as a score all the same, choose "scores" on the Data page.'
        yield Finding("info", sentence, len(others), others[0], code="unused scores")
