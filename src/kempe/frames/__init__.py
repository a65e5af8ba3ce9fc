"""Named frames, kinematic states and the graph between them."""

from kempe.frames.documents.document import read_frames, resampled, write_frames
from kempe.frames.documents.urdf import read_urdf, write_urdf
from kempe.frames.graph.graph import FrameGraph
from kempe.frames.graph.reconciliation import (
    ClosureError,
    Correction,
    Reconciliation,
    closure_errors,
    reconciled,
)
from kempe.frames.graph.recording import common_times, record
from kempe.frames.motions.motion import AbstractMotion, ByFormula, ByFunction, Given, Rigid, Uniform
from kempe.frames.motions.sampled_motion import Sampled
from kempe.frames.states.arrays import orthonormalised
from kempe.frames.states.body_manager import BodyManager
from kempe.frames.states.state import KinematicState
from kempe.frames.states.vector import FramedTensor, FramedVector

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
