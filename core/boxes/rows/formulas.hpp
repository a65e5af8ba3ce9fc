#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interval/decoration.hpp"
#include "interval/interval.hpp"
#include "interval/spline_range.hpp"
#include "tape/tape.hpp"

// The rows of a system as single assignments, so that they can be run forward with derivatives and
// backward as projections. Made from a tape; what has no unknown in it is enclosed once.

namespace kempe::boxes {

using Box = std::vector<Interval>;
using Point = std::vector<double>;

KEMPE_INLINE double width(const Interval& x) { return add_up(x.upper, x.negated_lower); }
KEMPE_INLINE double middle(const Interval& x) { return 0.5 * (x.upper - x.negated_lower); }
KEMPE_INLINE double greatest(const Interval& x) {
    return larger(x.negated_lower, x.upper) >= 0.0 ? larger(std::abs(x.negated_lower), std::abs(x.upper)) : 0.0;
}
KEMPE_INLINE bool holds_zero(const Interval& x) { return x.negated_lower >= 0.0 && x.upper >= 0.0; }
KEMPE_INLINE bool is_bounded(const Interval& x) { return x.negated_lower + x.upper < infinity && !x.is_empty(); }
KEMPE_INLINE bool within(const Interval& x, const Interval& y) {
    return x.negated_lower <= y.negated_lower && x.upper <= y.upper;
}

// s x for a plain number s.
KEMPE_INLINE Interval scaled(double s, const Interval& x) {
    if (s == 0.0) return Interval::point(0.0);
    return s > 0.0 ? Interval{mul_up(s, x.negated_lower), mul_up(s, x.upper)}
                   : Interval{mul_up(-s, x.upper), mul_up(-s, x.negated_lower)};
}

// x + s y, for finite x and y.
KEMPE_INLINE void add_scaled(Interval& x, double s, const Interval& y) {
    if (s >= 0.0) {
        x.negated_lower = add_up(x.negated_lower, mul_up(s, y.negated_lower));
        x.upper = add_up(x.upper, mul_up(s, y.upper));
    } else {
        x.negated_lower = add_up(x.negated_lower, mul_up(-s, y.upper));
        x.upper = add_up(x.upper, mul_up(-s, y.negated_lower));
    }
}

class Quadratics;

struct Node {
    Op op;
    std::uint32_t a, b;          // operands
    std::uint32_t table, order;  // of a table or spline
    std::uint32_t first, count;  // its slice of the supports and gradients
    bool has_number = false;     // whether an operand of a sum or product has no unknown in it
};

class Formulas {
  public:
    // Wants an UpwardMode. Throws std::invalid_argument, naming the operation, where a row uses one
    // that has a kink or a jump.
    Formulas(const Tape& tape, std::span<const std::int32_t> outputs);

    std::size_t n_inputs() const { return n_inputs_; }
    std::size_t n_nodes() const { return nodes_.size(); }
    std::size_t first_operation() const { return first_operation_; }
    std::size_t n_gradients() const { return support_.size(); }
    std::span<const std::uint32_t> outputs() const { return outputs_; }
    const Node& node(std::size_t k) const { return nodes_[k]; }
    std::span<const std::uint32_t> support(std::size_t node) const {
        return {support_.data() + nodes_[node].first, nodes_[node].count};
    }
    // Where in an operand's gradient the entries of a node's support are, -1 where nowhere.
    const std::int32_t* from_a(std::size_t node) const { return from_a_.data() + nodes_[node].first; }
    const std::int32_t* from_b(std::size_t node) const { return from_b_.data() + nodes_[node].first; }
    const double* table(std::size_t k) const { return tables_[k].data(); }
    const double* spline(std::size_t k) const { return splines_[k].data(); }
    // The derivative of a spline over an interval; of a node, and one more.
    Interval spline_range(const Node& node, const Interval& x, std::size_t order) const {
        if (node.table < spline_ranges_.size() && order < spline_ranges_[node.table].size())
            return spline_ranges_[node.table][order].over(spline(node.table), x);
        return kempe::spline_range(spline(node.table), x, order);
    }
    std::span<const Interval> constants() const { return constants_; }
    // 1 / node k, a number.
    const Interval& inverse(std::size_t k) const { return inverses_[k - n_inputs_]; }

