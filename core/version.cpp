#include "version.hpp"

namespace kempe {

const char* version() noexcept { return KEMPE_VERSION; }

}  // namespace kempe
