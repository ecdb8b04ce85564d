// Where the triangles of a model come from, as plain data: a mesh file, a primitive, a plant or a height field
// (src-main/contract/worker/recipe.ts, ModelSource).
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "core/fieldReader.h"
#include "core/plants/plants.h"
#include "core/scene/readers/meshFile.h"
#include "core/scene/rootStep.h"

namespace understory {

struct MeshSource {
  std::string file;
  MeshFileOptions options;
};

struct BoxSource {
  std::array<double, 3> sizeM{};
  std::uint16_t material = 0;
};

struct SphereSource {
  double radiusM = 0.0;
  std::uint32_t rings = 0;
  std::uint16_t material = 0;
};

struct CylinderSource {
  double radiusM = 0.0;
  double heightM = 0.0;
  std::uint32_t sides = 0;
  bool hasCaps = false;
  std::uint16_t material = 0;
};

struct PlaneSource {
  std::array<double, 2> sizeM{};
  std::uint32_t divisions = 0;
  std::uint16_t material = 0;
};

struct RootStepSource {
  RootStepShape shape;
  std::uint16_t material = 0;
  std::uint16_t barkMaterial = 0;
};

struct PlantSource {
  Plant plant;
  std::uint64_t seed = 0;
  MaterialIndices materials;
};

// Its heights come beside the recipe.
struct HeightFieldSource {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  std::array<double, 2> originM{};
  std::array<double, 2> stepM{};
  std::uint16_t material = 0;
};

struct ModelSource {
  std::variant<BoxSource, SphereSource, CylinderSource, PlaneSource, RootStepSource,
               HeightFieldSource, PlantSource, MeshSource>
      shape;
  nlohmann::json document;  // as it was read: the identity of what it makes
};

// `document` is what the reader reads; `materials`: how many the scene has. Throws 'bad-input' with the path of the
// first field that is missing, unknown or out of bounds.
ModelSource parseModelSource(FieldReader& source, const nlohmann::json& document,
                             std::size_t materials);

}  // namespace understory
