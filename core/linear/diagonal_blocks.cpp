#include "linear/diagonal_blocks.hpp"

#include <algorithm>

#include "linear/matching.hpp"

namespace kempe {

namespace {

using Index = std::int32_t;

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
