// Column by column.
#include "scanWorker/mapRequest.h"

#include <span>
#include <string>
#include <utility>

#include "core/error.h"

namespace understory {
namespace {

std::vector<GroundCell> groundIn(const Frame& request) {
  namespace at = columns::mapGround;
  const std::vector<std::uint32_t> cells = request.values(at::groundCell);
  const std::vector<float> heightsM = request.values(at::groundHeightM);
  const std::vector<float> fromM = request.values(at::groundFromM);
  if (heightsM.size() != cells.size() || fromM.size() != cells.size()) {
    throw UnderstoryError(ErrorCode::badInput, "the columns of the ground differ in length");
  }
  std::vector<GroundCell> ground;
  ground.reserve(cells.size());
  for (std::size_t row = 0; row < cells.size(); ++row) {
    ground.push_back({cells[row], heightsM[row], fromM[row]});
  }
  return ground;
}

template <typename Value>
void add(std::vector<ColumnView>& columns, const char* name, const char* type,
         const std::vector<Value>& values) {
  columns.push_back({name, type, values.size(), std::as_bytes(std::span(values))});
}

}  // namespace

TickMapping parseTickMapping(TickMap map, const Frame& request) {
  TickMapping mapping;
  mapping.map = std::move(map);
  mapping.matrices = request.values(columns::map::mapMatrices);
  mapping.places = request.values(columns::map::mapPlaces);
  if (mapping.places.empty() || mapping.places.size() % 4 != 0 ||
      mapping.matrices.size() != 3 * mapping.places.size()) {
    throw UnderstoryError(ErrorCode::badInput,
                          "a map has 12 numbers of a matrix and 4 of a place for each sample");
  }
  mapping.restoresGround = request.has(columns::mapGround::groundCell);
  if (mapping.restoresGround) mapping.ground = groundIn(request);
  return mapping;
}

MappedColumns::MappedColumns(MappedTick&& mapped) : sightings_(std::move(mapped.sightings)) {
  for (const GroundCell& cell : mapped.ground) {
    groundCell_.push_back(cell.cell);
    groundHeightM_.push_back(cell.heightM);
    groundFromM_.push_back(cell.fromM);
  }
}

void MappedColumns::addTo(std::vector<ColumnView>& columns) const {
  add(columns, "map_cell", "u32", sightings_.cell);
  add(columns, "map_cost", "u8", sightings_.cost);
  add(columns, "map_sure_cost", "u8", sightings_.sureCost);
  if (!sightings_.lowCost.empty()) add(columns, "map_low_cost", "u8", sightings_.lowCost);
  add(columns, "ground_cell", "u32", groundCell_);
  add(columns, "ground_height_m", "f32", groundHeightM_);
  add(columns, "ground_from_m", "f32", groundFromM_);
}

}  // namespace understory
