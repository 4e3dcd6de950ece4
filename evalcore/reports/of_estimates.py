"""Chapters of a report about numbers, masks and distributions."""

import html

from evalcore.analyses import (
    DistanceSettings,
    DistributionComparison,
    ErrorDistribution,
    ErrorSettings,
    EstimateRows,
    Overlap,
    OverlapSettings,
    Regression,
    Source,
    cloud_of,
    usual_distributions,
)
from evalcore.figures import OUTCOMES, bins_figure, cloud_figure, error_histogram, ink, outcome_picture, quantile_plot
from evalcore.readers import ReadProblem
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
    if (two := usual_distributions(source)) is None:
        raise ReadProblem("No two columns or groups of this table hold distributions.")
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
