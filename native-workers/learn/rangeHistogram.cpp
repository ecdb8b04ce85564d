// Keys in place of arrays: most bins are empty.
#include "learn/rangeHistogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace understory {
namespace {

constexpr std::uint64_t noReturnBin = 0xffffffff;
constexpr float sameOriginM = 0.1F;      // lasers of one sensor lie within it
constexpr float maxAzimuthRad = 100.0F;  // above: no azimuth
constexpr double minBeams = 20.0;

std::uint32_t columnOf(const Beams& beams, std::size_t beam, const HistogramBins& bins) {
  const auto turn = std::lround(2.0 * piRad / bins.azimuthStepRad);
  const auto azimuth =
      std::lround(static_cast<double>(beams.azimuthRad[beam]) / bins.azimuthStepRad) % turn;
  const auto wrapped = static_cast<std::uint32_t>(azimuth < 0 ? azimuth + turn : azimuth);
  return static_cast<std::uint32_t>(beams.laser[beam]) << 16U | (wrapped & 0xffffU);
}

std::uint64_t keyOf(std::uint32_t column, float rangeM, const HistogramBins& bins) {
  std::uint64_t bin = noReturnBin;
  if (!std::isnan(rangeM)) {
    const auto steps = std::llround(static_cast<double>(rangeM) / bins.rangeStepM);
    bin = std::min(static_cast<std::uint64_t>(steps), noReturnBin - 1);
  }
  return static_cast<std::uint64_t>(column) << 32U | bin;
}

bool isKnown(const Beams& beams, std::size_t beam) {
  return beams.isReturn(beam) || beams.isMiss(beam);
}

std::uint64_t columnOfKey(std::uint64_t key) { return key >> 32U; }

// Equal keys from `at` on.
std::size_t runOf(const RangeHistogram& keys, std::size_t at) {
  std::size_t end = at;
  while (end < keys.size() && keys[end] == keys[at]) ++end;
  return end - at;
}

std::size_t columnEnd(const RangeHistogram& keys, std::size_t at) {
  std::size_t end = at;
  while (end < keys.size() && columnOfKey(keys[end]) == columnOfKey(keys[at])) ++end;
  return end;
}

// Σ √(a·b) over the bins of a column.
double overlap(const RangeHistogram& one, std::size_t from, std::size_t to,
               const RangeHistogram& other, std::size_t otherFrom, std::size_t otherTo) {
  double sum = 0.0;
  while (from < to && otherFrom < otherTo) {
    const std::size_t count = runOf(one, from);
    const std::size_t otherCount = runOf(other, otherFrom);
    if (one[from] == other[otherFrom]) {
      sum += std::sqrt(static_cast<double>(count) * static_cast<double>(otherCount));
    }
    const bool isOne = one[from] <= other[otherFrom];
    const bool isOther = other[otherFrom] <= one[from];
    if (isOne) from += count;
    if (isOther) otherFrom += otherCount;
  }
  return sum;
}

}  // namespace

RangeHistogram rangeHistogramOf(const Beams& beams, std::span<const float> rangesM,
                                std::size_t from, std::size_t to, const HistogramBins& bins) {
  RangeHistogram keys;
  for (std::size_t beam = from; beam < to; ++beam) {
    if (isKnown(beams, beam))
      keys.push_back(keyOf(columnOf(beams, beam, bins), rangesM[beam], bins));
  }
  std::ranges::sort(keys);
  return keys;
}

HistogramHalves halvesOf(const Beams& beams, std::span<const float> rangesM,
                         const HistogramBins& bins) {
  HistogramHalves halves;
  std::unordered_map<std::uint32_t, bool> isOdd;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (!isKnown(beams, beam)) continue;
    const std::uint32_t column = columnOf(beams, beam, bins);
    bool& odd = isOdd[column];
    (odd ? halves.other : halves.one).push_back(keyOf(column, rangesM[beam], bins));
    odd = !odd;
  }
  std::ranges::sort(halves.one);
  std::ranges::sort(halves.other);
  return halves;
}

double bhattacharyya(const RangeHistogram& one, const RangeHistogram& other) {
  double sum = 0.0;
  double whole = 0.0;
  std::size_t at = 0;
  std::size_t otherAt = 0;
  while (at < one.size() && otherAt < other.size()) {
    const std::uint64_t column = columnOfKey(one[at]);
    const std::uint64_t otherColumn = columnOfKey(other[otherAt]);
    const std::size_t end = columnEnd(one, at);
    const std::size_t otherEnd = columnEnd(other, otherAt);
    if (column == otherColumn) {
      sum += overlap(one, at, end, other, otherAt, otherEnd);
      whole += std::sqrt(static_cast<double>(end - at) * static_cast<double>(otherEnd - otherAt));
    }
    if (column <= otherColumn) at = end;
    if (otherColumn <= column) otherAt = otherEnd;
  }
  if (whole == 0.0) return std::numeric_limits<double>::quiet_NaN();
  // Why max: rounding may leave a share just above 1.
  return std::max(0.0, -std::log(sum / whole));
}

bool isStationary(const Beams& beams, const HistogramBins& bins) {
  if (beams.size() == 0 || beams.laser.empty()) return false;
  std::unordered_map<std::uint32_t, bool> columns;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    const float offsetM = length(beams.originM[beam] - beams.originM.front());
    const bool isAzimuthKnown = std::abs(beams.azimuthRad[beam]) < maxAzimuthRad;
    if (!isAzimuthKnown || offsetM > sameOriginM) return false;
    columns.emplace(columnOf(beams, beam, bins), true);
  }
  return static_cast<double>(beams.size()) >= minBeams * static_cast<double>(columns.size());
}

}  // namespace understory
