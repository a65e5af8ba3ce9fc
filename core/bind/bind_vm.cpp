#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "interval/interval_vm.hpp"
#include "tape/functions.hpp"
#include "tape/spline.hpp"
#include "tape/tape.hpp"
#include "tape/vm.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using kempe::Interval;
using kempe::lane_count;
using kempe::Tape;

using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int32_t, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

constexpr std::size_t batch_operations = std::size_t{1} << 21;  // a few ms between looks at Ctrl-C

template <class Array>
std::string shape_of(const Array& array) {
    std::string text = "(";
    for (std::size_t k = 0; k < array.ndim(); ++k) text += (k > 0 ? ", " : "") + std::to_string(array.shape(k));
    return text + (array.ndim() == 1 ? ",)" : ")");
}

template <class Array>
void require(bool good, const char* name, const Array& array, const std::string& wanted) {
    if (good) return;
    throw std::invalid_argument(std::string(name) + " has shape " + shape_of(array) + "; " + wanted);
}

template <class Array>
auto flat(const char* name, const Array& array) {
    require(array.ndim() == 1, name, array, "one dimension is wanted");
    return std::span(array.data(), array.size());
}

// Row-major rows of doubles.
struct Rows {
    const double* data;
    std::size_t count;
    std::size_t width;
    const double* row(std::size_t k) const { return data + k * width; }
};

Rows input_rows(const char* name, const Numbers& array, const Tape& tape) {
    require(array.ndim() == 2 && array.shape(1) == tape.n_inputs(), name, array,
            "(rows, " + std::to_string(tape.n_inputs()) + ") is wanted, one column per input of the tape");
    return {array.data(), array.shape(0), tape.n_inputs()};
}

// An array of results that numpy will own.
struct Results {
    std::unique_ptr<double[]> data;
    std::size_t rows;
    std::size_t width;

    Results(std::size_t n_rows, std::size_t n_columns)
        : data(new double[std::max<std::size_t>(n_rows * n_columns, 1)]), rows(n_rows), width(n_columns) {}

    Table hand_over() {
        double* const raw = data.release();
        nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<double*>(p); });
        return Table(raw, {rows, width}, owner);
    }
};

// A register file aligned to a cache line.
template <class Number>
class Registers {
  public:
    explicit Registers(std::size_t count)
        : count_(std::max<std::size_t>(count, 1)),
          data_(static_cast<Number*>(::operator new(count_ * sizeof(Number), alignment))) {
        std::uninitialized_fill_n(data_, count_, Number{});
    }
    ~Registers() { ::operator delete(data_, alignment); }
    Registers(const Registers&) = delete;
    Registers& operator=(const Registers&) = delete;
    Number* data() const { return data_; }

  private:
    static constexpr std::align_val_t alignment{64};
    std::size_t count_;
    Number* data_;
};

// Runs rows(first, last) over all rows in batches, without the interpreter's lock, and looks for
// Ctrl-C between them. A batch starts at a multiple of the number of lanes.
template <class Run>
void in_batches(const Tape& tape, std::size_t n_rows, Run rows) {
    const std::size_t weight = std::max<std::size_t>(tape.n_operations(), 1);
    const std::size_t batch = lane_count * std::max<std::size_t>(batch_operations / (lane_count * weight), 1);
    for (std::size_t first = 0; first < n_rows; first += batch) {
        {
            nb::gil_scoped_release unlocked;
            rows(first, std::min(first + batch, n_rows));
        }
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
}

Table evaluate(const Tape& tape, const Numbers& inputs, const Integers& outputs) {
    const Rows in = input_rows("inputs", inputs, tape);
    const auto chosen = flat("outputs", outputs);
    tape.require_whole(chosen);
    Results out(in.count, chosen.size());
    const Registers<double> file(tape.n_registers());
    double* const r = file.data();
    kempe::load_constants(tape, r);
    in_batches(tape, in.count, [&](std::size_t first, std::size_t last) {
        double* result = out.data.get() + first * out.width;
        for (std::size_t k = first; k < last; ++k) {
            std::copy_n(in.row(k), in.width, r);
            for (std::size_t s = 0; s < tape.n_sections(); ++s) kempe::run_section(tape, s, r);
            for (const std::int32_t reg : chosen) *result++ = r[reg];
        }
    });
    return out.hand_over();
}

Table evaluate_lanes(const Tape& tape, const Numbers& inputs, const Integers& outputs) {
    const Rows in = input_rows("inputs", inputs, tape);
    const auto chosen = flat("outputs", outputs);
    tape.require_whole(chosen);
    Results out(in.count, chosen.size());
    const Registers<double> file(lane_count * tape.n_registers());
    double* const r = file.data();
    kempe::load_constants_lanes(tape, r);
    in_batches(tape, in.count, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; k += lane_count) {
            const std::size_t living = std::min<std::size_t>(last - k, lane_count);
            for (std::size_t l = 0; l < lane_count; ++l) {
                const double* const row = in.row(k + std::min(l, living - 1));
                for (std::size_t j = 0; j < in.width; ++j) r[lane_count * j + l] = row[j];
            }
            for (std::size_t s = 0; s < tape.n_sections(); ++s) kempe::run_section_lanes(tape, s, r);
            for (std::size_t l = 0; l < living; ++l) {
                double* result = out.data.get() + (k + l) * out.width;
                for (const std::int32_t reg : chosen) *result++ = r[lane_count * static_cast<std::size_t>(reg) + l];
            }
        }
    });
    return out.hand_over();
}

