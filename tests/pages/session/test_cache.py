"""Results that all sessions share: one per key and function."""

from pages.widgets.session.current_dataset import cache


def test_a_result_is_made_once_for_each_key_and_kept_apart_from_those_of_other_functions() -> None:
    calls = []
    doubled = cache(lambda x: calls.append(x) or 2 * x, most=2)
    squared = cache(lambda x: x * x, most=2)
    assert [doubled(("a", 1), 3), doubled(("a", 1), 3), doubled(("a", 2), 3)] == [6, 6, 6]
    assert calls == [3, 3]
    assert squared(("a", 1), 3) == 9


def test_functions_of_one_line_have_results_of_their_own() -> None:
    first, second = cache(lambda x: str(x), most=2), cache(lambda x: repr(x), most=2)
    assert (first("key", "a"), second("key", "a")) == ("a", "'a'")
