"""Mechanisms for a purpose: exact four-bars for given positions, and an atlas of coupler curves.

`function_generators`, `motion_generators` and `path_generators` list every four-bar that meets a
few positions exactly; `Mechanism.design` leads any mechanism to many, as nearly as it can.
"""

from typing import TYPE_CHECKING

from kempe.on_demand import OnDemand

if TYPE_CHECKING:
    from kempe.synthesis.atlas import Atlas as Atlas
    from kempe.synthesis.generators import function_generators as function_generators
    from kempe.synthesis.generators import motion_generators as motion_generators
    from kempe.synthesis.generators import path_generators as path_generators
    from kempe.synthesis.purposes import Apart as Apart
    from kempe.synthesis.purposes import Between as Between
    from kempe.synthesis.purposes import Follow as Follow
    from kempe.synthesis.purposes import Inside as Inside
    from kempe.synthesis.purposes import Trace as Trace
    from kempe.synthesis.purposes import Transmission as Transmission
    from kempe.synthesis.purposes import Where as Where

__getattr__ = OnDemand(
    __name__,
    {
        "atlas": "Atlas",
        "generators": "function_generators motion_generators path_generators",
        "purposes": "Apart Between Follow Inside Trace Transmission Where",
    },
)
