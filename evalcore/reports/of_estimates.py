"""Chapters of a report about numbers, masks and distributions."""

import html

from evalcore.analyses import (
    BinChoice,
    DistanceSettings,
    DistributionComparison,
    ErrorDistribution,
    ErrorSettings,
    EstimateRows,
    Overlap,
    OverlapSettings,
    Regression,
    Source,
    TwoDistributions,
    cloud_of,
    column_options,
    ways_to_compare,
)
from evalcore.figures import OUTCOMES, bins_figure, cloud_figure, error_histogram, ink, outcome_picture, quantile_plot
from evalcore.readers import ReadProblem, comparable_columns, group_names, grouping_columns, text_of
from evalcore.reports.parts import Chapter, Markup, Part, Picture, ReportSettings, Table, Words
from evalcore.wording import one_line

_LIGHT = ink(dark=False)


def regression_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """How far off the estimates are: two pictures of the rows, the errors, every measure."""
    estimates = EstimateRows.of(source)
    regression = Regression(estimates, ErrorSettings(level=settings.intervals.level))
    errors, parts = ErrorDistribution(estimates), []
    for key, shows in (("truth", "Truth against estimate"), ("error", "Error against estimate")):
        if (cloud := cloud_of(estimates, key)) is not None:
            parts.append(Picture(cloud_figure(cloud, estimates, _LIGHT), shows))
    parts += [
        Picture(error_histogram(errors, _LIGHT), "Histogram of the errors"),
        Picture(quantile_plot(errors, _LIGHT), "Quantiles of the errors over normal ones"),
        Words(errors.verdict),
        Table("Every measure", heads=regression.heads, rows=regression.rows()),
        Words(" ".join([*regression.remarks, regression.interval_note, estimates.notes])),
    ]
    return Chapter("Regression", "How far off is it?", regression.verdict, parts)


def overlap_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """How much masks agree: the worst images, the means, a line for each image."""
    images = source.dataset.state("mask_images")
    overlap = Overlap(source, OverlapSettings(int(images.labels[0]), level=settings.intervals.level))
    worst = "".join(_masks(overlap, image) for image in overlap.order[:_WORST].tolist())
    parts: list[Part] = [
        Markup(f'<h3>Worst images</h3><div class="masks">{worst}</div><p class="small">{_KEY}</p>'),
        Table("Means over the images", heads=overlap.heads, rows=overlap.rows),
        Words(f"Each image counts once. {overlap.empty_note}"),
        Table("Images", dict(overlap.table)),
    ]
    return Chapter("Overlap", "How much do two masks agree?", overlap.verdict, parts)


_WORST = 6
_WORDS = {"tp": "in both masks (TP)", "fp": "predicted only (FP)", "fn": "actual only (FN)"}
_KEY = " · ".join(f'<span style="color:{OUTCOMES[cell]}">■</span> {words}' for cell, words in _WORDS.items())


def _masks(overlap: Overlap, image: int) -> str:
    name = html.escape(one_line(overlap.images.names[image], 60))
    picture = outcome_picture(overlap.outcomes(image), _LIGHT.grid)
    return f'<figure class="mask"><img src="{picture}" alt="{name}"><figcaption>{name}</figcaption></figure>'


def distributions_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """How far apart two distributions are: the bins of both with what each adds, and every measure."""
    two = _two(source)
    comparison = DistributionComparison(two, DistanceSettings(level=settings.intervals.level))
    edges = two.edges if two.is_number else None
    figure = bins_figure(comparison.pair, two.names, two.bins, edges, comparison.terms, comparison.terms_title, _LIGHT)
    parts: list[Part] = [
        Picture(figure, f"Shares of both distributions in {len(two.bins)} bins, and what each bin adds"),
        Words(" ".join(filter(None, [comparison.terms_note, two.facts]))),
        Table("Every measure", heads=comparison.heads, rows=comparison.rows),
        Table("Bins", dict(comparison.bin_table)),
    ]
    return Chapter("Distributions", "How far apart are two distributions?", comparison.verdict, parts)


def _two(source: Source) -> TwoDistributions:
    """The two distributions that the page shows first."""
    way = next(iter(ways_to_compare(source)))
    if way == "typed":
        raise ReadProblem("No two columns or groups of this table hold distributions.")
    if way == "groups":
        splits = grouping_columns(source.dataset)
        by = _first(splits, source.roles.get("actual"), source.roles.get("group"))
        values = [name for name in comparable_columns(source.dataset) if name != by]
        value = _first(values, source.system, source.roles.get("truth"))
        names = group_names(source.dataset, by)
        first = _first(names, text_of(source.positive))
        second = next(name for name in names if name != first)
        return TwoDistributions.of_groups(source, value, by, (first, second), BinChoice())
    first = _first(column_options(source, way), source.roles.get("truth"))
    others = [name for name in column_options(source, way, first) if name != first]
    if not others:
        raise ReadProblem(f"No other column holds the same sort of values as {one_line(first, 40)}.")
    second = _first(others, source.system)
    if way == "counts":
        return TwoDistributions.of_counts(source, first, second, None)
    return TwoDistributions.of_columns(source, first, second, BinChoice())


def _first(options: list[str] | tuple[str, ...], *wanted: object) -> str:
    return next((one for one in wanted if isinstance(one, str) and one in options), options[0])
