"""Promise: composed trouble in the plane takes no position away, adds none and lists none twice.

Every constraint is said again in other forms, bodies are held and guided at odd angles, bars can
vanish, limits are of any width, everything at a scale of 1e-6 to 1e6 m.

Oracle: closed forms written from the drawing: where circles and lines meet, how far a crank turns
before its rod is too short, Grashof's rule. Places are compared, not only counted.
"""

import cmath
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import kempe as kp
from kempe.geometry.curves import Circle, Line
from kempe.joints import NoRotation, PinInSlot
from kempe.results.maps.certificate import Promise

CASES = 12
# a bar at its vanishing, a leg without bounds, a weld said twice, guides a last digit apart
REMEMBERED = (90, 173, 386, 50930, 51528, 52355, 200213, 200510, 201694, 203189)
CLEAR = 0.02  # of a length of 1: how far every case keeps from where its count changes
CLOSE = 1e-6  # of a length of 1: places that are the same; different ones are CLEAR apart or more
SMALL = 1e-4  # of an unknown: a place where a bar vanishes, no matter what else
STEP = 0.02  # between samples of a motion, in its unknowns
NEAR = 0.06  # of a length of 1: as far as a place between two samples may be from both
ANGLES = (0.0, 15.0, 30.0, 37.0, 45.0, 73.3, 90.0, 120.0, 135.0, 200.0, -30.0, 17.123, 271.0)

Rng = np.random.Generator
Interval = tuple[float, float]


def attempt(rng: Rng) -> list[str]:
    """A mechanism of one of five families, composed with what its family allows."""
    family: Callable[[Rng], list[str]] = FAMILIES[int(rng.integers(len(FAMILIES)))]
    return family(rng)


def frame(rng: Rng) -> tuple[float, float, complex]:
    """(scale, angle, turn): where and how large a drawing is put down."""
    scale = float(10.0 ** rng.integers(-6, 7))
    degrees = float(rng.choice(ANGLES)) if rng.random() < 0.8 else float(rng.uniform(-180, 180))
    angle = math.radians(degrees)
    return scale, angle, cmath.exp(1j * angle)


def xy(z: complex) -> tuple[float, float]:
    """A place as two numbers."""
    return z.real, z.imag


def judged(found: Any, case: str, loops: int, arcs: int) -> list[str]:
    """What is wrong with a list of motions that should have so many loops and arcs."""
    outcome, closed = str(found.outcome), [c.closed for c in found.components]
    got = (closed.count(True), closed.count(False))
    if got == (loops, arcs) and outcome in ("complete", "numerical", "complete_except"):
        return []
    return [f"{got} loops and arcs instead of {(loops, arcs)}, {outcome}: {case}: {found}"]


# -- a crank, a rod, and a guide said several times ----------------------------------------------


def guided_rod(rng: Rng) -> list[str]:
    """A rod of length l from a crank of length 1 to a line at distance e from the crank's pivot."""
    scale, angle, turn = frame(rng)
    l, e = float(rng.uniform(0.3, 3.0)), float(rng.uniform(0.0, 1.5))
    low, high = (e - l), (e + l)  # l >= |sin(turn) - e| of a crank of 1
    if min(abs(abs(low) - 1.0), abs(high - 1.0), abs(low)) < CLEAR or low > 1.0:
        return []
    b = kp.Builder("guided rod", plane=True)
    crank, rod = b.bar("crank", scale), b.bar("rod", l * scale)
    b.revolute(b.ground.at(0, 0), crank.start, name="pivot")
    b.revolute(crank.end, rod.start, name="knee")
    along, start = turn, 1j * turn * e
    forms = [str(f) for f in rng.choice(GUIDES, int(rng.integers(1, 4)))]
    for k, form in enumerate(forms):
        shift = scale * (start + along * (float(rng.uniform(-1, 1)) if k else 0.0))
        guide(b, rod, form, shift, along, angle, scale, k)
    for k in range(int(rng.integers(0, 2))):  # a hinge, said again
        b.revolute(b.ground.at(0, 0), crank.start, name=f"pivot again {k}")
    limits: dict[str, Interval] = {}
    swings = turns(low, high)
    loops, arcs = (2, 0) if swings is None else (len(swings), 0)
    if rng.random() < 0.5:
        first, width = float(rng.uniform(-4, 4)), float(rng.uniform(0.3, 9.0))
        limits = {"crank.angle": (first, first + width)}
        if width < math.tau - CLEAR:
            told = cut(swings, first - angle, width)
            if told is None:
                return []
            loops, arcs = told
        elif width < math.tau + CLEAR:
            return []
    case = f"rod {l!r}, {e!r} off, guide at {angle!r}, x {scale:g}, {forms}, {limits}"
    found = b.build().motions(limits=limits)
    wrong = judged(found, case, loops, arcs)
    return wrong or missing(rng, found, case, scale, turn, (l, e), limits)


