// Rounds over the elements along each line.
#include "learn/balancedCounts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/mutation.h"
#include "learn/elementSums.h"
#include "learn/lineSample.h"
#include "learn/parallel.h"
#include "learn/piercedLines.h"

namespace understory {
namespace {

// Rounds that divide returns among elements, then rounds that balance what elements return.
constexpr int dividingRounds = 8;
constexpr int balancingRounds = 24;
constexpr int rounds = dividingRounds + balancingRounds;
// Rounds over other lines, where a line represents several beams.
constexpr int closingRounds = 8;
// After so many rounds it is known what is opaque.
constexpr int roundsToOpaque = 2;
// Why nearly opaque at first: shares of walls converge slowly from above, those of plants fast from anywhere.
constexpr double startPermeability = 0.01;
// Least share that a wall lets pass, or that foliage returns, where returns are divided: neither is permanent.
constexpr double minShare = 1e-3;
// Runs that let less pass are opaque.
constexpr double opaqueShare = 0.01;
// A beam that ends in an opaque run counts so many times as one that the run returned, whichever element did.
constexpr double opaqueWeight = 100.0;
constexpr double maxLeak = 0.9;

// Likelihoods by cost.
std::vector<double> likelihoodTable() {
  std::vector<double> table(costs);
  for (std::size_t cost = 0; cost < costs; ++cost) {
    table[cost] = std::exp(-static_cast<double>(cost) / costsPerOne);
  }
  return table;
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
  Balance(const Beams& beams, PiercedModel& parts, const std::vector<std::uint32_t>& ownerOf,
          std::size_t maxCrossings, const BeamReach& reach, const Watch& watch)
      : parts_(parts),
        pierced_(beams, parts, ownerOf, maxCrossings, reach),
        watch_(watch),
        countsEarlyEnds_(activeMutation() == Mutation::earlyEndsAsMisses),
        isOpaque_(parts.size()),
        permeability_(isOpaque_.size(), startPermeability),
        reachedAll_(isOpaque_.size()),
        hits_(isOpaque_.size()),
        reached_(isOpaque_.size()),
        passed_(isOpaque_.size()),
        returned_(isOpaque_.size()) {}

  BeamCounts run() {
    const std::size_t beamsOfLine = pierced_.beamsOfLine();
    lines_ = pierced_.lines(beamsOfLine, 0, watch_);
    if (beamsOfLine > 1) {
      sample_.emplace(isOpaque_.size(), static_cast<double>(beamsOfLine));
      sample_->count(lines_);
      pierced_.prepareReturns(watch_);
      returnsOfOne_ = pierced_.returnsOfOne();
      returns_ = pierced_.returns(returnsOfOne_, watch_);
    }
    for (round_ = 0; round_ < rounds; ++round_) {
      watch_.throwIfCancelled();
      addRound();
      addReturns(returns_);
      update();
      if (sample_) updateUnpierced();
      if (round_ + 1 == roundsToOpaque) markOpaque(lines_);
      if (watch_.onProgress) watch_.onProgress("permeability", round_ + 1, rounds);
    }
    if (beamsOfLine > 1) closeByOtherLines(beamsOfLine);
    return counts();
  }

 private:
  bool isBalancing() const { return round_ >= dividingRounds; }

  // Sums of the lines.
  void addRound() {
    for (ElementSums* sums : {&hits_, &reached_, &passed_, &returned_}) clearUnits(*sums);
    if (sample_) sample_->clear();
    inPieces(lines_.size(), 1, {}, "", [&](std::size_t piece, std::size_t) {
      forEachBeam(lines_[piece],
                  [&](const Pierced* pierced, std::size_t count, std::vector<double>& shares) {
                    addLine(pierced, count, shares);
                  });
    });
  }

  // Shares of returns where lines represent several beams.
  void addReturns(const std::vector<PiercedLists>& returns) {
    inPieces(returns.size(), 1, {}, "",
             [&](std::size_t piece, std::size_t) { addReturns(returns[piece]); });
  }

  void addReturns(const PiercedLists& returns) {
    forEachBeam(returns,
                [&](const Pierced* pierced, std::size_t count, std::vector<double>& shares) {
                  divide(pierced, count, shares);
                  for (std::size_t at = 0; at < count; ++at) {
                    addUnits(hits_[pierced[at].element], unitsOf(shares[at]));
                  }
                });
  }

  // Hits of all beams by what the rounds found, and the beams that reach elements by lines that the rounds did not use. Why other
  // lines: returns went to elements that few lines reached by chance, and the same lines would find them too dense.
  void closeByOtherLines(std::size_t beamsOfLine) {
    lines_ = {};
    lines_ = pierced_.lines(beamsOfLine, 1, watch_);
    sample_->count(lines_);
    addRound();
    if (returnsOfOne_ == 1) {
      addReturns(returns_);
    } else {
      returnsOfOne_ = 1;
      pierced_.visitReturns(watch_, [&](const PiercedLists& returns) { addReturns(returns); });
    }
    update();
    std::vector<double> beamsOfOne(isOpaque_.size());
    for (std::size_t element = 0; element < beamsOfOne.size(); ++element) {
      const auto reached = static_cast<double>(reached_[element].load());
      beamsOfOne[element] = reached > 0.0 ? reachedAll_[element] / reached : 0.0;
    }
    for (int round = 1; round < closingRounds; ++round) {
      watch_.throwIfCancelled();
      if (watch_.onProgress) watch_.onProgress("other lines", round, closingRounds);
      clearUnits(reached_);
      inPieces(lines_.size(), 1, {}, "", [&](std::size_t piece, std::size_t) {
        forEachBeam(lines_[piece], [&](const Pierced* pierced, std::size_t count,
                                       std::vector<double>&) { addReached(pierced, count); });
      });
      update([&](std::size_t element) {
        const std::uint64_t reached = reached_[element].load();
        return reached == 0 ? reachedAsBefore(element)
                            : beamsOfOne[element] * static_cast<double>(reached);
      });
    }
  }

  void addReached(const Pierced* pierced, std::size_t count) {
    double reaches = 1.0;
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t element = pierced[at].element;
      addUnits(reached_[element], unitsOf(countsEarlyEnds_ ? 1.0 : reaches));
      reaches *= permeability_[element];
    }
  }

