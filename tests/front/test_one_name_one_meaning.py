"""No name hides a reading: whatever is called as something that is read anyway is refused."""

import numpy as np
import pytest

import kempe
from kempe.cli.main import main
from kempe.couplers import GearPair
from kempe.errors import DuplicateName, KempeError, ModelError
from kempe.forces import LineSpring
from kempe.measures import Distance
from kempe.names import BUILT_IN
from kempe.readings.registry import registry_of

KINDS = {
    **{"body": "rod", "point": "P", "joint": "hinge", "measure": "reach", "drive": "motor"},
    **{"coupler": "mesh", "force": "spring", "output": "own"},
}


def geared(**called: str) -> kempe.Mechanism:
    """A driven rod that turns another by a gear, with one thing of every kind; some renamed."""
    names = KINDS | called
    m = kempe.Builder("geared", plane=True)
    inertia = kempe.Inertia(1.0, (0.5, 0.0, 0.0), 0.1 * np.eye(3))
    rod = m.body(names["body"], points={names["point"]: (0.3, 0.1)}, inertia=inertia)
    tip = m.body("tip", inertia=inertia)
    hinge = m.revolute(m.ground.at(0, 0), rod.at(0, 0), name=names["joint"])
    knee = m.revolute(rod.at(1, 0), tip.at(0, 0), name="knee")
    m.gauge(names["measure"], Distance(), m.ground.at(2, 0), rod.at(1, 0))
    m.drive(hinge.angle, speed=1.0, name=names["drive"])
    m.couple(GearPair((hinge.angle, knee.angle), teeth=(20, 30)), names["coupler"])
    m.force(LineSpring(m.ground.at(3, 0), tip.at(1, 0), 1.0, 0.5), names["force"])
    m.output(f"2 * {names['joint']}.angle", name=names["output"])
    return m.build()


def every_reading() -> dict[str, tuple[str, str]]:
    """All that is read off it, moved or simulated: description and unit by name."""
    model = geared().model
    listed = [one for sim in (False, True) for one in registry_of(model, is_simulated=sim)]
    return {one.name: (one.description, one.unit) for one in listed}


NAMES = sorted({*every_reading(), *BUILT_IN, *KINDS.values(), "ground", "knee"} - {"P"})


def test_what_belongs_to_no_part_is_built_in():
    """The list of names that no part may have is that of the readings that no part has."""
    parts = {*KINDS.values(), "ground", "tip", "knee"}
    assert {name.partition(".")[0] for name in every_reading()} - parts == set(BUILT_IN)


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_that_is_read_anyway_is_refused_or_hides_nothing(kind):
    before = every_reading()
    old, refused = KINDS[kind], dict[str, str]()
    for name in NAMES:
        if name == old or name.startswith(f"{old}.") or (kind == "point" and f"rod.{old}" in name):
            continue
        try:
            mechanism = geared(**{kind: name})
            mechanism.kinematics(until=0.1, steps=1)
            now = {
                one.name: (one.description, one.unit)
                for sim in (False, True)
                for one in registry_of(mechanism.model, is_simulated=sim)
            }
        except KempeError as refusal:
            refused[name] = str(refusal)
            continue
        lost = {n for n in before if not n.startswith((f"{old}.", f"rod.{old}")) and n != old}
        for one in lost:
            said, unit = before[one]
            assert now[one] == (said.replace(old, name) if old in said else said, unit)
    assert len(refused) > 2
    assert all(name.partition(".")[0] in said for name, said in refused.items())


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"point"}))
def test_no_part_is_called_as_what_every_motion_has(kind, name):
    with pytest.raises(DuplicateName, match=rf"no {kind} can be called '{name}'"):
        geared(**{kind: name})


def test_a_point_called_centre_would_hide_the_instant_centre():
    with pytest.raises(ModelError, match="cannot be called 'centre'"):
        geared(point="centre")


def test_a_measure_is_not_called_as_another_one():
    for name in ("rod.angle", "rod.x", "knee.angle", "rod.P", "rod.P.speed", "knee.force"):
        with pytest.raises(DuplicateName, match=name):
            geared(measure=name).kinematics(until=0.1, steps=1).columns()
    m = geared().edit()
    m.watch(m.part("knee").angle)  # the very one
    assert "knee.angle" in m.build().kinematics(until=0.1, steps=1).names


def test_files_and_the_command_line_say_the_same(tmp_path, capsys):
    path = tmp_path / "model.yaml"
    text = """version: 1
plane: true
bodies: {NAME: {points: {P: [0.3, 0]}}}
joints: {hinge: {type: revolute, I: ground, J: NAME}}
drives: {hinge.angle: {speed: 1}}
"""
    for name in BUILT_IN:
        path.write_text(text.replace("NAME", name))
        for command in (["run", str(path), "--until", "1"], ["names", str(path)]):
            assert main(command) == 2
            assert f"no body can be called '{name}'" in capsys.readouterr().err
