"""Specific coordinates: one formula each, and all kinematics derived from it."""

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
from kempe.geometry.specific.kinematics import SpecificRates as SpecificRates
from kempe.geometry.specific.kinematics import TranslationCoordinates as TranslationCoordinates
from kempe.geometry.specific.rodrigues_parameters import RodriguesParameters as RodriguesParameters
from kempe.geometry.specific.spherical import Spherical as Spherical
from kempe.geometry.specific.switching import Passage as Passage
from kempe.geometry.specific.switching import WrittenOrientation as WrittenOrientation
from kempe.geometry.specific.switching import carried as carried
from kempe.geometry.specific.switching import followed as followed
from kempe.geometry.specific.two_axes import TwoAxes as TwoAxes
from kempe.names import exported

__all__ = exported(globals())
