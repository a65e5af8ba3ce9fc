"""Named mechanisms, ready to run: each takes its dimensions by keyword.

Most come driven; those with a course move by their masses and forces. A new entry is its file and
its name here; a file is imported when one of its entries is first asked for.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, final

from kempe.on_demand import OnDemand

if TYPE_CHECKING:
    from kempe.front import Mechanism
    from kempe.gallery.andrews import andrews_squeezer as andrews_squeezer
    from kempe.gallery.balances import hanging_four_bar as hanging_four_bar
    from kempe.gallery.balances import snap_toggle as snap_toggle
    from kempe.gallery.barton import barton_chain as barton_chain
    from kempe.gallery.barton import barton_converter as barton_converter
    from kempe.gallery.barton import barton_piston as barton_piston
    from kempe.gallery.barton import barton_stretching_bar as barton_stretching_bar
    from kempe.gallery.barton import barton_stuck as barton_stuck
    from kempe.gallery.barton import barton_tangent as barton_tangent
    from kempe.gallery.barton import barton_two_tracks as barton_two_tracks
    from kempe.gallery.barton import barton_well_defined as barton_well_defined
    from kempe.gallery.barton_in_space import barton_offset_point as barton_offset_point
    from kempe.gallery.barton_in_space import barton_surface_five_bars as barton_surface_five_bars
    from kempe.gallery.barton_in_space import barton_tangent_face as barton_tangent_face
    from kempe.gallery.barton_in_space import (
        barton_triangle_on_surface as barton_triangle_on_surface,
    )
    from kempe.gallery.barton_in_space import barton_triangle_on_tracks as barton_triangle_on_tracks
    from kempe.gallery.bead_on_wire import bead_on_wire as bead_on_wire
    from kempe.gallery.belt_oscillator import belt_oscillator as belt_oscillator
    from kempe.gallery.car_axis import car_axis as car_axis
    from kempe.gallery.cars import single_track_car as single_track_car
    from kempe.gallery.catches import bouncing_ball as bouncing_ball
    from kempe.gallery.catches import trebuchet as trebuchet
    from kempe.gallery.chains import dyad_chain as dyad_chain
    from kempe.gallery.chains import four_bar_chain as four_bar_chain
    from kempe.gallery.chains import n_four_bar as n_four_bar
    from kempe.gallery.compressor import compressor_start as compressor_start
    from kempe.gallery.door_closer import door_closer as door_closer
    from kempe.gallery.elliptic_trammel import elliptic_trammel as elliptic_trammel
    from kempe.gallery.escapement import clock_escapement as clock_escapement
    from kempe.gallery.excavator_arm import excavator_arm as excavator_arm
    from kempe.gallery.flexible_rod import flexible_slider_crank as flexible_slider_crank
    from kempe.gallery.flyball_governor import flyball_governor as flyball_governor
    from kempe.gallery.flyball_governor import stiff_flyball_governor as stiff_flyball_governor
    from kempe.gallery.folding import miura_vertex as miura_vertex
    from kempe.gallery.four_bars import double_rocker as double_rocker
    from kempe.gallery.four_bars import drag_link as drag_link
    from kempe.gallery.four_bars import four_bar as four_bar
    from kempe.gallery.four_bars import moving_triangle as moving_triangle
    from kempe.gallery.four_bars import parallelogram as parallelogram
    from kempe.gallery.four_bars import triple_rocker as triple_rocker
    from kempe.gallery.gear_trains import differential as differential
    from kempe.gallery.gear_trains import hypocycloid as hypocycloid
    from kempe.gallery.gear_trains import planetary_train as planetary_train
    from kempe.gallery.gripper import gripper as gripper
    from kempe.gallery.grips import box_gripper as box_gripper
    from kempe.gallery.grips import robot_arm as robot_arm
    from kempe.gallery.hinge_loops import bennett as bennett
    from kempe.gallery.hinge_loops import bricard as bricard
    from kempe.gallery.hinge_loops import falling_bricard as falling_bricard
    from kempe.gallery.hinge_loops import goldberg as goldberg
    from kempe.gallery.hinge_loops import sarrus as sarrus
    from kempe.gallery.indexing import geneva_drive as geneva_drive
    from kempe.gallery.indexing import ratchet as ratchet
    from kempe.gallery.inversors import hart as hart
    from kempe.gallery.inversors import peaucellier_lipkin as peaucellier_lipkin
    from kempe.gallery.inverted_pendulum import inverted_pendulum as inverted_pendulum
    from kempe.gallery.knee import knee as knee
    from kempe.gallery.koh_park import koh_park_pendulum as koh_park_pendulum
    from kempe.gallery.legs import jansen as jansen
    from kempe.gallery.legs import klann as klann
    from kempe.gallery.on_surfaces import ball_on_ring as ball_on_ring
    from kempe.gallery.on_surfaces import barrel_cam as barrel_cam
    from kempe.gallery.on_surfaces import ring_lifter as ring_lifter
    from kempe.gallery.parallelograms import kempe_trisector as kempe_trisector
    from kempe.gallery.parallelograms import pantograph as pantograph
    from kempe.gallery.parallelograms import parallel_motion as parallel_motion
    from kempe.gallery.pendula import conical_pendulum as conical_pendulum
    from kempe.gallery.pendula import double_pendulum as double_pendulum
    from kempe.gallery.pendula import elastic_pendulum as elastic_pendulum
    from kempe.gallery.pendula import pendulum_chain as pendulum_chain
    from kempe.gallery.pendula import simple_pendulum as simple_pendulum
    from kempe.gallery.pendula import spherical_pendulum as spherical_pendulum
    from kempe.gallery.platforms import delta_robot as delta_robot
    from kempe.gallery.platforms import octahedral_platform as octahedral_platform
    from kempe.gallery.platforms import planar_platform as planar_platform
    from kempe.gallery.platforms import stewart as stewart
    from kempe.gallery.quick_returns import quick_return as quick_return
    from kempe.gallery.quick_returns import whitworth as whitworth
    from kempe.gallery.rings import cyclohexane as cyclohexane
    from kempe.gallery.rockets import filling_bucket as filling_bucket
    from kempe.gallery.rockets import rocket as rocket
    from kempe.gallery.rolling import bicycle as bicycle
    from kempe.gallery.rolling import chaplygin_sleigh as chaplygin_sleigh
    from kempe.gallery.rolling import disc_in_bowl as disc_in_bowl
    from kempe.gallery.rolling import rattleback as rattleback
    from kempe.gallery.rolling import rolling_disc as rolling_disc
    from kempe.gallery.rolling import wheel_in_hoop as wheel_in_hoop
    from kempe.gallery.rssr import rscr as rscr
    from kempe.gallery.rssr import rssr as rssr
    from kempe.gallery.scissor_lift import scissor_lift as scissor_lift
    from kempe.gallery.shafts import cardan as cardan
    from kempe.gallery.shafts import cardan_shaft as cardan_shaft
    from kempe.gallery.shafts import constant_velocity as constant_velocity
    from kempe.gallery.shafts import double_cardan as double_cardan
    from kempe.gallery.shafts import oldham as oldham
    from kempe.gallery.six_bars import stephenson_six_bar as stephenson_six_bar
    from kempe.gallery.six_bars import watt_six_bar as watt_six_bar
    from kempe.gallery.six_r_arm import six_r_arm as six_r_arm
    from kempe.gallery.sketch_of_masses import Course
    from kempe.gallery.slider_cranks import engine as engine
    from kempe.gallery.slider_cranks import engine_with_flywheel as engine_with_flywheel
    from kempe.gallery.slider_cranks import slider_crank as slider_crank
    from kempe.gallery.slider_cranks import (
        slider_crank_with_clearance as slider_crank_with_clearance,
    )
    from kempe.gallery.slider_cranks import spatial_slider_crank as spatial_slider_crank
    from kempe.gallery.sliding_puck import sliding_puck as sliding_puck
    from kempe.gallery.spherical_four_bar import spherical_four_bar as spherical_four_bar
    from kempe.gallery.straight_lines import chebyshev_crossed as chebyshev_crossed
    from kempe.gallery.straight_lines import chebyshev_lambda as chebyshev_lambda
    from kempe.gallery.straight_lines import hoecken as hoecken
    from kempe.gallery.straight_lines import roberts as roberts
    from kempe.gallery.straight_lines import scott_russell as scott_russell
    from kempe.gallery.straight_lines import watt_line as watt_line
    from kempe.gallery.sung import sung_combined as sung_combined
    from kempe.gallery.sung import sung_four_bar as sung_four_bar
    from kempe.gallery.sung import sung_slider_crank as sung_slider_crank
    from kempe.gallery.toggle_press import toggle_press as toggle_press
    from kempe.gallery.tops import dzhanibekov as dzhanibekov
    from kempe.gallery.tops import free_body as free_body
    from kempe.gallery.tops import gyroscope as gyroscope
    from kempe.gallery.tops import heavy_top as heavy_top
    from kempe.gallery.touching import cam_follower as cam_follower
    from kempe.gallery.touching import hoop_in_trough as hoop_in_trough
    from kempe.gallery.touching import spring_mass_on_floor as spring_mass_on_floor
    from kempe.gallery.touching import vibrating_table as vibrating_table
    from kempe.gallery.tray_and_post import tray_and_post as tray_and_post
    from kempe.gallery.windscreen_wiper import windscreen_wiper as windscreen_wiper
    from kempe.gallery.wobble_plate import wobble_plate as wobble_plate

__getattr__ = OnDemand(
    __name__,
    {
        "andrews": "andrews_squeezer",
        "balances": "hanging_four_bar snap_toggle",
        "barton": (
            "barton_chain barton_converter barton_piston barton_stretching_bar "
            "barton_stuck barton_tangent barton_two_tracks barton_well_defined"
        ),
        "barton_in_space": (
            "barton_offset_point barton_surface_five_bars barton_tangent_face "
            "barton_triangle_on_surface barton_triangle_on_tracks"
        ),
        "bead_on_wire": "bead_on_wire",
        "belt_oscillator": "belt_oscillator",
        "car_axis": "car_axis",
        "cars": "single_track_car",
        "catches": "bouncing_ball trebuchet",
        "chains": "dyad_chain four_bar_chain n_four_bar",
        "compressor": "compressor_start",
        "door_closer": "door_closer",
        "elliptic_trammel": "elliptic_trammel",
        "escapement": "clock_escapement",
        "excavator_arm": "excavator_arm",
        "flexible_rod": "flexible_slider_crank",
        "flyball_governor": "flyball_governor stiff_flyball_governor",
        "folding": "miura_vertex",
        "four_bars": "double_rocker drag_link four_bar moving_triangle parallelogram triple_rocker",
        "gear_trains": "differential hypocycloid planetary_train",
        "gripper": "gripper",
        "grips": "box_gripper robot_arm",
        "hinge_loops": "bennett bricard falling_bricard goldberg sarrus",
        "indexing": "geneva_drive ratchet",
        "inversors": "hart peaucellier_lipkin",
        "inverted_pendulum": "inverted_pendulum",
        "knee": "knee",
        "koh_park": "koh_park_pendulum",
        "legs": "jansen klann",
        "on_surfaces": "ball_on_ring barrel_cam ring_lifter",
        "parallelograms": "kempe_trisector pantograph parallel_motion",
        "pendula": (
            "conical_pendulum double_pendulum elastic_pendulum pendulum_chain "
            "simple_pendulum spherical_pendulum"
        ),
        "platforms": "delta_robot octahedral_platform planar_platform stewart",
        "quick_returns": "quick_return whitworth",
        "rings": "cyclohexane",
        "rockets": "filling_bucket rocket",
        "rolling": "bicycle chaplygin_sleigh disc_in_bowl rattleback rolling_disc wheel_in_hoop",
        "rssr": "rscr rssr",
        "scissor_lift": "scissor_lift",
        "shafts": "cardan cardan_shaft constant_velocity double_cardan oldham",
        "six_bars": "stephenson_six_bar watt_six_bar",
        "six_r_arm": "six_r_arm",
        "slider_cranks": (
            "engine engine_with_flywheel slider_crank slider_crank_with_clearance "
            "spatial_slider_crank"
        ),
        "sliding_puck": "sliding_puck",
        "spherical_four_bar": "spherical_four_bar",
        "straight_lines": (
            "chebyshev_crossed chebyshev_lambda hoecken roberts scott_russell watt_line"
        ),
        "sung": "sung_combined sung_four_bar sung_slider_crank",
        "toggle_press": "toggle_press",
        "tops": "dzhanibekov free_body gyroscope heavy_top",
        "touching": "cam_follower hoop_in_trough spring_mass_on_floor vibrating_table",
        "tray_and_post": "tray_and_post",
        "windscreen_wiper": "windscreen_wiper",
        "wobble_plate": "wobble_plate",
    },
)


@final
class Entries(Mapping[str, "Callable[..., Mechanism]"]):
    """Every entry by name, in order: functions of its dimensions, each imported when asked for."""

    def __getitem__(self, name: str) -> "Callable[..., Mechanism]":
        if name not in __getattr__.where:
            raise KeyError(name)
        entry: Callable[..., Mechanism] = __getattr__(name)
        return entry

    def __iter__(self) -> Iterator[str]:
        return iter(__getattr__.names)

    def __len__(self) -> int:
        return len(__getattr__.where)

    def __contains__(self, name: object) -> bool:
        return name in __getattr__.where


@final
class Courses(Mapping[str, "Course"]):
    """The entries that forces move: how long each is let go, and whose paths are worth drawing."""

    def __getitem__(self, name: str) -> "Course":
        from kempe.gallery.sketch_of_masses import COURSE

        course: Course = MECHANISMS[name].__dict__[COURSE]
        return course

    def __iter__(self) -> Iterator[str]:
        return (name for name in MECHANISMS if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


MECHANISMS = Entries()
COURSES = Courses()
