#include "schur_program.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "order.hpp"

namespace kempe {
namespace {

using Index = std::int32_t;

template <class List, class Shape> std::vector<SchurProgram::Run> runs(List& list, Shape shape) {
    std::stable_sort(list.begin(), list.end(),
                     [&](const auto& a, const auto& b) { return shape(a) < shape(b); });
    std::vector<SchurProgram::Run> result;
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (k == 0 || shape(list[k - 1]) != shape(list[k])) {
            result.push_back({static_cast<Index>(k), static_cast<Index>(k)});
        }
        ++result.back().end;
    }
    return result;
}

class Writer {
  public:
    explicit Writer(const SaddleLayout& layout)
        : layout_(layout), joints_(static_cast<Index>(layout.joint_rows.size())) {
        for (const Index size : layout.body_sizes) {
            program_.bodies.push_back({size, program_.velocities, program_.mass_values});
            program_.velocities += size;
            program_.mass_values += size * size;
        }
        order_joints();
        write_touches();
        find_fill();
        write_steps();
        write_pairs();
    }

    SchurProgram program_;

  private:
    void order_joints() {
        std::vector<std::vector<Index>> joints_of_body(layout_.body_sizes.size());
        for (Index joint = 0; joint < joints_; ++joint) {
            for (Index t = layout_.touch_starts[joint]; t < layout_.touch_starts[joint + 1]; ++t) {
                joints_of_body[layout_.touch_bodies[t]].push_back(joint);
            }
        }
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
        for (Index joint = 1; joint < joints_; ++joint) {
            first_row[joint] = first_row[joint - 1] + layout_.joint_rows[joint - 1];
        }
        for (Index step = 0; step < joints_; ++step) {
            const Index joint = program_.joint_order[step];
            step_of_joint_[joint] = step;
            row_of_step_[step] = program_.rows;
            for (Index row = 0; row < layout_.joint_rows[joint]; ++row) {
                program_.given_row.push_back(first_row[joint] + row);
            }
            program_.rows += layout_.joint_rows[joint];
        }
    }

    [[nodiscard]] Index rows_of_step(Index step) const {
        return layout_.joint_rows[program_.joint_order[step]];
    }

    void write_touches() {
        Index white = 0;
        for (Index joint = 0; joint < joints_; ++joint) {
            const Index rows = layout_.joint_rows[joint];
            for (Index t = layout_.touch_starts[joint]; t < layout_.touch_starts[joint + 1]; ++t) {
                const Index body = layout_.touch_bodies[t];
                const auto [size, velocity, mass] = program_.bodies[body];
                const Index row = row_of_step_[step_of_joint_[joint]];
                program_.touches.push_back({rows, size, body, velocity, mass, row, white, white});
                white += rows * size;
            }
        }
        program_.jacobian_values = white;
        by_joint_ = program_.touches;
        program_.touch_runs = runs(program_.touches, [](const SchurProgram::Touch& touch) {
            return std::tuple(touch.rows, touch.size);
        });
    }

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
            for (Index k = graph_.starts[joint]; k < graph_.starts[joint + 1]; ++k) {
                add(step_of_joint_[graph_.neighbours[k]]);
            }
            for (const Index child : children[step]) {
                std::ranges::for_each(below_[child], add);
            }
            std::sort(below_[step].begin(), below_[step].end());
            if (!below_[step].empty()) {
                children[below_[step].front()].push_back(step);
            }
        }
    }

    void write_steps() {
        for (Index step = 0; step < joints_; ++step) {
            const Index rows = rows_of_step(step);
            block_at_[{step, step}] = program_.block_values;
            const auto begin = static_cast<Index>(program_.below.size());
            program_.steps.push_back(
                {rows, rows, row_of_step_[step], program_.block_values, begin, begin, 0});
            program_.block_values += rows * rows;
            Index scratch = 0;
            for (const Index other : below_[step]) {
                const Index height = rows_of_step(other);
                block_at_[{other, step}] = program_.block_values;
                program_.below.push_back(
                    {height, row_of_step_[other], program_.block_values, scratch});
                program_.block_values += height * rows;
                scratch += height * rows;
                SchurProgram::Step& written = program_.steps.back();
                ++written.below_end;
                written.shape = height == rows ? written.shape : 0;
            }
            program_.scratch_values = std::max(program_.scratch_values, scratch);
        }
        for (Index step = 0; step < joints_; ++step) {
            program_.steps[step].target_begin = program_.targets.size();
            for (std::size_t i = 0; i < below_[step].size(); ++i) {
                for (std::size_t j = 0; j <= i; ++j) {
                    program_.targets.push_back(block_at_.at({below_[step][i], below_[step][j]}));
                }
            }
        }
    }

    void write_pairs() {
        std::vector<std::vector<Index>> touches_of_body(layout_.body_sizes.size());
        for (std::size_t t = 0; t < by_joint_.size(); ++t) {
            touches_of_body[by_joint_[t].body].push_back(static_cast<Index>(t));
        }
        std::vector<Index> joint_of_touch(by_joint_.size());
        for (Index joint = 0; joint < joints_; ++joint) {
            std::fill(joint_of_touch.begin() + layout_.touch_starts[joint],
                      joint_of_touch.begin() + layout_.touch_starts[joint + 1], joint);
        }
        for (const std::vector<Index>& touches : touches_of_body) {
            for (std::size_t a = 0; a < touches.size(); ++a) {
                for (std::size_t b = 0; b <= a; ++b) {
                    Index late = touches[a];
                    Index early = touches[b];
                    if (step_of_joint_[joint_of_touch[late]] <
                        step_of_joint_[joint_of_touch[early]]) {
                        std::swap(late, early);
                    }
                    const SchurProgram::Touch& left = by_joint_[late];
                    const SchurProgram::Touch& right = by_joint_[early];
                    const Index target = block_at_.at({step_of_joint_[joint_of_touch[late]],
                                                       step_of_joint_[joint_of_touch[early]]});
                    program_.pairs.push_back({left.rows, right.rows, left.size, left.white,
                                              right.white, target});
                }
            }
        }
        program_.pair_runs = runs(program_.pairs, [](const SchurProgram::Pair& pair) {
            return std::tuple(pair.left == pair.right, pair.left_rows, pair.right_rows, pair.size);
        });
    }

    const SaddleLayout& layout_;
    Index joints_;
    Graph graph_;
    std::vector<Index> step_of_joint_;
    std::vector<Index> row_of_step_;
    std::vector<SchurProgram::Touch> by_joint_;
    std::vector<std::vector<Index>> below_;
    std::map<std::pair<Index, Index>, Index> block_at_;  // (later step, earlier step) -> start
};

}  // namespace

SchurProgram schur_program(const SaddleLayout& layout) { return Writer(layout).program_; }

}  // namespace kempe
