"""Data of the mechanisms that dynamics is measured on, as kempe and its peers are given them.

What is looked at, in every library: D1 the bob at the end; D2 the first crank's tip at 201 times;
D3 the seven angles at the end, each from its parent; D4 the third joint's point at 101 times; D6
the fifth link's hinge at the end; D7 both angles from the vertical at the end; D5 the slider at 100
times; E1 the times of three impacts; C1 the heights of the balls, C2 the place of the follower.

Sources: [IFToMM] A01, A02, A04 and A05, [IVPTestSet] Andrews' squeezer, [KohPark] double pendulum.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

G = 9.81
ROD = 1 / 12  # kg m^2: of a thin rod of 1 m and 1 kg about its centre
THIN = 1e-6  # kg m^2: of such a rod about itself


@final
@dataclass(frozen=True, slots=True)
class Trial:
    """How long a mechanism moves, and at how many times it is looked at after the start."""

    until: float  # s
    looks: int = 1

    @property
    def times(self) -> Array:
        """The start, and when it is looked at."""
        return np.linspace(0.0, self.until, self.looks + 1)


TRIALS = {
    "D1": Trial(10.0),
    "D2 N=1": Trial(10.0, 200),
    "D2 N=10": Trial(10.0, 200),
    "D2 N=40": Trial(10.0, 200),
    "D3": Trial(0.03),
    "D4": Trial(10.0, 100),
    "D5": Trial(10.0, 100),
    "D6 N=10": Trial(1.0),
    "D6 N=100": Trial(1.0),
    "D6 N=1000": Trial(1.0),
    "D7": Trial(1.8),
    "E1": Trial(2.0),
    "C1": Trial(1.0, 10),
    "C2": Trial(0.5, 20),
}
# D5: stiffness (N/m), damping (N s/m) and free length (m) of the springs; masses (kg) of the shaft
# and of each rod, of the slider and of each ball; moments (kg m^2) of a rod along and across, and
# of the slider
GOVERNOR_SPRING = (8e5, 4e4, 0.5)
GOVERNOR_ROD, GOVERNOR_SLIDER, GOVERNOR_BALL = 0.3, 3.0, 5.0
GOVERNOR_ALONG, GOVERNOR_ACROSS = 0.3 * 2e-4 / 12, 0.3 * (1 + 1e-4) / 12
GOVERNOR_CUBE = 3.0 * 0.02 / 12
GOVERNOR_START = (0.0, 0.5, math.pi / 6, math.pi / 6)  # shaft, slider, both rods: rad and m
GOVERNOR_SPIN = 2 * math.pi  # rad/s
GOVERNOR_PIVOT = 0.05  # m from the axis, at the top
# The rod with its ball: mass, distance of its centre from the pivot, and moment across about that
BALL_ROD = GOVERNOR_ROD + GOVERNOR_BALL
BALL_ROD_CENTRE = (0.5 * GOVERNOR_ROD + GOVERNOR_BALL) / BALL_ROD
BALL_ROD_ACROSS = (
    GOVERNOR_ACROSS
    + GOVERNOR_ROD * (0.5 - BALL_ROD_CENTRE) ** 2
    + GOVERNOR_BALL * (1.0 - BALL_ROD_CENTRE) ** 2
)
# E1: two rods as D7's from the horizontal at rest; the knee turns so far (rad), and bounces
KNEE, RESTITUTION, IMPACTS = 0.6, 0.8, 3
# C1: radius (m), mass (kg) and stiffness (N/m) of balls above each other, and how high each begins
BALL, BALL_MASS, BALL_STIFFNESS = 0.05, 0.2, 2e4
BALL_HEIGHTS = (0.3, 0.42, 0.55)
# C2: a flywheel (kg m^2, rad/s) with an eccentric disc, radii of disc and roller and eccentricity
# (m), the follower (kg) on a spring (N/m, free length in m), and the stiffness of the contact
# (N/m), which only pushes. The follower moves along x, and gravity pulls it back to the axis.
FLYWHEEL, CAM_SPIN = 0.02, 60.0
CAM, ROLLER, ECCENTRICITY = 0.04, 0.02, 0.01
FOLLOWER, FOLLOWER_START = 0.5, CAM + ROLLER + ECCENTRICITY
RETURN_SPRING = (500.0, FOLLOWER_START - 0.02)
CAM_STIFFNESS = 1e5
FOUR_BARS = {"D2 N=1": 1, "D2 N=10": 10, "D2 N=40": 40}
CHAINS = {"D6 N=10": 10, "D6 N=100": 100, "D6 N=1000": 1000}

# D3: name -> (mass, moment, parent, joint in the parent, centre, angle from the parent)
SQUEEZER = {
    "1": (0.04325, 2.194e-6, None, (0, 0), (92e-5, 0), -0.0617138900142764496),
    "2": (0.00365, 4.410e-7, "1", (7e-3, 0), (-115e-4, 0), 0.0),
    "3": (0.02373, 5.255e-6, None, (-0.03635, 0.03273), (1043e-5, -1874e-5), 0.45527981916307038),
    "5": (0.07050, 1.169e-5, None, (-0.06934, -0.00227), (2308e-5, 916e-5), 0.48736497954384255),
    "4": (0.00706, 5.667e-7, "5", (4e-2, 0), (0, -579e-5), 0.222668390165885884),
    "7": (0.05498, 1.912e-5, None, (-0.06934, -0.00227), (-449e-5, -1228e-5), 1.2305474445498212),
    "6": (0.00706, 5.667e-7, "7", (0, -4e-2), (579e-5, 0), -0.222668390165885884),
}
MEETING = {"2": (-28e-3, 0), "3": (0, -35e-3), "4": (0, -2e-2), "6": (2e-2, 0)}
COIL = (4530.0, 7785e-5)  # N/m, m: between the points below
COIL_ENDS = ((0.014, 0.072), (2e-2, -18e-3))  # of the ground, of body 3
TORQUE = 33e-3  # N m, on body 1

# D4: joints of Bricard's mechanism, and the axes they turn about
BRICARD = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
BRICARD_AXES = (1, 2, 0, 1, 2, 0)

# D6
LINK = (0.00125, ROD, ROD)  # kg m^2: principal moments of a link
PULL = np.array([0.0, -G / math.sqrt(2), -G / math.sqrt(2)])  # m/s^2
SEEN_LINK = 4

# D7
ARM = (3 * 0.01**2 + 1) / 12  # kg m^2: of a rod of 1 m with a radius of 10 mm, across
ARM_SELF = 5e-5  # kg m^2: along
TORSION = 10.0  # N m/rad
SPIN = 10.0  # rad/s


def bricard_tensor(rod: int) -> Array:
    """Inertia of a rod of square section 0.1 m, along one axis of the world."""
    along = np.abs(BRICARD[rod + 1] - BRICARD[rod]) == 1
    return np.diag(np.where(along, 0.02, 1.01) / 12)


def chain_axis(link: int) -> tuple[int, int, int]:
    """Hinges turn about y and z in turn."""
    return (0, 1, 0) if link % 2 == 0 else (0, 0, 1)
