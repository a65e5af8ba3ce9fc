#include "boxes/rows/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include "interval/decoration.hpp"
#include "interval/interval_vm.hpp"

// Writing down a tape as formulas: registers become single assignments, and what the outputs are not
// made of is left away.

namespace kempe::boxes {

namespace {

// Operations whose values, derivatives and projections are known here; the others have kinks or
// jumps, or are made of these.
bool is_smooth(Op op) {
    switch (op) {
        case Op::add:
        case Op::sub:
        case Op::mul:
        case Op::div:
        case Op::neg:
        case Op::rec:
        case Op::sqr:
        case Op::sqrt:
        case Op::sin:
        case Op::cos:
        case Op::tan:
        case Op::asin:
        case Op::acos:
        case Op::atan2:
        case Op::exp:
        case Op::log:
        case Op::tanh:
        case Op::table:
        case Op::spline: return true;
        default: return false;
    }
}

int operands(Op op) {
    switch (op) {
        case Op::add:
        case Op::sub:
        case Op::mul:
        case Op::div:
        case Op::atan2: return 2;
        default: return 1;
    }
}

struct Raw {
    Op op;
    std::uint32_t a, b, table, order;
};

}  // namespace

// Turns registers into single assignments, then keeps what the outputs are made of.
class Writing {
  public:
    Writing(Formulas& made, const Tape& tape) : made_(made), n_(tape.n_inputs()) {
        constants_.reserve(tape.constants().size());
        unscaled_.assign(n_ + tape.constants().size(), {});
        for (const double c : tape.constants())
            constants_.push_back(c == c ? interval_of_bounds(c, c) : Interval::empty());
        register_.assign(tape.n_registers(), 0);
        for (std::uint32_t k = 0; k < n_ + constants_.size(); ++k) register_[k] = k;
        for (std::size_t s = 0; s < tape.n_sections(); ++s)
            for (const Instruction* i = tape.section(s); i->op != Op::end; ++i) read(*i);
        for (std::size_t k = 0; k < tape.n_tables(); ++k) {
            const double* block = tape.table(k);
            const auto pieces = static_cast<std::size_t>(block[0]);
            const auto order = static_cast<std::size_t>(block[1]);
            made_.tables_.emplace_back(block, block + 3 + pieces + pieces * order);
        }
        for (std::size_t k = 0; k < tape.n_splines(); ++k)
            made_.splines_.emplace_back(tape.spline(k), tape.spline(k) + tape.spline_size(k));
    }

    void keep(std::span<const std::int32_t> outputs) {
        std::vector<std::uint32_t> roots;
        for (const std::int32_t r : outputs) roots.push_back(register_[static_cast<std::size_t>(r)]);
        const std::size_t given = n_ + constants_.size(), all = given + raw_.size();
        std::vector<bool> used(all, false), moves(all, false);
        for (const std::uint32_t r : roots) used[r] = true;
        for (std::size_t k = all; k-- > given;)
            if (used[k]) {
                used[raw_[k - given].a] = true;
                if (operands(raw_[k - given].op) == 2) used[raw_[k - given].b] = true;
            }
        for (std::size_t k = 0; k < n_; ++k) moves[k] = true;
        for (std::size_t k = given; k < all; ++k) {
            const Raw& r = raw_[k - given];
            moves[k] = moves[r.a] || (operands(r.op) == 2 && moves[r.b]);
        }
        number(used, moves);
        for (const std::uint32_t r : roots) {
            made_.outputs_.push_back(place_[r]);
            list_restricted(place_[r]);
        }
        made_.restricted_starts_.push_back(static_cast<std::uint32_t>(made_.restricted_.size()));
        trace_supports();
    }

  private:
    std::uint32_t add(Op op, std::uint32_t a, std::uint32_t b = 0, std::uint32_t table = 0, std::uint32_t order = 0) {
        const Scaled scaled = scaling(op, a, b);
        if (scaled.exponent == 0 && scaled.is_scaled) return scaled.of;
        raw_.push_back({op, a, b, table, order});
        unscaled_.push_back(scaled);
        return static_cast<std::uint32_t>(n_ + constants_.size() + raw_.size() - 1);
    }

