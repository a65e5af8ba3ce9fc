"""What a notebook shows of a thing: tables as tables, text as it stands, pages in a frame, bars."""

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, final

T = TypeVar("T")

FRAME_HEIGHT = 520  # pixels of a page inside a notebook
LEFT = "text-align:left"
QUIET = 1.0  # s before a bar is shown
PAUSE = 0.2  # s between two pictures of a bar


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


def in_cell(value: object) -> str:
    """A value as a cell of a table shows it: a number with six digits that count.

    Examples:
        >>> in_cell(1 / 3), in_cell("Done")
        ('0.333333', 'Done')
    """
    return f"{value:.6g}" if isinstance(value, float) else str(value)


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


def is_in_notebook() -> bool:
    """Whether a kernel of a notebook runs this, and not a terminal."""
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running = shell.get_ipython()
    return running is not None and type(running).__name__ == "ZMQInteractiveShell"


@contextmanager
def told(
    given: Callable[[T], None] | None, read: Callable[[T], tuple[float | None, str]]
) -> Iterator[Callable[[T], None] | None]:
    """What a long computation calls to say how far it is: `given` by the user, or a notebook's bar.

    `read` makes of what it says the share that is done, None where nobody knows, and words. The bar
    comes after a second and goes when the computation is over. Elsewhere than in a notebook nothing
    is called where nothing was given.

    Examples:
        >>> with told(None, lambda share: (share, "")) as tell:
        ...     print(tell)
        None
    """
    if given is not None or not is_in_notebook():
        yield given
        return
    bar = Bar()
    try:
        yield lambda said: bar.show(*read(said))
    finally:
        bar.close()


@final
class Bar:
    """A bar below a notebook's cell: how far a computation is, and how long it will take."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._last = -math.inf  # when it was last drawn
        self._place: Any = None  # below the cell

    def show(self, done: float | None, words: str) -> None:
        """Say that a share `done` (0 to 1) is done, None where nobody knows, and what of it."""
        now = self._clock()
        if now - self._began < QUIET or now - self._last < PAUSE:
            return
        self._last = now
        page = Shown(bar_html(done, words, now - self._began))
        if self._place is None:
            self._place = sys.modules["IPython"].display.display(page, display_id=True)
        else:
            self._place.update(page)

    def close(self) -> None:
        """Take the bar away."""
        if self._place is not None:
            self._place.update(Shown(""))
            self._place = None


@final
class Shown:
    """HTML below a notebook's cell; in words it is nothing."""

    def __init__(self, page: str) -> None:
        self.page = page

    def _repr_html_(self) -> str:
        return self.page

    def __repr__(self) -> str:
        return ""


def bar_html(done: float | None, words: str, passed: float) -> str:
    """A bar with words beside it: how much is done, and about how many seconds are left.

    Examples:
        >>> "42 %, about 7 s left" in bar_html(0.42, "", 5.0)
        True
    """
    import html

    parts = [words] if words else []
    share = ""
    if done is not None and 0.0 < done <= 1.0:
        parts.append(f"{100.0 * done:.0f} %, about {passed * (1.0 - done) / done:.0f} s left")
        share = f' value="{done:.4f}"'
    else:
        parts.append(f"{passed:.0f} s")
    said = html.escape(", ".join(parts))
    return f'<progress max="1"{share} style="width:40%" aria-label="{said}"></progress> {said}'
