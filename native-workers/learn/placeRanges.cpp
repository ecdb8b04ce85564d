// Beams are found on all threads, then taken in their order.
#include "learn/placeRanges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t maxBeams = 20'000;
constexpr std::size_t pieceOfPassing = 64;  // of many draws each

struct Passing {
  std::size_t beam = 0;
  double placeM = 0.0;  // range at which the beam is nearest to the place
};

// Range at which a beam passes the place; negative: it does not, or is not known to have been fired.
float passingM(const Beams& beams, std::size_t beam, const PlaceQuery& query) {
  if (!beams.isReturn(beam) && !beams.isMiss(beam)) return -1.0F;
  const Vec3d toPlace = query.placeM - toDouble(beams.originM[beam]);
  const Vec3d along = toDouble(beams.direction[beam]);
  const double rangeM = dot(toPlace, along);
  if (!(rangeM > 0.0)) return -1.0F;
  const Vec3d aside = toPlace - along * rangeM;
  return dot(aside, aside) < query.radiusM * query.radiusM ? static_cast<float>(rangeM) : -1.0F;
}

std::vector<Passing> passingBeams(const Beams& beams, const PlaceQuery& query, const Watch& watch) {
  std::vector<float> ranges(beams.size());
  inPieces(beams.size(), pieceOfBeams, watch, "beams", [&](std::size_t from, std::size_t to) {
    for (std::size_t beam = from; beam < to; ++beam) ranges[beam] = passingM(beams, beam, query);
  });
  std::vector<Passing> passing;
  for (std::size_t beam = 0; beam < ranges.size(); ++beam) {
    if (ranges[beam] > 0.0F) passing.push_back({beam, static_cast<double>(ranges[beam])});
  }
  if (passing.size() <= maxBeams) return passing;
  std::vector<Passing> some;
  for (std::size_t at = 0; at < maxBeams; ++at) {
    some.push_back(passing[at * passing.size() / maxBeams]);
  }
  return some;
}

void count(double rangeM, double placeM, const PlaceQuery& query, PlaceOutcomes& outcomes) {
  if (std::isnan(rangeM)) {
    ++outcomes.missed;
    return;
  }
  const double offsetM = rangeM - placeM;
  const double share = (offsetM + query.windowM) / (2.0 * query.windowM);
  if (share < 0.0) {
    ++outcomes.before;
  } else if (share >= 1.0) {
    ++outcomes.behind;
  } else {
    ++outcomes.within;
    const auto bin = static_cast<std::size_t>(share * static_cast<double>(query.bins));
    ++outcomes.bins[std::min(bin, query.bins - 1)];
  }
}

void add(const PlaceOutcomes& part, PlaceOutcomes& sum) {
  sum.before += part.before;
  sum.within += part.within;
  sum.behind += part.behind;
  sum.missed += part.missed;
  for (std::size_t bin = 0; bin < sum.bins.size(); ++bin) sum.bins[bin] += part.bins[bin];
}

PlaceOutcomes noOutcomes(const PlaceQuery& query) {
  PlaceOutcomes outcomes;
  outcomes.bins.resize(query.bins);
  return outcomes;
}

PlaceOutcomes drawn(const LogSample& log, const std::vector<Passing>& passing,
                    const ViewedModel& model, const PlaceQuery& query, const Watch& watch) {
  if (passing.empty()) return noOutcomes(query);
  const std::size_t each = std::max<std::size_t>(1, query.draws / passing.size());
  const std::size_t pieces = (passing.size() + pieceOfPassing - 1) / pieceOfPassing;
  std::vector<PlaceOutcomes> parts(pieces, noOutcomes(query));
  inPieces(passing.size(), pieceOfPassing, watch, "ranges", [&](std::size_t from, std::size_t to) {
    PlaceOutcomes& part = parts[from / pieceOfPassing];
    std::vector<MetMember> met;
    for (std::size_t at = from; at < to; ++at) {
      const auto [beam, placeM] = passing[at];
      const Vec3f originM = toFloat(toDouble(log.beams.originM[beam]) + model.modelFromLogM);
      model.lines.meet(originM, log.beams.direction[beam], query.maxM, met);
      for (std::size_t draw = 0; draw < each; ++draw) {
        const DrawnRange range =
            drawRange(met, query.seed + draw, log.numberOf(beam), {0.0, query.maxM});
        count(range.rangeM, placeM, query, part);
      }
    }
  });
  PlaceOutcomes sum = noOutcomes(query);
  for (const PlaceOutcomes& part : parts) add(part, sum);
  return sum;
}

}  // namespace

PlaceRanges rangesAt(const LogSample& log, std::span<const ViewedModel> models,
                     const PlaceQuery& query, const Watch& watch) {
  const std::vector<Passing> passing = passingBeams(log.beams, query, watch);
  PlaceRanges result;
  result.beams = passing.size();
  result.meanM = std::numeric_limits<double>::quiet_NaN();
  result.nearestM = result.meanM;
  result.farthestM = result.meanM;
  PlaceOutcomes real = noOutcomes(query);
  if (!passing.empty()) {
    double sum = 0.0;
    for (const auto& [beam, placeM] : passing) {
      sum += placeM;
      count(static_cast<double>(log.beams.rangeM[beam]), placeM, query, real);
    }
    const auto [least, most] = std::ranges::minmax_element(passing, {}, &Passing::placeM);
    result.meanM = sum / static_cast<double>(passing.size());
    result.nearestM = least->placeM;
    result.farthestM = most->placeM;
  }
  result.outcomes.push_back(std::move(real));
  for (const ViewedModel& model : models) {
    result.outcomes.push_back(drawn(log, passing, model, query, watch));
  }
  return result;
}

}  // namespace understory
