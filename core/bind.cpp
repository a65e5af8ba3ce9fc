#include "bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The C++ core of kempe: array functions and a few opaque handles.";
    bind_version(m);
    bind_vm(m);
    bind_linear(m);
    bind_system(m);
    bind_sweep(m);
    bind_closing(m);
    bind_dynamics(m);
    bind_rotations(m);
    bind_boxes(m);
}
