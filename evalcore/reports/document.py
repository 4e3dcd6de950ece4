"""The document of a report: its head with the policy that forbids everything outside, styles, chapters, script."""

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from evalcore.figures import OUTCOMES, ink, logo
from evalcore.figures.cockpit import cockpit_program
from evalcore.figures.svg import colour_variables
from evalcore.reports.parts import Chapter
from evalcore.wording import escaped


def document(title: str, date: str, chapters: Sequence[Chapter]) -> str:
    """Chapters as one page, whose title is plain text."""
    words = escaped(title)
    names = [f"c{index}" for index in range(len(chapters))]
    contents = "".join(
        f'<li><a href="#{name}">{escaped(chapter.title)}</a></li>'
        for name, chapter in zip(names, chapters, strict=True)
    )
    body = "".join(chapter.html(name) for name, chapter in zip(names, chapters, strict=True))
    data = next((chapter.data for chapter in chapters if chapter.data is not None), None)
    script, style = _script(data is not None), _style()
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{words} · Evalcore report</title><style>{style}</style></head>"
        f'<body data-picture="svg" data-file="{words}"><header>{logo()}<div><h1>{words}</h1>'
        f"<p>Evalcore report, {escaped(date)}</p></div></header><nav><ul>{contents}</ul></nav><main>{body}</main>"
        f"{_embedded(data)}{f'<script>{script}</script>' if script else ''}</body></html>"
    )


def _policy(script: str) -> str:
    """Nothing from anywhere: only styles and pictures in the document, and the one script by its digest."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f"script-src 'sha256-{digest}'" if script else "script-src 'none'"
    inside = "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; {scripts}; {inside}"


def _embedded(data: object) -> str:
    """What the script draws from, as JSON in which no tag can end; a script of this type is never run."""
    if data is None:
        return ""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Whatever stands in a name, "<" begins no tag and no comment there.
    text = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="cockpit-data">{text}</script>'


def _script(live: bool) -> str:
    if not live:
        return ""
    program, style = cockpit_program()
    own = Path(__file__).with_name("report.js").read_text(encoding="utf-8")
    program = program.replace("export default function", "const cockpit = function")
    text = f"{program}\nconst COCKPIT_STYLE = {json.dumps(style)}\n{own}"
    return f'"use strict";(() => {{\n{text}\n}})()'


def _style() -> str:
    """The rules of style, with the colours of both grounds."""
    rules = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    light, dark = (
        "".join(f"--{name}:{colour};" for name, colour in (colour_variables(ink(ground)) | OUTCOMES).items())
        for ground in (False, True)
    )
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"
