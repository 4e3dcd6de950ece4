"""The address line holds what is open and chosen, over page changes and for strangers, and never an error."""

import math

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets.session.address import written


def page() -> None:
    """A page that reads everything, and writes when its buttons are pressed."""
    import streamlit as st

    from pages.widgets.session import address

    address.restore()
    st.button("drag", on_click=address.put, args=("t", 0.25))
    st.button("other data", on_click=address.put, args=("data", "other"))
    st.button("close", on_click=address.put, args=("data", None))
    st.session_state["read"] = {
        "data": address.text("data"),
        "t": address.number("t", 0.5),
        "share": address.number("share", 0.1, lowest=0, highest=1),
        "goal": address.choice("goal", ("youden", "cost"), "youden"),
    }


def names_page() -> None:
    import streamlit as st

    from pages.widgets.session import address

    st.session_state["read"] = address.names("names")


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_function(page)
    for key, value in parameters.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception
    return test


def drop_address(test: AppTest, **parameters: str) -> None:
    """What a page change does: the address is what the link says, and the session stays."""
    test.query_params.clear()
    test.query_params.update(parameters)
    test.run()


def test_values_are_read_from_the_address() -> None:
    test = opened(data="digits", t="0.75", share="0.3", goal="cost")
    assert test.session_state["read"] == {"data": "digits", "t": 0.75, "share": 0.3, "goal": "cost"}


def test_what_is_missing_has_its_default() -> None:
    assert opened().session_state["read"] == {"data": None, "t": 0.5, "share": 0.1, "goal": "youden"}


@pytest.mark.parametrize(("key", "bad"), [("t", "abc"), ("t", ""), ("t", "nan"), ("share", "2"), ("goal", "__class__")])
def test_a_bad_value_counts_as_missing(key: str, bad: str) -> None:
    assert opened(**{key: bad}).session_state["read"] == opened().session_state["read"]


def test_a_threshold_may_be_infinite() -> None:
    assert opened(t="inf").session_state["read"]["t"] == math.inf


def test_a_number_is_written_so_that_it_comes_back_exactly() -> None:
    test = opened(data="digits")
    test.button[0].click().run()
    assert test.query_params["t"] == "0.25"
    assert test.session_state["read"]["t"] == 0.25


def test_what_a_page_change_drops_is_put_back() -> None:
    test = opened(data="digits", t="0.75", share="0.3")
    drop_address(test)
    assert test.session_state["read"]["t"] == 0.75
    assert test.query_params == {"data": "digits", "t": "0.75", "share": "0.3"}


def test_a_link_wins_over_what_is_remembered() -> None:
    test = opened(data="digits", t="0.75")
    drop_address(test, data="digits", t="0.9")
    assert test.session_state["read"]["t"] == 0.9


def test_another_data_set_forgets_the_choices_for_the_last() -> None:
    test = opened(data="digits", t="0.75", goal="cost")
    test.button[1].click().run()
    assert test.query_params == {"data": "other"}
    assert test.session_state["read"] == {"data": "other", "t": 0.5, "share": 0.1, "goal": "youden"}


def test_a_link_to_another_data_set_forgets_them_too() -> None:
    test = opened(data="digits", t="0.75")
    drop_address(test, data="other")
    assert test.session_state["read"]["t"] == 0.5


def test_closing_leaves_an_empty_address() -> None:
    test = opened(data="digits", t="0.75")
    test.button[2].click().run()
    assert test.query_params == {}


def test_a_menu_link_that_is_older_than_a_drag_does_not_take_it_back() -> None:
    def fragment_page() -> None:
        import streamlit as st

        from pages.widgets.session import address

        address.restore()
        st.session_state["t"] = address.number("t")
        st.session_state["menu"] = address.menu_parameters()

        @st.fragment
        def view() -> None:
            st.button("drag", on_click=address.put, args=("t", 0.25))

        view()

    test = AppTest.from_function(fragment_page)
    test.query_params.update({"data": "digits", "t": "0.75"})
    test.run()
    stale = dict(test.session_state["menu"])
    # AppTest runs the whole script for a fragment's button; the old link stands for the menu that a fragment leaves.
    test.button[0].click().run()
    test.session_state["address linked"] = stale
    drop_address(test, **stale)
    assert test.session_state["t"] == 0.25


