"""A mechanism in one sentence, and as a notebook shows it."""

import html
from collections.abc import Callable

from kempe.errors import KempeError, UnknownName
from kempe.model import Model

MOST_NAMED = 6  # joints


def sentence(model: Model) -> str:
    """What it is called and made of."""
    joints = ", ".join(f"{type(j).__name__.lower()} {j.name!r}" for j in model.joints[:MOST_NAMED])
    more = ", ..." if len(model.joints) > MOST_NAMED else ""
    return (
        f"Mechanism {model.name!r} in {'the plane' if model.plane else 'space'}:"
        f" {len(model.moving)} moving bodies, {len(model.joints)} joints ({joints}{more}),"
        f" {len(model.drives)} drive{'s' * (len(model.drives) != 1)}"
    )


def notebook_page(model: Model, draw: Callable[[], str]) -> str:
    """The picture, or why there is none, and the sentence, as HTML."""
    try:
        drawn = draw()
    except KempeError as mistake:
        drawn = f"<p>{html.escape(str(mistake))}</p>"
    return f"<div>{drawn}<p>{html.escape(sentence(model))}</p></div>"


def no_parameters(name: str) -> UnknownName:
    """What to say of a mechanism that has none."""
    return UnknownName(
        f"{name!r} has no parameters: load it from a file that names some, or build it in a"
        " function marked `kempe.parametric`."
    )
