"""JAX and PyTorch differentiate through kempe; without them a sentence says how to get them."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

import kempe as kp
from kempe.errors import GradientError, MissingPart
from kempe.gradients import jax_function, torch_function
from tests.gradients.test_closed_forms import four_bar

AGREE = 1e-12  # of the same numbers, summed up in another order
FRAMEWORKS = {"jax": jax_function, "torch": torch_function}


@pytest.fixture(scope="module")
def curve():
    return four_bar().objective(lambda r: r["coupler.P"], ["crank", "rocker"], 1.0, 12)


@pytest.fixture
def jnp():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    return jax.numpy


def by_hand(curve, x):
    """The largest height, weighed with its square, and its gradient by the chain rule."""
    points, slopes = curve.array_and_slopes(x)
    k = points[:, 1].argmax()
    height = points[k, 1]
    return height + height**2, (1.0 + 2.0 * height) * slopes[k, 1]


def test_an_array_has_the_slopes_that_the_trajectory_has(curve):
    values, slopes = curve.array_and_slopes(curve.x0)
    run = four_bar().kinematics(until=1.0, steps=12)
    told = run.gradient("coupler.P", ["crank", "rocker"])
    assert np.array_equal(values, curve.array(curve.x0))
    assert np.abs(values - told.value).max() < AGREE
    assert np.abs(slopes - told.values).max() < AGREE * np.abs(slopes).max()
    with pytest.raises(kp.KempeError, match="sum up"):
        curve.value(curve.x0)


def test_jax_has_the_gradient_of_a_function_of_the_curve(curve, jnp):
    import jax

    f = jax_function(curve)

    def number(x):
        height = f(x)[:, 1].max()
        return height + height**2

    x = curve.x0 * 1.01
    value, slopes = by_hand(curve, x)
    for grad in (jax.grad(number), jax.jit(jax.grad(number))):
        assert np.abs(np.asarray(grad(x)) - slopes).max() < AGREE
    assert abs(float(number(x)) - value) < AGREE
    exact = curve.array_and_slopes(x)[1]
    for jacobian in (jax.jacfwd(f), jax.jacrev(f)):
        assert np.abs(np.asarray(jacobian(jnp.asarray(x))) - exact).max() < AGREE
    both = jax.vmap(jax.grad(number))(jnp.asarray([curve.x0, x]))
    assert np.abs(np.asarray(both[1]) - slopes).max() < AGREE


def test_torch_has_the_gradient_of_a_function_of_the_curve(curve):
    torch = pytest.importorskip("torch")
    x = torch.tensor(curve.x0 * 1.01, requires_grad=True)
    height = torch_function(curve)(x)[:, 1].max()
    number = height + height**2
    number.backward()
    value, slopes = by_hand(curve, curve.x0 * 1.01)
    assert abs(number.item() - value) < AGREE
    assert np.abs(x.grad.numpy() - slopes).max() < AGREE
    assert not torch_function(curve)(x.detach()).requires_grad


def test_torch_finds_the_lengths_of_a_path():
    torch = pytest.importorskip("torch")
    wanted = four_bar(crank=33.0, rocker=72.0).kinematics(until=1.0, steps=12)["coupler.P"]
    goal = kp.gradients.PathError("coupler.P", wanted.position)
    error = torch_function(four_bar().objective(goal, ["crank", "rocker"], 1.0, 12))
    x = torch.tensor([30.0, 70.0], dtype=torch.float64, requires_grad=True)
    search = torch.optim.LBFGS([x], max_iter=40, line_search_fn="strong_wolfe")
    search.param_groups[0].update(tolerance_grad=1e-14, tolerance_change=1e-16)

    def closure():
        search.zero_grad()
        # In square millimetres, so that steps have the size that the search expects.
        loss = 1e6 * error(x)
        loss.backward()
        return loss

    search.step(closure)
    assert np.abs(x.detach().numpy() - [33.0, 72.0]).max() < 1e-4


def test_a_variant_that_does_not_come_to_the_end_is_an_error_and_no_nan(curve):
    torch = pytest.importorskip("torch")
    with pytest.raises(GradientError):
        torch_function(curve)(torch.tensor([75.0, 70.0], dtype=torch.float64))


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_what_is_not_installed_is_refused_with_the_line_that_installs_it(name, curve, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingPart, match=rf"kempe\[{name}\]"):
        FRAMEWORKS[name](curve)


def test_neither_is_imported_before_it_is_asked_for():
    lines = "import sys, kempe.gradients; print([m for m in ('jax', 'torch') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
    assert importlib.util.find_spec("kempe.gradients.jax_wrapper")
