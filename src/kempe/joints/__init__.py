"""Joints: the words of the trade, each one class for the plane and for space."""

from kempe.joints.absolute import Absolute
from kempe.joints.abstract import AbstractJoint, SameWay
from kempe.joints.fixed import Fixed
from kempe.joints.prismatic import Prismatic
from kempe.joints.revolute import Revolute
from kempe.joints.rod import Rod

__all__ = ["Absolute", "AbstractJoint", "Fixed", "Prismatic", "Revolute", "Rod", "SameWay"]
