"""Named frames, kinematic states and the graph between them."""

from kempe.frames.documents.document import read_frames
from kempe.frames.documents.urdf import read_urdf
from kempe.frames.documents.urdf_writing import write_urdf
from kempe.frames.documents.writing import resampled, write_frames
from kempe.frames.graph.closure import ClosureError, closure_errors
from kempe.frames.graph.graph import FrameGraph
from kempe.frames.graph.reconciliation import Correction, Reconciliation, reconciled
from kempe.frames.graph.recording import common_times, record
from kempe.frames.motions.by_formula import ByFormula
from kempe.frames.motions.motion import AbstractMotion, ByFunction, Given, Rigid, Uniform
from kempe.frames.motions.sampled_motion import Sampled
from kempe.frames.states.body_manager import BodyManager
from kempe.frames.states.orthonormal import orthonormalised
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
