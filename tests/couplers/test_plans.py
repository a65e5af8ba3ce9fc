"""Couplers, held sums and settings run alike in one tape and in tiles, compiled or not."""

import math

import numpy as np
import pytest

import kempe
from kempe.compile.llvm.machine_code import llvm_available
from kempe.couplers import CamLaw, GearPair, RackAndPinion
from kempe.drives import Cycloidal, Harmonic, Piecewise
from kempe.geometry import Rotation
from kempe.joints import Screw

SAME = 1e-11  # two ways to solve one step to 1e-13 of the machine's size, over some turns
WAYS = [("vm", "small"), ("vm", "large"), ("llvm", "small")]


def machine(plane):
    """Gears drive a rack, the rack a cam's follower; in space a nut rides on the second wheel."""
    m = kempe.Builder("everything coupled", plane=plane)
    a, b = m.body("a", at=(0, 0), angle=0.1), m.body("b", at=(1, 0), angle=0.4)
    rack, follower = m.body("rack", at=(0.3, -0.2)), m.body("follower", at=(0, 1))
    m.revolute(m.ground.at(0, 0), a.at(0, 0), name="pin_a")
    m.revolute(m.ground.at(1, 0), b.at(0, 0), name="pin_b")
    m.prismatic(m.ground.at(0, -0.2), rack.at(0, 0), name="bed")
    m.prismatic(m.ground.at(0, 0), follower.at(0, 0), along=(0, 1), name="guide")
    m.couple(GearPair((a.angle, b.angle), teeth=(17, 40)))
    m.couple(RackAndPinion((rack.x, b.angle), radius=0.25))
    up = Cycloidal(rise=0.1, duration=0.3, start=1.0)
    down = Cycloidal(rise=-0.1, duration=0.3, start=1.1)
    m.couple(CamLaw((rack.x, follower.y), law=Piecewise(((0.3, up), (0.3, down)), repeats=True)))
    if not plane:
        nut = m.body("nut", at=(1, 0, 0.2), rotation=Rotation.planar(0.2))
        m.add(Screw(b.at(0, 0, 0), nut.at(0, 0, 0), lead=0.05), name="screw")
        m.drive(nut.angle, start=0.2)
    m.drive(a.angle, Harmonic(amplitude=9.0, frequency=0.2, mean=0.1))
    return m.build()


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_every_plan_and_executor_computes_one_motion(plane):
    motions = []
    for executor, plan in WAYS:
        if executor == "llvm" and not llvm_available():
            continue
        motion = machine(plane).kinematics(until=4.0, steps=60, executor=executor, plan=plan)
        assert motion.outcome.is_done, motion.outcome
        motions.append(motion)
    for other in motions[1:]:
        np.testing.assert_allclose(other.motion.q, motions[0].motion.q, rtol=0, atol=SAME)
        np.testing.assert_allclose(other.motion.a, motions[0].motion.a, rtol=0, atol=1e3 * SAME)


@pytest.mark.parametrize("plan", ["small", "large"])
def test_a_live_solver_runs_on_every_plan(plan):
    from kempe.front.solver import Solver

    solver = Solver(machine(False).model, plan=plan)
    start = solver.values["a.angle"]
    for value in (0.0, 3.0, 12.0, -2.0, start):
        now = solver.update({"a.angle": value})
        assert now.outcome.is_done, now.outcome
        turned = 0.4 - 17 / 40 * (value - 0.1)
        assert math.remainder(now["b.angle"] - turned, math.tau) == pytest.approx(0.0, abs=SAME)
        assert now["rack.x"] == pytest.approx(0.3 + 0.25 * (turned - 0.4), abs=SAME)
        nut = 0.2 + 0.05 / math.tau * ((0.2 - turned) - (0.2 - 0.4))
        assert now["nut"][2] == pytest.approx(nut, abs=SAME)
