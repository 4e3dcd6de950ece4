"""Usual column names of the truth, predictions, scores, weights, groups and rankings."""

import re
from collections.abc import Callable, Collection
from functools import lru_cache

from evalcore.wording.numbers import count_text

# The surest names first: of "label" and "truth" in one table, the truth is the truth.
ACTUAL = tuple(
    "actual y_true ytrue truth ground_truth groundtruth gt gold gold_label gold_standard true_label true_class "
    "actual_label actual_class actual_value true_value correct_label actuals true target targets label labels "
    "class class_label diagnosis outcome reference observed response expected is_positive relevant relevance y "
    "tatsächlich tatsaechlich wahrheit klasse werkelijk vérité verite réel reel réalité real verdad prawda".split()
)
PREDICTED = frozenset(
    "predicted prediction predictions pred preds y_pred ypred y_hat yhat predicted_label predicted_class "
    "pred_label pred_class decision detected classified output model_output predict scored_label scored_labels into "
    "pgr vorhersage vorhergesagt voorspeld voorspelling prédit predit prédiction prediccion predicción previsto "
    "prevista predetto predizione prognose schätzung schaetzung estimation 予測 予測値 预测 预测值 "
    "det_class detected_class".split()
)
SCORE = frozenset(
    "score scores y_score yscore y_prob y_proba probability probabilities prob proba p confidence conf logit logits "
    "scored_probabilities pre margin decision_function decision_value risk likelihood similarity distance dist p_value "
    "pvalue rating phat p_hat".split()
)
# of these a low value speaks for the positive class
LOWER = frozenset("distance dist error loss p_value pvalue rank cost".split())
SURE_WEIGHT = frozenset("sample_weight sample_weights case_weight case_weights survey_weight sampling_weight".split())
WEIGHT = SURE_WEIGHT | frozenset("weight weights w wt frequency freq gewicht".split())
ROW_COUNT = frozenset("frequency freq count counts n n_rows häufigkeit haeufigkeit anzahl".split())
GROUP = frozenset(
    "group groups subgroup fold folds site sites sex gender hospital centre center region country age_group ageband "
    "age_band size size_band split segment cohort stratum batch scanner device race ethnicity gruppe".split()
)
AMOUNT = frozenset(
    "amount amounts sum total loss losses damage cost costs price value revenue order_value betrag summe schaden wert "
    "preis kosten umsatz montant valeur prix importe importo monto valor valore precio prezzo coste costo custo "
    "bedrag prijs kwota".split()
)
ESTIMATE = frozenset("estimate estimates estimated forecast forecasts fitted fit predicted_value".split())
IDENTIFIER = frozenset(
    "id ids idx index row row_id row_number rownames uid uuid guid key name names file filename path image image_id "
    "document doc docid url patient subject case no nr number unnamed_0 column_1_id person participant respondent "
    "customer client user account kunde zip postcode date datum datetime timestamp year month day".split()
)
# of these, one may have several rows
CASE = frozenset(
    "patient subject person participant respondent customer client user account case family household session "
    "speaker author eye tooth lesion document doc kunde proband".split()
)
QUERY_CASE = CASE | {"topic", "intent", "task"}
FOLD = frozenset("fold folds cv_fold cv_folds kfold k_fold fold_id crossval_fold outer_fold test_fold".split())
FEATURE = frozenset(
    "feature features feat attribute attr column col variable var pixel pc dim component measurement sensor".split()
)
# measures of a system, which a table of results holds instead of its rows
MEASURE = frozenset(
    "precision recall sensitivity specificity f1 f1_score fscore f_score f_measure accuracy acc balanced_accuracy auc "
    "auroc roc_auc auprc pr_auc average_precision mcc kappa ppv npv tpr fpr tnr fnr error_rate brier log_loss".split()
)
# whether the answer to a question was right, as benchmarks of language models write it
ANSWER = frozenset(
    "correct is_correct correctness acc acc_norm acc_bytes exact_match em is_right right answered_correctly".split()
)
# outcomes that are good, so that the event of interest may be their absence
GOOD = frozenset(
    "survived survival alive healthy passed pass success successful correct ok good benign retained".split()
)
QUERY = frozenset(
    "query queries query_id queryid qid topic topics topic_id question question_id request query_image anfrage "
    "search_term search_query search_phrase".split()
)
DOCUMENT = frozenset(
    "document documents document_id doc docs docid doc_id docno item item_id image image_id passage passage_id pid url "
    "result result_id page dokument corpus_id product_id product sku asin hit_id".split()
)
GRADE = frozenset(
    "grade grades relevance relevant relevances rel judgment judgments judgement judged qrel qrels gain label labels "
    "relevance_grade relevance_label rating ratings".split()
)
RANK = frozenset("rank ranks position rank_position doc_position doc_rank rang".split())
LIST_LENGTH = frozenset("list_length num_ret retrieved n_retrieved".split())
FIRST_RANK, LAST_RANK = frozenset({"first", "first_rank"}), frozenset({"last", "last_rank"})
RETRIEVAL_SYSTEM = frozenset("system systems run run_id runid run_tag tag model method engine".split())
LONG_SYSTEM = frozenset("model system classifier method algorithm run engine approach llm detector annotator".split())
WINNER = frozenset("winner winning_team winning_ranker preferred preference".split())
SYSTEM = frozenset("name names system systems model models method methods classifier classifiers test run id".split())

