"""The drawing symbols of joints and forces, and the measures of a picture, as data.

A joint names its symbol by a word (``symbol: ClassVar[str] = "pin"``). What the word looks like
stands here and nowhere else: small solids and strokes in the joint's own frame, whose z is the
joint's axis. A picture only projects them, so that a drum along the line of sight is a circle in
the plane and a barrel in space. Lengths are in pixels of a picture at its normal size.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal, final

Side = Literal["i", "j"]  # the guiding frame, the guided frame
Fill = Literal["paper", "body", "ink"]  # "body" is the tint of the side's body
Guide = Literal["none", "rail", "slot", "barrel", "bore"]
Wrap = Literal["none", "open", "crossed"]
Path = tuple[tuple[float, float], ...]


@final
@dataclass(frozen=True, slots=True)
class Drum:
    """A cylinder about the axis, its middle ``at`` along it."""

    radius: float
    half_length: float
    fill: Fill = "paper"
    side: Side = "j"
    at: float = 0.0
    form: str = field(default="drum", init=False)


@final
@dataclass(frozen=True, slots=True)
class Brick:
    """A box with half sizes along x, y, z."""

    half: tuple[float, float, float]
    fill: Fill = "body"
    side: Side = "j"
    form: str = field(default="block", init=False)


@final
@dataclass(frozen=True, slots=True)
class Ball:
    """A sphere at the frame's origin."""

    radius: float
    fill: Fill = "body"
    side: Side = "j"
    form: str = field(default="ball", init=False)


@final
@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points (x, y, z) of the frame."""

    points: tuple[tuple[float, float, float], ...]
    side: Side = "i"
    form: str = field(default="stroke", init=False)


@final
@dataclass(frozen=True, slots=True)
class Symbol:
    """How one kind of joint, drive or force is drawn.

    ``span`` joins the two frames' origins: each path has points (u, v), u from 0 at I to 1 at J,
    v in pixels across. ``wrap`` is a belt round the wheels at both frames. ``under`` puts the
    solids below the links in the plane. ``stand`` gives a hatched bracket where I is ground.
    """

    says: str  # what it stands for, in a few words
    solids: tuple[Drum | Brick | Ball | Stroke, ...] = ()
    guide: Guide = "none"
    span: tuple[Path, ...] = ()
    under: bool = False
    stand: bool = False
    dashed: bool = False
    wrap: Wrap = "none"
    bar: bool = False  # whether what spans the frames is a bar with a width

    def document(self) -> dict[str, object]:
        """The plain data a player reads."""
        return asdict(self)


def _coil(turns: int, width: float) -> Path:
    """A spring seen from the side: straight at both ends, loops between them."""
    start, end, corners = 0.16, 0.84, 16
    pitch = (end - start) / (turns + 0.5)
    count = int(corners * (turns + 0.5))
    loops = []
    for k in range(count + 1):
        angle = 2.0 * math.pi * k / corners
        along = start + (end - start) * k / count
        loops.append((along + 0.45 * pitch * (1.0 - math.cos(angle)), width * math.sin(angle)))
    shift = 0.45 * pitch  # so that both ends are as far from the loops
    middle = tuple((round(u - shift, 4), round(v, 3)) for u, v in loops)
    return ((0.0, 0.0), (start - shift, 0.0), *middle, (end + shift, 0.0), (1.0, 0.0))


def _arc(radius: float, start: float, end: float, count: int) -> list[tuple[float, float, float]]:
    """Points of a circle about the axis, from one angle to another in degrees."""
    angles = [math.radians(start + (end - start) * k / (count - 1)) for k in range(count)]
    return [(radius * math.cos(a), radius * math.sin(a), 0.0) for a in angles]


def _spiral(inner: float, outer: float, turns: float) -> tuple[tuple[float, float, float], ...]:
    """A torsion spring: Archimedes' spiral about the axis."""
    count = 49
    shares = [k / (count - 1) for k in range(count)]
    return tuple(
        (r * math.cos(a), r * math.sin(a), 0.0)
        for r, a in ((inner + (outer - inner) * s, 2 * math.pi * turns * s) for s in shares)
    )