GUIDES = ("slot", "slider", "held slider", "parallel", "line", "kept apart")


def guide(
    b: kp.Builder,
    rod: Any,
    form: str,
    at: complex,
    along: complex,
    angle: float,
    scale: float,
    k: int,
) -> None:
    """One form of: the end of the rod lies on the line through `at`."""
    x, y = xy(at)
    if form == "slot":
        b.add(PinInSlot(b.ground.at(x, y).facing((*xy(along), 0.0)), rod.end), f"slot{k}")
    elif form in ("slider", "held slider"):
        slider = b.body(f"slider{k}")
        b.revolute(rod.end, slider.at(0, 0), name=f"pin{k}")
        lean = (*xy(along), 0.0)
        b.prismatic(b.ground.at(x, y), slider.at(0, 0), along=lean, along_b=(1, 0, 0), name=f"g{k}")
        if form == "held slider":
            b.hold(slider, angle=angle, name=f"held{k}")
            level = b.ground.at(0, 0).turned(angle)
            b.add(NoRotation(level, slider.at(0, 0)), f"level{k}")
    elif form == "line":
        P = b.point(f"P{k}", on=Line((x, y), xy(scale * along)))
        b.revolute(rod.end, P.at(0, 0), name=f"pin{k}")
    elif form == "parallel":
        far = at + 9.0 * scale * along
        own = b.body(f"sign{k}")
        b.revolute(b.ground.at(x, y), own.at(0, 0), name=f"post{k}")
        b.hold(own, angle=angle, name=f"turned{k}")
        sign = b.stick(f"own{k}", own.at(0, 0), own.at(scale, 0))
        bar = b.stick(f"bar{k}", b.ground.at(*xy(far)), rod.end)
        first, second = (sign, bar) if k % 2 else (bar, sign)
        first.parallel_to(second, name=f"parallel{k}")
        second.parallel_to(first, name=f"parallel again {k}")
    else:
        rail = b.body(f"rail{k}")
        b.prismatic(b.ground.at(x, y), rail.at(0, 0), along=(*xy(along), 0.0), along_b=(1, 0, 0))
        b.add(PinInSlot(rail.at(0, 0).facing((1, 0, 0)), rod.end), f"inside{k}")
        b.hold(rail, **({"x": x} if abs(along.real) > 0.5 else {"y": y}), name=f"stop{k}")


def turns(low: float, high: float) -> list[Interval] | None:
    """Where low <= sin a <= high, as stretches of a; None where that is everywhere."""
    if low < -1.0 and high > 1.0:
        return None
    down, up = math.asin(max(low, -1.0)), math.asin(min(high, 1.0))
    if low < -1.0:
        return [(math.pi - up, math.tau + up)]
    if high > 1.0:
        return [(down, math.pi - down)]
    return [(down, up), (math.pi - up, math.pi - down)]


def cut(swings: list[Interval] | None, first: float, width: float) -> tuple[int, int] | None:
    """(loops, arcs) of both bends of a rod within limits of the crank; None where it is close."""
    loops, arcs = 0, 0
    if swings is None:
        return 0, 2
    for low, high in swings:
        for whole in range(-5, 6):
            a, b = low + whole * math.tau, high + whole * math.tau
            start, end = max(a, first), min(b, first + width)
            ends = abs(a - first), abs(b - first), abs(a - first - width), abs(b - first - width)
            if min(ends) < CLEAR:
                return None
            if start < end:
                loops += (start, end) == (a, b)
                arcs += (start != a) + (end != b)  # each limit ends both bends; a turn joins them
    if swings and arcs:
        arcs = sum(
            2 if start > a and end < b else 1
            for low, high in swings
            for whole in range(-5, 6)
            for a, b in [(low + whole * math.tau, high + whole * math.tau)]
            for start, end in [(max(a, first), min(b, first + width))]
            if start < end and (start, end) != (a, b)
        )
    return loops, arcs


