// Bodies held by joints, as they come from Python, checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "bind/bind_arrays.hpp"
#include "schur/schur_ldlt.hpp"

namespace kempe::bind {

/// The layout, refused where it does not say who touches whom.
inline SaddleLayout checked(SaddleLayout layout) {
    const auto positive = [](Index size) { return size > 0; };
    require(std::ranges::all_of(layout.body_sizes, positive), "a body needs at least one velocity");
    require(std::ranges::all_of(layout.joint_rows, positive), "a joint needs at least one row");
    require(layout.touch_starts.size() == layout.joint_rows.size() + 1,
            "touch_starts must have one index more than there are joints");
    require(layout.touch_starts.front() == 0 &&
                layout.touch_starts.back() == static_cast<Index>(layout.touch_bodies.size()) &&
                std::ranges::is_sorted(layout.touch_starts),
            "touch_starts must rise from 0 to the number of touch_bodies");
    std::int64_t numbers = 0;  // of blocks on the diagonal, which are counted as Index
    for (const auto* sizes : {&layout.body_sizes, &layout.joint_rows}) {
        for (const Index size : *sizes) {
            numbers += static_cast<std::int64_t>(size) * size;
            require(numbers <= std::numeric_limits<Index>::max(),
                    "bodies and joints have more velocities and rows than can be counted");
        }
    }
    const auto bodies = static_cast<Index>(layout.body_sizes.size());
    for (const Index body : layout.touch_bodies) {
        require(body >= 0 && body < bodies,
                "touch_bodies has the index " + std::to_string(body) + ", outside 0.." + std::to_string(bodies - 1));
    }
    for (std::size_t joint = 0; joint < layout.joint_rows.size(); ++joint) {
        std::vector<Index> mine(layout.touch_bodies.begin() + layout.touch_starts[joint],
                                layout.touch_bodies.begin() + layout.touch_starts[joint + 1]);
        std::ranges::sort(mine);
        require(std::ranges::adjacent_find(mine) == mine.end(),
                "joint " + std::to_string(joint) + " touches a body twice");
    }
    return layout;
}

}  // namespace kempe::bind