void require_bounds(const Rows& lower, const Rows& upper) {
    for (std::size_t k = 0; k < lower.count * lower.width; ++k) {
        const double l = lower.data[k], u = upper.data[k];
        if (l <= u || (l == kempe::infinity && u == -kempe::infinity)) continue;
        throw std::invalid_argument("row " + std::to_string(k / lower.width) + ", input " +
                                    std::to_string(k % lower.width) + ": [" + std::to_string(l) + ", " +
                                    std::to_string(u) + "] is no interval; the empty one is [inf, -inf]");
    }
}

using Decorations = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>;

// Bounds of the outputs, row by row; with decorations where `marks` has room for them.
std::pair<Table, Table> enclosed(const Tape& tape, const Numbers& lower, const Numbers& upper, const Integers& outputs,
                                 std::unique_ptr<std::uint8_t[]>* marks) {
    const Rows low = input_rows("lower", lower, tape), high = input_rows("upper", upper, tape);
    require(low.count == high.count, "upper", upper, "lower has shape " + shape_of(lower));
    require_bounds(low, high);
    const auto chosen = flat("outputs", outputs);
    tape.require_whole(chosen);
    Results out_low(low.count, chosen.size()), out_high(low.count, chosen.size());
    const Registers<Interval> file(tape.n_registers());
    const Registers<kempe::Decoration> decorations(marks != nullptr ? tape.n_registers() : 0);
    Interval* const r = file.data();
    kempe::Decoration* const d = decorations.data();
    if (marks != nullptr)
        *marks = std::make_unique<std::uint8_t[]>(std::max<std::size_t>(low.count * chosen.size(), 1));
    kempe::load_constants(tape, r);
    in_batches(tape, low.count, [&](std::size_t first, std::size_t last) {
        const kempe::UpwardMode upward;
        std::size_t place = first * out_low.width;
        for (std::size_t k = first; k < last; ++k) {
            for (std::size_t j = 0; j < low.width; ++j) r[j] = kempe::interval_of_bounds(low.row(k)[j], high.row(k)[j]);
            if (marks != nullptr) kempe::load_decorations(tape, r, d);
            for (std::size_t s = 0; s < tape.n_sections(); ++s)
                marks != nullptr ? kempe::run_section(tape, s, r, d) : kempe::run_section(tape, s, r);
            for (const std::int32_t reg : chosen) {
                if (marks != nullptr) (*marks)[place] = static_cast<std::uint8_t>(d[reg]);
                out_low.data[place] = 0.0 - r[reg].negated_lower;  // 0, not -0
                out_high.data[place++] = r[reg].upper;
            }
        }
    });
    return {out_low.hand_over(), out_high.hand_over()};
}

std::pair<Table, Table> evaluate_intervals(const Tape& tape, const Numbers& lower, const Numbers& upper,
                                           const Integers& outputs) {
    return enclosed(tape, lower, upper, outputs, nullptr);
}

std::tuple<Table, Table, Decorations> evaluate_decorated(const Tape& tape, const Numbers& lower, const Numbers& upper,
                                                         const Integers& outputs) {
    std::unique_ptr<std::uint8_t[]> marks;
    auto [low, high] = enclosed(tape, lower, upper, outputs, &marks);
    const std::size_t rows = low.shape(0), width = low.shape(1);
    std::uint8_t* const raw = marks.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
    return {std::move(low), std::move(high), Decorations(raw, {rows, width}, owner)};
}

std::vector<kempe::TableBlock> table_blocks(const std::vector<std::pair<Numbers, Numbers>>& tables) {
    std::vector<kempe::TableBlock> blocks;
    for (const auto& [breaks, coefficients] : tables) {
        const auto points = flat("the breaks of a table", breaks);
        require(coefficients.ndim() == 2 && coefficients.shape(0) + 1 == points.size(), "the coefficients of a table",
                coefficients, "its breaks have shape " + shape_of(breaks) + ", so one row fewer is wanted");
        blocks.push_back(kempe::table_block(points, {coefficients.data(), coefficients.size()}, coefficients.shape(1)));
    }
    return blocks;
}

// Breaks, numerators, denominators (none: a polynomial), whether it repeats itself.
using SplineParts = std::tuple<Numbers, Numbers, Numbers, bool>;

