// How much memory lists hold.
#pragma once

#include <cstddef>

namespace kempe {

/// Of one list or several.
template <class... Lists> std::size_t bytes_of(const Lists&... lists) {
    return (std::size_t{0} + ... + (lists.capacity() * sizeof(typename Lists::value_type)));
}

}  // namespace kempe
