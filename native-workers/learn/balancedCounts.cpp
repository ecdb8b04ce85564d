// The elements along each line are found once and stored; rounds over these lists are cheap. Sums are integers in units of
// 2⁻²⁰ beams, so that they have no order.
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
constexpr int dividingRounds = 6;
constexpr int balancingRounds = 12;
constexpr int rounds = dividingRounds + balancingRounds;
// Why nearly opaque at first: shares of walls converge slowly from above, those of plants fast from anywhere.
constexpr double startPermeability = 0.01;
// Least share that a wall lets pass, or that foliage returns, where returns are divided: neither is permanent.
constexpr double minShare = 1e-3;
// An element that is not the owner of a return may be its origin within so many deviations.
constexpr double maxDeviations = 6.0;
// Within so many of its own deviations, and of those of surfaces, an end is as likely as at the mean of an element. Why:
// elements of one surface differ in range by noise. By the normal law itself it is likeliest that beams pass one of them
// to end in the next, whose mean is nearer; where a line meets the first alone, it leaks.
constexpr double evenDeviations = 1.5;
constexpr double evenNoise = 3.0;
// Elements that let less pass after the first rounds are opaque: they are not balanced. Why: where two opaque elements lie
// on one line the first would return more than its own, and balancing would make it leak.
constexpr double opaquePermeability = 0.15;
constexpr double unit = 0x1.0p-20;

struct Pierced {
  std::uint32_t element;
  float likelihood;  // that the element gave the return, relative to the likeliest; 0: it did not
};

static_assert(sizeof(Pierced) == bytesPerCrossing);

// Elements along beams, in the order in which they are met.
struct PiercedLists {
  std::vector<Pierced> pierced;
  std::vector<std::size_t> ends;  // of each beam
};

std::uint64_t unitsOf(double share) { return static_cast<std::uint64_t>(share / unit + 0.5); }

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
        permeability_(ellipsoids.elements().size(), startPermeability),
        hits_(permeability_.size()),
        reached_(permeability_.size()) {}

  BeamCounts run() {
    const std::size_t step = stepOf();
    const std::vector<PiercedLists> lists = listsOf(step);
    for (int round = 0; round < rounds; ++round) {
      watch_.throwIfCancelled();
      isBalancing_ = round >= dividingRounds;
      clear();
      inPieces(lists.size(), 1, {}, "",
               [&](std::size_t piece, std::size_t) { addLists(lists[piece]); });
      update();
      if (round + 1 == dividingRounds) markOpaque();
      if (watch_.onProgress) watch_.onProgress("permeability", round + 1, rounds);
    }
    if (step > 1) {
      clear();
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
    // −ln of the density at the return, but for a constant; of those that may have given it.
    const auto costOf = [&](const Met& one) {
      const double offM = std::abs(rangeM - one.rangeM);
      const double unitM = std::max(one.sigmaM, noiseM_);
      const double evenM = std::max(evenDeviations * one.sigmaM, evenNoise * noiseM_);
      const double z = std::max(offM - evenM, 0.0) / unitM;
      const bool mayBe = offM <= maxDeviations * unitM || one.element == owner;
      return mayBe ? 0.5 * z * z + std::log(one.sigmaM) : std::numeric_limits<double>::infinity();
    };
    double least = std::numeric_limits<double>::infinity();
    if (owner != noGroup) {
      for (const Met& one : met) least = std::min(least, costOf(one));
    }
    const bool isOwned = std::isfinite(least);
    for (const Met& one : met) {
      if (isReturn && !isOwned && one.rangeM >= rangeM && !countsEarlyEnds_) break;
      const double likelihood = isOwned ? std::exp(least - costOf(one)) : 0.0;
      lists.pierced.push_back({one.element, static_cast<float>(likelihood)});
    }
    lists.ends.push_back(lists.pierced.size());
  }

  void clear() {
    for (auto& sum : hits_) sum = 0;
    for (auto& sum : reached_) sum = 0;
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
    double sum = 0.0;
    double passed = 1.0;
    for (std::size_t at = 0; at < count; ++at) {
      const double permeability =
          std::clamp(permeability_[pierced[at].element], minShare, 1.0 - minShare);
      shares[at] = passed * (1.0 - permeability) * static_cast<double>(pierced[at].likelihood);
      sum += shares[at];
      passed *= permeability;
    }
    const double scale = sum > 0.0 ? 1.0 / sum : 0.0;
    // Dividing: the share of this beam that reached an element. Balancing: the share of all beams on its line that do.
    double reaches = 1.0;
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t element = pierced[at].element;
      const double share = shares[at] * scale;
      if (share > 0.0) hits_[element].fetch_add(unitsOf(share), std::memory_order_relaxed);
      const double counted = countsEarlyEnds_ ? 1.0 : std::max(reaches, 0.0);
      reached_[element].fetch_add(unitsOf(counted), std::memory_order_relaxed);
      reaches = isBalancing_ ? reaches * permeability_[element] : reaches - share;
    }
  }

  // Elements of walls keep what the first rounds found.
  void markOpaque() {
    isOpaque_.resize(permeability_.size());
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      isOpaque_[element] = permeability_[element] < opaquePermeability ? 1 : 0;
    }
  }

  void update() {
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      if (isBalancing_ && isOpaque_[element] != 0) continue;
      const auto hits = static_cast<double>(hits_[element].load());
      const auto reached = static_cast<double>(reached_[element].load());
      permeability_[element] = reached > hits ? 1.0 - hits / reached : 0.0;
    }
  }

  BeamCounts counts() const {
    BeamCounts counts;
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      const std::uint64_t hits = hits_[element].load();
      const double passes = isOpaque_[element] != 0 ? permeability_[element] : -1.0;
      const std::uint64_t reached = std::max(hits, reached_[element].load());
      counts.hits.push_back(static_cast<double>(hits) * unit);
      counts.misses.push_back(passes < 0.0
                                  ? static_cast<double>(reached - hits) * unit
                                  : static_cast<double>(hits) * unit * passes / (1.0 - passes));
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
  bool isBalancing_ = false;
  std::vector<std::uint8_t> isOpaque_;  // by element
  std::vector<double> permeability_;
  std::vector<std::atomic<std::uint64_t>> hits_;
  std::vector<std::atomic<std::uint64_t>> reached_;
};

}  // namespace

BeamCounts balancedCounts(const Beams& beams, const Ellipsoids& ellipsoids,
                          const std::vector<std::uint32_t>& ownerOf, double noiseM,
                          const BeamReach& reach, const Watch& watch) {
  return Balance(beams, ellipsoids, ownerOf, noiseM, reach, watch).run();
}

}  // namespace understory
