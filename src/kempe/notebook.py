"""What a notebook shows of a thing: tables as tables, text as it stands, pages in a frame."""

from collections.abc import Iterable, Sequence

FRAME_HEIGHT = 520  # pixels of a page inside a notebook
LEFT = "text-align:left"


def table_html(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table with a head and a caption; every cell is escaped.

    Examples:
        >>> table_html(["a"], [["<1>"]])
        '<table><thead><tr><th style="text-align:left">a</th></tr></thead><tbody><tr>\
<td style="text-align:left">&lt;1&gt;</td></tr></tbody></table>'
    """

    import html

    def cells(tag: str, row: Sequence[object]) -> str:
        each = (f'<{tag} style="{LEFT}">{html.escape(str(cell))}</{tag}>' for cell in row)
        return f"<tr>{''.join(each)}</tr>"

    title = f'<caption style="{LEFT}">{html.escape(caption)}</caption>' if caption else ""
    body = "".join(cells("td", row) for row in rows)
    return f"<table>{title}<thead>{cells('th', heads)}</thead><tbody>{body}</tbody></table>"


def text_html(text: str) -> str:
    """Text with its lines and columns as they stand."""
    import html

    return f'<pre style="white-space:pre-wrap">{html.escape(text)}</pre>'


def page_html(page: str) -> str:
    """A whole page in a frame of its own, so that its script and style touch nothing else."""
    import html

    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts"'
        f' style="width:100%;height:{FRAME_HEIGHT}px;border:0"></iframe>'
    )