COUNT_NAMES = {
    key: frozenset(words.split())
    for key, words in {
        "tp": "tp true_positive true_positives truepositive truepositives n_tp richtig_positiv richtig_positive",
        "fp": "fp false_positive false_positives falsepositive falsepositives n_fp falsch_positiv falsch_positive",
        "fn": "fn false_negative false_negatives falsenegative falsenegatives n_fn falsch_negativ falsch_negative",
        "tn": "tn true_negative true_negatives truenegative truenegatives n_tn richtig_negativ richtig_negative",
    }.items()
}
# what a document or a query looks like; the id of a ranking is found first, so that what is left of its names is text
FACES = {
    "title": frozenset("title titles headline heading document_title doc_title page_title product_name".split()),
    "text": frozenset(
        "text texts body content contents snippet passage passage_text document document_text doc doc_text abstract "
        "description summary sentence paragraph caption".split()
    ),
    "image": frozenset(
        "image image_path image_file image_url image_base64 img img_path picture photo thumbnail thumb".split()
    ),
    "url": frozenset("url uri link href document_url doc_url metadata_url".split()),
    "query_text": frozenset("query_text query_title question_text topic_title topic_text".split()) | QUERY,
    "query_image": frozenset("query_image query_image_path query_img query_thumbnail".split()),
}

_LONGEST = 300
_SOURCE = "_source."  # what Elasticsearch writes before the fields of a document
_ID = re.compile(r"(?:^|_)(?:[dpqu]|doc|query|topic|question|passage|corpus|item|image|page|result)?(?:ids?|no)$")
# "P (Class=yes)" is KNIME's, ".pred_yes" tidymodels', "confidence(yes)" RapidMiner's, "IP_1" SAS's, "p1" H2O's
_PROBABILITY_AFFIXES = re.compile(
    r"^\.?(?:y_)?(?:p|ip|pr|pred|prob|proba|probs|probability|confidence|score|predict_proba)[_(\[ .:]+(?:[^=]+=)?"
    r"(?P<after>.+?)[)\]]*$"
    r"|^(?P<before>.+?)[_ .:](?:p|prob|proba|probability|scores?)$|^p(?P<number>\d{1,3})$|^.+ \((?P<inside>[^()]+)\)$",
    re.IGNORECASE,
)

_TRUE = "y_true|true|truth|actual|label|target|gt|gold|y"
PREDICTED_AFFIX = "y_pred|y_hat|yhat|predicted|prediction|pred|decision|output"
_SCORED = "(?:y_|pred_)?(?:scores?|p|pr|prob|proba|probs|probability|confidence|conf|logits?)"