def missing(
    rng: Rng,
    found: Any,
    case: str,
    scale: float,
    turn: complex,
    sizes: tuple[float, float],
    limits: dict[str, Interval],
) -> list[str]:
    """Places of the rod's end, drawn at random, that no listed motion passes."""
    l, e = sizes
    passed = [c.sample(STEP).q[:, [0, 1, 2, 5]] for c in found.components]
    for _ in range(4):
        a = float(rng.uniform(0.0, math.tau))
        away = l * l - (math.sin(a) - e) ** 2
        crank = turn * cmath.exp(1j * a)
        if away < CLEAR or (limits and not inside(cmath.phase(crank), limits["crank.angle"])):
            continue
        for side in (-1.0, 1.0):
            end = turn * (math.cos(a) + side * math.sqrt(away) + 1j * e)
            rod = (end - crank) / l
            off = [
                np.abs(np.exp(1j * q[:, 2]) - crank) + np.abs(np.exp(1j * q[:, 3]) - rod)
                for q in passed
            ]
            if not off or min(float(o.min()) for o in off) > NEAR * max(1.0, 1.0 / l):
                return [f"no motion passes the crank at {a!r}, side {side:g}: {case}: {found}"]
    return []


def inside(angle: float, ends: Interval) -> bool:
    """Whether an angle lies well within limits, whole turns aside."""
    low, high = ends
    if high - low >= math.tau:
        return True
    return CLEAR < (angle - low) % math.tau < high - low - CLEAR


# -- four bars, with parts doubled ---------------------------------------------------------------


def four_bars(rng: Rng) -> list[str]:
    """A four-bar whose coupler is welded of two bodies at an odd angle, with bars said again."""
    scale, angle, turn = frame(rng)
    lengths = [float(x) for x in rng.uniform(0.3, 2.0, 4)]
    s, p, q, l = sorted(lengths)
    if min(abs(s + l - p - q), abs(l - s - p - q)) < CLEAR:
        return []
    loops = 0 if l > s + p + q else 2 if s + l < p + q else 1
    crank, coupler, rocker, ground = lengths
    b = kp.Builder("four bars", plane=True)
    one, two, three = (
        b.bar(name, scale * length)
        for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker))
    )
    far = xy(scale * ground * turn)
    b.revolute(b.ground.at(0, 0), one.start)
    b.revolute(one.end, two.start)
    b.revolute(three.start, b.ground.at(*far))
    lean = math.radians(float(rng.choice(ANGLES)))
    words = []
    if rng.random() < 0.5:  # the coupler's other half, welded on at an angle
        half = b.body("half")
        b.fixed(two.end.turned(lean), half.at(0, 0), name="weld")
        b.revolute(half.at(0, 0), three.end)
        words.append("weld")
        if rng.random() < 0.5:
            b.add(NoRotation(two.at(0, 0).turned(lean), half.at(0, 0)), "weld again")
            words.append("weld again")
    else:
        b.revolute(two.end, three.end)
    if rng.random() < 0.4:
        b.stick("coupler again", one.end, three.end, scale * coupler)
        words.append("rod")
    if rng.random() < 0.4:
        b.revolute(one.end, two.start, name="knee again")
        words.append("hinge")
    if rng.random() < 0.3:
        P = b.point("P")
        b.revolute(three.end, P.at(0, 0), name="marked")
        b.stick("rocker again", b.ground.at(*far), P, scale * rocker)
        words.append("point")
    limits = {}
    if rng.random() < 0.3:
        first = float(rng.uniform(-9, 3))
        limits = {"crank.angle": (first, first + float(rng.uniform(math.tau + 0.1, 20.0)))}
    case = f"{lengths} at {angle!r}, weld {lean!r}, x {scale:g}, {words}, {limits}"
    return judged(b.build().motions(limits=limits), case, loops, 0)


# -- bars that can vanish ------------------------------------------------------------------------


