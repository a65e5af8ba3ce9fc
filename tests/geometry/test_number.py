"""What is no number is refused wherever numbers are taken."""

from collections.abc import Callable
from typing import Any

import pytest

from kempe.errors import BadNumber
from kempe.frames import FramedVector, FrameGraph, KinematicState, Rigid, Sampled
from kempe.geometry.rotations import (
    Matrix,
    Quaternion,
    converted,
    cubic,
    distance,
    exp_se3,
    least_turn,
    mean,
    product,
    right_jacobian,
    rodrigues,
    slerp,
    spherical,
    squad,
    turn_between,
    turned,
)
from kempe.geometry.specific import (
    BodyCoordinates,
    EulerAngles,
    OrientationCoordinates,
    Spherical,
    TranslationCoordinates,
)

ONE = [1.0, 0.0, 0.0, 0.0]
ZXZ = OrientationCoordinates(EulerAngles("ZXZ"))
PLACES = TranslationCoordinates(Spherical())
S = [0.1, 0.5, 0.2]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: converted(x, Matrix(), Quaternion()),
        lambda x: converted(x, Quaternion("last"), Matrix()),
        lambda x: slerp(x, ONE, 0.5),
        lambda x: slerp(ONE, ONE, x),
        lambda x: turn_between(ONE, ONE, x, about=[0, 0, 1]),
        lambda x: squad([ONE, ONE], x),
        lambda x: cubic(ONE, ONE, x, S, 1.0, 0.5),
        lambda x: product(ONE, x),
        lambda x: turned(ONE, x),
        lambda x: distance(x, ONE),
        lambda x: least_turn(x, [0, 0, 1]),
        lambda x: rodrigues([0, 0, 1], x),
        lambda x: mean(x),
        lambda x: spherical(x),
        lambda x: exp_se3(x),
        lambda x: right_jacobian(x),
        lambda x: ZXZ.rates(x, S),
        lambda x: ZXZ.rates(S, x),
        lambda x: ZXZ.accelerations(S, S, x),
        lambda x: PLACES.rates(S, x),
        lambda x: BodyCoordinates(EulerAngles("ZXZ")).twist(x, x),
        lambda x: KinematicState("a", "b", x),
        lambda x: KinematicState("a", "b", rotation=x),
        lambda x: Rigid(x),
        lambda x: FramedVector(x, "a"),
        lambda x: Sampled(x, KinematicState("a", "b", [[0, 0, 0]])),
        lambda x: FrameGraph("a").state("a", "a", x),
    ],
)
@pytest.mark.parametrize("wrong", ["text", [[1.0, 2.0, 3.0], [1.0, 2.0]], {"x": 1}], ids=repr)
def test_what_is_no_array_of_numbers_is_a_typed_mistake(
    call: Callable[[Any], object], wrong: object
) -> None:
    with pytest.raises(BadNumber):
        call(wrong)


def test_arrays_that_do_not_pair_up_are_named() -> None:
    with pytest.raises(BadNumber, match=r"\(2,\) and \(3,\).*one to one"):
        slerp([ONE, ONE], [ONE, ONE, ONE], 0.5)
    with pytest.raises(BadNumber, match="one to one"):
        ZXZ.G_rate([S, S], [S, S, S])
    with pytest.raises(BadNumber, match=r"\(\.\.\., 3\)"):
        ZXZ.rates(S, [1.0, 2.0])


@pytest.mark.parametrize("name", ["", None, 3])
def test_a_frames_name_is_text(name: object) -> None:
    with pytest.raises(BadNumber, match="name is text"):
        FrameGraph().add(name)  # type: ignore[arg-type]