_PIN = Drum(radius=4.6, half_length=9.0)
_TURN = _arc(radius=23.0, start=-35.0, end=115.0, count=21)
_TURN_HEAD = ((-3.5, 26.5, 0.0), _TURN[-1], (-3.9, 15.8, 0.0))
_PUSH = ((0.0, 15.0, -16.0), (0.0, 15.0, 16.0))
_PUSH_HEADS = (
    ((0.0, 18.5, -11.0), _PUSH[0], (0.0, 11.5, -11.0)),
    ((0.0, 18.5, 11.0), _PUSH[1], (0.0, 11.5, 11.0)),
)
_TRIAD = (
    ((0.0, 0.0, 0.0), (14.0, 0.0, 0.0)),
    ((0.0, 0.0, 0.0), (0.0, 14.0, 0.0)),
    ((0.0, 0.0, 0.0), (0.0, 0.0, 14.0)),
)
_AXIS = ((0.0, 0.0, -19.0), (0.0, 0.0, 19.0))
_CORNER = ((0.0, 7.0, 0.0), (0.0, 7.0, 7.0), (0.0, 0.0, 7.0))
_PLATE = Brick((15.0, 15.0, 1.5), "paper", "i")
_STRAIGHT: Path = ((0.0, 0.0), (1.0, 0.0))
_CUP: tuple[Path, ...] = (
    ((0.0, 0.0), (0.3, 0.0)),
    ((0.7, -8.0), (0.3, -8.0), (0.3, 8.0), (0.7, 8.0)),
    ((0.52, -5.5), (0.52, 5.5)),
    ((0.52, 0.0), (1.0, 0.0)),
)
# A coil above a dashpot, between two plates.
_SIDE_BY_SIDE: tuple[Path, ...] = (
    ((0.0, 0.0), (0.12, 0.0)),
    ((0.12, -11.0), (0.12, 11.0)),
    tuple((0.12 + 0.76 * u, 7.5 + 0.65 * v) for u, v in _coil(turns=7, width=7.5)),
    *(tuple((0.12 + 0.76 * u, 0.6 * v - 7.0) for u, v in path) for path in _CUP),
    ((0.88, -11.0), (0.88, 11.0)),
    ((0.88, 0.0), (1.0, 0.0)),
)
_PISTON: tuple[Path, ...] = (
    ((0.0, 0.0), (0.12, 0.0)),
    ((0.62, -2.5), (0.62, -8.0), (0.12, -8.0), (0.12, 8.0), (0.62, 8.0), (0.62, 2.5)),
    ((0.42, -6.0), (0.42, 6.0)),
    ((0.42, 0.0), (1.0, 0.0)),
)
_EYES = (Ball(3.0, "paper", "i"), Ball(3.0, "paper"))
_DOTS = (Ball(2.2, "ink", "i"), Ball(2.2, "ink"))
_BLADE = ((0.0, 0.0, 0.0), (11.0, 0.0, 0.0))

