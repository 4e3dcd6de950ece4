"""The Markdown of our verdicts as HTML: bold, small and grey words, paragraphs; everything else is plain text."""

import re

from evalcore.wording import escaped

_ENTITY = re.compile(r"&amp;(#\d{1,7}|amp|lt|gt|quot);")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_LOOK = re.compile(r":(small|gray|grey|red|orange|green|blue)\[([^\[\]]*)\]")
_BOLD, _ITALIC, _CODE = (
    re.compile(r"\*\*(.+?)\*\*"),
    re.compile(r"(?<![*\w])\*([^*\n]+)\*(?!\w)"),
    re.compile(r"`([^`]+)`"),
)
_BREAK = re.compile(r" {2,}\n|\\\n|&lt;br ?/?&gt;")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_JOINER = "\u2060"


def markdown_html(text: str) -> str:
    """Our Markdown as paragraphs; names in it are escaped, and whatever was forgotten there stays text here too.

    >>> markdown_html("**Good** for :gray[&#42;you&#42;]: see [recall](measures?measure=recall)")
    '<p><b>Good</b> for <span class="grey">&#42;you&#42;</span>: see recall</p>'
    >>> markdown_html("<script>x</script> at p < 0.05")
    '<p>&lt;script&gt;x&lt;/script&gt; at p &lt; 0.05</p>'
    >>> markdown_html("Two:\\n- one\\n- *two*")
    '<p>Two:</p><ul><li>one</li><li><em>two</em></li></ul>'
    """
    safe = _ENTITY.sub(r"&\1;", escaped(text.replace(_JOINER, ""), quote=False))
    return "".join(_block(block) for block in re.split(r"\n\s*\n", safe.strip()) if block.strip())


def _block(block: str) -> str:
    """A paragraph, a list, or a list under a paragraph."""
    words, *items = re.split(r"(?:^|\n)\s*[-*] (?=\S)", block.strip())
    listed = f"<ul>{''.join(f'<li>{_inline(item.strip())}</li>' for item in items)}</ul>" if items else ""
    return (f"<p>{_inline(words)}</p>" if words else "") + listed


def _inline(text: str) -> str:
    text = _ESCAPED.sub(lambda match: f"&#{ord(match[1])};", text)
    text = _LINK.sub(r"\1", text)
    text = _BOLD.sub(r"<b>\1</b>", text)
    text = _ITALIC.sub(r"<em>\1</em>", _CODE.sub(r"<code>\1</code>", text))
    while (inner := _LOOK.sub(_look, text)) != text:
        text = inner
    return _BREAK.sub("<br>", text)


def _look(match: re.Match[str]) -> str:
    return f'<span class="{"small" if match[1] == "small" else "grey"}">{match[2]}</span>'
