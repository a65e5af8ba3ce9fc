#include "tape/vm.hpp"

#include <algorithm>
#include <cmath>

#include "tape/dispatch.hpp"
#include "tape/functions.hpp"
#include "tape/spline.hpp"

namespace kempe {

void load_constants(const Tape& tape, double* registers) noexcept {
    std::copy(tape.constants().begin(), tape.constants().end(), registers + tape.n_inputs());
}

void run_section(const Tape& tape, std::size_t section, double* registers) noexcept {
    const Instruction* i = tape.section(section);
    double* const r = registers;
    KEMPE_RUN
    KEMPE_DO(add, r[i->d] = r[i->a] + r[i->b])
    KEMPE_DO(sub, r[i->d] = r[i->a] - r[i->b])
    KEMPE_DO(mul, r[i->d] = r[i->a] * r[i->b])
    KEMPE_DO(div, r[i->d] = r[i->a] / r[i->b])
    KEMPE_DO(neg, r[i->d] = -r[i->a])
    KEMPE_DO(rec, r[i->d] = 1.0 / r[i->a])
    KEMPE_DO(sqr, r[i->d] = r[i->a] * r[i->a])
    KEMPE_DO(sqrt, r[i->d] = std::sqrt(r[i->a]))
    KEMPE_DO(sincos, sincos(r[i->a], r[i->d], r[i->b]))
    KEMPE_DO(sin, r[i->d] = kempe_sin(r[i->a]))
    KEMPE_DO(cos, r[i->d] = kempe_cos(r[i->a]))
    KEMPE_DO(tan, r[i->d] = kempe_tan(r[i->a]))
    KEMPE_DO(asin, r[i->d] = kempe_asin(r[i->a]))
    KEMPE_DO(acos, r[i->d] = kempe_acos(r[i->a]))
    KEMPE_DO(atan2, r[i->d] = kempe_atan2(r[i->a], r[i->b]))
    KEMPE_DO(exp, r[i->d] = kempe_exp(r[i->a]))
    KEMPE_DO(log, r[i->d] = kempe_log(r[i->a]))
    KEMPE_DO(tanh, r[i->d] = kempe_tanh(r[i->a]))
    KEMPE_DO(abs, r[i->d] = std::abs(r[i->a]))
    KEMPE_DO(min, r[i->d] = r[i->a] < r[i->b] ? r[i->a] : r[i->b])
    KEMPE_DO(max, r[i->d] = r[i->a] > r[i->b] ? r[i->a] : r[i->b])
    KEMPE_DO(pow, r[i->d] = kempe_pow(r[i->a], r[i->b]))
    KEMPE_DO(round, r[i->d] = nearest_integer(r[i->a]))
    KEMPE_DO(where_positive, r[i->d] = r[i->a] > 0.0 ? r[i->b] : r[i->c])
    KEMPE_DO(where_not_negative, r[i->d] = r[i->a] >= 0.0 ? r[i->b] : r[i->c])
    KEMPE_DO(table, r[i->d] = table_value(tape.table(i->b), r[i->a], static_cast<std::int32_t>(i->c)))
    KEMPE_DO(muladd, r[i->d] = r[i->a] * r[i->b] + r[i->c])
    KEMPE_DO(mulsub, r[i->d] = r[i->a] * r[i->b] - r[i->c])
    KEMPE_DO(nmuladd, r[i->d] = r[i->c] - r[i->a] * r[i->b])
    KEMPE_DO(copy, r[i->d] = r[i->a])
    KEMPE_DO(spline, r[i->d] = spline_value(tape.spline(i->b), r[i->a], static_cast<std::int32_t>(i->c)))
    KEMPE_STOP
}

}  // namespace kempe
