"""Named frames, kinematic states and the graph between them."""

from kempe.frames.body_manager import BodyManager
from kempe.frames.by_formula import ByFormula
from kempe.frames.closure import ClosureError, closure_errors
from kempe.frames.document import read_frames
from kempe.frames.graph import FrameGraph
from kempe.frames.motion import AbstractMotion, ByFunction, Given, Rigid, Uniform
from kempe.frames.orthonormal import orthonormalised
from kempe.frames.reconciliation import Correction, Reconciliation, reconciled
from kempe.frames.recording import common_times, record
from kempe.frames.sampled import Sampled
from kempe.frames.state import KinematicState
from kempe.frames.urdf import read_urdf
from kempe.frames.urdf_writing import write_urdf
from kempe.frames.vector import FramedTensor, FramedVector
from kempe.frames.writing import resampled, write_frames

__all__ = [
    "AbstractMotion",
    "BodyManager",
    "ByFormula",
    "ByFunction",
    "ClosureError",
    "Correction",
    "FrameGraph",
    "FramedTensor",
    "FramedVector",
    "Given",
    "KinematicState",
    "Reconciliation",
    "Rigid",
    "Sampled",
    "Uniform",
    "closure_errors",
    "common_times",
    "orthonormalised",
    "read_frames",
    "read_urdf",
    "reconciled",
    "record",
    "resampled",
    "write_frames",
    "write_urdf",
]
