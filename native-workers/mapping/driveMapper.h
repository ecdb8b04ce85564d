// The mapping of a drive, tick by tick: returns of its scans wait until the last scan of their tick, then the ground is
// learned from them, and the costs of their cells follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/parallel.h"
#include "mapping/groundGrid.h"
#include "mapping/registration.h"
#include "mapping/sightings.h"

namespace understory {

struct MappedTick {
  Sightings sightings;
  std::vector<GroundCell> ground;  // cells that changed
};

class DriveMapper {
 public:
  // Takes the returns of a scan, as several threads registered them. Nothing: further scans of the tick follow.
  // Throws UnderstoryError 'not-found' where an earlier scan of the tick, or the ground after the tick before, is not
  // here: the host then asks for the whole tick again, with that ground.
  std::optional<MappedTick> take(const TickMapping& mapping,
                                 std::vector<RegisteredReturns>&& returns,
                                 const Parallel& parallel);

 private:
  struct Waiting {
    std::size_t scans = 0;
    std::vector<RegisteredReturns> returns;
  };

  std::map<std::uint64_t, Waiting> waiting_;  // by tick
  std::optional<GroundGrid> ground_;
  std::int64_t groundTick_ = -1;  // after which ground_ is
  SentCosts sent_;                // up to groundTick_, since the mapping began or was restored
};

}  // namespace understory