def vanishing_bar(rng: Rng) -> list[str]:
    """A bar from A, perhaps on a circle, to a point P of it, which must keep a direction."""
    scale, angle, turn = frame(rng)
    A = cmath.exp(1j * float(rng.uniform(0, math.tau)))
    if rng.random() < 0.4:
        A *= float(rng.uniform(0.1, 2.0))
    word = str(rng.choice(["parallel", "angle", "lines", "clear", "tangent"]))
    b = kp.Builder("vanishing bar", plane=True)
    P = b.point("P", on=Circle((0, 0), scale))
    bar = b.stick("bar", b.ground.at(*xy(scale * A)), P)
    sign = b.stick("sign", b.ground.at(0, 0), b.ground.at(*xy(scale * turn)))
    lean = float(rng.uniform(0.2, 1.4))
    places: list[complex] = []
    again = int(rng.integers(1, 3))
    if word in ("clear", "tangent"):
        Q, r = complex(*rng.uniform(-0.8, 0.8, 2)), float(rng.uniform(0.1, 0.6))
        gap = abs(Q - A)
        if gap < r + CLEAR:
            return []
        spread = math.asin(r / gap)
        rays = [(cmath.exp(1j * (cmath.phase(Q - A) + s * spread)), True) for s in (-1, 1)]
        for k in range(again if word == "clear" else 1):
            if word == "clear":
                bar.clear_of(b.ground.at(*xy(scale * Q)), scale * r, name=f"word{k}")
            else:
                bar.tangent_to(Circle(xy(scale * Q), scale * r), name=f"word{k}")
    else:
        for k in range(again):
            if word == "parallel":
                (
                    bar.parallel_to(sign, name=f"word{k}")
                    if k
                    else sign.parallel_to(bar, name="word")
                )
            else:
                bar.angle_to(sign, lean, oriented=word == "angle", name=f"word{k}")
        spins = [0.0] if word == "parallel" else [-lean, lean]
        rays = [(turn * cmath.exp(1j * a), word != "angle") for a in spins]
    for direction, both in rays:
        met = on_circle(A, direction, both=both)
        if met is None:
            return []
        places += met
    if any(abs(p - q) < CLEAR for k, p in enumerate(places) for q in places[:k]):
        return []
    case = f"{word} x{again} from {A!r}, sign at {angle!r}, lean {lean!r}, x {scale:g}"
    found = b.build().assemblies()
    if abs(abs(A) - 1.0) < 1e-12 and all(place.size < SMALL for place in found.singular):
        found = replace(found, outcome=Promise.COMPLETE)  # where the bar vanishes is a place
    return compared(found, [p * scale for p in places], scale, case)


def on_circle(A: complex, direction: complex, *, both: bool) -> list[complex] | None:
    """Where a line (or ray) from A meets the unit circle, but for A; None where that is close."""
    along = -(A * direction.conjugate()).real
    foot = A + along * direction
    gap = 1.0 - abs(foot) ** 2
    if abs(gap) < CLEAR:
        return None
    met = [along + s * math.sqrt(gap) for s in (-1.0, 1.0)] if gap > 0.0 else []
    on_it = abs(abs(A) - 1.0) < 1e-12
    if any(1e-9 < abs(t) < CLEAR for t in met) or (not on_it and abs(abs(A) - 1.0) < CLEAR):
        return None
    return [A + t * direction for t in met if (both or t > 0.0) and abs(t) > 1e-9]


def compared(found: Any, places: list[complex], scale: float, case: str) -> list[str]:
    """What is wrong with assemblies whose first body should be at these places."""
    if len(found) != len(places) or str(found.outcome) not in ("complete", "numerical"):
        return [f"{len(found)} instead of {len(places)}: {case}: {found}"]
    at = [complex(*state.q[:2]) for state in found]
    lost = [p for p in places if min(abs(p - q) for q in at) > CLOSE * scale]
    return [f"none at {p / scale!r}: {case}: {found}" for p in lost]


# -- legs that slide, and points held by more bars than they need --------------------------------


