"""Named frames, kinematic states and the graph between them."""

from typing import TYPE_CHECKING

from kempe.on_demand import OnDemand

if TYPE_CHECKING:
    from kempe.frames.documents.document import read_frames as read_frames
    from kempe.frames.documents.document import resampled as resampled
    from kempe.frames.documents.document import write_frames as write_frames
    from kempe.frames.documents.urdf import read_urdf as read_urdf
    from kempe.frames.documents.urdf import write_urdf as write_urdf
    from kempe.frames.graph.graph import FrameGraph as FrameGraph
    from kempe.frames.graph.reconciliation import ClosureError as ClosureError
    from kempe.frames.graph.reconciliation import Correction as Correction
    from kempe.frames.graph.reconciliation import Reconciliation as Reconciliation
    from kempe.frames.graph.reconciliation import closure_errors as closure_errors
    from kempe.frames.graph.reconciliation import reconciled as reconciled
    from kempe.frames.graph.recording import common_times as common_times
    from kempe.frames.graph.recording import record as record
    from kempe.frames.motions.motion import AbstractMotion as AbstractMotion
    from kempe.frames.motions.motion import ByFormula as ByFormula
    from kempe.frames.motions.motion import ByFunction as ByFunction
    from kempe.frames.motions.motion import Given as Given
    from kempe.frames.motions.motion import Rigid as Rigid
    from kempe.frames.motions.motion import Uniform as Uniform
    from kempe.frames.motions.sampled_motion import Sampled as Sampled
    from kempe.frames.motions.specific_motion import BySpecific as BySpecific
    from kempe.frames.states.arrays import orthonormalised as orthonormalised
    from kempe.frames.states.body_manager import BodyManager as BodyManager
    from kempe.frames.states.state import KinematicState as KinematicState
    from kempe.frames.states.vector import FramedTensor as FramedTensor
    from kempe.frames.states.vector import FramedVector as FramedVector

__getattr__ = OnDemand(
    __name__,
    {
        "documents.document": "read_frames resampled write_frames",
        "documents.urdf": "read_urdf write_urdf",
        "graph.graph": "FrameGraph",
        "graph.reconciliation": "ClosureError Correction Reconciliation closure_errors reconciled",
        "graph.recording": "common_times record",
        "motions.motion": "AbstractMotion ByFormula ByFunction Given Rigid Uniform",
        "motions.sampled_motion": "Sampled",
        "motions.specific_motion": "BySpecific",
        "states.arrays": "orthonormalised",
        "states.body_manager": "BodyManager",
        "states.state": "KinematicState",
        "states.vector": "FramedTensor FramedVector",
    },
)
__all__ = __getattr__.names
