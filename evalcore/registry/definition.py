"""Definitions of measures: names, meaning, range, intervals and tests, and source."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

__all__ = ["RETRIEVAL", "MetricDef", "Param"]


REFERENCES = {
    "bamber1975": "D. Bamber (1975). The area above the ordinal dominance graph and the area below the receiver "
    "operating characteristic graph. Journal of Mathematical Psychology 12, 387–415. doi:10.1016/0022-2496(75)90001-2",
    "brier1950": "G. Brier (1950). Verification of forecasts expressed in terms of probability. Monthly Weather Review "
    "78, 1–3. doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
    "brodersen2010": "K. Brodersen, C. S. Ong, K. Stephan, J. Buhmann (2010). The balanced accuracy and its posterior "
    "distribution. ICPR, 3121–3124. doi:10.1109/ICPR.2010.764",
    "buckley2000": "C. Buckley, E. Voorhees (2000). Evaluating evaluation measure stability. SIGIR, 33–40. "
    "doi:10.1145/345508.345543",
    "buckley2004": "C. Buckley, E. Voorhees (2004). Retrieval evaluation with incomplete information. SIGIR, 25–32. "
    "doi:10.1145/1008992.1009000",
    "chapelle2009": "O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan (2009). Expected reciprocal rank for graded "
    "relevance. CIKM, 621–630. doi:10.1145/1645953.1646033",
    "cohen1960": "J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological "
    "Measurement 20, 37–46. doi:10.1177/001316446002000104",
    "cohen1968": "J. Cohen (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or "
    "partial credit. Psychological Bulletin 70, 213–220. doi:10.1037/h0026256",
    "cramer1946": "H. Cramér (1946). Mathematical Methods of Statistics, chapter 30. Princeton University Press. "
    "doi:10.1515/9781400883868",
    "davis2006": "J. Davis, M. Goadrich (2006). The relationship between precision-recall and ROC curves. ICML, "
    "233–240. doi:10.1145/1143844.1143874",
    "deeks2004": "J. Deeks, D. Altman (2004). Diagnostic tests 4: likelihood ratios. BMJ 329, 168–169. "
    "doi:10.1136/bmj.329.7458.168",
    "elkan2001": "C. Elkan (2001). The foundations of cost-sensitive learning. IJCAI, 973–978. "
    "https://cseweb.ucsd.edu/~elkan/rescale.pdf",
    "ezekiel1930": "M. Ezekiel (1930). Methods of Correlation Analysis. Wiley.",
    "fawcett2006": "T. Fawcett (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861–874. "
    "doi:10.1016/j.patrec.2005.10.010",
    "flach2015": "P. Flach, M. Kull (2015). Precision-recall-gain curves: PR analysis done right. Advances in Neural "
    "Information Processing Systems 28, 838–846. "
    "https://papers.nips.cc/paper/5867-precision-recall-gain-curves-pr-analysis-done-right",
    "fowlkes1983": "E. Fowlkes, C. Mallows (1983). A method for comparing two hierarchical clusterings. Journal of the "
    "American Statistical Association 78, 553–569. doi:10.1080/01621459.1983.10478008",
    "gibbs2002": "A. Gibbs, F. Su (2002). On choosing and bounding probability metrics. International Statistical "
    "Review 70, 419–435. doi:10.1111/j.1751-5823.2002.tb00178.x",
    "glas2003": "A. Glas, J. Lijmer, M. Prins, G. Bonsel, P. Bossuyt (2003). The diagnostic odds ratio: a single "
    "indicator of test performance. Journal of Clinical Epidemiology 56, 1129–1135. doi:10.1016/S0895-4356(03)00177-X",
    "gneiting2007": "T. Gneiting, A. Raftery (2007). Strictly proper scoring rules, prediction, and estimation. "
    "Journal of the American Statistical Association 102, 359–378. doi:10.1198/016214506000001437",
    "good1952": "I. J. Good (1952). Rational decisions. Journal of the Royal Statistical Society B 14, 107–114. "
    "doi:10.1111/j.2517-6161.1952.tb00104.x",
    "gorodkin2004": "J. Gorodkin (2004). Comparing two K-category assignments by a K-category correlation coefficient. "
    "Computational Biology and Chemistry 28, 367–374. doi:10.1016/j.compbiolchem.2004.09.006",
    "hand2001": "D. Hand, R. Till (2001). A simple generalisation of the area under the ROC curve for multiple class "
    "classification problems. Machine Learning 45, 171–186. doi:10.1023/A:1010920819831",
    "harman1993": "D. Harman (1993). Overview of the first text retrieval conference (TREC-1), appendix A. NIST "
    "Special Publication 500-207. doi:10.6028/NIST.SP.500-207",
    "hastie2015": "T. Hastie, R. Tibshirani, M. Wainwright (2015). Statistical Learning with Sparsity, section 3. CRC "
    "Press. doi:10.1201/b18401",
    "hyndman2006": "R. Hyndman, A. Koehler (2006). Another look at measures of forecast accuracy. International "
    "Journal of Forecasting 22, 679–688. doi:10.1016/j.ijforecast.2006.03.001",
    "heimann2009": "T. Heimann and others (2009). Comparison and evaluation of methods for liver segmentation from CT "
    "datasets. IEEE Transactions on Medical Imaging 28, 1251–1265. doi:10.1109/TMI.2009.2013851",
    "jaccard1901": "P. Jaccard (1901). Étude comparative de la distribution florale dans une portion des Alpes et du "
    "Jura. Bulletin de la Société vaudoise des sciences naturelles 37, 547–579. doi:10.5169/seals-266450",
    "jarvelin2002": "K. Järvelin, J. Kekäläinen (2002). Cumulated gain-based evaluation of IR techniques. ACM "
    "Transactions on Information Systems 20, 422–446. doi:10.1145/582415.582418",
    "joachims2002": "T. Joachims (2002). Optimizing search engines using clickthrough data. KDD, 133–142. "
    "doi:10.1145/775047.775067",
    "jorgensen1987": "B. Jørgensen (1987). Exponential dispersion models. Journal of the Royal Statistical Society B "
    "49, 127–162. doi:10.1111/j.2517-6161.1987.tb01685.x",
    "koenker1978": "R. Koenker, G. Bassett (1978). Regression quantiles. Econometrica 46, 33–50. doi:10.2307/1913643",
    "koenker1999": "R. Koenker, J. Machado (1999). Goodness of fit and related inference processes for quantile "
    "regression. Journal of the American Statistical Association 94, 1296–1310. doi:10.1080/01621459.1999.10473882",
    "kubat1997": "M. Kubat, S. Matwin (1997). Addressing the curse of imbalanced training sets: one-sided selection. "
    "ICML, 179–186.",
    "kuhn2008": "M. Kuhn (2008). Building predictive models in R using the caret package. Journal of Statistical "
    "Software 28(5), 1–26. doi:10.18637/jss.v028.i05",
    "kullback1951": "S. Kullback, R. Leibler (1951). On information and sufficiency. Annals of Mathematical Statistics "
    "22, 79–86. doi:10.1214/aoms/1177729694",
    "kvalseth1985": "T. Kvålseth (1985). Cautionary note about R². The American Statistician 39, 279–285. "
    "doi:10.1080/00031305.1985.10479448",
    "lewis1991": "D. Lewis (1991). Evaluating text categorization. Workshop on Speech and Natural Language, 312–318. "
    "doi:10.3115/112405.112471",
    "lin1989": "L. Lin (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45, "
    "255–268. doi:10.2307/2532051",
    "lin1991": "J. Lin (1991). Divergence measures based on the Shannon entropy. IEEE Transactions on Information "
    "Theory 37, 145–151. doi:10.1109/18.61115",
    "ling1998": "C. Ling, C. Li (1998). Data mining for direct marketing: problems and solutions. KDD, 73–79. "
    "https://cdn.aaai.org/KDD/1998/KDD98-011.pdf",
    "lu2016": "X. Lu, A. Moffat, J. S. Culpepper (2016). The effect of pooling and evaluation depth on IR metrics. "
    "Information Retrieval Journal 19, 416–445. doi:10.1007/s10791-016-9282-6",
    "makridakis1993": "S. Makridakis (1993). Accuracy measures: theoretical and practical concerns. International "
    "Journal of Forecasting 9, 527–529. doi:10.1016/0169-2070(93)90079-3",
    "matthews1975": "B. Matthews (1975). Comparison of the predicted and observed secondary structure of T4 phage "
    "lysozyme. Biochimica et Biophysica Acta 405, 442–451. doi:10.1016/0005-2795(75)90109-9",
    "mcclish1989": "D. McClish (1989). Analyzing a portion of the ROC curve. Medical Decision Making 9, 190–195. "
    "doi:10.1177/0272989X8900900307",
    "mccullagh1989": "P. McCullagh, J. Nelder (1989). Generalized Linear Models, 2nd edition. Chapman and Hall. "
    "doi:10.1007/978-1-4899-3242-6",
    "moffat2008": "A. Moffat, J. Zobel (2008). Rank-biased precision for measurement of retrieval effectiveness. ACM "
    "Transactions on Information Systems 27(1), 2. doi:10.1145/1416950.1416952",
    "naeini2015": "M. P. Naeini, G. Cooper, M. Hauskrecht (2015). Obtaining well calibrated probabilities using "
    "Bayesian binning. AAAI, 2901–2907. doi:10.1609/aaai.v29i1.9602",
    "pearson1895": "K. Pearson (1895). Note on regression and inheritance in the case of two parents. Proceedings of "
    "the Royal Society of London 58, 240–242. doi:10.1098/rspl.1895.0041",
    "pedregosa2011": "F. Pedregosa and others (2011). Scikit-learn: machine learning in Python. Journal of Machine "
    "Learning Research 12, 2825–2830. https://jmlr.org/papers/v12/pedregosa11a.html",
    "powers2011": "D. Powers (2011). Evaluation: from precision, recall and F-measure to ROC, informedness, markedness "
    "and correlation. Journal of Machine Learning Technologies 2, 37–63. arXiv:2010.16061",
    "ramdas2017": "A. Ramdas, N. García Trillos, M. Cuturi (2017). On Wasserstein two-sample testing and related "
    "families of nonparametric tests. Entropy 19, 47. doi:10.3390/e19020047",
    "rifkin2004": "R. Rifkin, A. Klautau (2004). In defense of one-vs-all classification. Journal of Machine Learning "
    "Research 5, 101–141. https://jmlr.org/papers/v5/rifkin04a.html",
    "robertson2006": "S. Robertson (2006). On GMAP: and other transformations. CIKM, 78–83. "
    "doi:10.1145/1183614.1183630",
    "rousseeuw1993": "P. Rousseeuw, C. Croux (1993). Alternatives to the median absolute deviation. Journal of the "
    "American Statistical Association 88, 1273–1283. doi:10.1080/01621459.1993.10476408",
    "russakovsky2015": "O. Russakovsky and others (2015). ImageNet large scale visual recognition challenge. "
    "International Journal of Computer Vision 115, 211–252. doi:10.1007/s11263-015-0816-y",
    "schapire2000": "R. Schapire, Y. Singer (2000). BoosTexter: a boosting-based system for text categorization. "
    "Machine Learning 39, 135–168. doi:10.1023/A:1007649029923",
    "shannon1948": "C. Shannon (1948). A mathematical theory of communication. Bell System Technical Journal 27, "
    "379–423. doi:10.1002/j.1538-7305.1948.tb01338.x",
    "smirnov1948": "N. Smirnov (1948). Table for estimating the goodness of fit of empirical distributions. Annals of "
    "Mathematical Statistics 19, 279–281. doi:10.1214/aoms/1177730256",
    "spearman1904": "C. Spearman (1904). The proof and measurement of association between two things. American "
    "Journal of Psychology 15, 72–101. doi:10.2307/1412159",
    "su2015": "W. Su, Y. Yuan, M. Zhu (2015). A relationship between the average precision and the area under the ROC "
    "curve. ICTIR, 349–352. doi:10.1145/2808194.2809481",
    "taha2015": "A. Taha, A. Hanbury (2015). Metrics for evaluating 3D medical image segmentation. BMC Medical Imaging "
    "15, 29. doi:10.1186/s12880-015-0068-x",
    "tsoumakas2010": "G. Tsoumakas, I. Katakis, I. Vlahavas (2010). Mining multi-label data. Data Mining and Knowledge "
    "Discovery Handbook, 667–685. doi:10.1007/978-0-387-09823-4_34",
    "vanrijsbergen1979": "C. J. van Rijsbergen (1979). Information Retrieval, 2nd edition, chapter 7. Butterworths. "
    "http://www.dcs.gla.ac.uk/Keith/Chapter.7/Ch.7.html",
    "vickers2006": "A. Vickers, E. Elkin (2006). Decision curve analysis: a novel method for evaluating prediction "
    "models. Medical Decision Making 26, 565–574. doi:10.1177/0272989X06295361",
    "voorhees1999": "E. Voorhees (1999). The TREC-8 question answering track report. NIST Special Publication 500-246, "
    "77–82. https://trec.nist.gov/pubs/trec8/papers/qa_report.pdf",
    "walter2005": "S. Walter (2005). The partial area under the summary ROC curve. Statistics in Medicine 24, "
    "2025–2040. doi:10.1002/sim.2103",
    "weber2018": "R. Weber (2018). Multimedia Retrieval, chapter 1, Performance Evaluation. Lecture notes, University "
    "of Basel",
    "wilks2011": "D. Wilks (2011). Statistical Methods in the Atmospheric Sciences, 3rd edition, chapter 8. Academic "
    "Press. doi:10.1016/B978-0-12-385022-5.00008-7",
    "willmott2005": "C. Willmott, K. Matsuura (2005). Advantages of the mean absolute error (MAE) over the root mean "
    "square error (RMSE) in assessing average model performance. Climate Research 30, 79–82. doi:10.3354/cr030079",
    "yang1999": "Y. Yang, X. Liu (1999). A re-examination of text categorization methods. SIGIR, 42–49. "
    "doi:10.1145/312624.312647",
    "yilmaz2006": "E. Yilmaz, J. Aslam (2006). Estimating average precision with incomplete and imperfect judgments. "
    "CIKM, 102–111. doi:10.1145/1183614.1183633",
    "youden1950": "W. Youden (1950). Index for rating diagnostic tests. Cancer 3, 32–35. "
    "doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
    "yurdakul2020": "B. Yurdakul, J. Naranjo (2020). Statistical properties of the population stability index. Journal "
    "of Risk Model Validation 14, 89–100. doi:10.21314/JRMV.2020.227",
}
"""Citation by key; `MetricDef.reference` is a key of this table."""

RETRIEVAL = "retrieval"
"""The family of rankings has names of its own: its AP and its P@10 are not those of classification."""

SHARES_OF = {
    frozenset({"tp", "fp"}): "predicted positives",
    frozenset({"fn", "tn"}): "predicted negatives",
    frozenset({"tp", "fn"}): "actual positives",
    frozenset({"fp", "tn"}): "actual negatives",
    frozenset({"tp", "fp", "fn", "tn"}): "rows",
}
"""What the cells of a denominator are together."""


@cache
def _misleads() -> dict[str, str]:
    """Read when each measure misleads, by key."""
    return tomllib.loads(Path(__file__).with_name("misleads.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Param:
    """A parameter of a measure, a number or a choice, such as the beta of F."""

    name: str  # name of the keyword argument of the function
    default: float | str
    # Inclusive limits of a sensible value.
    lowest: float
    highest: float
    meaning: str  # one sentence
    choices: tuple[str, ...] = ()  # the words it may be, where it is no number; the limits then say nothing
    pattern: str = ""  # regular expression of what else it may be, besides the choices
    whole: bool = False  # whether it must be a whole number (or infinite), as a rank is

    @classmethod
    def choice(cls, name: str, choices: tuple[str, ...], meaning: str, pattern: str = "") -> "Param":
        """A parameter with a few words as values; the first is the default."""
        return cls(name, choices[0], 0, 0, meaning, choices, pattern)

    def checked(self, value: float | str, measure: str) -> float | str:
        """Return the value if it is valid; else raise a ValueError."""
        if self.choices:
            text = f"{value:g}" if isinstance(value, float) else str(value).strip()
            if text in self.choices or (self.pattern and re.fullmatch(self.pattern, text)):
                return text
            raise ValueError(f"{self.name} of {measure} is {text!r}; it must be one of {', '.join(self.choices)}.")
        if isinstance(value, str):
            raise ValueError(f"{value!r} is not a number: {self.name} of {measure}.")
        if not self.lowest <= value <= self.highest:
            limits = f"{self.lowest:g} … {self.highest:g}"
            raise ValueError(f"{self.name} of {measure} is {value:g}; it must lie in {limits}.")
        if self.whole and value not in (float("inf"), round(value) if value < float("inf") else value):
            raise ValueError(f"{self.name} of {measure} is {value:g}; it must be a whole number.")
        return value


@dataclass(frozen=True)
class MetricDef:
    """The definition of one measure, callable on its state."""

    function: Callable[..., Any]  # the arithmetic, a pure function of one state
    # Full common name and the short form used in tables.
    name: str
    symbol: str
    # The state it is a function of: ``"counts"`` (ConfusionCounts), ``"matrix"`` (ConfusionMatrix), ``"scores"``
    # (ScoredLabels), ``"probabilities"`` (ProbabilityTable), ``"label sets"`` (LabelSets), ``"label scores"``
    # (LabelScores) or ``"retrieval"`` (Hits, one value per query).
    family: str
    formula: str  # LaTeX over TP, FP, FN, TN, their sums P, N, T, F, n and the measures made of them
    reference: str  # key of `evalcore.registry.definition.REFERENCES`
    # Range, inclusive.
    lowest: float = 0
    highest: float = 1
    best: float | None = None  # value of perfect predictions; None where no single value is best
    better: str | None = None  # "higher", "lower" or None: which of two values is preferred
    undefined_when: str = ""  # when the measure is nan, as the end of the sentence "undefined when …"; empty if never
    params: tuple[Param, ...] = ()
    # Other names. ``{beta}`` in an alias stands for a number: ``F{beta}`` accepts ``F2``.
    aliases: tuple[str, ...] = ()
    # Names of trec_eval that mean its own numbers, as it spells them, and the parameters they set: ``{version}`` stands
    # for the version that is asked for.
    own_names: Mapping[str, Mapping[str, float | str]] = field(default_factory=dict)
    # For a share of rows: the cells of the numerator and those of the denominator, ``("tp", "tp fp")``.
    reads: tuple[str, ...] = ()
    # For a quotient of products of sums of cells: the sums above and those below the line, ``("tp", "fp tn")`` for
    # TP · N above. Its intervals and differences are those of its logarithm.
    factors: tuple[tuple[str, ...], ...] = ()
    # What it is and how to read it, from the docstring of the function.
    summary: str = ""
    reading: str = ""
    help: str = ""  # what it is in one line, for a tooltip
    group: str = ""  # heading it is listed under; empty where its family has no headings
    percent: bool = False  # whether it is written in percent: it is a share of rows, or a mean of such shares
    # Which confidence interval fits it: ``"share"`` (of a binomial share), ``"logarithm"`` (of a quotient),
    # ``"delong"`` (of the area under the ROC curve, and what is linear in it), ``"bootstrap"`` (resampled rows),
    # ``"queries"`` (resampled queries), ``"chance"`` (none, but the value that calibrated probabilities reach by
    # chance), ``"none"`` (resamples say nothing, as of a maximum); empty if none.
    interval: str = ""
    # Which test compares two systems on the same rows: ``"share"`` (McNemar's, with Tango's interval), ``"delong"``,
    # ``"logarithm"`` (of the ratio of both values), ``"bootstrap"`` or ``"queries"``; empty if two systems cannot
    # differ in it.
    paired_test: str = ""
    stacked: bool = False  # whether a measure of a square table takes many at once, in counts of shape (b, k, k)
    mean: str = "arithmetic"  # "arithmetic" or "geometric": how its values are averaged over queries
    # Parameter settings that tables of the family list one by one, by what is added to the name.
    variants: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    # Parameters that were set, by `find` or by `with_params`.
    arguments: dict[str, float | str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Name of the function, the identity of the measure in code and in addresses."""
        return self.function.__name__

    @property
    def label(self) -> str:
        """Symbol with its parameters, as in the head of a column: ``F2``, ``nDCG(gain=exp)@10``."""
        if self.family == RETRIEVAL:
            return self._label_of_ranking()
        return self.symbol.format(**{p.name: f"{self.arguments.get(p.name, p.default):g}" for p in self.params})

    @property
    def short(self) -> str:
        """Head of a narrow column: one common word, else the symbol (``precision``, ``NPV``, ``F1``)."""
        return self.label if self.params or " " in self.name else self.name.lower()

    @property
    def source(self) -> str:
        """Full reference of the definition."""
        return REFERENCES[self.reference]

    @property
    def link(self) -> str:
        """Web address of the source; a search for it where it has none."""
        if at := re.search(r"doi:(\S+)|arXiv:(\S+)|(https?://\S+)", self.source):
            doi, preprint, url = at.groups()
            return url or (f"https://doi.org/{quote(doi)}" if doi else f"https://arxiv.org/abs/{preprint}")
        return f"https://scholar.google.com/scholar?q={quote(self.source)}"

    @property
    def misleads_when(self) -> str:
        """When its value misleads, as the end of the sentence "misleads when …"; empty for a measure of your own."""
        return _misleads().get(self.key, "")

    @property
    def numerator(self) -> tuple[str, ...]:
        """Cells in the numerator of a share; empty if the measure is no share of rows."""
        return tuple(self.reads[0].split()) if self.reads else ()

    @property
    def denominator(self) -> tuple[str, ...]:
        """Cells in the denominator of a share; empty if the measure is no share of rows."""
        return tuple(self.reads[1].split()) if self.reads else ()

    @property
    def share_of(self) -> str:
        """Return the rows that a share divides by, such as ``"actual positives"``; empty for all other measures."""
        return SHARES_OF.get(frozenset(self.denominator), "")

    @property
    def takes(self) -> set[str]:
        """Names of its parameters."""
        return {param.name for param in self.params}

    @property
    def versions(self) -> "list[MetricDef]":
        """This definition, or one definition for each of its variants."""
        each = self.variants.items()
        return [replace(self.with_params(**values), name=f"{self.name}, {words}") for words, values in each] or [self]

    @property
    def cut(self) -> Param | None:
        """The parameter behind an @: the rank k, or the recall at which precision is read."""
        return next((p for p in self.params if p.name in ("k", "recall")), None)

    def with_params(self, **arguments: float | str) -> "MetricDef":
        """Return this definition with parameters set; a ValueError for an unknown one or a value outside its limits."""
        known = {p.name: p for p in self.params}
        for name, value in arguments.items():
            if name not in known:
                takes = ", ".join(known) or "no parameters"
                raise ValueError(f"{self.name} has no parameter {name!r}; it takes {takes}.")
            arguments[name] = known[name].checked(value, self.name)
        return replace(self, arguments={**self.arguments, **arguments})

    def _label_of_ranking(self) -> str:
        values = {p.name: self.arguments.get(p.name, p.default) for p in self.params}
        texts = {name: value if isinstance(value, str) else f"{value:.12g}" for name, value in values.items()}
        shown = [f"{p.name}={texts[p.name]}" for p in self.params if p is not self.cut and values[p.name] != p.default]
        brackets = f"({','.join(shown)})" if shown else ""
        at = "" if self.cut is None or texts[self.cut.name] == "inf" else f"@{texts[self.cut.name]}"
        return f"{self.symbol}{brackets}{at}"

    def __call__(self, state: Any) -> Any:
        """Value of the measure for a state (ConfusionCounts, ScoredLabels or Hits)."""
        return self.function(state, **self.arguments)
