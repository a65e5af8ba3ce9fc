"""A figure that a notebook shows as it stands: without pyplot, and without magic words before it.

It is imported when the first plot is drawn, since matplotlib is an extra.
"""

from typing import Any, final

from matplotlib.figure import Figure

CSS_DOTS = 96.0  # an inch, as pages in a browser count them


@final
class ShownFigure(Figure):
    """A figure of matplotlib that knows how to show itself below a cell."""

    def dark(self) -> Figure:
        """A copy of it on dark paper."""
        from kempe.export.dark import darkened

        return darkened(self)

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        """The picture, and how large a page shows it: its dots are finer than the page's."""
        from kempe.export.plots import picture_bytes

        wide, high = self.get_size_inches() * CSS_DOTS
        return picture_bytes(self, ".png"), {"width": round(wide), "height": round(high)}
