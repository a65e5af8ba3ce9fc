// Rows or columns of a sparse matrix that grow while it is eliminated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace kempe {

/// One entry as its row or its column sees it: the other index, and where its values are kept.
struct Place {
    std::int32_t other;
    std::int32_t slot;
};

/// Growing lists of places in one pool; a list that outgrows its room moves to the end.
class Lines {
  public:
    explicit Lines(std::int32_t lines) : begin_(lines, 0), length_(lines, 0), room_(lines, 0) {}

    void reserve_room(const std::vector<std::int32_t>& counts) {
        std::int32_t start = 0;
        for (std::size_t line = 0; line < counts.size(); ++line) {
            begin_[line] = start;
            room_[line] = counts[line] + 2;  // two fills come without moving
            start += room_[line];
        }
        pool_.reserve(2 * static_cast<std::size_t>(start));
        pool_.resize(start);
    }

    [[nodiscard]] std::int32_t length(std::int32_t line) const { return length_[line]; }
    [[nodiscard]] Place& at(std::int32_t line, std::int32_t k) { return pool_[begin_[line] + k]; }
    [[nodiscard]] std::span<const Place> places(std::int32_t line) const {
        return {pool_.data() + begin_[line], static_cast<std::size_t>(length_[line])};
    }
    void shorten(std::int32_t line, std::int32_t length) { length_[line] = length; }

    void append(std::int32_t line, Place place) {
        if (length_[line] == room_[line]) {
            const auto start = static_cast<std::int32_t>(pool_.size());
            room_[line] = 2 * length_[line] + 2;
            pool_.resize(pool_.size() + room_[line]);
            std::copy_n(pool_.begin() + begin_[line], length_[line], pool_.begin() + start);
            begin_[line] = start;
        }
        pool_[begin_[line] + length_[line]++] = place;
    }

  private:
    std::vector<Place> pool_;
    std::vector<std::int32_t> begin_;
    std::vector<std::int32_t> length_;
    std::vector<std::int32_t> room_;
};

}  // namespace kempe
