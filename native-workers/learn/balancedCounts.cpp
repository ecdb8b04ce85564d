// The elements along each line are found once and stored; rounds over these lists are cheap. Sums by element are integers in
// units of 2⁻²⁰ beams, so that the order of adding changes nothing.
#include "learn/balancedCounts.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/mutation.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t probedEach = 61;
// Rounds that divide returns among elements, then rounds that balance what elements return.
constexpr int dividingRounds = 8;
constexpr int balancingRounds = 24;
constexpr int rounds = dividingRounds + balancingRounds;
// After so many rounds it is known what is opaque.
constexpr int roundsToOpaque = 2;
// Why nearly opaque at first: shares of walls converge slowly from above, those of plants fast from anywhere.
constexpr double startPermeability = 0.01;
// Least share that a wall lets pass, or that foliage returns, where returns are divided: neither is permanent.
constexpr double minShare = 1e-3;
// An element that is not the owner of a return may be its origin within so many deviations, its own or those of surfaces.
constexpr double maxDeviations = 6.0;
// In opaque runs all ends within so many deviations of a mean are as likely. Why: elements of one surface differ in range by
// noise. By the normal law itself it is likeliest that beams pass one of them to end in the next, whose mean is nearer.
constexpr double evenDeviations = 1.5;
// Elements of surfaces along a line whose spans of so many deviations overlap are one run.
constexpr double runDeviations = 3.5;
// An element may be one of a surface where it is flat, or no deeper along the line than so many deviations of the noise of
// surfaces. Plants before a wall are neither, however large their elements are.
constexpr double surfaceDeviations = 1.5;
// Runs that let less pass are opaque.
constexpr double opaqueShare = 0.01;
// A beam that ends in an opaque run counts so many times as one that the run returned, whichever element did.
constexpr double opaqueWeight = 100.0;
constexpr double maxLeak = 0.9;
constexpr double unit = 0x1.0p-20;

constexpr std::uint32_t maxElement = 0x3fff'ffffU;

// −ln of likelihoods relative to the greatest, in units of 1/256.
constexpr double costsPerOne = 256.0;
constexpr std::size_t costs = 4096;

struct Pierced {
  std::uint32_t element : 30;
  std::uint32_t isOfRun : 1;
  std::uint32_t startsRun : 1;  // of those of runs
  // Costs of the return, if the element gave it: by its normal law, and by one that is even in the middle; from `costs` on: none.
  std::uint16_t cost;
  std::uint16_t evenCost;
};
static_assert(sizeof(Pierced) == bytesPerCrossing);

// Likelihoods by cost.
std::vector<double> likelihoodTable() {
  std::vector<double> table(costs);
  for (std::size_t cost = 0; cost < costs; ++cost) {
    table[cost] = std::exp(-static_cast<double>(cost) / costsPerOne);
  }
  return table;
}

std::uint16_t roundedCost(double cost) {
  return static_cast<std::uint16_t>(std::min(cost * costsPerOne + 0.5, static_cast<double>(costs)));
}

// Elements along beams, in the order in which they are met.
struct PiercedLists {
  std::vector<Pierced> pierced;
  std::vector<std::size_t> ends;  // of each beam
};

using ElementSums = std::vector<std::atomic<std::uint64_t>>;  // by element

std::uint64_t unitsOf(double share) { return static_cast<std::uint64_t>(share / unit + 0.5); }

void addUnits(std::atomic<std::uint64_t>& sum, std::uint64_t units) {
  if (units > 0) sum.fetch_add(units, std::memory_order_relaxed);
}

void clearUnits(ElementSums& sums) {
  for (auto& sum : sums) sum = 0;
}

// The likeliest permeability of an element with so many hits and misses, where beams that end in its runs also count as
// returned by them. `leak`: Σ ℓ/(1 − ℓ) over these, with the weight, for the share ℓ that the run lets pass at the
// permeability `before`. Derivation: PHYSICS.md, 2.5.
double opaqueRoot(double hits, double misses, double leak, double before) {
  const double slope = leak / std::max(before, minShare);
  const double sum = hits + misses + slope;
  return 2.0 * misses / (sum + std::sqrt(std::max(sum * sum - 4.0 * slope * misses, 0.0)));
}

