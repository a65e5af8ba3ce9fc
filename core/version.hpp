#pragma once

namespace kempe {

const char* version() noexcept;

}  // namespace kempe
