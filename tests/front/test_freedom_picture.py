"""Pictures of what can still move."""

import pytest

import kempe
from kempe.errors import UnknownName


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "bennett", "stewart"])
def test_every_way_to_move_can_be_drawn(name):
    mechanism = kempe.gallery.MECHANISMS[name]()
    ways = mechanism.check().mobility
    pictures = {mechanism.freedom_svg(k) for k in range(1, ways + 1)}
    assert len(pictures) == ways
    assert all("trace c" in picture for picture in pictures)
    with pytest.raises(UnknownName) as caught:
        mechanism.freedom_svg(ways + 1)
    assert caught.value.facts["free"] == ways


def test_with_its_drive_on_a_ready_mechanism_has_nothing_to_draw():
    with pytest.raises(UnknownName, match="with its drives on"):
        kempe.gallery.four_bar().freedom_svg(drives=True)
