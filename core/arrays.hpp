// Arrays that cross the border between Python and C++.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kempe {

using Reals = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig,
                                nanobind::device::cpu>;
using RealMatrix =
    nanobind::ndarray<double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using Integers = nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig,
                                   nanobind::device::cpu>;

inline std::vector<double> list(const Reals& x) { return {x.data(), x.data() + x.size()}; }
inline std::vector<std::int32_t> list(const Integers& x) {
    return {x.data(), x.data() + x.size()};
}

/// The numbers, or a ValueError that says how many there should be.
inline std::vector<double> list(const Reals& x, std::size_t size, const char* what) {
    if (x.size() != size) {
        throw nanobind::value_error((std::string(what) + " has " + std::to_string(x.size()) +
                                     " numbers, " + std::to_string(size) + " are needed")
                                        .c_str());
    }
    return list(x);
}

/// A NumPy array that owns the values.
inline nanobind::object owned(std::vector<double> values) {
    auto* held = new std::vector<double>(std::move(values));
    nanobind::capsule owner(held,
                            [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<1>>(
        held->data(), {held->size()}, owner));
}

}  // namespace kempe
