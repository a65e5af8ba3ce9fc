#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "chart.hpp"

// All certified charts, found by place: a grid over up to three of the unknowns.

namespace kempe::boxes {

class Atlas {
public:
    explicit Atlas(const Problem& problem);

    void add(const Chart& chart);
    const Chart& operator[](std::size_t k) const { return charts_[k]; }
    std::size_t size() const { return charts_.size(); }
    std::size_t bytes() const { return bytes_; }

    // Charts whose bounds may hold a point, the latest last.
    const std::vector<std::uint32_t>& near(const double* x) const;
    // The latest chart that a box lies in, -1 where there is none.
    int find(Bench& bench, const Box& box, Point& middle_of_box) const;

private:
    long cell(std::size_t axis, double x) const;
    long wrapped(std::size_t axis, long cell) const;
    static std::uint64_t key(const long* cells, std::size_t count);

    const Problem& problem_;
    std::vector<Chart> charts_;
    std::size_t bytes_ = 0;
    std::size_t n_axes_;
    std::size_t axes_[3] = {0, 0, 0};
    double sizes_[3] = {1.0, 1.0, 1.0};
    long counts_[3] = {1, 1, 1};
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> grid_;
    std::vector<std::uint32_t> none_;
};

}  // namespace kempe::boxes
