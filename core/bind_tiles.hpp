// Lists by name, and groups of tiles, as they come from Python.
#pragma once

#include <nanobind/stl/shared_ptr.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bind_arrays.hpp"
#include "tiles.hpp"

namespace kempe::bind {

inline std::vector<std::int32_t> named(const nb::dict& lists, const char* name) {
    return list(nb::cast<Integers>(lists[name]));
}

inline TileGroup tile_group(const nb::dict& group) {
    TileGroup g;
    g.tape = nb::cast<std::shared_ptr<Tape>>(group["tape"]);
    g.inputs = named(group, "inputs");
    g.outputs = named(group, "outputs");
    g.gather = named(group, "gather");
    g.scatter = named(group, "scatter");
    g.count = nb::cast<std::size_t>(group["count"]);
    g.compiled =
        reinterpret_cast<TileGroup::Compiled>(nb::cast<std::uintptr_t>(group["compiled"]));
    return g;
}

inline std::vector<std::vector<TileGroup>> tile_phases(const nb::list& phases) {
    std::vector<std::vector<TileGroup>> all;
    for (auto phase : phases) {
        auto& groups = all.emplace_back();
        for (auto group : nb::cast<nb::list>(phase)) {
            groups.push_back(tile_group(nb::cast<nb::dict>(group)));
        }
    }
    return all;
}

}  // namespace kempe::bind