class Balance {
 public:
  Balance(const Beams& beams, const Ellipsoids& ellipsoids,
          const std::vector<std::uint32_t>& ownerOf, double noiseM, const BeamReach& reach,
          const Watch& watch)
      : beams_(beams),
        ellipsoids_(ellipsoids),
        ownerOf_(ownerOf),
        noiseM_(noiseM),
        reach_(reach),
        watch_(watch),
        countsEarlyEnds_(activeMutation() == Mutation::earlyEndsAsMisses),
        isOpaque_(ellipsoids.elements().size()),
        permeability_(isOpaque_.size(), startPermeability),
        hits_(isOpaque_.size()),
        reached_(isOpaque_.size()),
        passed_(isOpaque_.size()),
        returned_(isOpaque_.size()) {}

  BeamCounts run() {
    const std::size_t step = stepOf();
    const std::vector<PiercedLists> lists = listsOf(step);
    for (int round = 0; round < rounds; ++round) {
      watch_.throwIfCancelled();
      round_ = round;
      clearSums();
      inPieces(lists.size(), 1, {}, "",
               [&](std::size_t piece, std::size_t) { addLists(lists[piece]); });
      update();
      if (round + 1 == roundsToOpaque) markOpaque(lists);
      if (watch_.onProgress) watch_.onProgress("permeability", round + 1, rounds);
    }
    if (step > 1) {
      clearSums();
      inPieces(beams_.size(), pieceOfBeams, watch_, "all beams",
               [&](std::size_t from, std::size_t to) {
                 PiercedLists one;
                 for (std::size_t beam = from; beam < to; ++beam) {
                   one.pierced.clear();
                   one.ends.clear();
                   appendBeam(beam, one);
                   addLists(one);
                 }
               });
    }
    return counts();
  }

 private:
  bool isBalancing() const { return round_ >= dividingRounds; }

  // Each n-th beam, so that the lists of all of them are within the limit.
  std::size_t stepOf() const {
    std::atomic<std::size_t> found{0};
    const std::size_t probes = beams_.size() / probedEach + 1;
    inPieces(probes, pieceOfLines, {}, "", [&](std::size_t from, std::size_t to) {
      PiercedLists lists;
      for (std::size_t probe = from; probe < to; ++probe) {
        if (probe * probedEach < beams_.size()) appendBeam(probe * probedEach, lists);
      }
      found += lists.pierced.size();
    });
    const double all = static_cast<double>(found.load()) * static_cast<double>(probedEach);
    return 1 + static_cast<std::size_t>(all / static_cast<double>(maxStoredCrossings));
  }

  std::vector<PiercedLists> listsOf(std::size_t step) const {
    const std::size_t chosen = (beams_.size() + step - 1) / step;
    std::vector<PiercedLists> lists((chosen + pieceOfBeams - 1) / pieceOfBeams);
    inPieces(chosen, pieceOfBeams, watch_, "lines", [&](std::size_t from, std::size_t to) {
      PiercedLists& own = lists[from / pieceOfBeams];
      for (std::size_t at = from; at < to; ++at) appendBeam(at * step, own);
      own.pierced.shrink_to_fit();
    });
    return lists;
  }

  // Appends what a beam says: nothing where it is not known to have been fired.
  void appendBeam(std::size_t beam, PiercedLists& lists) const {
    const bool isReturn = beams_.isReturn(beam);
    if (!isReturn && !beams_.isMiss(beam)) return;
    struct Met {
      double rangeM;
      double sigmaM;
      std::uint32_t element;
    };
    static thread_local std::vector<Met> met;
    met.clear();
    ellipsoids_.alongLine(beams_.originM[beam], beams_.direction[beam], reach_.maxM(beam),
                          [&](std::uint32_t element, const Crossing& crossing) {
                            met.push_back({crossing.rangeM, crossing.sigmaM, element});
                          });
    std::ranges::sort(met, [](const Met& a, const Met& b) {
      return a.rangeM != b.rangeM ? a.rangeM < b.rangeM : a.element < b.element;
    });
    const auto rangeM = static_cast<double>(beams_.rangeM[beam]);
    const std::uint32_t owner = isReturn ? ownerOf_[beam] : noGroup;
    const auto mayBe = [&](const Met& one) {
      const double unitM = std::max(one.sigmaM, noiseM_);
      return one.element == owner || std::abs(rangeM - one.rangeM) <= maxDeviations * unitM;
    };
    // −ln of the density at the return, but for a constant.
    const auto costOf = [&](const Met& one) {
      const double z = (rangeM - one.rangeM) / one.sigmaM;
      return 0.5 * z * z + std::log(one.sigmaM);
    };
    const auto evenCostOf = [&](const Met& one) {
      const double beyondM =
          std::max(std::abs(rangeM - one.rangeM) - evenDeviations * one.sigmaM, 0.0);
      const double z = beyondM / std::max(one.sigmaM, noiseM_);
      return 0.5 * z * z + std::log(one.sigmaM);
    };
    double minCost = std::numeric_limits<double>::infinity();
    double minEvenCost = minCost;
    for (const Met& one : met) {
      if (owner == noGroup || !mayBe(one)) continue;
      minCost = std::min(minCost, costOf(one));
      minEvenCost = std::min(minEvenCost, evenCostOf(one));
    }
    const bool isOwned = std::isfinite(minCost);
    double runEndM = -std::numeric_limits<double>::infinity();
    for (const Met& one : met) {
      if (isReturn && !isOwned && one.rangeM >= rangeM && !countsEarlyEnds_) break;
      const bool isOrigin = isOwned && mayBe(one);
      const double cost = isOrigin ? costOf(one) - minCost : costs;
      const double evenCost = isOrigin ? evenCostOf(one) - minEvenCost : costs;
      const bool isOfRun =
          ellipsoids_.elements()[one.element].isFlat || one.sigmaM <= surfaceDeviations * noiseM_;
      const double halfM = runDeviations * one.sigmaM;
      const bool startsRun = isOfRun && one.rangeM - halfM > runEndM;
      if (isOfRun) runEndM = std::max(runEndM, one.rangeM + halfM);
      lists.pierced.push_back({one.element & maxElement, isOfRun ? 1U : 0U, startsRun ? 1U : 0U,
                               roundedCost(cost), roundedCost(evenCost)});
    }
    lists.ends.push_back(lists.pierced.size());
  }

