"""Draw the pictures of the manual that kempe makes itself: `python docs/pictures/draw.py`."""

from pathlib import Path

import numpy as np

import kempe as kp
from kempe.draw import scene_svg
from kempe.export.plots import write_plot
from kempe.joints import Rod
from kempe.outcome import DONE
from kempe.pictures.animation import scene_of
from kempe.pictures.rolling_curves import rolling_svg
from kempe.results import Motion as Swept

HERE = Path(__file__).parent
SMALL = (420, 280)  # px, the pictures of joints


def save(name: str, svg: str) -> None:
    """Write one picture beside this script."""
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


def four_bar() -> None:
    """The first example: a crank-rocker, its coupler curve, and a few positions of it."""
    mechanism = kp.gallery.four_bar(
        crank=30, coupler=90, rocker=70, ground=100, point=(45, 40), units="mm"
    )
    scene = scene_of(mechanism.kinematics(until=1.0, steps=120), trace=("coupler.P",))
    save("four_bar", scene_svg(scene, index=17, ghosts=(47, 77, 107), width=880, height=460))


def angles() -> None:
    """The plot of the page on results."""
    mechanism = kp.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm")
    figure = mechanism.kinematics(until=1.0).plot("rocker.angle", "coupler.angle", rate=True)
    write_plot(figure, HERE / "angles.svg")


def velocities() -> None:
    """The polygon of the page on results."""
    mechanism = kp.gallery.four_bar(
        crank=30, coupler=90, rocker=70, ground=100, point=(45, 40), units="mm"
    )
    drawn = mechanism.kinematics(until=1.0, steps=40).pictures
    drawn.write(HERE / "velocities.svg", drawn.velocities("0.2 s"))


def joint(name: str, m: kp.Builder) -> None:
    """A joint in its first position, and where it can go from there."""
    scene = scene_of(m.build().kinematics(until=1.0, steps=40))
    width, height = SMALL
    save(f"joint_{name}", scene_svg(scene, index=20, ghosts=(0, 40), width=width, height=height))


def revolute() -> None:
    """Two links on a hinge in mid-air."""
    m = kp.Builder("Revolute", plane=True)
    base, arm = m.bar("base", 1.0), m.bar("arm", 1.0)
    m.fixed(m.ground.at(0, 0), base.start, name="weld")
    hinge = m.revolute(base.end, arm.start)
    m.drive(hinge.angle, start="20 deg", speed="70 deg/s")
    joint("revolute", m)


def prismatic() -> None:
    """A slider on a slanted guide."""
    m = kp.Builder("Prismatic", plane=True)
    slider = m.body("slider", points={"foot": (0, 0), "top": (-0.1, 0.3)}, outline=("foot", "top"))
    guide = m.prismatic(m.ground.at(0, 0), slider.foot, along=(2, 1), name="guide")
    m.drive(guide.displacement, start=-0.5, speed=1.0)
    joint("prismatic", m)


def fixed() -> None:
    """Two bars welded at a right angle, turning as one."""
    m = kp.Builder("Fixed", plane=True)
    stem, arm = m.bar("stem", 1.0), m.bar("arm", 0.6)
    m.revolute(m.ground.at(0, 0), stem.start)
    m.fixed(stem.end, arm.start.turned(-1.2), name="weld")
    m.drive(stem.angle, start="60 deg", speed="50 deg/s")
    joint("fixed", m)


def absolute() -> None:
    """A bar whose height and angle are held, so that it only shifts sideways."""
    m = kp.Builder("Absolute", plane=True)
    bar = m.bar("bar", 1.0)
    m.hold(bar, y=0.4, angle="25 deg")
    m.drive(bar.x, start=-0.4, speed=0.8)
    joint("absolute", m)


def rod() -> None:
    """A rod between the ends of two cranks."""
    m = kp.Builder("Rod", plane=True)
    left = m.bar("left", 0.6, at=(0, 0), angle="70 deg")
    right = m.bar("right", 0.8, at=(1.6, 0), angle="100 deg")
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(m.ground.at(1.6, 0), right.start)
    m.add(Rod(left.end, right.end, length=1.3))
    m.drive(left.angle, start="55 deg", speed="60 deg/s")
    joint("rod", m)


def trammel_centrodes() -> None:
    """Cardan's circles: the bar's rolls inside the ground's, and they touch in the centre."""
    turn = kp.gallery.elliptic_trammel().kinematics(until=1.0, steps=180)
    save("trammel_centrodes", rolling_svg(turn, "bar", index=14))


def bennett_axes() -> None:
    """Lines about which the coupler of Bennett's loop turns, one after another."""
    turn = kp.gallery.bennett().kinematics(until=1.0, steps=120)
    save("bennett_axes", rolling_svg(turn, "link2", index=10))


def transmission() -> None:
    """Transmission angle, velocity ratio and condition of a four-bar over its crank's angle."""
    turn = kp.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm")
    names = ("transmission.angle", "d(rocker.angle)/d(crank.angle)")
    figure = turn.kinematics(until=1.0).plot(*names, against="crank.angle")
    write_plot(figure, HERE / "transmission.svg")


