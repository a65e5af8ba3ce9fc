"""Ways to a mechanism besides a builder: from a file, of two others, by a function."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import ParamSpec

from kempe.errors import BadNumber
from kempe.front.mechanism import Mechanism
from kempe.front.requests.function_parameters import FunctionParameters
from kempe.geometry import Pose
from kempe.model.merge import merge_models


def load(path: str | Path) -> Mechanism:
    """The mechanism in the model file `path` (.yaml, .yml, .json), or that of another program.

    Files of other programs (.asmt, .urdf, .sdf, .xml) are read too: `imported.report` lists what
    was left out. A mistake in the file is a `FileError` with its line and column.
    """
    return Mechanism.load(path)


def merge(
    a: Mechanism,
    b: Mechanism,
    *,
    identify: Mapping[str, str | tuple[str, Pose]] | None = None,
    rename: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Mechanism:
    """Mechanisms `a` and `b` as one: their grounds become one, and so do bodies in `identify`.

    `rename` gives parts of `b` other names, `identify` says which body of `b`, by its new name, is
    which of `a`: {"arm": "crank"}, or {"arm": ("crank", X)} with its pose X in that of `a`; `name`
    is that of the whole.

    Example: the rocker of a four-bar turns the crank of a press.
        >>> import kempe
        >>> a = kempe.gallery.four_bar()
        >>> b = kempe.gallery.slider_crank(crank=1, rod=3)
        >>> new = {"crank": "arm", "A": "E", "B": "F", "C": "G"}
        >>> both = kempe.merge(a, b, rename=new, identify={"arm": "crank"})
        >>> both.model.body("rod").name, len(both.model.joints)
        ('rod', 8)
    """
    return Mechanism(merge_models(a.model, b.model, identify=identify, rename=rename, name=name))


P = ParamSpec("P")


def parametric(make: Callable[P, Mechanism]) -> Callable[P, Mechanism]:
    """The arguments of `make`, which builds a mechanism, become the mechanism's parameters.

    `mechanism.with_parameters` calls the function anew; as lengths, angles and the like are inputs
    of the compiled program, nothing is compiled again.

    Examples:
        >>> import kempe
        >>> @kempe.parametric
        ... def crank(length="30 mm", rpm=60):
        ...     m = kempe.Builder("crank", plane=True)
        ...     bar = m.bar("crank", length)
        ...     m.revolute(m.ground.at(0, 0), bar.start)
        ...     m.drive(bar.angle, rpm=rpm)
        ...     return m.build()
        >>> short = crank()
        >>> short.parameters
        {'length': '30 mm', 'rpm': 60}
        >>> long = short.with_parameters({"length": 45})
        >>> print(long.kinematics(until=1.0)["crank.end"].speed.max())
        0.2827 m/s
    """
    signature = inspect.signature(make)
    for argument in signature.parameters.values():
        if argument.kind not in (argument.POSITIONAL_OR_KEYWORD, argument.KEYWORD_ONLY):
            raise BadNumber(
                f"{make.__name__} takes {argument}: a parameter has a name, so give every argument"
                " one."
            )

    @wraps(make)
    def made(*args: P.args, **given: P.kwargs) -> Mechanism:
        bound = signature.bind(*args, **given)
        bound.apply_defaults()
        mechanism = make(*args, **given)
        by = FunctionParameters(made, dict(bound.arguments))
        return Mechanism(mechanism.model, mechanism.document, by)

    return made
