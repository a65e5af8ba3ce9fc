#include "bind/bind.hpp"
#include "version.hpp"

void bind_version(nanobind::module_& m) {
    m.def("version", &kempe::version, "The version of kempe that this core was built for.");
}
