"""Whatever a file can hold, the script that the studio writes of it makes again, digit by digit."""

from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Drive
from kempe.files.documents.writer import document_data
from kempe.files.schema.schema import family
from kempe.forces import AbstractForce
from kempe.geometry import Marker
from kempe.geometry.curves import AbstractCurve
from kempe.measures import Gauge, Turn
from kempe.model import Body, Model
from kempe.studio.documents.script import script_of


def made_again(model):
    script = script_of(model, document_data(model))
    assert "TEXT" not in script, script
    made = {}
    exec(compile(script.partition("\nprint(")[0], "script", "exec"), made)
    return made["mechanism"].model


def pair(**parts):
    return Model("pair", False, (Body("a"), Body("b")), **{"joints": (), **parts})


def is_written(base, member):
    """Whether a file holds it: it has no function of somebody's own."""
    held = [member] if base is AbstractLaw else [*vars(member).values()]
    functions = [v for v in held if callable(v) and not isinstance(v, AbstractCurve | AbstractLaw)]
    laws = [v for v in held if type(v) in family(AbstractLaw).unwritable]
    return not functions and not laws


def test_a_script_makes_a_joint_again(joint):
    assert repr(made_again(pair(joints=(joint,))).joints) == repr((joint,))


def test_a_script_makes_a_coupler_again(coupler):
    if is_written(AbstractCoupler, coupler):
        assert repr(made_again(pair(couplers=(coupler,))).couplers) == repr((coupler,))


def test_a_script_makes_a_force_again(force):
    if is_written(AbstractForce, force):
        assert repr(made_again(pair(forces=(force,))).forces) == repr((force,))


def test_a_script_makes_a_law_again(law):
    if is_written(AbstractLaw, law):
        model = pair(drives=(Drive(Gauge("a.angle", Turn(), Marker("ground"), Marker("a")), law),))
        assert repr(made_again(model).drives) == repr(model.drives)


def test_a_script_makes_a_measure_again(measure):
    gauge = Gauge("reading", measure, Marker("a"), Marker("b", (0.1, 0.2, 0.3)))
    assert repr(made_again(pair(gauges=(gauge,))).gauges) == repr((gauge,))
