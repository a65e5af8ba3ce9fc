"""Small files of other programs, of our own writing."""

from pathlib import Path


def _frame(depth: int, x: str = "0.0 \t0.0 \t0.0 ") -> str:
    tabs = "\t" * depth
    rows = "".join(f"{tabs}\t{row}\n" for row in ("1.0 \t0 \t0.0 ", "0 \t1.0 \t0", "0 \t0 \t1.0 "))
    return f"{tabs}Position3D\n{tabs}\t{x}\n{tabs}RotationMatrix\n{rows}"


def _entry(depth: int, kind: str, **fields: str) -> str:
    tabs = "\t" * depth
    lines = "".join(f"{tabs}\t{label}\n{tabs}\t\t{text}\n" for label, text in fields.items())
    return f"{tabs}{kind}\n{lines}"


def _markers(depth: int, *names: str) -> str:
    tabs, text = "\t" * depth, ""
    for name in names:
        text += f"{tabs}\tRefPoint\n{_frame(depth + 2)}{tabs}\t\tMarkers\n"
        text += f"{tabs}\t\t\tMarker\n{tabs}\t\t\t\tName\n{tabs}\t\t\t\t\t{name}\n"
        text += _frame(depth + 4, "0.5 \t0.0 \t1.0e-3")
    return f"{tabs}RefPoints\n{text}"


def _part(name: str) -> str:
    text = f"\t\tPart\n\t\t\tName\n\t\t\t\t{name}\n{_frame(3)}"
    text += "\t\t\tVelocity3D\n\t\t\t\t0 \t1 \t0 \n\t\t\tOmega3D\n\t\t\t\t0 \t0 \t2 \n"
    text += "\t\t\tFeatureOrder\n\t\t\t\tExtrusion\n\t\t\tPrincipalMassMarker\n"
    text += f"\t\t\t\tName\n\t\t\t\t\tMass\n{_frame(4)}\t\t\t\tMass\n\t\t\t\t\t1.5 \n"
    text += "\t\t\t\tMomentOfInertias\n\t\t\t\t\t1.0 \t1.0 \t1.5 \n\t\t\t\tDensity\n\t\t\t\t\t10 \n"
    return text + _markers(3, "m", "n")


def _curve() -> str:
    numbers = "\t".join(str(k) for k in range(1, 9))
    rows = [f"Number\t{numbers}", "z" + "\t0" * 8]
    rows += ["s\t-1.0\t-0.7\t-0.4\t-0.1\t0.2\t0.5\t0.8\t1.0", "x\t0\t1\t2\t2\t2\t1\t0\t0"]
    rows += ["y\t0\t0\t0\t1\t2\t2\t2\t0"]
    spline = "".join(f"\t\t\t\t\t\t{row}\n" for row in rows)
    text = f"\t\t\tRefCurves\n\t\t\t\tRefCurve\n{_frame(5)}\t\t\t\t\tGeneralSpline\n"
    text += f"\t\t\t\t\t\tOrder\n\t\t\t\t\t\t\t5\n\t\t\t\t\t\tDataPoints\n{spline}"
    return text + "\t\t\t\t\tCurveMarkers\n" + _entry(6, "CurveMarker", Name="c", s="0.1")


def _asmt() -> str:
    ends = {"MarkerI": "/A/o", "MarkerJ": "/A/a/m"}
    other = {"MarkerI": "/A/a/n", "MarkerJ": "/A/b/m"}
    text = f"OndselSolver\nAssembly\n\tNotes\n\t\t(Text string: 'x')\n\tName\n\t\tA\n{_frame(1)}"
    text += _markers(1, "o", "p") + "\tParts\n" + _part("a") + _curve() + _part("b") + _curve()
    text += "\tConstraintSets\n\t\tJoints\n" + _entry(3, "RevoluteJoint", Name="pin", **ends)
    text += _entry(3, "PointInPlaneJoint", Name="foot", **other, offset="0.2")
    text += _entry(3, "GearJoint", Name="mesh", **other, radiusI="1.0", radiusJ="2.0")
    text += _entry(3, "SphSphJoint", Name="rod", **other, distanceIJ="1.0")
    text += _entry(3, "CurveCurveContact", Name="cam", MarkerI="/A/a/c", MarkerJ="/A/b/c")
    text += "\t\tMotions\n"
    turn = '(45.0d + 45.0d*sin((360.0d*time - 90.0d)*pi/180.0d)) "deg"'
    text += _entry(3, "RotationalMotion", Name="motor", MotionJoint="/A/pin", RotationZ=turn)
    laws = {f"rIJI{k}": f"{k}*time" for k in (1, 2, 3)} | {
        f"angIJJ{k}": f"time^{k}" for k in (1, 2, 3)
    }
    text += _entry(3, "GeneralMotion", Name="fly", **other, **laws, RotationOrder="1\t2\t3")
    text += "\t\tLimits\n"
    text += _entry(3, "RotationLimit", Name="stop", MotionJoint="/A/pin", Limit="3.0d", Type="=<")
    text += "\t\tGeneralConstraintSets\n\tForceTorques\n"
    pull = "(1.0d + 2.0d*(rIJ(self) + (-0.5d)) + 0.1d*vrIJ(self))"
    text += _entry(2, "InLineForceTorque", Name="spring", **other, tension=pull, twist="0")
    text += "\tConstantGravity\n\t\t0 \t-9.81 \t0 \n\tSimulationParameters\n"
    for word, number in (("tstart", "0"), ("tend", "1.0 "), ("hmin", "1.0e-9"), ("hout", "0.1")):
        text += f"\t\t{word}\n\t\t\t{number}\n"
    text += "TimeSeries\nNumber\tInput\t1\t2\nTime\tInput\t0.0 \t0.5 \nPartSeries /A/a\n"
    rows = [f"{w}{x}" for w in ("", "V", "Omega", "A", "Alpha") for x in "XYZ"]
    for row in (*rows, "Bryantx", "Bryanty", "Bryantz"):
        text += f"{row}\t0\t1.0 \t2.0e-3\n"
    return text


EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "foreign"
FILES = (
    (".asmt", _asmt()),
    *((p.suffix, p.read_text()) for p in sorted(EXAMPLES.iterdir()) if p.suffix != ".json"),
)
