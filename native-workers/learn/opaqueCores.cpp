// One line a beam, or one of several beams, through the tree of ellipsoids. Counts are integers: their sums have no order.
#include "learn/opaqueCores.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/elementSums.h"
#include "learn/parallel.h"

namespace understory {
namespace {

// The middle of an element is within one deviation of its mean. Returns of a round pole of radius R deviate by R/√2 across it:
// lines so near to its axis meet it.
constexpr double coreDistance2 = 1.0;
// A beam that ends within so many deviations along its line ended in the element.
constexpr double endDeviations = 2.0;
// Behind its end a beam may have an element that it ended in.
constexpr double behindEndM = 2.0;
// A middle is opaque where no more than this passes, and where so few are by chance, if it passed as the model has it, in less
// than one of a hundred models.
constexpr double maxCoreShare = 0.1;
constexpr double chance = 0.01;
// Where all parts along lines that end in a middle let less pass together, it is opaque in the model, too.
constexpr double minPassed = 0.1;
constexpr int maxWidenings = 2;

// From so many beams on, the share that is looked at falls with the third root of their number, as what a line pierces grows
// with it.
constexpr double maxAllBeams = 250'000.0;

// Beams of the log that meet middles.
struct CoreSums {
  explicit CoreSums(std::size_t parts) : ends(parts), passes(parts), passedInModel(parts) {}
  ElementCounts ends;
  ElementCounts passes;
  ElementSums passedInModel;  // of those that end
};

// A middle, or several together.
struct CoreBeams {
  double ended = 0.0;
  double passed = 0.0;
  double passedInModel = 0.0;

  void add(const CoreSums& sums, std::uint32_t part) {
    ended += sums.ends[part].load();
    passed += sums.passes[part].load();
    passedInModel += static_cast<double>(sums.passedInModel[part].load()) * onePerUnit;
  }
  double passedShare() const { return passed / (passed + ended); }
  // −ln of a bound of the probability that no more pass, if each passes as in the model (Chernoff).
  double surprise() const {
    const double model = passedInModel / ended;
    const double found = passedShare();
    if (found >= model) return 0.0;
    const double ofPassed = found > 0.0 ? found * std::log(found / model) : 0.0;
    return (passed + ended) * (ofPassed + (1.0 - found) * std::log((1.0 - found) / (1.0 - model)));
  }
};

// Whether the middle of a part is opaque, or, where few beams meet it, those of all parts that reach it and of those that reach
// these.
bool isOpaqueNear(std::uint32_t part, const Ellipsoids& ellipsoids, const CoreSums& sums) {
  const double minSurprise = std::log(static_cast<double>(sums.ends.size()) / chance);
  std::vector<std::uint32_t> near{part};
  for (int widening = 0;; ++widening) {
    CoreBeams beams;
    for (const std::uint32_t one : near) beams.add(sums, one);
    if (beams.passedShare() > 2.0 * maxCoreShare) return false;
    if (beams.passedShare() <= maxCoreShare && beams.surprise() >= minSurprise) return true;
    if (widening == maxWidenings) return false;
    const std::vector<std::uint32_t> from = near;
    for (const std::uint32_t one : from) {
      ellipsoids.around(ellipsoids.elements()[one].meanM,
                        [&](std::uint32_t other) { near.push_back(other); });
    }
    std::ranges::sort(near);
    near.erase(std::ranges::unique(near).begin(), near.end());
  }
}

// One of `beamsOfOne` beams by chance. Why not each so many-th one: lasers fire in turn.
bool isDrawn(std::size_t beam, std::uint64_t beamsOfOne) {
  constexpr std::uint64_t golden = 0x9E37'79B9'7F4A'7C15;
  return ((beam * golden) >> 32U) % beamsOfOne == 0;
}

}  // namespace

OpaqueCores opaqueCores(const Beams& beams, const std::vector<float>& permeability,
                        const Ellipsoids& ellipsoids, const BeamReach& reach, const Watch& watch) {
  CoreSums sums(permeability.size());
  const auto count = [&](std::size_t beam) {
    const bool isReturn = beams.isReturn(beam);
    if (!isReturn && !beams.isMiss(beam)) return;
    static thread_local std::vector<std::uint32_t> endsIn;
    endsIn.clear();
    double passed = 1.0;
    const auto rangeM = static_cast<double>(beams.rangeM[beam]);
    const double maxM =
        isReturn ? std::min(rangeM + behindEndM, reach.maxM(beam)) : reach.maxM(beam);
    ellipsoids.alongLine(beams.originM[beam], beams.direction[beam], maxM,
                         [&](std::uint32_t part, const Crossing& crossing) {
                           const double beyondM = isReturn ? rangeM - crossing.rangeM : maxM;
                           const double nearM = endDeviations * crossing.sigmaM;
                           const bool isCore = crossing.distance2 <= coreDistance2;
                           if (beyondM > nearM) {
                             if (isCore) addOne(sums.passes[part]);
                           } else if (beyondM > -nearM) {
                             passed *= static_cast<double>(permeability[part]);
                             if (isCore) endsIn.push_back(part);
                           }
                         });
    for (const std::uint32_t part : endsIn) {
      addOne(sums.ends[part]);
      addUnits(sums.passedInModel[part], unitsOf(passed));
    }
  };
  const double ratio = std::cbrt(static_cast<double>(beams.size()) / maxAllBeams);
  const auto beamsOfOne = static_cast<std::uint64_t>(std::max(std::ceil(ratio), 1.0));
  inPieces(beams.size(), pieceOfBeams, watch, "opaque cores",
           [&](std::size_t from, std::size_t to) {
             for (std::size_t beam = from; beam < to; ++beam) {
               if (isDrawn(beam, beamsOfOne)) count(beam);
             }
           });
  OpaqueCores cores;
  for (std::uint32_t part = 0; part < permeability.size(); ++part) {
    CoreBeams own;
    own.add(sums, part);
    if (!(own.passedInModel > minPassed * own.ended)) continue;
    if (!isOpaqueNear(part, ellipsoids, sums)) continue;
    const Vec3d meanM = ellipsoids.elements()[part].meanM;
    cores.add({1, own.ended, own.passedInModel, own.passedInModel, meanM});
  }
  return cores;
}

}  // namespace understory
