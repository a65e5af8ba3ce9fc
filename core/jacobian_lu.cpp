#include "jacobian_lu.hpp"

namespace kempe {

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
}

Factor JacobianLU::factor_values() {
    if (!analyzed_) {
        lu_.analyze({static_cast<std::int32_t>(size_), rows_, columns_}, values_);
        analyzed_ = true;
    }
    if (!lu_.factor(values_.data())) {
        lu_.refactor_with_new_order(values_.data());
    }
    if (!lu_.is_solvable()) {
        return Factor::singular;
    }
    return lu_.outcome() == LuOutcome::factored ? Factor::sound : Factor::weak;
}

}  // namespace kempe
