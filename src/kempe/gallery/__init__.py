"""Named mechanisms, ready to run: each takes its dimensions by keyword and comes driven."""

from collections.abc import Callable

from kempe.front import Mechanism
from kempe.gallery.four_bar import four_bar
from kempe.gallery.four_bar_chain import four_bar_chain
from kempe.gallery.slider_crank import slider_crank
from kempe.gallery.sung import sung_combined, sung_four_bar, sung_slider_crank

__all__ = [
    "MECHANISMS",
    "four_bar",
    "four_bar_chain",
    "slider_crank",
    "sung_combined",
    "sung_four_bar",
    "sung_slider_crank",
]

MECHANISMS: dict[str, Callable[..., Mechanism]] = {
    function.__name__: function
    for function in (
        four_bar,
        four_bar_chain,
        slider_crank,
        sung_combined,
        sung_four_bar,
        sung_slider_crank,
    )
}
