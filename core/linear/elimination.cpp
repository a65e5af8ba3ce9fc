#include "linear/elimination.hpp"

#include <algorithm>
#include <numeric>

namespace kempe {
namespace {

using Index = std::int32_t;
using Pattern = std::vector<std::vector<Index>>;

constexpr std::int64_t panel_size = 32;  // updates from which an outer product beats a flat list

std::vector<Index> inverse(const std::vector<Index>& permutation) {
    std::vector<Index> result(permutation.size());
    for (std::size_t k = 0; k < permutation.size(); ++k) result[permutation[k]] = static_cast<Index>(k);
    return result;
}

/// Rows of L and U together, columns ascending, in the numbering of the pivots.
Pattern filled_rows(const Triplets& matrix, const std::vector<Index>& step_of_row,
                    const std::vector<Index>& step_of_col) {
    const Index size = matrix.size;
    Pattern rows(size);
    for (std::size_t e = 0; e < matrix.rows.size(); ++e)
        rows[step_of_row[matrix.rows[e]]].push_back(step_of_col[matrix.cols[e]]);
    std::vector<Index> mark(size, -1);
    for (Index i = 0; i < size; ++i) {
        std::vector<Index>& row = rows[i];
        row.push_back(i);
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        for (const Index col : row) mark[col] = i;
        for (std::size_t k = 0; row[k] < i; ++k) {
            const std::vector<Index>& above = rows[row[k]];
            const auto diagonal = std::lower_bound(above.begin(), above.end(), row[k]);
            for (auto col = diagonal + 1; col != above.end(); ++col) {
                if (mark[*col] != i) {
                    mark[*col] = i;
                    row.insert(std::upper_bound(row.begin() + k, row.end(), *col), *col);
                }
            }
        }
    }
    return rows;
}

/// Level of each step: one more than the highest level among the steps it waits for.
std::vector<Index> step_levels(const Pattern& rows) {
    std::vector<Index> level(rows.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto step = static_cast<Index>(i);
        for (const Index col : rows[i])   // rows of L wait for the columns they stand in
            level[i] = col < step ? std::max(level[i], level[col] + 1) : level[i];
        for (const Index col : rows[i])   // later columns of U wait for this row
            level[col] = col > step ? std::max(level[col], level[i] + 1) : level[col];
    }
    return level;
}

class Writer {
  public:
    Writer(const Triplets& matrix, const PivotOrder& order) : matrix_(matrix) {
        const std::vector<Index> row_step = inverse(order.rows);
        const std::vector<Index> col_step = inverse(order.cols);
        const Pattern rows = filled_rows(matrix, row_step, col_step);
        const std::vector<Index> level = step_levels(rows);
        std::vector<Index> by_level(rows.size());
        std::iota(by_level.begin(), by_level.end(), 0);
        std::stable_sort(by_level.begin(), by_level.end(), [&](Index a, Index b) { return level[a] < level[b]; });
        for (const Index old : by_level) {
            program_.row_of_step.push_back(order.rows[old]);
            program_.col_of_step.push_back(order.cols[old]);
            level_.push_back(level[old]);
        }
        program_.size = matrix.size;
        split(rows, by_level);
        write_updates();
        write_levels();
        write_loads();
    }

    EliminationProgram program_;

  private:
    /// Numbers the entries of U by rows and those of L by columns, in the order of the levels.
    void split(const Pattern& rows, const std::vector<Index>& by_level) {
        const Index size = matrix_.size;
        const std::vector<Index> step_of = inverse(by_level);
        lower_rows_.resize(size);
        upper_begin_.push_back(0);
        std::vector<Index> upper;
        for (Index step = 0; step < size; ++step) {
            upper.clear();
            for (const Index old : rows[by_level[step]]) {
                const Index col = step_of[old];
                if (col > step) upper.push_back(col);
                else if (col < step) lower_rows_[col].push_back(step);
            }
            std::sort(upper.begin(), upper.end());
            for (const Index col : upper) {
                program_.upper_step.push_back(step);
                program_.upper_col.push_back(col);
            }
            upper_begin_.push_back(static_cast<Index>(program_.upper_col.size()));
        }
        program_.uppers = upper_begin_.back();
        lower_begin_.push_back(0);
        for (Index step = 0; step < size; ++step) {
            for (const Index row : lower_rows_[step]) {
                program_.lower_row.push_back(row);
                program_.lower_step.push_back(step);
            }
            lower_begin_.push_back(static_cast<Index>(program_.lower_row.size()));
        }
        program_.lowers = lower_begin_.back();
        lower_of_row_.resize(size);
        for (Index e = 0; e < program_.lowers; ++e) lower_of_row_[program_.lower_row[e]].push_back(e);
    }

    [[nodiscard]] Index upper_at(Index e) const { return program_.size + e; }
    [[nodiscard]] Index lower_at(Index e) const { return program_.size + program_.uppers + e; }

    /// Where the entries of one row stand, by column: filled for a row, read before the next.
    void locate(Index row) {
        where_.resize(program_.size);
        where_[row] = row;
        for (Index e = upper_begin_[row]; e < upper_begin_[row + 1]; ++e) where_[program_.upper_col[e]] = upper_at(e);
        for (const Index e : lower_of_row_[row]) where_[program_.lower_step[e]] = lower_at(e);
    }

