"""What rows of a system are called to a reader: by joints, measures and bodies of the model."""

from collections.abc import Iterable

CIRCLE = "'s unit circle"  # of the row c^2 + s^2 = 1 of a body, which no user has written


def circle(body: str) -> str:
    """The source of the row that makes a cosine and a sine those of one angle of a body."""
    return f"{body}{CIRCLE}"


def spoken(sources: Iterable[str]) -> str:
    """Joints and measures in a row, each once; bodies only where no joint is left to name."""
    names = list(dict.fromkeys(sources))
    joints = [name for name in names if not name.endswith(CIRCLE)]
    return ", ".join(joints or [f"a joint of {name.removesuffix(CIRCLE)}" for name in names])


def contradiction(source: str) -> str:
    """A sentence about a row that no position fulfils."""
    if source.endswith(CIRCLE):
        return f"No place of {source.removesuffix(CIRCLE)!r} fits all joints and held values."
    return f"{source!r} contradicts the other joints and held values."
