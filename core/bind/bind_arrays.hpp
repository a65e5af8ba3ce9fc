// Arrays that come from Python and go back, with their shapes checked.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linear/dense.hpp"
#include "linear/order.hpp"

namespace kempe::bind {

namespace nb = nanobind;

using Index = std::int32_t;
using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const Index, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WritableMatrix = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RealsOut = nb::ndarray<nb::numpy, double>;
using IntegersOut = nb::ndarray<nb::numpy, Index, nb::ndim<1>>;

[[noreturn]] inline void refuse(const std::string& why) { throw nb::value_error(why.c_str()); }

inline void require(bool holds, const std::string& otherwise) {
    if (!holds) refuse(otherwise);
}

template <class Array> std::span<const typename Array::Scalar> view(const Array& array) {
    return {array.data(), array.size()};
}

inline std::vector<double> list(const Vector& x) { return {x.data(), x.data() + x.size()}; }
inline std::vector<Index> list(const Integers& x) { return {x.data(), x.data() + x.size()}; }

inline std::vector<double> list(const Vector& x, std::size_t size, const char* what) {
    require(x.size() == size, std::string(what) + " has " + std::to_string(x.size()) + " numbers, " +
                                  std::to_string(size) + " are needed");
    return list(x);
}

template <class Array, class T, std::size_t N>
Array owned(std::vector<T> values, const std::size_t (&shape)[N]) {
    auto* held = new std::vector<T>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Array(held->data(), N, shape, owner);
}

inline RealsOut reals(std::vector<double> values) {
    const std::size_t shape[] = {values.size()};
    return owned<RealsOut>(std::move(values), shape);
}

inline RealsOut reals(std::vector<double> values, std::size_t rows, std::size_t cols) {
    const std::size_t shape[] = {rows, cols};
    return owned<RealsOut>(std::move(values), shape);
}

inline IntegersOut integers(std::vector<Index> values) {
    const std::size_t shape[] = {values.size()};
    return owned<IntegersOut>(std::move(values), shape);
}

inline kempe::MatrixView matrix_view(const Matrix& matrix) {
    return {matrix.data(), static_cast<Index>(matrix.shape(0)), static_cast<Index>(matrix.shape(1))};
}

inline void require_in_range(const Integers& indices, Index size, const char* what) {
    for (const Index index : view(indices)) {
        require(index >= 0 && index < size, std::string(what) + " has the index " + std::to_string(index) +
                                                ", outside 0.." + std::to_string(size - 1));
    }
}

inline kempe::Triplets triplets(Index size, const Integers& rows, const Integers& cols) {
    require(size >= 0, "size must not be negative");
    require(rows.size() == cols.size(),
            "rows has " + std::to_string(rows.size()) + " indices, cols has " + std::to_string(cols.size()));
    require_in_range(rows, size, "rows");
    require_in_range(cols, size, "cols");
    return {size, {rows.data(), rows.size()}, {cols.data(), cols.size()}};
}

/// One or several sets of values, one number per entry in each; how many sets.
inline Index sample_count(const Numbers& values, std::size_t entries) {
    require(values.ndim() == 1 || values.ndim() == 2, "values must have the shape (entries,) or (samples, entries)");
    const std::size_t length = values.shape(values.ndim() - 1);
    require(length == entries,
            "values has " + std::to_string(length) + " numbers per sample for " + std::to_string(entries) + " entries");
    require(values.ndim() == 1 || values.shape(0) > 0, "values has no sample");
    return values.ndim() == 1 ? 1 : static_cast<Index>(values.shape(0));
}

/// One or several vectors of the given length; how many.
inline Index vector_count(const Numbers& x, std::size_t length, const char* what) {
    require(x.ndim() == 1 || x.ndim() == 2, std::string(what) + " must have the shape (n,) or (count, n)");
    const std::size_t given = x.shape(x.ndim() - 1);
    require(given == length,
            std::string(what) + " has length " + std::to_string(given) + ", " + std::to_string(length) + " is needed");
    return x.ndim() == 1 ? 1 : static_cast<Index>(x.shape(0));
}

inline RealsOut shaped_like(const Numbers& x, std::vector<double> values) {
    return x.ndim() == 1 ? reals(std::move(values)) : reals(std::move(values), x.shape(0), x.shape(1));
}

/// Whoever keeps what a signal's handler raises until the result is there; none: it is raised.
using PutOff = std::optional<nb::callable>;

/// Hands on what the handler of a signal has raised meanwhile.
inline void hand_on_raised(const PutOff& put_off) {
    if (PyErr_Occurred() == nullptr) return;
    nb::python_error error;
    if (!put_off) throw error;
    (*put_off)(nb::borrow(error.value()));
}

inline RealsOut array_of(const std::vector<double>& values) { return reals(values); }
inline IntegersOut array_of(const std::vector<Index>& values) { return integers(values); }
template <class Array> Array array_of(const Array& array) { return array; }

/// An array that an answer of the core holds, as a field of it.
template <class Answer, class Owner, class Field>
void array_field(nb::class_<Answer>& answer, const char* name, Field Owner::* field, const char* doc) {
    answer.def_prop_ro(
        name, [field](const Answer& self) { return array_of(self.*field); }, nb::rv_policy::automatic, doc);
}

/// What Python gives for a field: arrays for lists, anything else as it is.
template <class T> struct Given {
    using type = T;
    static const T& taken(const T& given) { return given; }
};
template <class T> struct Given<std::vector<T>> {
    using type = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    static std::vector<T> taken(const type& given) { return list(given); }
};

template <class Owner, class T> struct Field {
    const char* name;
    T Owner::* place;
};

/// A class that Python makes of all its fields, by their names.
template <class Owner, class... T>
nb::class_<Owner> made_of(nb::module_& m, const char* name, const char* doc, Field<Owner, T>... fields) {
    nb::class_<Owner> made(m, name, doc);
    made.def(
        "__init__",
        [fields...](Owner* self, const typename Given<T>::type&... given) {
            new (self) Owner{};
            ((self->*fields.place = Given<T>::taken(given)), ...);
        },
        nb::kw_only(), nb::arg(fields.name)...);
    return made;
}

/// Runs without the interpreter's lock, one caller at a time.
template <class Act> auto alone(std::mutex& busy, Act act) {
    nb::gil_scoped_release release;
    const std::lock_guard lock(busy);
    return act();
}

}  // namespace kempe::bind
