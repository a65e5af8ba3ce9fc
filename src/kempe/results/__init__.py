"""Answers: frozen results that can be kept, reopened and drawn without a solver."""

from typing import TYPE_CHECKING

from kempe.on_demand import OnDemand

if TYPE_CHECKING:
    from kempe.results.acting import ActingLoad as ActingLoad
    from kempe.results.dragged import Dragged as Dragged
    from kempe.results.energy import Energy as Energy
    from kempe.results.energy import energy_of as energy_of
    from kempe.results.event import Event as Event
    from kempe.results.motion import Motion as Motion
    from kempe.results.motion import Pass as Pass
    from kempe.results.motion import Recipe as Recipe
    from kempe.results.motion import StepControl as StepControl
    from kempe.results.provenance import Provenance as Provenance
    from kempe.results.reports.counts import DriveRange as DriveRange
    from kempe.results.reports.counts import JointCount as JointCount
    from kempe.results.reports.counts import LoopCount as LoopCount
    from kempe.results.reports.counts import Looser as Looser
    from kempe.results.reports.counts import NearlyRedundant as NearlyRedundant
    from kempe.results.reports.counts import SingularPart as SingularPart
    from kempe.results.reports.counts import Straightened as Straightened
    from kempe.results.reports.free_motion import BodyMotion as BodyMotion
    from kempe.results.reports.free_motion import FreeMotion as FreeMotion
    from kempe.results.reports.report import Report as Report
    from kempe.results.subject import Subject as Subject

__getattr__ = OnDemand(
    __name__,
    {
        "acting": "ActingLoad",
        "dragged": "Dragged",
        "energy": "Energy energy_of",
        "event": "Event",
        "motion": "Motion Pass Recipe StepControl",
        "provenance": "Provenance",
        "reports.counts": "DriveRange JointCount LoopCount"
        " Looser NearlyRedundant SingularPart Straightened",
        "reports.free_motion": "BodyMotion FreeMotion",
        "reports.report": "Report",
        "subject": "Subject",
    },
)
__all__ = __getattr__.names
