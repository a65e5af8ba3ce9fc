"""Specific coordinates: one formula each, and all kinematics derived from it."""

from kempe.geometry.specific.abstract import AbstractOrientator, AbstractTranslator
from kempe.geometry.specific.axial_angle import AxialAngle
from kempe.geometry.specific.axis_and_angle import AxisAndAngle
from kempe.geometry.specific.cartesian import Cartesian
from kempe.geometry.specific.cylindrical import Cylindrical
from kempe.geometry.specific.direction_cosines import DirectionCosines
from kempe.geometry.specific.equations import BodyEquations, GeneralisedEquations, SystemEquations
from kempe.geometry.specific.euler_angles import EulerAngles
from kempe.geometry.specific.euler_parameters import EulerParameters
from kempe.geometry.specific.exponential_coordinates import ExponentialCoordinates
from kempe.geometry.specific.kinematics import (
    BodyCoordinates,
    OrientationCoordinates,
    Singularity,
    SpecificRates,
    TranslationCoordinates,
)
from kempe.geometry.specific.rodrigues_parameters import RodriguesParameters
from kempe.geometry.specific.spherical import Spherical
from kempe.geometry.specific.switching import Chart, Passage, carried, followed
from kempe.geometry.specific.two_axes import TwoAxes

__all__ = [
    "AbstractOrientator",
    "AbstractTranslator",
    "AxialAngle",
    "AxisAndAngle",
    "BodyCoordinates",
    "BodyEquations",
    "Cartesian",
    "Chart",
    "Cylindrical",
    "DirectionCosines",
    "EulerAngles",
    "EulerParameters",
    "ExponentialCoordinates",
    "GeneralisedEquations",
    "OrientationCoordinates",
    "Passage",
    "RodriguesParameters",
    "Singularity",
    "SpecificRates",
    "Spherical",
    "SystemEquations",
    "TranslationCoordinates",
    "TwoAxes",
    "carried",
    "followed",
]