    // The operations under an output that are not continuous everywhere, and what is known of the numbers in
    // it, which are enclosed as well.
    std::span<const std::uint32_t> restricted(std::size_t output) const {
        return {restricted_.data() + restricted_starts_[output], restricted_.data() + restricted_starts_[output + 1]};
    }
    Decoration of_constants(std::size_t output) const { return constant_decorations_[output]; }
    // What node k is over a box, of which these are its operands' values.
    Decoration decoration(std::size_t k, const Interval* values) const;

    // The value of node k, from the values of its operands.
    Interval forward(std::size_t k, const Interval* values) const;
    double forward(std::size_t k, const double* values) const;
    // f' of a function f of one operand, over an interval and at a point.
    Interval slope(const Node& node, const Interval& x) const;
    double slope(const Node& node, double x) const;

  private:
    std::size_t n_inputs_ = 0;
    std::size_t first_operation_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> outputs_;
    std::vector<std::uint32_t> support_;
    std::vector<std::int32_t> from_a_, from_b_;
    std::vector<Interval> constants_;  // values of nodes n_inputs ... first_operation - 1
    std::vector<Interval> inverses_;
    std::vector<TableBlock> tables_;
    std::vector<SplineBlock> splines_;
    std::vector<std::vector<SplineRange>> spline_ranges_;  // of every spline, by order
    std::vector<std::uint32_t> restricted_, restricted_starts_;  // of every output
    std::vector<Decoration> constant_decorations_;

    Formulas() = default;
    friend class Writing;
};

// Values and derivatives of formulas: the working memory of one thread.
class Evaluation {
  public:
    // Rows of second degree are run by their coefficients, where these are given.
    explicit Evaluation(const Formulas& formulas, const Quadratics* quadratics = nullptr);

    // Enclosures of all nodes over a box.
    void values(const Interval* x);
    // Values and gradients over a box.
    void gradients(const Interval* x);
    // Values over a box and at a centre c in it, and slopes: f(x) is in f(c) + slope (x - c) where f is continuous
    // on the box.
    void slopes(const Interval* x, const double* c);
    // Values and gradients at a point, rounded; or values alone.
    void numbers(const double* x);
    void numbers_alone(const double* x);
    // Forward, then backward with every output kept in its own target: the part of x that may hold
    // a solution. False where there is none.
    bool project(Interval* x, std::span<const Interval> targets);

    // What is known of an output over the box that was run last, by values, gradients or slopes (about a centre
    // in it). No derivative of a formula that is not continuous there tells anything.
    Decoration decoration(std::size_t output) const;
    bool is_continuous(std::size_t output) const { return decoration(output) == Decoration::continuous; }

    const Interval& value(std::size_t output) const { return values_[outputs_[output]]; }
    const Interval& at_centre(std::size_t output) const { return centres_[outputs_[output]]; }
    double number(std::size_t output) const { return numbers_[outputs_[output]]; }
    std::span<const std::uint32_t> support(std::size_t output) const { return formulas_.support(outputs_[output]); }
    const Interval* gradient(std::size_t output) const {
        return gradients_.data() + formulas_.node(outputs_[output]).first;
    }
    const double* number_gradient(std::size_t output) const {
        return number_gradients_.data() + formulas_.node(outputs_[output]).first;
    }

  private:
    void by_coefficients(const Interval* x, const double* c);
    template <bool about_centre> void derive(std::size_t k);
    void derive_numbers(std::size_t k);
    bool backward(std::size_t k);
    bool backward_by_number(const Node& node, const Interval& r);
    bool meet(std::size_t node, const Interval& found);
    bool shave(const Node& node, const Interval& target);

    const Formulas& formulas_;
    const Quadratics* quadratics_;
    std::span<const std::uint32_t> outputs_;
    std::vector<Interval> values_, centres_, gradients_;
    std::vector<double> numbers_, number_gradients_;
    std::vector<double> middles_, radii_, offs_;
    std::vector<std::uint8_t> narrowed_;  // since the nodes were run forward
};

}  // namespace kempe::boxes
