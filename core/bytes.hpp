// How much memory lists hold.
#pragma once

#include <cstddef>
#include <vector>

namespace kempe {

/// Of one list or several.
template <class... Numbers> std::size_t bytes_of(const std::vector<Numbers>&... lists) {
    return (std::size_t{0} + ... + (lists.capacity() * sizeof(Numbers)));
}

}  // namespace kempe