    void write_updates() {
        const Index size = program_.size;
        std::vector<std::size_t> first(size);  // first update, or first target of the panel
        is_panel_.resize(size);
        std::size_t flat = 0;
        std::size_t paneled = 0;
        for (Index step = 0; step < size; ++step) {
            const std::int64_t lowers = lower_begin_[step + 1] - lower_begin_[step];
            const std::int64_t uppers = upper_begin_[step + 1] - upper_begin_[step];
            is_panel_[step] = lowers * uppers >= panel_size;
            std::size_t& end = is_panel_[step] != 0 ? paneled : flat;
            first[step] = end;
            end += static_cast<std::size_t>(lowers * uppers);
        }
        program_.updates.resize(flat);
        program_.panel_targets.resize(paneled);
        program_.multiplications = flat + paneled;
        for (Index row = 0; row < size; ++row) {
            locate(row);
            for (const Index e : lower_of_row_[row]) {
                const Index step = program_.lower_step[e];
                const Index uppers = upper_begin_[step + 1] - upper_begin_[step];
                std::size_t at = first[step] + static_cast<std::size_t>(e - lower_begin_[step]) * uppers;
                for (Index u = upper_begin_[step]; u < upper_begin_[step + 1]; ++u, ++at) {
                    const Index target = where_[program_.upper_col[u]];
                    if (is_panel_[step] != 0) program_.panel_targets[at] = target;
                    else program_.updates[at] = {target, lower_at(e), upper_at(u)};
                }
            }
        }
        first_ = std::move(first);
    }

    void write_levels() {
        std::size_t update_end = 0;
        for (Index step = 0; step < program_.size; ++step) {
            const Index lowers = lower_begin_[step + 1] - lower_begin_[step];
            const Index uppers = upper_begin_[step + 1] - upper_begin_[step];
            if (is_panel_[step] != 0) {
                program_.panels.push_back(
                    {lower_at(lower_begin_[step]), lowers, upper_at(upper_begin_[step]), uppers, first_[step]});
            } else {
                update_end += static_cast<std::size_t>(lowers) * uppers;
            }
            if (step + 1 == program_.size || level_[step + 1] != level_[step])
                program_.levels.push_back({step + 1, upper_begin_[step + 1], update_end, program_.panels.size()});
        }
    }

    /// Numbers the distinct entries in the order they are given; entries at one place are merged.
    void write_loads() {
        const std::vector<Index> step_of_row = inverse(program_.row_of_step);
        const std::vector<Index> step_of_col = inverse(program_.col_of_step);
        Pattern given(program_.size);  // by row of the matrix
        for (std::size_t e = 0; e < matrix_.rows.size(); ++e) given[matrix_.rows[e]].push_back(static_cast<Index>(e));
        std::vector<Index> first(matrix_.rows.size());  // the first entry given at the same place
        std::vector<Index> seen(program_.size, -1);
        for (const std::vector<Index>& row : given) {
            for (const Index e : row) {
                Index& before = seen[matrix_.cols[e]];
                first[e] = before = before < 0 ? e : before;
            }
            for (const Index e : row) seen[matrix_.cols[e]] = -1;
        }
        std::vector<Index> distinct(first.size());
        for (std::size_t e = 0; e < first.size(); ++e) {
            if (first[e] == static_cast<Index>(e)) {
                distinct[e] = static_cast<Index>(distinct_rows_.size());
                distinct_rows_.push_back(step_of_row[matrix_.rows[e]]);
                distinct_cols_.push_back(step_of_col[matrix_.cols[e]]);
            }
        }
        if (distinct_rows_.size() != first.size())
            for (const Index e : first) program_.merge_into.push_back(distinct[e]);
        write_row_groups();
    }

    /// Finds the place of every distinct entry, and puts rows of equal length together.
    void write_row_groups() {
        Pattern entries(program_.size);  // by step
        for (std::size_t e = 0; e < distinct_rows_.size(); ++e)
            entries[distinct_rows_[e]].push_back(static_cast<Index>(e));
        program_.load_target.resize(distinct_rows_.size());
        for (Index step = 0; step < program_.size; ++step) {
            locate(step);
            for (const Index e : entries[step]) program_.load_target[e] = where_[distinct_cols_[e]];
        }
        std::vector<Index>& by_length = program_.group_step;
        by_length.resize(program_.size);
        std::iota(by_length.begin(), by_length.end(), 0);
        std::stable_sort(by_length.begin(), by_length.end(),
                         [&](Index a, Index b) { return entries[a].size() < entries[b].size(); });
        for (auto begin = by_length.begin(); begin != by_length.end();) {
            const std::size_t length = entries[*begin].size();
            const auto end =
                std::find_if(begin, by_length.end(), [&](Index step) { return entries[step].size() != length; });
            program_.row_groups.push_back({static_cast<Index>(length), static_cast<Index>(end - begin)});
            for (std::size_t k = 0; k < length; ++k)
                for (auto step = begin; step != end; ++step) program_.group_entry.push_back(entries[*step][k]);
            begin = end;
        }
    }

    const Triplets& matrix_;
    std::vector<Index> level_;
    std::vector<Index> upper_begin_;
    std::vector<Index> lower_begin_;
    Pattern lower_rows_;
    Pattern lower_of_row_;
    std::vector<std::uint8_t> is_panel_;
    std::vector<std::size_t> first_;
    std::vector<Index> where_;
    std::vector<Index> distinct_rows_;  // distinct entries by their steps
    std::vector<Index> distinct_cols_;
};

}  // namespace

EliminationProgram elimination_program(const Triplets& matrix, const PivotOrder& order) {
    return Writer(matrix, order).program_;
}

}  // namespace kempe