def test_a_menu_link_that_is_older_than_a_fragment_does_not_bring_back_what_it_took_out() -> None:
    test = opened(data="digits", t="0.75", share="0.3")
    test.session_state["address linked"] = {"data": "digits", "t": "0.75", "share": "0.3"}
    test.session_state["address remembered"] = {"data": "digits", "t": "0.25"}
    drop_address(test, data="digits", t="0.75", share="0.3")
    assert test.query_params == {"data": "digits", "t": "0.25"}
    assert test.session_state["read"]["share"] == 0.1


def cleaned_page() -> None:
    """A page as app.py draws it, with what only one of its two readers can use, and a key that it reads itself."""
    import streamlit as st

    from pages.widgets.session import address

    address.restore()
    address.number("share", lowest=0, highest=1)
    address.choice("class", ("cat", "dog"))
    address.choice("class", ("hen",))
    if address.text("gain") not in (None, "exp"):
        address.refuse("gain")
    st.selectbox("Pet", ["cat", "dog"], key="pet", bind="query-params")
    address.clean()


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ({"data": "digits", "roles": "any", "system": "any"}, {"data": "digits", "roles": "any", "system": "any"}),
        ({"t": "abc", "share": "2", "class": "owl", "gain": "?", "pet": "owl"}, {}),
        ({"t": "nan", "share": "", "class": "", "gain": "", "pet": ""}, {}),
        ({"share": "0.5", "class": "cat", "gain": "exp", "pet": "dog"}, None),
        ({"class": "hen", "t": "-inf"}, None),
        ({"nobody": "asks", "Share": "0.5", "share": "0.5"}, {"share": "0.5"}),
    ],
)
def test_what_nobody_can_use_is_taken_out(asked: dict[str, str], left: dict[str, str] | None) -> None:
    test = AppTest.from_function(cleaned_page)
    test.query_params.update(asked)
    for _ in range(2):
        assert not test.run().exception
        assert {key: "".join(value) for key, value in test.query_params.items()} == (asked if left is None else left)


def test_what_was_taken_out_does_not_come_back_with_the_next_page() -> None:
    test = AppTest.from_function(cleaned_page)
    test.query_params.update({"data": "digits", "share": "2"})
    test.run()
    drop_address(test)
    assert test.query_params == {"data": "digits"}


@pytest.mark.parametrize(
    "lists",
    [
        [["IPrec@0.1", "nDCG(gain=exp)@10"]],
        [["a,b", "50 %", "%7E"], ["~", "!", "*"], ["*-", "**.", "~!*~"]],
        [["", "é", "\u202e", "\x00"]],
    ],
)
def test_names_of_any_kind_are_read_as_they_were_written(lists: list[list[str]]) -> None:
    test = AppTest.from_function(names_page)
    test.query_params["names"] = written(lists)
    test.run()
    assert test.session_state["read"] == tuple(map(tuple, lists))


def test_names_in_the_address_are_encoded_by_the_browser_alone() -> None:
    assert written([["IPrec@0.1", "a,b 50 %"], ["a~b!c*d"]]) == "IPrec@0.1~a,b 50 %!a*-b*.c**d"
    assert written([["half \ud800"]]) == "half ?"


def test_half_a_character_is_not_written_into_the_address() -> None:
    def half_page() -> None:
        from pages.widgets.session import address

        address.put("find", "half \ud800")
        address.put_page_text("room", "half \ud800")

    test = AppTest.from_function(half_page).run()
    assert not test.exception
    assert dict(test.query_params) == {"find": "half ?", "room": "half ?"}


def test_a_fragment_with_an_address_of_before_loses_nothing_that_was_put_meanwhile() -> None:
    def fragments() -> None:
        import streamlit as st

        from pages.widgets.session import address

        st.button("k", on_click=address.put, args=("k", 11))
        st.button("find", on_click=address.put, args=("find", "q7"))

    test = AppTest.from_function(fragments).run()
    test.button[0].click().run()
    test.query_params.clear()
    test.button[1].click().run()
    assert dict(test.query_params) == {"k": "11", "find": "q7"}
