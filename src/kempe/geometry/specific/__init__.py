"""Specific coordinates: one formula each, and all kinematics derived from it."""

from typing import TYPE_CHECKING

from kempe.on_demand import OnDemand

if TYPE_CHECKING:
    from kempe.geometry.specific.abstract import AbstractOrientator as AbstractOrientator
    from kempe.geometry.specific.abstract import AbstractTranslator as AbstractTranslator
    from kempe.geometry.specific.axial_angle import AxialAngle as AxialAngle
    from kempe.geometry.specific.axis_and_angle import AxisAndAngle as AxisAndAngle
    from kempe.geometry.specific.cartesian import Cartesian as Cartesian
    from kempe.geometry.specific.cylindrical import Cylindrical as Cylindrical
    from kempe.geometry.specific.direction_cosines import DirectionCosines as DirectionCosines
    from kempe.geometry.specific.equations import BodyEquations as BodyEquations
    from kempe.geometry.specific.equations import GeneralisedEquations as GeneralisedEquations
    from kempe.geometry.specific.equations import SystemEquations as SystemEquations
    from kempe.geometry.specific.euler_angles import EulerAngles as EulerAngles
    from kempe.geometry.specific.euler_parameters import EulerParameters as EulerParameters
    from kempe.geometry.specific.exponential_coordinates import (
        ExponentialCoordinates as ExponentialCoordinates,
    )
    from kempe.geometry.specific.kinematics import BodyCoordinates as BodyCoordinates
    from kempe.geometry.specific.kinematics import OrientationCoordinates as OrientationCoordinates
    from kempe.geometry.specific.kinematics import Singularity as Singularity
    from kempe.geometry.specific.kinematics import TranslationCoordinates as TranslationCoordinates
    from kempe.geometry.specific.rates import SpecificRates as SpecificRates
    from kempe.geometry.specific.rodrigues_parameters import (
        RodriguesParameters as RodriguesParameters,
    )
    from kempe.geometry.specific.spherical import Spherical as Spherical
    from kempe.geometry.specific.switching import Passage as Passage
    from kempe.geometry.specific.switching import WrittenOrientation as WrittenOrientation
    from kempe.geometry.specific.switching import carried as carried
    from kempe.geometry.specific.switching import followed as followed
    from kempe.geometry.specific.two_axes import TwoAxes as TwoAxes

__getattr__ = OnDemand(
    __name__,
    {
        "abstract": "AbstractOrientator AbstractTranslator",
        "axial_angle": "AxialAngle",
        "axis_and_angle": "AxisAndAngle",
        "cartesian": "Cartesian",
        "cylindrical": "Cylindrical",
        "direction_cosines": "DirectionCosines",
        "equations": "BodyEquations GeneralisedEquations SystemEquations",
        "euler_angles": "EulerAngles",
        "euler_parameters": "EulerParameters",
        "exponential_coordinates": "ExponentialCoordinates",
        "kinematics": "BodyCoordinates OrientationCoordinates Singularity TranslationCoordinates",
        "rates": "SpecificRates",
        "rodrigues_parameters": "RodriguesParameters",
        "spherical": "Spherical",
        "switching": "Passage WrittenOrientation carried followed",
        "two_axes": "TwoAxes",
    },
)
__all__ = __getattr__.names