def freedoms() -> None:
    """What the joints of two linkages let move."""
    for name in ("four_bar", "bennett"):
        save(f"freedom_{name}", kp.gallery.MECHANISMS[name]().freedom_svg())


def assembled() -> None:
    """Both ways to put a four-bar together with its crank at 60 degrees."""
    fourbar = kp.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3.5)
    ways = [
        fourbar.assemble({"rocker.angle": angle}, values={"crank.angle": "60 deg"})
        for angle in ("110 deg", "-110 deg")
    ]
    q = np.array([way.trajectory.motion.q[0] for way in ways])
    rest = np.zeros_like(q)
    both = Swept(np.array([0.0, 1.0]), q, rest, rest.copy(), DONE)
    scene = scene_of(kp.Trajectory(fourbar.layout, both))
    save("assembled", scene_svg(scene, index=0, ghosts=(1,), width=880, height=520))


def compressor() -> None:
    """The compressor of the tutorial: a few positions, its piston's motion, what it takes."""
    model = kp.load(HERE.parents[1] / "examples" / "models" / "compressor.yaml")
    turn = model.kinematics(until="40 ms", steps=360)
    scene = scene_of(turn, trace=("crank.end",))
    save("compressor", scene_svg(scene, index=45, ghosts=(135, 225, 315), width=880, height=360))
    motion = turn.plot("piston.x", rate=True, acceleration=True)
    write_plot(motion, HERE / "compressor_motion.svg")
    forces = turn.plot("main.force", "crank.angle.effort", against="crank.angle")
    write_plot(forces, HERE / "compressor_forces.svg")


def dead_point_passed() -> None:
    """A double rocker that swings through its dead points."""
    mechanism = kp.gallery.four_bar(crank=3.0, coupler=3.5, rocker=3.0, ground=4.0)
    turn = mechanism.kinematics(until=2.0, steps=720, through="momentum")
    write_plot(turn.plot("crank.angle", "rocker.angle"), HERE / "dead_point_passed.svg")


def branches() -> None:
    """A parallelogram that has gone straight on, and one that has crossed over."""
    mechanism = kp.gallery.four_bar(
        crank=1.0, coupler=2.0, rocker=1.0, ground=2.0, point=(1.0, 0.0)
    )
    for name, way in (("straight", "momentum"), ("crossed", "branch 2")):
        turn = mechanism.kinematics(until=0.5, steps=120, through=(way,))
        scene = scene_of(turn, trace=("coupler.P",))
        picture = scene_svg(scene, index=100, ghosts=(20, 60), width=620, height=360)
        save(f"branch_{name}", picture)


def forces() -> None:
    """A pendulum of two links with one of every common force."""
    from kempe.drives import Ramp, TextFormula
    from kempe.forces import AppliedLoad, LineSpring, TorsionSpring

    m = kp.Builder("forces", plane=True, gravity=(0, -9.81))
    thin = np.diag([0.0, 0.05, 0.05])
    rod = m.bar("rod", 1.0, at=(0, 0), angle=-0.4, inertia=kp.Inertia(1.0, (0.5, 0, 0), thin))
    arm = m.bar("arm", 0.8, angle=-1.2, inertia=kp.Inertia(0.8, (0.4, 0, 0), thin))
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.revolute(rod.end, arm.start, name="elbow")
    m.force(LineSpring(m.ground.at(1.3, 0.6), rod.end, 40, 0.5, free=0.6), "strut")
    m.force(LineSpring(m.ground.at(0.2, -1.2), arm.end, 20, free=0.6), "coil")
    m.force(LineSpring(m.ground.at(1.8, -1.4), arm.end, damping=1.0), "dashpot")
    m.force(TorsionSpring(hinge.angle, 3.0), "mainspring")
    push = (TextFormula("6 * sin(3 * t)"), TextFormula("4 * cos(2 * t)"), Ramp(0.0, 0.0))
    m.force(AppliedLoad(arm.end, push), "push")
    scene = scene_of(m.build().simulate(until=2.0, steps=100))
    save("forces", scene_svg(scene, index=20, ghosts=(40, 70), width=880, height=520))


def spherical_placements() -> None:
    """A spherical four-bar along the first of its two loops."""
    mechanism = kp.gallery.spherical_four_bar()
    save("spherical_placements", mechanism.pictures(mechanism.motions()).placements(0, 40))


def platform_over_time() -> None:
    """A platform whose first leg goes out and in: all its assemblies over a second."""
    mechanism = kp.gallery.planar_platform(swing=0.8)
    pictures = mechanism.pictures(mechanism.timeline(0.0, 1.0))
    save("platform_over_time", pictures.plot("PQ.angle"))


if __name__ == "__main__":
    for picture in (
        freedoms,
        assembled,
        four_bar,
        angles,
        velocities,
        revolute,
        prismatic,
        fixed,
        absolute,
        rod,
        trammel_centrodes,
        bennett_axes,
        transmission,
        compressor,
        dead_point_passed,
        branches,
        forces,
        spherical_placements,
        platform_over_time,
    ):
        picture()
