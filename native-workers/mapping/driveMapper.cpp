// Scan by scan, tick by tick.
#include "mapping/driveMapper.h"

#include <iterator>

#include "core/error.h"

namespace understory {
namespace {

UnderstoryError missing(const char* what) { return UnderstoryError(ErrorCode::notFound, what); }

void expectSameMap(bool isSame) {
  if (isSame) return;
  throw UnderstoryError(ErrorCode::badInput, "the scans of a drive have maps of different sizes");
}

}  // namespace

std::optional<MappedTick> DriveMapper::take(const TickMapping& mapping,
                                            std::vector<RegisteredReturns>&& returns,
                                            const Parallel& parallel) {
  const TickMap& map = mapping.map;
  Waiting& tick = waiting_[map.tick];
  if (map.scan == 0) tick = {};
  if (tick.scans != map.scan) throw missing("the mapping lacks an earlier scan of the tick");
  ++tick.scans;
  tick.returns.insert(tick.returns.end(), std::make_move_iterator(returns.begin()),
                      std::make_move_iterator(returns.end()));
  if (!map.isLastScan) return std::nullopt;

  if (mapping.restoresGround || map.afterTick < 0) {
    ground_.emplace(map, mapping.ground);
    sent_ = {};
  } else if (!ground_ || groundTick_ != map.afterTick) {
    throw missing("the mapping lacks the ground of the tick before");
  }
  MappedTick mapped;
  if (map.seesGround) {
    LowestReturns lowest(groundCellsOf(map));
    for (const RegisteredReturns& part : tick.returns) {
      expectSameMap(part.lowest.cells() == lowest.cells());
      lowest.add(part.lowest);
    }
    expectSameMap(ground_->cells() == lowest.cells());
    mapped.ground = ground_->learn(lowest, map.plane);
  }
  groundTick_ = static_cast<std::int64_t>(map.tick);
  SightedCells cells(map);
  const GroundGrid* const ground = map.seesGround ? &*ground_ : nullptr;
  parallel(tick.returns.size(),
           [&](std::size_t part) { cells.add(tick.returns[part].points, ground); });
  mapped.sightings = cells.sightings(sent_);
  waiting_.erase(waiting_.begin(), waiting_.upper_bound(map.tick));
  return mapped;
}

}  // namespace understory
