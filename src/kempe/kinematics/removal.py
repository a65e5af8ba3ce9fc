"""What to remove so that the drives move a mechanism; each was tried before it is named."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, islice

from kempe.compile.layout import Layout
from kempe.errors import KempeError
from kempe.kinematics.closing import DENSE
from kempe.model import Model

MOST_TRIALS = 16  # each puts the mechanism together once more


def joints_to_remove(layout: Layout, t: float, first: Iterable[str] = ()) -> tuple[str, ...]:
    """Joints and couplers without any one of which the drives move the mechanism.

    Those named `first` are asked alone, if there are any.
    """
    model, asked = layout.model, tuple(first)
    names = [*(j.name for j in model.joints), *(c.name for c in model.couplers)]
    trials = [name for name in names if not asked or name in asked]
    if len(trials) > MOST_TRIALS:
        return ()
    return tuple(name for name in trials if is_ready(_without(model, name), t))


def drives_to_remove(layout: Layout, t: float, surplus: int) -> tuple[tuple[str, ...], ...] | None:
    """Sets of so many drives without which the others move the mechanism.

    None where there are too many sets to try them all.
    """
    drives = layout.model.drives
    sets = list(islice(combinations(range(len(drives)), surplus), MOST_TRIALS + 1))
    if len(sets) > MOST_TRIALS or layout.n_v > DENSE:
        return None
    return tuple(
        tuple(drives[k].gauge.name for k in gone)
        for gone in sets
        if is_ready(_with_drives(layout.model, gone), t)
    )


def is_ready(model: Model, t: float) -> bool:
    """Whether a model goes together at time t and its drives determine how it moves."""
    from kempe.kinematics.assembly import best_attempt
    from kempe.kinematics.check import check
    from kempe.kinematics.evaluator import evaluator

    try:
        layout = Layout(model)
        if layout.n_v > DENSE or not best_attempt(layout, evaluator(layout), t).is_closed:
            return False
        return check(layout, t, ranges=False).is_ready
    except KempeError:
        return False


def removal_words(layout: Layout, t: float, surplus: int) -> str:
    """Which drives to remove where there are so many too many."""
    sets = drives_to_remove(layout, t, surplus)
    drives = layout.model.drives
    if sets is None:
        return f"There {'is' if surplus == 1 else 'are'} {surplus} too many."
    if not sets:
        return f"No {surplus} of them can go so that the others move it."
    if len(sets) == sum(1 for _ in combinations(drives, surplus)):
        return f"Remove {surplus} of them."
    return f"Remove {' or '.join(_shown(sets))}."


def _shown(sets: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for names in sets:
        word = "the drive" if len(names) == 1 else "the drives"
        yield f"{word} on {' and '.join(repr(name) for name in names)}"


def _without(model: Model, name: str) -> Model:
    return replace(
        model,
        joints=tuple(j for j in model.joints if j.name != name),
        couplers=tuple(c for c in model.couplers if c.name != name),
    )


def _with_drives(model: Model, gone: tuple[int, ...]) -> Model:
    return replace(model, drives=tuple(d for k, d in enumerate(model.drives) if k not in gone))
