// Memory that learning takes, so that it is refused before it begins.
#pragma once

#include <cstdint>

#include "core/learned/learnedModel.h"

namespace understory {

// Upper bound, about, of the bytes that learning from `beams` beams takes.
std::uint64_t learningBytes(LearnedKind kind, std::uint64_t beams);
// Memory beside that in which elements are counted by the rule `owner`: what lines pierce.
std::uint64_t countingBytes(LearnedKind kind, std::uint64_t beams);

}  // namespace understory