  // Calls visit(pierced, count, a buffer for shares) for each beam.
  template <typename Visit>
  static void forEachBeam(const PiercedLists& lists, Visit&& visit) {
    std::vector<double> shares;
    std::size_t from = 0;
    for (const std::size_t to : lists.ends) {
      visit(lists.pierced.data() + from, to - from, shares);
      from = to;
    }
  }

  void addLine(const Pierced* pierced, std::size_t count, std::vector<double>& shares) {
    const double sum = divide(pierced, count, shares);
    if (!isBalancing()) addRuns(pierced, count, shares, sum > 0.0);
    // Dividing: the share of this beam that reached an element. Balancing: the share of all beams on its line that do.
    double reaches = 1.0;
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t element = pierced[at].element;
      const double counted = countsEarlyEnds_ ? 1.0 : std::max(reaches, 0.0);
      addUnits(reached_[element], unitsOf(counted));
      if (sample_) {
        // While returns are divided, the beam itself reached what it ended in.
        sample_->add(element, shares[at], isBalancing() ? counted : 1.0);
      } else {
        addUnits(hits_[element], unitsOf(shares[at]));
      }
      reaches = isBalancing() ? reaches * permeability_[element] : reaches - shares[at];
    }
  }

  // The shares of a return that elements have of it. Returns their sum before it is made 1; 0: none may be its origin.
  double divide(const Pierced* pierced, std::size_t count, std::vector<double>& shares) const {
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
    return sum;
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
  // meet one element, and in dense foliage none of them may pass. Why not of much wider ones: pooled returns reach beyond
  // the border of a wall, where beams pass.
  void markOpaque(const std::vector<PiercedLists>& lists) {
    ElementSums passed(isOpaque_.size());
    ElementSums returned(isOpaque_.size());
    const auto addRun = [&](const Pierced* from, const Pierced* to) {
      for (const Pierced* at = from; at < to; ++at) {
        if (at->isOfRun == 0) continue;
        // Whole sixteenths of beams, so that sums of sums are within 64 bits.
        std::uint64_t passedRun = 0;
        std::uint64_t returnedRun = 0;
        for (const Pierced* other = from; other < to; ++other) {
          if (other->isOfRun == 0 || parts_.isMuchWider(other->element, at->element)) continue;
          passedRun += passed_[other->element].load(std::memory_order_relaxed) >> 16U;
          returnedRun += returned_[other->element].load(std::memory_order_relaxed) >> 16U;
        }
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

  // How many beams a line represents.
  double beamsOfLine() const { return sample_ ? sample_->beamsOfLine() : 1.0; }

  // Returns that an element has, in units.
  double hitsOf(std::size_t element) const {
    return static_cast<double>(returnsOfOne_) * static_cast<double>(hits_[element].load());
  }

  // Beams that reach an element, in units.
  double reachedOf(std::size_t element) const {
    const std::uint64_t reached = reached_[element].load();
    if (!sample_) return static_cast<double>(reached);
    if (reached == 0) return reachedAsBefore(element);
    return sample_->beamsThatReach(element, reached, hitsOf(element));
  }

  // The same of an element that no sampled line reaches: its permeability stays.
  double reachedAsBefore(std::size_t element) const {
    return hitsOf(element) / (1.0 - std::min(permeability_[element], 1.0 - minShare));
  }

  double boundedOf(std::uint32_t element) const {
    return std::clamp(permeability_[element], minShare, 1.0 - minShare);
  }

  void update() {
    update([&](std::size_t element) { return reachedOf(element); });
  }

  // Elements that no sampled line pierces pass the mean of the others that are not opaque, weighted by returns.
  void updateUnpierced() {
    double hits = 0.0;
    double passes = 0.0;
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      if (isOpaque_[element] != 0 || !sample_->isPierced(element)) continue;
      hits += hitsOf(element);
      passes += hitsOf(element) * permeability_[element];
    }
    if (hits == 0.0) return;
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      if (!sample_->isPierced(element)) permeability_[element] = passes / hits;
    }
  }

  // Opaque elements keep what the dividing rounds found.
  template <typename Reached>
  void update(Reached&& reachedBy) {
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      reachedAll_[element] = reachedBy(element);
      const bool isOpaque = isOpaque_[element] != 0;
      if (isOpaque && isBalancing()) continue;
      const double hits = hitsOf(element);
      const double reached = reachedAll_[element];
      double& permeability = permeability_[element];
      if (isOpaque && hits > 0.0) {
        const double leak =
            opaqueWeight * beamsOfLine() * static_cast<double>(returned_[element].load());
        permeability = opaqueRoot(hits, std::max(reached - hits, 0.0), leak, permeability);
      } else {
        permeability = reached > hits ? 1.0 - hits / reached : 0.0;
      }
    }
  }

  BeamCounts counts() const {
    BeamCounts counts;
    for (std::size_t element = 0; element < permeability_.size(); ++element) {
      const double hits = hitsOf(element) * onePerUnit;
      const double reached = reachedAll_[element] * onePerUnit;
      const double passes = std::min(permeability_[element], 1.0 - minShare);
      const double ofOpaque = hits * passes / (1.0 - passes);
      counts.hits.push_back(hits);
      counts.misses.push_back(isOpaque_[element] != 0 ? ofOpaque : std::max(reached - hits, 0.0));
    }
    return counts;
  }

  const PiercedModel& parts_;
  PiercedLines pierced_;
  const Watch& watch_;
  bool countsEarlyEnds_;
  std::vector<double> likelihoods_ = likelihoodTable();
  std::vector<PiercedLists> lines_;
  std::vector<PiercedLists> returns_;  // empty: those of the lines
  std::size_t returnsOfOne_ = 1;       // that one of `returns_` represents
  std::optional<LineSample> sample_;   // where a line represents several beams
  int round_ = 0;
  std::vector<std::uint8_t> isOpaque_;  // by element
  std::vector<double> permeability_;
  std::vector<double> reachedAll_;  // by element, of the last round, in units
  ElementSums hits_;
  ElementSums reached_;
  ElementSums passed_;    // beams that pass runs of an element
  ElementSums returned_;  // beams that end in them; later, odds that they pass
};

}  // namespace

BeamCounts balancedCounts(const Beams& beams, PiercedModel& parts,
                          const std::vector<std::uint32_t>& ownerOf, std::size_t maxCrossings,
                          const BeamReach& reach, const Watch& watch) {
  return Balance(beams, parts, ownerOf, maxCrossings, reach, watch).run();
}

}  // namespace understory
