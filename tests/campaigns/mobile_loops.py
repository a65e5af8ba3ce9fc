"""Promise: `motions` lists the one loop of a linkage that moves though its count says otherwise.

Linkages of Bennett with random links and twists, hinged in a random order of their proportions, are
found as one closed curve, `numerical` with a small bound, and so is Bricard's in any size.

Oracle: closed forms. The half-angles of Bennett's neighbouring hinges have tangents of a constant
product, and each hinge turns all the way round; along Bricard's, cos a + cos b + cos a cos b = 0.
"""

import math

import numpy as np

import kempe as kp

CASES = 8
WITHIN = 1e-6  # bounds of rows, in machines of the size of 1
RELATION = 1e-6  # of sines and cosines at samples
FLATTEST = 0.1  # rad: the least twist of a link, and how far the larger is from the lesser one
STEP = 0.05


def attempt(rng: np.random.Generator) -> list[str]:
    """A linkage of Bennett, or now and then one of Bricard."""
    return _bricard(rng) if rng.uniform() < 0.1 else _bennett(rng)


def _bennett(rng: np.random.Generator) -> list[str]:
    twist, other = np.sort(rng.uniform(FLATTEST, 0.5 * math.pi - FLATTEST, 2))
    if other - twist < FLATTEST:
        return []
    short = float(rng.uniform(0.05, 2.0))
    long = short * math.sin(other) / math.sin(twist)
    numbers = {"short": short, "long": long, "twist": float(twist)}
    mechanism = kp.gallery.bennett(**numbers)
    found = mechanism.motions()
    loops = [component.closed for component in found.components]
    if str(found.outcome) != "numerical" or loops != [True] or not found.within < WITHIN:
        return [f"bennett({numbers}): {found} within {found.within:.2g}, closed: {loops}"]
    moved = mechanism.follow(found.components[0], STEP)
    first, second = (moved[f"hinge{k}.angle"].values for k in (1, 2))
    ratio = math.sin(0.5 * (other + twist)) / math.sin(0.5 * (other - twist))
    sines = np.sin(0.5 * first) * np.sin(0.5 * second)
    off = np.abs(sines - ratio * np.cos(0.5 * first) * np.cos(0.5 * second)).max() / ratio
    if off > RELATION or np.ptp(first) < 1.9 * math.pi:
        return [f"bennett({numbers}): off its relation by {off:.2g}, turns {np.ptp(first):.3g} rad"]
    return []


def _bricard(rng: np.random.Generator) -> list[str]:
    link = float(np.exp(rng.uniform(-4.0, 4.0)))
    mechanism = kp.gallery.bricard(link=link)
    found = mechanism.motions()
    if len(found) != 1 or not found.components[0].closed or not found.within < WITHIN:
        return [f"bricard(link={link}): {found}"]
    moved = mechanism.follow(found.components[0], STEP)
    a, b = (np.cos(moved[f"hinge{k}.angle"].values) for k in (1, 2))
    off = float(np.abs(a + b + a * b).max())
    return [f"bricard(link={link}): off its relation by {off:.2g}"] if off > RELATION else []
