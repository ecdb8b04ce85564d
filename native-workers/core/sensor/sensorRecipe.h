// A sensor as the tracer takes it: pure data in SI units (src-main/contract/recipe.ts, SensorRecipe).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace understory {

enum class SpotShape { circular, rectangular, elliptical };
enum class StencilKind { moment, goodin2018 };
enum class ReturnMode { strongest, last, strongestAndLast, first, closest };

struct BeamRecipe {
  SpotShape shape = SpotShape::circular;
  double divergenceHorizontalRad = 0.0;  // full angle
  double divergenceVerticalRad = 0.0;
  StencilKind stencil = StencilKind::moment;
};

struct ReturnsRecipe {
  ReturnMode mode = ReturnMode::strongest;
  double signalCutoffM = 0.0;
  bool isWindowed = false;  // average in strongest and last too
};

// Lasers that fire together.
struct LaserBlock {
  std::vector<double> elevationsRad;
  std::vector<std::uint16_t> rings;  // rank by elevation over all blocks, from 0
};

struct SensorRecipe {
  std::string id;
  bool isSpinning = true;  // otherwise a sweep
  double rateHz = 0.0;     // revolutions or scans per second
  double minAzimuthRad = 0.0;  // sweeps only, as are the next two
  double maxAzimuthRad = 0.0;
  std::uint64_t slotsPerScan = 1;
  double slotsPerSecond = 0.0;
  std::vector<LaserBlock> blocks;
  std::vector<std::uint32_t> slotPattern;  // block by slot, repeated without end
  double minRangeM = 0.0;
  double maxRangeM = 0.0;
  BeamRecipe beam;
  ReturnsRecipe returns;
};

// Reads the document. Throws UnderstoryError 'bad-input' where it is not one, naming the field.
SensorRecipe parseSensorRecipe(const nlohmann::json& json);

}  // namespace understory