  void clearSums() {
    for (ElementSums* sums : {&hits_, &reached_, &passed_, &returned_}) clearUnits(*sums);
  }

  void addLists(const PiercedLists& lists) {
    std::vector<double> shares;
    std::size_t from = 0;
    for (const std::size_t to : lists.ends) {
      addBeam(lists.pierced.data() + from, to - from, shares);
      from = to;
    }
  }

  void addBeam(const Pierced* pierced, std::size_t count, std::vector<double>& shares) {
    shares.assign(count, 0.0);
    const bool isEven = std::any_of(pierced, pierced + count, [&](const Pierced& one) {
      return one.evenCost == 0 && isOpaque_[one.element] != 0;
    });
    double sum = 0.0;
    double passed = 1.0;
    for (std::size_t at = 0; at < count; ++at) {
      const double permeability = boundedOf(pierced[at].element);
      const std::uint16_t cost = isEven ? pierced[at].evenCost : pierced[at].cost;
      if (cost < costs) shares[at] = passed * (1.0 - permeability) * likelihoods_[cost];
      sum += shares[at];
      passed *= permeability;
    }
    const double scale = sum > 0.0 ? 1.0 / sum : 0.0;
    for (double& share : shares) share *= scale;
    if (!isBalancing()) addRuns(pierced, count, shares, sum > 0.0);
    // Dividing: the share of this beam that reached an element. Balancing: the share of all beams on its line that do.
    double reaches = 1.0;
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t element = pierced[at].element;
      addUnits(hits_[element], unitsOf(shares[at]));
      addUnits(reached_[element], unitsOf(countsEarlyEnds_ ? 1.0 : std::max(reaches, 0.0)));
      reaches = isBalancing() ? reaches * permeability_[element] : reaches - shares[at];
    }
  }

  // From the last run to the first. At first: the shares of the beam that passed a run and that ended in it. Later: the
  // odds that a beam passes a run which it ended in.
  void addRuns(const Pierced* pierced, std::size_t count, const std::vector<double>& shares,
               bool isOwned) {
    const bool seeksOpaque = round_ < roundsToOpaque;
    double behind = isOwned ? 0.0 : 1.0;
    for (std::size_t end = count; end > 0;) {
      std::size_t begin = end;
      double within = 0.0;
      double between = 0.0;
      double leak = 1.0;
      bool isStart = false;
      do {
        const Pierced& one = pierced[--begin];
        isStart = one.startsRun != 0;
        (one.isOfRun != 0 ? within : between) += shares[begin];
        if (one.isOfRun != 0) leak *= boundedOf(one.element);
      } while (begin > 0 && !isStart);
      leak = std::min(leak, maxLeak);
      const std::uint64_t passed = unitsOf(countsEarlyEnds_ ? 1.0 - within : behind);
      const std::uint64_t returned = unitsOf(seeksOpaque ? within : within * leak / (1.0 - leak));
      for (std::size_t at = begin; at < end; ++at) {
        const std::uint32_t element = pierced[at].element;
        if (pierced[at].isOfRun == 0) continue;
        if (seeksOpaque) addUnits(passed_[element], passed);
        if (seeksOpaque || isOpaque_[element] != 0) addUnits(returned_[element], returned);
      }
      behind += within + between;
      end = begin;
    }
  }

  // Whether what runs through an element let pass is below the limit, of all elements in these runs. Why of all: few beams
  // meet one element, and in dense foliage none of them may pass.
  void markOpaque(const std::vector<PiercedLists>& lists) {
    ElementSums passed(isOpaque_.size());
    ElementSums returned(isOpaque_.size());
    const auto addRun = [&](const Pierced* from, const Pierced* to) {
      // Whole sixteenths of beams, so that sums of sums are within 64 bits.
      std::uint64_t passedRun = 0;
      std::uint64_t returnedRun = 0;
      for (const Pierced* at = from; at < to; ++at) {
        if (at->isOfRun == 0) continue;
        passedRun += passed_[at->element].load(std::memory_order_relaxed) >> 16U;
        returnedRun += returned_[at->element].load(std::memory_order_relaxed) >> 16U;
      }
      for (const Pierced* at = from; at < to; ++at) {
        if (at->isOfRun == 0) continue;
        addUnits(passed[at->element], passedRun);
        addUnits(returned[at->element], returnedRun);
      }
    };
    inPieces(lists.size(), 1, {}, "", [&](std::size_t piece, std::size_t) {
      const Pierced* from = lists[piece].pierced.data();
      std::size_t start = 0;
      for (const std::size_t end : lists[piece].ends) {
        for (std::size_t to = start; start < end; start = to) {
          for (++to; to < end && from[to].startsRun == 0;) ++to;
          addRun(from + start, from + to);
        }
      }
    });
    for (std::size_t element = 0; element < isOpaque_.size(); ++element) {
      const auto passes = static_cast<double>(passed[element].load());
      const auto all = passes + static_cast<double>(returned[element].load());
      isOpaque_[element] = passes < opaqueShare * all ? 1 : 0;
    }
  }

  double boundedOf(std::uint32_t element) const {
    return std::clamp(permeability_[element], minShare, 1.0 - minShare);
  }

  // Opaque elements keep what the dividing rounds found.
  void update() {
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      const bool isOpaque = isOpaque_[element] != 0;
      if (isOpaque && isBalancing()) continue;
      const auto hits = static_cast<double>(hits_[element].load());
      const auto reached = static_cast<double>(reached_[element].load());
      double& permeability = permeability_[element];
      if (isOpaque && hits > 0.0) {
        const double leak = opaqueWeight * static_cast<double>(returned_[element].load());
        permeability = opaqueRoot(hits, std::max(reached - hits, 0.0), leak, permeability);
      } else {
        permeability = reached > hits ? 1.0 - hits / reached : 0.0;
      }
    }
  }

  BeamCounts counts() const {
    BeamCounts counts;
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      const auto hits = static_cast<double>(hits_[element].load()) * unit;
      const auto reached = static_cast<double>(reached_[element].load()) * unit;
      const double passes = std::min(permeability_[element], 1.0 - minShare);
      const double ofOpaque = hits * passes / (1.0 - passes);
      counts.hits.push_back(hits);
      counts.misses.push_back(isOpaque_[element] != 0 ? ofOpaque : std::max(reached - hits, 0.0));
    }
    return counts;
  }

  const Beams& beams_;
  const Ellipsoids& ellipsoids_;
  const std::vector<std::uint32_t>& ownerOf_;
  double noiseM_;
  const BeamReach& reach_;
  const Watch& watch_;
  bool countsEarlyEnds_;
  std::vector<double> likelihoods_ = likelihoodTable();
  int round_ = 0;
  std::vector<std::uint8_t> isOpaque_;  // by element
  std::vector<double> permeability_;
  ElementSums hits_;
  ElementSums reached_;
  ElementSums passed_;    // beams that pass runs of an element
  ElementSums returned_;  // beams that end in them; later, odds that they pass
};

}  // namespace

BeamCounts balancedCounts(const Beams& beams, const Ellipsoids& ellipsoids,
                          const std::vector<std::uint32_t>& ownerOf, double noiseM,
                          const BeamReach& reach, const Watch& watch) {
  return Balance(beams, ellipsoids, ownerOf, noiseM, reach, watch).run();
}

}  // namespace understory
