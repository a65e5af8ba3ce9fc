#pragma once

#include <nanobind/nanobind.h>

void bind_version(nanobind::module_& m);
void bind_vm(nanobind::module_& m);
void bind_system(nanobind::module_& m);
void bind_sweep(nanobind::module_& m);
void bind_closing(nanobind::module_& m);
void bind_linear(nanobind::module_& m);
void bind_sparse_lu(nanobind::module_& m);
void bind_schur(nanobind::module_& m);
void bind_dynamics(nanobind::module_& m);
void bind_rotations(nanobind::module_& m);
void bind_boxes(nanobind::module_& m);
