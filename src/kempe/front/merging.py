"""Two mechanisms as one."""

from collections.abc import Mapping

from kempe.front.mechanism import Mechanism
from kempe.geometry import Pose
from kempe.model.merge import merge as merge_models


def merge(
    a: Mechanism,
    b: Mechanism,
    *,
    identify: Mapping[str, str | tuple[str, Pose]] | None = None,
    rename: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Mechanism:
    """Both mechanisms as one: their grounds become one, and so do the bodies in `identify`.

    See `kempe.model.merge.merge`. Example: the rocker of a four-bar turns the crank of a press.

        >>> import kempe
        >>> a = kempe.gallery.four_bar()
        >>> b = kempe.gallery.slider_crank(crank=1, rod=3)
        >>> new = {"crank": "arm", "A": "E", "B": "F", "C": "G"}
        >>> both = kempe.merge(a, b, rename=new, identify={"arm": "crank"})
        >>> both.model.body("rod").name, len(both.model.joints)
        ('rod', 8)
    """
    return Mechanism(merge_models(a.model, b.model, identify=identify, rename=rename, name=name))
