// The mapping of a scan request (src-main/contract/worker/tickMap.ts), and the columns of its reply.
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/driveMapper.h"
#include "mapping/tickMapping.h"
#include "protocol/frame.h"

namespace understory {

// With the columns that belong to it. Throws UnderstoryError 'bad-input' where they do not fit.
TickMapping parseTickMapping(TickMap map, const Frame& request);

// Storage that the columns of a reply view.
class MappedColumns {
 public:
  MappedColumns() = default;
  explicit MappedColumns(MappedTick&& mapped);

  void addTo(std::vector<ColumnView>& columns) const;

 private:
  Sightings sightings_;
  std::vector<std::uint32_t> groundCell_;
  std::vector<float> groundHeightM_;
  std::vector<float> groundFromM_;
};

}  // namespace understory
