"""What is installed from others: its licences (`make lock` lists them), and known flaws of it (`make check` looks).

The audit reads the export of PyPI's advisories in the OSV format, a zip file that ``$ADVISORIES`` names. It asks
nobody, so without that file it has nothing to look into, and says so.
"""

import json
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
LOCKS = (ROOT / "requirements.lock", ROOT / "requirements-dev.lock")
LICENCES = ROOT / "LICENCES.md"
_INTRODUCTION = """# Licences

What `make` installs, with the licence that each package states. The first table is what runs; the second is what builds
and tests. `make lock` writes this file.
"""


def locked(path: Path) -> dict[str, list[Requirement]]:
    """The requirements of a lock by name; more than one where versions depend on the Python."""
    pinned: dict[str, list[Requirement]] = {}
    for line in re.findall(r"^[a-z].*?(?= \\$)", path.read_text("utf-8"), re.MULTILINE):
        requirement = Requirement(line)
        pinned.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return pinned


def licences() -> str:
    """A table for each lock: package and licence, of what is installed here."""
    run, every = map(locked, LOCKS)
    parts = [_INTRODUCTION]
    for names in (run, [name for name in every if name not in run]):
        rows = [f"| {name} | {_licence(name)} |" for name in names]
        parts.append("\n".join(["| package | licence |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _licence(name: str) -> str:
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return "not installed on this system"
    classifiers = [each.split(" :: ")[-1] for each in about.get_all("Classifier", []) if each.startswith("License ::")]
    stated = about["License"] or distribution(name).read_text("licenses/LICENSE") or "not stated"
    return about["License-Expression"] or ", ".join(classifiers) or stated.splitlines()[0]


def flaws(pinned: dict[str, list[Requirement]], advisories: zipfile.ZipFile) -> Iterator[str]:
    """A sentence for each locked version that an advisory names."""
    for file in advisories.namelist():
        advisory = json.loads(advisories.read(file))
        for affected in () if advisory.get("withdrawn") else advisory.get("affected", ()):
            package = affected.get("package", {})
            if package.get("ecosystem") == "PyPI":
                for requirement in pinned.get(canonicalize_name(package["name"]), ()):
                    (pin,) = requirement.specifier
                    if _affects(affected, Version(pin.version)):
                        summary = advisory.get("summary", "")
                        yield f"{requirement.name} {pin.version}: {advisory['id']} {summary}".rstrip()


def _affects(affected: dict, version: Version) -> bool:
    return str(version) in affected.get("versions", ()) or any(
        _within(stretch["events"], version)
        for stretch in affected.get("ranges", ())
        if stretch["type"] in ("ECOSYSTEM", "SEMVER")
    )


def _within(events: list[dict[str, str]], version: Version) -> bool:
    try:
        bounds = sorted((Version(at), event) for each in events for event, at in each.items())
    except InvalidVersion:  # of long ago; the list of versions has it
        return False
    inside = False
    for at, event in bounds:
        if event == "introduced":
            inside = inside or version >= at
        elif version > at or (event == "fixed" and version == at):
            inside = False
    return inside


def audit() -> int:
    """Say what the advisories know of what is locked; 1 if that is anything."""
    path = os.environ.get("ADVISORIES", "")
    if not zipfile.is_zipfile(path):
        print("Audit: no data to audit with. Set ADVISORIES to the zip file of PyPI's advisories in the OSV format.")
        return 0
    with zipfile.ZipFile(path) as advisories:
        known = list(flaws(locked(LOCKS[1]), advisories))
        print(*known, f"Audit: {len(known)} known flaws, {len(advisories.namelist())} advisories read.", sep="\n")
    return bool(known)


if __name__ == "__main__":
    if sys.argv[1:] == ["licences"]:
        LICENCES.write_text(licences(), "utf-8")
    else:
        sys.exit(audit())
