#include "bind/bind.hpp"

NB_MODULE(_core, m) {
    // Programs are remembered until the process ends, and Python does not take every module apart.
    nanobind::set_leak_warnings(false);
    m.doc() = "The C++ core of kempe: array functions and a few opaque handles.";
    m.def("version", [] { return KEMPE_VERSION; }, "The version of kempe that this core was built for.");
    bind_vm(m);
    bind_linear(m);
    bind_kinematics(m);
    bind_dynamics(m);
    bind_rotations(m);
    bind_boxes(m);
}
