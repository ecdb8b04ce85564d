// From a traced batch to the columns that were asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aim/beamRays.h"
#include "core/returns/detection.h"
#include "core/returns/returnColumns.h"
#include "core/scene/motions.h"
#include "core/scene/scene.h"
#include "core/sensor/pulses.h"
#include "pulses/tracedBatch.h"
#include "surfaces/hits.h"

namespace understory {

// Classes of returns of no object, by TracedReturn::air: of false alarms ('noise'), and of what the air holds, by their
// names. 65535, of none: the scene has no such class.
using AirClasses = std::array<std::uint16_t, 1 + WordsOf<AirKind>::words.size()>;
AirClasses airClassesOf(const Scene& scene);

// Data of rows beside the traced batch. All outlive it.
struct RowContext {
  const SensorRecipe& sensor;
  const PulseNumbering& numbering;
  const BeamOptics& beam;
  const InstanceShadings& instances;  // by number
  const Detector& detector;
  AirClasses airClasses;
  const Scene& scene;
  const Motions& motions;
  const Trajectory& trajectory;
};

// Whether a column needs TracedBatch::shapes.
bool needsShapes(std::span<const ReturnColumn> columns);

// The rows of some consecutive pulses, one byte vector for each column asked for.
struct ColumnRows {
  std::vector<std::vector<std::byte>> columns;
  std::vector<std::uint32_t> rowEnd;  // by pulse: rows up to and with it
};

// Rows of the pulses that fire in the slots `range` of the batch; with `withMisses` also one
// row for each pulse without an echo (return_no 0, NaN, ids 0). `out` is overwritten.
void fillColumns(const RowContext& context, std::uint64_t batch, const TracedBatch& traced,
                 SlotRange range, std::span<const ReturnColumn> columns, bool withMisses,
                 ColumnRows& out);

}  // namespace understory
