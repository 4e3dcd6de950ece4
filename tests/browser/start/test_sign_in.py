"""Sign-in with a provider: nothing before it, and an upload belongs to the person, in whatever browser."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.openid import CLIENT, Provider, provider
from tests.browser.screen import act, arrive, go, upload
from tests.browser.server import free_port, serving

CSV = b"actual,score\nill,0.9\nwell,0.2\nill,0.4\n"


@pytest.fixture
def people() -> Iterator[Provider]:
    with provider() as server:
        yield server


@pytest.fixture
def guarded(tmp_path: Path, people: Provider) -> Iterator[str]:
    """Address of a server that asks for a sign-in."""
    port = free_port()
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(
        f"""[auth]
        redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
        cookie_secret = "a long random text for a test"
        client_id = "{CLIENT}"
        client_secret = "secret"
        server_metadata_url = "{people.address}/.well-known/openid-configuration"
        """
    )
    with serving(tmp_path, "app.py", f"--secrets.files={secrets}", port=port) as address:
        yield address


def signed_in(page: Page, server: str, person: str, people: Provider) -> Page:
    people.person = person
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    go(page, f"{server}/data")
    return page


def stored(page: Page) -> Locator:
    page.get_by_role("tab", name="Stored").click()
    return page.locator("[class*=st-key-stored]").filter(has_text="ward.csv").get_by_role("button", name="Delete")


def test_an_upload_belongs_to_the_person_who_signed_in(
    guarded: str, people: Provider, visitor: Callable[..., Page]
) -> None:
    first, second = visitor(), visitor()
    arrive(first, f"{guarded}/data?data=roc_20")
    expect(first.get_by_role("heading", name="Evalcore")).to_be_visible()
    expect(first.locator("[data-testid=stSidebar], [role=grid], input[type=file]")).to_have_count(0)
    ada = signed_in(first, guarded, "ada", people)
    upload(ada, {"name": "ward.csv", "mimeType": "text/csv", "buffer": CSV})
    expect(ada.locator(".st-key-heading")).to_contain_text("ward.csv")
    arrive(second, guarded)
    eve = signed_in(second, guarded, "eve", people)
    expect(stored(eve)).to_have_count(0)
    eve.get_by_role("button", name="Sign out").click()
    expect(eve.get_by_role("button", name="Sign in")).to_be_visible()
    elsewhere = signed_in(second, guarded, "ada", people)
    expect(stored(elsewhere)).to_be_visible()
    ada.get_by_role("button", name="Sign out").click()
    expect(ada.get_by_role("button", name="Sign in")).to_be_visible()
    stored(elsewhere).click()
    act(elsewhere, elsewhere.get_by_role("button", name="Yes, delete").click)
    expect(stored(elsewhere)).to_have_count(0)
