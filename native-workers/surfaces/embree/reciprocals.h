// Values of this processor's approximate reciprocals.
#pragma once

#include <string>

namespace understory {

// Hash, hex, of the approximate reciprocals and reciprocal roots that Embree refines where it divides: those of AVX-512
// with isa "avx512", else those of SSE. Why: vendors round them differently, and a range differs in its last digit
// with them, so that equal bytes need equal ones.
std::string reciprocalsHash(const std::string& isa);

}  // namespace understory
