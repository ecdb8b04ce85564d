// The header of a learned model as JSON, and the comments that have it in a PLY.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/learned/learnedFile.h"

namespace understory {

inline constexpr std::string_view learnedTitle = "Understory learned model 1";
inline constexpr std::size_t headerPartLength = 200;

nlohmann::json learnedHeaderJson(const LearnedModel& model);

// Throws 'bad-input' with the path of the field that is missing, unknown or out of bounds.
LearnedHeader parseLearnedHeader(const nlohmann::json& json);

// The JSON in the comments of a PLY header. Throws 'bad-input' where there is none.
nlohmann::json headerJsonIn(std::string_view text, const std::string& file);

}  // namespace understory
