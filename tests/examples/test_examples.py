"""Every script in examples/ runs on its own and leaves something to see."""

import warnings
from pathlib import Path

import pytest

from tests.examples.running import ran_in

pytestmark = pytest.mark.row("C9")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))

# A number of every example's printed answer that has a closed form; see the example for it.
ANSWERS = {
    "balanced_lamp": "A preload of 6.676 N holds it at 30 deg (6.676 N in closed form)",
    "balanced_pole": "leans by 10.0 deg at first, -0.02 at last",
    "four_bar": "The rocker swings 51.8 deg",
    "koh_park_pendulum": "the lower bar is at (-0.7077, -1.1790) m; the spring was wound by 4.87",
    "pole_environment": "500 steps upright, leaning by 0.00 deg at last",
    "slider_crank": "stroke 60 mm",
    "sweep_over_angle": "dead point at 93.8 deg",
    "transmission": "The transmission angle goes from 49.99 deg to 108 deg",
    "users_joint": "lifts the follower 20 mm",
}
# Those that forces move, not drives.
SIMULATED = ("balanced_lamp", "balanced_pole", "koh_park_pendulum", "pole_environment")


def run(script: Path, folder: Path) -> str:
    ran = ran_in(folder, "-W", "error", str(script))
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.stem)
def test_an_example_prints_the_answer_of_its_closed_form(script: Path, tmp_path: Path) -> None:
    assert ANSWERS[script.stem] in run(script, tmp_path)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.stem)
def test_an_example_is_also_a_model_file_of_the_command_line(script: Path, tmp_path: Path) -> None:
    command = "simulate" if script.stem in SIMULATED else "run"
    ran = ran_in(tmp_path, "-m", "kempe.cli", command, str(script), "-o", "motion.csv")
    assert ran.returncode in (0, 1), ran.stderr  # 1: the sweep met a dead point
    assert (tmp_path / "motion.csv").read_text().startswith("t,")


def test_the_environment_keeps_the_rules_of_gymnasium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    from gymnasium.utils.env_checker import check_env
    from pole_environment import Pole

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about boxes without bounds, which places have not
        check_env(Pole(), skip_render_check=True)
