#include "linear/diagonal_blocks.hpp"

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

/// The row that every column is paired with, each row once, -1 where none is left for it.
///
/// As many columns as possible are paired, always by entries of the pattern.
///
/// Source: [HopcroftKarp], after a greedy start with the shortest rows.
std::vector<Index> row_of_column(const Triplets& matrix) { return Matching(matrix).found(); }

// Row i points to the rows whose columns it needs, by neighbour lists.
struct Needs {
    std::vector<Index> starts, rows;
};

Needs needs(const Triplets& matrix, const std::vector<Index>& row_of_column) {
    Needs found;
    found.starts.assign(static_cast<std::size_t>(matrix.size) + 1, 0);
    for (const Index row : matrix.rows) ++found.starts[static_cast<std::size_t>(row) + 1];
    for (std::size_t k = 1; k < found.starts.size(); ++k) found.starts[k] += found.starts[k - 1];
    found.rows.resize(matrix.rows.size());
    auto next = found.starts;
    for (std::size_t e = 0; e < matrix.rows.size(); ++e) {
        const auto place = next[static_cast<std::size_t>(matrix.rows[e])]++;
        found.rows[static_cast<std::size_t>(place)] = row_of_column[static_cast<std::size_t>(matrix.cols[e])];
    }
    return found;
}

// Strongly connected parts, depth first without recursion.
class Parts {
  public:
    explicit Parts(const Needs& graph)
        : graph_(graph), size_(graph.starts.size() - 1), number_(size_, unseen), lowest_(size_, 0),
          part_(size_, unseen), next_(graph.starts.begin(), graph.starts.end() - 1) {}

    std::vector<Index> found() {
        for (std::size_t root = 0; root < size_; ++root)
            if (number_[root] == unseen) visit(root);
        return part_;
    }

  private:
    static constexpr Index unseen = -1;

    void open(std::size_t row) {
        number_[row] = lowest_[row] = seen_++;
        path_.push_back(row);
        waiting_.push_back(row);
    }

    void visit(std::size_t root) {
        open(root);
        while (!path_.empty()) {
            const std::size_t row = path_.back();
            if (next_[row] < graph_.starts[row + 1]) {
                const auto edge = static_cast<std::size_t>(next_[row]++);
                const auto to = static_cast<std::size_t>(graph_.rows[edge]);
                if (number_[to] == unseen) open(to);
                else if (part_[to] == unseen) lowest_[row] = std::min(lowest_[row], number_[to]);
                continue;
            }
            path_.pop_back();
            if (!path_.empty()) lowest_[path_.back()] = std::min(lowest_[path_.back()], lowest_[row]);
            if (lowest_[row] == number_[row]) close(row);
        }
    }

    void close(std::size_t row) {
        std::size_t member = 0;
        do {
            member = waiting_.back();
            waiting_.pop_back();
            part_[member] = parts_;
        } while (member != row);
        ++parts_;
    }

    const Needs& graph_;
    std::size_t size_;
    std::vector<Index> number_, lowest_, part_, next_;
    std::vector<std::size_t> path_, waiting_;
    Index seen_ = 0, parts_ = 0;
};

}  // namespace

DiagonalBlocks one_block(Index size) {
    const std::vector<Index> all(static_cast<std::size_t>(size), 0);
    return {all, all, {0}};
}

DiagonalBlocks diagonal_blocks(const Triplets& matrix) {
    const auto size = static_cast<std::size_t>(matrix.size);
    const auto rows = row_of_column(matrix);
    if (std::ranges::find(rows, -1) != rows.end()) return one_block(matrix.size);
    DiagonalBlocks found{Parts(needs(matrix, rows)).found(), std::vector<Index>(size), {}};
    const Index parts = size == 0 ? 0 : *std::ranges::max_element(found.of_row) + 1;
    std::vector<Index> number(static_cast<std::size_t>(parts), -1);
    for (auto& block : found.of_row) {
        auto& mine = number[static_cast<std::size_t>(block)];
        if (mine < 0) {
            mine = static_cast<Index>(found.ranks.size());
            found.ranks.push_back(block);  // Tarjan's algorithm closes what is needed first
        }
        block = mine;
    }
    for (std::size_t column = 0; column < size; ++column)
        found.of_column[column] = found.of_row[static_cast<std::size_t>(rows[column])];
    return found;
}

std::vector<bool> odd_blocks(std::span<const Index> block_of_row, std::span<const Index> matched_rows,
                             std::span<const Index> matched_cols) {
    const std::size_t size = block_of_row.size();
    std::vector<Index> column_of_row(size), block_of_column(size);
    Index count = 0;
    for (std::size_t k = 0; k < size; ++k) {
        const auto row = static_cast<std::size_t>(matched_rows[k]);
        column_of_row[row] = matched_cols[k];
        block_of_column[static_cast<std::size_t>(matched_cols[k])] = block_of_row[row];
        count = std::max(count, block_of_row[row] + 1);
    }
    // The place of every row and column in its block, in their own order.
    std::vector<Index> columns_so_far(static_cast<std::size_t>(count)), place_of_column(size);
    std::vector<std::vector<Index>> rows(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < size; ++k) {
        rows[static_cast<std::size_t>(block_of_row[k])].push_back(static_cast<Index>(k));
        place_of_column[k] = columns_so_far[static_cast<std::size_t>(block_of_column[k])]++;
    }
    std::vector<bool> odd(static_cast<std::size_t>(count), false);
    for (std::size_t b = 0; b < rows.size(); ++b) {  // a permutation is odd by its even cycles
        std::vector<bool> seen(rows[b].size(), false);
        for (std::size_t first = 0; first < rows[b].size(); ++first) {
            for (std::size_t k = first, length = 0; !seen[k]; ++length) {
                seen[k] = true;
                const auto column = column_of_row[static_cast<std::size_t>(rows[b][k])];
                k = static_cast<std::size_t>(place_of_column[static_cast<std::size_t>(column)]);
                if (length > 0) odd[b] = !odd[b];
            }
        }
    }
    return odd;
}

}  // namespace kempe
