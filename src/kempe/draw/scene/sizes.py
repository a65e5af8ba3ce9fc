"""The measures of a picture, in px at its normal size: one list for every place that draws."""

from dataclasses import asdict, dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """Widths, gaps and limits; those marked * grow and shrink with the symbols."""

    link: float = 15.0  # * width of a link
    edge: float = 1.6  # outline of a link
    halo: float = 2.0  # gap around a link where links cross
    ghost: float = 5.5  # * width of a link at another moment
    lift: float = 24.0  # * by which a joint in space is drawn nearer than the links it joins
    segment: float = 36.0  # links in space are cut into pieces so long, each sorted by depth
    dot: float = 3.4  # * radius of a point of interest
    pen: float = 4.0  # * radius of the point that draws a trace
    pin: float = 4.6  # * radius of a ground pivot's pin
    overhang: float = 34.0  # * that a guide goes on beyond the block at its furthest
    rail: float = 11.0  # * from a block's axis to the hatched line it slides on
    rod: float = 3.2  # * width of the rod that guides a block on a moving body
    slot: float = 15.0  # * width of a slot
    belt: float = 2.6  # * width of a belt
    post: float = 2.6  # * radius of a post in space
    foot: float = 11.0  # * radius of a post's foot
    hatch_step: float = 6.5  # * between hatching strokes
    hatch: float = 8.0  # * length of a hatching stroke
    label: float = 17.0  # from a point to its name
    letter: float = 6.2  # width of a letter, about
    triad: float = 24.0  # length of the small axes in a corner of a spatial picture
    flat: float = 0.15  # sine of the angle to the line of sight below which an axis has no letter
    triad_place: float = 48.0  # of their origin from the left and from below
    tick: float = 74.0  # least distance of grid lines
    margin_side: float = 420.0  # a picture so large has full margins
    margins: tuple[float, float, float, float] = (60.0, 48.0, 46.0, 68.0)  # left top right bottom
    normal_side: float = 440.0  # a picture so large has symbols at their normal size
    normal_link: float = 46.0  # a link so long carries symbols at their normal size
    smallest: float = 0.42  # least factor on symbols
    largest: float = 1.2  # most
    fitted_samples: int = 240  # of the motion; more would not change the bounds visibly
    floor: float = 0.06  # of the scene's size, from its lowest point to the floor
    apron: float = 0.12  # of the scene's size, that the floor goes on around it
    floor_lines: float = 9.0  # squares of the floor's longer side, about

    def document(self) -> dict[str, object]:
        """The plain data a player reads."""
        return asdict(self)


SIZES = Sizes()