def _affix(words: str) -> re.Pattern[str]:
    """Compile the pattern of names that begin or end with one of some words."""
    around = rf"^(?:{words})[_(\[ .:-]+(?P<after>.+?)[)\]]*$|^(?P<before>.+?)[_ .:-](?:{words})$"
    return re.compile(around, re.IGNORECASE)


_AFFIXES = {"score": _affix(_SCORED), "predicted": _affix(PREDICTED_AFFIX), "true": _affix(_TRUE)}


def part_and_subject(name: str) -> tuple[str, str]:
    """The part that a column's name gives it ("score", "predicted", "true", or "" for none), and the label it is about.

    >>> [part_and_subject(name) for name in ("y_cat", "score (cat)", "cat (pred)", "cat")]
    [('true', 'cat'), ('score', 'cat'), ('', 'cat (pred)'), ('', 'cat')]
    """
    for part, pattern in _AFFIXES.items():
        if match := pattern.match(name.strip()[:_LONGEST]):
            return part, (match["after"] or match["before"]).strip()
    return "", name.strip()


def simple(name: str) -> str:
    """A column name in lower case with single underscores, so that "Y True" and "y-true" are equal."""
    return _simple(name.strip()[:_LONGEST])  # usual names are short, and matching a very long one would take time


@lru_cache(1 << 12)  # of each column, dozens of questions ask
def _simple(name: str) -> str:
    name = re.sub(r"([a-z])([A-Z])", r"\1_\2", name.removeprefix(_SOURCE))
    return re.sub(r"[\s\-./]+", "_", name).strip("_").casefold()


def is_actual(name: str) -> bool:
    """Whether a column of this name holds the truth."""
    return actual_order(name) is not None


def actual_order(name: str) -> int | None:
    """Rank how surely a column of this name holds the truth (lower is surer); None if the name says nothing."""
    name = simple(name)
    if name in ACTUAL:
        return ACTUAL.index(name)
    starts = ("true_", "actual_", "gold_", "truth_", "ground_truth_", "human_", "expert_", "y_true_")
    if name.startswith(("true_pos", "true_neg", "actual_pos", "actual_neg")):
        return None
    is_one = name.startswith(starts) or name.endswith(("_truth", "_true", "_actual", "_gold", "_gt"))
    return len(ACTUAL) if is_one else None


def _named(words: frozenset[str], starts: str, ends: str) -> Callable[[str], bool]:
    """A test of names: whether one is among some words, numbered or lettered too, or begins or ends in such a way."""

    def is_named(name: str) -> bool:
        name = simple(name)
        # "score_2", "score2" and "score (b)" are each one of several scores
        stem = re.sub(r"(?:[_(]+[a-z0-9]{1,2}\)?|\d{1,2})$", "", name)
        is_affixed = name.startswith(tuple(starts.split())) or name.endswith(tuple(ends.split()))
        return name in words or stem in words or is_affixed

    return is_named


is_predicted = _named(PREDICTED, "pred_ predicted_ prediction_ prediction( y_pred_ yhat_", "_pred _predicted")
"""Whether a column of this name holds predicted labels."""

is_score = _named(
    SCORE,
    "score_ scores_ prob_ proba_ probability_ p_ y_score_ confidence_ conf_",
    "_score _scores _prob _proba _probability _confidence _logit _risk",
)
"""Whether a column of this name holds scores or probabilities."""

is_lower_better = _named(LOWER, "distance_ dist_", " ".join(f"_{word}" for word in LOWER))
"""Whether lower scores in a column of this name mean the positive class."""

is_system = _named(LONG_SYSTEM, "model_ classifier_ system_ llm_", "_model _classifier _system _llm")
"""Whether a column of this name, such as "model_old", holds what a system says."""

is_amount = _named(AMOUNT, "amount_ loss_ betrag_ montant_", " ".join(f"_{word}" for word in AMOUNT))
"""Whether a column of this name holds amounts of money or the like."""

