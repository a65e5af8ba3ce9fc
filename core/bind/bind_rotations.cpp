#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "kinematics/rotations.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using kempe::EulerSequence;
using kempe::Row;
using kempe::bind::Matrix;
using kempe::bind::require;
using kempe::bind::Vector;
using kempe::bind::WritableMatrix;

constexpr std::size_t batch = std::size_t{1} << 16;  // a few ms between looks at Ctrl-C

template <class Array>
void require_columns(const Array& array, std::size_t columns, std::size_t rows, const char* what) {
    require(array.shape(1) == columns && array.shape(0) == rows,
            std::string(what) + " has the shape (" + std::to_string(array.shape(0)) + ", " +
                std::to_string(array.shape(1)) + "), (" + std::to_string(rows) + ", " + std::to_string(columns) +
                ") is needed");
}

// act(first, count) on all rows; the row at which it stopped.
template <class Act>
Row in_batches(std::size_t rows, Act act) {
    for (std::size_t first = 0; first < rows; first += batch) {
        Row stopped;
        {
            nb::gil_scoped_release unlocked;
            stopped = act(first, std::min(batch, rows - first));
        }
        if (stopped != kempe::all_rows) return static_cast<Row>(first) + stopped;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return kempe::all_rows;
}

// convert(from, count, to) on all rows, with so many columns; the row at which it stopped.
template <std::size_t In, std::size_t Out, class Convert>
Row converted(const Matrix& from, WritableMatrix to, Convert convert) {
    const std::size_t rows = from.shape(0);
    require_columns(from, In, rows, "the input");
    require_columns(to, Out, rows, "the output");
    return in_batches(rows, [&](std::size_t first, std::size_t count) {
        return convert(from.data() + In * first, count, to.data() + Out * first);
    });
}

template <std::size_t In, std::size_t Out, Row (*Convert)(const double*, std::size_t, double*) noexcept>
Row checked(const Matrix& from, WritableMatrix to) {
    return converted<In, Out>(from, to, Convert);
}

template <std::size_t Out, void (*Convert)(const double*, std::size_t, double*) noexcept>
void of_quaternions(const Matrix& q, WritableMatrix to) {
    converted<4, Out>(q, to, [](const double* from, std::size_t count, double* into) {
        Convert(from, count, into);
        return kempe::all_rows;
    });
}

template <std::size_t Second, std::size_t Out,
          void (*Combine)(const double*, const double*, std::size_t, double*) noexcept>
void pairs(const Matrix& a, const Matrix& b, WritableMatrix to) {
    const std::size_t rows = a.shape(0);
    require_columns(a, 4, rows, "the first input");
    require_columns(b, Second, rows, "the second input");
    require_columns(to, Out, rows, "the output");
    in_batches(rows, [&](std::size_t first, std::size_t count) {
        Combine(a.data() + 4 * first, b.data() + Second * first, count, to.data() + Out * first);
        return kempe::all_rows;
    });
}

EulerSequence sequence_of(const std::vector<int>& axes, bool extrinsic) {
    require(axes.size() == 3, "an Euler sequence has three axes");
    for (const int axis : axes) require(axis >= 0 && axis < 3, "an axis is 0, 1 or 2");
    require(axes[0] != axes[1] && axes[1] != axes[2], "neighbouring axes must differ");
    return {{axes[0], axes[1], axes[2]}, extrinsic};
}

}  // namespace

void bind_rotations(nb::module_& m) {
    const char* const returns = "The first row that is no rotation, or -1.";
    m.def("unit_quaternions", &checked<4, 4, kempe::unit_quaternions>, "q"_a, "out"_a, returns);
    m.def("quaternions_of_vectors", &checked<3, 4, kempe::quaternions_of_vectors>, "v"_a, "out"_a, returns);
    m.def("quaternions_of_axis_angles", &checked<4, 4, kempe::quaternions_of_axis_angles>, "a"_a, "out"_a, returns);
    m.def("quaternions_of_rodrigues", &checked<3, 4, kempe::quaternions_of_rodrigues>, "s"_a, "out"_a, returns);
    m.def("quaternions_of_six", &checked<6, 4, kempe::quaternions_of_six>, "x"_a, "out"_a, returns);
    m.def(
        "quaternions_of_matrices",
        [](const Matrix& m, double tolerance, WritableMatrix to) {
            return converted<9, 4>(m, to, [&](const double* from, std::size_t count, double* into) {
                return kempe::quaternions_of_matrices(from, count, tolerance, into);
            });
        },
        "m"_a, "tolerance"_a, "out"_a, returns);
    m.def(
        "quaternions_of_euler",
        [](const std::vector<int>& axes, bool extrinsic, const Matrix& angles, WritableMatrix to) {
            const EulerSequence sequence = sequence_of(axes, extrinsic);
            return converted<3, 4>(angles, to, [&](const double* from, std::size_t count, double* into) {
                return kempe::quaternions_of_euler(sequence, from, count, into);
            });
        },
        "axes"_a, "extrinsic"_a, "angles"_a, "out"_a, returns);
    m.def("matrices_of_quaternions", &of_quaternions<9, kempe::matrices_of_quaternions>, "q"_a, "out"_a);
    m.def("vectors_of_quaternions", &of_quaternions<3, kempe::vectors_of_quaternions>, "q"_a, "out"_a);
    m.def("axis_angles_of_quaternions", &of_quaternions<4, kempe::axis_angles_of_quaternions>, "q"_a, "out"_a);
    m.def("rodrigues_of_quaternions", &of_quaternions<3, kempe::rodrigues_of_quaternions>, "q"_a, "out"_a);
    m.def("six_of_quaternions", &of_quaternions<6, kempe::six_of_quaternions>, "q"_a, "out"_a);
    m.def(
        "euler_of_quaternions",
        [](const std::vector<int>& axes, bool extrinsic, const Matrix& q, WritableMatrix to) {
            const EulerSequence sequence = sequence_of(axes, extrinsic);
            std::size_t near = 0;
            converted<4, 3>(q, to, [&](const double* from, std::size_t count, double* into) {
                near += kempe::euler_of_quaternions(sequence, from, count, into);
                return kempe::all_rows;
            });
            return near;
        },
        "axes"_a, "extrinsic"_a, "q"_a, "out"_a, "How many rows lie at the gimbal lock.");
    m.def("quaternion_products", &pairs<4, 4, kempe::quaternion_products>, "p"_a, "q"_a, "out"_a);
    m.def("turned_vectors", &pairs<3, 3, kempe::turned_vectors>, "q"_a, "v"_a, "out"_a);
    m.def(
        "slerps",
        [](const Matrix& a, const Matrix& b, const Vector& t, WritableMatrix to) {
            const std::size_t rows = a.shape(0);
            require_columns(a, 4, rows, "the first input");
            require_columns(b, 4, rows, "the second input");
            require(t.size() == rows, "one t per row is needed");
            require_columns(to, 4, rows, "the output");
            in_batches(rows, [&](std::size_t first, std::size_t count) {
                kempe::slerps(a.data() + 4 * first, b.data() + 4 * first, t.data() + first, count,
                              to.data() + 4 * first);
                return kempe::all_rows;
            });
        },
        "a"_a, "b"_a, "t"_a, "out"_a);
}