SYMBOLS: Mapping[str, Symbol] = {
    "none": Symbol("nothing is drawn"),
    "pin": Symbol("a hinge", (_PIN,), stand=True),
    "slider": Symbol("a block on a guide", (Brick((11.0, 11.0, 20.0)),), guide="rail", under=True),
    "telescope": Symbol("a rod that comes out of a barrel", guide="barrel"),
    "piston": Symbol("a piston in its cylinder", guide="bore"),
    "sleeve": Symbol(
        "a sleeve that slides and turns on a rod", (Drum(11.0, 16.0, "body"),), "rail", under=True
    ),
    "screw": Symbol(
        "a nut on a screw",
        (
            Drum(9.0, 16.0, "body"),
            *(Drum(11.0, 1.2, "paper", at=at) for at in (-9.0, -3.0, 3.0, 9.0)),
        ),
        guide="rail",
        under=True,
    ),
    "ball": Symbol(
        "a ball in a socket", (Ball(8.4, "paper"), Ball(5.6, "body"), Ball(1.3, "ink")), stand=True
    ),
    "universal": Symbol(
        "a cross between two forks",
        (Drum(3.2, 11.0, "paper", "i"), Drum(3.2, 11.0, "paper", "j"), Ball(4.2, "ink")),
        stand=True,
    ),
    "constant_velocity": Symbol(
        "a coupling of bent shafts that keeps their speed",
        (
            Drum(3.2, 5.0, "paper", "i", at=9.0),
            Drum(3.2, 5.0, "paper", "j", at=9.0),
            Ball(7.4, "paper"),
            Ball(3.4, "ink"),
        ),
        stand=True,
    ),
    "fixed": Symbol("a weld", (Brick((5.0, 5.0, 5.0), "ink"),), stand=True),
    "plate": Symbol("a point on a plane", (_PLATE, Ball(4.2, "ink")), under=True),
    "line_on_plate": Symbol(
        "a line in a plane", (_PLATE, Stroke(_AXIS, "j"), Ball(2.6, "ink")), under=True
    ),
    "foot": Symbol("a flat foot on a plane", (_PLATE, Brick((8.0, 8.0, 3.0), "body")), under=True),
    "slot": Symbol("a pin in a slot", (Ball(4.6, "paper"),), guide="slot"),
    "bead": Symbol("a bead on a wire", (Ball(6.2, "body"),), guide="rail"),
    "rider": Symbol("a point on a curve or a surface", (Ball(6.2, "body"),)),
    "parallel": Symbol(
        "axes that stay parallel", (Stroke(_AXIS, "i"), Stroke(_AXIS, "j"), Ball(1.6, "ink"))
    ),
    "square": Symbol(
        "axes that stay square",
        (Stroke(_AXIS, "i"), Stroke(_AXIS, "j"), Stroke(_CORNER, "i"), Ball(1.6, "ink")),
    ),
    "angle": Symbol(
        "axes that keep their angle",
        (Stroke(_AXIS, "i"), Stroke(_AXIS, "j"), Ball(2.6, "paper")),
    ),
    "aligned": Symbol(
        "frames that stay turned alike",
        (*(Stroke(line, "i") for line in _TRIAD), *(Stroke(line, "j") for line in _TRIAD)),
    ),
    "contact": Symbol("two outlines touching", (Ball(2.8, "ink"),)),
    "rod": Symbol(
        "a constant distance",
        (Ball(3.4, "paper", "i"), Ball(3.4, "paper")),
        span=(_STRAIGHT,),
        bar=True,
        stand=True,
    ),
    "tie": Symbol("one frame seen from another", span=(_STRAIGHT,)),
    "pinned_rod": Symbol(
        "a constant distance between parallel pins",
        (Drum(4.6, 9.0, "paper", "i"), Drum(4.6, 9.0)),
        span=(_STRAIGHT,),
        bar=True,
        stand=True,
    ),
    "sliding_pinned_rod": Symbol(
        "a constant distance between a sleeve and a parallel pin",
        (Stroke(_AXIS, "i"), Drum(5.6, 9.0, "body", "i"), Drum(4.6, 9.0)),
        span=(_STRAIGHT,),
        bar=True,
    ),
    "sliding_rod": Symbol(
        "a constant distance between a sleeve and a ball",
        (Stroke(_AXIS, "i"), Drum(5.6, 9.0, "body", "i"), Ball(3.4, "paper")),
        span=(_STRAIGHT,),
        bar=True,
    ),
    "coupled": Symbol("parts that depend on each other", span=(_STRAIGHT,), dashed=True),
    "belt": Symbol("a belt or chain", wrap="open"),
    "crossed_belt": Symbol("a crossed belt", wrap="crossed"),
    "spring": Symbol("a spring", _EYES, span=(_coil(turns=8, width=8.0),), stand=True),
    "damper": Symbol("a dashpot", _EYES, span=_CUP, stand=True),
    "spring_damper": Symbol("a spring and a dashpot", _EYES, span=_SIDE_BY_SIDE, stand=True),
    "rope": Symbol("a rope", _EYES, span=(_STRAIGHT,), stand=True),
    "cylinder": Symbol("a cylinder with its piston", _EYES, span=_PISTON, stand=True),
    "pull": Symbol("a pull from afar", _DOTS, span=(_STRAIGHT,), dashed=True),
    "bushing": Symbol("a bushing", (Drum(12.0, 6.0, "paper", "i"), Drum(5.5, 8.0, "body"))),
    "spiral": Symbol("a torsion spring", (Stroke(_spiral(6.0, 16.0, 2.75)),)),
    "rotary_damper": Symbol(
        "a dashpot that turns", (Stroke(tuple(_arc(14.0, 20.0, 340.0, 33))), Stroke(_BLADE))
    ),
    "motor": Symbol("a drive that turns", (Stroke(tuple(_TURN)), Stroke(_TURN_HEAD))),
    "actuator": Symbol("a drive that pushes", tuple(map(Stroke, (_PUSH, *_PUSH_HEADS)))),
}

