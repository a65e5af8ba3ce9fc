#include "jacobian_lu.hpp"

#include <span>

namespace kempe {

namespace {

constexpr double weak_ratio = 1e-3;  // a pivot smaller than this beside its row: look closer

}  // namespace

JacobianLU::JacobianLU(std::size_t size, const std::vector<std::int32_t>& rows,
                       const std::vector<std::int32_t>& columns)
    : size_(size) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (static_cast<std::size_t>(rows[k]) < size) {
            places_.push_back(static_cast<std::int32_t>(k));
            rows_.push_back(rows[k]);
            columns_.push_back(columns[k]);
        }
    }
    values_.resize(places_.size());
    is_whole_ = places_.size() == rows.size();
}

Factor JacobianLU::factor_values(const double* values) {
    if (!analyzed_) {
        const std::span<const double> all(values, places_.size());
        lu_.analyze({static_cast<std::int32_t>(size_), rows_, columns_}, all);
        analyzed_ = true;
    }
    if (!lu_.factor(values)) {
        lu_.refactor_with_new_order(values);
    }
    if (!lu_.is_solvable()) {
        return Factor::singular;
    }
    const bool sound =
        lu_.outcome() == LuOutcome::factored && lu_.smallest_pivot_ratio() > weak_ratio;
    return sound ? Factor::sound : Factor::weak;
}

}  // namespace kempe
