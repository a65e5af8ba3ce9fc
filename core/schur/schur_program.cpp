#include "schur/schur_program.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "linear/order.hpp"

namespace kempe {
namespace {

using Index = std::int32_t;

constexpr Index widest_vector = 8;  // numbers

void require(bool holds, const std::string& otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

void check(const SaddleLayout& layout) {
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
    for (const Index body : layout.touch_bodies)
        require(body >= 0 && body < bodies,
                "touch_bodies has the index " + std::to_string(body) + ", outside 0.." + std::to_string(bodies - 1));
    for (std::size_t joint = 0; joint < layout.joint_rows.size(); ++joint) {
        std::vector<Index> mine(layout.touch_bodies.begin() + layout.touch_starts[joint],
                                layout.touch_bodies.begin() + layout.touch_starts[joint + 1]);
        std::ranges::sort(mine);
        require(std::ranges::adjacent_find(mine) == mine.end(),
                "joint " + std::to_string(joint) + " touches a body twice");
    }
}

class Writer {
  public:
    explicit Writer(const SaddleLayout& layout)
        : layout_(layout), joints_(static_cast<Index>(layout.joint_rows.size())) {
        check(layout);
        for (const Index size : layout.body_sizes) {
            program_.bodies.push_back({size, program_.velocities, program_.mass_values});
            program_.velocities += size;
            program_.mass_values += size * size;
        }
        order_joints();
        find_fill();
        write_steps();
        number_touches();
        write_columns();
        find_touch_runs();
    }

    SchurProgram program_;

  private:
    void order_joints() {
        std::vector<std::vector<Index>> joints_of_body(layout_.body_sizes.size());
        for (Index joint = 0; joint < joints_; ++joint)
            for (Index t = layout_.touch_starts[joint]; t < layout_.touch_starts[joint + 1]; ++t)
                joints_of_body[layout_.touch_bodies[t]].push_back(joint);
        std::vector<Index> from;
        std::vector<Index> to;
        for (const std::vector<Index>& joints : joints_of_body) {
            for (std::size_t a = 0; a < joints.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    from.push_back(joints[a]);
                    to.push_back(joints[b]);
                }
            }
        }
        graph_ = graph_of_edges(joints_, from, to);
        program_.joint_order = minimum_degree_order(graph_, layout_.joint_rows);
        step_of_joint_.resize(joints_);
        row_of_step_.resize(joints_);
        std::vector<Index> first_row(joints_, 0);
        for (Index joint = 1; joint < joints_; ++joint)
            first_row[joint] = first_row[joint - 1] + layout_.joint_rows[joint - 1];
        for (Index step = 0; step < joints_; ++step) {
            const Index joint = program_.joint_order[step];
            step_of_joint_[joint] = step;
            row_of_step_[step] = program_.rows;
            for (Index row = 0; row < layout_.joint_rows[joint]; ++row)
                program_.given_row.push_back(first_row[joint] + row);
            program_.rows += layout_.joint_rows[joint];
        }
    }

    [[nodiscard]] Index rows_of_step(Index step) const { return layout_.joint_rows[program_.joint_order[step]]; }

    /// Steps below each step, by merging what a step leaves into its first later neighbour.
    void find_fill() {
        below_.resize(joints_);
        std::vector<std::vector<Index>> children(joints_);
        std::vector<Index> mark(joints_, -1);
        for (Index step = 0; step < joints_; ++step) {
            mark[step] = step;
            const auto add = [&](Index other) {
                if (other > step && mark[other] != step) {
                    mark[other] = step;
                    below_[step].push_back(other);
                }
            };
            const Index joint = program_.joint_order[step];
            for (Index k = graph_.starts[joint]; k < graph_.starts[joint + 1]; ++k)
                add(step_of_joint_[graph_.neighbours[k]]);
            for (const Index child : children[step]) std::ranges::for_each(below_[child], add);
            std::sort(below_[step].begin(), below_[step].end());
            if (!below_[step].empty()) children[below_[step].front()].push_back(step);
        }
    }

    void write_steps() {
        for (Index step = 0; step < joints_; ++step) {
            const Index rows = rows_of_step(step);
            block_at_[{step, step}] = program_.block_values;
            const auto begin = static_cast<Index>(program_.below.size());
            program_.steps.push_back({rows, rows, row_of_step_[step], program_.block_values, begin, begin, 0, 0});
            program_.block_values += rows * rows;
            Index scratch = 0;
            for (const Index other : below_[step]) {
                const Index height = rows_of_step(other);
                block_at_[{other, step}] = program_.block_values;
                program_.below.push_back({height, row_of_step_[other], program_.block_values, scratch});
                program_.block_values += height * rows;
                scratch += std::max(height, widest_vector) * rows;
                SchurProgram::Step& written = program_.steps.back();
                ++written.below_end;
                written.shape = height == rows ? written.shape : 0;
            }
            program_.scratch_values = std::max(program_.scratch_values, scratch);
        }
        for (Index step = 0; step < joints_; ++step) {
            program_.steps[step].target_begin = program_.targets.size();
            for (std::size_t i = 0; i < below_[step].size(); ++i)
                for (std::size_t j = 0; j <= i; ++j)
                    program_.targets.push_back(block_at_.at({below_[step][i], below_[step][j]}));
        }
    }

    /// Touches joint by joint, as they are given; Y's places come with `need`.
    void number_touches() {
        touches_of_body_.resize(layout_.body_sizes.size());
        for (Index joint = 0; joint < joints_; ++joint) {
            const Index rows = layout_.joint_rows[joint];
            const Index step = step_of_joint_[joint];
            for (Index t = layout_.touch_starts[joint]; t < layout_.touch_starts[joint + 1]; ++t) {
                const Index body = layout_.touch_bodies[t];
                const auto [size, velocity, mass] = program_.bodies[body];
                given_.push_back({rows, size, body, velocity, row_of_step_[step], program_.jacobian_values, -1});
                touches_of_body_[body].push_back({step, t});
                program_.jacobian_values += rows * size;
            }
        }
    }

    /// Gives a touch its place in Y, and its turn to be whitened.
    const SchurProgram::Touch& need(Index touch) {
        SchurProgram::Touch& given = given_[touch];
        if (given.white < 0) {
            given.white = layout_.is_white ? given.jacobian : white_;
            white_ += given.rows * given.size;
            program_.touches.push_back(given);
        }
        return given;
    }

    void write_columns() {
        std::vector<char> made(joints_, 0);
        for (Index step = 0; step < joints_; ++step) {
            const auto make = [&](Index column) {
                if (!made[column]) {
                    made[column] = 1;
                    write_column(column);
                }
            };
            make(step);
            std::ranges::for_each(below_[step], make);
            program_.steps[step].column_end = static_cast<Index>(program_.columns.size());
        }
    }

    void write_column(Index column) {
        const SchurProgram::Step& step = program_.steps[column];
        // every touch of the joint gets its place, also where a body is held by it alone
        const Index joint = program_.joint_order[column];
        std::map<Index, std::vector<SchurProgram::Pair>> pairs;  // by later step
        for (Index t = layout_.touch_starts[joint]; t < layout_.touch_starts[joint + 1]; ++t) {
            const SchurProgram::Touch own = need(t);
            for (const auto& [other, touch] : touches_of_body_[own.body])
                if (other >= column) pairs[other].push_back({own.size, need(touch).white, own.white});
        }
        const auto write = [&](Index other, Index block) {
            const std::vector<SchurProgram::Pair>& terms = pairs[other];
            program_.pairs.insert(program_.pairs.end(), terms.begin(), terms.end());
            const Index size = terms.empty() ? 0 : terms.front().size;
            const bool alike =
                std::ranges::all_of(terms, [size](const SchurProgram::Pair& term) { return term.size == size; });
            program_.blocks.push_back(
                {rows_of_step(other), step.rows, alike ? size : 0, block, static_cast<Index>(program_.pairs.size())});
        };
        write(column, step.block);
        for (std::size_t k = 0; k < below_[column].size(); ++k)
            write(below_[column][k], program_.below[step.below_begin + k].block);
        program_.columns.push_back({step.rows, step.row, step.block, static_cast<Index>(program_.touches.size()),
                                    static_cast<Index>(program_.blocks.size())});
    }

    void find_touch_runs() {
        const std::vector<SchurProgram::Touch>& list = program_.touches;
        for (std::size_t k = 0; k < list.size(); ++k) {
            if (k == 0 || list[k - 1].rows != list[k].rows || list[k - 1].size != list[k].size)
                program_.touch_runs.push_back({static_cast<Index>(k), static_cast<Index>(k)});
            ++program_.touch_runs.back().end;
        }
    }

    const SaddleLayout& layout_;
    Index joints_;
    Graph graph_;
    std::vector<Index> step_of_joint_;
    std::vector<Index> row_of_step_;
    Index white_ = 0;
    std::vector<SchurProgram::Touch> given_;
    std::vector<std::vector<std::pair<Index, Index>>> touches_of_body_;  // (step, touch)
    std::vector<std::vector<Index>> below_;
    std::map<std::pair<Index, Index>, Index> block_at_;  // (later step, earlier step) -> start
};

}  // namespace

SchurProgram schur_program(const SaddleLayout& layout) {
    SchurProgram program = Writer(layout).program_;
    const auto fit = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
    fit(program.bodies, program.touches, program.touch_runs, program.pairs, program.blocks, program.columns,
        program.steps, program.below, program.targets, program.given_row, program.joint_order);
    return program;
}

}  // namespace kempe
