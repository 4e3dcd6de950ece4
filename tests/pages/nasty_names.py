"""Names that do something where text is read as Markdown, HTML or a formula."""

NASTY = (
    *("![x](http://e.com/a.png)", "[a](http://e.com)", "http://e.com", "www.e.com", "me@e.com", "mailto:me@e.com"),
    *(":smile:", ":material/home:", ":streamlit:", ":red[x]", "a -> b", "a <- b", "a -- b", "a >= b", "$x^2$", "$5 $6"),
    *("<script>alert(1)</script>", "<b>x</b>", "&amp;", "`x`", "**b**", "# h", "- x", "+ x", "1. x", "> q", "a_b_c"),
    *("~~x~~", "---", "| a | b |", "- [x] done", "[^1]", "\\", "\\*", "x" * 500, "Größe", "日本語", "👩‍👩‍👧"),
)
