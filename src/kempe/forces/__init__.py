"""Forces: what pulls and pushes, each one formula for the plane and for space."""

from kempe.forces.abstract import AbstractForce as AbstractForce
from kempe.forces.acting import Acting as Acting
from kempe.forces.actuator import Actuator as Actuator
from kempe.forces.applied_load import AbstractLoad as AbstractLoad
from kempe.forces.applied_load import AppliedLoad as AppliedLoad
from kempe.forces.applied_load import Axes as Axes
from kempe.forces.attraction import Attraction as Attraction
from kempe.forces.bumper import Bumper as Bumper
from kempe.forces.bushing import Bushing as Bushing
from kempe.forces.callback import Callback as Callback
from kempe.forces.cam_contact import AbstractCamContact as AbstractCamContact
from kempe.forces.cam_contact import FlatOnCam as FlatOnCam
from kempe.forces.cam_contact import RollerOnCam as RollerOnCam
from kempe.forces.capsule_on_capsule import CapsuleOnCapsule as CapsuleOnCapsule
from kempe.forces.capsule_on_plane import CapsuleOnPlane as CapsuleOnPlane
from kempe.forces.contact import AbstractContact as AbstractContact
from kempe.forces.contact import Touch as Touch
from kempe.forces.contact import dissipation_for as dissipation_for
from kempe.forces.contact import hertz_stiffness as hertz_stiffness
from kempe.forces.control import Control as Control
from kempe.forces.corners_on_plane import BoxOnPlane as BoxOnPlane
from kempe.forces.corners_on_plane import CornersOnPlane as CornersOnPlane
from kempe.forces.cylinder_on_plane import CylinderOnPlane as CylinderOnPlane
from kempe.forces.dc_motor import DcMotor as DcMotor
from kempe.forces.dry_friction import DryFriction as DryFriction
from kempe.forces.electromagnet import Electromagnet as Electromagnet
from kempe.forces.filtered_actuator import FilteredActuator as FilteredActuator
from kempe.forces.formula_load import FormulaLoad as FormulaLoad
from kempe.forces.gas_spring import GasSpring as GasSpring
from kempe.forces.hydraulic_cylinder import HydraulicCylinder as HydraulicCylinder
from kempe.forces.induction_motor import InductionMotor as InductionMotor
from kempe.forces.instant import Action as Action
from kempe.forces.instant import Instant as Instant
from kempe.forces.instant import Observed as Observed
from kempe.forces.joint_friction import JointFriction as JointFriction
from kempe.forces.line_spring import LineSpring as LineSpring
from kempe.forces.linear_system import LinearSystem as LinearSystem
from kempe.forces.nonlinear_spring import NonlinearSpring as NonlinearSpring
from kempe.forces.pid import Pid as Pid
from kempe.forces.pneumatic_cylinder import PneumaticCylinder as PneumaticCylinder
from kempe.forces.sampled_control import SampledControl as SampledControl
from kempe.forces.sampled_pid import SampledPid as SampledPid
from kempe.forces.sphere_on_capsule import SphereOnCapsule as SphereOnCapsule
from kempe.forces.sphere_on_plane import SphereOnPlane as SphereOnPlane
from kempe.forces.sphere_on_sphere import SphereOnSphere as SphereOnSphere
from kempe.forces.spring_damper import SpringDamper as SpringDamper
from kempe.forces.state_feedback import StateFeedback as StateFeedback
from kempe.forces.torsion_spring import TorsionSpring as TorsionSpring
from kempe.forces.weight import Weight as Weight
from kempe.names import exported

__all__ = exported(globals())
