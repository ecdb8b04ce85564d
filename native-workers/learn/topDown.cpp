// Clusters are ranges of one permuted list. What happens in a range depends on the range alone, so that threads do not
// change it: its random numbers are keyed by where it begins and how deep it lies.
#include "learn/topDown.h"

#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "learn/kMeans.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t samplePoints = 1U << 15U;
// Ranges below this size are split by the thread that finds them.
constexpr std::size_t taskPoints = 1U << 13U;
// Where points coincide, k-means may split off a few at a time.
constexpr std::uint32_t maxDepth = 64;

class Splitter {
 public:
  Splitter(const Beams& beams, std::vector<std::uint32_t> members, const TopDownOptions& options,
           const Watch& watch)
      : options_(options), watch_(watch), members_(std::move(members)), points_(members_.size()) {
    inPieces(members_.size(), pieceOfBeams, {}, "", [&](std::size_t from, std::size_t to) {
      for (std::size_t at = from; at < to; ++at) points_[at] = toFloat(beams.endM(members_[at]));
    });
  }

  PointGroups run() {
    if (members_.size() >= options_.minPoints) split(0, members_.size(), 0);
    group_.wait();
    watch_.throwIfCancelled();
    tbb::parallel_sort(ends_.begin(), ends_.end());
    PointGroups groups;
    groups.starts.insert(groups.starts.end(), ends_.begin(), ends_.end());
    if (ends_.empty()) members_.clear();
    groups.members = std::move(members_);
    return groups;
  }

 private:
  void split(std::size_t from, std::size_t to, std::uint32_t depth) {
    if (watch_.isOver()) return;
    const std::size_t count = to - from;
    std::vector<std::size_t> borders;
    if (count >= options_.stopPoints && depth < maxDepth) borders = partition(from, to, depth);
    if (borders.size() < 2) return finish(from, to);
    std::size_t start = from;
    for (const std::size_t border : borders) {
      const std::size_t begin = start;
      start = border;
      if (border - begin >= taskPoints) {
        group_.run([this, begin, border, depth] { split(begin, border, depth + 1); });
      } else {
        split(begin, border, depth + 1);
      }
    }
  }

  // Sorts the range by cluster. Returns where clusters end; one where it cannot be split.
  std::vector<std::size_t> partition(std::size_t from, std::size_t to, std::uint32_t depth) {
    const std::size_t count = to - from;
    RandomStream random(options_.seed, RandomPurpose::clusters,
                        std::uint64_t{from} << 8U | std::uint64_t{depth});
    const std::span<const Vec3f> points(points_.data() + from, count);
    std::vector<Vec3f> sample;
    if (count > samplePoints) {
      // One of each of as many parts of equal size.
      for (std::size_t part = 0; part < samplePoints; ++part) {
        const double at = (static_cast<double>(part) + random.uniform()) *
                          static_cast<double>(count) / static_cast<double>(samplePoints);
        sample.push_back(points[std::min(static_cast<std::size_t>(at), count - 1)]);
      }
    }
    const KMeansOptions options{options_.means, options_.minPoints, options_.restarts,
                                options_.iterations};
    const std::vector<Vec3f> means =
        kMeans(sample.empty() ? points : std::span<const Vec3f>(sample), options, random);
    if (means.size() < 2) return {to};
    std::vector<std::uint32_t> classOf(count);
    inPieces(count, pieceOfBeams, {}, "", [&](std::size_t begin, std::size_t end) {
      nearestMeans(means, points.subspan(begin, end - begin), classOf.data() + begin);
    });
    return reorder(from, classOf, means.size());
  }

  std::vector<std::size_t> reorder(std::size_t from, const std::vector<std::uint32_t>& classOf,
                                   std::size_t classes) {
    std::vector<std::size_t> starts(classes + 1);
    for (const std::uint32_t number : classOf) ++starts[number + 1U];
    for (std::size_t number = 0; number < classes; ++number) starts[number + 1] += starts[number];
    std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
    std::vector<Vec3f> points(classOf.size());
    std::vector<std::uint32_t> members(classOf.size());
    for (std::size_t at = 0; at < classOf.size(); ++at) {
      const std::size_t place = next[classOf[at]]++;
      points[place] = points_[from + at];
      members[place] = members_[from + at];
    }
    std::ranges::copy(points, points_.begin() + static_cast<std::ptrdiff_t>(from));
    std::ranges::copy(members, members_.begin() + static_cast<std::ptrdiff_t>(from));
    std::vector<std::size_t> borders;
    for (std::size_t number = 0; number < classes; ++number) {
      if (starts[number + 1] > starts[number]) borders.push_back(from + starts[number + 1]);
    }
    return borders;
  }

  void finish(std::size_t from, std::size_t to) {
    const std::lock_guard lock(mutex_);
    ends_.push_back(to);
    done_ += to - from;
    const std::size_t percent = done_ * 100 / members_.size();
    if (percent == percent_ || !watch_.onProgress) return;
    percent_ = percent;
    watch_.onProgress("clusters", done_, members_.size());
  }

  TopDownOptions options_;
  const Watch& watch_;
  std::vector<std::uint32_t> members_;
  std::vector<Vec3f> points_;
  tbb::task_group group_;
  std::mutex mutex_;
  std::vector<std::size_t> ends_;
  std::size_t done_ = 0;
  std::size_t percent_ = 0;
};

// By beam: whether its return has others around it.
std::vector<std::uint8_t> hasOthersAround(const Beams& beams, const Watch& watch) {
  const PointGroups cells = groupByVoxel(beams, {}, strayCellM, 1, watch);
  std::unordered_map<std::uint64_t, std::size_t> returnsIn;
  const auto keyOf = [&](std::size_t cell) {
    return cellOf(beams.endM(cells.members[cells.starts[cell]]), strayCellM).key;
  };
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    returnsIn[keyOf(cell)] = cells.starts[cell + 1] - cells.starts[cell];
  }
  std::vector<std::uint8_t> hasOthers(beams.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const auto [x, y, z] = cellIndices(keyOf(cell));
    std::size_t around = 0;
    for (int place = 0; place < 27; ++place) {
      const auto found =
          returnsIn.find(cellKey({x + place % 3 - 1, y + place / 3 % 3 - 1, z + place / 9 - 1}));
      if (found != returnsIn.end()) around += found->second;
    }
    if (around < strayPoints) continue;
    for (std::size_t at = cells.starts[cell]; at < cells.starts[cell + 1]; ++at) {
      hasOthers[cells.members[at]] = 1;
    }
  }
  return hasOthers;
}

std::vector<std::uint32_t> withoutStrays(const Beams& beams, std::vector<std::uint32_t> members,
                                         const Watch& watch) {
  const std::vector<std::uint8_t> hasOthers = hasOthersAround(beams, watch);
  std::erase_if(members, [&](std::uint32_t beam) { return hasOthers[beam] == 0; });
  return members;
}

}  // namespace

PointGroups groupTopDown(const Beams& beams, const std::vector<std::uint32_t>& chosen,
                         const TopDownOptions& options, const Watch& watch) {
  std::vector<std::uint32_t> members =
      withoutStrays(beams, chosen.empty() ? returnsOf(beams) : chosen, watch);
  return Splitter(beams, std::move(members), options, watch).run();
}

}  // namespace understory
