// Summary of a scene before it is traced: counts, extents and memory, and its instances as columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "contract/contract.h"
#include "core/scene/scene.h"

namespace understory {

// The box of all instances in the world; empty (isEmpty) without any.
Boundsf sceneBounds(const Scene& scene);

// SceneSummary of src-main/contract/worker/worker.ts, with buildSeconds 0.
nlohmann::json summariseScene(const Scene& scene);

// One row an instance in order of id; boxes are those of the turned corners of the model's box, never too small.
// Rows from firstRow on, maxRows at most; fewer where the scene ends.
InstanceColumns instanceColumns(const Scene& scene, std::size_t firstRow, std::size_t maxRows);

// The same of plants of landscapes, by their ids; none for an id that is no plant's.
InstanceColumns plantColumns(const Scene& scene, std::span<const std::uint32_t> ids);

}  // namespace understory