    // What is multiplied or divided by powers of two, and by which in all: (x / 4) 4 is x itself.
    struct Scaled {
        std::uint32_t of = 0;
        int exponent = 0;
        bool is_scaled = false;
    };
    Scaled scaling(Op op, std::uint32_t a, std::uint32_t b) const {
        if (op != Op::mul && op != Op::div) return {};
        if (op == Op::mul && !is_power_of_two(b)) std::swap(a, b);
        if (!is_power_of_two(b)) return {};
        const int exponent = std::ilogb(constants_[b - n_].upper) * (op == Op::mul ? 1 : -1);
        if (!unscaled_[a].is_scaled) return {a, exponent, true};
        return {unscaled_[a].of, unscaled_[a].exponent + exponent, true};
    }
    bool is_power_of_two(std::uint32_t k) const {
        if (k < n_ || k >= n_ + constants_.size()) return false;
        const Interval& c = constants_[k - n_];
        int exponent = 0;
        return c.is_point() && c.upper > 0.0 && c.upper < infinity && std::frexp(c.upper, &exponent) == 0.5;
    }

    void read(const Instruction& i) {
        const std::uint32_t a = register_[i.a];
        switch (i.op) {
            case Op::sincos: {
                const std::uint32_t sine = add(Op::sin, a);
                register_[i.b] = add(Op::cos, a);
                register_[i.d] = sine;
                break;
            }
            case Op::muladd: register_[i.d] = add(Op::add, product(i), register_[i.c]); break;
            case Op::mulsub: register_[i.d] = add(Op::sub, product(i), register_[i.c]); break;
            case Op::nmuladd: register_[i.d] = add(Op::sub, register_[i.c], product(i)); break;
            case Op::copy: register_[i.d] = a; break;
            case Op::table:
            case Op::spline: register_[i.d] = add(i.op, a, 0, i.b, i.c); break;
            default: register_[i.d] = add(i.op, a, operands(i.op) == 2 ? register_[i.b] : 0);
        }
    }

    std::uint32_t product(const Instruction& i) { return add(Op::mul, register_[i.a], register_[i.b]); }

    // Inputs, then constants (also those that operations give), then operations.
    void number(const std::vector<bool>& used, const std::vector<bool>& moves) {
        const std::size_t given = n_ + constants_.size(), all = given + raw_.size();
        place_.assign(all, 0);
        made_.n_inputs_ = n_;
        for (std::uint32_t k = 0; k < n_; ++k) {
            place_[k] = k;
            made_.nodes_.push_back({Op::copy, k, 0, 0, 0, 0, 1, false});
        }
        std::vector<Interval> values(all);
        std::vector<Decoration> known(all, Decoration::continuous);
        for (std::size_t k = n_; k < given; ++k) {
            values[k] = constants_[k - n_];
            if (values[k].is_empty()) known[k] = Decoration::trivial;
        }
        for (std::size_t k = n_; k < all; ++k) {
            if (!used[k] || moves[k]) continue;
            if (k >= given) {
                values[k] = constant(raw_[k - given], values);
                known[k] = of_constant(raw_[k - given], values, known);
            }
            known_.push_back(known[k]);
            place_[k] = static_cast<std::uint32_t>(made_.nodes_.size());
            made_.nodes_.push_back({Op::copy, place_[k], 0, 0, 0, 0, 0, false});
            made_.constants_.push_back(values[k]);
            made_.inverses_.push_back(reciprocal(values[k]));
        }
        made_.first_operation_ = made_.nodes_.size();
        for (std::size_t k = given; k < all; ++k) {
            if (!used[k] || !moves[k]) continue;
            const Raw& r = raw_[k - given];
            if (!is_smooth(r.op))
                throw std::invalid_argument("a row uses '" +
                                            std::string(operation_names[static_cast<std::size_t>(r.op)]) +
                                            "', which has no derivative everywhere");
            place_[k] = static_cast<std::uint32_t>(made_.nodes_.size());
            const std::uint32_t b = operands(r.op) == 2 ? place_[r.b] : 0;
            const bool has_number = operands(r.op) == 2 && (!moves[r.a] || !moves[r.b]);
            made_.nodes_.push_back({r.op, place_[r.a], b, r.table, r.order, 0, 0, has_number});
            if (r.op == Op::spline) prepare(r.table, r.order + 1);
        }
    }

    // The ranges of a spline up to a derivative.
    void prepare(std::uint32_t spline, std::uint32_t order) {
        made_.spline_ranges_.resize(made_.splines_.size());
        auto& ranges = made_.spline_ranges_[spline];
        while (ranges.size() <= order) ranges.emplace_back(made_.spline(spline), ranges.size());
    }

    Interval constant(const Raw& r, const std::vector<Interval>& values) {
        // A one-node formula whose operands are constants.
        Formulas one;
        one.tables_ = made_.tables_;
        one.splines_ = made_.splines_;
        one.nodes_.push_back({r.op, 0, 1, r.table, r.order, 0, 0, false});
        const Interval pair[2] = {values[r.a], values[r.b]};
        if (!is_smooth(r.op) && r.op != Op::abs)
            throw std::invalid_argument("a number of a row is made with '" +
                                        std::string(operation_names[static_cast<std::size_t>(r.op)]) + "'");
        return one.forward(0, pair);
    }

