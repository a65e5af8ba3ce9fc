#pragma once

#include <nanobind/nanobind.h>

void bind_vm(nanobind::module_& m);
void bind_kinematics(nanobind::module_& m);
void bind_linear(nanobind::module_& m);
void bind_dynamics(nanobind::module_& m);
void bind_rotations(nanobind::module_& m);
void bind_boxes(nanobind::module_& m);
