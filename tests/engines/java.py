"""The Java that Spark runs on: one that is here already, else one that is installed now.

Run as a program (``python -m tests.engines.java``) it installs one if none is there, or says what to install.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST = 17
VERSIONS = (21, 17, 25)
"""In the order in which they are tried; a distribution has some of them."""

USUAL = (
    "/usr/lib/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/opt/homebrew/opt/openjdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    str(Path.home() / ".sdkman/candidates/java/current"),
)
PACKAGES = {"apt-get": "openjdk-{}-jre-headless", "dnf": "java-{}-openjdk-headless"}


def find() -> str | None:
    """JAVA_HOME of a Java that is new enough: the one of that name, the one on the PATH, or one in a usual place."""
    return next(filter(None, map(_home, _programs())), None)


def install() -> None:
    """Get one from the system's packages where that is allowed."""
    manager = next(filter(shutil.which, PACKAGES), None)
    if manager is None or os.geteuid() != 0:
        return
    quiet = {"env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, "check": False, "stdout": sys.stderr}
    if manager == "apt-get":
        subprocess.run([manager, "update", "-qq"], **quiet)
    for version in VERSIONS:
        subprocess.run([manager, "install", "-y", "-q", PACKAGES[manager].format(version)], **quiet)
        if find():
            return


def _programs() -> Iterator[str]:
    if home := os.environ.get("JAVA_HOME"):
        yield str(Path(home, "bin", "java"))
    if program := shutil.which("java"):
        yield program
    for pattern in USUAL:
        yield from map(str, sorted(Path("/").glob(f"{pattern.lstrip('/')}/bin/java")))


def _home(program: str) -> str | None:
    """Where a Java is, None if it is too old or does not start."""
    try:
        answer = subprocess.run(
            [program, "-XshowSettings:properties", "-version"], capture_output=True, text=True, timeout=60, check=False
        )
    except OSError:
        return None
    properties = dict(re.findall(r"^ +(java\.\S+) = (.+)$", answer.stderr, re.MULTILINE))
    version = properties.get("java.specification.version", "")
    return properties.get("java.home") if version.isdecimal() and int(version) >= OLDEST else None


def main() -> int:
    if find() is None:
        install()
    if home := find():
        print(f"Java: {home}")
        return 0
    wanted = " or ".join(f"{manager} install {name.format(VERSIONS[0])}" for manager, name in PACKAGES.items())
    print(
        f"Spark needs Java {OLDEST} or newer, and there is none in JAVA_HOME, on the PATH or in the usual places. "
        f"Install one ({wanted}), or set JAVA_HOME.",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