std::vector<kempe::SplineBlock> spline_blocks(const std::vector<SplineParts>& splines) {
    std::vector<kempe::SplineBlock> blocks;
    for (const auto& [breaks, numerators, denominators, is_periodic] : splines) {
        const auto points = flat("the breaks of a spline", breaks);
        require(numerators.ndim() == 2, "the coefficients of a spline", numerators, "two dimensions are wanted");
        blocks.push_back(kempe::spline_block(points, {numerators.data(), numerators.size()},
                                             {denominators.data(), denominators.size()}, numerators.shape(1),
                                             is_periodic));
    }
    return blocks;
}

void make_tape(Tape* place, const Integers& code, const Numbers& constants, std::int64_t n_inputs,
               std::int64_t n_registers, const Integers& section_stops,
               const std::vector<std::pair<Numbers, Numbers>>& tables, const std::vector<SplineParts>& splines) {
    require(code.ndim() == 2 && code.shape(1) == 5, "code", code, "(operations, 5) is wanted");
    const kempe::TapeParts parts{std::span(code.data(), code.size()), flat("constants", constants), n_inputs,
                                 n_registers, flat("section_stops", section_stops)};
    new (place) Tape(parts, table_blocks(tables), spline_blocks(splines));
}

// A function that compiled tapes call.
struct CoreFunction {
    std::string name;
    std::uintptr_t address = 0;
};

std::vector<CoreFunction> functions() {
    const auto address = [](auto* function) { return reinterpret_cast<std::uintptr_t>(function); };
    return {{"kempe_sin", address(&kempe_sin)},     {"kempe_cos", address(&kempe_cos)},
            {"kempe_tan", address(&kempe_tan)},     {"kempe_asin", address(&kempe_asin)},
            {"kempe_acos", address(&kempe_acos)},   {"kempe_atan2", address(&kempe_atan2)},
            {"kempe_exp", address(&kempe_exp)},     {"kempe_log", address(&kempe_log)},
            {"kempe_tanh", address(&kempe_tanh)},   {"kempe_pow", address(&kempe_pow)},
            {"kempe_table", address(&kempe_table)}, {"kempe_spline", address(&kempe_spline)}};
}

}  // namespace

void bind_vm(nb::module_& m) {
    nb::class_<Tape>(m, "Tape", "A tape, checked and ready to run on numbers, lanes or intervals.")
        .def("__init__", &make_tape, "code"_a, "constants"_a, "n_inputs"_a, "n_registers"_a, "section_stops"_a,
             "tables"_a, "splines"_a = std::vector<SplineParts>{}, "ValueError where the arrays are no valid tape.")
        .def("evaluate", &evaluate, "inputs"_a, "outputs"_a,
             "Run all sections for each row of inputs (N, n_inputs); the output registers (N, m).")
        .def("evaluate_lanes", &evaluate_lanes, "inputs"_a, "outputs"_a,
             "The same numbers as evaluate, bit for bit, eight rows in step.")
        .def("evaluate_intervals", &evaluate_intervals, "lower"_a, "upper"_a, "outputs"_a,
             "Enclosures of every value the outputs take on the boxes [lower, upper], (N, m) each; "
             "[inf, -inf] where the formula is defined nowhere on the box.")
        .def("evaluate_decorated", &evaluate_decorated, "lower"_a, "upper"_a, "outputs"_a,
             "The enclosures of evaluate_intervals, and what is known of each output over its whole box: "
             "2 it is defined and continuous, 1 it is defined, 0 neither is known.")
        .def(
            "table_address",
            [](const Tape& tape, std::size_t k) {
                if (k >= tape.n_tables()) throw nb::index_error("the tape has no such table");
                return reinterpret_cast<std::uintptr_t>(tape.table(k));
            },
            "k"_a, "Where table k lies, for kempe_table; valid while the tape lives.")
        .def(
            "spline_address",
            [](const Tape& tape, std::size_t k) {
                if (k >= tape.n_splines()) throw nb::index_error("the tape has no such spline");
                return reinterpret_cast<std::uintptr_t>(tape.spline(k));
            },
            "k"_a, "Where spline k lies, for kempe_spline; valid while the tape lives.");
    m.def(
        "operation_names",
        [] { return std::vector<std::string>(kempe::operation_names.begin(), kempe::operation_names.end()); },
        "The operations of a tape in the order of their codes.");
    nb::class_<CoreFunction>(m, "CoreFunction", "A function that compiled tapes call.")
        .def_ro("name", &CoreFunction::name, "Its symbol.")
        .def_ro("address", &CoreFunction::address, "Where it lies in memory.");
    m.def("functions", &functions, "The functions that compiled tapes call.");
    m.def(
        "interval_rounding", [] { return kempe::rounding_name; },
        "How this build rounds the bounds of intervals: 'upward' or 'stepped'.");
}
