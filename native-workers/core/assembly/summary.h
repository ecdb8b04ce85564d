// What is known of a scene before it is traced: counts, extents and memory, and its instances as columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/scene/scene.h"

namespace understory {

// SceneSummary of src-main/contract/worker/worker.ts, with buildSeconds 0.
nlohmann::json summariseScene(const Scene& scene);

// The columns of `scene.instances` (instanceColumnNames of src-main/contract/worker/worker.ts), one row an
// instance in order of id; boxes are those of the turned corners of the model's box, never too small.
struct InstanceColumns {
  std::vector<std::uint32_t> instanceId;
  std::vector<std::uint16_t> modelId;
  std::vector<std::uint16_t> classId;
  std::vector<double> xM, yM, zM;
  std::vector<double> qx, qy, qz, qw;
  std::vector<double> scale;
  std::vector<float> minXM, minYM, minZM;
  std::vector<float> maxXM, maxYM, maxZM;
};
// Rows from firstRow on, maxRows at most; fewer where the scene ends.
InstanceColumns instanceColumns(const Scene& scene, std::size_t firstRow, std::size_t maxRows);

}  // namespace understory
