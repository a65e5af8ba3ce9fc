#include "linear/matching.hpp"

#include <algorithm>
#include <numeric>

namespace kempe {

namespace {

using Index = std::int32_t;

constexpr Index none = -1;

class Matching {
  public:
    explicit Matching(const Triplets& matrix)
        : size_(static_cast<std::size_t>(matrix.size)), starts_(size_ + 1, 0), columns_(matrix.rows.size()),
          column_of_row_(size_, none), row_of_column_(size_, none), level_(size_, none), next_(size_, 0) {
        for (const Index row : matrix.rows) ++starts_[static_cast<std::size_t>(row) + 1];
        std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
        auto place = starts_;
        for (std::size_t e = 0; e < matrix.rows.size(); ++e) columns_[at(place[at(matrix.rows[e])]++)] = matrix.cols[e];
    }

    std::vector<Index> found() {
        start_greedily();
        while (lay_levels()) {
            for (std::size_t row = 0; row < size_; ++row) next_[row] = starts_[row];
            for (std::size_t row = 0; row < size_; ++row)
                if (column_of_row_[row] == none) augment(static_cast<Index>(row));
        }
        return row_of_column_;
    }

  private:
    static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

    void pair(Index row, Index column) {
        column_of_row_[at(row)] = column;
        row_of_column_[at(column)] = row;
    }

    void start_greedily() {
        std::vector<Index> rows(size_);
        std::iota(rows.begin(), rows.end(), 0);
        std::ranges::stable_sort(rows, {}, [&](Index row) { return starts_[at(row) + 1] - starts_[at(row)]; });
        for (const Index row : rows) {
            for (Index e = starts_[at(row)]; e < starts_[at(row) + 1]; ++e) {
                if (row_of_column_[at(columns_[at(e)])] == none) {
                    pair(row, columns_[at(e)]);
                    break;
                }
            }
        }
    }

    // Breadth first from all free rows; whether a free column can be reached.
    bool lay_levels() {
        std::vector<Index> queue;
        for (std::size_t row = 0; row < size_; ++row) {
            level_[row] = column_of_row_[row] == none ? 0 : none;
            if (level_[row] == 0) queue.push_back(static_cast<Index>(row));
        }
        bool reached = false;
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const Index row = queue[head];
            for (Index e = starts_[at(row)]; e < starts_[at(row) + 1]; ++e) {
                const Index other = row_of_column_[at(columns_[at(e)])];
                if (other == none) {
                    reached = true;
                } else if (level_[at(other)] == none) {
                    level_[at(other)] = level_[at(row)] + 1;
                    queue.push_back(other);
                }
            }
        }
        return reached;
    }

    // Depth first along the levels to a free column, without recursion; pairs the way back.
    void augment(Index root) {
        path_.assign(1, root);
        while (!path_.empty()) {
            const Index row = path_.back();
            if (next_[at(row)] == starts_[at(row) + 1]) {
                path_.pop_back();
                continue;
            }
            const Index column = columns_[at(next_[at(row)]++)];
            const Index other = row_of_column_[at(column)];
            if (other == none) {
                take(column);
                return;
            }
            if (level_[at(other)] == level_[at(row)] + 1) path_.push_back(other);
        }
    }

    // Every row on the path gives its column to the row after it and takes the one it came by.
    void take(Index column) {
        for (auto row = path_.rbegin(); row != path_.rend(); ++row) {
            const Index before = column_of_row_[at(*row)];
            pair(*row, column);
            column = before;
        }
    }

    std::size_t size_;
    std::vector<Index> starts_, columns_, column_of_row_, row_of_column_, level_, next_, path_;
};

}  // namespace

std::vector<Index> row_of_column(const Triplets& matrix) { return Matching(matrix).found(); }

}  // namespace kempe
