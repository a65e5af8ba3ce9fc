// Lists by name, and groups of tiles, as they come from Python.
#pragma once

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/bind_arrays.hpp"
#include "tiles/tiles.hpp"

namespace kempe::bind {

inline std::vector<std::int32_t> named(const nb::dict& lists, const char* name) {
    return list(nb::cast<Integers>(lists[name]));
}

/// Ranges of a memory of `size` numbers, each (where it begins, how long it is).
inline void require_places(std::size_t size, std::initializer_list<std::pair<std::size_t, std::size_t>> ranges) {
    for (const auto& [begin, length] : ranges) {
        require(begin <= size && length <= size - begin, "a place of " + std::to_string(length) + " numbers at " +
                                                             std::to_string(begin) + " lies outside the memory of " +
                                                             std::to_string(size));
    }
}

/// Places of a Jacobian's entries inside it.
inline void require_entries(const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& columns,
                            std::size_t n_rows, std::size_t n_columns) {
    require(rows.size() == columns.size(), "entries of the Jacobian need a row and a column each");
    const auto inside = [](const std::vector<std::int32_t>& list, std::size_t size) {
        return std::ranges::all_of(list,
                                   [size](std::int32_t k) { return k >= 0 && static_cast<std::size_t>(k) < size; });
    };
    require(inside(rows, n_rows) && inside(columns, n_columns), "an entry of the Jacobian lies outside the matrix");
}

inline TileGroup tile_group(const nb::dict& group) {
    TileGroup g;
    g.tape = nb::cast<std::shared_ptr<Tape>>(group["tape"]);
    g.inputs = named(group, "inputs");
    g.outputs = named(group, "outputs");
    g.gather = named(group, "gather");
    g.scatter = named(group, "scatter");
    g.count = nb::cast<std::size_t>(group["count"]);
    require(g.tape != nullptr && g.tape->n_sections() > 0, "a group of tiles needs a tape to run");
    require(g.count > 0, "a group of tiles has at least one element");
    g.compiled = reinterpret_cast<TileGroup::Compiled>(nb::cast<std::uintptr_t>(group["compiled"]));
    return g;
}

inline std::vector<std::vector<TileGroup>> tile_phases(const nb::list& phases) {
    std::vector<std::vector<TileGroup>> all;
    for (auto phase : phases) {
        auto& groups = all.emplace_back();
        for (auto group : nb::cast<nb::list>(phase)) groups.push_back(tile_group(nb::cast<nb::dict>(group)));
    }
    return all;
}

}  // namespace kempe::bind