def held_legs(rng: Rng) -> list[str]:
    """A pin on two or three legs that turn and slide, held at lengths: where circles meet."""
    scale, angle, turn = frame(rng)
    apart, first = float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.3, 2.0))
    second = float(rng.uniform(0.3, 2.0))
    reach = (apart**2 + first**2 - second**2) / (2.0 * apart)
    height = first**2 - reach**2
    if abs(height) < CLEAR:
        return []
    places = [turn * complex(reach, s * math.sqrt(height)) for s in (-1, 1)] if height > 0 else []
    feet = [(0j, first), (turn * apart, second)]
    if places and rng.random() < 0.5:  # a third leg that fits one of the places
        third = complex(*rng.uniform(-1.5, 1.5, 2))
        gaps = [abs(p - third) for p in places]
        if min(gaps) < 0.1 or abs(gaps[0] - gaps[1]) < CLEAR:
            return []
        feet.append((third, gaps[0]))
        places = places[:1]
    b = kp.Builder("held legs", plane=True)
    P = b.point("P")
    held, kinds = {}, []
    for k, (foot, length) in enumerate(feet):
        kind = str(rng.choice(["slide", "stick", "limited"]))
        kinds.append(kind)
        if kind == "stick":
            b.stick(f"leg{k}", b.ground.at(*xy(scale * foot)), P, scale * length)
            continue
        lower, upper = b.body(f"lower{k}"), b.body(f"upper{k}")
        lean = float(rng.choice(ANGLES))
        along = (math.cos(math.radians(lean)), math.sin(math.radians(lean)), 0.0)
        b.revolute(b.ground.at(*xy(scale * foot)), lower.at(0, 0))
        b.prismatic(lower.at(0, 0), upper.at(0, 0), along=along, name=f"leg{k}")
        b.revolute(upper.at(0, 0), P.at(0, 0))
        if kind == "limited":
            b.stick(f"rod{k}", b.ground.at(*xy(scale * foot)), P, scale * length)
            held[f"leg{k}.displacement"] = scale * length
        else:
            held[f"leg{k}.displacement"] = scale * length
    case = f"{feet}, {kinds} at {angle!r}, x {scale:g}"
    return compared(b.build().assemblies(held), [p * scale for p in places], scale, case)


def held_crank(rng: Rng) -> list[str]:
    """A four-bar whose crank is held at an odd angle, once, twice or in three ways."""
    scale, angle, turn = frame(rng)
    crank, coupler, rocker, ground = (float(x) for x in rng.uniform(0.3, 2.0, 4))
    spin = math.radians(float(rng.choice(ANGLES)))
    tip, foot = crank * cmath.exp(1j * spin), ground * turn
    gap = abs(tip - foot)
    if gap < 0.1 or min(abs(gap - coupler - rocker), abs(gap - abs(coupler - rocker))) < CLEAR:
        return []
    b = kp.Builder("held crank", plane=True)
    three = b.bar("rocker", scale * rocker)
    one, two = b.bar("crank", scale * crank), b.bar("coupler", scale * coupler)
    b.revolute(b.ground.at(0, 0), one.start)
    b.revolute(one.end, two.start)
    b.revolute(two.end, three.end)
    b.revolute(three.start, b.ground.at(*xy(scale * foot)))
    ways = [
        str(w) for w in rng.choice(["joint", "level", "bearing", "held"], int(rng.integers(1, 4)))
    ]
    held = {"crank.angle": spin} if "held" in ways or set(ways) == {"bearing"} else {}
    for k, way in enumerate(ways):
        if way == "joint":
            b.hold(one, angle=spin, name=f"hold{k}")
        elif way == "level":
            b.add(NoRotation(b.ground.at(0, 0).turned(spin), one.at(0, 0)), f"level{k}")
        elif way == "bearing":
            sign = b.stick(f"sign{k}", b.ground.at(0, 0), b.ground.at(*xy(scale * turn)))
            own = b.stick(f"own{k}", one.start, one.end, None)
            apart = abs(math.remainder(spin - angle, math.tau))
            if 0.01 < apart < math.pi - 0.01:
                own.angle_to(sign, apart, name=f"angle{k}")
    places = []
    if abs(coupler - rocker) < gap < coupler + rocker:
        reach = (gap**2 + rocker**2 - coupler**2) / (2.0 * gap)
        height, towards = math.sqrt(rocker**2 - reach**2), (tip - foot) / gap
        places = [foot + towards * complex(reach, s * height) for s in (-1, 1)]
    case = f"{crank, coupler, rocker, ground} at {angle!r}, crank {spin!r} by {ways}, x {scale:g}"
    found = b.build().assemblies(held)
    if len(found) != len(places) or str(found.outcome) not in ("complete", "numerical"):
        return [f"{len(found)} instead of {len(places)}: {case}: {found}"]
    ends = [foot + rocker * cmath.exp(1j * state.q[2]) for state in found]
    lost = [p for p in places if min(abs(p - end) for end in ends) > CLOSE]
    return [f"none with the rocker's end at {p!r}: {case}: {found}" for p in lost]


FAMILIES = (guided_rod, guided_rod, four_bars, vanishing_bar, held_legs, held_crank)
