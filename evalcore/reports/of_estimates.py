"""Chapters of a report about numbers, masks and distributions."""

from dataclasses import replace
from typing import Any

from evalcore import analyses, figures
from evalcore.numeric import Array
from evalcore.readers import EndColumns, ReadProblem
from evalcore.reports.parts import Chapter, Makers, Markup, Part, Picture, ReportSettings, Table, Words, paragraphs
from evalcore.wording import escaped, one_line

_LIGHT = figures.ink(dark=False)


def regression_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on estimates: two figures of the rows, the errors, every measure."""
    estimates = analyses.EstimateRows.of(source)
    regression = analyses.Regression(estimates, replace(settings.errors, level=settings.intervals.level))
    errors, parts = analyses.ErrorDistribution(estimates), []
    for key, shows in (("truth", "Truth against estimate"), ("error", "Error against estimate")):
        if (cloud := analyses.cloud_of(estimates, key)) is not None:
            parts.append(Picture(figures.cloud_figure(cloud, estimates, _LIGHT), shows))
    parts += [
        Picture(figures.error_histogram(errors, _LIGHT), "Histogram of the errors"),
        Picture(figures.quantile_plot(errors, _LIGHT), "Quantiles of the errors over normal ones"),
        Words(errors.verdict),
        Table("Every measure", heads=regression.heads, rows=regression.rows()),
        Words(" ".join([*regression.remarks, regression.interval_note, estimates.notes])),
        _regression_parts(regression, settings),
    ]
    return Chapter.of_page("estimate/regression", regression.verdict, parts)


def _regression_parts(regression: analyses.Regression, chosen: ReportSettings) -> Makers:
    estimates, level = regression.estimates, regression.settings.level
    parts: Makers = {"Bland–Altman": lambda: _agreement(analyses.AgreementLimits(estimates, level))}
    if ends := [EndColumns(*chosen.ends)] if chosen.ends else analyses.IntervalCoverage.found(estimates):
        parts["Prediction intervals"] = lambda: _coverage(analyses.IntervalCoverage(estimates, ends[0], level))
    tolerance = chosen.tolerance or (analyses.Tolerance.usual(estimates), False)
    parts["Decision"] = lambda: _tolerance(analyses.Tolerance(estimates, *tolerance, level))
    others = [name for name in estimates.source.systems if name != estimates.system]
    if others:
        parts["Compare systems"] = lambda: _systems(regression, *(chosen.other_estimates or others[:1]))
    if estimates.source.roles.get("group") is not None:
        groups = analyses.ErrorGroups(estimates, level)
        parts["Groups"] = lambda: [Words(groups.verdict), Table("", dict(groups.table)), Words(groups.note)]
    return parts


def _agreement(agreement: analyses.AgreementLimits) -> list[Part]:
    estimates, limits = agreement.estimates, agreement.limits
    cloud, table = analyses.cloud_of(estimates, "difference"), Table.of(agreement.heads, agreement.rows)
    lines = limits.lower, limits.bias, limits.upper
    pictures = [] if cloud is None else [figures.cloud_figure(cloud, estimates, _LIGHT, None, lines)]
    shows = "Error over the mean of truth and estimate, with the limits of agreement"
    return [*(Picture(one, shows) for one in pictures), Words(agreement.verdict), table, Words(agreement.note)]


def _coverage(coverage: analyses.IntervalCoverage) -> list[Part]:
    parts: list[Part] = [
        Words(coverage.verdict),
        Table.of(coverage.heads, coverage.rows),
        Words(coverage.note),
        Table("From narrow to wide intervals", dict(coverage.by_width)),
    ]
    if coverage.quantiles:
        figure = figures.quantile_reliability(coverage.quantiles, _LIGHT)
        parts += [Picture(figure, "Observed over claimed quantiles"), Words(coverage.quantile_verdict)]
    return parts


def _tolerance(tolerance: analyses.Tolerance) -> list[Part]:
    return [
        Picture(figures.tolerance_figure(tolerance, _LIGHT), "Share of right rows by tolerance"),
        Words(tolerance.verdict),
    ]


def _systems(regression: analyses.Regression, *chosen: str) -> list[Part]:
    source, settings = regression.estimates.source, regression.settings
    comparison = analyses.EstimateComparison(source, regression.estimates.system, *chosen, settings=settings)
    lines = [figures.ForestLine(one, one.heading, one.excludes_none) for one in comparison.main]
    sides = analyses.difference_sides([one.measure for one in comparison.main])
    figure = figures.forest_figure(lines, sides, "difference in the unit of the truth", _LIGHT)
    rows = analyses.difference_rows(comparison.differences, comparison.level, True)
    return [
        *paragraphs(comparison.verdict, comparison.order_verdict),
        Picture(figure, "B minus A; filled: excludes 0", wide=True),
        Table.of(analyses.difference_heads(comparison.level, True), rows),
        Words(comparison.note),
    ]


def overlap_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on masks: the worst images, the means, a line for each image."""
    images = source.dataset.state("mask_images")
    overlap = analyses.Overlap(source, analyses.OverlapSettings(int(images.labels[0]), level=settings.intervals.level))
    worst = "".join(_masks(overlap, image) for image in overlap.order[:_WORST].tolist())
    parts: list[Part] = [
        Markup(f'<h3>Worst images</h3><div class="masks">{worst}</div><p class="small">{_KEY}</p>'),
        Table("Means over the images", heads=overlap.heads, rows=overlap.rows),
        Words(f"Each image counts once. {overlap.empty_note}"),
        Table("Images", dict(overlap.table)),
    ]
    if images.are_probabilities:
        figure = figures.threshold_curve(*overlap.by_threshold, overlap.settings.threshold, _LIGHT)
        parts += [Picture(figure, "Mean Dice by the threshold of the probabilities"), Words(overlap.threshold_note)]
    return Chapter.of_page("estimate/overlap", overlap.verdict, parts)