    // A number that may not be defined, such as the root of an enclosure that reaches below 0.
    Decoration of_constant(const Raw& r, const std::vector<Interval>& values, const std::vector<Decoration>& known) {
        const bool has_two = operands(r.op) == 2;
        const double* const block = r.op == Op::table    ? made_.tables_[r.table].data()
                                    : r.op == Op::spline ? made_.splines_[r.table].data()
                                                         : nullptr;
        Decoration least =
            weaker(known[r.a], decoration(r.op, values[r.a], values[has_two ? r.b : r.a], block, r.order));
        if (least == Decoration::defined) least = Decoration::continuous;  // one number does not jump
        return has_two ? weaker(least, known[r.b]) : least;
    }

    // The operations under an output whose domain ends or that may jump, and what its numbers are.
    void list_restricted(std::uint32_t output) {
        std::vector<bool> seen(made_.nodes_.size(), false);
        std::vector<std::uint32_t> waiting{output};
        Decoration least = Decoration::continuous;
        made_.restricted_starts_.push_back(static_cast<std::uint32_t>(made_.restricted_.size()));
        while (!waiting.empty()) {
            const std::uint32_t k = waiting.back();
            waiting.pop_back();
            if (k < n_ || seen[k]) continue;
            seen[k] = true;
            if (k < made_.first_operation_) {
                least = weaker(least, known_[k - n_]);
                continue;
            }
            const Node& node = made_.nodes_[k];
            if (!is_continuous(k)) made_.restricted_.push_back(k);
            waiting.push_back(node.a);
            if (operands(node.op) == 2) waiting.push_back(node.b);
        }
        made_.constant_decorations_.push_back(least);
    }

    // Whether an operation is continuous whatever its operands are, as a spline whose pieces are all joined.
    bool is_continuous(std::uint32_t k) {
        const Node& node = made_.nodes_[k];
        if (is_continuous_everywhere(node.op)) return true;
        if (node.op != Op::spline && node.op != Op::table) return false;
        const auto key = std::tuple(node.op, node.table, node.order);
        const auto known = joined_.find(key);
        if (known != joined_.end()) return known->second;
        const double* const block = node.op == Op::table ? made_.table(node.table) : made_.spline(node.table);
        const Interval all = Interval::entire();
        return joined_[key] = decoration(node.op, all, all, block, node.order) == Decoration::continuous;
    }

    void trace_supports() {
        auto& nodes = made_.nodes_;
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            Node& node = nodes[k];
            node.first = static_cast<std::uint32_t>(made_.support_.size());
            std::vector<std::uint32_t> own;
            if (k < n_) {
                own.push_back(static_cast<std::uint32_t>(k));
            } else if (k >= made_.first_operation_) {
                const auto a = made_.support(node.a);
                own.assign(a.begin(), a.end());
                if (operands(node.op) == 2) {
                    const auto b = made_.support(node.b);
                    std::vector<std::uint32_t> both;
                    std::set_union(own.begin(), own.end(), b.begin(), b.end(), std::back_inserter(both));
                    own = std::move(both);
                }
            }
            node.count = static_cast<std::uint32_t>(own.size());
            const bool is_operation = k >= made_.first_operation_;
            for (const std::uint32_t j : own) {
                made_.support_.push_back(j);
                made_.from_a_.push_back(is_operation ? position(node.a, j) : 0);
                made_.from_b_.push_back(is_operation && operands(node.op) == 2 ? position(node.b, j) : -1);
            }
        }
    }

    std::int32_t position(std::uint32_t node, std::uint32_t input) const {
        const Node& n = made_.nodes_[node];
        for (std::uint32_t e = 0; e < n.count; ++e)
            if (made_.support_[n.first + e] == input) return static_cast<std::int32_t>(e);
        return -1;
    }

    Formulas& made_;
    std::size_t n_;
    std::vector<Interval> constants_;
    std::vector<Decoration> known_;  // of the formulas' constants
    std::vector<Raw> raw_;
    std::vector<Scaled> unscaled_;  // of every register's value
    std::map<std::tuple<Op, std::uint32_t, std::uint32_t>, bool> joined_;  // tables and splines, by their order
    std::vector<std::uint32_t> register_, place_;
};

Formulas::Formulas(const Tape& tape, std::span<const std::int32_t> outputs) {
    tape.require_whole(outputs);
    Writing writing(*this, tape);
    writing.keep(outputs);
}

}  // namespace kempe::boxes