# The bracket of a ground pivot, in pixels right and up of the pin, and its hatched foot.
STAND_OUTLINE: Path = (
    (-13.0, -22.0),
    *((x, y) for x, y, _ in _arc(radius=8.0, start=165.0, end=15.0, count=11)),
    (13.0, -22.0),
)
STAND_FOOT: Path = ((-21.0, -22.0), (21.0, -22.0))


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """Widths, gaps and limits; those marked * grow and shrink with the symbols."""

    link: float = 15.0  # * width of a link
    edge: float = 1.6  # outline of a link
    halo: float = 2.0  # gap around a link where links cross
    stick: float = 9.0  # * width of a bar that is a mere distance
    shine: float = 0.3  # of a round bar's radius: half the width of the light on it
    shine_off: float = 0.34  # of its radius: how far that lies from the middle
    ghost: float = 5.5  # * width of a link at another moment
    lift: float = 24.0  # * by which a joint in space is drawn nearer than the links it joins
    under_lift: float = 12.0  # * of blocks and plates: what is pinned to them stays in front
    segment: float = 36.0  # links in space are cut into pieces so long, each sorted by depth
    dot: float = 3.4  # * radius of a point of interest
    pen: float = 4.0  # * radius of the point that draws a trace
    pin: float = 4.6  # * radius of a ground pivot's pin
    overhang: float = 34.0  # * that a guide goes on beyond the block at its furthest
    rail: float = 11.0  # * from a block's axis to the hatched line it slides on
    rod: float = 3.2  # * width of the rod that guides a block on a moving body
    slot: float = 15.0  # * width of a slot
    barrel: float = 24.0  # * width of a barrel that a rod comes out of
    gland: float = 5.0  # * length of the collar at its mouth
    wall: float = 2.5  # * from a piston to the wall of its cylinder
    belt: float = 2.6  # * width of a belt
    post: float = 2.6  # * radius of a post in space
    foot: float = 11.0  # * radius of a post's foot
    hatch_step: float = 6.5  # * between hatching strokes
    hatch: float = 8.0  # * length of a hatching stroke
    label: float = 17.0  # from a point to its name
    letter: float = 6.8  # width of a letter, about
    point_letter: float = 8.2  # of the names of points, which are larger
    word: float = 17.0  # height of a word
    crowd: float = 24.0  # from a named point to the next; nearer ones of a body stay without names
    word_gap: float = 3.0  # at both ends of a word, to the next one
    touching: float = 0.01  # by which words may overlap and count as apart
    rounds: int = 60  # in which words that overlap are pushed apart
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
