"""Forces with states of their own: each against a closed form or an integrator of another make."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import simpson, solve_ivp
from scipy.linalg import expm

from kempe import Builder, Inertia, forces
from kempe.drives import Ramp
from kempe.dynamics.gear import Gear
from kempe.errors import BadNumber, FormulaError, UnknownName
from kempe.events import Crossing, Switch
from kempe.forces import AbstractForce, Action
from kempe.measures import Gauge
from kempe.readings.channel import ValueChannel
from tests.forces.carts import MASS, cart

#: A hundred times the tolerance of the runs here, 1e-10, relative to sizes of 1.
CLOSE = 1e-8
#: Backward differences of order 5 and less are a hundred times less exact at the same tolerance.
CLOSE_OF_GEAR = 1e-6
FINE = 1e-10


def ends(motion, *names):
    rail = motion["rail.displacement"]
    own = [motion[name].values[-1] for name in names]
    return np.array([rail.values[-1], rail.rate[-1], *own])


@dataclass(frozen=True)
class Lagging(AbstractForce):
    """A spring that notices late how far it is stretched: f = -k z - c x', z' = (x - z) / T."""

    gauge: Gauge
    k: float = 3.0
    c: float = 0.4
    T: float = 0.1

    @property
    def states(self):
        return ("stretch",)

    @property
    def first_states(self):
        return (0.25,)

    def rates(self, now):
        return [(now.gauges[0].value - now.states[0]) / self.T]

    def action(self, now):
        return Action.along(-self.k * now.states[0] - self.c * now.gauges[0].rate)


def lagging_end(T, t):
    A = np.array([[0.0, 1.0, 0.0], [0.0, -0.4 / MASS, -3.0 / MASS], [1.0 / T, 0.0, -1.0 / T]])
    return expm(A * t) @ [1.0, 0.0, 0.25]


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p", "gear"])
def test_a_state_runs_as_the_matrix_exponential_says_in_every_method(method, plan):
    motion = cart(Lagging).build().simulate(5.0, 50, method=method, plan=plan, tolerance=FINE)
    off = ends(motion, "force0.stretch") - lagging_end(0.1, 5.0)
    assert np.abs(off).max() < (CLOSE_OF_GEAR if method == "gear" else CLOSE)
    assert motion.motion.recipe.plan == plan


def test_backward_differences_of_equal_steps_converge_with_their_order_in_a_state():
    """Half the step, an eighth of the error of order 3, and no less than a sixth."""
    errors = []
    for step in (0.01, 0.005):
        motion = cart(Lagging).build().simulate(1.0, 1, method=Gear(order=3, step=step))
        errors.append(abs(ends(motion, "force0.stretch") - lagging_end(0.1, 1.0)).max())
    assert errors[0] > 6.0 * errors[1]


def test_a_fast_state_makes_a_run_stiff_and_is_followed_implicitly():
    model = cart(lambda gauge: Lagging(gauge, T=1e-6)).build()
    motion = model.simulate(5.0, 50, tolerance=1e-9)
    assert motion.motion.recipe.methods[-1][1] == "rodas5p"
    assert motion.motion.counts["steps"] < 2000
    assert np.abs(ends(motion, "force0.stretch") - lagging_end(1e-6, 5.0)).max() < 1e-7


def test_derivatives_of_rates_and_by_states_are_those_of_the_formula():
    from kempe.dynamics.preparation.preparation import prepare

    prepared = prepare(cart(Lagging).build().layout, 0.0)
    n_rows = prepared.n_rows
    found = prepared.equations.derivatives(prepared.start, np.zeros(3), np.zeros(n_rows))
    assert found.Z[0] == pytest.approx([3.0])
    assert found.rates == pytest.approx([(1.0 - 0.25) / 0.1])
    assert found.rates_K[0] == pytest.approx([10.0, 0.0, 0.0])
    assert found.rates_C[0] == pytest.approx([0.0, 0.0, 0.0])
    assert found.rates_Z == pytest.approx(np.array([[-10.0]]))


def test_what_a_controller_does_is_in_the_balance_of_energies():
    motion = cart(Lagging).build().simulate(5.0, 200, tolerance=FINE)
    assert np.ptp(motion.energy.total) < 1e-8 * motion.energy.kinetic.max()
    work = simpson(motion["force0.power"].values, x=motion.t)
    assert work == pytest.approx(-motion.energy.dissipated[-1], rel=1e-4)


def test_an_integral_holds_a_load_and_a_filter_smooths_the_slope():
    """x'' = (P e + z - D d + load) / m,  z' = I e,  d' = (x' - d) / T: linear with a constant."""
    P, I, D, T, load, goal = 40.0, 30.0, 12.0, 0.05, 5.0, 0.3
    m = cart(
        lambda gauge: forces.Pid(gauge, Ramp(goal), P, I, D, filter=T),
        lambda gauge: forces.Actuator(gauge, Ramp(load)),
    )
    motion = m.build().simulate(2.0, 20, tolerance=FINE)
    A = np.zeros((5, 5))  # of (x, x', z, d, 1)
    A[0, 1] = 1.0
    A[1] = np.array([-P, 0.0, 1.0, -D, P * goal + load]) / MASS
    A[2] = [-I, 0.0, 0.0, 0.0, I * goal]
    A[3] = [0.0, 1.0 / T, 0.0, -1.0 / T, 0.0]
    wanted = expm(2.0 * A) @ [1.0, 0.0, 0.0, 0.0, 1.0]
    found = ends(motion, "force0.integral", "force0.slope")
    assert np.abs(found - wanted[:4]).max() < CLOSE
    later = m.build().simulate(40.0, 4)
    assert later["rail.displacement"].values[-1] == pytest.approx(goal, abs=1e-6)
    assert later["force0.integral"].values[-1] == pytest.approx(-load, abs=1e-5)


def pid_at_its_limits(tracking):
    P, I, D, top = 40.0, 60.0, 10.0, 3.0

    def rate(t, y):
        x, v, z = y
        wanted = P * (0.3 - x) + z - D * v
        given = np.clip(wanted, -top, top)
        return [v, given / MASS, I * (0.3 - x) + (given - wanted) / tracking]

    start = [1.0, 0.0, 0.0]
    oracle = solve_ivp(rate, (0, 6.0), start, rtol=1e-11, atol=1e-12, max_step=0.01)
    given = None if tracking == P / I else tracking
    m = cart(lambda g: forces.Pid(g, Ramp(0.3), P, I, D, low=-top, high=top, tracking=given))
    return oracle.y[:, -1], m.build().simulate(6.0, 600, tolerance=FINE), top


@pytest.mark.parametrize("tracking", [40.0 / 60.0, 0.1])
def test_a_controller_at_its_limits_does_not_wind_up(tracking):
    """SciPy's Runge-Kutta steps over the corners of the limits by 1e-2 s at most."""
    wanted, motion, top = pid_at_its_limits(tracking)
    found = ends(motion, "force0.integral")
    assert np.abs(found - wanted).max() < 1e-6
    effort = motion["force0.effort"].values
    assert effort.max() <= top * (1 + 1e-12)
    assert effort.min() == -top
    assert motion.motion.counts["switched"] > 0


@pytest.mark.parametrize("ratio", [None, 0.3])
def test_a_filtered_actuator_answers_a_step_as_its_order_says(ratio):
    w, top = 5.0, 2.0
    force = lambda g: forces.FilteredActuator(g, Ramp(top), w, ratio)  # noqa: E731
    motion = cart(force).build().simulate(2.0, 40, tolerance=FINE)
    t = motion.t
    if ratio is None:
        wanted = top * (1.0 - np.exp(-w * t))
    else:
        wd = w * math.sqrt(1.0 - ratio**2)
        swing = np.cos(wd * t) + ratio * w / wd * np.sin(wd * t)
        wanted = top * (1.0 - np.exp(-ratio * w * t) * swing)
    assert np.abs(motion["force0.signal"].values - wanted).max() < CLOSE
    assert np.abs(motion["force0.effort"].values - wanted).max() < CLOSE


def test_a_linear_system_is_the_compensator_of_its_matrices():
    """A lead compensator of the place, and one that looks at the rate as well."""
    A, B, C, D = [[-8.0]], [[1.0, 0.5]], [[30.0]], [[-12.0, -1.5]]
    m = cart(lambda g: forces.LinearSystem(g, (g,), A, B, C, D))
    motion = m.build().simulate(3.0, 30, tolerance=FINE)
    whole = np.array(
        [[0, 1, 0], [D[0][0] / MASS, D[0][1] / MASS, C[0][0] / MASS], [B[0][0], B[0][1], A[0][0]]]
    )
    wanted = expm(3.0 * whole) @ [1.0, 0.0, 0.0]
    assert np.abs(ends(motion, "force0.x1") - wanted).max() < CLOSE


def test_matrices_may_be_arrays_and_come_back_from_a_file(tmp_path):
    A = np.array([[0.0, 1.0], [-4.0, -0.8]])
    force = lambda g: forces.LinearSystem(g, (g,), A, [[0.0], [4.0]], [[-10.0, 0.0]])  # noqa: E731
    model = cart(force).build()
    path = tmp_path / "cart.yaml"
    model.save(path)
    again = Builder.of(type(model).load(path).model).build()
    first, second = (one.simulate(1.0, 4)["force0.x2"].values for one in (model, again))
    assert (first == second).all()


def test_state_feedback_puts_the_eigenvalues_where_its_gains_say():
    """x'' = -(k (x - r) + c x') / m: poles at -1 +- 2i for k = 5 m, c = 2 m."""
    m = cart(lambda g: forces.StateFeedback(g, (g,), (5.0 * MASS,), (2.0 * MASS,), (0.2,)))
    motion = m.build().simulate(3.0, 30, tolerance=FINE)
    t = motion.t
    wanted = 0.2 + 0.8 * np.exp(-t) * (np.cos(2.0 * t) + 0.5 * np.sin(2.0 * t))
    assert np.abs(motion["rail.displacement"].values - wanted).max() < CLOSE


def test_a_motor_with_inductance_runs_up_as_its_two_equations_say():
    k, R, V, L, J = 0.05, 0.8, 12.0, 0.02, 1e-3
    m = Builder("wheel", plane=True)
    wheel = m.body("wheel", at=(0, 0), inertia=Inertia(1.0, (0, 0, 0), J * np.eye(3)))
    hinge = m.revolute(m.ground.at(0, 0), wheel.at(0, 0), name="hinge")
    m.force(forces.DcMotor.of_constants(hinge.angle, k, R, V, L), "motor")
    motion = m.build().simulate(0.5, 50, tolerance=FINE)
    A = np.array([[0.0, k / J, 0.0], [-k / L, -R / L, V / L], [0.0, 0.0, 0.0]])  # of (w, i, 1)
    w, i, _ = expm(0.5 * A) @ [0.0, 0.0, 1.0]
    assert motion["hinge.angle"].rate[-1] == pytest.approx(w, rel=CLOSE)
    assert motion["motor.torque"].values[-1] == pytest.approx(k * i, rel=1e-7)
    assert motion["motor.torque"].values[0] == 0.0


def test_a_formula_in_text_may_integrate_states_of_its_own():
    own = (("z", "x - goal", 0.1), ("y", "z - y", -0.2))
    m = cart(
        lambda g: forces.Control(
            g, "-k * x - x_rate - 2 * z + y", constants=("k", "goal"), values=(6.0, 0.2), own=own
        )
    )
    motion = m.build().simulate(2.0, 10, tolerance=FINE)
    A = np.zeros((5, 5))  # of (x, x', z, y, 1)
    A[0, 1] = 1.0
    A[1] = np.array([-6.0, -1.0, -2.0, 1.0, 0.0]) / MASS
    A[2, [0, 4]] = 1.0, -0.2
    A[3, [2, 3]] = 1.0, -1.0
    wanted = expm(2.0 * A) @ [1.0, 0.0, 0.1, -0.2, 1.0]
    assert np.abs(ends(motion, "force0.z", "force0.y") - wanted[:4]).max() < CLOSE


def test_a_run_goes_on_from_the_states_of_another():
    model = cart(Lagging, lambda g: forces.Pid(g, Ramp(0.5), 3.0, 2.0, 1.0)).build()
    whole = model.simulate(4.0, 40, tolerance=FINE)
    half = model.simulate(2.0, 20, tolerance=FINE)
    rest = model.simulate(2.0, 20, start=half.state(), tolerance=FINE)
    for name in ("rail.displacement", "force0.stretch", "force1.integral"):
        assert np.abs(rest[name].values - whole[name].values[20:]).max() < CLOSE
    bare = model.simulate(2.0, 20, start=half.state(0), tolerance=FINE)
    assert np.abs(bare["force0.stretch"].values - half["force0.stretch"].values).max() < CLOSE


def test_states_are_kept_with_a_saved_trajectory(tmp_path):
    from kempe import Trajectory

    motion = cart(Lagging).build().simulate(1.0, 10)
    motion.save(tmp_path / "run.npz")
    again = Trajectory.load(tmp_path / "run.npz")
    assert isinstance(again["force0.stretch"], ValueChannel)
    assert (again["force0.stretch"].values == motion["force0.stretch"].values).all()
    assert again.state().states == pytest.approx(motion.state().states)


def test_an_event_can_wait_for_a_state():
    m = cart(lambda g: forces.FilteredActuator(g, Ramp(2.0), 5.0))
    m.event(Crossing("force0.signal - 1", ends=True), "half")
    motion = m.build().simulate(2.0, 40)
    assert motion.t[-1] == pytest.approx(math.log(2.0) / 5.0, rel=1e-9)
    assert motion.events[-1].states == pytest.approx([1.0], rel=1e-9)


def test_the_states_of_a_force_that_is_off_stand_still():
    m = cart(lambda g: forces.FilteredActuator(g, Ramp(2.0), 5.0))
    m.event(Switch("t - 0.5", off=("force0",)), "off")
    m.event(Switch("t - 1", on=("force0",)), "on")
    motion = m.build().simulate(2.0, 40, tolerance=FINE)
    # what an event switches on is off at the start
    passed = np.clip(motion.t - 1.0, 0.0, None)
    wanted = 2.0 * (1.0 - np.exp(-5.0 * passed))
    assert np.abs(motion["force0.signal"].values - wanted).max() < CLOSE


def test_a_reading_of_a_state_that_is_none_is_refused_by_name():
    motion = cart(Lagging).build().simulate(0.1, 2)
    with pytest.raises(UnknownName, match="stretch"):
        motion["force0.strech"]


def test_a_start_with_states_of_another_mechanism_is_refused():
    state = cart(Lagging).build().simulate(0.1, 2).state()
    other = cart(lambda g: forces.Pid(g, Ramp(0.5), 3.0, 2.0, 1.0, filter=0.1)).build()
    with pytest.raises(BadNumber, match="1 states of forces and 'cart' has 2"):
        other.simulate(0.1, 2, start=state)


def test_rates_must_be_one_for_each_state():
    @dataclass(frozen=True)
    class Wrong(Lagging):
        def rates(self, now):
            return [0.0, 0.0]

    with pytest.raises(FormulaError, match="2 rates for the states stretch"):
        cart(Wrong).build().simulate(0.1, 2)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda g: forces.Pid(g, Ramp(0.0), 1.0, low=2.0, high=1.0), "at least 2 and at most 1"),
        (lambda g: forces.Pid(g, Ramp(0.0), 0.0, 1.0, high=1.0), "would wind up"),
        (lambda g: forces.Pid(g, Ramp(0.0), 1.0, filter=0.0), "filter"),
        (lambda g: forces.Pid(g, Ramp(0.0), math.nan), "proportional"),
        (lambda g: forces.FilteredActuator(g, Ramp(1.0), 0.0), "frequency"),
        (lambda g: forces.StateFeedback(g, (g,), (1.0, 2.0)), "1 measures and has 2 gains"),
        (lambda g: forces.LinearSystem(g, (g,), [[1.0, 2.0]]), "needs"),
        (lambda g: forces.LinearSystem(g, (g,), [[-1.0]], [[1.0, 0.0, 0.0]], [[1.0]]), "B of"),
        (lambda g: forces.LinearSystem(g, (g,), [[-1.0], [1.0, 2.0]]), "no matrix"),
        (lambda g: forces.DcMotor(g, 1.0, 1.0, lag=-1.0), "lag"),
    ],
)
def test_what_makes_no_controller_is_refused(make, said):
    with pytest.raises(BadNumber, match=said):
        cart(make)


def test_a_state_called_as_what_is_read_anyway_is_refused():
    own = (("effort", "x", 0.0),)
    m = cart(lambda g: forces.Control(g, "-effort", own=own))
    with pytest.raises(UnknownName, match="cannot be a name"):
        cart(lambda g: forces.Control(g, "-t", own=(("t", "x", 0.0),)))
    from kempe.errors import DuplicateName

    with pytest.raises(DuplicateName, match="means two things"):
        _ = m.build().simulate(0.1, 2)["force0.effort"]
