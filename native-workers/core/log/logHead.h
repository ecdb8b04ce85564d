// Head and summary of a log (src-main/recordings/log/LOG.md): what it states of itself.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

struct LogHead {
  struct Detection {
    double reflectance = 0.0;
    double rangeM = 0.0;
    double probability = 0.0;
    double falseAlarmsPerPulse = 0.0;
  };

  Vec3d originM;    // world position that all others are relative to
  std::string crs;  // coordinate reference system of the world; empty: not known
  std::vector<std::string> columns;
  std::vector<std::string> classes;
  std::string sensor;  // empty: unknown
  std::optional<double> minRangeM;
  std::optional<double> maxRangeM;
  std::optional<double> rangeStepM;
  std::optional<Detection> detection;
  std::optional<double> intensityOfWhite;
  bool knowsMisses = false;  // recorded or inferred

  bool has(std::string_view column) const;
};

struct LogCounts {
  std::uint64_t beams = 0;
  std::uint64_t returns = 0;
  std::uint64_t misses = 0;
  std::uint64_t missesInferred = 0;
  std::uint64_t unknown = 0;
};

// From the bodies of their frames. Throw exceptions of the standard library and of JSON that say what was expected.
LogHead logHeadOf(const nlohmann::json& body);
LogCounts logCountsOf(const nlohmann::json& body);
Vec3d logPositionOf(const nlohmann::json& value);

}  // namespace understory