_WORST = 6
_WORDS = {"tp": "in both masks (TP)", "fp": "predicted only (FP)", "fn": "actual only (FN)"}
_KEY = " · ".join(f'<span style="color:{figures.OUTCOMES[cell]}">■</span> {words}' for cell, words in _WORDS.items())


def _masks(overlap: analyses.Overlap, image: int) -> str:
    name = escaped(one_line(overlap.images.names[image], 60))
    picture = figures.outcome_picture(overlap.outcomes(image), _LIGHT.grid)
    return f'<figure class="mask"><img src="{picture}" alt="{name}"><figcaption>{name}</figcaption></figure>'


def distributions_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on two distributions: their bins with contributions, and every distance."""
    if (two := _distributions(source, settings.distributions)) is None:
        raise ReadProblem("No two columns or groups of this table hold distributions.")
    comparison = analyses.DistributionComparison(two, replace(settings.distances, level=settings.intervals.level))
    edges = two.edges if two.is_number else None
    figure = figures.bins_figure(
        comparison.pair, two.names, two.bins, edges, comparison.terms, comparison.terms_title, _LIGHT
    )
    parts: list[Part | Makers] = [
        Picture(figure, f"Shares of both distributions in {len(two.bins)} bins, and what each bin adds"),
        Words(" ".join(filter(None, [comparison.terms_note, two.facts]))),
        Table("Every measure", heads=comparison.heads, rows=comparison.rows),
        Table("Bins", dict(comparison.bin_table)),
        _distance_parts(analyses.DistanceParts(comparison), edges),
    ]
    return Chapter.of_page("estimate/distributions", comparison.verdict, parts)


def _distributions(source: analyses.Source, recipe: tuple[Any, ...]) -> analyses.TwoDistributions | None:
    if not recipe:
        return analyses.usual_distributions(source)
    make, *parts = recipe
    return getattr(analyses.TwoDistributions, make)(*([] if make == "of_text" else [source]), *parts)


def _distance_parts(parts: analyses.DistanceParts, edges: Array | None) -> Makers:
    comparison, two = parts.comparison, parts.comparison.two

    def mass() -> list[Part]:
        figure = figures.transport_figure(comparison.pair, parts.plan, two.names, two.bins, edges, _LIGHT)
        return [Picture(figure, "The cheapest way to move the mass of P to Q"), Words(parts.plan_note)]

    def bins() -> list[Part]:
        measure = comparison.measure
        exact = None if comparison.state_of(measure.key) is comparison.pair else comparison.value(measure)
        now = len(two.bins), float(measure(comparison.pair))
        figure = figures.by_bins_figure(parts.by_bins, now, exact, f"{measure.symbol}{comparison.unit}", _LIGHT)
        return [Picture(figure, "The measure by the number of bins"), Words(parts.by_bins_note)]

    made: Makers = {"Transport plan": mass}
    if two.samples is not None and two.is_number:
        made["How many bins"] = bins
    return made