is_estimate = _named(ESTIMATE, "estimate_ est_ forecast_", "_estimate _forecast _est")
"""Whether a column of this name holds estimates; no label has such a name."""

is_identifier = _named(
    IDENTIFIER, "id_ unnamed date_", "_id _uuid _idx _index _key _date _datum _timestamp _number _nr"
)
"""Whether a column of this name numbers or names the rows."""

is_answer = _named(ANSWER, "correct_ is_correct_ correct( acc_ exact_match_", "_correct _acc _em")
"""Whether a column of this name, such as "acc_norm" or "correct (gpt)", marks the rows in which a system is right."""


def is_probability(name: str) -> bool:
    """Whether a column of this name holds values between 0 and 1."""
    words = re.split(r"[_()\[\]]+", simple(name))
    return bool({"p", "prob", "proba", "probs", "probability", "probabilities"} & set(words))


def is_case(name: str) -> bool:
    """Whether a column of this name holds cases, such as patients, that several rows may share."""
    return _case_stem(name) in CASE or simple(name) in ("id", "ids")


def is_query_case(name: str) -> bool:
    """Whether a column of this name holds topics or users that several queries may share."""
    return _case_stem(name) in QUERY_CASE


def is_fold(name: str) -> bool:
    """Whether a column of this name holds the fold of a cross-validation that a row was predicted in."""
    return simple(name) in FOLD


def has_id_suffix(name: str) -> bool:
    """Whether a column name ends like that of an id."""
    return _case_stem(name) != simple(name)


def case_words(name: str, count: int) -> str:
    """Return a count with the noun of what a cluster column names, such as "120 patients".

    >>> case_words("patient_id", 120), case_words("Session", 1), case_words("x7", 12)
    ('120 patients', '1 session', '12 clusters (x7)')
    """
    stem = _case_stem(name)
    stem = "fold" if is_fold(name) else stem
    if stem in QUERY_CASE | {"fold"} and stem.isascii():
        plural = stem[:-1] + "ies" if stem.endswith("y") else stem + "s"
        return f"{count_text(count)} {stem if count == 1 else _PLURALS.get(stem, plural)}"
    return f"{count_text(count)} {'cluster' if count == 1 else 'clusters'} ({name})"


_PLURALS = {"person": "people", "tooth": "teeth", "kunde": "Kunden", "proband": "Probanden"}


def _case_stem(name: str) -> str:
    return re.sub(r"_(?:id|no|nr|number|key)$", "", simple(name))


def names_system(name: str) -> bool:
    """Whether a column of this name, such as "model_name" or "Run", holds the system of each row."""
    return simple(name).removesuffix("_name").removesuffix("_id") in LONG_SYSTEM | RETRIEVAL_SYSTEM


def is_id(name: str) -> bool:
    """Whether a column of this name holds ids rather than texts."""
    return _ID.search(simple(name)) is not None


def face_part(name: str) -> str | None:
    """The part of a face that a column of this name holds ("title", "query_text" …), or None."""
    return next((part for part, words in reversed(FACES.items()) if simple(name) in words and not is_id(name)), None)


def is_clicks(name: str) -> bool:
    """Whether a column of this name counts the clicks on the results of one side."""
    side = re.fullmatch(r"(?:n_)?clicks?_(?P<after>.+)|(?P<before>.+?)_clicks?", simple(name))
    return side is not None and (side["after"] or side["before"]) not in ("total", "unique", "all", "num", "n", "rate")


def is_good(name: str) -> bool:
    """Whether a column of this name marks success, such as "passed"."""
    return simple(name) in GOOD


def class_in(name: str) -> str | None:
    """The class that a probability column is named after, or None if it is not."""
    match = _PROBABILITY_AFFIXES.match(name.strip()) if len(name) <= _LONGEST else None
    return next(filter(None, match.groups())).strip() if match else None


def free_name(name: str, used: Collection[object]) -> str:
    """A name that no column has yet: with (2) behind it where it is used."""
    while name in used:
        name += " (2)"
    return name
