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
ROBOT = """<robot name="r"><link name="o"/>
<link name="a"><inertial><origin xyz="0.1 0 0" rpy="0 1 0"/>
<mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0.1"/></inertial>
<visual name="v"><origin xyz="1 0 0"/><geometry><mesh filename="package://r/a.stl" scale="1 1 -1"/>
</geometry></visual></link><link name="b"><collision><geometry><cylinder radius="0.1" length="2"/>
</geometry></collision></link><link name="c"/>
<joint name="x" type="revolute"><parent link="o"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="2" effort="3"/><dynamics damping="0.5" friction="0.1"/></joint>
<joint name="y" type="prismatic"><parent link="a"/><child link="b"/>
<origin xyz="1 0 0" rpy="0 0 1"/><mimic joint="x" multiplier="0.25" offset="0.1"/></joint>
<joint name="z" type="floating"><parent link="o"/><child link="c"/></joint>
<loop_joint name="l" type="ball"><link1 link="b" xyz="0.1 0 0"/><link2 link="c"/></loop_joint>
<transmission name="t"/></robot>
"""
CHAIN = """<mujoco model="m"><compiler angle="degree" meshdir="meshes" autolimits="true"/>
<option gravity="0 0 -9.81" density="1.2"><flag contact="disable"/></option>
<default><joint damping="0.1"/><default class="d">
<geom type="box" size="1 1 1"/></default></default>
<asset><mesh name="m" file="a.stl" scale="1 1 1"/><texture name="t"/></asset>
<worldbody><light pos="0 0 3"/><frame euler="0 0 30"><body name="a" pos="0 0 1" childclass="d">
<joint name="x" type="slide" axis="1 0 0" range="-1 1" stiffness="5" springref="0.1" ref="0.2"/>
<joint name="h" axis="0 1 0" pos="0 0 1" armature="0.1"/><geom/><geom type="mesh" mesh="m"/>
<body name="b" pos="1 0 0" quat="1 0 0 1"><joint type="ball"/><geom type="capsule" size="1"
fromto="0 0 0 1 0 0" class="main"/><site name="s" pos="0 1 0"/></body></body></frame>
<body name="f"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
<site name="w"/></worldbody>
<equality><joint joint1="h" joint2="x" polycoef="0 1 0.5 0 0"/>
<weld body1="b" body2="f"/></equality>
<tendon><spatial name="t" stiffness="3" springlength="0.1 0.2"><site site="s"/><site site="w"/>
</spatial></tendon></mujoco>
"""
WORLD = """<sdf version="1.7"><world name="w"><gravity>0 0 -9.8</gravity>
<model name="m"><pose>0 0 1 0 0 0</pose>
<frame name="f" attached_to="a"><pose>1 0 0 0 0 1</pose></frame>
<link name="a"><pose degrees="true">0 0 0 0 90 0</pose><inertial><mass>2</mass><inertia><ixx>1</ixx>
</inertia></inertial><visual name="v"><geometry><mesh><uri>model://m/a.stl</uri></mesh></geometry>
</visual></link><link name="b"><pose relative_to="f">0 0 0 0 0 0</pose></link>
<joint name="x" type="revolute"><parent>world</parent><child>a</child><axis>
<xyz expressed_in="__model__">0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit>
<dynamics><damping>1</damping><spring_stiffness>2</spring_stiffness></dynamics></axis></joint>
<joint name="y" type="screw"><parent>a</parent><child>b</child><screw_thread_pitch>0.01
</screw_thread_pitch></joint><joint name="z" type="universal"><parent>b</parent><child>world</child>
<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model>
<model name="n"><static>true</static><link name="a"/></model></world></sdf>
"""
FILES = (
    (".asmt", _asmt()),
    (".urdf", ROBOT),
    (".mjcf", CHAIN),
    (".sdf", WORLD),
    *((p.suffix, p.read_text()) for p in sorted(EXAMPLES.iterdir()) if p.suffix != ".json"),
)
