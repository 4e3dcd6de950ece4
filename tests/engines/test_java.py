"""Which Java Spark is given, and what is said where there is none."""

from pathlib import Path

import pytest

from tests.engines import java
from tests.words import sentence_with


def put(home: Path, version: str, name: str = "java") -> Path:
    """A program that says of which version it is."""
    program = home / "bin" / name
    program.parent.mkdir(parents=True, exist_ok=True)
    settings = f"    java.home = {home}\n    java.specification.version = {version}"
    program.write_text(f"#!/bin/sh\necho '{settings}' >&2\n")
    program.chmod(0o755)
    return program


@pytest.fixture(autouse=True)
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without Java and without packages."""
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(java, "USUAL", (f"{tmp_path}/usual/*",))


def test_the_named_one_comes_first_and_one_that_is_too_old_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert java.find() is None
    put(tmp_path / "usual" / "jdk-8", "1.8")
    put(tmp_path / "usual" / "jdk-21", "21")
    assert java.find() == str(tmp_path / "usual" / "jdk-21")
    monkeypatch.setenv("PATH", str(put(tmp_path / "path", "17").parent))
    assert java.find() == str(tmp_path / "path")
    for version, home in (("11", "path"), ("25", "named")):
        put(tmp_path / "named", version)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path / "named"))
        assert java.find() == str(tmp_path / home)


def test_without_one_it_says_what_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    assert java.main() == 1
    assert sentence_with(capsys.readouterr().err, "21", "install")


def test_one_of_the_system_is_installed_where_that_is_allowed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ready = put(tmp_path / "ready", "17")
    manager = tmp_path / "empty" / "apt-get"
    there = tmp_path / "usual" / "jdk-17" / "bin"
    manager.write_text(
        f'#!/bin/sh\ncase "$*" in *openjdk-17*) /bin/mkdir -p {there} && /bin/cp {ready} {there};; *) exit 1;; esac\n'
    )
    manager.chmod(0o755)
    monkeypatch.setattr(java.os, "geteuid", lambda: 1000)
    assert java.main() == 1
    monkeypatch.setattr(java.os, "geteuid", lambda: 0)
    assert java.main() == 0
    assert java.find() == str(tmp_path / "ready")
